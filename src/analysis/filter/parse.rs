//! The grammar of a filter.
//!
//! ```text
//! filter = { ["-"] term }                 terms are separated by white space
//! term   = words                          id, title or text holds the words
//!        | "is:" mark
//!        | number (":" | ">" | "<" | ">=" | "<=") value        number: words features near group d
//!        | part ":" words                 part: id title source
//!        | ["field."] name ":" words      a field of the row holds the words
//!        | ["field."] name (">" | "<" | ">=" | "<=") value
//! words  = characters without white space, or anything between two quotes
//! ```
//!
//! The number or the date that a field is compared with.
//!
//! A date is `2024-05-31` or `2024-05`. A field may have more text after the date, for example a time. Two dates
//! are compared as far as both go: `>2024-05` is June and later, and `<=2024-05` includes all of May. A year is a
//! number, and is compared with the year of a date.

use std::str::FromStr;

use super::{Comparison, Filter, Number, Part, Term};
use crate::analysis::field_value::FieldValue;
use crate::corpus::Pattern;

/// The reason why a filter cannot be parsed, and the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {at}: {problem}")]
pub struct FilterError {
    /// The position of the fault in characters, from 1.
    pub at: usize,
    /// The fault, and the remedy.
    pub problem: String,
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let mut reader = Reader { text, at: 0 };
        let mut terms = Vec::new();
        loop {
            reader.skip(char::is_whitespace);
            if reader.rest().is_empty() {
                return Ok(Self { terms, ..Self::default() });
            }
            let negated = reader.rest().strip_prefix('-');
            let is_wanted = negated.is_none_or(|rest| rest.is_empty() || starts_blank(rest));
            reader.at += usize::from(!is_wanted);
            terms.push((is_wanted, reader.term()?));
        }
    }
}

fn starts_blank(text: &str) -> bool {
    text.starts_with(char::is_whitespace)
}

/// A filter, parsed up to a position.
struct Reader<'a> {
    text: &'a str,
    /// Bytes read.
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self, while_: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(while_).len();
    }

    /// A fault at a position in bytes.
    fn fault<T>(&self, at: usize, problem: impl Into<String>) -> Result<T, FilterError> {
        Err(FilterError { at: self.text[..at].chars().count() + 1, problem: problem.into() })
    }

    fn term(&mut self) -> Result<Term, FilterError> {
        let start = self.at;
        let is_sign = |c: char| matches!(c, ':' | '<' | '>');
        let name_end = |c: char| is_sign(c) || c == '"' || c.is_whitespace();
        let name = &self.rest()[..self.rest().find(name_end).unwrap_or(self.rest().len())];
        if !self.rest()[name.len()..].starts_with(is_sign) {
            return Ok(Term::Words(self.words()?));
        }
        self.at += name.len();
        let sign_at = self.at;
        let sign = Comparison::ALL.iter().find(|sign| self.rest().starts_with(sign.name()));
        let sign = sign.copied().unwrap_or_default();
        if name.is_empty() {
            let known = names();
            let problem = format!("write a name before {:?}; choose {known}", sign.name());
            return self.fault(start, problem);
        }
        self.at += sign.name().len();
        let is_blank = self.rest().is_empty() || starts_blank(self.rest());
        if is_blank {
            return self.fault(self.at, format!("nothing follows {name}{sign}"));
        }
        if let Some(field) = name.strip_prefix("field.").filter(|field| !field.is_empty()) {
            return self.field(field, sign);
        }
        if name == "is" {
            return self.mark(sign_at, sign);
        }
        if let Ok(number) = name.parse::<Number>() {
            return Ok(Term::Number(number, sign, self.number(name)?));
        }
        if let Ok(part) = name.parse::<Part>() {
            if sign != Comparison::Equal {
                let problem = format!(
                    "{name} takes : and text, as in {name}:abc; for a field write field.{name}{sign}1"
                );
                return self.fault(sign_at, problem);
            }
            return Ok(Term::Part(part, self.words()?));
        }
        self.field(name, sign)
    }

    /// The rest of a term about a field.
    fn field(&mut self, name: &str, sign: Comparison) -> Result<Term, FilterError> {
        Ok(match sign {
            Comparison::Equal => Term::Field(name.to_owned(), self.words()?),
            _ => Term::FieldIs(name.to_owned(), sign, self.bound(name)?),
        })
    }

    fn mark(&mut self, sign_at: usize, sign: Comparison) -> Result<Term, FilterError> {
        if sign != Comparison::Equal {
            return self.fault(sign_at, "is takes : and a mark, as in is:near");
        }
        self.parsed(|word| word.parse().map(Term::Is).map_err(|error| error.to_string()))
    }

    /// The number that `name` is compared with.
    fn number(&mut self, name: &str) -> Result<f64, FilterError> {
        self.parsed(|word| {
            let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("{word:?} is not a number, and {name} takes a number, as in {name}>50; for a field write field.{name}; to search for the term, put it in quotes"))
        })
    }

    /// The number or the date that a field is compared with.
    fn bound(&mut self, name: &str) -> Result<NumberOrDate, FilterError> {
        self.parsed(|word| {
            NumberOrDate::new(word).ok_or_else(|| format!("{word:?} is neither a number nor a date such as 2024-05-31, and {name} is compared with one; to search for the term, put it in quotes"))
        })
    }

    /// What `parse` makes of everything up to white space.
    fn parsed<T>(&mut self, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, FilterError> {
        let at = self.at;
        parse(self.bare()).or_else(|problem| self.fault(at, problem))
    }

    /// Everything up to white space.
    fn bare(&mut self) -> &'a str {
        let rest = self.rest();
        self.skip(|c| !c.is_whitespace());
        &rest[..rest.len() - self.rest().len()]
    }

    /// Words to search for: in quotes, or up to white space.
    fn words(&mut self) -> Result<Pattern, FilterError> {
        let at = self.at;
        let words = match self.rest().strip_prefix('"') {
            None => self.bare(),
            Some(quoted) => {
                let Some((words, after)) = quoted.split_once('"') else {
                    return self.fault(at, "this quote is not closed; end the words with \"");
                };
                self.at = self.text.len() - after.len();
                if !after.is_empty() && !starts_blank(after) {
                    return self.fault(self.at, "a space is missing after the quote");
                }
                words
            }
        };
        if words.trim().is_empty() {
            return self.fault(at, "there are no words to search for");
        }
        Pattern::new(words).or_else(|error| self.fault(at, error.to_string()))
    }
}

/// Every name with a special meaning.
fn names() -> String {
    let numbers = Number::ALL.iter().map(|number| number.name());
    let parts = Part::ALL.iter().map(|part| part.name());
    let names: Vec<&str> = numbers.chain(parts).chain(["is"]).collect();
    format!("one of {}, or a field of the rows", names.join(", "))
}

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
    use proptest::prelude::*;

    use super::super::Mark;
    use super::*;

    fn terms(text: &str) -> Vec<(bool, Term)> {
        text.parse::<Filter>().unwrap().terms
    }

    fn pattern(words: &str) -> Pattern {
        Pattern::new(words).unwrap()
    }

    #[test]
    fn a_term_is_words_a_mark_a_number_a_part_or_a_field() {
        let found = terms(
            r#"Harbour -is:empty "low water" -"a:b" words>50 d<=6 group:12 near>=1 features<9
               id:x title:"a b" source:train label:earn year<2e3 field.words:7 field.id>0 - a"b -- 9"#,
        );
        let field = |name: &str, words: &str| Term::Field(name.to_owned(), pattern(words));
        let expected = [
            (true, Term::Words(pattern("harbour"))),
            (false, Term::Is(Mark::Empty)),
            (true, Term::Words(pattern("low water"))),
            (false, Term::Words(pattern("a:b"))),
            (true, Term::Number(Number::Words, Comparison::More, 50.0)),
            (true, Term::Number(Number::Distance, Comparison::AtMost, 6.0)),
            (true, Term::Number(Number::Group, Comparison::Equal, 12.0)),
            (true, Term::Number(Number::Near, Comparison::AtLeast, 1.0)),
            (true, Term::Number(Number::Features, Comparison::Less, 9.0)),
            (true, Term::Part(Part::Id, pattern("x"))),
            (true, Term::Part(Part::Title, pattern("a b"))),
            (true, Term::Part(Part::Source, pattern("train"))),
            (true, field("label", "earn")),
            (
                true,
                Term::FieldIs(
                    "year".to_owned(),
                    Comparison::Less,
                    NumberOrDate::new("2000").unwrap(),
                ),
            ),
            (true, field("words", "7")),
            (
                true,
                Term::FieldIs("id".to_owned(), Comparison::More, NumberOrDate::new("0").unwrap()),
            ),
            (true, Term::Words(pattern("-"))),
            (true, Term::Words(pattern("a\"b"))),
            (false, Term::Words(pattern("-"))),
            (true, Term::Words(pattern("9"))),
        ];
        assert_eq!(found, expected);
        assert!(terms(" \t").is_empty());
    }

    #[test]
    fn a_fault_has_a_place_and_the_words_that_would_be_right() {
        let fault = |text: &str| text.parse::<Filter>().unwrap_err().to_string();
        let faults: Vec<String> = [
            "tide is:nere",
            "é \"low",
            ":x",
            "label:",
            "words>many",
            "words:few",
            "id>5",
            "is<near",
            "\"a\"b",
            "x \"\"",
            "year>=",
            "a<b",
            "d<=inf",
        ]
        .map(fault)
        .into();
        insta::assert_snapshot!(faults.join("\n"), @r#"
character 9: mark "nere" is unknown; choose one of near, copy, samebits, empty, tied, dominated, lossy, short, boilerplate, flagged, reference, across, marked
character 3: this quote is not closed; end the words with "
character 1: write a name before ":"; choose one of words, features, near, group, d, id, title, source, is, or a field of the rows
character 7: nothing follows label:
character 7: "many" is not a number, and words takes a number, as in words>50; for a field write field.words; to search for the term, put it in quotes
character 7: "few" is not a number, and words takes a number, as in words>50; for a field write field.words; to search for the term, put it in quotes
character 3: id takes : and text, as in id:abc; for a field write field.id>1
character 3: is takes : and a mark, as in is:near
character 4: a space is missing after the quote
character 3: there are no words to search for
character 7: nothing follows year>=
character 3: "b" is neither a number nor a date such as 2024-05-31, and a is compared with one; to search for the term, put it in quotes
character 4: "inf" is not a number, and d takes a number, as in d>50; for a field write field.d; to search for the term, put it in quotes
"#);
    }

    #[test]
    fn it_says_what_it_needs() {
        let needs = |text: &str| text.parse::<Filter>().unwrap();
        let flags = |text: &str| needs(text).needs_flags();
        assert_eq!(
            ["tide is:short", "-is:boilerplate", "is:flagged"].map(flags),
            [false, true, true]
        );
        let records = |text: &str| needs(text).needs_records();
        let texts = ["id:a words>1 is:near", "a", "-title:a", "f:a", "f>1"];
        assert_eq!(texts.map(records), [false, true, true, true, true]);
        let late = |text: &str| needs(text).known_late();
        assert_eq!(late("a is:short words>1 source:x f:y"), None);
        assert_eq!(late("a -is:copy near>1").as_deref(), Some("is:copy"));
        assert_eq!(late("d<3").as_deref(), Some("d"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-z:<>=\"é \\-.1]{0,12}") {
            let n = text.chars().count();
            if let Err(error) = text.parse::<Filter>() {
                prop_assert!((1..=n + 1).contains(&error.at), "{}", error);
            }
        }
    }

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
