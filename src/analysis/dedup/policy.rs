//! The policy that chooses which of several near-duplicates is kept. It is a list of preferences: the first one
//! decides; ties go to the next preference, and at last to corpus order.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use PreferenceKind as Kind;

use crate::analysis::field_value::{FieldValue, missing_last};
use crate::choice::choice;
use crate::id::DocId;

choice! {
    /// The quality by which one of several near-duplicates is preferred.
    pub enum PreferenceKind, "preference" {
        /// The first in the corpus.
        #[default]
        First = "first",
        /// The last in the corpus.
        Last = "last",
        /// The longest text, in characters.
        Longest = "longest",
        /// The shortest text, in characters.
        Shortest = "shortest",
        /// The document with the most members of its group within k.
        Central = "central",
        /// The largest value of a field: numbers by size, other values by their characters, as dates written
        /// 2024-12-31 need it. A document without the field comes last.
        Largest = "largest",
        /// The smallest value of a field; a document without it comes last.
        Smallest = "smallest",
        /// A document whose path contains a name.
        Source = "source",
    }
}

/// One preference among near-duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preference {
    /// The quality.
    pub kind: PreferenceKind,
    /// The field, or the name of the source; empty for any other quality.
    pub name: String,
}

/// Preferences, the most important first. If the list is empty, the first document is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy(pub Vec<Preference>);

/// A word that is not a preference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a preference; write first, last, longest, shortest, central, largest:FIELD, smallest:FIELD, \
     newest:FIELD, oldest:FIELD or source:NAME, several separated by commas"
)]
pub struct UnknownPreference(String);

impl FromStr for Preference {
    type Err = UnknownPreference;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownPreference(text.to_owned());
        let (kind, name) = text.split_once(':').unwrap_or((text, ""));
        let kind = match kind {
            "newest" => Kind::Largest,
            "oldest" => Kind::Smallest,
            kind => kind.parse().map_err(|_| unknown())?,
        };
        let has_name = matches!(kind, Kind::Largest | Kind::Smallest | Kind::Source);
        if has_name == name.is_empty() || has_name != text.contains(':') {
            return Err(unknown());
        }
        Ok(Self { kind, name: name.to_owned() })
    }
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.name.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{}", self.kind, self.name)
    }
}

impl FromStr for Policy {
    type Err = UnknownPreference;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.split(',').map(str::parse).collect::<Result<_, _>>()?))
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("first");
        }
        for (at, preference) in self.0.iter().enumerate() {
            write!(f, "{}{preference}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl Policy {
    /// Whether a preference is of one of these kinds.
    pub(super) fn has(&self, kinds: &[PreferenceKind]) -> bool {
        self.0.iter().any(|it| kinds.contains(&it.kind))
    }

    /// The preferences without effect: a field that no document has, or a name that no path contains.
    pub(super) fn idle(&self, facts: &[PolicyFacts]) -> Vec<String> {
        let is_idle = |(at, preference): &(usize, &Preference)| match preference.kind {
            Kind::Source => facts.iter().all(|fact| !fact.is_in[*at]),
            Kind::Largest | Kind::Smallest => facts.iter().all(|fact| fact.values[*at].is_none()),
            _ => false,
        };
        let idle = self.0.iter().enumerate().filter(is_idle);
        idle.map(|(_, preference)| preference.to_string()).collect()
    }

    /// `Less` if the first document is preferred to the second.
    pub(super) fn compare(&self, a: &PolicyFacts, b: &PolicyFacts) -> Ordering {
        let order = |(at, preference): (usize, &Preference)| match preference.kind {
            Kind::First => a.document.cmp(&b.document),
            Kind::Last => b.document.cmp(&a.document),
            Kind::Longest => b.length.cmp(&a.length),
            // A text that could not be read has no length and comes last.
            Kind::Shortest => missing_last(a.length.as_ref(), b.length.as_ref(), Ord::cmp),
            Kind::Central => b.n_near.cmp(&a.n_near),
            Kind::Source => b.is_in[at].cmp(&a.is_in[at]),
            Kind::Largest | Kind::Smallest => {
                let is_largest = preference.kind == Kind::Largest;
                let (x, y) = (a.values[at].as_ref(), b.values[at].as_ref());
                missing_last(x, y, |x, y| if is_largest { y.order(x) } else { x.order(y) })
            }
        };
        let mut orders = self.0.iter().enumerate().map(order);
        orders.find(|order| order.is_ne()).unwrap_or_else(|| a.document.cmp(&b.document))
    }
}

/// The facts about a document that a policy compares.
#[derive(Clone, Debug)]
pub(super) struct PolicyFacts {
    pub(super) document: DocId,
    /// The number of characters of its text; `None` if the text was not or could not be read.
    pub(super) length: Option<u64>,
    /// For each preference, the value of its field.
    pub(super) values: Vec<Option<FieldValue>>,
    /// For each preference, whether the path contains the name of that preference.
    pub(super) is_in: Vec<bool>,
    /// The number of members of its group within k, including itself.
    pub(super) n_near: u32,
}

impl PolicyFacts {
    /// A document without known facts.
    pub(super) fn unknown(document: DocId) -> Self {
        Self { document, length: None, values: Vec::new(), is_in: Vec::new(), n_near: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read_and_written() {
        for text in [
            "first",
            "source:clean.jsonl,longest",
            "largest:score,smallest:a:b,last,central,shortest",
        ] {
            assert_eq!(text.parse::<Policy>().unwrap().to_string(), text);
        }
        assert_eq!(
            "newest:date,oldest:day".parse::<Policy>().unwrap().to_string(),
            "largest:date,smallest:day"
        );
        for text in ["", "longest,", "largest", "largest:", "biggest:x", "Longest"] {
            assert!(text.parse::<Policy>().is_err(), "{text}");
        }
    }

    fn best(policy: &str, facts: &[PolicyFacts]) -> u32 {
        let policy: Policy = policy.parse().unwrap();
        facts.iter().min_by(|a, b| policy.compare(a, b)).unwrap().document.0
    }

    #[test]
    fn preferences_decide_one_after_the_other() {
        let value = |text: &str| (!text.is_empty()).then(|| FieldValue::new(text.to_owned()));
        let fact = |document, length, text: &str, n_near| PolicyFacts {
            document: DocId(document),
            length,
            values: vec![value(text), value(text)],
            is_in: vec![document == 2; 3],
            n_near,
        };
        let facts = [
            fact(0, Some(5), "9", 1),
            fact(1, Some(7), "10", 3),
            fact(2, Some(7), "", 3),
            fact(3, None, "-1e1", 2),
        ];
        assert_eq!((best("first", &facts), best("last", &facts)), (0, 3));
        assert_eq!((best("longest", &facts), best("longest,last", &facts)), (1, 2));
        assert_eq!((best("shortest", &facts), best("central", &facts)), (0, 1));
        assert_eq!((best("largest:f", &facts), best("smallest:f", &facts)), (1, 3));
        assert_eq!((best("source:x", &facts), best("source:x,largest:f", &facts)), (2, 2));
        let dates = ["2024-02-01", "2023-12-31"].map(|date| FieldValue::new(date.to_owned()));
        assert_eq!(dates[0].order(&dates[1]), Ordering::Greater);
    }
}
