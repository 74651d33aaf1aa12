//! The documents with equal fingerprints, divided by equal texts.
//!
//! Equal texts, equal features and equal fingerprints are three things: texts with the same words but other
//! punctuation have equal features, and texts that share only one heavy feature may have equal fingerprints. So
//! texts are read again and compared by a digest of 128 bits. Two texts are equal here if they are equal in the
//! recipe's normal form and case, with each run of white space as one space.
//!
//! Reads every document that shares its fingerprint with another. Memory: 32 bytes for each of them during the
//! pass, then up to 16 for each document of an entry with several texts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Analysis, FingerprintIndex, Job, batch};
use crate::corpus::Content;
use crate::evaluate::sample::draw;
use crate::id::DocId;
use crate::index::DocumentPair;
use crate::progress::{Cancelled, Progress};
use crate::text::{Digest, digest_as};

/// The reason why two documents have equal fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwinKind {
    /// Equal texts, so equal fingerprints.
    Text,
    /// Equal fingerprints of texts that differ.
    OtherText,
    /// Equal fingerprints; the texts are not compared yet, or one of them is missing.
    Unknown,
}

/// The documents that make pairs: any two, or with a reference one of each corpus.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairSides(
    /// The first document of the reference.
    pub(super) Option<DocId>,
);

impl PairSides {
    fn is_reference(self, document: DocId) -> bool {
        self.0.is_some_and(|first| document >= first)
    }

    /// The numbers of documents in the first corpus and in the reference.
    pub(super) fn counts(self, documents: &[DocId]) -> [u64; 2] {
        let n_reference = documents.iter().filter(|it| self.is_reference(**it)).count();
        [(documents.len() - n_reference) as u64, n_reference as u64]
    }

    /// The number of pairs of one of these documents and one of those.
    pub(super) fn n_pairs(self, [a, a_reference]: [u64; 2], [b, b_reference]: [u64; 2]) -> u64 {
        if self.0.is_none() { a * b } else { a * b_reference + a_reference * b }
    }

    /// The pair with this number.
    pub(super) fn pair(self, a: &[DocId], b: &[DocId], number: u64) -> (DocId, DocId) {
        let of = |documents: &[DocId], side: usize, at: u64| {
            let is_here = |it: &&DocId| usize::from(self.is_reference(**it)) == side;
            *documents.iter().filter(is_here).nth(at as usize).expect("a number below the sum")
        };
        let ([first, _], [b_first, b_reference]) = (self.counts(a), self.counts(b));
        if self.0.is_none() {
            return (of(a, 0, number / b_first), of(b, 0, number % b_first));
        }
        match number.checked_sub(first * b_reference) {
            None => (of(a, 0, number / b_reference), of(b, 1, number % b_reference)),
            Some(rest) => (of(a, 1, rest / b_first), of(b, 0, rest % b_first)),
        }
    }
}

/// The entries of an index whose documents do not all have one text. An entry with several documents that is not
/// listed has one text.
#[derive(Clone, Debug, Default)]
pub struct EqualTexts {
    /// The entries with several texts, in ascending order.
    pub(super) mixed: Vec<MixedEntry>,
    /// Pairs of documents with one fingerprint and one text.
    pub(super) n_pairs: u64,
    sides: PairSides,
}

/// An entry with several texts: its documents, text by text, ascending inside a text.
#[derive(Clone, Debug)]
pub(super) struct MixedEntry {
    pub(super) entry: u32,
    documents: Vec<DocId>,
    /// The end of each text's documents.
    ends: Vec<u32>,
    /// For each text: the number of pairs of different texts whose first text comes before it.
    before: Vec<u64>,
    /// Pairs of different texts.
    pub(super) pairs: u64,
    /// The number of documents without a readable text. They come first.
    n_unread: u32,
}

impl EqualTexts {
    /// Groups documents by entry and text. `documents` holds each document that shares its fingerprint with
    /// another, with its entry and the digest of its text; `None` if there is no text.
    pub(super) fn new(
        mut documents: Vec<(u32, Option<Digest>, DocId)>,
        reference: Option<DocId>,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        progress.check()?;
        documents.par_sort_unstable();
        let sides = PairSides(reference);
        let (mut mixed, mut n_pairs) = (Vec::new(), 0);
        for entry in documents.chunk_by(|left, right| left.0 == right.0) {
            progress.check()?;
            let mut of_entry = MixedEntry {
                entry: entry[0].0,
                documents: entry.iter().map(|&(_, _, document)| document).collect(),
                ends: Vec::new(),
                before: Vec::new(),
                pairs: 0,
                n_unread: entry.iter().take_while(|(_, name, _)| name.is_none()).count() as u32,
            };
            let (mut end, mut later) = (0, sides.counts(&of_entry.documents));
            for text in entry.chunk_by(|left, right| left.1.is_some() && left.1 == right.1) {
                let n = sides.counts(&of_entry.documents[end..end + text.len()]);
                end += text.len();
                later = [later[0] - n[0], later[1] - n[1]];
                n_pairs += match reference {
                    None => n[0] * (n[0] - 1) / 2,
                    Some(_) => n[0] * n[1],
                };
                of_entry.ends.push(end as u32);
                of_entry.before.push(of_entry.pairs);
                of_entry.pairs += sides.n_pairs(n, later);
            }
            if of_entry.ends.len() > 1 {
                mixed.push(of_entry);
            }
        }
        Ok(Self { mixed, n_pairs, sides })
    }

    /// The documents with the text and the fingerprint of `document`, including itself, ascending.
    pub(super) fn with_the_text_of<'a>(
        &'a self,
        index: &'a FingerprintIndex,
        document: DocId,
    ) -> &'a [DocId] {
        let Some(entry) = index.entry_of(document) else { return &[] };
        match self.of(entry) {
            Some(mixed) => mixed.with_the_text_of(document),
            None => index.documents(entry),
        }
    }

    /// The pair of different texts of the entry at this position that has this number.
    ///
    /// # Panics
    /// If there are fewer pairs.
    pub(super) fn pair(&self, place: usize, number: u64) -> (DocId, DocId) {
        let mixed = &self.mixed[place];
        // The last text with `before` at most the number; a text without later texts is never chosen.
        let text = mixed.before.partition_point(|&before| before <= number) - 1;
        let later = &mixed.documents[mixed.ends[text] as usize..];
        self.sides.pair(mixed.text(text), later, number - mixed.before[text])
    }

    /// The position of an entry among the entries with several texts.
    pub(super) fn place(&self, entry: u32) -> Option<usize> {
        self.mixed.binary_search_by_key(&entry, |mixed| mixed.entry).ok()
    }

    /// The number of pairs of different texts that have one fingerprint, each text counted once, and at most `most`
    /// of these pairs, drawn without replacement. A text is given by its first document. With a boundary, they are
    /// pairs of a text before it and another one from there on, each given by its first document there.
    pub(super) fn different(
        &self,
        boundary: Option<DocId>,
        most: usize,
        seed: u64,
    ) -> (u64, Vec<DocumentPair>) {
        // The texts of an entry that may be first and second in a pair, by their first documents there.
        let sides = |mixed: &MixedEntry| {
            [false, true].map(|are_theirs| {
                let is_here =
                    |it: &&DocId| boundary.is_none_or(|first| (**it >= first) == are_theirs);
                let texts = 0..mixed.ends.len();
                let first = |text| Some((text, *mixed.text(text).iter().find(is_here)?));
                texts.filter_map(first).collect::<Vec<(usize, DocId)>>()
            })
        };
        let n_others = |theirs: &[(usize, DocId)], text: usize| {
            if boundary.is_none() {
                // Each pair once: a text with those before it.
                return text as u64;
            }
            // A text is on the other side, too, or not: so many texts there are other ones.
            let has_it = theirs.binary_search_by_key(&text, |it| it.0).is_ok();
            (theirs.len() - usize::from(has_it)) as u64
        };
        let n_of_entry = |mixed| {
            let [ours, theirs] = sides(mixed);
            ours.iter().map(|&(text, _)| n_others(&theirs, text)).sum::<u64>()
        };
        let n_pairs = self.mixed.iter().map(n_of_entry).sum();
        let mut drawn = draw(most, n_pairs, seed).into_iter().peekable();
        let (mut pairs, mut end) = (Vec::new(), 0);
        for mixed in &self.mixed {
            let [ours, theirs] = sides(mixed);
            for (text, a) in ours {
                let begin = end;
                end += n_others(&theirs, text);
                while let Some(number) = drawn.next_if(|&number| number < end) {
                    let mut others = theirs.iter().filter(|(other, _)| *other != text);
                    let other = others.nth((number - begin) as usize);
                    let &(_, b) = other.expect("a number below that of the text");
                    pairs.push(DocumentPair { a: a.min(b), b: a.max(b), distance: 0 });
                }
            }
        }
        (n_pairs, pairs)
    }

    /// The texts of an entry, if it has several texts.
    fn of(&self, entry: u32) -> Option<&MixedEntry> {
        Some(&self.mixed[self.place(entry)?])
    }
}

impl MixedEntry {
    fn with_the_text_of(&self, document: DocId) -> &[DocId] {
        let mut texts = (0..self.ends.len()).map(|text| self.text(text));
        texts.find(|text| text.binary_search(&document).is_ok()).unwrap_or_default()
    }

    /// Whether nothing is known of a document's text.
    fn is_unread(&self, document: DocId) -> bool {
        self.documents[..self.n_unread as usize].binary_search(&document).is_ok()
    }

    /// The documents of a text.
    fn text(&self, text: usize) -> &[DocId] {
        let begin = text.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.documents[begin as usize..self.ends[text] as usize]
    }
}

impl Analysis {
    /// Reads every document that shares its fingerprint with another, and compares their texts; `job`
    /// counts them.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the fingerprints are not collapsed yet ([`super::AnalysisDepth::Index`]).
    pub fn compare_texts(&self, job: &Job) -> Result<EqualTexts, Cancelled> {
        let index = self.index.as_deref().expect("fingerprints come before their texts");
        let entry = |document| {
            let entry = index.entry_of(document)?;
            (index.documents(entry).len() > 1).then_some(entry)
        };
        let recipe = &self.settings.recipe;
        let read = |range: Range<usize>| {
            let contents = range.clone().zip(self.corpus.read_many(range));
            let named = contents.filter_map(|(at, content)| {
                let document = DocId::from(at);
                let text = content.as_ref().ok().and_then(Content::text);
                let name = text.map(|text| digest_as(text, recipe.form, recipe.case));
                Some((entry(document)?, name, document))
            });
            named.collect()
        };
        let has_copies = |document| entry(document).is_some();
        let named = batch::read_ranges(&self.corpus, has_copies, job, read)?;
        EqualTexts::new(named, self.corpus.reference(), &job.progress)
    }

    /// Whether a document was read and has no features under this recipe, most often because it has no words: it has no
    /// fingerprint and is near no other.
    pub fn is_wordless(&self, document: DocId) -> bool {
        let has_text = !self.corpus.flags(document).lacks_text();
        has_text
            && self.record(document).is_some_and(|it| it.fingerprint.is_none() && !it.unreadable)
    }

    /// The documents without a fingerprint whose texts are equal, such as "???" twice: at least two in each list, in
    /// corpus order; with a reference, of both sides. Empty texts are in none. Reads these documents.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn equal_without_words(&self, job: &Job) -> Result<Vec<Vec<DocId>>, Cancelled> {
        let recipe = &self.settings.recipe;
        let mut found: BTreeMap<Digest, Vec<DocId>> = BTreeMap::new();
        for range in batch::ranges_of(&self.corpus, |document| self.is_wordless(document)) {
            job.progress.check()?;
            for (at, content) in range.clone().zip(self.corpus.read_many(range)) {
                let text = content.as_ref().ok().and_then(Content::text);
                if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
                    let digest = digest_as(text, recipe.form, recipe.case);
                    found.entry(digest).or_default().push(DocId::from(at));
                }
            }
        }
        // With a reference, only equal texts of different sides are duplicates.
        let is_group = |documents: &Vec<DocId>| {
            let n = documents.iter().filter(|&&it| self.corpus.is_reference(it)).count();
            documents.len() > 1
                && (self.corpus.reference().is_none() || (1..documents.len()).contains(&n))
        };
        let mut found: Vec<Vec<DocId>> = found.into_values().filter(is_group).collect();
        found.sort_unstable();
        Ok(found)
    }

    /// Whether several documents have the fingerprint of an entry, and all of them are known to have one text.
    pub fn has_one_text(&self, entry: u32) -> bool {
        let known = self.index.as_ref().zip(self.equal_texts.as_ref());
        known.is_some_and(|(index, texts)| {
            index.documents(entry).len() > 1 && texts.place(entry).is_none()
        })
    }

    /// Whether another document with the fingerprint of this one is known to have its text; `None` if no other document
    /// has that fingerprint.
    pub fn has_equal_text(&self, document: DocId) -> Option<bool> {
        let index = self.index.as_deref().filter(|index| index.copies(document) > 1)?;
        let texts = self.equal_texts.as_ref();
        Some(texts.is_some_and(|texts| texts.with_the_text_of(index, document).len() > 1))
    }

    /// The relation between two different documents; `None` if their fingerprints differ or one is missing.
    pub fn twins(&self, one: DocId, other: DocId) -> Option<TwinKind> {
        let index = self.index.as_deref()?;
        let entry = index.entry_of(one)?;
        if index.entry_of(other) != Some(entry) {
            return None;
        }
        let Some(texts) = &self.equal_texts else { return Some(TwinKind::Unknown) };
        if texts.with_the_text_of(index, one).binary_search(&other).is_ok() {
            return Some(TwinKind::Text);
        }
        let mixed = texts.of(entry);
        let is_unread = |document| mixed.is_some_and(|mixed| mixed.is_unread(document));
        let is_unknown = [one, other].into_iter().any(is_unread);
        Some(if is_unknown { TwinKind::Unknown } else { TwinKind::OtherText })
    }

    /// A number for the text of each document that has one of the fingerprints of `documents` and shares it with
    /// another. Equal texts have equal numbers; unknown texts are left out. Linear in all documents of these
    /// fingerprints.
    pub(super) fn text_numbers(&self, documents: &[DocId]) -> HashMap<DocId, u32> {
        let mut numbers = HashMap::new();
        let (Some(index), Some(texts)) = (&self.index, &self.equal_texts) else { return numbers };
        let entries: BTreeSet<u32> =
            documents.iter().filter_map(|&document| index.entry_of(document)).collect();
        let mut next = 0;
        let mut number = |documents: &[DocId]| {
            numbers.extend(documents.iter().map(|&document| (document, next)));
            next += 1;
        };
        for entry in entries.into_iter().filter(|&entry| index.documents(entry).len() > 1) {
            match texts.of(entry) {
                None => number(index.documents(entry)),
                Some(mixed) => (mixed.n_unread as usize..mixed.ends.len())
                    .for_each(|text| number(mixed.text(text))),
            }
        }
        numbers
    }

    /// The same analysis with these equal texts.
    #[must_use]
    pub fn with_equal_texts(&self, texts: Arc<EqualTexts>) -> Self {
        Self { equal_texts: Some(texts), ..self.clone() }
    }
}

#[cfg(test)]
mod tests;
