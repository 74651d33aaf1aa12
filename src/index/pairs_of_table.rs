//! The near pairs of one table, for a search in which each table is searched by another process: over all
//! processes, every pair is found once.
//!
//! A process has some of the fingerprints: if it has one fingerprint with a key of the table, it has all of them.
//! Of the pairs within k it passes on those that share this key and the key of no earlier table. So each pair is
//! passed on by one process only, and processes need not compare results. Fingerprints of one process that do not
//! share a key cost little: the search is that of all near pairs, however skewed the data.

use std::ops::ControlFlow;

use super::{Layout, choose, pair::Pair, visit_pairs};
use crate::progress::{Cancelled, Progress};

/// Two fingerprints, the smaller first, and their distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FingerprintPair {
    /// The smaller fingerprint.
    pub a: u64,
    /// The larger fingerprint.
    pub b: u64,
    /// The number of differing bits.
    pub distance: u32,
}

/// Passes those pairs of `values` within `k` to `take` for which `table` is the first table of the layout with a
/// shared key; in no order, from any thread. Equal values count once.
///
/// # Errors
/// [`Cancelled`] if cancelled.
///
/// # Panics
/// If the layout has no such table.
pub fn visit_pairs_of_table(
    mut values: Vec<u64>,
    layout: &Layout,
    table: usize,
    k: u32,
    progress: &Progress,
    take: &(dyn Fn(&[FingerprintPair]) -> ControlFlow<()> + Sync),
) -> Result<(), Cancelled> {
    values.sort_unstable();
    values.dedup();
    let plan = choose(&values, layout.width(), k);
    visit_pairs(&values, &plan, progress, &|pairs| {
        let is_first = |pair: &&Pair| {
            let xor = u128::from(values[pair.a as usize] ^ values[pair.b as usize]);
            layout.first_table_with_shared_key(xor) == Some(table)
        };
        let pair = |pair: &Pair| FingerprintPair {
            a: values[pair.a as usize],
            b: values[pair.b as usize],
            distance: pair.distance,
        };
        let pairs: Vec<FingerprintPair> = pairs.iter().filter(is_first).map(pair).collect();
        if pairs.is_empty() { ControlFlow::Continue(()) } else { take(&pairs) }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;
    use crate::index::Cut;

    /// The pairs of all processes together; each process has the fingerprints whose keys have one remainder.
    fn of_places(values: &[u64], layout: &Layout, k: u32, n_places: u64) -> Vec<FingerprintPair> {
        let found = Mutex::new(Vec::new());
        for (number, table) in layout.tables().iter().enumerate() {
            for place in 0..n_places {
                let key = |value: &u64| value & table.mask as u64;
                let spread =
                    |value: &&u64| key(value).wrapping_mul(0x9e37_79b9) % n_places == place;
                let here = values.iter().filter(spread).copied().collect();
                let take = |pairs: &[FingerprintPair]| {
                    found.lock().unwrap().extend_from_slice(pairs);
                    ControlFlow::Continue(())
                };
                visit_pairs_of_table(here, layout, number, k, &Progress::new(), &take).unwrap();
            }
        }
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        found
    }

    proptest! {
        /// Planted near-duplicates, copies, and many values that share most bits.
        #[test]
        fn all_places_together_find_every_pair_once(
            seeds in proptest::collection::vec(any::<u64>(), 1..40),
            flips in proptest::collection::vec((0..40usize, proptest::collection::vec(0..64u32, 0..6)), 0..80),
            k in 1..5u32,
            more in 1..4u32,
            n_places in 1..4u64,
        ) {
            let mut values = seeds.clone();
            for (at, bits) in flips {
                let seed = seeds[at % seeds.len()] & if at % 3 == 0 { 0xffff } else { u64::MAX };
                values.push(bits.iter().fold(seed, |value, bit| value ^ 1 << bit));
            }
            let layout = Layout::for_distance(64, k + more, k, Cut::default()).unwrap();
            let mut distinct = values.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let mut expected = Vec::new();
            for (at, &a) in distinct.iter().enumerate() {
                for &b in &distinct[at + 1..] {
                    let distance = (a ^ b).count_ones();
                    if distance <= k {
                        expected.push(FingerprintPair { a, b, distance });
                    }
                }
            }
            expected.sort_unstable();
            prop_assert_eq!(of_places(&values, &layout, k, n_places), expected);
        }
    }
}
