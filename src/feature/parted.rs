//! The features of many documents, parted by the shard of the table that counts them.
//!
//! Going through them shard by shard stays near. The shard's number stands for the highest bits of a key,
//! which leaves room in its word for which document it stands in: so they are counted, and go
//! [back](super::Regroup) to their documents, without another list. Costs 10 bytes a feature, 8 more where
//! hashes are wide, 8 for one that occurs more than once, and 4 kB for each 65,536 of them or 1024
//! documents.

use std::{
    ops::Range,
    sync::atomic::{AtomicU16, AtomicU64, Ordering},
};

use super::shard::{SHARDS, shard_of, shifted};
use crate::kernel;

/// Documents parted together: as many as there is room to number.
pub(super) const PART_DOCUMENTS: usize = SHARDS;
/// Features parted together: as many as two bytes can tell apart.
const PART_FEATURES: usize = 1 << 16;

/// The distinct features of some documents, end to end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listed<'a> {
    /// How many each document has.
    pub lengths: &'a [u32],
    /// What they are counted by.
    pub keys: &'a [u64],
    /// The high words of wide hashes, whose low words are the keys; none of others.
    pub high: &'a [u64],
    /// Which of all occur more than once, and how often, in order.
    pub repeats: &'a [(u32, u32)],
}

/// The features of some documents.
#[derive(Debug, Default)]
pub struct Parted {
    n_documents: u32,
    /// The stamp of the table whose counts stand in the parts; 0 where none do.
    counted_for: AtomicU64,
    pub(super) parts: Box<[Part]>,
}

/// The features of up to [`PART_DOCUMENTS`] documents, those of one shard side by side.
#[derive(Debug)]
pub(super) struct Part {
    /// The key of each, shifted, and the number of its document.
    pub(super) words: Box<[u64]>,
    /// The high words of wide hashes, or none.
    pub(super) high: Box<[u64]>,
    /// Where the features of each shard end.
    ends: Box<[u32; SHARDS]>,
    /// In how many documents each stands, where that is found and below 65,536; else 0.
    pub(super) found: Box<[AtomicU16]>,
    /// Those that occur more than once, document after document.
    pub(super) repeats: Box<[Recurrence]>,
}

/// A feature that occurs more than once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recurrence {
    pub(super) shard: u16,
    /// Where it is in its part.
    pub(super) place: u16,
    /// Occurrences in its document.
    pub(super) count: u32,
}

impl Parted {
    /// Parts the features of documents; `None` where `stop` says so, which is asked every 65,536 features
    /// or 1024 documents.
    ///
    /// # Panics
    /// If the lengths do not add up to the keys, or only some keys have a high word.
    pub fn new(listed: Listed<'_>, stop: &dyn Fn() -> bool) -> Option<Self> {
        let Listed { lengths, keys, high, mut repeats } = listed;
        assert!(high.is_empty() || high.len() == keys.len(), "each or none has a high word");
        // A document without features has none to number.
        let mut lengths = lengths.iter().filter(|n| **n > 0).map(|n| *n as usize);
        let (mut parts, mut start, mut left) = (Vec::new(), 0, 0);
        let (mut pieces, mut places) = (Vec::new(), Vec::new());
        while start < keys.len() {
            if stop() {
                return None;
            }
            let mut end = start;
            pieces.clear();
            while end < keys.len() && end - start < PART_FEATURES && pieces.len() < PART_DOCUMENTS {
                if left == 0 {
                    left = lengths.next().expect("lengths that add up to the keys");
                }
                let n = left.min(PART_FEATURES - (end - start));
                pieces.push(n);
                (left, end) = (left - n, end + n);
            }
            let own;
            (own, repeats) =
                repeats.split_at(repeats.partition_point(|(at, _)| (*at as usize) < end));
            let high = high.get(start..end).unwrap_or_default();
            let own = own.iter().map(|&(at, count)| (at as usize - start, count));
            parts.push(Part::new(&keys[start..end], high, own, &pieces, &mut places));
            start = end;
        }
        assert!(left == 0 && lengths.next().is_none(), "lengths that add up to the keys");
        let n_documents = listed.lengths.len() as u32;
        Some(Self { n_documents, counted_for: AtomicU64::default(), parts: parts.into() })
    }

    /// Documents.
    pub fn n_documents(&self) -> u64 {
        u64::from(self.n_documents)
    }

    /// Bytes they take.
    pub fn bytes(&self) -> usize {
        let bytes = |part: &Part| {
            let some = size_of_val(&*part.high) + size_of_val(&*part.repeats);
            size_of_val(&*part.ends) + 10 * part.words.len() + some
        };
        size_of_val(&*self.parts) + self.parts.iter().map(bytes).sum::<usize>()
    }

    /// Notes which table the counts are of that [`Parted::find`] writes down.
    pub(super) fn stamp(&self, table: u64) {
        self.counted_for.store(table, Ordering::Relaxed);
    }

    /// Whether counts stand here, then of this table.
    pub(super) fn is_of(&self, table: u64) -> bool {
        [0, table].contains(&self.counted_for.load(Ordering::Relaxed))
    }

    /// The words of one shard.
    pub(super) fn shard(&self, number: usize) -> impl Iterator<Item = &[u64]> {
        self.parts.iter().map(move |part| &part.words[part.range(number)])
    }

    /// Writes down the counts of the keys of one shard, and leaves the rest of `counts`; 0 is a count to be
    /// looked up. Shards may do so side by side.
    #[inline]
    pub(super) fn find(&self, number: usize, counts: &mut impl Iterator<Item = u16>) {
        for part in &self.parts {
            // Which asks for a count only where there is a key.
            for (found, count) in part.found[part.range(number)].iter().zip(&mut *counts) {
                found.store(count, Ordering::Relaxed);
            }
        }
    }
}

impl Part {
    /// Of these features; `pieces` says how many each document has, and `places` then where each went.
    fn new(
        keys: &[u64],
        high: &[u64],
        repeats: impl Iterator<Item = (usize, u32)>,
        pieces: &[usize],
        places: &mut Vec<u16>,
    ) -> Self {
        let (words, ends) = part(keys, pieces, places);
        let mut parted_high = vec![0; high.len()];
        for (&high, &place) in high.iter().zip(&*places) {
            parted_high[usize::from(place)] = high;
        }
        let repeat = |(at, count): (usize, u32)| {
            let (shard, place) = (shard_of(keys[at]) as u16, places[at]);
            Recurrence { shard, place, count }
        };
        Self {
            found: words.iter().map(|_| AtomicU16::new(0)).collect(),
            words,
            high: parted_high.into(),
            ends,
            repeats: repeats.map(repeat).collect(),
        }
    }

    /// Where the features of a shard stand.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start as usize..self.ends[number] as usize
    }
}

/// The words of these keys by shard, and where each shard ends; `pieces` says how many keys each document
/// has, and `places` then where each key went.
fn part(keys: &[u64], pieces: &[usize], places: &mut Vec<u16>) -> (Box<[u64]>, Box<[u32; SHARDS]>) {
    let mut ends = Box::new([0u32; SHARDS]);
    for &key in keys {
        ends[shard_of(key)] += 1;
    }
    kernel::exclusive_prefix_sum(&mut *ends);
    let mut words = vec![0; keys.len()].into_boxed_slice();
    places.clear();
    let mut rest = keys;
    for (&n, document) in pieces.iter().zip(0..) {
        let own;
        (own, rest) = rest.split_at(n);
        places.extend(own.iter().map(|&key| {
            // Where the shard's next key goes: its end, when all have gone.
            let end = &mut ends[shard_of(key)];
            let place = *end;
            words[place as usize] = shifted(key) | document;
            *end += 1;
            place as u16
        }));
    }
    (words, ends)
}
