//! In how many documents each feature occurs: the table behind tf-idf, frozen once made.
//!
//! Keys are 64-bit hashes of features, made by the layer above; two features share a key with
//! probability 2^-64. Costs about 16 bytes a distinct feature.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Keys are hashes already; hashing them again would be for nothing.
#[derive(Clone, Debug, Default)]
struct KeyIsHash(u64);

impl Hasher for KeyIsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Document frequencies of a corpus.
#[derive(Clone, Debug, Default)]
pub struct DocumentFrequencies {
    n_documents: u64,
    counts: HashMap<u64, u32, BuildHasherDefault<KeyIsHash>>,
}

impl DocumentFrequencies {
    /// Of no documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one document: `keys` are its distinct features.
    pub fn add_document(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.n_documents += 1;
        for key in keys {
            *self.counts.entry(key).or_default() += 1;
        }
    }

    /// Adds what another part of the corpus counted.
    pub fn merge(&mut self, other: Self) {
        self.n_documents += other.n_documents;
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
    }

    /// Documents counted.
    pub fn n_documents(&self) -> u64 {
        self.n_documents
    }

    /// Documents that hold the feature: 0 for one never seen.
    pub fn of(&self, key: u64) -> u32 {
        self.counts.get(&key).copied().unwrap_or(0)
    }

    /// ln((1 + n) / (1 + df)) + 1: from 1, in every document, upwards.
    pub fn inverse(&self, key: u64) -> f64 {
        let (n, df) = (self.n_documents as f64, f64::from(self.of(key)));
        ((1.0 + n) / (1.0 + df)).ln() + 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_merge_to_the_whole() {
        let mut left = DocumentFrequencies::new();
        left.add_document([1, 2]);
        let mut right = DocumentFrequencies::new();
        right.add_document([2, 3]);
        left.merge(right);
        assert_eq!((left.n_documents(), left.of(1), left.of(2), left.of(9)), (2, 1, 2, 0));
        assert_eq!(left.inverse(2), 1.0);
        assert!((left.inverse(9) - (3f64.ln() + 1.0)).abs() < 1e-12);
    }
}
