//! Layouts that could be built instead, what each promises and costs, and what its tables would hold.

use super::{Analysis, FingerprintIndex, LayoutChoice, Settings, fingerprint_index::each};
use crate::{
    id::DocId,
    index::{Layout, Load, designs, load, predicted_candidates},
    progress::{Cancelled, Progress},
};

/// Tables an offer has at most: more are worth it for billions of documents, which are not here.
const MOST_TABLES: usize = 84;
/// Designs are listed for as many fingerprints as the paper has, or more: 2^34, eight billion.
const PAGES: f64 = 34.0;
/// Bands to compare with, by number and bits.
const BANDS: [(u32, u32); 4] = [(3, 12), (3, 18), (4, 16), (8, 8)];
/// Shared features that are named.
const MOST_FEATURES: usize = 12;

/// The measured load of a layout's tables.
#[derive(Clone, Debug)]
pub struct MeasuredLoad {
    /// The layout.
    pub layout: Layout,
    /// Candidates and the fullest bucket.
    pub load: Load,
    /// The features that documents of the fullest bucket share; `None` where nothing shares a key, or
    /// without text.
    pub fullest_bucket: Option<FullestBucket>,
}

/// A layout that could be built.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutOffer {
    /// The setting that selects it.
    pub choice: LayoutChoice,
    /// The layout.
    pub layout: Layout,
    /// Whether no other has fewer tables and no shorter keys: the designer's list.
    pub is_best: bool,
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

/// The fullest bucket of a layout's tables.
#[derive(Clone, Debug, PartialEq)]
pub struct FullestBucket {
    /// The first document of each of its first entries.
    pub documents: Vec<DocId>,
    /// Features that all of these share, in the order of the first; some of them if there are many.
    pub shared: Vec<String>,
    /// The number of features they share.
    pub n_shared: usize,
}

impl FingerprintIndex {
    /// Layouts for these settings, fewest tables first: one-level ones, the designer's, some bands, and
    /// the present one.
    pub fn offers(&self, settings: &Settings) -> Vec<LayoutOffer> {
        let (width, k, n) = (settings.recipe.bits, settings.k, self.n_distinct());
        let best = designs(width, k, (n.max(2) as f64).log2().max(PAGES));
        let levels = best.iter().map(|design| match design.levels[..] {
            [outer, inner] => LayoutChoice::TwoLevel { outer, inner },
            _ => LayoutChoice::Blocks(design.levels[0]),
        });
        let blocks = (k + 1..=k.saturating_add(5).min(width)).map(LayoutChoice::Blocks);
        let bands = BANDS.map(|(bands, bits)| LayoutChoice::Bands { bands, bits });
        let mut choices: Vec<(LayoutChoice, bool)> = levels.map(|choice| (choice, true)).collect();
        for choice in blocks.chain(bands).chain([settings.layout]) {
            if choice != LayoutChoice::Auto && choices.iter().all(|(other, _)| *other != choice) {
                choices.push((choice, false));
            }
        }
        let table_bytes = each!(self, index => index.table_bytes());
        let offer = |(choice, is_best)| {
            let layout = Settings { layout: choice, ..settings.clone() }.layout(n).ok()?;
            let n_tables = layout.tables().len();
            let is_wanted = n_tables <= MOST_TABLES || choice == settings.layout;
            let predicted = predicted_candidates(&layout, n);
            let bytes = n_tables as u64 * table_bytes;
            is_wanted.then_some(LayoutOffer { choice, layout, is_best, bytes, predicted })
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

impl Analysis {
    /// Reads the first documents of the fullest bucket and finds the features they share; `None` where
    /// nothing shares a key, or without text.
    pub fn fullest_bucket(&self, load: &Load) -> Option<FullestBucket> {
        let (bucket, index) = (load.fullest_bucket.as_ref()?, self.index.as_ref()?);
        let documents: Vec<DocId> =
            bucket.entries.iter().map(|&entry| index.documents(entry)[0]).collect();
        let mut shared: Option<Vec<String>> = None;
        for &document in &documents {
            // A document that can no longer be read has no features to compare, so nothing is shown.
            let (_, Some(feature_votes)) = self.open(document).ok()? else { return None };
            let features = feature_votes.features.into_iter().map(|feature| feature.shingle);
            shared = Some(match shared {
                None => features.collect(),
                Some(mut shared) => {
                    let here: std::collections::HashSet<String> = features.collect();
                    shared.retain(|feature| here.contains(feature));
                    shared
                }
            });
        }
        let mut shared = shared?;
        let n_shared = shared.len();
        shared.truncate(MOST_FEATURES);
        Some(FullestBucket { documents, shared, n_shared })
    }
}
