//! The number or the date that a field is compared with.
//!
//! A date is `2024-05-31` or `2024-05`. A field may have more text after the date, for example a time. Two dates
//! are compared as far as both go: `>2024-05` is June and later, and `<=2024-05` includes all of May. A year is a
//! number, and is compared with the year of a date.

use super::Comparison;
use crate::analysis::field_value::FieldValue;

/// A number or a date.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NumberOrDate {
    Number(FieldValue),
    /// Year and month, or year, month and day.
    Date(String),
}

impl NumberOrDate {
    /// Parses a word; `None` if it is neither a number nor a date.
    pub(super) fn new(word: &str) -> Option<Self> {
        match word.parse::<f64>() {
            Ok(_) => FieldValue::number(word).map(Self::Number),
            Err(_) => date(word)
                .filter(|date| date.len() == word.len())
                .map(|it| Self::Date(it.to_owned())),
        }
    }

    /// Whether the value of a field satisfies the comparison; `false` if the value cannot be compared.
    pub(super) fn holds(&self, value: &str, comparison: Comparison) -> bool {
        let value = value.trim();
        let order = match (self, FieldValue::number(value), date(value)) {
            (Self::Number(bound), Some(number), _) => Some(number.order(bound)),
            (Self::Number(bound), _, Some(date)) => {
                FieldValue::number(&date[..4]).map(|year| year.order(bound))
            }
            (Self::Date(bound), _, Some(date)) => {
                let n = bound.len().min(date.len());
                Some(date[..n].cmp(&bound[..n]))
            }
            _ => None,
        };
        order.is_some_and(|order| comparison.admits(order))
    }
}

/// The date that a text begins with: `2024-05-31` or `2024-05`.
fn date(text: &str) -> Option<&str> {
    let is_like = |pattern: &str| {
        let Some(part) = text.as_bytes().get(..pattern.len()) else { return false };
        let fits = |(byte, like): (&u8, u8)| match like {
            b'0' => byte.is_ascii_digit(),
            like => *byte == like,
        };
        let ends = text.as_bytes().get(pattern.len()).is_none_or(|byte| !byte.is_ascii_digit());
        ends && part.iter().zip(pattern.bytes()).all(fits)
    };
    ["0000-00-00", "0000-00"].into_iter().find(|like| is_like(like)).map(|like| &text[..like.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_are_compared_as_far_as_both_go() {
        let holds = |bound: &str, sign: &str, value: &str| {
            NumberOrDate::new(bound).unwrap().holds(value, sign.parse().unwrap())
        };
        for (value, sign, bound) in [
            ("10", ">", "9"),
            (" 2001 ", ">=", "2001"),
            ("-3", "<", "2"),
            ("2024-05-31", ">", "2024-05-30"),
            ("2024-06-01T07:00:00Z", ">", "2024-05"),
            ("2024-05-31 07:00", "<=", "2024-05"),
            ("2024-05", ">=", "2024-05-03"),
            ("2024-05-03", ">", "2023"),
            ("2024-05-03", "<=", "2024"),
            ("9007199254740993", ">", "9007199254740992"),
        ] {
            assert!(holds(bound, sign, value), "{value} {sign} {bound}");
        }
        for (value, sign, bound) in [
            ("9", ">", "10"),
            ("2024-05-31", ">", "2024-05"),
            ("2024-05", ">", "2024-05-03"),
            ("2024-05-03", ">", "2024"),
            ("next May", ">", "2024-05"),
            ("2024-05-311", ">", "2024-05"),
            ("7", "<", "2024-05"),
            ("", "<", "3"),
        ] {
            assert!(!holds(bound, sign, value), "{value} {sign} {bound}");
        }
        for word in ["abc", "inf", "2024-5", "2024-05-31T", "24-05-31", "2024-05-"] {
            assert_eq!(NumberOrDate::new(word), None, "{word}");
        }
    }
}
