//! A document between two passes: its features are counted, but not yet weighed.

use super::count::{HashColumns, RepeatedFeature};

/// The distinct features of one document, counted but not yet weighed. Costs 8 bytes for each feature up to 64
/// bits, 16 bytes above, and 8 more for each feature that occurs more than once.
#[derive(Clone, Debug)]
pub struct Features {
    pub(super) n_tokens: u32,
    low: Box<[u64]>,
    high: Box<[u64]>,
    repeats: Box<[RepeatedFeature]>,
}

/// Borrowed [`Features`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedFeatures<'a> {
    /// Tokens after stop words.
    pub(super) n_tokens: u32,
    /// The distinct hashes, in order of first occurrence.
    pub(super) hashes: HashColumns<'a>,
    /// The features that occur more than once, in order of their numbers.
    pub(super) repeats: &'a [RepeatedFeature],
}

impl From<CountedFeatures<'_>> for Features {
    fn from(counted: CountedFeatures<'_>) -> Self {
        let CountedFeatures { n_tokens, hashes, repeats } = counted;
        Self { n_tokens, low: hashes.low.into(), high: hashes.high.into(), repeats: repeats.into() }
    }
}

impl Features {
    /// The same features, borrowed.
    pub(super) fn as_counted(&self) -> CountedFeatures<'_> {
        let Self { n_tokens, low, high, repeats } = self;
        CountedFeatures { n_tokens: *n_tokens, hashes: HashColumns { low, high }, repeats }
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
