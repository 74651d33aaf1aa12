//! The cheapest exact way to find all pairs: which blocks, how far to look around each, or no blocks.
//!
//! The formula knows n, the width and k: grouping costs a few nanoseconds a value, buckets around
//! cost a look each, and random fingerprints that meet make n(n-1)/2 times the chance to agree.
//! Real fingerprints are skewed, so the choice is held against bucket sizes counted in a sample. If
//! they are not what chance makes, every number of blocks is judged by its own buckets, and a block
//! that everybody shares gets no reach at all: the others take over its part.
//!
//! Costs about a millisecond, tens where the sample is skewed.

use super::{
    block::{Block, Cut},
    buckets::WIDEST,
    join::CROWD,
    pigeonhole::{Hole, Pigeonholes, around},
    scan::n_pairs,
};
use crate::{number::grouped, simhash::Bits};

// Nanoseconds, measured on one core of a 2.7 GHz Xeon with cold caches.

/// To group a value by a block.
const ROW: f64 = 9.0;
/// To pass over a key of a block, whether there are values or not.
const KEY: f64 = 4.0;
/// To find one of the buckets around another.
const LOOK: f64 = 15.0;
/// To gather a value from one.
const GATHER: f64 = 0.7;
/// To compare two values that meet.
const COMPARE: f64 = 0.12;
/// To search a value of a crowd among its like.
const CROWD_ROW: f64 = 60.0;
/// To begin with a block at all.
const BEGIN: f64 = 20_000.0;

/// Values looked at to see how skewed they are.
const SAMPLE: usize = 1 << 14;
/// How much more than predicted the sample may cost before other ways are measured too.
const AS_PREDICTED: f64 = 1.5;
/// The most blocks that are considered; more and narrower ones have never been cheaper.
const MOST_BLOCKS: u32 = 32;
/// Values a bucket should have, at least: passing over a bucket costs as much as comparing those.
const FILLED: usize = 8;
/// Leading bits of a block that bucket sizes are counted by; the bits below are taken as random.
const COUNTED_BITS: u32 = 16;

/// How all pairs are going to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Block by block.
    Holes(Pigeonholes),
    /// By comparing everything with everything.
    Scan,
}

/// A method and what it is predicted to cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How pairs are found.
    pub method: Method,
    /// Pairs that will be compared, each once for every block it meets in.
    pub predicted_comparisons: f64,
    /// Seconds on one core.
    pub predicted_seconds: f64,
    /// How many values it was made for.
    n: usize,
    /// Bits of the values.
    width: u32,
    /// The distance up to which it finds every pair.
    k: u32,
    /// Whether bucket sizes decided against the formula.
    is_skewed: bool,
}

impl Plan {
    /// The plan to compare everything with everything.
    pub fn scan(n: usize, width: u32, k: u32) -> Self {
        let (method, predicted_comparisons) = (Method::Scan, n_pairs(n) as f64);
        let predicted_seconds = scan_cost(n) * 1e-9;
        Self { method, predicted_comparisons, predicted_seconds, n, width, k, is_skewed: false }
    }

    /// The plan to go by `m` blocks of about equal width, for `n` random values.
    ///
    /// # Panics
    /// If `m` is 0, more than `k + 1`, or more than the width.
    pub fn by_blocks(n: usize, width: u32, k: u32, m: u32) -> Self {
        let holes = even(n, width, k, m);
        let cost: Cost = holes.holes().iter().map(|&hole| random_cost(n, hole)).sum();
        Self {
            method: Method::Holes(holes),
            predicted_comparisons: cost.comparisons,
            predicted_seconds: cost.nanoseconds * 1e-9,
            n,
            width,
            k,
            is_skewed: false,
        }
    }

    /// The distance up to which it finds every pair.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Bits of the values it is for.
    pub fn width(&self) -> u32 {
        self.width
    }
}

impl std::fmt::Display for Plan {
    /// `blocks 63..48, 47..32, 31..16, 15..0 for 1,000,000 fingerprints: 30,517,547 comparisons, 0.044 s of
    /// one core predicted`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.method {
            Method::Scan => formatter.write_str("everything with everything")?,
            Method::Holes(holes) => {
                let list: Vec<String> = holes.holes().iter().map(describe).collect();
                write!(formatter, "blocks {}", list.join(", "))?;
            }
        }
        let (n, comparisons) = (grouped(self.n as u64), grouped(self.predicted_comparisons as u64));
        write!(formatter, " for {n} fingerprints: {comparisons} comparisons, ")?;
        write!(formatter, "{:.3} s of one core predicted", self.predicted_seconds)?;
        formatter.write_str(if self.is_skewed { " from skewed buckets" } else { "" })
    }
}

/// `63..48`, and `63..48+1` with a reach of one bit.
fn describe(Hole { block, reach }: &Hole) -> String {
    let (top, low) = (block.low + block.width - 1, block.low);
    if *reach == 0 { format!("{top}..{low}") } else { format!("{top}..{low}+{reach}") }
}

/// The cheapest exact method for these values of `width` bits and distance `k`.
pub fn choose<B: Bits>(values: &[B], width: u32, k: u32) -> Plan {
    let n = values.len();
    let scan = Cost { nanoseconds: scan_cost(n), comparisons: n_pairs(n) as f64 };
    let plan = |method, cost: Cost, is_skewed| Plan {
        method,
        predicted_comparisons: cost.comparisons,
        predicted_seconds: cost.nanoseconds * 1e-9,
        n,
        width,
        k,
        is_skewed,
    };
    let Method::Holes(holes) = by_formula(n, width, k) else {
        return plan(Method::Scan, scan, false);
    };
    let predicted: Cost = holes.holes().iter().map(|&hole| random_cost(n, hole)).sum();
    let sample = Sample::new(values);
    let measured: Cost = holes.holes().iter().map(|&hole| sample.cost(hole)).sum();
    if measured.nanoseconds <= AS_PREDICTED * predicted.nanoseconds {
        return plan(Method::Holes(holes), measured, false);
    }
    let mut best = (scan, Method::Scan);
    if measured.nanoseconds < best.0.nanoseconds {
        best = (measured, Method::Holes(holes));
    }
    for m in 1..=(k + 1).min(width).min(MOST_BLOCKS) {
        // What not even random values could do in time is not measured.
        let even = even(n, width, k, m);
        let ideal: Cost = even.holes().iter().map(|&hole| random_cost(n, hole)).sum();
        if ideal.nanoseconds < best.0.nanoseconds {
            let (cost, holes) = sample.cheapest(width, k, m);
            if cost.nanoseconds < best.0.nanoseconds {
                best = (cost, Method::Holes(holes));
            }
        }
    }
    plan(best.1, best.0, true)
}

/// The cheapest method for `n` random values.
pub(super) fn by_formula(n: usize, width: u32, k: u32) -> Method {
    let mut best = (scan_cost(n), Method::Scan);
    for m in 1..=(k + 1).min(width).min(MOST_BLOCKS) {
        let holes = even(n, width, k, m);
        let cost: Cost = holes.holes().iter().map(|&hole| random_cost(n, hole)).sum();
        if cost.nanoseconds < best.0 {
            best = (cost.nanoseconds, Method::Holes(holes));
        }
    }
    best.1
}

/// `m` blocks of about equal width, the reaches as equal as they can be.
fn even(n: usize, width: u32, k: u32, m: u32) -> Pigeonholes {
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

/// What a way costs, or is thought to.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    nanoseconds: f64,
    comparisons: f64,
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), |sum, cost| Self {
            nanoseconds: sum.nanoseconds + cost.nanoseconds,
            comparisons: sum.comparisons + cost.comparisons,
        })
    }
}

fn scan_cost(n: usize) -> f64 {
    n_pairs(n) as f64 * COMPARE
}

/// What a hole costs if random values meet as often as random ones.
fn random_cost(n: usize, hole: Hole) -> Cost {
    let rate = keys_within(hole) / keys(hole.block);
    cost(n, hole, n_pairs(n) as f64 * rate, 0.0)
}

/// What a hole costs with so many pairs compared, and so many nanoseconds for what is known better.
fn cost(n: usize, hole: Hole, comparisons: f64, known: f64) -> Cost {
    let (n, keys) = (n as f64, keys(hole.block));
    let filled = keys * (1.0 - (-n / keys).exp());
    let looks = filled * (keys_within(hole) - 1.0) / 2.0;
    let nanoseconds = BEGIN
        + n * ROW
        + keys * KEY
        + looks * (LOOK + n / keys * GATHER)
        + comparisons * COMPARE
        + known;
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

/// Some of the values, evenly spread, to count buckets in.
struct Sample<B> {
    values: Vec<B>,
    n: usize,
}

impl<B: Bits> Sample<B> {
    fn new(values: &[B]) -> Self {
        let step = values.len().div_ceil(SAMPLE).max(1);
        Self { values: values.iter().copied().step_by(step).collect(), n: values.len() }
    }

    /// What a hole costs with buckets as they are in the sample.
    fn cost(&self, hole: Hole) -> Cost {
        let Hole { block, reach } = hole;
        let counted = block.width.min(COUNTED_BITS);
        let low = block.low + block.width - counted;
        let mut sizes = vec![0_u32; 1 << counted];
        let keys: Vec<u32> =
            self.values.iter().map(|v| v.shifted(low) & ((1 << counted) - 1)).collect();
        for &key in &keys {
            sizes[key as usize] += 1;
        }

        // Of all pairs in the sample: how many meet, and how many of these in crowds, which are
        // searched as corpora of their own.
        let scale = self.n as f64 / self.values.len().max(1) as f64;
        let (mut meeting, mut crowded) = (0_u64, 0.0);
        let is_whole = counted == block.width;
        for &size in sizes.iter().filter(|size| **size > 0) {
            let rows = f64::from(size) * scale;
            if is_whole && rows >= CROWD as f64 {
                crowded += rows * CROWD_ROW;
            } else {
                meeting += n_pairs(size as usize);
            }
        }
        let masks = around(counted, reach);
        let neighbours = keys.iter().flat_map(|key| masks.iter().map(move |mask| key ^ mask));
        meeting += neighbours.map(|key| u64::from(sizes[key as usize])).sum::<u64>() / 2;

        let pairs = n_pairs(self.values.len()).max(1) as f64;
        let below = (-f64::from(block.width - counted)).exp2();
        let by_chance = keys_within(hole) / self::keys(block);
        let rate = (meeting as f64 / pairs * below).max(by_chance);
        cost(self.n, hole, n_pairs(self.n) as f64 * rate, crowded)
    }

    /// The cheapest reaches for `m` blocks, some of which may get none.
    ///
    /// A walk over the blocks that keeps, for each sum of (reach + 1) so far, the cheapest choice.
    fn cheapest(&self, width: u32, k: u32, m: u32) -> (Cost, Pigeonholes) {
        let wanted = (k + 1) as usize;
        let most = wanted.div_ceil(m as usize) + 1;
        let mut best: Vec<Option<(Cost, Vec<Hole>)>> = vec![None; wanted + 1];
        best[0] = Some((Cost::default(), Vec::new()));
        for block in blocks(self.n, width, m) {
            let before = best.clone();
            for share in 1..=most.min(wanted) {
                let hole = Hole { block, reach: share as u32 - 1 };
                let own = self.cost(hole);
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
        let found = best.pop().flatten();
        let (cost, holes) = found.expect("m blocks of the largest share are more than wanted");
        (cost, Pigeonholes::new(holes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random values; the bits of `quiet` are the same in all but one of sixteen.
    fn values(n: u64, quiet: u64) -> Vec<u64> {
        let mixed = |i: u64| {
            let mixed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
        };
        let value = |i| if i % 16 == 0 { mixed(i) } else { mixed(i) & !quiet };
        (0..n).map(value).collect()
    }

    fn holes(plan: &Plan) -> Vec<(u32, u32, u32)> {
        match &plan.method {
            Method::Scan => Vec::new(),
            Method::Holes(holes) => {
                let parts = |hole: &Hole| (hole.block.low, hole.block.width, hole.reach);
                holes.holes().iter().map(parts).collect()
            }
        }
    }

    #[test]
    fn few_values_are_scanned_and_many_get_four_blocks() {
        assert_eq!(choose(&values(200, 0), 64, 3).method, Method::Scan);
        let plan = choose(&values(100_000, 0), 64, 3);
        assert_eq!(holes(&plan), [(50, 14, 0), (34, 14, 0), (18, 14, 0), (2, 14, 0)]);
        let text = plan.to_string();
        assert!(
            text.starts_with("blocks 63..50, 47..34, 31..18, 15..2 for 100,000 fing"),
            "{text}"
        );
        // Larger distances look around fewer, wider blocks.
        let plan = choose(&values(100_000, 0), 64, 6);
        assert!(holes(&plan).len() < 7 && holes(&plan).iter().all(|hole| hole.2 <= 1), "{plan}");
        assert_eq!(holes(&plan).iter().map(|hole| hole.2 + 1).sum::<u32>(), 7);
        assert_eq!(choose(&values(100_000, 0), 64, 40).method, Method::Scan);
    }

    #[test]
    fn predicted_comparisons_are_those_of_the_formula_on_random_values() {
        let plan = choose(&values(100_000, 0), 64, 3);
        let formula = 4.0 * 5e9 / 16384.0;
        assert!((plan.predicted_comparisons / formula - 1.0).abs() < 0.2, "{plan}");
    }

    #[test]
    fn a_block_that_all_share_is_left_to_the_others() {
        let values = values(100_000, 0xffff << 48);
        let plan = choose(&values, 64, 6);
        let quiet = holes(&plan).into_iter().filter(|(low, ..)| *low >= 48);
        assert!(quiet.clone().all(|(.., reach)| reach == 0), "{plan}");
        assert_eq!(plan.k(), 6);
        assert!(plan.to_string().ends_with("from skewed buckets"), "{plan}");
    }
}
