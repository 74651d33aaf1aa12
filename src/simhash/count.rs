//! The distinct feature hashes of a document, and the number of occurrences of each.
//!
//! A small, sparse hash table, cleared for every document, holds the position of each hash in the list of
//! distinct hashes: about 2 ns for each feature while it fits the first-level cache, a fifth of the time of
//! sorting. Memory: for each feature, repeats included, a hash, 4 bytes, and 8 to 16 bytes of table; up to 64
//! bytes of table for few features.

use crate::progress::{Cancelled, Progress};

/// Up to this many features the table is so sparse that two hashes rarely need the same slot; it takes at most
/// half of a first-level cache.
const FEW: usize = 1 << 9;
/// Hashes between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 17;

/// Hashes of features as columns of 64-bit words.
#[derive(Clone, Copy, Debug)]
pub(super) struct HashColumns<'a> {
    /// The lowest 64 bits of each hash: the keys of document frequencies.
    pub(super) low: &'a [u64],
    /// The highest 64 bits of each 128-bit hash; empty for 64-bit hashes.
    pub(super) high: &'a [u64],
}

impl<'a> HashColumns<'a> {
    /// The number of hashes.
    pub(super) fn len(self) -> usize {
        self.low.len()
    }

    /// The hash of this number.
    pub(super) fn get(self, number: usize) -> u128 {
        let high = self.high.get(number).copied().unwrap_or(0);
        u128::from(high) << 64 | u128::from(self.low[number])
    }

    /// The hashes, `size` at a time.
    pub(super) fn chunks(self, size: usize) -> impl Iterator<Item = Self> {
        (0..self.len()).step_by(size).map(move |start| {
            let range = start..self.len().min(start + size);
            let high = self.high.get(range.clone()).unwrap_or_default();
            Self { low: &self.low[range], high }
        })
    }

    /// The two columns, the lowest bits first.
    pub(super) fn words(self) -> [&'a [u64]; 2] {
        [self.low, self.high]
    }
}

/// A feature that occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RepeatedFeature {
    /// Its number among the distinct features.
    pub(super) number: u32,
    /// Occurrences, at least 2.
    pub(super) count: u32,
}

/// The distinct features of one document between two passes: counted but not yet weighed. Costs 8 bytes for each
/// feature up to 64 bits, 16 bytes above, and 8 more for each feature that occurs more than once.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Tokens after stop words.
    pub(super) n_tokens: u32,
    /// The lowest 64 bits of each hash, in order of first occurrence.
    low: Vec<u64>,
    /// The highest 64 bits of each 128-bit hash; empty for 64-bit hashes.
    high: Vec<u64>,
    /// The features that occur more than once, in order of their numbers.
    pub(super) repeats: Vec<RepeatedFeature>,
}

impl Features {
    /// The distinct hashes.
    pub(super) fn hashes(&self) -> HashColumns<'_> {
        HashColumns { low: &self.low, high: &self.high }
    }

    /// The keys of document frequencies, one for each feature.
    pub fn keys(&self) -> &[u64] {
        &self.low
    }

    /// The key of every feature and its number of occurrences in the document.
    pub fn counted(&self) -> impl Iterator<Item = (u64, u32)> {
        let mut repeats = self.repeats.iter().peekable();
        self.low.iter().enumerate().map(move |(number, &key)| {
            let repeat = repeats.next_if(|repeat| repeat.number as usize == number);
            (key, repeat.map_or(1, |repeat| repeat.count))
        })
    }

    /// The bytes that these features take on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.low) + size_of_val(&*self.high) + size_of_val(&*self.repeats)
    }
}

/// Counts the features of documents, in buffers that are reused.
#[derive(Debug, Default)]
pub(super) struct FeatureCounter {
    /// Before [`FeatureCounter::count`] the hashes of all features, after it the distinct features.
    pub(super) features: Features,
    /// The number of occurrences of each distinct hash.
    occurrences: Vec<u32>,
    /// The hash table. The low bits of a hash give its slot, or the next free slot holds it: its number among the
    /// distinct hashes plus 1; 0 in a free slot.
    slots: Vec<u32>,
}

impl FeatureCounter {
    /// Keeps the hashes of these shingles only, before they are counted.
    pub(super) fn keep(&mut self, is_kept: &[bool]) {
        let Features { low, high, .. } = &mut self.features;
        for column in [low, high] {
            let mut kept = is_kept.iter();
            column.retain(|_| kept.next() == Some(&true));
        }
    }

    /// Clears the counter for the next document. The caller appends the hash of every feature to the two
    /// columns returned, the lowest 64 bits to the first, the highest of 128-bit hashes to the second.
    pub(super) fn begin(&mut self) -> (&mut Vec<u64>, &mut Vec<u64>) {
        let Features { low, high, repeats, .. } = &mut self.features;
        low.clear();
        high.clear();
        repeats.clear();
        (low, high)
    }

    /// Counts the hashes appended since [`FeatureCounter::begin`]. Cancellation is checked every few
    /// milliseconds.
    pub(super) fn count(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let Features { low: lows, high: highs, repeats, .. } = &mut self.features;
        let n_hashes = lows.len();
        let spread = if n_hashes <= FEW { 8 } else { 2 };
        let n_slots = (spread * n_hashes).next_power_of_two();
        if self.slots.len() < n_slots {
            self.slots.resize(n_slots, 0);
        }
        let slots = &mut self.slots[..n_slots];
        slots.fill(0);
        self.occurrences.clear();
        self.occurrences.resize(n_hashes, 1);
        let (low, high, occurrences) = (&mut **lows, &mut **highs, &mut *self.occurrences);
        let is_wide = !high.is_empty();
        let wrap = n_slots - 1;
        let mut n = 0;
        for from in (0..n_hashes).step_by(CHECK_INTERVAL) {
            progress.check()?;
            for place in from..n_hashes.min(from + CHECK_INTERVAL) {
                let hash = low[place];
                let mut at = hash as usize & wrap;
                loop {
                    let number = slots[at] as usize;
                    if number == 0 {
                        // n is at most `place`, so no hash is overwritten before it is read.
                        low[n] = hash;
                        if is_wide {
                            high[n] = high[place];
                        }
                        n += 1;
                        slots[at] = n as u32;
                        break;
                    }
                    let is_equal =
                        low[number - 1] == hash && (!is_wide || high[number - 1] == high[place]);
                    if is_equal {
                        occurrences[number - 1] += 1;
                        break;
                    }
                    at = (at + 1) & wrap;
                }
            }
        }
        lows.truncate(n);
        highs.truncate(n);
        if n < n_hashes {
            let counts = occurrences[..n].iter().zip(0..).filter(|(count, _)| **count > 1);
            repeats.extend(counts.map(|(&count, number)| RepeatedFeature { number, count }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_counted_whatever_their_low_bits() {
        let mut counter = FeatureCounter::default();
        for _ in 0..2 {
            counter.begin().0.extend([0, 1 << 60, 0, 5, 1 << 60, 0]);
            counter.count(&Progress::new()).unwrap();
            let (hashes, repeats) = (counter.features.hashes(), &counter.features.repeats);
            assert_eq!((hashes.low, hashes.high), (&[0, 1 << 60, 5][..], &[][..]));
            let expected = [(0, 3), (1, 2)];
            assert_eq!(
                repeats[..],
                expected.map(|(number, count)| RepeatedFeature { number, count })
            );
        }
        counter.begin();
        counter.count(&Progress::new()).unwrap();
        assert_eq!((counter.features.keys().len(), counter.features.repeats.len()), (0, 0));
    }

    #[test]
    fn wide_hashes_with_equal_low_words_are_different_features() {
        let mut counter = FeatureCounter::default();
        let (low, high) = counter.begin();
        low.extend([5; 8]);
        high.extend([0, 1, 2, 0, 0, 2, 2, 2]);
        counter.count(&Progress::new()).unwrap();
        let (hashes, repeats) = (counter.features.hashes(), &counter.features.repeats);
        assert_eq!((hashes.low, hashes.high), (&[5; 3][..], &[0, 1, 2][..]));
        let expected = [(0, 3), (2, 4)];
        assert_eq!(repeats[..], expected.map(|(number, count)| RepeatedFeature { number, count }));
        assert_eq!(hashes.get(2), 2 << 64 | 5);
    }
}
