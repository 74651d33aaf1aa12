//! The number of documents in which each feature occurs: the table behind tf-idf.
//!
//! Keys are 64-bit hashes of features, made by the caller; two features share a key with probability 2^-64. The
//! table consists of shards, so that the cores can fill different shards. It is larger than every cache, so the
//! slot of a key is prefetched some keys before it is searched: the memory delays of several keys overlap. The
//! hash map of the standard library has no prefetch; with it tf-idf took more than twice as long. Costs 16 to 32
//! bytes for each distinct feature.

use std::mem::replace;

use rayon::prelude::*;

use super::{FixedWeight, FrequencyCut, Weighting};
use crate::kernel::sip::Sip13;
use crate::kernel::{self};
use crate::progress::Progress;

/// The number of shards, a power of two.
const SHARDS: usize = 64;
/// A slot is prefetched this many keys before its own key.
const PREFETCH_DISTANCE: usize = 16;

/// An open hash table with linear probing. A key is a hash already, so its low bits name its slot.
#[derive(Clone, Debug, Default)]
struct Shard {
    /// Empty, or a power of two slots, at most three quarters of them in use.
    slots: Vec<Slot>,
    n_used: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The two halves of the key, so that a slot takes 12 bytes and not 16.
    key: [u32; 2],
    /// Documents that contain the feature; 0 in a free slot.
    count: u32,
}

impl Shard {
    /// Counts one more document for the key.
    #[inline]
    fn add(&mut self, key: u64) {
        if 4 * self.n_used >= 3 * self.slots.len() {
            self.grow();
        }
        let at = self.find(halves(key));
        let slot = &mut self.slots[at];
        self.n_used += usize::from(slot.count == 0);
        *slot = Slot { key: halves(key), count: slot.count + 1 };
    }

    /// Sets the count of a new key; a count of 0 adds nothing.
    fn set(&mut self, key: u64, count: u32) {
        if count == 0 {
            return;
        }
        self.add(key);
        let at = self.find(halves(key));
        self.slots[at].count = count;
    }

    /// The count of the key; 0 if it is absent.
    #[inline]
    fn count_of(&self, key: u64) -> u32 {
        if self.slots.is_empty() { 0 } else { self.slots[self.find(halves(key))].count }
    }

    /// The slot of the key, or the free slot where it belongs.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "a branch on each of the two would often be mispredicted"
    )]
    fn find(&self, key: [u32; 2]) -> usize {
        let wrap = self.slots.len() - 1;
        let mut at = key[0] as usize & wrap;
        loop {
            let slot = self.slots[at];
            if (slot.count == 0) | (slot.key == key) {
                return at;
            }
            at = (at + 1) & wrap;
        }
    }

    fn grow(&mut self) {
        let n_slots = (2 * self.slots.len()).max(64);
        let before = replace(&mut self.slots, vec![Slot::default(); n_slots]);
        for slot in before.into_iter().filter(|slot| slot.count > 0) {
            let at = self.find(slot.key);
            self.slots[at] = slot;
        }
    }

    /// Prefetches the slot of the key.
    #[inline]
    fn prefetch(&self, key: u64) {
        if let Some(slot) = self.slots.get(key as u32 as usize & self.slots.len().wrapping_sub(1)) {
            kernel::prefetch(slot);
        }
    }
}

/// The low and the high half of a key.
#[inline]
fn halves(key: u64) -> [u32; 2] {
    [key as u32, (key >> 32) as u32]
}

/// The shard of a key, by its highest bits.
#[inline]
fn shard_of(key: u64) -> usize {
    (key >> (u64::BITS - SHARDS.ilog2())) as usize
}

/// Document frequencies of a corpus.
#[derive(Clone, Debug, Default)]
pub struct DocumentFrequencies {
    n_documents: u64,
    /// [`SHARDS`] shards, or none if nothing was counted.
    shards: Vec<Shard>,
    /// The features that have a weight.
    cut: FrequencyCut,
}

impl DocumentFrequencies {
    /// The number of documents counted.
    pub fn n_documents(&self) -> u64 {
        self.n_documents
    }

    /// The number of documents that contain the feature; 0 for an unknown feature.
    #[inline]
    pub fn of(&self, key: u64) -> u32 {
        self.shards.get(shard_of(key)).map_or(0, |shard| shard.count_of(key))
    }

    /// Calls `each` with the number of documents that contain each feature, in the order of the keys.
    #[inline]
    pub fn for_each(&self, keys: &[u64], mut each: impl FnMut(u32)) {
        if self.shards.is_empty() {
            return keys.iter().for_each(|_| each(0));
        }
        let prefetch = |&key: &u64| self.shards[shard_of(key)].prefetch(key);
        keys.iter().take(PREFETCH_DISTANCE).for_each(prefetch);
        for (at, &key) in keys.iter().enumerate() {
            keys.get(at + PREFETCH_DISTANCE).into_iter().for_each(prefetch);
            each(self.of(key));
        }
    }

    /// ln((1 + n) / (1 + df)) + 1, which is 1 for a feature in every document; 0 for a feature that the cut
    /// excludes.
    pub fn inverse(&self, key: u64) -> f64 {
        self.inverse_of(self.of(key))
    }

    /// The inverse document frequency of a feature in `df` documents; 0 if the cut excludes it.
    fn inverse_of(&self, df: u32) -> f64 {
        if self.cut.keeps(df, self.n_documents) { inverse(self.n_documents, df) } else { 0.0 }
    }

    /// A table with these frequencies; each key occurs once in `counts`.
    pub fn frozen(n_documents: u64, counts: impl IntoIterator<Item = (u64, u32)>) -> Self {
        let mut counter = FrequencyCounter::new();
        counter.0.n_documents = n_documents;
        for (key, count) in counts {
            counter.0.shards[shard_of(key)].set(key, count);
        }
        counter.finish()
    }

    /// Every feature and the number of documents that contain it, in no order.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u32)> {
        let slots = self.shards.iter().flat_map(|shard| &shard.slots);
        let key = |[low, high]: [u32; 2]| u64::from(high) << 32 | u64::from(low);
        slots.filter(|slot| slot.count > 0).map(move |slot| (key(slot.key), slot.count))
    }

    /// 64 bits that identify these frequencies, independent of their order.
    pub fn digest(&self) -> u64 {
        let hash = |a: u64, b: u64| Sip13::new(a, b).hash(b"frequency");
        let counts = self.counts().map(|(key, count)| hash(key, u64::from(count)));
        counts.fold(hash(self.n_documents, u64::MAX), u64::wrapping_add)
    }

    /// The features that have a weight.
    pub fn cut(&self) -> FrequencyCut {
        self.cut
    }

    /// Changes the features that have a weight.
    pub fn set_cut(&mut self, cut: FrequencyCut) {
        self.cut = cut;
    }

    /// The tf-idf weight of a feature that occurs `count` times in its document, and in `df` documents.
    #[inline]
    pub fn weight(&self, df: u32, count: u32) -> FixedWeight {
        Weighting::TfIdf.weigh(count, self.inverse_of(df))
    }
}

/// ln((1 + n) / (1 + df)) + 1.
pub(crate) fn inverse(n_documents: u64, df: u32) -> f64 {
    ((1.0 + n_documents as f64) / (1.0 + f64::from(df))).ln() + 1.0
}

/// Counts document frequencies, on all cores.
#[derive(Debug)]
pub struct FrequencyCounter(DocumentFrequencies);

impl Default for FrequencyCounter {
    fn default() -> Self {
        let shards = vec![Shard::default(); SHARDS];
        Self(DocumentFrequencies { shards, ..DocumentFrequencies::default() })
    }
}

impl FrequencyCounter {
    /// A counter that has seen no documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts documents, each given by its distinct keys. Needs 8 to 16 bytes more for each key while it runs.
    /// Cancellation is checked for every document and every shard; after it the counts are incomplete.
    pub fn count<K: AsRef<[u64]> + Sync>(&mut self, documents: &[K], progress: &Progress) {
        self.0.n_documents += documents.len() as u64;
        let sort = |mut by_shard: Vec<Vec<u64>>, document: &K| {
            if !progress.is_cancelled() {
                document.as_ref().iter().for_each(|&key| by_shard[shard_of(key)].push(key));
            }
            by_shard
        };
        let sorted: Vec<Vec<Vec<u64>>> =
            documents.par_iter().fold(|| vec![Vec::new(); SHARDS], sort).collect();
        self.0.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            for keys in sorted.iter().map(|by_shard| &by_shard[number]) {
                if progress.is_cancelled() {
                    return;
                }
                keys.iter().take(PREFETCH_DISTANCE).for_each(|&key| shard.prefetch(key));
                for (at, &key) in keys.iter().enumerate() {
                    keys.get(at + PREFETCH_DISTANCE)
                        .into_iter()
                        .for_each(|&key| shard.prefetch(key));
                    shard.add(key);
                }
            }
        });
    }

    /// The frequencies of all documents counted.
    pub fn finish(self) -> DocumentFrequencies {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn frequencies(documents: &[&[u64]]) -> DocumentFrequencies {
        let mut counter = FrequencyCounter::new();
        counter.count(documents, &Progress::new());
        counter.finish()
    }

    #[test]
    fn frequencies_count_documents_and_rare_features_weigh_most() {
        let high = u64::MAX;
        let mut counter = FrequencyCounter::new();
        counter.count(&[&[1, high]], &Progress::new());
        counter.count(&[&[high][..], &[3], &[]], &Progress::new());
        let table = counter.finish();
        let found = [1, high, 3, 9].map(|key| table.of(key));
        assert_eq!((table.n_documents(), found), (4, [1, 2, 1, 0]));
        assert_eq!(table.inverse(9), 5f64.ln() + 1.0);
        let table = frequencies(&[&[high], &[high, 0]]);
        assert_eq!(table.inverse(high), 1.0);
        assert!((table.inverse(0) - (1.5f64.ln() + 1.0)).abs() < 1e-12);
    }

    #[test]
    fn a_table_without_documents_knows_no_feature() {
        assert_eq!(DocumentFrequencies::default().of(7), 0);
        DocumentFrequencies::default().for_each(&[7, 8], |df| assert_eq!(df, 0));
        assert_eq!(frequencies(&[]).inverse(0), 1.0);
        assert_eq!(frequencies(&[&[]]).n_documents(), 1);
    }

    #[test]
    fn counting_stops_when_asked_to() {
        let mut counter = FrequencyCounter::new();
        counter.count(&[&[1, 2, u64::MAX]], &Progress::cancelled_at_check(1));
        let table = counter.finish();
        assert_eq!([1, 2, u64::MAX].map(|key| table.of(key)), [0; 3]);
    }

    #[test]
    fn weights_are_those_of_the_formula() {
        let table = frequencies(&vec![&[1][..]; 1500]);
        for df in [0, 1, 2, 1023, 1024, 1500] {
            for count in [1, 2, 9] {
                let expected = Weighting::TfIdf.weigh(count, inverse(1500, df));
                assert_eq!(table.weight(df, count), expected);
            }
        }
    }

    #[test]
    fn frozen_frequencies_are_those_that_were_counted() {
        let table = frequencies(&[&[1, 7, u64::MAX], &[7], &[7, 1 << 58]]);
        let mut counts: Vec<_> = table.counts().collect();
        counts.sort_unstable();
        assert_eq!(counts, [(1, 1), (7, 3), (1 << 58, 1), (u64::MAX, 1)]);
        counts.reverse();
        let frozen = DocumentFrequencies::frozen(3, counts.clone());
        assert_eq!(frozen.digest(), table.digest());
        assert_eq!(frozen.weight(frozen.of(7), 2), table.weight(table.of(7), 2));
        assert_ne!(DocumentFrequencies::frozen(4, counts).digest(), table.digest());
    }

    #[test]
    fn features_beyond_the_cut_weigh_nothing() {
        let mut table = frequencies(&vec![&[1, 2][..]; 2000]);
        table.set_cut(FrequencyCut { least: 2, most: "0.9".parse().unwrap() });
        for (df, weighs) in [(0, false), (1, false), (2, true), (1800, true), (1801, false)] {
            assert_eq!(table.weight(df, 3).0 > 0, weighs, "{df}");
        }
    }

    /// Keys that share a slot, and keys of all shards.
    fn key() -> impl Strategy<Value = u64> {
        prop_oneof![0..400u64, (0..400u64).prop_map(|n| n << 38), (0..64u64).prop_map(|n| n << 58)]
    }

    proptest! {
        /// Compares with a hash map of the standard library, for any number of documents counted at a time.
        #[test]
        fn counts_are_those_of_a_hash_map(
            documents in proptest::collection::vec(
                proptest::collection::hash_set(key(), 0..300),
                0..40,
            ),
            at_once in 1..40usize,
        ) {
            let documents: Vec<Vec<u64>> =
                documents.into_iter().map(|keys| keys.into_iter().collect()).collect();
            let mut counter = FrequencyCounter::new();
            for documents in documents.chunks(at_once) {
                counter.count(documents, &Progress::new());
            }
            let table = counter.finish();
            let mut expected: HashMap<u64, u32> = HashMap::new();
            for &key in documents.iter().flatten() {
                *expected.entry(key).or_default() += 1;
            }
            prop_assert_eq!(table.n_documents(), documents.len() as u64);
            let keys: Vec<u64> = (0..400).flat_map(|n| [n, n << 38, n << 58]).collect();
            let expected: Vec<u32> =
                keys.iter().map(|key| expected.get(key).copied().unwrap_or(0)).collect();
            prop_assert_eq!(keys.iter().map(|key| table.of(*key)).collect::<Vec<_>>(), &*expected);
            let mut found = Vec::new();
            table.for_each(&keys, |df| found.push(df));
            prop_assert_eq!(found, expected);
        }
    }
}
