//! In how many documents each feature occurs: the table behind tf-idf, counted, then frozen.
//!
//! Keys are 64-bit hashes of features, made by the layer above; two features share a key with
//! probability 2^-64. Most features of a corpus occur once, so that the table outgrows every cache, and
//! counting one feature at a time would wait for memory each time. Keys are gathered instead, parted by
//! their highest bits into shards, and counted a shard at a time, each small enough to stay near.
//! Costs 11 to 22 bytes a distinct feature, and 8 a key while up to 16 million wait.

use rayon::prelude::*;

use super::{
    FixedWeight, Weighting,
    shard::{SHARDS, Shard, shard_of},
};

/// Keys that wait before they are counted.
const MOST_PENDING: usize = 16 << 20;
/// Slots fetched before the first of them is looked at: more than memory delivers at a time, and few
/// enough to be near when their turn comes.
const AHEAD: usize = 256;
/// Documents parted together.
const PART_DOCUMENTS: usize = 1024;
/// Weights at hand for features in fewer documents than this; the others are computed.
const KNOWN: u32 = 1024;

/// Document frequencies of a corpus, frozen.
#[derive(Clone, Debug, Default)]
pub struct DocumentFrequencies {
    n_documents: u64,
    /// One each of [`SHARDS`], or none where nothing was counted.
    shards: Vec<Shard>,
    /// By document frequency: the inverse, and the weight of a feature that occurs once.
    known: Vec<(f64, FixedWeight)>,
}

impl DocumentFrequencies {
    /// Documents counted.
    pub fn n_documents(&self) -> u64 {
        self.n_documents
    }

    /// Documents that hold the feature: 0 for one never seen.
    #[inline]
    pub fn of(&self, key: u64) -> u32 {
        self.shards.get(shard_of(key)).map_or(0, |shard| shard.of(key))
    }

    /// The same for many, appended to `found` in their order.
    pub fn of_all(&self, keys: impl Iterator<Item = u64> + Clone, found: &mut Vec<u32>) {
        if self.shards.is_empty() {
            return found.extend(keys.map(|_| 0));
        }
        let mut rest = keys;
        let mut ahead = rest.clone();
        loop {
            ahead.by_ref().take(AHEAD).for_each(|key| self.shards[shard_of(key)].fetch(key));
            let before = found.len();
            found.extend(rest.by_ref().take(AHEAD).map(|key| self.of(key)));
            if found.len() == before {
                return;
            }
        }
    }

    /// ln((1 + n) / (1 + df)) + 1: from 1, in every document, upwards.
    pub fn inverse(&self, key: u64) -> f64 {
        self.inverse_of(self.of(key))
    }

    /// The same for a feature in `df` documents.
    fn inverse_of(&self, df: u32) -> f64 {
        self.known.get(df as usize).map_or_else(|| inverse(self.n_documents, df), |known| known.0)
    }

    /// The tf-idf weight of a feature that occurs `count` times and stands in `df` documents.
    #[inline]
    pub fn weight(&self, df: u32, count: u32) -> FixedWeight {
        match self.known.get(df as usize) {
            Some(known) if count == 1 => known.1,
            _ => Weighting::TfIdf.weigh(count, self.inverse_of(df)),
        }
    }
}

fn inverse(n_documents: u64, df: u32) -> f64 {
    ((1.0 + n_documents as f64) / (1.0 + f64::from(df))).ln() + 1.0
}

/// Counts document frequencies, on all cores.
#[derive(Debug)]
pub struct FrequencyCounter {
    n_documents: u64,
    shards: Vec<Shard>,
    pending: Vec<Parted>,
    n_pending: usize,
}

impl Default for FrequencyCounter {
    fn default() -> Self {
        Self {
            n_documents: 0,
            shards: vec![Shard::default(); SHARDS],
            pending: Vec::new(),
            n_pending: 0,
        }
    }
}

impl FrequencyCounter {
    /// Of no documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts these documents: the keys of each one's distinct features, in any order.
    pub fn add(&mut self, documents: &[&[u64]]) {
        self.n_documents += documents.len() as u64;
        self.n_pending += documents.iter().map(|keys| keys.len()).sum::<usize>();
        self.pending.par_extend(documents.par_chunks(PART_DOCUMENTS).map(Parted::new));
        if self.n_pending >= MOST_PENDING {
            self.settle();
        }
    }

    /// The table, complete.
    pub fn finish(mut self) -> DocumentFrequencies {
        self.settle();
        let n_documents = self.n_documents;
        let known = (0..KNOWN).map(|df| {
            let inverse = inverse(n_documents, df);
            (inverse, Weighting::TfIdf.weigh(1, inverse))
        });
        DocumentFrequencies { n_documents, shards: self.shards, known: known.collect() }
    }

    fn settle(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.n_pending = 0;
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            let n_keys: usize = pending.iter().map(|parted| parted.shard(number).len()).sum();
            // Half of them new is a guess; the table grows where it is too low.
            shard.reserve(n_keys / 2);
            for keys in pending.iter().flat_map(|parted| parted.shard(number).chunks(AHEAD)) {
                for &key in keys {
                    shard.fetch(key);
                }
                for &key in keys {
                    shard.count(key);
                }
            }
        });
    }
}

/// Keys of some documents, those of one shard side by side.
#[derive(Debug)]
struct Parted {
    keys: Vec<u64>,
    /// Where the keys of each shard end.
    ends: [u32; SHARDS],
}

impl Parted {
    fn new(documents: &[&[u64]]) -> Self {
        let mut places = [0u32; SHARDS];
        for &key in documents.iter().copied().flatten() {
            places[shard_of(key)] += 1;
        }
        let mut sum = 0;
        for place in &mut places {
            (*place, sum) = (sum, sum + *place);
        }
        let mut keys = vec![0; sum as usize];
        for &key in documents.iter().copied().flatten() {
            let place = &mut places[shard_of(key)];
            keys[*place as usize] = key;
            *place += 1;
        }
        Self { keys, ends: places }
    }

    fn shard(&self, number: usize) -> &[u64] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.keys[start as usize..self.ends[number] as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn frequencies_count_documents_and_rare_features_weigh_most() {
        let high = u64::MAX;
        let mut counter = FrequencyCounter::new();
        counter.add(&[&[1, high]]);
        counter.add(&[&[high], &[3]]);
        let frequencies = counter.finish();
        let found = [1, high, 3, 9].map(|key| frequencies.of(key));
        let mut at_once = Vec::new();
        frequencies.of_all([1, high, 3, 9].into_iter(), &mut at_once);
        assert_eq!(at_once, found);
        assert_eq!((frequencies.n_documents(), found), (3, [1, 2, 1, 0]));
        assert_eq!(frequencies.inverse(9), 4f64.ln() + 1.0);
        let mut counter = FrequencyCounter::new();
        counter.add(&[&[high], &[high, 0]]);
        let frequencies = counter.finish();
        assert_eq!(frequencies.inverse(high), 1.0);
        assert!((frequencies.inverse(0) - (1.5f64.ln() + 1.0)).abs() < 1e-12);
    }

    #[test]
    fn nothing_counted_is_in_no_document() {
        assert_eq!(DocumentFrequencies::default().of(7), 0);
        let mut found = Vec::new();
        DocumentFrequencies::default().of_all([7, 8].into_iter(), &mut found);
        assert_eq!(found, [0, 0]);
        assert_eq!(FrequencyCounter::new().finish().inverse(0), 1.0);
    }

    /// Against a plain map, with keys that crowd one shard and one slot, past several growths.
    #[test]
    fn a_crowded_shard_counts_like_a_map() {
        let mut counter = FrequencyCounter::new();
        let mut expected: HashMap<u64, u32> = HashMap::new();
        for number in 0..3000u64 {
            let keys =
                [number % 7, number, u64::MAX - number, number.wrapping_mul(1 << 40), 1 << 63];
            let mut keys = keys.to_vec();
            keys.sort_unstable();
            keys.dedup();
            counter.add(&[&keys]);
            for key in keys {
                *expected.entry(key).or_default() += 1;
            }
        }
        let frequencies = counter.finish();
        assert!(expected.iter().all(|(key, count)| frequencies.of(*key) == *count));
        let mut at_once = Vec::new();
        frequencies.of_all(expected.keys().copied(), &mut at_once);
        assert!(expected.values().eq(&at_once));
        let total: usize = frequencies.shards.iter().map(Shard::len).sum();
        assert_eq!(total, expected.len());
        for (df, count) in [(0, 1), (7, 1), (7, 3), (KNOWN, 1), (2999, 2)] {
            let expected = Weighting::TfIdf.weigh(count, inverse(3000, df));
            assert_eq!(frequencies.weight(df, count), expected);
        }
    }
}
