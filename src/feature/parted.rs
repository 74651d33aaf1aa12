//! The keys of many documents, parted by the shard of the table that counts them.
//!
//! Going through them shard by shard stays near, and so does going back to the order they came in, since
//! they are parted some at a time and the place of each is kept. Costs 12 bytes a key, and 4 kB.

use std::{
    ops::Range,
    sync::atomic::{AtomicU16, AtomicU64, Ordering},
};

use super::{
    DocumentFrequencies,
    shard::{SHARDS, shard_of},
};
use crate::kernel;

/// Keys parted together: as many as two bytes can tell apart.
const PART_KEYS: usize = 1 << 16;

/// The keys of some documents.
#[derive(Debug, Default)]
pub struct Parted {
    n_documents: u32,
    /// The stamp of the table whose counts stand in the parts; 0 where none do.
    counted_for: AtomicU64,
    parts: Box<[Part]>,
}

/// Up to [`PART_KEYS`] keys, those of one shard side by side.
#[derive(Debug)]
struct Part {
    keys: Box<[u64]>,
    /// Where the keys of each shard end.
    ends: Box<[u32; SHARDS]>,
    /// Where the keys are now, in the order they came in.
    places: Box<[u16]>,
    /// In how many documents each key stands, where that is found and below 65,536; else 0.
    found: Box<[AtomicU16]>,
}

impl Parted {
    /// Parts the keys of these many documents, each document's distinct ones, end to end; `None` where
    /// `stop` says so, which is asked every 65,536 keys.
    pub fn new(n_documents: u32, keys: &[u64], stop: &dyn Fn() -> bool) -> Option<Self> {
        let part = |keys| (!stop()).then(|| Part::new(keys));
        let parts: Option<_> = keys.chunks(PART_KEYS).map(part).collect();
        Some(Self { n_documents, counted_for: AtomicU64::default(), parts: parts? })
    }

    /// Documents.
    pub fn n_documents(&self) -> u64 {
        u64::from(self.n_documents)
    }

    /// Bytes they take.
    pub fn bytes(&self) -> usize {
        let bytes = |part: &Part| size_of_val(&*part.ends) + 12 * part.keys.len();
        size_of_val(&*self.parts) + self.parts.iter().map(bytes).sum::<usize>()
    }

    /// Goes through the keys in the order they came in.
    pub fn read(&self) -> Reader<'_> {
        let counted_for = self.counted_for.load(Ordering::Relaxed);
        Reader { counted_for, parts: &self.parts, n_read: 0 }
    }

    /// Notes which table the counts are of that [`Parted::find`] writes down.
    pub(super) fn stamp(&self, table: u64) {
        self.counted_for.store(table, Ordering::Relaxed);
    }

    /// The keys of one shard.
    pub(super) fn shard(&self, number: usize) -> impl Iterator<Item = &[u64]> {
        self.parts.iter().map(move |part| &part.keys[part.range(number)])
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
    fn new(keys: &[u64]) -> Self {
        let mut ends = Box::new([0u32; SHARDS]);
        for &key in keys {
            ends[shard_of(key)] += 1;
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            (*end, sum) = (sum, sum + *end);
        }
        let mut parted = vec![0; keys.len()].into_boxed_slice();
        let places = keys.iter().map(|&key| {
            // Where the shard's next key goes: its end, when all have gone.
            let end = &mut ends[shard_of(key)];
            let place = *end;
            parted[place as usize] = key;
            *end += 1;
            place as u16
        });
        let places = places.collect();
        let found = keys.iter().map(|_| AtomicU16::new(0)).collect();
        Self { keys: parted, ends, places, found }
    }

    /// Has all of it brought from memory, line after line: to read it jumps about.
    fn fetch(&self) {
        kernel::fetch_all(&self.keys);
        kernel::fetch_all(&self.found);
    }

    fn range(&self, number: usize) -> Range<usize> {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start as usize..self.ends[number] as usize
    }
}

/// On its way through the keys of [`Parted`] documents.
#[derive(Debug)]
pub struct Reader<'a> {
    /// The stamp of the table whose counts it reads; 0 for none.
    counted_for: u64,
    /// Those not yet read to their end.
    parts: &'a [Part],
    /// Keys read of the first of them.
    n_read: usize,
}

impl Reader<'_> {
    /// The next `n` keys, in place of what `keys` held; the number of documents that hold each, too.
    /// `None` where `stop` says so, which is asked every 65,536 keys: then there is no going on.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn take(
        &mut self,
        n: usize,
        table: &DocumentFrequencies,
        keys: &mut Vec<u64>,
        frequencies: &mut Vec<u32>,
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        debug_assert!([0, table.stamp].contains(&self.counted_for), "counts of another table");
        keys.clear();
        frequencies.clear();
        while keys.len() < n {
            if stop() {
                return None;
            }
            let part = &self.parts[0];
            if self.n_read == 0 {
                part.fetch();
            }
            let end = part.places.len().min(self.n_read + n - keys.len());
            let places = &part.places[self.n_read..end];
            keys.extend(places.iter().map(|&place| part.keys[usize::from(place)]));
            frequencies.extend(places.iter().map(|&place| {
                let found = &part.found[usize::from(place)];
                match found.load(Ordering::Relaxed) {
                    0 => table.of(part.keys[usize::from(place)]),
                    found => u32::from(found),
                }
            }));
            self.n_read = end;
            if end == part.places.len() {
                (self.parts, self.n_read) = (&self.parts[1..], 0);
            }
        }
        Some(())
    }
}
