//! The cost of each way to find all pairs: a formula of the number of values, the bits that vary, and k.
//!
//! Grouping costs a few nanoseconds for each value, visiting each of the buckets around another has a cost, two
//! rows in a bucket cost a comparison, and a pair that is found costs more than fifty comparisons, even if an
//! earlier block finds it too. How many rows meet in buckets depends on the bits of the block. Random values have
//! as many as the block is wide; of other values a sample gives the effective number: if one pair in 2^b agrees in
//! the block, its rows meet as those of a block of b random bits.
//!
//! A heavy bucket is priced as a corpus of its own, because it is searched like one. Inside it heavy buckets are
//! priced as compared: so the work inside heavy buckets shrinks with each level.

use rayon::prelude::*;

use super::block::n_pairs;
use super::block_plan::upper_blocks;
use super::folds::{self, BitCompaction};
use super::{Block, BlockPlan, ProbedBlock};
use crate::kernel::isa::{Isa, Level};
use crate::simhash::Bits;

// Costs in nanoseconds, measured on one core of a 2.7 GHz Xeon with cold caches.

/// Groups a value by a block.
const GROUP_VALUE: f64 = 9.0;
/// Groups the fold of a value by a block.
const GROUP_FOLD: f64 = 6.0;
/// Visits a key of a block, with or without values.
const VISIT_KEY: f64 = 4.0;
/// Finds one of the buckets around another.
const VISIT_BUCKET: f64 = 15.0;
/// Finds one of the buckets around another among more than [`CACHED_VALUES`] values.
const VISIT_FAR_BUCKET: f64 = 35.0;
/// Gathers a value from one of the buckets around another.
const GATHER: f64 = 0.7;
/// Finds a near pair, once, and passes it on.
const REPORT_PAIR: f64 = 10.0;
/// Starts a block.
const START_BLOCK: f64 = 20_000.0;

/// The number of values up to which the caches hold most buckets.
const CACHED_VALUES: f64 = 4e6;
/// The largest number of blocks that is considered; more and narrower blocks have never been cheaper.
const MOST_BLOCKS: u32 = 32;

/// Compares two values in a bucket, or their folds: what the loops take at the level of this processor. The costs without
/// AVX-512 were measured on an AMD EPYC, where the other costs are those of the Xeon.
fn compare(is_fold: bool) -> f64 {
    let [value, fold] = match Isa::get().level() {
        Level::Plain => [0.58, 0.29],
        Level::Avx2 => [0.27, 0.13],
        Level::Avx512 => [0.12, 0.045],
    };
    if is_fold { fold } else { value }
}

/// A measured or estimated cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    pub(super) nanoseconds: f64,
    pub(super) comparisons: f64,
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), |sum, cost| Self {
            nanoseconds: sum.nanoseconds + cost.nanoseconds,
            comparisons: sum.comparisons + cost.comparisons,
        })
    }
}

/// The numbers of blocks that may be cheapest; empty for a width of 0.
pub(super) fn block_counts(width: u32, k: u32) -> std::ops::RangeInclusive<u32> {
    1..=k.saturating_add(1).min(width).min(MOST_BLOCKS)
}

/// The cheapest blocks for `n` random values, and their cost; `None` if a scan is cheaper.
pub(super) fn by_formula(n: usize, width: u32, k: u32) -> (Cost, Option<BlockPlan>) {
    let mut best = (scan_cost(n, k), None);
    for m in block_counts(width, k) {
        let plan = BlockPlan::even(n, width, k, m);
        let cost = random_cost(n, width, &plan);
        if cost.nanoseconds < best.0.nanoseconds {
            best = (cost, Some(plan));
        }
    }
    best
}

/// The cost of comparing all pairs if no pair is near.
pub(super) fn scan_cost(n: usize, k: u32) -> Cost {
    let comparisons = n_pairs(n) as f64;
    Cost { nanoseconds: comparisons * compare(folds::are_selective(k)), comparisons }
}

/// The cost of a block plan for random values.
pub(super) fn random_cost(n: usize, width: u32, plan: &BlockPlan) -> Cost {
    let cost = |probed: &ProbedBlock| {
        let bits = f64::from(probed.block.width);
        let (light, near, heavy) = ((-bits).exp2(), 0.0, Cost::default());
        let buckets = BlockBuckets { block: probed.block, bits, light, near, heavy };
        buckets.cost(n, width, plan.k(), probed.radius)
    };
    plan.blocks().iter().map(cost).sum()
}

/// The causes of the cost of a block.
struct BlockBuckets {
    block: Block,
    /// The effective bits: of 2^bits pairs one agrees in the block.
    bits: f64,
    /// The share of all pairs that are together in a bucket that is not heavy.
    light: f64,
    /// The number of near pairs that agree in the block.
    near: f64,
    /// The cost of the heavy buckets.
    heavy: Cost,
}

impl BlockBuckets {
    /// The cost of the block with a radius, in a search up to `k` of `n` values of `width` bits.
    fn cost(&self, n: usize, width: u32, k: u32, radius: u32) -> Cost {
        let block = self.block;
        let is_fold = folds::are_used(ProbedBlock { block, radius }, k);
        let (row, compare) = (if is_fold { GROUP_FOLD } else { GROUP_VALUE }, compare(is_fold));
        let around = (choices(self.bits, radius, 1.0) - 1.0) * (-self.bits).exp2();
        let comparisons = n_pairs(n) as f64 * (self.light + around).min(1.0);
        // The bits in which a near pair differs are in the block or outside, as their numbers are.
        let odds = f64::from(block.width) / f64::from((width - block.width).max(1));
        let near = self.near * choices(k.into(), radius, odds);

        let (n, bits) = (n as f64, f64::from(block.width));
        let keys = bits.exp2();
        let filled = keys * (1.0 - (-n / keys).exp());
        let visits = filled * (choices(bits, radius, 1.0) - 1.0) / 2.0;
        let visit = if n > CACHED_VALUES { VISIT_FAR_BUCKET } else { VISIT_BUCKET };
        let nanoseconds = START_BLOCK
            + n * row
            + keys * VISIT_KEY
            + visits * (visit + n / keys * GATHER)
            + comparisons * compare
            + near * REPORT_PAIR;
        [Cost { nanoseconds, comparisons }, self.heavy].into_iter().sum()
    }
}

/// The number of ways to choose at most `most` of `n`, each chosen one weighed by `odds`: of keys within a radius
/// of a key, including the key itself, if `odds` is 1.
fn choices(n: f64, most: u32, odds: f64) -> f64 {
    let (mut sum, mut ways) = (1.0, 1.0);
    for chosen in 0..most {
        ways *= (n - f64::from(chosen)).max(0.0) / f64::from(chosen + 1) * odds;
        sum += ways;
    }
    sum
}

/// A sample of the values, evenly spread and in random order, to count buckets and near pairs.
pub(super) struct Sample<B> {
    values: Vec<B>,
    /// The number of all values.
    n: usize,
    /// The number of bits that vary.
    width: u32,
    k: u32,
    /// From this many rows a bucket is searched like a corpus.
    heavy: usize,
}

impl<B: Bits> Sample<B> {
    /// A sample of at most about `most` of `values`, of which it keeps the bits that vary, for a search up to `k`.
    pub(super) fn new(
        values: &[B],
        compaction: &BitCompaction,
        k: u32,
        most: usize,
        heavy: usize,
    ) -> Self {
        let step = values.len().div_ceil(most.max(1)).max(1);
        let mut state = 0_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (((state >> 32) * n as u64) >> 32) as usize
        };
        // Takes a random value of each step: in a sorted corpus the first values of the steps may all agree in
        // some bits.
        let mut some: Vec<B> =
            values.chunks(step).map(|values| values[below(values.len())]).collect();
        // Neighbours in the corpus are often similar; neighbours in the sample should be as different as any
        // other pair.
        for at in (1..some.len()).rev() {
            some.swap(at, below(at + 1));
        }
        let some = compaction.compress(&some).into_owned();
        Self { values: some, n: values.len(), width: compaction.width, k, heavy }
    }

    /// The number of near pairs among neighbours in a list.
    fn n_near(&self, values: &[B]) -> f64 {
        values.windows(2).filter(|pair| pair[0].distance(pair[1]) <= self.k).count() as f64
    }

    /// The cost of comparing all pairs.
    pub(super) fn scan(&self) -> Cost {
        let hits = self.n_near(&self.values);
        let rate = hits / self.values.len().saturating_sub(1).max(1) as f64;
        let Cost { nanoseconds, comparisons } = scan_cost(self.n, self.k);
        Cost { nanoseconds: nanoseconds + comparisons * rate * REPORT_PAIR, comparisons }
    }

    /// The cost of a block plan.
    pub(super) fn cost(&self, plan: &BlockPlan) -> Cost {
        let cost = |probed: &ProbedBlock| {
            self.buckets(probed.block).cost(self.n, self.width, self.k, probed.radius)
        };
        // Collected, so that the costs are always added in the same order.
        plan.blocks().par_iter().map(cost).collect::<Vec<_>>().into_iter().sum()
    }

    /// The cheapest radii for `m` blocks, and their cost. Each of the k + 1 units of radius + 1 goes to the block
    /// for which it costs least; a block without any is left out, like one that nearly all values share.
    pub(super) fn blocks(&self, m: u32) -> (Cost, BlockPlan) {
        let blocks: Vec<Block> = upper_blocks(self.n, self.width, m).collect();
        let blocks: Vec<BlockBuckets> =
            blocks.into_par_iter().map(|block| self.buckets(block)).collect();
        let cost = |at: usize, units: u32| {
            units.checked_sub(1).map_or(Cost::default(), |radius| {
                blocks[at].cost(self.n, self.width, self.k, radius)
            })
        };
        let mut units = vec![0; blocks.len()];
        for _ in 0..=self.k {
            let added =
                |at: usize| cost(at, units[at] + 1).nanoseconds - cost(at, units[at]).nanoseconds;
            let cheapest = (0..units.len()).min_by(|&a, &b| added(a).total_cmp(&added(b)));
            units[cheapest.expect("at least one block")] += 1;
        }
        let total = units.iter().enumerate().map(|(at, &units)| cost(at, units)).sum();
        let probed = |(buckets, units): (&BlockBuckets, u32)| {
            Some(ProbedBlock { block: buckets.block, radius: units.checked_sub(1)? })
        };
        (total, BlockPlan::new(blocks.iter().zip(units).filter_map(probed).collect()))
    }

    /// The buckets of a block.
    fn buckets(&self, block: Block) -> BlockBuckets {
        let key = |value: &B| value.shifted(block.low) & ((1 << block.width) - 1);
        let mut values = self.values.clone();
        values.sort_by_key(key);
        let scale = self.n as f64 / values.len().max(1) as f64;
        let (mut light, mut all, mut near, mut heavy) = (0, 0, 0.0, Cost::default());
        for bucket in values.chunk_by(|a, b| key(a) == key(b)) {
            let (pairs, n) = (n_pairs(bucket.len()), bucket.len() as f64);
            all += pairs;
            // Only neighbours are compared: n - 1 of n (n - 1) / 2 pairs.
            near += self.n_near(bucket) * n / 2.0;
            let n_rows = (n * scale) as usize;
            if n_rows >= self.heavy && pairs > 0 {
                // Random values of b bits differ in b / 2 on average.
                let apart: u32 = bucket.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                let bits = (2 * apart / (bucket.len() as u32 - 1)).min(self.width - block.width);
                let cost = by_formula(n_rows, bits, self.k).0;
                heavy = [heavy, cost].into_iter().sum();
            } else {
                light += pairs;
            }
        }
        let n_sampled = n_pairs(values.len()).max(1) as f64;
        let by_chance = (-f64::from(block.width)).exp2();
        let share = |pairs: u64| (pairs as f64 / n_sampled).max(by_chance);
        let near = near / n_sampled * n_pairs(self.n) as f64;
        BlockBuckets { block, bits: -share(all).log2(), light: share(light), near, heavy }
    }
}
