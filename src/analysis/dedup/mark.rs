//! Decisions of a person: a document is kept or dropped, or two documents are not duplicates of each other.
//!
//! The settings of a user that are saved with a review, so that the corpus opens with the same settings again.
//!
//! The policy that chooses which of several near-duplicates is kept. It is a list of preferences: the first one
//! decides; ties go to the next preference, and at last to corpus order.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fmt,
    str::FromStr,
};

use PreferenceKind as Kind;
use serde::{Deserialize, Serialize};

use crate::{
    analysis::{
        DEFAULT_K, Settings,
        field_value::{FieldValue, missing_last},
    },
    choice::choice,
    id::DocId,
};

choice! {
    /// The decision of a person about a document.
    pub enum Mark, "mark" {
        /// It is kept, even if near-duplicates of it are kept.
        #[default]
        Keep = "keep",
        /// It is dropped if another document within k is kept.
        Drop = "drop",
    }
}

/// The decisions of a review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The marks of single documents.
    pub documents: BTreeMap<DocId, Mark>,
    /// Pairs that are not duplicates, the earlier document first. Neither is dropped in favour of the other.
    pub not_duplicates: BTreeSet<[DocId; 2]>,
}

impl Marks {
    /// The number of decisions.
    pub fn len(&self) -> usize {
        self.documents.len() + self.not_duplicates.len()
    }

    /// Whether there are no decisions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mark of a document.
    pub fn get(&self, document: DocId) -> Option<Mark> {
        self.documents.get(&document).copied()
    }

    /// Whether these two are marked as not duplicates.
    pub fn are_not_duplicates(&self, one: DocId, other: DocId) -> bool {
        self.not_duplicates.contains(&pair(one, other))
    }

    /// Marks two documents as not duplicates, or removes that mark; returns whether they are marked now.
    pub fn toggle_pair(&mut self, one: DocId, other: DocId) -> bool {
        let is_new = self.not_duplicates.insert(pair(one, other));
        if !is_new {
            self.not_duplicates.remove(&pair(one, other));
        }
        is_new
    }

    /// Marks two documents as not duplicates, or not.
    pub fn set_pair(&mut self, one: DocId, other: DocId, are_not_duplicates: bool) {
        if self.are_not_duplicates(one, other) != are_not_duplicates {
            self.toggle_pair(one, other);
        }
    }

    /// The pairs of texts of a group that are marked as not duplicates, in both orders. `numbers` identifies equal
    /// texts: a mark holds for all documents with these texts.
    pub(super) fn not_duplicates_among(
        &self,
        group: &[DocId],
        numbers: &HashMap<DocId, u32>,
    ) -> HashSet<[TextId; 2]> {
        if self.not_duplicates.is_empty() {
            return HashSet::new();
        }
        let members: HashSet<DocId> = group.iter().copied().collect();
        let pairs = self.not_duplicates.iter();
        let ours = pairs.filter(|pair| pair.iter().all(|document| members.contains(document)));
        texts_marked(ours, numbers)
    }

    /// Adds the decisions of `newer`. If both have a decision on a document, that of `newer` is used.
    pub fn extend(&mut self, newer: Self) {
        self.documents.extend(newer.documents);
        self.not_duplicates.extend(newer.not_duplicates);
    }
}

/// The texts of these pairs of documents, in both orders.
pub(in crate::analysis) fn texts_marked<'a>(
    pairs: impl IntoIterator<Item = &'a [DocId; 2]>,
    numbers: &HashMap<DocId, u32>,
) -> HashSet<[TextId; 2]> {
    let texts = |pair: &[DocId; 2]| pair.map(|document| TextId::new(document, numbers));
    pairs.into_iter().map(texts).flat_map(|[a, b]| [[a, b], [b, a]]).collect()
}

/// Two documents, the earlier first.
pub(super) fn pair(one: DocId, other: DocId) -> [DocId; 2] {
    [one.min(other), one.max(other)]
}

/// The identity of a text. Documents that share a text have the same number; a document whose text is unique or
/// unknown is identified by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::analysis) enum TextId {
    Shared(u32),
    Of(DocId),
}

impl TextId {
    pub(in crate::analysis) fn new(document: DocId, numbers: &HashMap<DocId, u32>) -> Self {
        numbers.get(&document).map_or(Self::Of(document), |&number| Self::Shared(number))
    }
}

/// The recipe of a review that names none: the default of the time when only other recipes were written.
pub const FIRST_DEFAULT: &str = "words:3 tf";

/// Recipe, k, filter, order and columns. The recipe is written whole, so that a review keeps its fingerprints whatever the
/// default becomes; of the others only values that differ from the default are written. Settings that another version
/// knows are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewSettings {
    /// The recipe in one line; [`FIRST_DEFAULT`] if the review was written without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// The largest distance that is near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// The filter of the list, as typed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub filter: String,
    /// The order of the list, by its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub order: String,
    /// Whether the order is reversed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
    /// The fields shown as columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

impl ReviewSettings {
    /// Whether all settings are the defaults.
    pub fn are_default(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the recipe, and k if it differs from the default.
    #[must_use]
    pub fn with(self, settings: &Settings) -> Self {
        Self {
            recipe: Some(settings.recipe.to_string()),
            k: (settings.k != DEFAULT_K).then_some(settings.k),
            ..self
        }
    }

    /// The saved settings; `given` if the saved settings are invalid.
    pub fn settings(&self, given: &Settings) -> Settings {
        let recipe = self.recipe.as_ref().and_then(|line| line.parse().ok());
        let settings = Settings {
            recipe: recipe.unwrap_or_else(|| given.recipe.clone()),
            k: self.k.unwrap_or(given.k),
            layout: given.layout,
            alike: given.alike,
        };
        if settings.check().is_ok() { settings } else { given.clone() }
    }
}

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
        let mut order = Ordering::Equal;
        for (at, preference) in self.0.iter().enumerate() {
            order = match preference.kind {
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
            if order.is_ne() {
                break;
            }
        }
        order.then(a.document.cmp(&b.document))
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
mod policy_tests {
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
