//! Labelling: the pairs of an analysis as strata, and the judgements of people in them.
//!
//! ```text
//! corpus --one pass--> texts: which documents have equal texts, and the documents of the texts in labels
//! pairs ------count--> strata: the number of pairs at each distance, and the pair of each number
//! labels, truth -----> the judgements in these strata, and the judgements outside of them
//! ```
//!
//! Equal texts are judged once: one judgement of two texts counts for all pairs of documents with these texts. The
//! pass over the corpus takes as long as reading it. Everything else is fast enough to run after each label.

mod assessment;
mod judged_strata;
mod strata;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

pub use assessment::{Assessment, ENOUGH, MOST_BYTES, PairWithTexts};
pub(super) use judged_strata::documents;
pub use judged_strata::{ImportedLabels, JudgedStrata, JudgementCounts, labels_of};

use super::equal_texts::PairSides;
use super::{Analysis, AnalysisError, EqualTexts, FingerprintIndex, Job, PairsByDistance, batch};
use crate::corpus::{Content, Corpus, Labels};
use crate::evaluate::labels::Stratum;
use crate::evaluate::sample::{Pick, Sampler};
use crate::id::DocId;
use crate::text::{Digest, digest};
use strata::Strata;

/// The new pairs of a batch; a pair that is shown again comes on top.
pub const BATCH: u32 = 20;
/// The most pairs of one distance that are drawn at once.
pub const NEXT: u32 = 200;
/// The seed of the draw. Corpus, recipe, labels and seed determine the pairs.
const SEED: u64 = 0;

/// The pairs of an analysis, ready to be judged.
#[derive(Clone, Debug)]
pub struct Labelling {
    /// The analysis with these pairs.
    pub(super) analysis: Arc<Analysis>,
    index: Arc<FingerprintIndex>,
    near: Arc<PairsByDistance>,
    /// The texts of its documents, as far as they matter here.
    pub texts: ScannedTexts,
    strata: Strata,
}

/// The facts about texts from a pass over the corpus. They hold for the same fingerprints, whatever k.
#[derive(Clone, Debug)]
pub struct ScannedTexts {
    /// The documents with equal fingerprints, divided by equal texts.
    equal: EqualTexts,
    /// For each text in labels, the first document of each entry with this text.
    named: HashMap<Digest, Vec<DocId>>,
}

impl Labelling {
    /// Prepares the pairs of an analysis, and finds the texts with these digests. Reads the corpus once, unless its
    /// texts are known.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    ///
    /// # Panics
    /// If the pairs are not searched yet.
    pub fn new(
        analysis: Arc<Analysis>,
        names: &HashSet<Digest>,
        known: Option<ScannedTexts>,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = Arc::clone(analysis.index.as_ref().expect("fingerprints come before pairs"));
        let near = Arc::clone(analysis.near.as_ref().expect("pairs come before their labels"));
        let scan = || scanned(&analysis.corpus, &index, names, job);
        let texts = known.map_or_else(scan, Ok)?;
        AnalysisError::require_all_read(&analysis.corpus)?;
        let strata = Strata::new(&index, &near, &texts.equal, &job.progress)?;
        Ok(Self { analysis, index, near, texts, strata })
    }

    /// The strata without judgements: one for each distance up to the window.
    pub fn strata(&self) -> &[Stratum] {
        &self.strata.list
    }

    /// The window: the largest distance of kept pairs. Recall is measured among the pairs within it.
    pub fn window(&self) -> u32 {
        self.near.reach()
    }

    /// The next `n` pairs to judge, and some that are shown again, in the order to show them. Pairs without texts,
    /// and pairs whose texts were judged, are left out.
    pub fn batch(&self, judged: &JudgedStrata, sampler: &mut Sampler, n: u32) -> Vec<Pick> {
        let flags = |document| self.analysis.corpus.flags(document);
        let mut met = HashSet::new();
        sampler.batch(&judged.strata, n, &mut |pick| {
            let pair = self.pair(pick);
            let texts = self.texts_of(pair.a, pair.b);
            let can_be_read = !flags(pair.a).lacks_text() && !flags(pair.b).lacks_text();
            can_be_read && !judged.texts.contains(&texts) && met.insert(texts)
        })
    }

    /// The next pairs to judge, in the random order of the seed: at one distance, each once, or at all distances, some
    /// of them twice. Pairs with a label and the pairs in `left_out` are skipped. Takes milliseconds.
    pub fn next(
        &self,
        labels: &Labels,
        distance: Option<u32>,
        left_out: &HashSet<Pick>,
    ) -> Vec<Pick> {
        let mut judged = self.judge_by_text(labels);
        let others = judged.strata.iter_mut();
        for other in others.filter(|it| distance.is_some_and(|distance| it.distance != distance)) {
            *other = Stratum::new(other.distance, 0, 0);
        }
        let most = if distance.is_some() { NEXT } else { BATCH };
        let mut sampler = Sampler::new(self.strata(), SEED);
        let mut batch = self.batch(&judged, &mut sampler, most + left_out.len() as u32);
        batch.retain(|pick| {
            let is_wanted = distance.is_none() || !pick.is_repeat;
            is_wanted && !left_out.contains(&Pick { is_repeat: false, ..*pick })
        });
        batch.truncate(most as usize + usize::from(distance.is_none()));
        batch
    }

    /// Records that a document has the text with this digest, so that labels of this text are found.
    pub fn name(&mut self, name: Digest, document: DocId) {
        note(&mut self.texts.named, &self.index, name, document);
    }

    /// The documents with the text and the fingerprint of `document`, including itself, ascending.
    fn copies(&self, document: DocId) -> &[DocId] {
        self.texts.equal.with_the_text_of(&self.index, document)
    }

    /// The documents that make pairs.
    fn sides(&self) -> PairSides {
        PairSides(self.analysis.corpus.reference())
    }

    /// Two texts, each by its first document with the same fingerprint.
    fn texts_of(&self, one: DocId, other: DocId) -> (DocId, DocId) {
        let first = |document| self.copies(document).first().copied().unwrap_or(document);
        let (one, other) = (first(one), first(other));
        (one.min(other), one.max(other))
    }
}

#[cfg(test)]
mod tests;

/// One pass over the corpus that finds equal texts and the texts that labels name.
///
/// Documents with equal fingerprints can have different texts. Equal texts need no judgement. Labels name texts by
/// digest, so the documents with these digests must be found. Memory: during the pass 32 bytes for each document
/// that shares its fingerprint; afterwards 4 bytes for each document of an entry with several texts, and the named
/// texts. Reads every document.
///
/// # Errors
/// [`AnalysisError::Cancelled`] if cancelled.
fn scanned(
    corpus: &Corpus,
    index: &FingerprintIndex,
    names: &HashSet<Digest>,
    job: &Job,
) -> Result<ScannedTexts, AnalysisError> {
    let has_copies = |entry: u32| index.documents(entry).len() > 1;
    let read = |range: Range<usize>| {
        let contents = range.clone().map(DocId::from).zip(corpus.read_many(range));
        let found = contents.filter_map(|(document, content)| {
            let entry = index.entry_of(document)?;
            if names.is_empty() && !has_copies(entry) {
                return None;
            }
            // Unreadable and fingerprint-only documents match no other text.
            let name = content.as_ref().ok().and_then(Content::text).map(digest);
            let is_named = name.is_some_and(|name| names.contains(&name));
            (has_copies(entry) || is_named).then_some((entry, name, document))
        });
        found.collect()
    };
    let mut copies = batch::read_ranges(corpus, |_| true, job, read)?;
    let mut named = HashMap::new();
    for &(_, name, document) in &copies {
        if let Some(name) = name.filter(|name| names.contains(name)) {
            note(&mut named, index, name, document);
        }
    }
    copies.retain(|&(entry, ..)| has_copies(entry));
    Ok(ScannedTexts { equal: EqualTexts::new(copies, corpus.reference(), &job.progress)?, named })
}

/// Records that a document has the text with this digest, unless another document of its entry has it.
fn note(
    named: &mut HashMap<Digest, Vec<DocId>>,
    index: &FingerprintIndex,
    name: Digest,
    document: DocId,
) {
    let documents = named.entry(name).or_default();
    if documents.iter().all(|&other| index.entry_of(other) != index.entry_of(document)) {
        documents.push(document);
    }
}
