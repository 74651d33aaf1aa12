//! Features that were [parted](super::Parted) by shard, back in the order of their documents.
//!
//! Many features of a corpus stand in one document only, and all of those weigh the same: whoever knows
//! their votes together needs only the others back. A part is sorted by document at a time. Costs 14 bytes
//! for each of its features that come back, 22 where hashes are wide, and 4 kB.

use std::sync::atomic::Ordering;

use super::{
    DocumentFrequencies, Parted,
    parted::{PART_DOCUMENTS, Part, Recurrence},
    shard::key_of,
};
use crate::kernel;

/// On its way through the documents of [`Parted`] features.
#[derive(Debug)]
pub struct Regroup<'a> {
    table: &'a DocumentFrequencies,
    wanted: Wanted,
    /// Those not yet read to their end.
    parts: &'a [Part],
    /// Features passed in the first of them.
    n_passed: usize,
    /// Its next document.
    document: usize,
    /// Features passed of those that occur more than once.
    n_repeats: usize,
    /// What is wanted of it.
    sorted: Sorted,
}

/// Which features come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// At least those that stand in several documents.
    Shared,
    /// Every one.
    All,
}

/// What comes back of a document, in no order.
#[derive(Debug, Default)]
pub struct OfDocument {
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

impl<'a> Regroup<'a> {
    /// From the first document on. `table` is the one that the features were counted for.
    pub fn new(features: &'a Parted, table: &'a DocumentFrequencies, wanted: Wanted) -> Self {
        debug_assert!(features.is_of(table.stamp), "counts of another table");
        let parts = &features.parts;
        let sorted = Sorted::default();
        Self { table, wanted, parts, n_passed: 0, document: 0, n_repeats: 0, sorted }
    }

    /// What comes back of the next document, which has `n` features, in place of what `own` held.
    /// `None` where `stop` says so, which is asked every 65,536 features: then there is no going on.
    ///
    /// # Panics
    /// Behind the last document. With another number than the document's what follows is of no use.
    pub fn take(&mut self, n: usize, own: &mut OfDocument, stop: &dyn Fn() -> bool) -> Option<()> {
        own.clear();
        let mut left = n;
        while left > 0 {
            if stop() {
                return None;
            }
            let part = &self.parts[0];
            if self.n_passed == 0 {
                self.sorted.sort(part, self.table, self.wanted);
            }
            self.sorted.pass_on(self.document, own);
            let is_own = |it: &&Recurrence| part.document_at(it.place.into()) == self.document;
            let before = own.repeats.len();
            let repeats = part.repeats[self.n_repeats..].iter().take_while(is_own);
            own.repeats.extend(repeats.map(|repeat| part.recurring(*repeat, self.table)));
            self.n_repeats += own.repeats.len() - before;
            let n_here = left.min(part.words.len() - self.n_passed);
            (left, self.n_passed, self.document) =
                (left - n_here, self.n_passed + n_here, self.document + 1);
            if self.n_passed == part.words.len() {
                self.parts = &self.parts[1..];
                (self.n_passed, self.document, self.n_repeats) = (0, 0, 0);
            }
        }
        let is_right = if self.wanted == Wanted::All { usize::eq } else { usize::le };
        debug_assert!(is_right(&own.keys.len(), &n), "as many features as the document has");
        Some(())
    }
}

impl OfDocument {
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

    fn recurring(&self, repeat: Recurrence, table: &DocumentFrequencies) -> Recurring {
        let Recurrence { shard, place, count } = repeat;
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
        kernel::exclusive_prefix_sum(ends);
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
    fn pass_on(&self, document: usize, own: &mut OfDocument) {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        let range = start as usize..self.ends[document] as usize;
        own.keys.extend_from_slice(&self.keys[range.clone()]);
        own.frequencies.extend_from_slice(&self.frequencies[range.clone()]);
        own.high.extend_from_slice(self.high.get(range).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::feature::{FrequencyCounter, Listed};

    /// A feature: its key, high word, and how often it occurs.
    type Feature = (u64, u64, u32);

    fn parted(documents: &[Vec<Feature>], is_wide: bool) -> Parted {
        let all = documents.concat();
        let lengths: Vec<u32> = documents.iter().map(|own| own.len() as u32).collect();
        let keys: Vec<u64> = all.iter().map(|feature| feature.0).collect();
        let high: Vec<u64> = all.iter().filter(|_| is_wide).map(|feature| feature.1).collect();
        let repeats = (0..).zip(&all).filter(|(_, feature)| feature.2 > 1);
        let repeats: Vec<(u32, u32)> = repeats.map(|(at, feature)| (at, feature.2)).collect();
        let listed = Listed { lengths: &lengths, keys: &keys, high: &high, repeats: &repeats };
        Parted::new(listed, &|| false).unwrap()
    }

    /// Against the documents themselves, those of `first` counted without being written down.
    fn check(first: &[Vec<Feature>], documents: &[Vec<Feature>], is_wide: bool) {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for feature in first.iter().chain(documents).flatten() {
            *counts.entry(feature.0).or_default() += 1;
        }
        let (early, late) = (parted(first, is_wide), parted(documents, is_wide));
        let mut counter = FrequencyCounter::new();
        counter.count(&[&early], &|| false);
        let table = counter.finish(&[&late], &|| false);
        let high_of = |feature: &Feature| if is_wide { feature.1 } else { 0 };
        for (documents, parted) in [(first, &early), (documents, &late)] {
            for wanted in [Wanted::All, Wanted::Shared] {
                let mut regroup = Regroup::new(parted, &table, wanted);
                let mut own = OfDocument::default();
                for document in documents {
                    regroup.take(document.len(), &mut own, &|| false).unwrap();
                    let high = own.high.iter().copied().chain(std::iter::repeat(0));
                    let found = own.keys.iter().zip(high).zip(&own.frequencies);
                    let mut found: Vec<_> =
                        found.map(|((&key, high), &df)| (key, high, df)).collect();
                    found.sort_unstable();
                    let mut expected: Vec<_> = document
                        .iter()
                        .map(|feature| (feature.0, high_of(feature), counts[&feature.0]))
                        .collect();
                    expected.sort_unstable();
                    if wanted == Wanted::Shared {
                        // Where nothing was written down all come back.
                        found.retain(|feature| feature.2 > 1);
                        expected.retain(|feature| feature.2 > 1);
                    }
                    assert_eq!(found, expected);
                    let repeats = document.iter().filter(|feature| feature.2 > 1);
                    let repeats = repeats.map(|feature| Recurring {
                        key: feature.0,
                        high: high_of(feature),
                        n_documents: counts[&feature.0],
                        count: feature.2,
                    });
                    assert_eq!(own.repeats, repeats.collect::<Vec<_>>());
                }
            }
        }
    }

    /// Distinct keys, some of them in other documents, too; every third occurs more than once.
    fn document(seed: u64, n: usize) -> Vec<Feature> {
        let feature = |at: u64| {
            let own = if at.is_multiple_of(5) { at } else { seed << 32 | at };
            let key = (own + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (key, key.rotate_left(20), if at.is_multiple_of(3) { 2 + at as u32 % 7 } else { 1 })
        };
        (0..n as u64).map(feature).collect()
    }

    #[test]
    fn documents_come_back_across_the_ends_of_parts() {
        for is_wide in [false, true] {
            for n in [65_535, 65_536, 65_537, 131_073] {
                let sizes = [0, 3, n - 3, 7, 0, n, 1];
                let documents = sizes.iter().zip(1..).map(|(&n, seed)| document(seed, n));
                check(&[document(99, 50)], &documents.collect::<Vec<_>>(), is_wide);
            }
            for n in [1023, 1024, 1025, 2049] {
                let documents = (0..n).map(|seed| document(seed, 1 + seed as usize % 4));
                check(&[], &documents.collect::<Vec<_>>(), is_wide);
            }
        }
    }

    #[test]
    #[should_panic(expected = "lengths that add up to the keys")]
    fn a_document_that_is_missing_is_noticed() {
        let listed = Listed { lengths: &[1], keys: &[1, 2], ..Listed::default() };
        let _ = Parted::new(listed, &|| false);
    }

    proptest! {
        #[test]
        fn any_documents_come_back(sizes in vec(0usize..40, 0..60), n_first in 0usize..9, is_wide: bool) {
            let documents = sizes.iter().zip(1..).map(|(&n, seed)| document(seed, n));
            let documents: Vec<_> = documents.collect();
            let (first, last) = documents.split_at(n_first.min(documents.len()));
            check(first, last, is_wide);
        }
    }
}
