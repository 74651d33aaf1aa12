//! A condition in a lesson: a comparison of facts and numbers, or the text that must be typed.
//!
//! ```text
//! distance <= 3                  a fact and a number
//! answer = 0.957 within 0.004    equal up to a difference
//! answer = 24500 within 10 %     equal up to a share
//! answer is 1001                 the typed text; blanks are ignored
//! ```

use std::cmp::Ordering;
use std::f64::consts::PI;
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
    /// Two terms, each a number or the name of a fact.
    Numbers {
        terms: [String; 2],
        /// The relation that holds between them.
        holds: fn(Ordering) -> bool,
        /// The difference up to which they are equal, and the share of the second one.
        within: [f64; 2],
    },
    Typed(String),
}

/// A relation by its sign.
type Relation = (&'static str, fn(Ordering) -> bool);

const RELATIONS: [Relation; 6] = [
    ("=", Ordering::is_eq),
    ("!=", Ordering::is_ne),
    ("<", Ordering::is_lt),
    ("<=", Ordering::is_le),
    (">", Ordering::is_gt),
    (">=", Ordering::is_ge),
];

/// The name of the fact that stands for the typed number.
pub const ANSWER: &str = "answer";

/// The value of what is typed: a number such as `0.957`, `0,957`, `17 %` or `41,664`, or an expression such as `3/4`,
/// `2^18`, `1-(1-0.856^18)^3` or `cos(pi*6/64)`; `None` if it is neither.
pub fn number_of(typed: &str) -> Option<f64> {
    let text: String = typed.split_whitespace().collect::<String>().to_lowercase();
    let mut rest = text.as_str();
    let value = expression(&mut rest, SUM, 0).filter(|_| rest.is_empty())?;
    Some(value).filter(|value| value.is_finite())
}

/// The strength of operators: a stronger one is applied first.
const SUM: u8 = 0;
const PRODUCT: u8 = 1;
const POWER: u8 = 2;
const PERCENT: u8 = 3;

/// The most expressions within each other, so that no text overflows the stack.
const DEEPEST: u32 = 100;

/// A function by its name; parentheses alone have none.
type Function = (&'static str, fn(f64) -> f64);

const FUNCTIONS: [Function; 4] =
    [("acos", f64::acos), ("cos", f64::cos), ("sqrt", f64::sqrt), ("", |it| it)];

/// Takes a character from the front; false if another one is there.
fn takes(rest: &mut &str, wanted: char) -> bool {
    let behind = rest.strip_prefix(wanted);
    *rest = behind.unwrap_or(rest);
    behind.is_some()
}

/// Takes an expression whose operators are at least as strong as `least`.
fn expression(rest: &mut &str, least: u8, depth: u32) -> Option<f64> {
    let depth = Some(depth + 1).filter(|it| *it < DEEPEST)?;
    let mut value =
        if takes(rest, '-') { -expression(rest, POWER, depth)? } else { atom(rest, depth)? };
    while let Some(sign) = rest.chars().next() {
        let strength = match sign {
            '+' | '-' => SUM,
            '*' | 'x' | '\u{d7}' | '/' => PRODUCT,
            '^' => POWER,
            '%' => PERCENT,
            _ => break,
        };
        if strength < least {
            break;
        }
        *rest = &rest[sign.len_utf8()..];
        // Powers are taken from the right, everything else from the left.
        let mut next = |least| expression(rest, least, depth);
        value = match sign {
            '+' => value + next(PRODUCT)?,
            '-' => value - next(PRODUCT)?,
            '/' => value / next(POWER)?,
            '^' => value.powf(next(POWER)?),
            '%' => value / 100.0,
            _ => value * next(POWER)?,
        };
    }
    Some(value)
}

/// Takes a number, pi, or an expression in parentheses, which may be those of a function.
fn atom(rest: &mut &str, depth: u32) -> Option<f64> {
    for (name, function) in FUNCTIONS {
        if let Some(inside) = rest.strip_prefix(name).and_then(|it| it.strip_prefix('(')) {
            *rest = inside;
            let value = function(expression(rest, SUM, depth)?);
            return takes(rest, ')').then_some(value);
        }
    }
    if let Some(behind) = rest.strip_prefix("pi") {
        *rest = behind;
        return Some(PI);
    }
    let end = rest.find(|it: char| !it.is_ascii_digit() && !",.".contains(it));
    let (number, behind) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = behind;
    let value = plain_number(number)?;
    if takes(rest, 'e') {
        return Some(value * 10_f64.powf(expression(rest, POWER, depth)?));
    }
    Some(value)
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
        match &self.condition {
            Condition::Typed(wanted) => {
                let typed = typed.map(|typed| typed.split_whitespace().collect::<String>());
                typed.is_some_and(|typed| typed.eq_ignore_ascii_case(wanted))
            }
            Condition::Numbers { terms, holds, within: [difference, share] } => {
                let value = |term: &String| match term.parse() {
                    Ok(number) => Some(number),
                    Err(_) if term == ANSWER => number_of(typed?),
                    Err(_) => fact(term),
                };
                let [Some(left), Some(right)] = terms.each_ref().map(value) else { return false };
                let is_equal = (left - right).abs() <= difference + share * right.abs();
                let order = if is_equal { Some(Ordering::Equal) } else { left.partial_cmp(&right) };
                order.is_some_and(holds)
            }
        }
    }

    /// The facts that the condition names.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        let terms: &[String] = match &self.condition {
            Condition::Numbers { terms, .. } => terms,
            Condition::Typed(_) => &[],
        };
        terms.iter().map(String::as_str).filter(|term| term.parse::<f64>().is_err())
    }

    /// Whether the condition is about the typed answer.
    pub fn is_of_the_answer(&self) -> bool {
        matches!(self.condition, Condition::Typed(_)) || self.is_of_a_number()
    }

    /// The bits that must be typed, if the condition asks for bits.
    pub fn bits(&self) -> Option<&str> {
        let Condition::Typed(text) = &self.condition else { return None };
        text.bytes().all(|it| matches!(it, b'0' | b'1')).then_some(text)
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
        let words: Vec<&str> = text.split_whitespace().collect();
        let odd = || format!("{text:?} is not a comparison; write it as `distance <= 3`");
        let number = |word: &str| word.parse::<f64>().map_err(|_| odd());
        let condition = match words[..] {
            [ANSWER, "is", wanted] => Condition::Typed(wanted.to_owned()),
            [left, sign, right, ref within @ ..] => {
                let found = RELATIONS.iter().find(|(it, _)| *it == sign);
                let within = match within {
                    [] => [0.0, 0.0],
                    ["within", most] => [number(most)?, 0.0],
                    ["within", percent, "%"] => [0.0, number(percent)? / 100.0],
                    _ => return Err(odd()),
                };
                let terms = [left, right].map(str::to_owned);
                Condition::Numbers { terms, holds: found.ok_or_else(odd)?.1, within }
            }
            _ => return Err(odd()),
        };
        Ok(Self { condition, reason: reason.trim().to_owned() })
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
