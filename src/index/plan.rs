//! The plan: the cheapest exact way to find all pairs, by blocks with a radius each, or by a scan.
//!
//! Blocks are cut from the bits that vary at all. A formula of n, their number and k chooses first: see
//! `price.rs`. Real fingerprints are skewed, so the choice is compared with the bucket sizes and near pairs
//! of a sample. If these are not what chance makes, every number of blocks is priced by its own buckets, and
//! a block that all fingerprints share is left out: the others get larger radii.
//!
//! Costs about a millisecond, tens where the sample is skewed.

use std::{borrow::Cow, sync::Arc};

use super::{
    bit_compaction::BitCompaction,
    block_plan::{BlockPlan, ProbedBlock},
    layout::Layout,
    price::{self, Cost, HeavyBucketCost, Sample, by_formula, even_blocks, random_cost},
    sides::Sides,
};
use crate::{number::grouped, simhash::Bits};

/// Values looked at to see how skewed they are.
const SAMPLE: usize = 1 << 14;

/// The way to find all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Block by block.
    Blocks(BlockPlan),
    /// By comparing everything with everything.
    Scan,
    /// Only the pairs that share a key of these tables: what bands find.
    Tables(Layout),
}

/// A method and what it is predicted to cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The way to find pairs.
    pub method: Method,
    /// Pairs that will be compared, each once for every block it meets in.
    pub predicted_comparisons: f64,
    /// Seconds on one core.
    pub predicted_seconds: f64,
    /// How many values it was made for.
    n: usize,
    /// Bits of the values.
    width: u32,
    /// The bits that vary: blocks are cut from these alone.
    compaction: BitCompaction,
    /// The distance up to which it finds every pair.
    k: u32,
    /// Whether bucket sizes decided against the formula.
    is_skewed: bool,
    /// The two corpora, if only pairs across are to be passed on.
    sides: Option<Arc<Sides>>,
}

impl Plan {
    /// The plan to compare everything with everything.
    pub fn scan(n: usize, width: u32, k: u32) -> Self {
        Self::of_all_bits(Method::Scan, price::scan_cost(n, k), n, width, k)
    }

    /// The plan to find the pairs within `k` that share a key of `layout`, and no others. Its cost is not
    /// predicted.
    pub fn by_tables(layout: &Layout, k: u32) -> Self {
        let method = Method::Tables(layout.clone());
        Self::of_all_bits(method, Cost::default(), 0, layout.width(), k)
    }

    /// The plan to go by `m` blocks of about equal width, for `n` random values.
    ///
    /// # Panics
    /// If `m` is 0, more than `k + 1`, or more than the width.
    pub fn by_blocks(n: usize, width: u32, k: u32, m: u32) -> Self {
        assert!(m > 0 && m - 1 <= k && m <= width, "1 to k + 1 blocks, each of a bit or more");
        let blocks = even_blocks(n, width, k.min(width), m);
        let cost = random_cost(n, &blocks);
        Self::of_all_bits(Method::Blocks(blocks), cost, n, width, k)
    }

    fn of_all_bits(method: Method, cost: Cost, n: usize, width: u32, k: u32) -> Self {
        Self {
            method,
            predicted_comparisons: cost.comparisons,
            predicted_seconds: cost.nanoseconds * 1e-9,
            n,
            width,
            compaction: BitCompaction::all(width),
            k: k.min(width),
            is_skewed: false,
            sides: None,
        }
    }

    /// The same, of whose pairs only those across two corpora are passed on: all others are found and left out,
    /// since blocks do not know sides.
    #[must_use]
    pub fn across(mut self, sides: Option<Arc<Sides>>) -> Self {
        self.sides = sides;
        self
    }

    /// The two corpora, if only pairs across are to be passed on.
    pub(super) fn sides(&self) -> Option<&Sides> {
        self.sides.as_deref()
    }

    /// The distance up to which it finds every pair, at most the width.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Bits of the values it is for.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The values as the blocks see them, and the bits they then have: those that vary.
    ///
    /// # Panics
    /// If other bits vary than in the values it was made for.
    pub(super) fn compress<'a, B: Bits>(&self, values: &'a [B]) -> (Cow<'a, [B]>, u32) {
        (self.compaction.compress(values), self.compaction.width())
    }
}

impl std::fmt::Display for Plan {
    /// `blocks 63..48, 47..32, 31..16, 15..0 for 1,000,000 fingerprints: 30,517,547 comparisons, 0.044 s of
    /// one core predicted`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.method {
            Method::Tables(_) => return formatter.write_str("bands"),
            Method::Scan => formatter.write_str("everything with everything")?,
            Method::Blocks(blocks) => {
                let list: Vec<String> = blocks.blocks().iter().map(describe).collect();
                write!(formatter, "blocks {}", list.join(", "))?;
                if self.compaction.has_gaps() {
                    write!(formatter, " of the {} bits that vary", self.compaction.width())?;
                }
            }
        }
        let (n, comparisons) = (grouped(self.n as u64), grouped(self.predicted_comparisons as u64));
        write!(formatter, " for {n} fingerprints: {comparisons} comparisons, ")?;
        write!(formatter, "{:.3} s of one core predicted", self.predicted_seconds)?;
        formatter.write_str(if self.is_skewed { " from skewed buckets" } else { "" })
    }
}

/// `63..48`, and `63..48+1` with a radius of one bit.
fn describe(ProbedBlock { block, radius }: &ProbedBlock) -> String {
    let (top, low) = (block.low + block.width - 1, block.low);
    if *radius == 0 { format!("{top}..{low}") } else { format!("{top}..{low}+{radius}") }
}

/// The cheapest exact method for these values of `width` bits and distance `k`.
///
/// The plan's k is at most the width: no two values are farther apart.
pub fn choose<B: Bits>(values: &[B], width: u32, k: u32) -> Plan {
    let (n, k) = (values.len(), k.min(width));
    let compaction = BitCompaction::of(values, width);
    let sample = Sample::new(values, SAMPLE).compressed(&compaction);
    let bits = compaction.width();
    let plan = |method, cost: Cost, is_skewed| Plan {
        method,
        predicted_comparisons: cost.comparisons,
        predicted_seconds: cost.nanoseconds * 1e-9,
        n,
        width,
        compaction,
        k,
        is_skewed,
        sides: None,
    };
    let mut best = (sample.scan(k), Method::Scan);
    let Method::Blocks(blocks) = by_formula(n, bits, k) else {
        return plan(Method::Scan, best.0, false);
    };
    let known = sample.costs(&blocks, HeavyBucketCost::Planned);
    let (predicted, measured) = (random_cost(n, &blocks), price::sum(&known));
    if measured.nanoseconds <= price::AS_PREDICTED * predicted.nanoseconds {
        return plan(Method::Blocks(blocks), measured, false);
    }
    if measured.nanoseconds < best.0.nanoseconds {
        best = (measured, Method::Blocks(blocks));
    }
    for m in price::block_counts(bits, k) {
        // A number of blocks that is too slow even_blocks for random values is not measured.
        if random_cost(n, &even_blocks(n, bits, k, m)).nanoseconds < best.0.nanoseconds {
            let found = sample.cheapest(bits, k, m, best.0.nanoseconds, &known);
            if let Some((cost, blocks)) = found
                && cost.nanoseconds < best.0.nanoseconds
            {
                best = (cost, Method::Blocks(blocks));
            }
        }
    }
    plan(best.1, best.0, true)
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

    fn blocks(plan: &Plan) -> Vec<(u32, u32, u32)> {
        match &plan.method {
            Method::Scan | Method::Tables(_) => Vec::new(),
            Method::Blocks(blocks) => {
                let parts =
                    |probed: &ProbedBlock| (probed.block.low, probed.block.width, probed.radius);
                blocks.blocks().iter().map(parts).collect()
            }
        }
    }

    #[test]
    fn few_values_are_scanned_and_many_get_four_blocks() {
        assert_eq!(choose(&values(200, 0), 64, 3).method, Method::Scan);
        let plan = choose(&values(100_000, 0), 64, 3);
        assert_eq!(blocks(&plan), [(50, 14, 0), (34, 14, 0), (18, 14, 0), (2, 14, 0)]);
        let text = plan.to_string();
        assert!(
            text.starts_with("blocks 63..50, 47..34, 31..18, 15..2 for 100,000 fing"),
            "{text}"
        );
        // Larger distances look around fewer, wider blocks.
        let plan = choose(&values(100_000, 0), 64, 6);
        assert!(
            blocks(&plan).len() < 7 && blocks(&plan).iter().all(|probed| probed.2 <= 1),
            "{plan}"
        );
        assert_eq!(blocks(&plan).iter().map(|probed| probed.2 + 1).sum::<u32>(), 7);
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
        let quiet = blocks(&plan).into_iter().filter(|(low, ..)| *low >= 48);
        assert!(quiet.clone().all(|(.., radius)| radius == 0), "{plan}");
        assert_eq!(plan.k(), 6);
        assert!(plan.to_string().ends_with("from skewed buckets"), "{plan}");
    }
}
