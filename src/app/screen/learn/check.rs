//! A condition in a lesson: a comparison of facts and numbers, or the text that must be typed.
//!
//! ```text
//! distance <= 3                  a fact and a number
//! answer = 0.957 within 0.004    equal up to a difference
//! answer = 24500 within 10 %     equal up to a share
//! answer is 1001                 the typed text; blanks are ignored
//! ```

use std::str::FromStr;

/// A comparison of two facts, of a fact and a number, or of the typed answer and a text.
#[derive(Clone, Debug)]
pub struct Check {
    condition: Condition,
    /// The words after `|`, the reason why an answer is wrong; empty if there are none.
    pub reason: String,
}

#[derive(Clone, Debug)]
enum Condition {
    /// With the difference up to which two numbers are equal.
    Numbers(Term, &'static Relation, Term, Within),
    Typed(String),
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Fact(String),
    Number(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Within {
    Difference(f64),
    /// A share of the second number.
    Share(f64),
}

/// A relation of two numbers: its sign, and whether it holds for a left and a right one that differ by at most as much as
/// equal ones do, or not.
type Relation = (&'static str, fn(f64, f64, bool) -> bool);

static RELATIONS: [Relation; 6] = [
    ("=", |_, _, equal| equal),
    ("!=", |_, _, equal| !equal),
    ("<", |left, right, _| left < right),
    ("<=", |left, right, _| left <= right),
    (">", |left, right, _| left > right),
    (">=", |left, right, _| left >= right),
];

/// The name of the fact that stands for the typed number.
pub const ANSWER: &str = "answer";

/// The value of what is typed: a number such as `0.957`, `0,957`, `17 %` or `41,664`, or an expression such as `3/4`,
/// `2^18`, `1-(1-0.856^18)^3` or `cos(pi*6/64)`; `None` if it is neither.
pub fn number_of(typed: &str) -> Option<f64> {
    let text: String = typed.split_whitespace().collect::<String>().to_lowercase();
    let mut rest = text.as_str();
    let value = sum(&mut rest, 0).filter(|_| rest.is_empty())?;
    Some(value).filter(|value| value.is_finite())
}

/// A step deeper into an expression, up to the most steps.
fn deeper(depth: u32) -> Option<u32> {
    Some(depth + 1).filter(|depth| *depth < 20)
}

/// Takes one of some characters from the front.
fn takes(rest: &mut &str, wanted: &[char]) -> Option<char> {
    let found = rest.chars().next().filter(|it| wanted.contains(it))?;
    *rest = &rest[found.len_utf8()..];
    Some(found)
}

fn sum(rest: &mut &str, depth: u32) -> Option<f64> {
    let mut value = product(rest, depth)?;
    while let Some(sign) = takes(rest, &['+', '-']) {
        let next = product(rest, depth)?;
        value += if sign == '+' { next } else { -next };
    }
    Some(value)
}

fn product(rest: &mut &str, depth: u32) -> Option<f64> {
    let mut value = power(rest, depth)?;
    while let Some(sign) = takes(rest, &['*', 'x', '\u{d7}', '/']) {
        let next = power(rest, depth)?;
        value = if sign == '/' { value / next } else { value * next };
    }
    Some(value)
}

fn power(rest: &mut &str, depth: u32) -> Option<f64> {
    if takes(rest, &['-']).is_some() {
        return Some(-power(rest, deeper(depth)?)?);
    }
    let mut value = atom(rest, depth)?;
    while takes(rest, &['%']).is_some() {
        value /= 100.0;
    }
    if takes(rest, &['^']).is_none() {
        return Some(value);
    }
    Some(value.powf(power(rest, deeper(depth)?)?))
}

fn atom(rest: &mut &str, depth: u32) -> Option<f64> {
    for name in ["acos", "cos", "sqrt", ""] {
        if let Some(inside) = rest.strip_prefix(name).and_then(|it| it.strip_prefix('(')) {
            *rest = inside;
            let value = sum(rest, deeper(depth)?)?;
            takes(rest, &[')'])?;
            return Some(match name {
                "acos" => value.acos(),
                "cos" => value.cos(),
                "sqrt" => value.sqrt(),
                _ => value,
            });
        }
    }
    if let Some(behind) = rest.strip_prefix("pi") {
        *rest = behind;
        return Some(std::f64::consts::PI);
    }
    let end = rest.find(|it: char| !it.is_ascii_digit() && !",.".contains(it));
    let (number, behind) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = behind;
    let value = plain_number(number)?;
    match takes(rest, &['e']) {
        Some(_) => Some(value * 10_f64.powf(power(rest, deeper(depth)?)?)),
        None => Some(value),
    }
}

fn plain_number(text: &str) -> Option<f64> {
    // Commas separate groups of three digits, unless the first group is a single zero.
    let mut groups = text.split(',');
    let first = groups.next()?;
    let in_threes = groups.clone().all(|group| group.len() == 3) && groups.next().is_some();
    let is_grouped = in_threes && (1..=3).contains(&first.len()) && first != "0";
    let text = if is_grouped { text.replace(',', "") } else { text.replace(',', ".") };
    text.parse().ok()
}

impl Check {
    /// Whether the condition holds, given the facts and the typed answer; it does not if a fact is unknown.
    pub fn holds(&self, fact: &dyn Fn(&str) -> Option<f64>, typed: Option<&str>) -> bool {
        let (left, relation, right, within) = match &self.condition {
            Condition::Typed(wanted) => {
                let typed = typed.map(|typed| typed.split_whitespace().collect::<String>());
                return typed.is_some_and(|typed| typed.eq_ignore_ascii_case(wanted));
            }
            Condition::Numbers(left, relation, right, within) => (left, relation, right, within),
        };
        let value = |term: &Term| match term {
            Term::Fact(name) if name == ANSWER => number_of(typed?),
            Term::Fact(name) => fact(name),
            Term::Number(number) => Some(*number),
        };
        let (Some(left), Some(right)) = (value(left), value(right)) else { return false };
        let most = match within {
            Within::Difference(most) => *most,
            Within::Share(share) => share * right.abs(),
        };
        let (_, holds) = relation;
        holds(left, right, (left - right).abs() <= most)
    }

    /// The facts that the condition names.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        let terms = match &self.condition {
            Condition::Numbers(left, _, right, _) => vec![left, right],
            Condition::Typed(_) => Vec::new(),
        };
        terms.into_iter().filter_map(|term| match term {
            Term::Fact(name) => Some(name.as_str()),
            Term::Number(_) => None,
        })
    }

    /// Whether the condition is about the typed answer.
    pub fn is_of_the_answer(&self) -> bool {
        matches!(self.condition, Condition::Typed(_)) || self.facts().any(|fact| fact == ANSWER)
    }

    /// The bits that must be typed, if the condition asks for bits.
    pub fn bits(&self) -> Option<&str> {
        match &self.condition {
            Condition::Typed(text) if text.bytes().all(|it| matches!(it, b'0' | b'1')) => {
                Some(text)
            }
            _ => None,
        }
    }

    /// Whether the condition compares typed bits.
    pub fn is_of_bits(&self) -> bool {
        self.bits().is_some()
    }

    /// Whether the condition is about a typed number.
    pub fn is_of_a_number(&self) -> bool {
        self.facts().any(|fact| fact == ANSWER)
    }
}

impl FromStr for Check {
    type Err = String;

    /// Reads `fact relation value`, optionally `within` and a number, optionally `|` and a reason.
    fn from_str(text: &str) -> Result<Self, String> {
        let (text, reason) = text.split_once('|').unwrap_or((text, ""));
        let reason = reason.trim().to_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let (left, relation, right, within) = match words[..] {
            [ANSWER, "is", wanted] => {
                return Ok(Self { condition: Condition::Typed(wanted.to_owned()), reason });
            }
            [left, relation, right] => (left, relation, right, Within::Difference(0.0)),
            [left, relation, right, "within", ref within @ ..] => {
                let within = match within {
                    [most] => most.parse().map(Within::Difference).ok(),
                    [percent, "%"] => percent.parse().map(|it: f64| Within::Share(it / 100.0)).ok(),
                    _ => None,
                };
                let missing = || format!("{text:?}: write a number after within");
                (left, relation, right, within.ok_or_else(missing)?)
            }
            _ => return Err(format!("{text:?} is not a comparison; write it as `distance <= 3`")),
        };
        let relation = RELATIONS
            .iter()
            .find(|(sign, _)| *sign == relation)
            .ok_or_else(|| format!("{relation:?} is not a relation; choose = != < <= > >="))?;
        let term =
            |word: &str| word.parse().map_or_else(|_| Term::Fact(word.to_owned()), Term::Number);
        let condition = Condition::Numbers(term(left), relation, term(right), within);
        Ok(Self { condition, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_mean_what_they_say() {
        for (text, holds) in [
            ("k = 3", true),
            ("k != 3", false),
            ("k < 4", true),
            ("k <= 3", true),
            ("k > 3", false),
            ("k >= 3", true),
            ("4 > k", true),
        ] {
            let check: Check = text.parse().unwrap();
            assert_eq!(check.holds(&|_| Some(3.0), None), holds, "{text}");
            assert!(!check.holds(&|_| None, None));
        }
        let about: Check = "answer = 0.5 within 0.01 | why".parse().unwrap();
        let holds = |typed: &str| about.holds(&|_| None, Some(typed));
        assert!(holds("0.505") && holds("50 %") && holds("1/2") && holds("0,5") && !holds("0.52"));
        let about_tenth: Check = "answer = 2000 within 10 %".parse().unwrap();
        let holds = |typed: &str| about_tenth.holds(&|_| None, Some(typed));
        assert!(holds("2,200") && !holds("1,700") && "k = 3 within a %".parse::<Check>().is_err());
        assert_eq!((about.facts().collect(), &*about.reason), (vec!["answer"], "why"));
    }

    #[test]
    fn bits_are_compared_as_they_are_typed() {
        let bits: Check = "answer is 0110".parse().unwrap();
        let holds = |typed: &str| bits.holds(&|_| None, Some(typed));
        assert!(holds("0110") && holds(" 0 1 1 0 ") && !holds("110") && !holds("00110"));
        assert!(bits.is_of_the_answer() && !bits.is_of_a_number());
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (typed, number) in [
            ("17.3 %", Some(0.173)),
            ("3/4", Some(0.75)),
            ("0,957", Some(0.957)),
            (",96", Some(0.96)),
            ("41,664", Some(41_664.0)),
            ("1,234,567", Some(1_234_567.0)),
            ("1,5", Some(1.5)),
            ("1-(1-0.856^18)^3", Some(0.171_766)),
            ("1 - (1 - 0.5^5)^20", Some(0.470_051)),
            ("cos(pi x 6 / 64)", Some(0.956_940)),
            ("2^3^2", Some(512.0)),
            ("-3+5*2-1", Some(6.0)),
            ("50%*4", Some(2.0)),
            ("1 - 25 %", Some(0.75)),
            ("3/0", None),
            ("2 3)", None),
            ("((1)", None),
            ("1e5", Some(100_000.0)),
            ("2.4e-3", Some(0.0024)),
            ("three", None),
            ("nan", None),
            ("", None),
        ] {
            let millionths = |number: f64| (number * 1e6).round();
            assert_eq!(number_of(typed).map(millionths), number.map(millionths), "{typed}");
        }
    }
}
