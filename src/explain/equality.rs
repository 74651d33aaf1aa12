//! The reason for equal fingerprints: equal texts, equal features, or neither.

use super::{bit_margins::is_dominated, overlap::Overlap};
use crate::{
    feature::FixedWeight,
    simhash::{FeatureVotes, Recipe},
    text::digest_as,
};

/// The property that two texts with equal fingerprints have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualityKind {
    /// The texts are equal after the normalisation of the recipe: form, case, and one space for white space.
    Texts,
    /// The texts differ, but their features and weights are equal.
    Features,
    /// Only the fingerprints are equal.
    Fingerprints {
        /// In both texts one feature outweighs all others, so that the fingerprint is its hash.
        is_dominated: bool,
    },
}

impl EqualityKind {
    /// Compares two texts with equal fingerprints.
    pub fn new(
        recipe: &Recipe,
        texts: [&str; 2],
        feature_votes: [&FeatureVotes; 2],
        overlap: &Overlap,
    ) -> Self {
        let [one, other] = texts.map(|text| digest_as(text, recipe.form, recipe.case));
        if one == other {
            return Self::Texts;
        }
        let has_equal_weights = overlap
            .shared
            .iter()
            .all(|shared| shared.feature.weight(0) == shared.feature.weight(1));
        if has_equal_weights && overlap.only.iter().all(Vec::is_empty) {
            return Self::Features;
        }
        let is_dominated = feature_votes.iter().all(|feature_votes| {
            let weights: Vec<FixedWeight> =
                feature_votes.features.iter().map(|feature| feature.weight).collect();
            is_dominated(&weights)
        });
        Self::Fingerprints { is_dominated }
    }

    /// Its name in rows: texts, features or fingerprints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Texts => "texts",
            Self::Features => "features",
            Self::Fingerprints { .. } => "fingerprints",
        }
    }

    /// The common property, as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Texts => "the texts are equal after normalisation, white space aside",
            Self::Features => {
                "the texts differ, their features are equal: this recipe cannot separate them"
            }
            Self::Fingerprints { is_dominated: true } => {
                "the texts differ, and so do their features; the fingerprints are equal because one \
                 feature outweighs all others in both (dominated)"
            }
            Self::Fingerprints { is_dominated: false } => {
                "the texts differ, and so do their features; only the fingerprints are equal"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{explain::aligned_feature::align, simhash::Fingerprinter};

    #[test]
    fn equal_texts_features_and_fingerprints_are_three_things() {
        let recipe: Recipe = "words:1".parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let table = [
            ("The  tide pool", "the tide\npool", EqualityKind::Texts),
            ("the tide, pool", "pool: the tide", EqualityKind::Features),
            (
                "tide tide tide pool crab",
                "tide tide tide gull kelp",
                EqualityKind::Fingerprints { is_dominated: true },
            ),
        ];
        for (one, other, expected) in table {
            let [a, b] = [one, other].map(|text| fingerprinter.feature_votes(text));
            assert_eq!(a.fingerprint(&recipe), b.fingerprint(&recipe), "{one} | {other}");
            let overlap = align(&a, &b);
            let overlap = Overlap::new(&overlap);
            let found = EqualityKind::new(&recipe, [one, other], [&a, &b], &overlap);
            assert_eq!(found, expected, "{one} | {other}");
        }
    }
}
