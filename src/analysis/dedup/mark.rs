//! Decisions of a person: a document is kept or dropped, or two documents are not duplicates of each other.
//!
//! Also here: the settings of a user that are saved with a review, so that the corpus opens with the same settings again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::analysis::{DEFAULT_K, Settings};
use crate::choice::choice;
use crate::id::DocId;

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
