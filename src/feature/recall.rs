//! Features that were [parted](super::Parted) by shard, back in the order of their documents.
//!
//! Most features of a corpus stand in one document, and all of those weigh the same: whoever knows how many
//! there are needs only the others back. A part of them is sorted by document at a time. Costs 14
//! bytes a feature that comes back, 22 where hashes are wide.

use std::sync::atomic::Ordering;

use super::{
    DocumentFrequencies, Parted,
    parted::{PART_DOCUMENTS, Part, Repeat, begin},
    shard::key_of,
};

/// On its way through the documents of [`Parted`] features.
#[derive(Debug)]
pub struct Recall<'a> {
    table: &'a DocumentFrequencies,
    wanted: Wanted,
    /// Those not yet read to their end.
    parts: &'a [Part],
    /// Features passed in the first of them, and its documents and repeats.
    n_passed: usize,
    document: usize,
    n_repeats: usize,
    sorted: Sorted,
}

/// Which features come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that stand in one document only need not.
    Shared,
    /// Every one.
    All,
}

/// What comes back of a document, in no order.
#[derive(Debug, Default)]
pub struct Recalled {
    /// The keys.
    pub keys: Vec<u64>,
    /// The high words of wide hashes; none of others.
    pub high: Vec<u64>,
    /// In how many documents each stands.
    pub frequencies: Vec<u32>,
    /// Every feature that occurs more than once, whether it is among the others or not.
    pub repeats: Vec<Recurring>,
}

/// A feature that occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recurring {
    /// Its key.
    pub key: u64,
    /// The high word of a wide hash, or 0.
    pub high: u64,
    /// Documents that hold it.
    pub n_documents: u32,
    /// Occurrences in its document, at least 2.
    pub count: u32,
}

/// The wanted features of a part by document.
#[derive(Debug, Default)]
struct Sorted {
    /// Where they are in the part.
    places: Vec<u16>,
    keys: Vec<u64>,
    high: Vec<u64>,
    frequencies: Vec<u32>,
    /// Where those of each document end.
    ends: Vec<u32>,
}

impl<'a> Recall<'a> {
    /// From the first document on. `table` is the one that the features were counted for.
    pub fn new(features: &'a Parted, table: &'a DocumentFrequencies, wanted: Wanted) -> Self {
        debug_assert!(features.is_of(table.stamp), "counts of another table");
        let parts = &features.parts;
        let sorted = Sorted::default();
        Self { table, wanted, parts, n_passed: 0, document: 0, n_repeats: 0, sorted }
    }

    /// What comes back of the next document, which has `n` features, in place of what `recalled` held.
    /// `None` where `stop` says so, which is asked every 65,536 features: then there is no going on.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn take(
        &mut self,
        n: usize,
        recalled: &mut Recalled,
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        recalled.clear();
        let mut left = n;
        while left > 0 {
            if stop() {
                return None;
            }
            let part = &self.parts[0];
            if self.n_passed == 0 {
                self.sorted.sort(part, self.table, self.wanted);
            }
            self.sorted.pass_on(self.document, recalled);
            let is_own = |repeat: &&Repeat| part.document_at(repeat.place.into()) == self.document;
            let before = recalled.repeats.len();
            let own = part.repeats[self.n_repeats..].iter().take_while(is_own);
            recalled.repeats.extend(own.map(|repeat| part.recurring(*repeat, self.table)));
            self.n_repeats += recalled.repeats.len() - before;
            let n_here = left.min(part.words.len() - self.n_passed);
            (left, self.n_passed, self.document) =
                (left - n_here, self.n_passed + n_here, self.document + 1);
            if self.n_passed == part.words.len() {
                self.parts = &self.parts[1..];
                (self.n_passed, self.document, self.n_repeats) = (0, 0, 0);
            }
        }
        Some(())
    }
}

impl Recalled {
    fn clear(&mut self) {
        self.keys.clear();
        self.high.clear();
        self.frequencies.clear();
        self.repeats.clear();
    }
}

impl Part {
    /// The number of the document that a feature stands in.
    fn document_at(&self, place: usize) -> usize {
        self.words[place] as usize % PART_DOCUMENTS
    }

    /// In how many documents a feature stands.
    fn frequency_at(&self, shard: usize, place: usize, table: &DocumentFrequencies) -> u32 {
        match self.found[place].load(Ordering::Relaxed) {
            0 => table.of(key_of(shard, self.words[place])),
            found => u32::from(found),
        }
    }

    fn recurring(&self, repeat: Repeat, table: &DocumentFrequencies) -> Recurring {
        let Repeat { shard, place, count } = repeat;
        let (shard, place) = (usize::from(shard), usize::from(place));
        Recurring {
            key: key_of(shard, self.words[place]),
            high: self.high.get(place).copied().unwrap_or(0),
            n_documents: self.frequency_at(shard, place, table),
            count,
        }
    }
}

impl Sorted {
    /// Sorts what is wanted of a part, in place of what was there before.
    fn sort(&mut self, part: &Part, table: &DocumentFrequencies, wanted: Wanted) {
        let Self { places, ends, keys, high, frequencies } = self;
        places.clear();
        ends.clear();
        ends.resize(PART_DOCUMENTS, 0);
        // Which of 64 are wanted is told by a word, so that the others cost next to nothing.
        for (found, first) in part.found.chunks(64).zip((0..).step_by(64)) {
            let mut left = match wanted {
                Wanted::All => u64::MAX >> (64 - found.len()),
                Wanted::Shared => {
                    let shared = found.iter().map(|found| found.load(Ordering::Relaxed) != 1);
                    shared.rev().fold(0, |all, shared| all << 1 | u64::from(shared))
                }
            };
            while left != 0 {
                let place = first + left.trailing_zeros() as usize;
                ends[part.document_at(place)] += 1;
                places.push(place as u16);
                left &= left - 1;
            }
        }
        begin(ends);
        keys.resize(places.len(), 0);
        frequencies.resize(places.len(), 0);
        high.resize(if part.high.is_empty() { 0 } else { places.len() }, 0);
        let mut shard = 0;
        for place in places.iter().map(|&place| usize::from(place)) {
            while part.range(shard).end <= place {
                shard += 1;
            }
            let end = &mut ends[part.document_at(place)];
            let to = *end as usize;
            *end += 1;
            keys[to] = key_of(shard, part.words[place]);
            frequencies[to] = part.frequency_at(shard, place, table);
            if let Some(high) = high.get_mut(to) {
                *high = part.high[place];
            }
        }
    }

    /// Appends what is wanted of a document.
    fn pass_on(&self, document: usize, recalled: &mut Recalled) {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        let own = start as usize..self.ends[document] as usize;
        recalled.keys.extend_from_slice(&self.keys[own.clone()]);
        recalled.frequencies.extend_from_slice(&self.frequencies[own.clone()]);
        recalled.high.extend_from_slice(self.high.get(own).unwrap_or_default());
    }
}
