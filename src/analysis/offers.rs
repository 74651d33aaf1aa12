//! The layouts that the user can choose: their cost, and the load of their tables.
//!
//! The cost of finding all near pairs on many machines: each fingerprint is sent once for each table, to the
//! machine that is responsible for its key; each machine compares the fingerprints that it receives.
//!
//! The tables are those of Manku, Jain and Das Sarma (2007), section 3: every choice of `blocks - k` of the blocks.
//! Counts are those of random bits; real texts share keys more often.

use super::fingerprint_index::each;
use super::{FingerprintIndex, LayoutChoice, Settings};
use crate::index::{Design, Layout, LayoutError, Load, designs, load, predicted_candidates};
use crate::progress::{Cancelled, Progress};

/// The most tables of an offer. More tables pay only for billions of documents.
const MOST_TABLES: usize = 84;
/// Designs are made for at least 2^34 fingerprints, as in the paper.
const PAGES: f64 = 34.0;
/// Bands to compare with, by number and bits.
const BANDS: [(u32, u32); 4] = [(3, 12), (3, 18), (4, 16), (8, 8)];

/// The measured load of a layout's tables.
#[derive(Clone, Debug)]
pub struct MeasuredLoad {
    /// The layout.
    pub layout: Layout,
    /// Candidates and the fullest bucket.
    pub load: Load,
}

/// A layout that the user can choose.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutOffer {
    /// The setting that selects it.
    pub choice: LayoutChoice,
    /// The layout.
    pub layout: Layout,
    /// Bytes its sorted tables would take.
    pub bytes: u64,
    /// Candidates to expect among random fingerprints.
    pub predicted: f64,
}

impl LayoutOffer {
    /// Bits of its shortest and its longest key.
    pub fn key_bits(&self) -> (u32, u32) {
        let bits = self.layout.tables().iter().map(|table| table.key_bits);
        (bits.clone().min().unwrap_or(0), bits.max().unwrap_or(0))
    }
}

impl FingerprintIndex {
    /// Layouts for these settings: the designs of [`designs`], layouts of one level, some bands, and the present
    /// layout. Blocks come before bands, and fewer tables first.
    pub fn offers(&self, settings: &Settings) -> Vec<LayoutOffer> {
        let (width, k, n) = (settings.recipe.bits, settings.k, self.n_distinct());
        let best = designs(width, k, (n.max(2) as f64).log2().max(PAGES));
        let levels = |design: &Design| match design.levels[..] {
            [outer, inner] => LayoutChoice::TwoLevel { outer, inner },
            _ => LayoutChoice::Blocks(design.levels[0]),
        };
        let blocks = (k + 1..=k.saturating_add(5).min(width)).map(LayoutChoice::Blocks);
        let bands = BANDS.map(|(bands, bits)| LayoutChoice::Bands { bands, bits });
        let mut choices: Vec<LayoutChoice> = best.iter().map(levels).collect();
        for choice in blocks.chain(bands).chain([settings.layout]) {
            if choice != LayoutChoice::Auto && !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        let table_bytes = each!(self, index => index.table_bytes());
        let offer = |choice| {
            let layout = Settings { layout: choice, ..settings.clone() }.layout(n).ok()?;
            let n_tables = layout.tables().len();
            let is_wanted = n_tables <= MOST_TABLES || choice == settings.layout;
            let predicted = predicted_candidates(&layout, n);
            let bytes = n_tables as u64 * table_bytes;
            is_wanted.then_some(LayoutOffer { choice, layout, bytes, predicted })
        };
        let mut offers: Vec<LayoutOffer> = choices.into_iter().filter_map(offer).collect();
        offers.sort_by_key(|offer| {
            (offer.layout.is_bands(), offer.layout.tables().len(), offer.key_bits())
        });
        offers
    }

    /// The measured load of a layout's tables.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn load(&self, layout: &Layout, progress: &Progress) -> Result<Load, Cancelled> {
        each!(self, index => load(index.distinct.values(), layout, progress))
    }
}

/// Bytes of a row between machines: a fingerprint, the number of its table, and what Spark adds.
const BYTES_A_ROW: f64 = 11.6;
/// Pairs that one core compares in a second, with AVX2.
const PAIRS_A_SECOND: f64 = 5e9;
/// Rows that one core sends and receives in a second.
const ROWS_A_SECOND: f64 = 5e5;
/// The largest number of blocks beyond k + 1 that is tried.
const MOST_MORE: u32 = 7;

/// The cost for one number of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributedPlan {
    /// The tables, and the mask of each.
    pub layout: Layout,
    /// Bits of the shortest key.
    pub key_bits: u32,
    /// Rows that are sent.
    pub rows: f64,
    /// Bytes that are sent, and stored on disks in between.
    pub bytes: f64,
    /// Fingerprints that share a key, on average.
    pub rows_a_key: f64,
    /// Pairs that are compared.
    pub comparisons: f64,
    /// Hours of one core, for sending and comparing.
    pub core_hours: f64,
}

impl DistributedPlan {
    /// The cost for `n` fingerprints of `width` bits, pairs within `k`, and this many blocks.
    ///
    /// # Errors
    /// [`LayoutError`] if the width cannot be cut into so many blocks.
    pub fn new(n: f64, width: u32, k: u32, blocks: u32) -> Result<Self, LayoutError> {
        let layout = Layout::for_distance(width, blocks, k)?;
        let tables = layout.tables();
        let key_bits = tables.iter().map(|table| table.key_bits).min().unwrap_or(0);
        let rows = n * tables.len() as f64;
        let share = |bits: u32| 0.5_f64.powi(bits as i32);
        let comparisons = tables.iter().map(|table| n * n / 2.0 * share(table.key_bits)).sum();
        let seconds = comparisons / PAIRS_A_SECOND + rows / ROWS_A_SECOND;
        Ok(Self {
            key_bits,
            rows,
            bytes: rows * BYTES_A_ROW,
            rows_a_key: n * share(key_bits),
            comparisons,
            core_hours: seconds / 3600.0,
            layout,
        })
    }

    /// The costs of each number of blocks that is tried, from the smallest.
    ///
    /// # Errors
    /// [`LayoutError`] if the width cannot be cut into k + 1 blocks.
    pub fn all(n: f64, width: u32, k: u32) -> Result<Vec<Self>, LayoutError> {
        let first = Self::new(n, width, k, k + 1)?;
        let more = (k + 2..=k + 1 + MOST_MORE).map_while(|m| Self::new(n, width, k, m).ok());
        Ok(std::iter::once(first).chain(more).collect())
    }
}

/// The cheapest of some plans.
pub fn cheapest(plans: &[DistributedPlan]) -> Option<&DistributedPlan> {
    plans.iter().min_by(|one, other| one.core_hours.total_cmp(&other.core_hours))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures computed by hand: tables, fingerprints that share a key, and the chosen numbers of blocks.
    #[test]
    fn prices_are_those_computed_by_hand() {
        let plan = DistributedPlan::new(1e9, 64, 3, 4).unwrap();
        assert_eq!((plan.layout.tables().len(), plan.key_bits), (4, 16));
        assert!((plan.rows_a_key - 15_258.8).abs() < 0.1);
        assert!((plan.comparisons - 4.0 * 5e17 / 65_536.0).abs() < 1e6);
        assert!((plan.bytes - 46.4e9).abs() < 1e6);
        let best = |n: f64, k| cheapest(&DistributedPlan::all(n, 64, k).unwrap()).cloned().unwrap();
        assert_eq!(best(1e8, 3).layout.tables().len(), 4);
        assert_eq!(best(1e9, 3).layout.tables().len(), 4);
        assert_eq!(best(8e9, 3).layout.tables().len(), 10);
        assert_eq!(best(1e8, 6).layout.tables().len(), 28);
    }
}
