//! A document between two passes: read, cut and hashed, not yet weighed.

use std::borrow::Cow;

use super::{count::Repeat, weighing::Counted};

/// The distinct features of one document, counted but not yet weighed. Costs 8 bytes a feature up to 64
/// bits, else 16, and 8 for each that occurs more than once.
#[derive(Clone, Debug)]
pub struct Features {
    pub(super) n_tokens: u32,
    pub(super) hashes: Hashes,
    pub(super) repeats: Box<[Repeat]>,
}

/// Distinct hashes, in order of first occurrence.
#[derive(Clone, Debug)]
pub(super) enum Hashes {
    /// Of a fingerprint up to 64 bits.
    Narrow(Box<[u64]>),
    /// Of a wider one.
    Wide(Box<[u128]>),
}

/// Counted features of either width.
pub(super) enum Either<'a> {
    Narrow(Counted<'a, u64>),
    Wide(Counted<'a, u128>),
}

impl Features {
    /// What is to be weighed.
    pub(super) fn counted_hashes(&self) -> Either<'_> {
        let Self { n_tokens, repeats, .. } = self;
        let n_tokens = *n_tokens;
        match &self.hashes {
            Hashes::Narrow(hashes) => Either::Narrow(Counted { n_tokens, hashes, repeats }),
            Hashes::Wide(hashes) => Either::Wide(Counted { n_tokens, hashes, repeats }),
        }
    }

    /// What document frequencies are counted by: a key a feature.
    pub fn keys(&self) -> Cow<'_, [u64]> {
        match &self.hashes {
            Hashes::Narrow(hashes) => Cow::Borrowed(hashes),
            Hashes::Wide(hashes) => hashes.iter().map(|&hash| hash as u64).collect(),
        }
    }

    /// Every feature once: its key and how often it occurs.
    pub fn counted(&self) -> impl Iterator<Item = (u64, u32)> {
        let keys = self.keys();
        let mut repeats = self.repeats.iter().peekable();
        (0..keys.len()).map(move |number| {
            let repeat = repeats.next_if(|repeat| repeat.number as usize == number);
            (keys[number], repeat.map_or(1, |repeat| repeat.count))
        })
    }
}
