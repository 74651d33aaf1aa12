//! The health of a corpus: statistics of all fingerprints, and of the number of features of a document.

use super::{Analysis, hot_prefix::HotPrefix};
use crate::{
    explain::Health,
    progress::{Cancelled, Progress},
    simhash::Fingerprint,
};

/// Statistics of all fingerprints of a corpus.
#[derive(Clone, Debug)]
pub struct CorpusHealth {
    /// Bits, pairs of bits and prefixes.
    pub health: Health,
    /// The number of documents in each range of feature counts.
    pub features: FeatureCounts,
    /// The contents of the fullest crowded buckets.
    pub hot_prefixes: Vec<HotPrefix>,
    /// The number of crowded buckets.
    pub n_hot_prefixes: usize,
}

/// The number of documents in each range of feature counts: 0, 1, 2 to 3, 4 to 7 and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureCounts {
    /// The number of documents in each bin.
    pub bins: Vec<u64>,
}

impl FeatureCounts {
    /// The fewest and most features of a bin.
    pub fn range(bin: usize) -> (u64, u64) {
        if bin == 0 { (0, 0) } else { (1 << (bin - 1), (1 << bin) - 1) }
    }

    /// A bin's range as text: `1` or `4-7`.
    pub fn range_name(bin: usize) -> String {
        let (fewest, most) = Self::range(bin);
        if fewest == most { fewest.to_string() } else { format!("{fewest}-{most}") }
    }

    fn add(&mut self, n_features: u32) {
        let bin = (u32::BITS - n_features.leading_zeros()) as usize;
        self.bins.resize(self.bins.len().max(bin + 1), 0);
        self.bins[bin] += 1;
    }
}

impl Analysis {
    /// Statistics of all fingerprints by bits, pairs of bits and prefixes. Every document counts, also copies.
    /// Takes a tenth of a second of one core for a million.
    fn health(&self) -> Health {
        let fingerprints: Vec<u128> =
            self.records.fingerprints().flatten().map(Fingerprint::bits).collect();
        Health::new(&fingerprints, self.settings.recipe.bits)
    }

    /// All statistics, with the contents of the `most` fullest crowded buckets; `progress` counts the buckets.
    /// Reads all fingerprints, and up to two hundred documents for each bucket.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn corpus_health(
        &self,
        most: usize,
        progress: &Progress,
    ) -> Result<CorpusHealth, Cancelled> {
        let health = self.health();
        let buckets = health.hot_prefixes();
        progress.begin(buckets.len().min(most) as u64);
        let mut hot_prefixes = Vec::new();
        for &bucket in buckets.iter().take(most) {
            progress.check()?;
            hot_prefixes.push(self.hot_prefix(bucket));
            progress.add(1);
        }
        let features = self.feature_counts();
        Ok(CorpusHealth { health, features, hot_prefixes, n_hot_prefixes: buckets.len() })
    }

    /// The distribution of the number of features, without the documents that could not be read or that carry a
    /// fingerprint without text.
    fn feature_counts(&self) -> FeatureCounts {
        let mut counts = FeatureCounts::default();
        for record in self.records.iter() {
            if !record.unreadable && (record.n_features > 0 || record.fingerprint.is_none()) {
                counts.add(record.n_features);
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_double() {
        let mut counts = FeatureCounts::default();
        for n in [0, 1, 2, 3, 4, 7, 8, 1000] {
            counts.add(n);
        }
        assert_eq!(counts.bins, [1, 1, 2, 2, 1, 0, 0, 0, 0, 0, 1]);
        assert_eq!([0, 1, 3, 10].map(FeatureCounts::range), [(0, 0), (1, 1), (4, 7), (512, 1023)]);
    }
}
