//! In how many documents each feature occurs: the table behind tf-idf, frozen once made.
//!
//! Keys are 64-bit hashes of features, made by the layer above; two features share a key with
//! probability 2^-64. Costs about 16 bytes a distinct feature.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use rayon::prelude::*;

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

/// Shards of the table, by the highest bits of the key: cores fill them side by side.
const SHARDS: usize = 16;

/// Document frequencies of a corpus.
#[derive(Clone, Debug)]
pub struct DocumentFrequencies {
    n_documents: u64,
    shards: Vec<HashMap<u64, u32, BuildHasherDefault<KeyIsHash>>>,
}

impl Default for DocumentFrequencies {
    fn default() -> Self {
        Self { n_documents: 0, shards: vec![HashMap::default(); SHARDS] }
    }
}

impl DocumentFrequencies {
    /// Of no documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts `n_documents` more: `keys` are their features, each once a document, in any order.
    pub fn add(&mut self, n_documents: u64, keys: &[Vec<u64>]) {
        self.n_documents += n_documents;
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            for &key in keys.iter().flatten().filter(|key| shard_of(**key) == number) {
                *shard.entry(key).or_default() += 1;
            }
        });
    }

    /// Documents counted.
    pub fn n_documents(&self) -> u64 {
        self.n_documents
    }

    /// Documents that hold the feature: 0 for one never seen.
    pub fn of(&self, key: u64) -> u32 {
        self.shards[shard_of(key)].get(&key).copied().unwrap_or(0)
    }

    /// ln((1 + n) / (1 + df)) + 1: from 1, in every document, upwards.
    pub fn inverse(&self, key: u64) -> f64 {
        let (n, df) = (self.n_documents as f64, f64::from(self.of(key)));
        ((1.0 + n) / (1.0 + df)).ln() + 1.0
    }
}

fn shard_of(key: u64) -> usize {
    (key >> (u64::BITS - SHARDS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_count_documents_and_rare_features_weigh_most() {
        let high = u64::MAX;
        let mut frequencies = DocumentFrequencies::new();
        frequencies.add(1, &[vec![1, high]]);
        frequencies.add(1, &[vec![high], vec![3]]);
        let found = [1, high, 3, 9].map(|key| frequencies.of(key));
        assert_eq!((frequencies.n_documents(), found), (2, [1, 2, 1, 0]));
        assert_eq!(frequencies.inverse(high), 1.0);
        assert!((frequencies.inverse(9) - (3f64.ln() + 1.0)).abs() < 1e-12);
    }
}
