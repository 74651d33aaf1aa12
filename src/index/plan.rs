//! The plan: the cheapest exact way to find all pairs, by blocks with a radius each, or by a scan.
//!
//! Blocks are cut only from the bits that vary. A formula of the number of values, the number of these bits and k
//! chooses first: see `price.rs`. Real fingerprints are skewed, so one rule corrects it: the formula is applied to
//! the effective bits of each block in a sample, and if that costs clearly more than random values would, the
//! cheapest number of blocks by this measure is taken. A block that all fingerprints share is left out: then the
//! others get larger radii.
//!
//! Costs a millisecond or two, and tens of milliseconds if the sample is skewed.

use std::sync::Arc;

use super::folds::BitCompaction;
use super::price::{self, Cost, Sample};
use super::{BlockPlan, Layout, ProbedBlock, Sides};
use crate::number::grouped;
use crate::simhash::Bits;

/// Comparing all pairs of this many values costs less than to begin a block.
const FEW: usize = 256;
/// The number of values in the sample that measures skew.
const SAMPLE: usize = 1 << 14;
/// The sample of a heavy bucket has one of this many rows.
const HEAVY_STEP: usize = 4;
/// From this many rows a bucket is searched like a corpus instead of pair by pair.
pub(super) const HEAVY: usize = 1536;
/// The ratio of measured to predicted cost above which other plans are measured too.
const SKEW_RATIO: f64 = 1.5;

/// The method of finding all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Block by block.
    Blocks(BlockPlan),
    /// Compares all pairs.
    Scan,
    /// Finds only the pairs that share a key of these tables: for bands.
    Tables(Layout),
}

/// A method and its predicted cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// The predicted cost on one core; a pair counts once for each block that compares it.
    cost: Cost,
    /// The number of values.
    n: usize,
    /// The bits that vary: blocks are cut only from these.
    pub(super) compaction: BitCompaction,
    /// The distance up to which it finds every pair.
    k: u32,
    /// Whether bucket sizes replaced the choice of the formula.
    is_skewed: bool,
    /// The two corpora, if only pairs across are passed on.
    pub(super) sides: Option<Arc<Sides>>,
}

impl Plan {
    /// A plan to compare all pairs.
    pub fn scan(n: usize, width: u32, k: u32) -> Self {
        Self::new(Method::Scan, price::scan_cost(n, k), n, width, k)
    }

    /// A plan to find only the pairs within `k` that share a key of `layout`. Its cost is not predicted.
    pub fn by_tables(layout: &Layout, k: u32) -> Self {
        let method = Method::Tables(layout.clone());
        Self::new(method, Cost::default(), 0, layout.width(), k)
    }

    fn new(method: Method, cost: Cost, n: usize, width: u32, k: u32) -> Self {
        Self {
            method,
            cost,
            n,
            compaction: BitCompaction::all(width),
            k: k.min(width),
            is_skewed: false,
            sides: None,
        }
    }

    /// The plan restricted to pairs across two corpora: all other pairs are found too and then left out, because
    /// blocks do not separate the corpora.
    #[must_use]
    pub fn across(mut self, sides: Option<Arc<Sides>>) -> Self {
        self.sides = sides;
        self
    }

    /// The distance up to which it finds every pair, at most the width.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The predicted time on one core, in nanoseconds.
    pub fn nanoseconds(&self) -> f64 {
        self.cost.nanoseconds
    }
}

impl std::fmt::Display for Plan {
    /// `blocks 63..48, 47..32, 31..16, 15..0 for 1,000,000 fingerprints: 30,517,547 comparisons, 0.044 s predicted
    /// on one core`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.method {
            Method::Tables(_) => return formatter.write_str("bands"),
            Method::Scan => formatter.write_str("full scan")?,
            Method::Blocks(blocks) => {
                let list: Vec<String> = blocks.blocks().iter().map(describe).collect();
                write!(formatter, "blocks {}", list.join(", "))?;
                if self.compaction.has_gaps() {
                    write!(formatter, " of the {} bits that vary", self.compaction.width)?;
                }
            }
        }
        let (n, comparisons) = (grouped(self.n as u64), grouped(self.cost.comparisons as u64));
        write!(formatter, " for {n} fingerprints: {comparisons} comparisons, ")?;
        write!(formatter, "{:.3} s predicted on one core", self.cost.nanoseconds * 1e-9)?;
        formatter.write_str(if self.is_skewed { " (skewed buckets)" } else { "" })
    }
}

/// A block like `63..48`, or `63..48+1` with a radius of one bit.
fn describe(ProbedBlock { block, radius }: &ProbedBlock) -> String {
    let (top, low) = (block.low + block.width - 1, block.low);
    if *radius == 0 { format!("{top}..{low}") } else { format!("{top}..{low}+{radius}") }
}

/// The cheapest exact method for these values of `width` bits and distance `k`.
///
/// The plan's k is at most the width, because no two values are farther apart.
pub fn choose<B: Bits>(values: &[B], width: u32, k: u32) -> Plan {
    if values.len() <= FEW {
        return Plan::scan(values.len(), width, k);
    }
    by_sample(values, width, k, SAMPLE, HEAVY)
}

/// The cheapest exact method for the values of a heavy bucket. Bits beyond the width do not vary.
pub(super) fn choose_in_bucket<B: Bits>(values: &[B], k: u32) -> Plan {
    by_sample(values, B::CAPACITY, k, SAMPLE.min(values.len() / HEAVY_STEP), usize::MAX)
}

/// The cheapest method by a sample of at most `most` values; buckets from `heavy` rows on are priced as corpora.
fn by_sample<B: Bits>(values: &[B], width: u32, k: u32, most: usize, heavy: usize) -> Plan {
    let (n, k) = (values.len(), k.min(width));
    let compaction = BitCompaction::of(values, width);
    let bits = compaction.width;
    let sample = Sample::new(values, &compaction, k, most, heavy);
    let (predicted, formula) = price::by_formula(n, bits, k);
    let mut best = (sample.scan(), Method::Scan);
    let mut is_skewed = false;
    if let Some(blocks) = formula {
        let measured = sample.cost(&blocks);
        is_skewed = measured.nanoseconds > SKEW_RATIO * predicted.nanoseconds;
        if !is_skewed || measured.nanoseconds < best.0.nanoseconds {
            best = (measured, Method::Blocks(blocks));
        }
    }
    for m in price::block_counts(bits, k).filter(|_| is_skewed) {
        // A number of blocks that is too slow even for random values is not measured.
        let random = price::random_cost(n, bits, &BlockPlan::even(n, bits, k, m));
        if random.nanoseconds < best.0.nanoseconds {
            let (cost, blocks) = sample.blocks(m);
            if cost.nanoseconds < best.0.nanoseconds {
                best = (cost, Method::Blocks(blocks));
            }
        }
    }
    Plan { compaction, is_skewed, ..Plan::new(best.1, best.0, n, width, k) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random values; the bits of `quiet` are the same in fifteen of sixteen values.
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
        // Larger distances use radii around fewer, wider blocks.
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
        assert!((plan.cost.comparisons / formula - 1.0).abs() < 0.2, "{plan}");
    }

    #[test]
    fn a_block_that_all_share_is_left_to_the_others() {
        let values = values(100_000, 0xffff << 48);
        let plan = choose(&values, 64, 6);
        let quiet = blocks(&plan).into_iter().filter(|(low, ..)| *low >= 48);
        assert!(quiet.clone().all(|(.., radius)| radius == 0), "{plan}");
        assert_eq!(plan.k(), 6);
        assert!(plan.to_string().ends_with("(skewed buckets)"), "{plan}");
    }
}
