//! The origin of equal fingerprints: equal texts, equal features, or less than that.

use super::{overlap::Overlap, standing::is_dominated};
use crate::{
    feature::FixedWeight,
    simhash::{Ballot, Recipe},
    text::digest_as,
};

/// The property that two texts with equal fingerprints have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// The texts are equal after the recipe's normalisation: form and case, white space as one space.
    Texts,
    /// The texts differ, but their features and weights do not.
    Features,
    /// The fingerprints are equal, and nothing else.
    Fingerprints {
        /// In both texts one feature outweighs all others, so that the fingerprint is its hash.
        is_dominated: bool,
    },
}

impl Sameness {
    /// Compares two texts of equal fingerprints.
    pub fn new(
        recipe: &Recipe,
        texts: [&str; 2],
        ballots: [&Ballot; 2],
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
        let is_dominated = ballots.iter().all(|ballot| {
            let weights: Vec<FixedWeight> =
                ballot.voters.iter().map(|voter| voter.weight).collect();
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
    use crate::{explain::matched::matched, simhash::Fingerprinter};

    #[test]
    fn equal_texts_features_and_fingerprints_are_three_things() {
        let recipe: Recipe = "words:1".parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let table = [
            ("The  tide pool", "the tide\npool", Sameness::Texts),
            ("the tide, pool", "pool: the tide", Sameness::Features),
            (
                "tide tide tide pool crab",
                "tide tide tide gull kelp",
                Sameness::Fingerprints { is_dominated: true },
            ),
        ];
        for (one, other, expected) in table {
            let [a, b] = [one, other].map(|text| fingerprinter.ballot(text));
            assert_eq!(a.fingerprint(&recipe), b.fingerprint(&recipe), "{one} | {other}");
            let overlap = matched(&a, &b);
            let overlap = Overlap::new(&overlap);
            let found = Sameness::new(&recipe, [one, other], [&a, &b], &overlap);
            assert_eq!(found, expected, "{one} | {other}");
        }
    }
}
