//! Which documents are one text twice, and which of them are known by name: one pass over the corpus.
//!
//! Documents with one fingerprint need not have one text; those that have need no judge. And labels name
//! texts, so that the documents behind the names must be found. Memory: 32 bytes a document that has
//! copies while the pass runs, then 4 for each whose copies are not all one text, and what is named.

use std::collections::{HashMap, HashSet};

use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::{
    analysis::{AnalysisError, Job, Shelf, Stage, batch},
    corpus::{Content, Corpus},
    evaluate::sample::some_below,
    id::DocId,
    index::DocumentPair,
    progress::Progress,
    text::{Digest, digest},
};

/// What the pass found out.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// The entries whose documents are not all one text, ascending.
    pub(super) mixed: Vec<Mixed>,
    /// Pairs of documents with one fingerprint and one text.
    pub(super) verified: u64,
    /// For each text asked for, the first document of each entry that has it.
    pub(super) named: HashMap<Digest, Vec<DocId>>,
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
}

impl Texts {
    /// Reads every document that has copies, and all of them if texts are asked for by name.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if told to stop.
    pub(super) fn read(
        corpus: &Corpus,
        shelf: &Shelf,
        names: &HashSet<Digest>,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        job.enter(Stage::Compare, corpus.len() as u64);
        let entry_with_copies = |document| {
            shelf.entry_of(document).map(|entry| (entry, shelf.documents(entry).len() > 1))
        };
        let mut copies: Vec<(u32, Option<Digest>, DocId)> = Vec::new();
        let mut named: HashMap<Digest, Vec<DocId>> = HashMap::new();
        batch::reread(corpus, 0, job, &mut |first, contents| {
            let name = |(at, content): (usize, &Result<Content, _>)| {
                let document = DocId::from(first.index() + at);
                let (entry, has_copies) = entry_with_copies(document)?;
                let wanted = has_copies || !names.is_empty();
                if !wanted || job.progress.is_cancelled() {
                    return None;
                }
                // What cannot be read, or was never a text, is like nothing else.
                let text = content.as_ref().ok().and_then(Content::text);
                Some((entry, has_copies, text.map(digest), document))
            };
            let found: Vec<_> = contents.par_iter().enumerate().filter_map(name).collect();
            for (entry, has_copies, name, document) in found {
                if has_copies {
                    copies.push((entry, name, document));
                }
                if let Some(name) = name.filter(|name| names.contains(name)) {
                    let those = named.entry(name).or_default();
                    if those.iter().all(|&other| shelf.entry_of(other) != Some(entry)) {
                        those.push(document);
                    }
                }
            }
        })?;
        let (mixed, verified) = sort_out(copies, &job.progress)?;
        Ok(Self { mixed, verified, named })
    }

    /// Notes that this document has the text of this name.
    pub(super) fn name(&mut self, shelf: &Shelf, name: Digest, document: DocId) {
        let those = self.named.entry(name).or_default();
        if those.iter().all(|&other| shelf.entry_of(other) != shelf.entry_of(document)) {
            those.push(document);
        }
    }

    /// The documents with the text and the fingerprint of `document`, itself among them, ascending.
    pub(super) fn copies<'a>(&'a self, shelf: &'a Shelf, document: DocId) -> &'a [DocId] {
        let Some(entry) = shelf.entry_of(document) else { return &[] };
        match self.mixed(entry) {
            Some(mixed) => mixed.copies(document),
            None => shelf.documents(entry),
        }
    }

    /// The texts of an entry, if it has several.
    fn mixed(&self, entry: u32) -> Option<&Mixed> {
        Some(&self.mixed[self.place(entry)?])
    }

    /// The place of an entry among those with several texts.
    pub(super) fn place(&self, entry: u32) -> Option<usize> {
        self.mixed.binary_search_by_key(&entry, |mixed| mixed.entry).ok()
    }
}

/// How many pairs of different texts have one fingerprint, and at most `most` of them, drawn without
/// replacement: each text once, by its first document. Reads every document that has copies.
///
/// # Errors
/// [`AnalysisError::Cancelled`] if told to stop.
pub(in crate::analysis) fn different_texts(
    corpus: &Corpus,
    shelf: &Shelf,
    most: usize,
    rng: Xoshiro256PlusPlus,
    job: &Job,
) -> Result<(u64, Vec<DocumentPair>), AnalysisError> {
    let texts = Texts::read(corpus, shelf, &HashSet::new(), job)?;
    let mut ends = Vec::with_capacity(texts.mixed.len());
    let mut n_pairs = 0;
    for mixed in &texts.mixed {
        let n = mixed.ends.len() as u64;
        n_pairs += n * (n - 1) / 2;
        ends.push(n_pairs);
    }
    let pair = |number: u64| {
        let place = ends.partition_point(|&end| end <= number);
        let before = place.checked_sub(1).map_or(0, |before| ends[before]);
        let (a, b) = unranked(number - before);
        let first = |text: u64| texts.mixed[place].text(text as usize)[0];
        let (a, b) = (first(a), first(b));
        DocumentPair { a: a.min(b), b: a.max(b), distance: 0 }
    };
    Ok((n_pairs, some_below(n_pairs, most, rng).into_iter().map(pair).collect()))
}

/// The pair with this number among those of 1 with 0, 2 with 0 and 1, 3 with 0, 1 and 2 ..
fn unranked(number: u64) -> (u64, u64) {
    let mut larger = (f64::midpoint(1.0, (8.0 * number as f64 + 1.0).sqrt())) as u64;
    while larger * (larger - 1) / 2 > number {
        larger -= 1;
    }
    while (larger + 1) * larger / 2 <= number {
        larger += 1;
    }
    (number - larger * (larger - 1) / 2, larger)
}

/// The entries with several texts, and the number of pairs of one text.
fn sort_out(
    mut copies: Vec<(u32, Option<Digest>, DocId)>,
    progress: &Progress,
) -> Result<(Vec<Mixed>, u64), AnalysisError> {
    progress.check()?;
    copies.par_sort_unstable();
    let (mut mixed, mut verified) = (Vec::new(), 0);
    for entry in copies.chunk_by(|left, right| left.0 == right.0) {
        progress.check()?;
        let mut of_entry = Mixed {
            entry: entry[0].0,
            documents: entry.iter().map(|&(_, _, document)| document).collect(),
            ends: Vec::new(),
            before: Vec::new(),
            pairs: 0,
        };
        let mut end = 0;
        for text in entry.chunk_by(|left, right| left.1.is_some() && left.1 == right.1) {
            let n = text.len() as u64;
            end += text.len();
            verified += n * (n - 1) / 2;
            of_entry.ends.push(end as u32);
            of_entry.before.push(of_entry.pairs);
            of_entry.pairs += n * (entry.len() - end) as u64;
        }
        if of_entry.pairs > 0 {
            mixed.push(of_entry);
        }
    }
    Ok((mixed, verified))
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

    fn copies(&self, document: DocId) -> &[DocId] {
        let mut texts = (0..self.ends.len()).map(|text| self.text(text));
        texts.find(|text| text.binary_search(&document).is_ok()).unwrap_or_default()
    }

    /// The documents of a text.
    fn text(&self, text: usize) -> &[DocId] {
        let begin = text.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.documents[begin as usize..self.ends[text] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_one_after_the_other() {
        let pairs: Vec<(u64, u64)> =
            (1..60).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        assert!((0..).zip(&pairs).all(|(number, pair)| unranked(number) == *pair));
        assert_eq!(unranked(u64::from(u32::MAX) * (u64::from(u32::MAX) - 1) / 2).0, 0);
    }
}
