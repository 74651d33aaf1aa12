//! Figures and features as explanations write them, in commands and on screens.
//!
//! The text of a document is made safe here: the results may be written to a terminal.

use unicode_width::UnicodeWidthChar;

use crate::feature::FixedWeight;
use crate::text::visible::visible;

/// The largest width of a feature or sentence, in terminal cells.
const WIDEST: usize = 56;

/// The number with up to four decimals; more would suggest a higher precision than there is.
pub fn rounded(figure: f64) -> f64 {
    (figure * 1e4).round() / 1e4
}

/// A cosine, Jaccard or containment with three digits: `0.962`. Only an exact 1 is shown as 1.
pub fn similarity(figure: f64) -> String {
    let shown = if figure < 1.0 { figure.min(0.999) } else { figure };
    format!("{shown:.3}")
}

/// A weight with up to four decimals: `3`, `-1.6931`.
pub fn weight(weight: FixedWeight) -> f64 {
    rounded(weight.to_f64())
}

/// The weight with its sign, also if it is positive: `+3`.
pub fn signed(weight: FixedWeight) -> String {
    format!("{:+}", self::weight(weight))
}

/// A feature or another text of a document in quotes, safe to show, cut to one line. Blanks at its ends are
/// shown as `␣`, because the character shingles " is" and "is " are different.
pub fn quoted(text: &str) -> String {
    let (mut cut, mut columns) = (String::new(), 0);
    let marked = |blanks: &str| "␣".repeat(blanks.chars().count());
    let (without_start, inner) = (text.trim_start(), text.trim());
    let start = marked(&text[..text.len() - without_start.len()]);
    let end = marked(&without_start[inner.len()..]);
    let shown = format!("{start}{}{end}", visible(inner));
    for c in shown.chars() {
        columns += c.width().unwrap_or(0);
        if columns > WIDEST {
            return format!("\"{cut}\"..");
        }
        cut.push(c);
    }
    format!("\"{cut}\"")
}

/// Up to `most` items of a list, and the number of the others: `1 2 3 and 5 more`.
pub fn some_of(items: &[String], most: usize) -> String {
    let shown = items[..items.len().min(most)].join(" ");
    match items.len().saturating_sub(most) {
        0 => shown,
        rest => format!("{shown} and {rest} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_exact_one_is_shown_as_one() {
        let shown = [1.0, 0.999_999, 0.999_4, 0.8, 0.799_96, 0.0].map(similarity);
        assert_eq!(shown, ["1.000", "0.999", "0.999", "0.800", "0.800", "0.000"]);
    }

    #[test]
    fn figures_are_brief() {
        assert_eq!(signed(FixedWeight::from_f64(3.0)), "+3");
        assert_eq!(signed(FixedWeight::from_f64(-1.693_147)), "-1.6931");
        assert_eq!(quoted("a\u{1b}b"), "\"a^[b\"");
        assert_eq!(quoted(&"x".repeat(99)), format!("\"{}\"..", "x".repeat(WIDEST)));
        assert_eq!(
            [" is", "is ", "is", "  ", "a b"].map(quoted),
            ["\"␣is\"", "\"is␣\"", "\"is\"", "\"␣␣\"", "\"a b\""]
        );
        let items = ["1", "2", "3"].map(String::from);
        assert_eq!(
            (some_of(&items, 3), some_of(&items, 1)),
            ("1 2 3".into(), "1 and 2 more".into())
        );
    }
}
