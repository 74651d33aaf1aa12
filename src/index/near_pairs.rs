//! All near pairs, or the ones that tables bring together, as a plan says: as a stream, counted, or in order.
//!
//! The order is the contract's: nearest first, then by `a` and `b`. What does not fit in memory at
//! once comes in several searches, each of which lists all pairs and keeps those of one stretch of that
//! order: memory does not grow with the answer, but time does, by a whole search for each portion.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    join,
    pair::{Pair, Take, unless_cancelled},
    pair_sorter::{PairRanges, PairSorter},
    plan::{Method, Plan},
    scan, table_join,
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The most ranges by which an answer is counted before it is known to fit.
const MOST_STRETCHES: usize = 1 << 16;

/// Passes every pair of `values` within the plan's k to `take`, each once, `a < b`, in no order, until it
/// says stop.
///
/// Only pairs across two corpora, if the plan says so. Exact, but for a plan by tables, which finds what shares a key. Equal values are reported at distance 0;
/// collapse them first if there are many.
///
/// # Errors
/// [`Cancelled`] if cancelled; noticed within milliseconds.
///
/// # Panics
/// If there are 2^32 values or more, or if the plan was made for others that have less variety.
pub fn visit_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let Some(sides) = plan.sides() else { return visit_all(values, plan, progress, take) };
    visit_all(values, plan, progress, &|pairs| {
        let across: Vec<Pair> =
            pairs.iter().filter(|pair| sides.is_across(pair.a, pair.b)).copied().collect();
        if across.is_empty() { ControlFlow::Continue(()) } else { take(&across) }
    })
}

fn visit_all<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let (values, width) = plan.compress(values);
    unless_cancelled(match &plan.method {
        Method::Blocks(blocks) => join::visit(&values, width, blocks, progress, take),
        Method::Scan => scan::visit(&values, plan.k(), progress, take),
        Method::Tables(layout) => table_join::visit(&values, layout, plan.k(), progress, take),
    })
}

/// The number of pairs of `values` at each distance from 0 to the plan's k. Constant memory.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn count_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let counts: Vec<AtomicU64> = (0..=plan.k()).map(|_| AtomicU64::new(0)).collect();
    visit_pairs(values, plan, progress, &|pairs| {
        // An addition that all threads see costs more than finding the pair.
        let mut some = vec![0; counts.len()];
        for pair in pairs {
            some[pair.distance as usize] += 1;
        }
        for (count, some) in counts.iter().zip(some).filter(|(_, some)| *some > 0) {
            count.fetch_add(some, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    })?;
    Ok(counts.into_iter().map(AtomicU64::into_inner).collect())
}

/// Every pair of `values` within the plan's k, in order. Memory: at most 20 bytes a pair, in the end 12.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn near_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let found = near_pairs_up_to(values, plan, usize::MAX, progress)?;
    Ok(found.expect("no number is more than the most there are"))
}

/// Every pair of `values` that the plan finds, in order, if there are at most `most`, else `None`, as soon as
/// that is known.
///
/// Memory: that of `most` pairs, whatever the fingerprints.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn near_pairs_up_to<B: Bits>(
    values: &[B],
    plan: &Plan,
    most: usize,
    progress: &Progress,
) -> Result<Option<Vec<Pair>>, Cancelled> {
    let ordered = PairSorter::new(values.len(), plan.k());
    let mut fit = AtomicBool::new(true);
    visit_pairs(values, plan, progress, &|pairs| {
        if ordered.take(pairs, most) {
            ControlFlow::Continue(())
        } else {
            fit.store(false, Ordering::Relaxed);
            ControlFlow::Break(())
        }
    })?;
    fit.get_mut().then(|| ordered.sorted(progress)).transpose()
}

/// Passes every pair of `values` that the plan finds to `each`, in order, about `most` at a time, until
/// it says stop.
///
/// More than `most` pairs cost one search for each `most` of them, and up to two more. Each search lists
/// all pairs and keeps its own: the time grows with the square of the answer once that is what takes time.
///
/// # Errors
/// As [`visit_pairs`].
///
/// # Panics
/// As [`visit_pairs`].
pub fn ordered_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    most: usize,
    progress: &Progress,
    each: &mut dyn FnMut(&[Pair]) -> ControlFlow<()>,
) -> Result<(), Cancelled> {
    let order = PairRanges::new(values.len(), plan.k(), MOST_STRETCHES);
    let sizes: Vec<AtomicU64> = (0..order.count()).map(|_| AtomicU64::new(0)).collect();
    let ordered = PairSorter::new(values.len(), plan.k());
    let mut fit = AtomicBool::new(true);
    visit_pairs(values, plan, progress, &|pairs| {
        for pair in pairs {
            sizes[order.of(pair)].fetch_add(1, Ordering::Relaxed);
        }
        // If they are too many this search only counts.
        if !ordered.take(pairs, most) {
            fit.store(false, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    })?;
    if *fit.get_mut() {
        let _ = each(&ordered.sorted(progress)?);
        return Ok(());
    }
    let mut begin = 0;
    while begin < order.count() {
        // At least `most`, but for the last, and less than a stretch more: so searches are few.
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
        let ordered = PairSorter::new(values.len(), plan.k());
        visit_pairs(values, plan, progress, &|pairs| {
            let ours = |pair: &&Pair| wanted.contains(&order.of(pair));
            let kept: Vec<Pair> = pairs.iter().filter(ours).copied().collect();
            ordered.take(&kept, usize::MAX);
            ControlFlow::Continue(())
        })?;
        if each(&ordered.sorted(progress)?).is_break() {
            return Ok(());
        }
        begin = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        index::{choose, naive},
        kernel::hamming,
    };

    #[test]
    fn too_many_pairs_are_not_kept() {
        let values: Vec<u64> = (0..600).map(|n| n * 37 % 1024).collect();
        let progress = Progress::new();
        let all = naive::all_pairs(&values, 3, &progress).unwrap();
        for plan in [Plan::by_blocks(values.len(), 64, 3, 4), choose(&values, 64, 3)] {
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
                let most = scan::n_pairs(values.len());
                let plan = choose(values, 64, k);
                let (counts, compared) = one_thread.install(|| {
                    hamming::effort::take();
                    let counts = count_pairs(values, &plan, &Progress::new()).unwrap();
                    (counts, hamming::effort::take())
                });
                let n: u64 = counts.iter().sum();
                assert!(
                    compared <= most,
                    "k = {k}: {compared} comparisons for {n} pairs by {plan}"
                );
            }
        }
    }

    /// The work of a plan in comparisons, counted and not timed: the comparisons it makes, 60 for every
    /// value that a block groups, 60 for every look at a bucket around another, of which half go into it, 80
    /// for every pair that passes, and 200,000 for a block.
    fn work(values: &[u64], plan: &Plan) -> f64 {
        hamming::effort::take_all();
        count_pairs(values, plan, &Progress::new()).unwrap();
        hamming::effort::take_all() as f64
    }

    #[test]
    fn no_chosen_plan_costs_many_times_the_best() {
        const AT_MOST: f64 = 4.0;
        let mixed = |n: u64| {
            let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
        };
        // A thousandth of all has a neighbour; nine of ten share most of their upper bits; forty topics, whose
        // members differ from a centre in few bits.
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
                    // Fewer blocks than these look into too many buckets to be worth a try.
                    let block_counts = (k / 3 + 1)..=(k + 1);
                    let ways = block_counts.map(|m| Plan::by_blocks(values.len(), 64, k, m));
                    let ways = ways.chain([Plan::scan(values.len(), 64, k)]);
                    let (chosen, best) = one_thread.install(|| {
                        let best = ways.map(|plan| work(&values, &plan)).fold(f64::MAX, f64::min);
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
            // One search before them.
            assert!(portions <= n / most + 1, "{portions} portions of {n} pairs");
        }
    }
}
