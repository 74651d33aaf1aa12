//! Finds all near pairs, or those that tables find, with a plan: as a stream, counted, or in order.
//!
//! The order is: by distance, then by `a`, then by `b`. A result that does not fit in memory is found in several
//! searches, each of which lists all pairs and keeps those of one range of that order. So memory does not grow
//! with the result, but time does: each range costs a whole search.
//!
//! The near pairs of one table, for a search in which each table is searched by another process: over all
//! processes, every pair is found once.
//!
//! A process has some of the fingerprints: if it has one fingerprint with a key of the table, it has all of them.
//! Of the pairs within k it passes on those that share this key and the key of no earlier table. So each pair is
//! passed on by one process only, and processes need not compare results. Fingerprints of one process that do not
//! share a key cost little: the search is that of all near pairs, however skewed the data.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::pair::{Take, pass_kept};
use super::pair_sorter::{PairRanges, PairSorter};
use super::{Layout, Pair, Plan, choose, join};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The largest number of ranges in which pairs are counted.
const MOST_RANGES: usize = 1 << 16;

/// Passes every pair of `values` within the plan's k to `take`, each once, `a < b`, in no order, until `take`
/// returns `Break`.
///
/// If the plan has two corpora, only pairs across them are passed on. Exact, except that a plan by tables finds
/// only pairs that share a key. Equal values are reported at distance 0; collapse them first if there are many.
///
/// # Errors
/// [`Cancelled`] if cancelled; checked every few milliseconds.
///
/// # Panics
/// If there are 2^32 values or more, or if bits vary that did not vary in the values of the plan.
pub fn visit_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let visit = |take: Take<'_>| {
        let outcome = join::visit(values, plan, &progress.part(), true, take);
        // It is no error if `take` wanted no more.
        if progress.is_cancelled() { outcome } else { Ok(()) }
    };
    let Some(sides) = &plan.sides else { return visit(take) };
    let across = |pair: &Pair| sides.is_across(pair.a, pair.b).then_some(*pair);
    visit(&|pairs| pass_kept(pairs, across, take))
}

/// Every pair of `values` within the plan's k, in order. Memory: 12 bytes for each pair, and as many again
/// while their list grows.
///
/// # Errors
/// The same errors as [`visit_pairs`].
///
/// # Panics
/// The same errors as [`visit_pairs`].
pub fn near_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let found = near_pairs_up_to(values, plan, usize::MAX, progress)?;
    Ok(found.expect("no number is more than the most there are"))
}

/// Every pair of `values` that the plan finds, in order; `None` if there are more than `most`. The search ends as
/// soon as there are too many.
///
/// Memory: that of `most` pairs, for any fingerprints.
///
/// # Errors
/// The same errors as [`visit_pairs`].
///
/// # Panics
/// The same errors as [`visit_pairs`].
pub fn near_pairs_up_to<B: Bits>(
    values: &[B],
    plan: &Plan,
    most: usize,
    progress: &Progress,
) -> Result<Option<Vec<Pair>>, Cancelled> {
    let ordered = PairSorter::new(most);
    visit_pairs(values, plan, progress, &|pairs| ordered.take(pairs))?;
    ordered.sorted(progress)
}

/// Passes every pair of `values` that the plan finds to `each`, in order, about `most` at a time, until `each`
/// returns `Break`.
///
/// More than `most` pairs cost one search for each `most` pairs, and up to two more. Each search lists all pairs
/// and keeps its own, so for large results the time grows with the square of their size.
///
/// # Errors
/// The same errors as [`visit_pairs`].
///
/// # Panics
/// The same errors as [`visit_pairs`].
pub fn ordered_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    most: usize,
    progress: &Progress,
    each: &mut dyn FnMut(&[Pair]) -> ControlFlow<()>,
) -> Result<(), Cancelled> {
    let order = PairRanges::new(values.len(), plan.k(), MOST_RANGES);
    let sizes: Vec<AtomicU64> = (0..order.count()).map(|_| AtomicU64::new(0)).collect();
    let ordered = PairSorter::new(most);
    visit_pairs(values, plan, progress, &|pairs| {
        for pair in pairs {
            sizes[order.of(pair)].fetch_add(1, Ordering::Relaxed);
        }
        // If there are too many pairs, this search only counts.
        let _ = ordered.take(pairs);
        ControlFlow::Continue(())
    })?;
    if let Some(pairs) = ordered.sorted(progress)? {
        let _ = each(&pairs);
        return Ok(());
    }
    let mut begin = 0;
    while begin < order.count() {
        // Each search takes at least `most` pairs, except the last, and less than one range more; so there are
        // few searches.
        let mut end = begin;
        let mut n = 0;
        while end < order.count() && n < most.max(1) as u64 {
            n += sizes[end].load(Ordering::Relaxed);
            end += 1;
        }
        if n == 0 {
            break;
        }
        let wanted = begin..end;
        let ours = |pair: &Pair| wanted.contains(&order.of(pair)).then_some(*pair);
        let ordered = PairSorter::new(usize::MAX);
        visit_pairs(values, plan, progress, &|pairs| {
            pass_kept(pairs, ours, &|pairs| ordered.take(pairs))
        })?;
        let portion = ordered.sorted(progress)?.expect("no number is more than the most there are");
        if each(&portion).is_break() {
            return Ok(());
        }
        begin = end;
    }
    Ok(())
}

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
#[path = "../../tests/support/fingerprints/all_pairs.rs"]
pub(crate) mod all_pairs;

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::all_pairs::all_pairs;
    use super::*;
    use crate::index::block::n_pairs;
    use crate::index::{BlockPlan, Method};
    use crate::kernel::hamming;

    /// A plan of `m` blocks of about equal width.
    fn plan_of_blocks(n: usize, k: u32, m: u32) -> Plan {
        let mut plan = Plan::scan(n, 64, k);
        plan.method = Method::Blocks(BlockPlan::even(n, 64, k, m));
        plan
    }

    #[test]
    fn too_many_pairs_are_not_kept() {
        let values: Vec<u64> = (0..600).map(|n| n * 37 % 1024).collect();
        let progress = Progress::new();
        let all = all_pairs(&values, 3);
        for plan in [plan_of_blocks(values.len(), 3, 4), choose(&values, 64, 3)] {
            let found = |most| near_pairs_up_to(&values, &plan, most, &progress).unwrap();
            assert_eq!(found(all.len()).as_ref(), Some(&all));
            for most in [0, 1, all.len() - 1] {
                assert_eq!(found(most), None);
            }
        }
    }

    /// All values of `bits` bits spread over a word, in an order that jumps about.
    fn cube(bits: u32) -> impl Iterator<Item = u64> {
        let corner = move |n: u64| {
            let n = n.wrapping_mul(0x9e37_79b9) & ((1 << bits) - 1);
            (0..bits)
                .fold(0x1234_5678_9abc_def0, |value, at| value ^ (n >> at & 1) << (at * 29 % 64))
        };
        (0..1 << bits).map(corner)
    }

    #[test]
    fn a_cube_takes_no_more_comparisons_than_all_there_are() {
        let random = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n << 40;
        let alone: Vec<u64> = cube(13).collect();
        let among: Vec<u64> = cube(13).chain((1..20_000).map(random)).collect();
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for k in [3, 4, 6, 9] {
            for values in [&alone, &among] {
                let most = n_pairs(values.len());
                let plan = choose(values, 64, k);
                let compared = one_thread.install(|| {
                    hamming::effort::take();
                    search(values, &plan);
                    hamming::effort::take()
                });
                assert!(compared <= most, "k = {k}: {compared} comparisons by {plan}");
            }
        }
    }

    /// Finds all pairs of `values` and drops them.
    fn search(values: &[u64], plan: &Plan) {
        visit_pairs(values, plan, &Progress::new(), &|_| ControlFlow::Continue(())).unwrap();
    }

    /// The work of a plan in comparisons, counted and not timed: the comparisons that it makes, 60 for each
    /// value that a block groups, 60 for each visit to one of the buckets around another (half of them are
    /// compared), 80 for each hit, and 200,000 for each block.
    fn work(values: &[u64], plan: &Plan) -> f64 {
        hamming::effort::take_all();
        search(values, plan);
        hamming::effort::take_all() as f64
    }

    #[test]
    fn no_chosen_plan_costs_many_times_the_best() {
        const AT_MOST: f64 = 4.0;
        let mixed = |n: u64| {
            let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
        };
        // Of the random values one in a thousand has a neighbour; nine in ten shared values share most of their
        // upper bits; the members of forty topics differ from a centre in few bits.
        let random = |n| if n % 1000 == 0 { mixed(n + 1) ^ 5 } else { mixed(n) };
        let shared = |n| if n % 10 == 0 { mixed(n) } else { mixed(n) & 0x0f00_0fff_ffff_ffff };
        let topics = |n| mixed(n % 40) ^ mixed(n) & mixed(n + 7) & mixed(n + 77) & mixed(n + 777);
        let sets: [(&str, &dyn Fn(u64) -> u64); 3] =
            [("random", &random), ("shared", &shared), ("topics", &topics)];
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for (name, value) in sets {
            for n in [1_000, 30_000] {
                let values: Vec<u64> = (0..n).map(value).collect();
                for k in [1, 3, 6, 9] {
                    // Fewer blocks would visit too many buckets to be worth measuring.
                    let block_counts = (k / 3 + 1)..=(k + 1);
                    let ways = block_counts.map(|m| plan_of_blocks(values.len(), k, m));
                    // A scan compares every two.
                    let scan = n_pairs(values.len()) as f64;
                    let (chosen, best) = one_thread.install(|| {
                        let best = ways.map(|plan| work(&values, &plan)).fold(scan, f64::min);
                        (work(&values, &choose(&values, 64, k)), best)
                    });
                    let ratio = chosen / best;
                    println!("{name} {n} k = {k}: {ratio:.2} times the best");
                    assert!(ratio < AT_MOST, "{name}, {n} values, k = {k}: {ratio} times the best");
                }
            }
        }
    }

    #[test]
    fn searches_are_few_and_portions_small() {
        let values: Vec<u64> = cube(10).collect();
        let plan = Plan::scan(values.len(), 64, 4);
        for most in [500, 10_000, 100_000] {
            let (mut portions, mut n) = (0, 0);
            let mut each = |pairs: &[Pair]| {
                (portions, n) = (portions + 1, n + pairs.len());
                assert!(pairs.len() < most + 1024);
                ControlFlow::Continue(())
            };
            ordered_pairs(&values, &plan, most, &Progress::new(), &mut each).unwrap();
            // One search counts before them.
            assert!(portions <= n / most + 1, "{portions} portions of {n} pairs");
        }
    }

    #[test]
    fn pairs_of_a_handful_by_hand() {
        let values = [0b0000_u64, 0b0001, 0b0011, 0b1111, 0b0000];
        let pair = |a, b, distance| Pair { distance, a, b };
        let expected = [pair(0, 4, 0), pair(0, 1, 1), pair(1, 2, 1), pair(1, 4, 1)];
        assert_eq!(all_pairs(&values, 1), expected);
    }

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
            let layout = Layout::for_distance(64, k + more, k).unwrap();
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
