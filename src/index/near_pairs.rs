//! All near pairs by the planned method, or those that tables bring together: as a stream, counted, or in
//! order.
//!
//! The order is the contract's: nearest first, then by `a` and `b`. What does not fit in memory at
//! once comes in several searches, each of which lists all pairs and keeps those of one stretch of that
//! order: memory does not grow with the answer, but time does, by a whole search for each portion.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    all_pairs::visit_all_pairs,
    join,
    layout::Layout,
    pair::{Pair, Take, unless_cancelled},
    pair_sorter::{PairRanges, PairSorter},
    plan::{Method, Plan},
    scan,
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The most ranges by which an answer is counted before it is known to fit.
const MOST_STRETCHES: usize = 1 << 16;

/// A way to find pairs of values: by a [`Plan`], or [`ByTables`].
pub trait Find<B: Bits> {
    /// The distance up to which it looks.
    fn k(&self) -> u32;

    /// The plan it goes by, if it goes by one.
    fn plan(&self) -> Option<&Plan>;

    /// Passes every pair it finds to `take`, each once, `a < b`, in no order, until that says stop.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    fn visit(&self, values: &[B], progress: &Progress, take: Take<'_>) -> Result<(), Cancelled>;
}

impl<B: Bits> Find<B> for Plan {
    fn k(&self) -> u32 {
        self.k()
    }

    fn plan(&self) -> Option<&Plan> {
        Some(self)
    }

    fn visit(&self, values: &[B], progress: &Progress, take: Take<'_>) -> Result<(), Cancelled> {
        visit_pairs(values, self, progress, take)
    }
}

/// The pairs within k that share a key of a layout: all of them where it guarantees k, for bands those
/// that share a band.
#[derive(Clone, Copy, Debug)]
pub struct ByTables<'a> {
    /// The tables.
    pub layout: &'a Layout,
    /// The largest distance.
    pub k: u32,
}

impl<B: Bits> Find<B> for ByTables<'_> {
    fn k(&self) -> u32 {
        self.k.min(self.layout.width())
    }

    fn plan(&self) -> Option<&Plan> {
        None
    }

    fn visit(&self, values: &[B], progress: &Progress, take: Take<'_>) -> Result<(), Cancelled> {
        visit_all_pairs(values, self.layout, self.k, progress, take)
    }
}

/// Passes every pair of `values` within the plan's k to `take`, each once, `a < b`, in no order, until it
/// says stop.
///
/// Exact. Equal values are reported at distance 0; collapse them first if there are many.
///
/// # Errors
/// [`Cancelled`] if told to stop; noticed within milliseconds.
///
/// # Panics
/// If there are 2^32 values or more, or if the plan was made for others that have less variety.
pub fn visit_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    progress: &Progress,
    take: Take<'_>,
) -> Result<(), Cancelled> {
    let (values, width) = plan.compress(values);
    unless_cancelled(match &plan.method {
        Method::Blocks(blocks) => join::visit(&values, width, blocks, progress, take),
        Method::Scan => scan::visit(&values, plan.k(), progress, take),
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

/// Every pair of `values` that this finds, in order, if there are at most `most`, else `None`, as soon as
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
    find: &dyn Find<B>,
    most: usize,
    progress: &Progress,
) -> Result<Option<Vec<Pair>>, Cancelled> {
    let ordered = PairSorter::new(values.len(), find.k());
    let mut fit = AtomicBool::new(true);
    find.visit(values, progress, &|pairs| {
        if ordered.take(pairs, most) {
            ControlFlow::Continue(())
        } else {
            fit.store(false, Ordering::Relaxed);
            ControlFlow::Break(())
        }
    })?;
    fit.get_mut().then(|| ordered.sorted(progress)).transpose()
}

/// Passes every pair of `values` that this finds to `each`, in order, about `most` at a time, until
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
    find: &dyn Find<B>,
    most: usize,
    progress: &Progress,
    each: &mut dyn FnMut(&[Pair]) -> ControlFlow<()>,
) -> Result<(), Cancelled> {
    let order = PairRanges::new(values.len(), find.k(), MOST_STRETCHES);
    let sizes: Vec<AtomicU64> = (0..order.count()).map(|_| AtomicU64::new(0)).collect();
    let ordered = PairSorter::new(values.len(), find.k());
    let mut fit = AtomicBool::new(true);
    find.visit(values, progress, &|pairs| {
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
        let ordered = PairSorter::new(values.len(), find.k());
        find.visit(values, progress, &|pairs| {
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
