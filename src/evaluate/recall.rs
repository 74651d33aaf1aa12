//! Recall: the share of the true pairs that a search finds.
//!
//! If every true pair is known, recall is counted. If there are too many texts for that, some texts are drawn
//! at random, and all their partners are found by an exact join with the whole corpus. For these pairs it is
//! known which ones the search finds. A text brings all its pairs into the sample, so the interval is that of a
//! share counted in clusters ([`clustered`]). No model of fingerprints is used: only the draw is random, so the
//! interval holds for short and for long texts.
//!
//! Each text counts once. Recall of pairs of documents is not estimated: two texts with a hundred copies each
//! make ten thousand pairs, which a sample without these texts cannot show.

use std::collections::HashMap;

use super::clustered::{self, Cluster};
use crate::choice::choice;

/// The least number of drawn texts with a true partner; with fewer, the variation is not known.
pub const FEWEST: usize = 10;

choice! {
    /// The method by which recall was found.
    pub enum RecallMethod, "recall method" {
        /// Every true pair is known.
        #[default]
        Exact = "exact",
        /// The true pairs of texts drawn at random are known.
        Sampled = "sampled",
        /// The share among pairs that people judged to be true.
        Judged = "judged",
    }
}

/// A recall with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The estimate, 0 to 1.
    pub recall: f64,
    /// The lower end, at 95 %.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A true pair of texts; at least one of them was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledPair {
    /// A text.
    pub a: u32,
    /// The other text.
    pub b: u32,
    /// Whether the search finds it.
    pub is_found: bool,
}

impl Recall {
    /// A known recall.
    pub fn exactly(recall: f64) -> Self {
        Self { recall, low: recall, high: recall }
    }

    /// The recall among all true pairs of `n_texts` different texts, from all true pairs of the texts `drawn`
    /// (ascending). `None` if fewer than [`FEWEST`] drawn texts have a true pair. O(n log n).
    pub fn of_drawn(met: &[SampledPair], drawn: &[u32], n_texts: usize) -> Option<Self> {
        let mut clusters: HashMap<u32, Cluster> = HashMap::new();
        for pair in met {
            // Each drawn text counts its pairs, so a pair of two drawn texts counts twice.
            for text in [pair.a, pair.b] {
                if drawn.binary_search(&text).is_ok() {
                    let cluster = clusters.entry(text).or_default();
                    cluster.all += 1.0;
                    cluster.with += f64::from(u8::from(pair.is_found));
                }
            }
        }
        if clusters.len() < FEWEST {
            return None;
        }
        // Sorted, so that sums are equal in every run.
        let mut clusters: Vec<(u32, Cluster)> = clusters.into_iter().collect();
        clusters.sort_unstable_by_key(|&(text, _)| text);
        let clusters: Vec<Cluster> = clusters.into_iter().map(|(_, cluster)| cluster).collect();
        let found = clustered::share(&clusters, drawn.len() as f64 / n_texts as f64)?;
        Some(Self { recall: found.share, low: found.low, high: found.high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(a: u32, b: u32, is_found: bool) -> SampledPair {
        SampledPair { a, b, is_found }
    }

    #[test]
    fn all_texts_drawn_count_every_pair_alike() {
        // A group of four texts whose pairs are all found, and six pairs that are not found.
        let mut pairs: Vec<SampledPair> =
            (0..4).flat_map(|a| (a + 1..4).map(move |b| met(a, b, true))).collect();
        pairs.extend((0..6).map(|n| met(10 + 2 * n, 11 + 2 * n, false)));
        let drawn: Vec<u32> = (0..30).collect();
        let recall = Recall::of_drawn(&pairs, &drawn, 30).unwrap();
        assert_eq!(recall, Recall::exactly(0.5));
    }

    #[test]
    fn too_few_texts_with_a_pair_give_no_recall() {
        let pairs: Vec<SampledPair> = (0..9).map(|n| met(2 * n, 2 * n + 1, true)).collect();
        let even = |n: u32| (0..n).map(|n| 2 * n).collect::<Vec<_>>();
        assert_eq!(Recall::of_drawn(&pairs, &even(100), 1000), None);
        let more: Vec<SampledPair> = (0..10).map(|n| met(2 * n, 2 * n + 1, true)).collect();
        let recall = Recall::of_drawn(&more, &even(100), 1000).unwrap();
        assert!(recall.recall == 1.0 && recall.high == 1.0 && recall.low < 0.85, "{recall:?}");
    }
}
