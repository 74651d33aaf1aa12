//! The layouts that the user can choose: their cost, and the load of their tables.

use super::{Analysis, FingerprintIndex, LayoutChoice, Settings, fingerprint_index::each};
use crate::{
    id::DocId,
    index::{Layout, Load, designs, load, predicted_candidates},
    progress::{Cancelled, Progress},
};

/// The most tables of an offer. More tables pay only for billions of documents.
const MOST_TABLES: usize = 84;
/// Designs are made for at least 2^34 fingerprints, as in the paper.
const PAGES: f64 = 34.0;
/// Bands to compare with, by number and bits.
const BANDS: [(u32, u32); 4] = [(3, 12), (3, 18), (4, 16), (8, 8)];
/// The most shared features that are named.
const MOST_FEATURES: usize = 12;

/// The measured load of a layout's tables.
#[derive(Clone, Debug)]
pub struct MeasuredLoad {
    /// The layout.
    pub layout: Layout,
    /// Candidates and the fullest bucket.
    pub load: Load,
    /// The features that documents of the fullest bucket share; `None` if no fingerprints share a key, or if a
    /// document has no text.
    pub fullest_bucket: Option<FullestBucket>,
}

/// A layout that the user can choose.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutOffer {
    /// The setting that selects it.
    pub choice: LayoutChoice,
    /// The layout.
    pub layout: Layout,
    /// Whether it is one of the designs of [`designs`]: no other has fewer tables and no shorter keys.
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
    /// Features that all of these documents share, in the order of the first document; only some of them if there
    /// are many.
    pub shared: Vec<String>,
    /// The number of features that these documents share.
    pub n_shared: usize,
}

impl FingerprintIndex {
    /// Layouts for these settings: the designs of [`designs`], layouts of one level, some bands, and the present
    /// layout. Blocks come before bands, and fewer tables first.
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
    /// Reads the first documents of the fullest bucket and finds the features that they share; `None` if no
    /// fingerprints share a key, or if a document has no text.
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
