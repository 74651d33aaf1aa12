//! Which documents with equal fingerprints have equal texts.
//!
//! Equal texts, equal features and equal fingerprints are three things: texts of the same words in another
//! punctuation have equal features, and texts of nothing in common but one heavy feature may have equal
//! fingerprints. So texts are read again and compared by a digest of 128 bits. Two texts are equal here if
//! they are after the recipe's normalisation: its normal form and case, runs of white space taken as one
//! space.
//!
//! Costs reading every document whose fingerprint another has, 32 bytes for each while the pass runs, then
//! up to 16 for each document of an entry with several texts.

use std::{ops::Range, sync::Arc};

use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Analysis, Job, Shelf, Stage};
use crate::{
    corpus::Content,
    evaluate::sample::some_below,
    id::DocId,
    index::DocumentPair,
    progress::{Cancelled, Progress},
    text::{Digest, digest_as},
};

/// Documents read in a row, and bytes but for a document larger than that.
const AT_ONCE: usize = 512;
const BYTES_AT_ONCE: u64 = 1 << 20;
/// Documents of an entry that are looked at to tell whether one feature decided its fingerprint. Documents
/// of one fingerprint mostly agree on that.
const MOST_LOOKED_AT: usize = 64;

/// What is known of the texts behind a fingerprint that several documents have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// The texts are not compared yet, or there are none.
    Unknown,
    /// All texts are equal.
    OneText,
    /// There are so many different texts; those that could not be read are left out.
    Texts(u32),
}

/// What two documents have in common, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    /// Equal texts, so equal fingerprints.
    Text,
    /// Equal fingerprints; the texts differ, or are not compared.
    Fingerprint,
}

/// The entries of a shelf whose documents are not all one text; all others that have several documents have
/// one text each.
#[derive(Clone, Debug, Default)]
pub struct EqualTexts {
    /// Ascending by entry.
    pub(super) mixed: Vec<Mixed>,
    /// Pairs of documents with one fingerprint and one text.
    pub(super) n_pairs: u64,
}

/// An entry with several texts: its documents, text by text, ascending inside a text.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    pub(super) entry: u32,
    documents: Vec<DocId>,
    /// Where the documents of each text end.
    ends: Vec<u32>,
    /// How many pairs of different texts begin with a text before this one.
    before: Vec<u64>,
    /// Pairs of different texts.
    pub(super) pairs: u64,
    /// The first so many documents could not be read or have no text: nothing is known of theirs.
    n_unread: u32,
}

impl EqualTexts {
    /// From the entry, the digest and the number of each document whose fingerprint another has; no digest
    /// where there is no text.
    pub(super) fn new(
        mut documents: Vec<(u32, Option<Digest>, DocId)>,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        progress.check()?;
        documents.par_sort_unstable();
        let (mut mixed, mut n_pairs) = (Vec::new(), 0);
        for entry in documents.chunk_by(|left, right| left.0 == right.0) {
            progress.check()?;
            let mut of_entry = Mixed {
                entry: entry[0].0,
                documents: entry.iter().map(|&(_, _, document)| document).collect(),
                ends: Vec::new(),
                before: Vec::new(),
                pairs: 0,
                n_unread: entry.iter().take_while(|(_, name, _)| name.is_none()).count() as u32,
            };
            let mut end = 0;
            for text in entry.chunk_by(|left, right| left.1.is_some() && left.1 == right.1) {
                let n = text.len() as u64;
                end += text.len();
                n_pairs += n * (n - 1) / 2;
                of_entry.ends.push(end as u32);
                of_entry.before.push(of_entry.pairs);
                of_entry.pairs += n * (entry.len() - end) as u64;
            }
            if of_entry.pairs > 0 {
                mixed.push(of_entry);
            }
        }
        Ok(Self { mixed, n_pairs })
    }

    /// The documents with the text and the fingerprint of `document`, itself among them, ascending.
    pub(super) fn with_the_text_of<'a>(&'a self, shelf: &'a Shelf, document: DocId) -> &'a [DocId] {
        let Some(entry) = shelf.entry_of(document) else { return &[] };
        match self.of(entry) {
            Some(mixed) => mixed.with_the_text_of(document),
            None => shelf.documents(entry),
        }
    }

    /// The place of an entry among those with several texts.
    pub(super) fn place(&self, entry: u32) -> Option<usize> {
        self.mixed.binary_search_by_key(&entry, |mixed| mixed.entry).ok()
    }

    /// How many pairs of different texts have one fingerprint, each text once, and at most `most` of them by
    /// their first documents, drawn without replacement.
    pub(super) fn different(
        &self,
        most: usize,
        rng: Xoshiro256PlusPlus,
    ) -> (u64, Vec<DocumentPair>) {
        let n_pairs_of = |mixed: &Mixed| {
            let n = mixed.ends.len() as u64;
            n * (n - 1) / 2
        };
        let sum = |sum: &mut u64, mixed: &Mixed| {
            *sum += n_pairs_of(mixed);
            Some(*sum)
        };
        let ends: Vec<u64> = self.mixed.iter().scan(0, sum).collect();
        let n_pairs = ends.last().copied().unwrap_or(0);
        let pair = |number: u64| {
            let place = ends.partition_point(|&end| end <= number);
            let before = place.checked_sub(1).map_or(0, |before| ends[before]);
            let (a, b) = unranked(number - before);
            let first = |text: u64| self.mixed[place].text(text as usize)[0];
            let (a, b) = (first(a), first(b));
            DocumentPair { a: a.min(b), b: a.max(b), distance: 0 }
        };
        (n_pairs, some_below(n_pairs, most, rng).into_iter().map(pair).collect())
    }

    /// The texts of an entry, if it has several.
    fn of(&self, entry: u32) -> Option<&Mixed> {
        Some(&self.mixed[self.place(entry)?])
    }
}

impl Mixed {
    /// The pair of different texts with this number.
    ///
    /// # Panics
    /// If there are not so many.
    pub(super) fn pair(&self, number: u64) -> (DocId, DocId) {
        // The last text that begins at or before the number, but for those no pair begins with.
        let text = self.before.partition_point(|&before| before <= number) - 1;
        let later = &self.documents[self.ends[text] as usize..];
        let number = (number - self.before[text]) as usize;
        (self.text(text)[number / later.len()], later[number % later.len()])
    }

    fn with_the_text_of(&self, document: DocId) -> &[DocId] {
        let mut texts = (0..self.ends.len()).map(|text| self.text(text));
        texts.find(|text| text.binary_search(&document).is_ok()).unwrap_or_default()
    }

    /// The documents of a text.
    fn text(&self, text: usize) -> &[DocId] {
        let begin = text.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.documents[begin as usize..self.ends[text] as usize]
    }
}

/// The pair with this number among those of 1 with 0, 2 with 0 and 1, 3 with 0, 1 and 2 ..
fn unranked(number: u64) -> (u64, u64) {
    let mut larger = f64::midpoint(1.0, (8.0 * number as f64 + 1.0).sqrt()) as u64;
    while larger * (larger - 1) / 2 > number {
        larger -= 1;
    }
    while (larger + 1) * larger / 2 <= number {
        larger += 1;
    }
    (number - larger * (larger - 1) / 2, larger)
}

impl Analysis {
    /// Reads every document whose fingerprint another has, and compares their texts; `job` counts them.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    ///
    /// # Panics
    /// If the fingerprints are not collapsed yet ([`super::Depth::Shelf`]).
    pub fn compare_texts(&self, job: &Job) -> Result<EqualTexts, Cancelled> {
        let shelf = self.shelf.as_deref().expect("fingerprints come before their texts");
        let entry = |document| {
            let entry = shelf.entry_of(document)?;
            (shelf.documents(entry).len() > 1).then_some(entry)
        };
        let ranges = self.ranges_of(&|document| entry(document).is_some());
        job.enter(Stage::Compare, ranges.iter().map(|range| range.len() as u64).sum());
        let recipe = &self.settings.recipe;
        let read = |range: Range<usize>| {
            job.progress.check()?;
            let n = range.len() as u64;
            let contents = range.clone().zip(self.corpus.read_many(range));
            let named = contents.filter_map(|(at, content)| {
                let document = DocId::from(at);
                let text = content.as_ref().ok().and_then(Content::text);
                let name = text.map(|text| digest_as(text, recipe.form, recipe.case));
                Some((entry(document)?, name, document))
            });
            let named: Vec<_> = named.collect();
            job.progress.add(n);
            Ok(named)
        };
        let named = ranges.into_par_iter().map(read).collect::<Result<Vec<_>, Cancelled>>()?;
        EqualTexts::new(named.concat(), &job.progress)
    }

    /// The documents that are wanted, as ranges of bounded size.
    fn ranges_of(&self, is_wanted: &dyn Fn(DocId) -> bool) -> Vec<Range<usize>> {
        let (mut ranges, mut bytes) = (Vec::<Range<usize>>::new(), 0);
        for at in (0..self.len()).filter(|&at| is_wanted(DocId::from(at))) {
            let length = u64::from(self.corpus.document(DocId::from(at)).length);
            match ranges.last_mut() {
                Some(last) if last.end == at && last.len() < AT_ONCE && bytes < BYTES_AT_ONCE => {
                    last.end += 1;
                    bytes += length;
                }
                _ => {
                    ranges.push(at..at + 1);
                    bytes = length;
                }
            }
        }
        ranges
    }

    /// What is known of the texts behind a fingerprint: of an entry of the shelf.
    pub fn shared(&self, entry: u32) -> Shared {
        let (Some(shelf), Some(texts)) = (&self.shelf, &self.equal_texts) else {
            return Shared::Unknown;
        };
        let Some(mixed) = texts.of(entry) else {
            return if shelf.documents(entry).len() > 1 {
                Shared::OneText
            } else {
                Shared::Unknown
            };
        };
        match (mixed.ends.len() as u32).saturating_sub(mixed.n_unread) {
            0 | 1 => Shared::Unknown,
            several => Shared::Texts(several),
        }
    }

    /// What other documents a document's fingerprint is shared with: `None` if with none.
    pub fn twin(&self, document: DocId) -> Option<Twin> {
        let shelf = self.shelf.as_deref().filter(|shelf| shelf.copies(document) > 1)?;
        let has_text_twin = self
            .equal_texts
            .as_ref()
            .is_some_and(|texts| texts.with_the_text_of(shelf, document).len() > 1);
        Some(if has_text_twin { Twin::Text } else { Twin::Fingerprint })
    }

    /// What two different documents share: `None` if their fingerprints differ, or one has none.
    pub fn twins(&self, one: DocId, other: DocId) -> Option<Twin> {
        let shelf = self.shelf.as_deref()?;
        let entry = shelf.entry_of(one)?;
        if shelf.entry_of(other) != Some(entry) {
            return None;
        }
        let texts = self.equal_texts.as_ref();
        let with_the_text = texts.map_or(&[][..], |texts| texts.with_the_text_of(shelf, one));
        let is_equal = with_the_text.binary_search(&other).is_ok();
        Some(if is_equal { Twin::Text } else { Twin::Fingerprint })
    }

    /// Whether different texts have this fingerprint and one feature outweighs all others in them, so that
    /// the fingerprint is that feature's hash.
    pub fn is_dominated(&self, entry: u32) -> bool {
        let Some(shelf) = &self.shelf else { return false };
        matches!(self.shared(entry), Shared::Texts(_)) && {
            let mut documents = shelf.documents(entry).iter().take(MOST_LOOKED_AT);
            documents.any(|&document| self.sketch(document).is_some_and(|it| it.dominated))
        }
    }

    /// The same analysis with its texts compared.
    #[must_use]
    pub fn with_equal_texts(&self, texts: Arc<EqualTexts>) -> Self {
        Self { equal_texts: Some(texts), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_one_after_the_other() {
        let pairs: Vec<(u64, u64)> = (1..60).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        assert!((0..).zip(&pairs).all(|(number, pair)| unranked(number) == *pair));
        assert_eq!(unranked(u64::from(u32::MAX) * (u64::from(u32::MAX) - 1) / 2).0, 0);
    }
}
