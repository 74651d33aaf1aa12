//! The number of documents near each one, for every k at once.
//!
//! The count of an entry grows only at the distances of its neighbours. Only these steps are stored: at most one
//! for each distance, and at most two for each pair. A look-up is a linear search of the steps. An entry without
//! neighbours takes two bits.

use super::pairs_by_distance::STRIDE;
use crate::{
    index::{BitSetBuilder, Pair, RankBitSet},
    progress::{Cancelled, Progress},
};

/// For each entry, the distances of its neighbours, each with the number of documents up to that distance.
#[derive(Debug)]
pub(super) struct NeighbourCounts {
    /// The entries that have neighbours.
    entries: RankBitSet,
    /// The start of each entry's steps, and the end of the last.
    starts: Vec<u32>,
    steps: Vec<CountStep>,
}

/// From `distance` on, `total` documents are near.
#[derive(Clone, Copy, Debug, Default)]
struct CountStep {
    distance: u32,
    total: u32,
}

impl NeighbourCounts {
    /// Counts the ends of `pairs`, which must be sorted nearest first. `copies` gives the number of documents of a
    /// neighbouring entry.
    ///
    /// # Panics
    /// If there are 2^31 pairs or more, or one names an entry that does not exist.
    pub(super) fn new(
        n_entries: usize,
        pairs: &[Pair],
        copies: &dyn Fn(u32) -> u32,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        assert!(pairs.len() < 1 << 31, "steps are numbered in 32 bits");
        let ends = |pair: &Pair| [(pair.a as usize, pair.b), (pair.b as usize, pair.a)];
        // Count the steps of each entry, then compute where they start, then write the steps.
        let mut starts = vec![0_u32; n_entries + 1];
        let mut last = vec![u32::MAX; n_entries];
        for stride in pairs.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                for (entry, _) in ends(pair) {
                    let before = std::mem::replace(&mut last[entry], pair.distance);
                    starts[entry] += u32::from(before != pair.distance);
                }
            }
        }
        let mut n_steps = 0;
        for start in &mut starts {
            n_steps += std::mem::replace(start, n_steps);
        }
        let mut steps = vec![CountStep::default(); n_steps as usize];
        // The number of started steps of each entry; the last started step still grows.
        let mut begun = last;
        begun.fill(0);
        for stride in pairs.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                for (entry, other) in ends(pair) {
                    let (start, begun) = (starts[entry], &mut begun[entry]);
                    let present = (start + *begun).checked_sub(1).filter(|_| *begun > 0);
                    let total = present.map_or(0, |at| steps[at as usize].total);
                    if present.is_none_or(|at| steps[at as usize].distance != pair.distance) {
                        *begun += 1;
                    }
                    steps[(start + *begun - 1) as usize] =
                        CountStep { distance: pair.distance, total: total + copies(other) };
                }
            }
        }
        let mut entries = BitSetBuilder::new(n_entries);
        let has_steps = |entry: &u32| starts[*entry as usize] < starts[*entry as usize + 1];
        (0..n_entries as u32).filter(has_steps).for_each(|entry| entries.insert(entry));
        // An entry without steps has the same start as the next one.
        starts.dedup();
        starts.shrink_to_fit();
        Ok(Self { entries: entries.build(), starts, steps })
    }

    /// The number of documents within `k` of an entry, without its own documents.
    pub(super) fn within(&self, entry: u32, k: u32) -> u32 {
        let Some(at) = self.entries.rank(entry) else { return 0 };
        let steps = &self.steps[self.starts[at] as usize..self.starts[at + 1] as usize];
        steps.iter().rev().find(|step| step.distance <= k).map_or(0, |step| step.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Distinct, naive};

    #[test]
    fn counts_are_those_of_the_pairs_within_k() {
        let words: Vec<Option<u64>> = (0..200_u64).map(|n| Some(n * 37 % 101 % 64)).collect();
        let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
        let pairs = naive::all_pairs(distinct.values(), 6, &Progress::new()).unwrap();
        let copies = |entry| distinct.documents(entry).len() as u32;
        let counts =
            NeighbourCounts::new(distinct.len(), &pairs, &copies, &Progress::new()).unwrap();
        for k in 0..=7 {
            for entry in 0..distinct.len() as u32 {
                let near =
                    |pair: &&Pair| pair.distance <= k && (pair.a == entry || pair.b == entry);
                let other = |pair: &Pair| if pair.a == entry { pair.b } else { pair.a };
                let expected: usize = pairs
                    .iter()
                    .filter(near)
                    .map(|pair| distinct.documents(other(pair)).len())
                    .sum();
                assert_eq!(counts.within(entry, k) as usize, expected);
            }
        }
        let alone = NeighbourCounts::new(1, &[], &copies, &Progress::new()).unwrap();
        assert_eq!(alone.within(0, 8), 0);
    }
}
