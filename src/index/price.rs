//! What ways to find all pairs cost: by formula for random values, and measured in a sample.
//!
//! Grouping costs some nanoseconds a value, buckets around cost a look each, two rows that meet a
//! comparison, and a pair found more than fifty of those, whether or not an earlier hole has it. The
//! formula knows how many random values meet. A sample tells how many of these do, how many pairs that
//! meet are near, and what its crowds cost, each planned as it will be when its turn comes.
//!
//! A crowd goes by blocks only if that clearly costs less than comparing everything, crowds inside it
//! counted as compared: so what is done inside crowds shrinks with each level.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{
    block::{Block, Cut},
    folds,
    join::CROWD,
    pigeonhole::{Hole, Pigeonholes, around},
    plan::Method,
    runs::WIDEST,
    scan::n_pairs,
    varying::Varying,
};
use crate::simhash::Bits;

// Nanoseconds, measured on one core of a 2.7 GHz Xeon with cold caches.

/// To group a value by a block.
const ROW: f64 = 9.0;
/// To group its fold instead.
const FOLD_ROW: f64 = 6.0;
/// To pass over a key of a block, whether there are values or not.
const KEY: f64 = 4.0;
/// To find one of the buckets around another.
const LOOK: f64 = 15.0;
/// The same where there are more than [`NEAR`] values.
const FAR_LOOK: f64 = 35.0;
/// To gather a value from one.
const GATHER: f64 = 0.7;
/// To compare two values that meet.
const COMPARE: f64 = 0.12;
/// To compare their folds.
const FOLD_COMPARE: f64 = 0.045;
/// To find a pair that is near, once, and pass it on.
const HIT: f64 = 10.0;
/// To begin with a block at all.
const BEGIN: f64 = 20_000.0;

/// Values whose buckets the caches hold, or nearly.
const NEAR: f64 = 4e6;
/// How much more than predicted a sample may cost before other ways are measured too.
pub(super) const AS_PREDICTED: f64 = 1.5;
/// How many times less than comparing everything another way must cost in a crowd.
const CLEARLY: f64 = 2.0;
/// The most blocks that are considered; more and narrower ones have never been cheaper.
const MOST_BLOCKS: u32 = 32;
/// Values a bucket should have, at least: passing over a bucket costs as much as comparing those.
const FILLED: usize = 8;
/// Leading bits of a block that bucket sizes are counted by; the bits below are taken as random.
const COUNTED_BITS: u32 = 16;
/// Buckets around the sample's rows that are looked at; where there are more, of fewer rows.
const MOST_LOOKS: usize = 1 << 17;
/// Of how many rows of a crowd one is looked at.
const CROWD_STEP: usize = 4;
/// The most rows of a crowd that are looked at.
const CROWD_SAMPLE: usize = 1 << 12;

/// What a way costs, or is thought to.
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

/// The numbers of blocks that may be cheapest; none for a width of 0.
pub(super) fn block_counts(width: u32, k: u32) -> std::ops::RangeInclusive<u32> {
    1..=k.saturating_add(1).min(width).min(MOST_BLOCKS)
}

/// The cheapest method for `n` random values.
pub(super) fn by_formula(n: usize, width: u32, k: u32) -> Method {
    let mut best = (scan_cost(n, k).nanoseconds, Method::Scan);
    for m in block_counts(width, k) {
        let holes = even(n, width, k, m);
        let cost = random_cost(n, &holes);
        if cost.nanoseconds < best.0 {
            best = (cost.nanoseconds, Method::Holes(holes));
        }
    }
    best.1
}

/// The method for a crowd of these values.
pub(super) fn for_crowd<B: Bits>(values: &[B], width: u32, k: u32) -> Method {
    // Small or narrow ones need no sample.
    if by_formula(values.len(), width, k) == Method::Scan {
        return Method::Scan;
    }
    Sample::new(values, CROWD_SAMPLE.min(values.len() / CROWD_STEP)).crowd(width, k).1
}

/// `m` blocks of about equal width, the reaches as equal as they can be.
pub(super) fn even(n: usize, width: u32, k: u32, m: u32) -> Pigeonholes {
    let reach = |at| (k + 1) / m + u32::from(at < (k + 1) % m) - 1;
    let holes = (0..).zip(blocks(n, width, m));
    Pigeonholes::new(holes.map(|(at, block)| Hole { block, reach: reach(at) }).collect())
}

/// The upper bits of `m` blocks over the width: no more buckets than hold some values each.
fn blocks(n: usize, width: u32, m: u32) -> impl Iterator<Item = Block> {
    let most = ((n / FILLED).max(1).ilog2() + 1).min(WIDEST);
    Cut::WideFirst.blocks(width, m).into_iter().map(move |block| {
        let spare = block.width.saturating_sub(most);
        Block { low: block.low + spare, width: block.width - spare }
    })
}

/// What comparing everything costs if nothing is found.
pub(super) fn scan_cost(n: usize, k: u32) -> Cost {
    let compare = if folds::tell(k) { FOLD_COMPARE } else { COMPARE };
    let comparisons = n_pairs(n) as f64;
    Cost { nanoseconds: comparisons * compare, comparisons }
}

/// What holes cost if random values meet as often as random ones.
pub(super) fn random_cost(n: usize, holes: &Pigeonholes) -> Cost {
    holes.holes().iter().map(|&hole| random_hole(n, hole, holes.k())).sum()
}

fn random_hole(n: usize, hole: Hole, k: u32) -> Cost {
    cost(n, hole, k, n_pairs(n) as f64 * keys_within(hole) / keys(hole.block))
}

/// What a hole costs in a search up to `k` with so many pairs compared.
fn cost(n: usize, hole: Hole, k: u32, comparisons: f64) -> Cost {
    let (row, compare) =
        if folds::serve(hole, k) { (FOLD_ROW, FOLD_COMPARE) } else { (ROW, COMPARE) };
    let (n, keys) = (n as f64, keys(hole.block));
    let filled = keys * (1.0 - (-n / keys).exp());
    let looks = filled * (keys_within(hole) - 1.0) / 2.0;
    let look = if n > NEAR { FAR_LOOK } else { LOOK };
    let nanoseconds =
        BEGIN + n * row + keys * KEY + looks * (look + n / keys * GATHER) + comparisons * compare;
    Cost { nanoseconds, comparisons }
}

fn keys(block: Block) -> f64 {
    f64::from(block.width).exp2()
}

/// How many keys lie within the reach of one, itself among them.
fn keys_within(Hole { block, reach }: Hole) -> f64 {
    let mut sum = 0.0;
    let mut choices = 1.0;
    for bits in 0..=reach.min(block.width) {
        sum += choices;
        choices *= f64::from(block.width - bits) / f64::from(bits + 1);
    }
    sum
}

/// Some of the values, evenly spread and in random order, to count buckets and near pairs in.
pub(super) struct Sample<B> {
    values: Vec<B>,
    n: usize,
}

impl<B: Bits> Sample<B> {
    /// At most about `most` of the values.
    pub(super) fn new(values: &[B], most: usize) -> Self {
        let step = values.len().div_ceil(most.max(1)).max(1);
        let mut state = 0_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (((state >> 32) * n as u64) >> 32) as usize
        };
        // Of each step any one: in a sorted corpus the first of each may all agree in some bits.
        let mut some: Vec<B> =
            values.chunks(step).map(|values| values[below(values.len())]).collect();
        // Neighbours in the corpus are often alike; pairs of the sample should be as any others.
        for at in (1..some.len()).rev() {
            some.swap(at, below(at + 1));
        }
        Self { values: some, n: values.len() }
    }

    /// The sample of the compressed values.
    pub(super) fn compressed(self, varying: &Varying) -> Self {
        Self { values: varying.compress(&self.values).into_owned(), n: self.n }
    }

    /// What comparing everything with everything costs.
    pub(super) fn scan(&self, k: u32) -> Cost {
        let near = |pair: &&[B]| pair[0].distance(pair[1]) <= k;
        let hits = self.values.windows(2).filter(near).count() as f64;
        let rate = hits / self.values.len().saturating_sub(1).max(1) as f64;
        let Cost { nanoseconds, comparisons } = scan_cost(self.n, k);
        Cost { nanoseconds: nanoseconds + comparisons * rate * HIT, comparisons }
    }

    /// What each of these holes costs with buckets as they are in the sample.
    pub(super) fn costs(&self, holes: &Pigeonholes, crowds: Crowds) -> Vec<(Hole, Cost)> {
        let cost = |hole: &Hole| self.count(hole.block, holes.k(), crowds).cost(hole.reach);
        holes.holes().par_iter().map(|hole| (*hole, cost(hole))).collect()
    }

    /// The method and price of a crowd, the crowds inside it counted as compared.
    fn crowd(&self, width: u32, k: u32) -> (Cost, Method) {
        let scan = self.scan(k);
        let Method::Holes(formula) = by_formula(self.n, width, k) else {
            return (scan, Method::Scan);
        };
        let mut best = (scan, Method::Scan);
        let mut limit = scan.nanoseconds / CLEARLY;
        let mut measure = |holes: Pigeonholes| {
            let cost = sum(&self.costs(&holes, Crowds::Compared));
            if cost.nanoseconds < limit {
                limit = cost.nanoseconds;
                best = (cost, Method::Holes(holes));
            }
            (cost.nanoseconds, limit)
        };
        let predicted = random_cost(self.n, &formula).nanoseconds;
        let (measured, mut limit) = measure(formula);
        if measured > AS_PREDICTED * predicted {
            for m in block_counts(width, k) {
                let holes = even(self.n, width, k, m);
                if random_cost(self.n, &holes).nanoseconds < limit {
                    (_, limit) = measure(holes);
                }
            }
        }
        best
    }

    /// The cheapest reaches for `m` blocks, some of which may get none.
    ///
    /// A walk over the blocks that keeps, for each sum of (reach + 1) so far, the cheapest choice. What
    /// even random values could not do in `limit` nanoseconds, all holes together, is not measured, and
    /// a block of which all that may do is `known` not again; `None` if nothing is left.
    pub(super) fn cheapest(
        &self,
        width: u32,
        k: u32,
        m: u32,
        limit: f64,
        known: &[(Hole, Cost)],
    ) -> Option<(Cost, Pigeonholes)> {
        let wanted = (k + 1) as usize;
        let most = wanted.div_ceil(m as usize) + 1;
        let mut best: Vec<Option<(Cost, Vec<Hole>)>> = vec![None; wanted + 1];
        best[0] = Some((Cost::default(), Vec::new()));
        let blocks: Vec<Block> = blocks(self.n, width, m).collect();
        let reaches = 0..most.min(wanted) as u32;
        let holes_of = |block: Block| reaches.clone().map(move |reach| Hole { block, reach });
        let random = |hole: Hole| random_hole(self.n, hole, k).nanoseconds;
        let share = |hole: Hole| hole.reach as usize + 1;
        // The least that a share of the sum costs.
        let shares = blocks.iter().flat_map(|block| holes_of(*block));
        let least = shares.map(|hole| random(hole) / share(hole) as f64).fold(limit, f64::min);
        let may_do = |hole: &Hole| random(*hole) + (wanted - share(*hole)) as f64 * least < limit;
        let price = |block: Block| -> Vec<(Hole, Cost)> {
            let holes: Vec<Hole> = holes_of(block).filter(may_do).collect();
            let before = |hole: &Hole| known.iter().find(|(known, _)| known == hole).copied();
            let known: Option<Vec<_>> = holes.iter().map(before).collect();
            known.unwrap_or_else(|| {
                let counted = self.count(block, k, Crowds::Planned);
                holes.into_iter().map(|hole| (hole, counted.cost(hole.reach))).collect()
            })
        };
        let prices: Vec<_> = blocks.into_par_iter().map(price).collect();
        for choices in prices {
            let before = best.clone();
            for (hole, own) in choices {
                let share = share(hole);
                for sum in share..=wanted {
                    let Some((cost, holes)) = &before[sum - share] else { continue };
                    let cost: Cost = [*cost, own].into_iter().sum();
                    let known = best[sum].as_ref();
                    if known.is_none_or(|(known, _)| cost.nanoseconds < known.nanoseconds) {
                        let holes = holes.iter().copied().chain([hole]).collect();
                        best[sum] = Some((cost, holes));
                    }
                }
            }
        }
        let (cost, holes) = best.pop().flatten()?;
        Some((cost, Pigeonholes::new(holes)))
    }

    /// Counts the buckets of a block.
    fn count(&self, block: Block, k: u32, crowds: Crowds) -> Counted<'_, B> {
        let counted = block.width.min(COUNTED_BITS);
        let low = block.low + block.width - counted;
        let mask = (1 << counted) - 1;
        let keys: Vec<u32> = self.values.iter().map(|v| v.shifted(low) & mask).collect();
        let mut sizes = vec![0_u32; 1 << counted];
        for &key in &keys {
            sizes[key as usize] += 1;
        }

        let scale = self.n as f64 / self.values.len().max(1) as f64;
        let is_crowd = |size: u32| {
            counted == block.width && size > 1 && f64::from(size) * scale >= CROWD as f64
        };
        let alone = |size: &&u32| !is_crowd(**size);
        let meeting = sizes.iter().filter(alone).map(|&size| n_pairs(size as usize)).sum::<u64>();
        let last = vec![u32::MAX; sizes.len()];
        let (meeting, known) = (meeting as f64, Cost::default());
        let mut found =
            Counted { sample: self, block, k, keys, sizes, last, meeting, near: 0.0, known };
        let mut members: BTreeMap<u32, Vec<B>> = BTreeMap::new();
        for (at, &value) in self.values.iter().enumerate() {
            let key = found.keys[at];
            let size = found.sizes[key as usize];
            let before = std::mem::replace(&mut found.last[key as usize], at as u32);
            if is_crowd(size) {
                members.entry(key).or_default().push(value);
            } else if let Some(&before) = self.values.get(before as usize)
                && found.is_near(value, before, 0)
            {
                // One after the other: s - 1 of the bucket's s (s - 1) / 2 pairs.
                found.near += f64::from(size) / 2.0;
            }
        }
        let price = |values: Vec<B>| {
            let n = (values.len() as f64 * scale) as usize;
            let varying = Varying::of(&values, B::CAPACITY);
            let crowd = Self { values, n }.compressed(&varying);
            match crowds {
                Crowds::Planned => crowd.crowd(varying.width(), k).0,
                Crowds::Compared => crowd.scan(k),
            }
        };
        found.known = members.into_values().map(price).sum();
        found
    }
}

/// What some holes cost together: in order, so that it is the same sum each time.
pub(super) fn sum(costs: &[(Hole, Cost)]) -> Cost {
    costs.iter().map(|(_, cost)| *cost).sum()
}

/// How crowds are priced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Crowds {
    /// Each as it will be searched.
    Planned,
    /// As if everything in them were compared.
    Compared,
}

/// A block's buckets in a sample.
struct Counted<'a, B> {
    sample: &'a Sample<B>,
    block: Block,
    k: u32,
    /// The key of each value, by its leading bits.
    keys: Vec<u32>,
    /// Values of each key.
    sizes: Vec<u32>,
    /// One value of each key.
    last: Vec<u32>,
    /// Pairs that meet inside buckets, crowds aside.
    meeting: f64,
    /// How many of them are near, or about.
    near: f64,
    /// What the crowds cost.
    known: Cost,
}

impl<B: Bits> Counted<'_, B> {
    /// Whether two values are near and within the reach of the block, the bits not counted as well.
    fn is_near(&self, left: B, right: B, reach: u32) -> bool {
        let mask = (1 << self.block.width) - 1;
        left.distance(right) <= self.k
            && (left.xor(right).shifted(self.block.low) & mask).count_ones() <= reach
    }

    /// What the hole costs with this reach.
    fn cost(&self, reach: u32) -> Cost {
        let (sample, hole) = (self.sample, Hole { block: self.block, reach });
        let (mut meeting, mut near) = (self.meeting, self.near);
        let counted = self.block.width.min(COUNTED_BITS);
        let masks = around(counted, reach);
        if !masks.is_empty() {
            let rows = (MOST_LOOKS / masks.len()).clamp(1, self.keys.len().max(1));
            let (mut around, mut near_around) = (0_u64, 0_u64);
            for (at, &key) in self.keys.iter().enumerate().take(rows) {
                let size = |mask: &u32| u64::from(self.sizes[(key ^ mask) as usize]);
                around += masks.iter().map(size).sum::<u64>();
                // Of the buckets around one, and of its values one.
                let mask = &masks[at % masks.len()];
                let other = self.last[(key ^ mask) as usize] as usize;
                let other = sample.values.get(other);
                if other.is_some_and(|&other| self.is_near(sample.values[at], other, reach)) {
                    near_around += size(mask) * masks.len() as u64;
                }
            }
            // Each two buckets look at each other.
            let scale = self.keys.len() as f64 / rows as f64 / 2.0;
            meeting += around as f64 * scale;
            near += near_around as f64 * scale;
        }

        let scale = n_pairs(sample.n) as f64 / n_pairs(sample.values.len()).max(1) as f64;
        let below = (-f64::from(self.block.width - counted)).exp2();
        let by_chance = random_hole(sample.n, hole, self.k).comparisons;
        let cost = cost(sample.n, hole, self.k, (meeting * scale * below).max(by_chance));
        let hits = Cost { nanoseconds: near * scale * HIT, comparisons: 0.0 };
        [cost, hits, self.known].into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nine of ten share most of their upper bits.
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
                let formula = even(n as usize, 64, k, (k + 1).min(4));
                let known = sample.costs(&formula, Crowds::Planned);
                for m in block_counts(64, k) {
                    let Some((cost, holes)) = sample.cheapest(64, k, m, f64::INFINITY, &[]) else {
                        panic!("without a limit there is a way");
                    };
                    for share in [0.5, 0.99, 1.01, 1.5, 10.0] {
                        let limit = share * cost.nanoseconds;
                        let found = sample.cheapest(64, k, m, limit, &known);
                        let found = found.filter(|(cost, _)| cost.nanoseconds < limit);
                        let expected = (share > 1.0).then_some((cost.nanoseconds, &holes));
                        let told = found.as_ref().map(|(cost, holes)| (cost.nanoseconds, holes));
                        assert_eq!(told, expected, "{n} values, k = {k}, {m} blocks, {share}");
                        n_found += usize::from(found.is_some());
                    }
                }
            }
        }
        assert!(n_found > 0);
    }
}
