//! In how many documents each feature occurs: the table behind tf-idf, counted, then frozen.
//!
//! Keys are 64-bit hashes of features, made by the layer above; two features share a key with
//! probability 2^-64. Most features of a corpus occur once, so that the table outgrows every cache, and
//! going to it one feature at a time would wait for memory each time. Keys of many documents are gathered
//! instead, [`Parted`] by their highest bits into shards, and counted and looked up a shard at a time, each
//! small enough to stay near. Costs 11 to 16 bytes a distinct feature.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{
    FixedWeight, Weighting,
    parted::Parted,
    shard::{AHEAD, SHARDS, Shard, shard_of, shifted},
};

/// Shards that grow as they are filled, and tell how much room the others need.
const FIRST: usize = 8;
/// Weights at hand for features in fewer documents than this; the others are computed.
const KNOWN: u32 = 1024;

/// What the next table is told from others by.
static NEXT_STAMP: AtomicU64 = AtomicU64::new(1);

/// Document frequencies of a corpus, frozen.
#[derive(Clone, Debug, Default)]
pub struct DocumentFrequencies {
    /// Tells it from any other table; 0 where nothing was counted.
    pub(super) stamp: u64,
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
        self.shards.get(shard_of(key)).map_or(0, |shard| shard.of(shifted(key)))
    }

    /// The same for many, appended to `found` in their order.
    pub fn of_all(&self, keys: impl Iterator<Item = u64> + Clone, found: &mut Vec<u32>) {
        if self.shards.is_empty() {
            return found.extend(keys.map(|_| 0));
        }
        let mut rest = keys;
        let mut ahead = rest.clone();
        loop {
            ahead
                .by_ref()
                .take(AHEAD)
                .for_each(|key| self.shards[shard_of(key)].fetch(shifted(key)));
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
}

impl Default for FrequencyCounter {
    fn default() -> Self {
        Self { n_documents: 0, shards: vec![Shard::default(); SHARDS] }
    }
}

impl FrequencyCounter {
    /// Of no documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts these documents: the more at a time, the faster. Once `stop` says so, which is asked shard by
    /// shard, nothing more is counted.
    pub fn count(&mut self, portions: &[&Parted], stop: &(dyn Fn() -> bool + Sync)) {
        self.count_all(portions, stop, |_, shard, words| shard.count_all(words, drop));
    }

    /// Counts the last documents; the table, complete unless stopped. What it says of these last ones
    /// stands in them then, written down while the part of the table that says it is near.
    pub fn finish(
        mut self,
        portions: &[&Parted],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> DocumentFrequencies {
        self.count_all(portions, stop, |number, shard, words| {
            let mut places = vec![0; words.len()];
            let mut next = places.iter_mut();
            let n_slots = shard.n_slots();
            shard.count_all(words, |place| {
                if let Some(next) = next.next() {
                    *next = place;
                }
            });
            debug_assert!(next.next().is_none(), "a place for each key");
            let has_grown = shard.n_slots() > n_slots;
            let mut counts =
                words.iter().zip(&places).map(|(word, place)| match shard.at(*place) {
                    Some(count) if !has_grown => count as u16,
                    _ => u16::try_from(shard.of(*word)).unwrap_or(0),
                });
            for portion in portions {
                portion.find(number, &mut counts);
            }
            debug_assert!(counts.next().is_none(), "every count is written down");
        });
        let n_documents = self.n_documents;
        let known = (0..KNOWN).map(|df| {
            let inverse = inverse(n_documents, df);
            (inverse, Weighting::TfIdf.weigh(1, inverse))
        });
        let stamp = NEXT_STAMP.fetch_add(1, Ordering::Relaxed);
        for portion in portions {
            portion.stamp(stamp);
        }
        DocumentFrequencies { stamp, n_documents, shards: self.shards, known: known.collect() }
    }

    /// Has every shard, its number beside it, count its keys of each portion.
    fn count_all(
        &mut self,
        portions: &[&Parted],
        stop: &(dyn Fn() -> bool + Sync),
        count: impl Fn(usize, &mut Shard, &[u64]) + Sync,
    ) {
        self.n_documents += portions.iter().map(|portion| portion.n_documents()).sum::<u64>();
        let count = |number: usize, shard: &mut Shard, share_new: f64| {
            if stop() {
                return share_new;
            }
            // Side by side they are brought from memory sooner than a few at a time.
            let words = portions.iter().flat_map(|portion| portion.shard(number));
            let words = words.collect::<Vec<_>>().concat();
            // Three standard deviations more than to be expected, so that few grow.
            let n_new = words.len() as f64 * share_new;
            shard.reserve((n_new + 3.0 * n_new.sqrt()) as usize);
            let before = shard.len();
            count(number, shard, &words);
            (shard.len() - before) as f64 / (words.len() as f64).max(1.0)
        };
        // Shards are alike: about the same share of the keys is new in each, so that some tell how much
        // room the others need. Where that is too little, they grow.
        let (first, others) = self.shards.split_at_mut(FIRST);
        let shares = first.iter_mut().enumerate().map(|(number, shard)| count(number, shard, 0.0));
        let share_new = 1.02 * shares.sum::<f64>() / FIRST as f64;
        others.par_iter_mut().enumerate().for_each(|(number, shard)| {
            count(FIRST + number, shard, share_new);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::feature::{Listed, OfDocument, Regroup, Wanted};

    fn parted(documents: &[&[u64]]) -> Parted {
        let lengths: Vec<u32> = documents.iter().map(|keys| keys.len() as u32).collect();
        let keys = &documents.concat();
        let listed = Listed { lengths: &lengths, keys, ..Listed::default() };
        Parted::new(listed, &|| false).unwrap()
    }

    fn frequencies(documents: &[&[u64]]) -> DocumentFrequencies {
        FrequencyCounter::new().finish(&[&parted(documents)], &|| false)
    }

    /// What each of these documents says of its keys.
    fn read(
        parted: &Parted,
        documents: &[&[u64]],
        table: &DocumentFrequencies,
        wanted: Wanted,
    ) -> Vec<Vec<(u64, u32)>> {
        let (mut regroup, mut own) = (Regroup::new(parted, table, wanted), OfDocument::default());
        let read = |keys: &&[u64]| {
            regroup.take(keys.len(), &mut own, &|| false).unwrap();
            let found = own.keys.iter().copied().zip(own.frequencies.iter().copied());
            let mut found: Vec<_> = found.collect();
            found.sort_unstable();
            found
        };
        documents.iter().map(read).collect()
    }

    #[test]
    fn frequencies_count_documents_and_rare_features_weigh_most() {
        let high = u64::MAX;
        let mut counter = FrequencyCounter::new();
        counter.count(&[&parted(&[&[1, high]])], &|| false);
        let last: &[&[u64]] = &[&[high], &[3]];
        let parted_last = parted(last);
        let frequencies_of_three = counter.finish(&[&parted_last], &|| false);
        let found = [1, high, 3, 9].map(|key| frequencies_of_three.of(key));
        let mut at_once = Vec::new();
        frequencies_of_three.of_all([1, high, 3, 9].into_iter(), &mut at_once);
        assert_eq!(at_once, found);
        assert_eq!((frequencies_of_three.n_documents(), found), (3, [1, 2, 1, 0]));
        let read = |wanted| read(&parted_last, last, &frequencies_of_three, wanted);
        assert_eq!(read(Wanted::All), [[(high, 2)], [(3, 1)]]);
        assert_eq!(read(Wanted::Shared), [vec![(high, 2)], vec![]]);
        assert_eq!(frequencies_of_three.inverse(9), 4f64.ln() + 1.0);
        let frequencies = frequencies(&[&[high], &[high, 0]]);
        assert_eq!(frequencies.inverse(high), 1.0);
        assert!((frequencies.inverse(0) - (1.5f64.ln() + 1.0)).abs() < 1e-12);
    }

    #[test]
    fn nothing_counted_is_in_no_document() {
        assert_eq!(DocumentFrequencies::default().of(7), 0);
        let mut found = Vec::new();
        DocumentFrequencies::default().of_all([7, 8].into_iter(), &mut found);
        assert_eq!(found, [0, 0]);
        assert_eq!(frequencies(&[]).inverse(0), 1.0);
        assert_eq!(frequencies(&[&[]]).n_documents(), 1);
    }

    #[test]
    fn more_documents_than_two_bytes_count_are_looked_up() {
        let (first, last) = (vec![&[7][..]; 1 << 16], vec![&[7, 8][..]; 1 << 16]);
        let last_parted = parted(&last);
        let mut counter = FrequencyCounter::new();
        counter.count(&[&parted(&first), &parted(&[&[8], &[]])], &|| false);
        let table = counter.finish(&[&last_parted], &|| false);
        let found = read(&last_parted, &last, &table, Wanted::Shared);
        assert_eq!(found.len(), 1 << 16);
        assert!(found.iter().all(|found| *found == [(7, 1 << 17), (8, (1 << 16) + 1)]));
        assert_eq!(table.n_documents(), (1 << 17) + 2);
    }

    #[test]
    fn counting_stops_when_told_to() {
        let counted = parted(&[&[1, 2, u64::MAX]]);
        let frequencies = FrequencyCounter::new().finish(&[&counted], &|| true);
        assert_eq!([1, 2, u64::MAX].map(|key| frequencies.of(key)), [0; 3]);
    }

    #[test]
    fn a_small_shard_has_room_for_many_more() {
        for n_first in 1..200 {
            for n_more in [1, 40, 256, 300] {
                let keys: Vec<u64> = (0..n_first + n_more).map(|n| n * 0x1fff_ffff_fff1).collect();
                let (first, last) = keys.split_at(n_first as usize);
                let mut counter = FrequencyCounter::new();
                counter.count(&[&parted(&[first])], &|| false);
                let table = counter.finish(&[&parted(&[last])], &|| false);
                assert!(keys.iter().all(|&key| table.of(key) == 1), "{n_first}, then {n_more}");
                assert_eq!(table.of(u64::MAX), 0);
            }
        }
    }

    /// Against a plain map, with keys that crowd one shard and one row, past several growths and past the
    /// counts that a byte and a slot hold.
    #[test]
    fn a_crowded_shard_counts_like_a_map() {
        let mut expected: HashMap<u64, u32> = HashMap::new();
        let documents = (0..3000u64).map(|number| {
            let crowded = number.wrapping_mul(1 << 40);
            let mut keys = vec![number % 7, number, u64::MAX - number, crowded, 1 << 63];
            keys.push((number % 9) << 32);
            keys.sort_unstable();
            keys.dedup();
            for key in &keys {
                *expected.entry(*key).or_default() += 1;
            }
            keys
        });
        let documents: Vec<Vec<u64>> = documents.collect();
        for n_first in [0, 1, 1000, 3000] {
            let (first, last) = documents.split_at(n_first);
            let portions = |documents: &[Vec<u64>]| -> Vec<Parted> {
                let some = documents.chunks(123).map(|some| some.iter().map(Vec::as_slice));
                some.map(|some| parted(&some.collect::<Vec<_>>())).collect()
            };
            let mut counter = FrequencyCounter::new();
            counter.count(&portions(first).iter().collect::<Vec<_>>(), &|| false);
            let last_portions = portions(last);
            let frequencies = counter.finish(&last_portions.iter().collect::<Vec<_>>(), &|| false);
            assert_eq!(frequencies.n_documents(), 3000);
            assert!(expected.iter().all(|(key, count)| frequencies.of(*key) == *count));
            let mut at_once = Vec::new();
            frequencies.of_all(expected.keys().copied(), &mut at_once);
            assert!(expected.values().eq(&at_once));
            let total: usize = frequencies.shards.iter().map(Shard::len).sum();
            assert_eq!(total, expected.len());
            for (portion, some) in last_portions.iter().zip(last.chunks(123)) {
                let some: Vec<&[u64]> = some.iter().map(Vec::as_slice).collect();
                let all = some
                    .iter()
                    .map(|keys| keys.iter().map(|key| (*key, expected[key])).collect::<Vec<_>>());
                let mut all: Vec<_> = all.collect();
                assert_eq!(read(portion, &some, &frequencies, Wanted::All), all);
                for found in &mut all {
                    found.retain(|(_, df)| *df > 1);
                }
                assert_eq!(read(portion, &some, &frequencies, Wanted::Shared), all);
            }
            for (df, count) in [(0, 1), (7, 1), (7, 3), (KNOWN, 1), (2999, 2)] {
                let expected = Weighting::TfIdf.weigh(count, inverse(3000, df));
                assert_eq!(frequencies.weight(df, count), expected);
            }
        }
    }
}
