//! The cost of each way to find all pairs: by formula for random values, and measured in a sample.
//!
//! Grouping costs a few nanoseconds for each value, visiting each of the buckets around another has a cost, two
//! rows in a bucket cost a comparison, and a pair that is found costs more than fifty comparisons, even if an
//! earlier block finds it too. The formula gives the number of comparisons for random values. In a sample three
//! things are measured: the real number of comparisons, the number of near pairs among them, and the cost of
//! heavy buckets, each planned as the search will plan it.
//!
//! A heavy bucket is searched by blocks only if that clearly costs less than comparing all of it, where heavy
//! buckets inside it are priced as compared: so the work inside heavy buckets shrinks with each level.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{
    Block, BlockPlan, Method, ProbedBlock,
    block::n_pairs,
    block_plan::{keys_around, upper_blocks},
    folds::{self, BitCompaction},
    join::HEAVY,
};
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
/// Compares two values in a bucket.
const COMPARE: f64 = 0.12;
/// Compares the folds of two values in a bucket.
const FOLD_COMPARE: f64 = 0.045;
/// Finds a near pair, once, and passes it on.
const REPORT_PAIR: f64 = 10.0;
/// Starts a block.
const START_BLOCK: f64 = 20_000.0;

/// The number of values up to which the caches hold most buckets.
const CACHED_VALUES: f64 = 4e6;
/// The ratio of measured to predicted cost above which other plans are measured too.
pub(super) const SKEW_RATIO: f64 = 1.5;
/// A heavy bucket is searched by blocks if comparing all of it costs this many times as much.
const CLEAR_ADVANTAGE: f64 = 2.0;
/// The largest number of blocks that is considered; more and narrower blocks have never been cheaper.
const MOST_BLOCKS: u32 = 32;
/// The number of leading bits of a block by which bucket sizes are counted; the bits below are assumed random.
const COUNTED_BITS: u32 = 16;
/// The largest number of visits to buckets around the rows of the sample; with larger radii fewer rows are used.
const MOST_VISITS: usize = 1 << 17;
/// The sample of a heavy bucket has one of this many rows.
const HEAVY_STEP: usize = 4;
/// The largest number of rows in the sample of a heavy bucket.
const HEAVY_SAMPLE: usize = 1 << 12;

/// A measured or estimated cost.
#[derive(Clone, Copy, Debug, Default)]
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

/// The cheapest method for `n` random values.
pub(super) fn by_formula(n: usize, width: u32, k: u32) -> Method {
    let mut best = (scan_cost(n, k).nanoseconds, Method::Scan);
    for m in block_counts(width, k) {
        let plan = BlockPlan::even(n, width, k, m);
        let cost = random_cost(n, &plan);
        if cost.nanoseconds < best.0 {
            best = (cost.nanoseconds, Method::Blocks(plan));
        }
    }
    best.1
}

/// The method for a heavy bucket with these values.
pub(super) fn for_heavy_bucket<B: Bits>(values: &[B], width: u32, k: u32) -> Method {
    // Small or narrow buckets need no sample.
    if by_formula(values.len(), width, k) == Method::Scan {
        return Method::Scan;
    }
    Sample::new(values, HEAVY_SAMPLE.min(values.len() / HEAVY_STEP)).heavy_bucket(width, k).1
}

/// The cost of comparing all pairs if no pair is near.
pub(super) fn scan_cost(n: usize, k: u32) -> Cost {
    let compare = if folds::are_selective(k) { FOLD_COMPARE } else { COMPARE };
    let comparisons = n_pairs(n) as f64;
    Cost { nanoseconds: comparisons * compare, comparisons }
}

/// The cost of a block plan for random values.
pub(super) fn random_cost(n: usize, plan: &BlockPlan) -> Cost {
    plan.blocks().iter().map(|&probed| random_block_cost(n, probed, plan.k())).sum()
}

fn random_block_cost(n: usize, probed: ProbedBlock, k: u32) -> Cost {
    cost(n, probed, k, n_pairs(n) as f64 * keys_within(probed) / keys(probed.block))
}

/// The cost of a probed block in a search up to `k` with `comparisons` comparisons.
fn cost(n: usize, probed: ProbedBlock, k: u32, comparisons: f64) -> Cost {
    let (row, compare) = if folds::are_used(probed, k) {
        (GROUP_FOLD, FOLD_COMPARE)
    } else {
        (GROUP_VALUE, COMPARE)
    };
    let (n, keys) = (n as f64, keys(probed.block));
    let filled = keys * (1.0 - (-n / keys).exp());
    let visits = filled * (keys_within(probed) - 1.0) / 2.0;
    let visit = if n > CACHED_VALUES { VISIT_FAR_BUCKET } else { VISIT_BUCKET };
    let nanoseconds = START_BLOCK
        + n * row
        + keys * VISIT_KEY
        + visits * (visit + n / keys * GATHER)
        + comparisons * compare;
    Cost { nanoseconds, comparisons }
}

fn keys(block: Block) -> f64 {
    f64::from(block.width).exp2()
}

/// The number of keys within the radius of a key, including the key itself.
fn keys_within(ProbedBlock { block, radius }: ProbedBlock) -> f64 {
    let mut sum = 0.0;
    let mut choices = 1.0;
    for bits in 0..=radius.min(block.width) {
        sum += choices;
        choices *= f64::from(block.width - bits) / f64::from(bits + 1);
    }
    sum
}

/// A sample of the values, evenly spread and in random order, to count buckets and near pairs.
pub(super) struct Sample<B> {
    values: Vec<B>,
    n: usize,
}

impl<B: Bits> Sample<B> {
    /// A sample of at most about `most` of `values`.
    pub(super) fn new(values: &[B], most: usize) -> Self {
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
        Self { values: some, n: values.len() }
    }

    /// The sample of the compressed values.
    pub(super) fn compressed(self, compaction: &BitCompaction) -> Self {
        Self { values: compaction.compress(&self.values).into_owned(), n: self.n }
    }

    /// The cost of comparing all pairs.
    pub(super) fn scan(&self, k: u32) -> Cost {
        let near = |pair: &&[B]| pair[0].distance(pair[1]) <= k;
        let hits = self.values.windows(2).filter(near).count() as f64;
        let rate = hits / self.values.len().saturating_sub(1).max(1) as f64;
        let Cost { nanoseconds, comparisons } = scan_cost(self.n, k);
        Cost { nanoseconds: nanoseconds + comparisons * rate * REPORT_PAIR, comparisons }
    }

    /// The cost of each block of the plan, with the buckets of the sample.
    pub(super) fn costs(
        &self,
        plan: &BlockPlan,
        heavy: HeavyBucketCost,
    ) -> Vec<(ProbedBlock, Cost)> {
        let cost =
            |probed: &ProbedBlock| self.count(probed.block, plan.k(), heavy).cost(probed.radius);
        plan.blocks().par_iter().map(|probed| (*probed, cost(probed))).collect()
    }

    /// The method and cost for a heavy bucket; heavy buckets inside it are priced as compared.
    fn heavy_bucket(&self, width: u32, k: u32) -> (Cost, Method) {
        let scan = self.scan(k);
        let Method::Blocks(formula) = by_formula(self.n, width, k) else {
            return (scan, Method::Scan);
        };
        let mut best = (scan, Method::Scan);
        let mut limit = scan.nanoseconds / CLEAR_ADVANTAGE;
        let mut measure = |plan: BlockPlan| {
            let cost = sum(&self.costs(&plan, HeavyBucketCost::Compared));
            if cost.nanoseconds < limit {
                limit = cost.nanoseconds;
                best = (cost, Method::Blocks(plan));
            }
            (cost.nanoseconds, limit)
        };
        let predicted = random_cost(self.n, &formula).nanoseconds;
        let (measured, mut limit) = measure(formula);
        if measured > SKEW_RATIO * predicted {
            for m in block_counts(width, k) {
                let plan = BlockPlan::even(self.n, width, k, m);
                if random_cost(self.n, &plan).nanoseconds < limit {
                    (_, limit) = measure(plan);
                }
            }
        }
        best
    }

    /// The cheapest radii for `m` blocks, some of which may be left out.
    ///
    /// Dynamic programming over the blocks keeps, for each sum of (radius + 1) so far, the cheapest choice. A
    /// choice that costs more than `limit` nanoseconds even for random values is not measured, and a block whose
    /// remaining choices are all in `known` is not measured again. `None` if no choice is left.
    pub(super) fn cheapest(
        &self,
        width: u32,
        k: u32,
        m: u32,
        limit: f64,
        known: &[(ProbedBlock, Cost)],
    ) -> Option<(Cost, BlockPlan)> {
        let wanted = (k + 1) as usize;
        let most = wanted.div_ceil(m as usize) + 1;
        let mut best: Vec<Option<(Cost, Vec<ProbedBlock>)>> = vec![None; wanted + 1];
        best[0] = Some((Cost::default(), Vec::new()));
        let blocks: Vec<Block> = upper_blocks(self.n, width, m).collect();
        let radii = 0..most.min(wanted) as u32;
        let choices_of =
            |block: Block| radii.clone().map(move |radius| ProbedBlock { block, radius });
        let random = |probed: ProbedBlock| random_block_cost(self.n, probed, k).nanoseconds;
        let share = |probed: ProbedBlock| probed.radius as usize + 1;
        // The smallest cost of one unit of the sum.
        let shares = blocks.iter().flat_map(|block| choices_of(*block));
        let least =
            shares.map(|probed| random(probed) / share(probed) as f64).fold(limit, f64::min);
        let is_affordable = |probed: &ProbedBlock| {
            random(*probed) + (wanted - share(*probed)) as f64 * least < limit
        };
        let price = |block: Block| -> Vec<(ProbedBlock, Cost)> {
            let plan: Vec<ProbedBlock> = choices_of(block).filter(is_affordable).collect();
            let before =
                |probed: &ProbedBlock| known.iter().find(|(known, _)| known == probed).copied();
            let known: Option<Vec<_>> = plan.iter().map(before).collect();
            known.unwrap_or_else(|| {
                let counted = self.count(block, k, HeavyBucketCost::Planned);
                plan.into_iter().map(|probed| (probed, counted.cost(probed.radius))).collect()
            })
        };
        let prices: Vec<_> = blocks.into_par_iter().map(price).collect();
        for choices in prices {
            let before = best.clone();
            for (probed, own) in choices {
                let share = share(probed);
                for sum in share..=wanted {
                    let Some((cost, plan)) = &before[sum - share] else { continue };
                    let cost: Cost = [*cost, own].into_iter().sum();
                    let known = best[sum].as_ref();
                    if known.is_none_or(|(known, _)| cost.nanoseconds < known.nanoseconds) {
                        let plan = plan.iter().copied().chain([probed]).collect();
                        best[sum] = Some((cost, plan));
                    }
                }
            }
        }
        let (cost, plan) = best.pop().flatten()?;
        Some((cost, BlockPlan::new(plan)))
    }

    /// Counts the buckets of a block.
    fn count(&self, block: Block, k: u32, heavy: HeavyBucketCost) -> SampledBlock<'_, B> {
        let counted = block.width.min(COUNTED_BITS);
        let low = block.low + block.width - counted;
        let mask = (1 << counted) - 1;
        let keys: Vec<u32> = self.values.iter().map(|v| v.shifted(low) & mask).collect();
        let mut sizes = vec![0_u32; 1 << counted];
        for &key in &keys {
            sizes[key as usize] += 1;
        }

        let scale = self.n as f64 / self.values.len().max(1) as f64;
        let is_heavy = |size: u32| {
            counted == block.width && size > 1 && f64::from(size) * scale >= HEAVY as f64
        };
        let alone = |size: &&u32| !is_heavy(**size);
        let meeting = sizes.iter().filter(alone).map(|&size| n_pairs(size as usize)).sum::<u64>();
        let last = vec![u32::MAX; sizes.len()];
        let (meeting, known) = (meeting as f64, Cost::default());
        let mut found =
            SampledBlock { sample: self, block, k, keys, sizes, last, meeting, near: 0.0, known };
        let mut members: BTreeMap<u32, Vec<B>> = BTreeMap::new();
        for (at, &value) in self.values.iter().enumerate() {
            let key = found.keys[at];
            let size = found.sizes[key as usize];
            let before = std::mem::replace(&mut found.last[key as usize], at as u32);
            if is_heavy(size) {
                members.entry(key).or_default().push(value);
            } else if let Some(&before) = self.values.get(before as usize)
                && found.is_near(value, before, 0)
            {
                // Only consecutive values of a bucket are compared: s - 1 of its s (s - 1) / 2 pairs.
                found.near += f64::from(size) / 2.0;
            }
        }
        let price = |values: Vec<B>| {
            let n = (values.len() as f64 * scale) as usize;
            let compaction = BitCompaction::of(&values, B::CAPACITY);
            let bucket = Self { values, n }.compressed(&compaction);
            match heavy {
                HeavyBucketCost::Planned => bucket.heavy_bucket(compaction.width(), k).0,
                HeavyBucketCost::Compared => bucket.scan(k),
            }
        };
        found.known = members.into_values().map(price).sum();
        found
    }
}

/// The sum of these costs, always added in the same order, so that it is always the same.
pub(super) fn sum(costs: &[(ProbedBlock, Cost)]) -> Cost {
    costs.iter().map(|(_, cost)| *cost).sum()
}

/// The way to price heavy buckets.
#[derive(Clone, Copy, Debug)]
pub(super) enum HeavyBucketCost {
    /// By the plan that the search will make.
    Planned,
    /// By comparing all their rows.
    Compared,
}

/// The buckets of a block in a sample.
struct SampledBlock<'a, B> {
    sample: &'a Sample<B>,
    block: Block,
    k: u32,
    /// The key of each value, made of its leading bits.
    keys: Vec<u32>,
    /// The number of values with each key.
    sizes: Vec<u32>,
    /// The last value with each key.
    last: Vec<u32>,
    /// The number of pairs inside buckets that are not heavy.
    meeting: f64,
    /// An estimate of the number of near pairs among them.
    near: f64,
    /// The cost of the heavy buckets.
    known: Cost,
}

impl<B: Bits> SampledBlock<'_, B> {
    /// Whether two values are near and differ in at most `radius` bits of the whole block.
    fn is_near(&self, left: B, right: B, radius: u32) -> bool {
        let mask = (1 << self.block.width) - 1;
        left.distance(right) <= self.k
            && ((left ^ right).shifted(self.block.low) & mask).count_ones() <= radius
    }

    /// The cost of the block with this radius.
    fn cost(&self, radius: u32) -> Cost {
        let (sample, probed) = (self.sample, ProbedBlock { block: self.block, radius });
        let (mut meeting, mut near) = (self.meeting, self.near);
        let counted = self.block.width.min(COUNTED_BITS);
        let masks = keys_around(counted, radius);
        if !masks.is_empty() {
            let rows = (MOST_VISITS / masks.len()).clamp(1, self.keys.len().max(1));
            let (mut around, mut near_around) = (0_u64, 0_u64);
            for (at, &key) in self.keys.iter().enumerate().take(rows) {
                let size = |mask: &u32| u64::from(self.sizes[(key ^ mask) as usize]);
                around += masks.iter().map(size).sum::<u64>();
                // Compares with one value of one of the buckets around.
                let mask = &masks[at % masks.len()];
                let other = self.last[(key ^ mask) as usize] as usize;
                let other = sample.values.get(other);
                if other.is_some_and(|&other| self.is_near(sample.values[at], other, radius)) {
                    near_around += size(mask) * masks.len() as u64;
                }
            }
            // Each two buckets are counted twice.
            let scale = self.keys.len() as f64 / rows as f64 / 2.0;
            meeting += around as f64 * scale;
            near += near_around as f64 * scale;
        }

        let scale = n_pairs(sample.n) as f64 / n_pairs(sample.values.len()).max(1) as f64;
        let below = (-f64::from(self.block.width - counted)).exp2();
        let by_chance = random_block_cost(sample.n, probed, self.k).comparisons;
        let cost = cost(sample.n, probed, self.k, (meeting * scale * below).max(by_chance));
        let hits = Cost { nanoseconds: near * scale * REPORT_PAIR, comparisons: 0.0 };
        [cost, hits, self.known].into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nine of ten values share most of their upper bits.
    fn skewed(n: u64) -> Vec<u64> {
        let value = |i: u64| {
            let mixed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
            if i.is_multiple_of(10) { mixed } else { mixed & 0x0f00_0fff_ffff_ffff }
        };
        (0..n).map(value).collect()
    }

    #[test]
    fn what_is_known_or_in_vain_changes_no_choice() {
        let mut n_found = 0;
        for n in [2_000, 60_000] {
            let sample = Sample::new(&skewed(n), 1 << 12);
            for k in [1, 3, 6, 9] {
                let formula = BlockPlan::even(n as usize, 64, k, (k + 1).min(4));
                let known = sample.costs(&formula, HeavyBucketCost::Planned);
                for m in block_counts(64, k) {
                    let Some((cost, plan)) = sample.cheapest(64, k, m, f64::INFINITY, &[]) else {
                        panic!("without a limit there is a way");
                    };
                    for share in [0.5, 0.99, 1.01, 1.5, 10.0] {
                        let limit = share * cost.nanoseconds;
                        let found = sample.cheapest(64, k, m, limit, &known);
                        let found = found.filter(|(cost, _)| cost.nanoseconds < limit);
                        let expected = (share > 1.0).then_some((cost.nanoseconds, &plan));
                        let found = found.as_ref().map(|(cost, plan)| (cost.nanoseconds, plan));
                        assert_eq!(found, expected, "{n} values, k = {k}, {m} blocks, {share}");
                        n_found += usize::from(found.is_some());
                    }
                }
            }
        }
        assert!(n_found > 0);
    }
}
