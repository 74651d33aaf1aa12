//! The pairs of a corpus as strata to sample from. Pairs of documents are counted exactly and drawn by number, and
//! never listed.
//!
//! ```text
//! d=0   entries with several texts   the pair of each number follows from the sizes of the texts
//! d>0   pairs of entries             in blocks of 1,024: a number is looked up among the sums, then
//!                                    found by going through one block
//! ```
//!
//! The pairs at a distance are one stratum. Building goes once through the pairs. Memory: 8 bytes for each thousand
//! pairs. Drawing takes microseconds.

use super::Labelling;
use crate::analysis::{EqualTexts, FingerprintIndex, PairsByDistance};
use crate::evaluate::labels::Stratum;
use crate::evaluate::sample::Pick;
use crate::index::{DocumentPair, Pair};
use crate::progress::{Cancelled, Progress};

/// Pairs of a block, for which one sum is kept.
const BLOCK: usize = 1 << 10;

/// The strata of a corpus under one recipe.
#[derive(Clone, Debug, Default)]
pub(super) struct Strata {
    /// The strata without judgements: that of each distance, from 0 up.
    pub(super) list: Vec<Stratum>,
    /// For each distance: the number of pairs before each block; at distance 0 before each entry with several texts.
    before: Vec<Vec<u64>>,
}

impl Strata {
    /// Counts the strata of all pairs that are kept.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn new(
        index: &FingerprintIndex,
        near: &PairsByDistance,
        equal: &EqualTexts,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut strata = Self::default();
        strata.add(0, equal.n_pairs, equal.mixed.iter().map(|mixed| mixed.pairs).collect());
        for distance in 1..=near.reach() {
            let sum_of = |block: &[Pair]| {
                progress.check()?;
                Ok(block.iter().map(|pair| index.n_document_pairs(pair)).sum())
            };
            let blocks = near.pairs_at(distance).chunks(BLOCK);
            strata.add(distance, 0, blocks.map(sum_of).collect::<Result<_, Cancelled>>()?);
        }
        Ok(strata)
    }

    /// Adds the stratum of a distance, whose pairs of different texts are in these parts.
    fn add(&mut self, distance: u32, verified: u64, parts: Vec<u64>) {
        let mut sum = 0;
        let before = parts.into_iter().map(|pairs| {
            sum += pairs;
            sum - pairs
        });
        self.before.push(before.collect());
        self.list.push(Stratum::new(distance, sum + verified, verified));
    }
}

impl Labelling {
    /// The documents of a pick.
    ///
    /// # Panics
    /// If its stratum has fewer pairs.
    pub fn pair(&self, Pick { stratum, number, .. }: Pick) -> DocumentPair {
        let (index, before) = (&*self.index, &self.strata.before[stratum]);
        let distance = self.strata.list[stratum].distance;
        // The last part with at most so many pairs before it: those before that have as many are empty.
        let part = before.partition_point(|&before| before <= number) - 1;
        let mut number = number - before[part];
        let (one, other) = if distance == 0 {
            self.texts.equal.pair(part, number)
        } else {
            let pair = self.near.pairs_at(distance)[part * BLOCK..].iter().find(|pair| {
                let n = index.n_document_pairs(pair);
                let is_here = number < n;
                number -= if is_here { 0 } else { n };
                is_here
            });
            let pair = pair.expect("a number below the number of pairs");
            let (left, right) = (index.documents(pair.a), index.documents(pair.b));
            self.sides().pair(left, right, number)
        };
        DocumentPair { a: one.min(other), b: one.max(other), distance }
    }

    /// The stratum of the pairs between two entries at a distance, or between the texts of one entry.
    pub(super) fn stratum_of(&self, entries: (u32, u32), distance: u32) -> Option<usize> {
        let (a, b) = (entries.0.min(entries.1), entries.0.max(entries.1));
        let is_kept = match distance {
            0 => self.texts.equal.place(a).is_some(),
            _ if distance > self.window() => false,
            _ => self.near.pairs_at(distance).binary_search(&Pair { distance, a, b }).is_ok(),
        };
        is_kept.then_some(distance as usize)
    }
}
