//! How many documents are near each one, for every k at once.
//!
//! An entry's count grows with k only at the distances where it has neighbours, so these steps are all
//! that is kept: at most one a distance, at most two a pair. A look-up tries them in turn.

use super::near::STRIDE;
use crate::{
    index::{Distinct, Pair},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// For each entry the distances at which its neighbours come, with the documents there are by then.
#[derive(Debug)]
pub(super) struct Counts {
    /// Where the steps of each entry begin; one more at the end.
    starts: Vec<u32>,
    steps: Vec<Step>,
}

/// From `distance` on, `total` documents are near.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    distance: u32,
    total: u32,
}

impl Counts {
    /// Counts along `pairs`, which come nearest first.
    ///
    /// # Panics
    /// If there are 2^31 pairs or more, or one names an entry that does not exist.
    pub(super) fn new<B: Bits>(
        distinct: &Distinct<B>,
        pairs: &[Pair],
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        assert!(pairs.len() < 1 << 31, "steps are numbered in 32 bits");
        let copies = |entry: u32| distinct.documents(entry).len() as u32;
        let ends = |pair: &Pair| [(pair.a, pair.b), (pair.b, pair.a)];
        // First how many steps each entry has, then where they begin, then the steps themselves.
        let mut starts = vec![0_u32; distinct.len() + 1];
        let mut last = vec![u32::MAX; distinct.len()];
        for stride in pairs.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                for (entry, _) in ends(pair) {
                    starts[entry as usize] += u32::from(
                        std::mem::replace(&mut last[entry as usize], pair.distance)
                            != pair.distance,
                    );
                }
            }
        }
        let mut n_steps = 0;
        for start in &mut starts {
            n_steps += std::mem::replace(start, n_steps);
        }
        let mut steps = vec![Step::default(); n_steps as usize];
        // How many steps of each entry are begun; the last one begun is still growing.
        let mut begun = last;
        begun.fill(0);
        for stride in pairs.chunks(STRIDE) {
            progress.check()?;
            for pair in stride {
                for (entry, other) in ends(pair) {
                    let (start, begun) = (starts[entry as usize], &mut begun[entry as usize]);
                    let present = (start + *begun).checked_sub(1).filter(|_| *begun > 0);
                    let total = present.map_or(0, |at| steps[at as usize].total);
                    if present.is_none_or(|at| steps[at as usize].distance != pair.distance) {
                        *begun += 1;
                    }
                    steps[(start + *begun - 1) as usize] =
                        Step { distance: pair.distance, total: total + copies(other) };
                }
            }
        }
        Ok(Self { starts, steps })
    }

    /// Documents within `k` of an entry's, its copies not counted.
    pub(super) fn within(&self, entry: u32, k: u32) -> u32 {
        let entry = entry as usize;
        let steps = &self.steps[self.starts[entry] as usize..self.starts[entry + 1] as usize];
        steps.iter().rev().find(|step| step.distance <= k).map_or(0, |step| step.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::naive;

    #[test]
    fn counts_are_those_of_the_pairs_within_k() {
        let words: Vec<Option<u64>> = (0..200_u64).map(|n| Some(n * 37 % 101 % 64)).collect();
        let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
        let pairs = naive::all_pairs(distinct.values(), 6, &Progress::new()).unwrap();
        let counts = Counts::new(&distinct, &pairs, &Progress::new()).unwrap();
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
        let alone = Distinct::collapse(&[Some(1_u64)], &Progress::new()).unwrap();
        assert_eq!(Counts::new(&alone, &[], &Progress::new()).unwrap().within(0, 8), 0);
    }
}
