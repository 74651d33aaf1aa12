//! The reasons why a pair is found or not: its distance, the blocks that differ, and the tables with equal
//! keys.
//!
//! A table finds a pair if no differing bit lies in its key. With m blocks of which c form a key, d differing
//! bits lie in at most d blocks. So if d <= m - c, some choice of c blocks has no differing bit.
//! Source: Manku, Jain and Das Sarma (WWW 2007), section 3.
//!
//! Voting feature by feature: the totals so far, and the bits that the remaining votes cannot flip.
//!
//! A bit is decided once its sum outweighs all votes still to come. Costs one addition for each bit and
//! feature. Any order of the features gives the same totals; the order here is that of first occurrence.
//!
//! The reason for equal fingerprints: equal texts, equal features, or neither.

use super::Overlap;
use super::bit_margins::{bit_numbers, is_dominated};
use crate::index::Layout;
use crate::simhash::{FeatureVotes, Fingerprint, Recipe};
use crate::text::digest_as;

/// The outcome of one table for a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOutcome {
    /// Whether the keys are equal, so that the pair is a candidate.
    pub hit: bool,
    /// The blocks of the key that hold a differing bit; empty if the keys are equal.
    pub damaged: Vec<usize>,
}

/// A pair of fingerprints under a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairExplanation {
    /// The number of differing bits.
    pub distance: u32,
    /// The differing bits.
    pub xor: u128,
    /// The number of differing bits in each block, in the order of the layout.
    pub bits_off: Vec<u32>,
    /// The outcome of each table, in the order of the layout.
    pub tables: Vec<TableOutcome>,
}

impl PairExplanation {
    /// Explains the pair under `layout`. Costs the number of tables times the blocks of their keys.
    pub fn new(a: Fingerprint, b: Fingerprint, layout: &Layout) -> Self {
        let xor = a.bits() ^ b.bits();
        let bits_off = layout.differing_bits_per_block(xor);
        let outcome = |table: &crate::index::TableLayout| {
            let damaged: Vec<usize> =
                table.key_blocks.iter().copied().filter(|&block| bits_off[block] > 0).collect();
            TableOutcome { hit: damaged.is_empty(), damaged }
        };
        let tables = layout.tables().iter().map(outcome).collect();
        Self { distance: xor.count_ones(), xor, bits_off, tables }
    }

    /// The numbers of the differing bits, most significant first.
    pub fn differing_bits(&self) -> Vec<u32> {
        bit_numbers(self.xor)
    }

    /// Blocks that hold a differing bit.
    pub fn differing_blocks(&self) -> Vec<usize> {
        (0..self.bits_off.len()).filter(|&block| self.bits_off[block] > 0).collect()
    }

    /// The tables in which the pair is a candidate.
    pub fn hits(&self) -> impl Iterator<Item = usize> {
        self.tables.iter().enumerate().filter(|(_, table)| table.hit).map(|(number, _)| number)
    }
}

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
        let is_dominated = feature_votes.iter().all(|it| is_dominated(&it.weights()));
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
    use crate::explain::overlap::align;
    use crate::index::binomial;
    use crate::simhash::{Fingerprinter, Recipe};

    /// A pair that differs in D of r blocks is found by C(r - D, r - k) tables, by none beyond k.
    #[test]
    fn damaged_blocks_alone_decide_how_many_tables_catch_a_pair() {
        for blocks in 4..=6 {
            let layout = Layout::for_distance(64, blocks, 3).unwrap();
            for damaged in 0..=blocks {
                // The lowest bit of each second differing block, and all bits of the others.
                let masks =
                    layout.block_list()[..damaged as usize].iter().map(|block| block.mask());
                let xor = masks.enumerate().fold(0, |xor, (at, mask)| {
                    xor | if at % 2 == 0 { mask & mask.wrapping_neg() } else { mask }
                });
                let (a, b) = (Fingerprint::new(0, 64), Fingerprint::new(xor, 64));
                let hits = PairExplanation::new(a, b, &layout).hits().count();
                assert_eq!(hits as u128, binomial(blocks - damaged, blocks - 3));
            }
        }
    }

    #[test]
    fn the_readme_pair_is_caught_by_one_table_of_twenty() {
        let a = Fingerprint::new(0x4bbb_22fb_bc29_d9b5, 64);
        let b = Fingerprint::new(0x4bbb_62fb_9c29_c9b5, 64);
        let layout = Layout::for_distance(64, 6, 3).unwrap();
        let explanation = PairExplanation::new(a, b, &layout);
        assert_eq!(explanation.distance, 3);
        assert_eq!(explanation.differing_bits(), [46, 29, 12]);
        assert_eq!(explanation.differing_blocks(), [1, 3, 4]);
        let hits: Vec<usize> = explanation.hits().collect();
        assert_eq!((explanation.tables.len(), hits.len()), (20, 1));
        assert_eq!(layout.tables()[hits[0]].key_blocks, [0, 2, 5]);
    }

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
