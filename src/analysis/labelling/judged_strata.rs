//! Labels and truth files, matched to the pairs of an analysis.

use std::collections::{HashMap, HashSet};

use super::Labelling;
use crate::corpus::{Corpus, Judgement, Label, Labels, TextPair};
use crate::evaluate::labels::{Agreement, Stratum, VerdictCounts};
use crate::id::DocId;
use crate::text::{Digest, digest};
use crate::verdict::Verdict;

/// The strata of pairs, with their judgements.
#[derive(Clone, Debug, Default)]
pub struct JudgedStrata {
    /// The strata with their judgements.
    pub strata: Vec<Stratum>,
    /// The numbers of judgements that count and that do not.
    pub counts: JudgementCounts,
    /// The agreement of the judgements of pairs that were shown twice.
    pub agreement: Agreement,
    /// The judged pairs of texts, each text by its first document.
    pub(super) texts: HashSet<(DocId, DocId)>,
}

/// The numbers of judgements by the place of their pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgementCounts {
    /// All judgements.
    pub judgements: usize,
    /// Judgements that count in a stratum.
    pub counted: usize,
    /// Judgements of a pair of equal texts, which is a near-duplicate without a judgement.
    pub one_text: usize,
    /// Judgements of a pair of equal texts that are not yes.
    pub contradicted: usize,
    /// Yes judgements of pairs beyond the window. No k within the window finds these pairs.
    pub missed: usize,
    /// Other judgements of pairs beyond the window.
    pub beyond: usize,
    /// Judgements of documents that are not in the corpus, or that have no fingerprint.
    pub absent: usize,
}

impl Labelling {
    /// Counts the labels whose texts are in the corpus. Some look-ups for each label.
    pub fn judge_by_text(&self, labels: &Labels) -> JudgedStrata {
        let mut judged =
            JudgedStrata { strata: self.strata.list.clone(), ..JudgedStrata::default() };
        for label in labels.iter() {
            let [one, other] = label.pair.digests();
            let named = |name| self.texts.named.get(name).map_or(&[][..], Vec::as_slice);
            let mut pairs = Vec::new();
            for (at, &a) in named(&one).iter().enumerate() {
                // If both texts are the same, each pair of entries is counted once.
                let from = if one == other { at } else { 0 };
                pairs.extend(named(&other)[from..].iter().map(|&b| (a, b)));
            }
            let settles = |a, b| {
                let copies = |document| self.sides().counts(self.copies(document));
                self.sides().n_pairs(copies(a), copies(b))
            };
            self.count(&mut judged, label.verdict, &pairs, settles);
        }
        for (before, again) in labels.repeats() {
            judged.agreement.note(before, again);
        }
        judged
    }

    /// Counts the judgements whose documents are in the corpus, by id. If a pair has several judgements, the last
    /// one counts. If several documents have an id, the first one is used.
    ///
    /// Goes through the ids of the corpus once.
    pub fn judge_by_id(&self, truth: &[Judgement]) -> JudgedStrata {
        let mut judged =
            JudgedStrata { strata: self.strata.list.clone(), ..JudgedStrata::default() };
        let documents = documents(&self.analysis.corpus, truth);
        let mut last: HashMap<(DocId, DocId), usize> = HashMap::new();
        let both = |it: &Judgement| {
            let [a, b] = it.ids.each_ref().map(|id| documents[id.as_str()]);
            let (a, b) = (a?, b?);
            (a != b).then_some((a.min(b), a.max(b)))
        };
        for (at, judgement) in truth.iter().enumerate() {
            if let Some(pair) = both(judgement) {
                last.insert(pair, at);
            }
        }
        for (at, judgement) in truth.iter().enumerate() {
            match both(judgement) {
                Some(pair) if last[&pair] != at => {}
                pair => self.count(&mut judged, judgement.verdict, pair.as_slice(), |_, _| 1),
            }
        }
        judged
    }

    /// Counts one verdict on some pairs of documents. `settles` gives the number of document pairs that each of
    /// them represents.
    fn count(
        &self,
        judged: &mut JudgedStrata,
        verdict: Verdict,
        pairs: &[(DocId, DocId)],
        settles: impl Fn(DocId, DocId) -> u64,
    ) {
        let mut settled: Vec<(usize, u64)> = Vec::new();
        let (mut one_text, mut beyond) = (false, false);
        for &(a, b) in pairs {
            let Some(entries) = self.index.entry_of(a).zip(self.index.entry_of(b)) else {
                continue;
            };
            let texts = self.texts_of(a, b);
            if texts.0 == texts.1 {
                one_text = true;
                continue;
            }
            judged.texts.insert(texts);
            let fingerprint = |document| self.analysis.fingerprint(document);
            let distance = fingerprint(a).zip(fingerprint(b)).map(|(a, b)| a.distance(b));
            let distance = distance.expect("an entry has a fingerprint");
            match self.stratum_of(entries, distance) {
                // Two documents of one corpus are no pair where there is a reference.
                Some(stratum) if settles(a, b) > 0 => settled.push((stratum, settles(a, b))),
                Some(_) => {}
                None => beyond = true,
            }
        }
        settled.sort_unstable();
        for same in settled.chunk_by(|left, right| left.0 == right.0) {
            let n: u64 = same.iter().map(|&(_, n)| n).sum();
            judged.strata[same[0].0].judge(verdict, n);
        }
        let counts = &mut judged.counts;
        counts.judgements += 1;
        match (settled.is_empty(), one_text, beyond) {
            (false, ..) => counts.counted += 1,
            (_, true, _) => {
                counts.one_text += 1;
                counts.contradicted += usize::from(verdict != Verdict::Yes);
            }
            (_, _, true) if verdict == Verdict::Yes => counts.missed += 1,
            (_, _, true) => counts.beyond += 1,
            _ => counts.absent += 1,
        }
    }
}

impl JudgedStrata {
    /// Counts every unjudged pair as no. Use it if the truth file names all near-duplicates.
    pub fn rest_is_no(&mut self) {
        for stratum in &mut self.strata {
            let left = stratum.left();
            // Nothing is left to estimate, so the number of labels may be cut to fit 32 bits.
            let room = u32::MAX - stratum.labels();
            let VerdictCounts { labels, pairs } = &mut stratum.no;
            *labels += u32::try_from(left).unwrap_or(u32::MAX).min(room);
            *pairs += left;
        }
    }
}

/// The labels from the judgements of a truth file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedLabels {
    /// A label for each judgement whose texts are both in the corpus, in the order of the judgements.
    pub labels: Vec<Label>,
    /// Judgements that name a document that is not in the corpus, or that has no text.
    pub n_absent: u64,
    /// Judgements of a document that could not be read again.
    pub n_unread: u64,
}

/// Converts judgements to labels from this source. If several documents have an id, the first one is used. Reads
/// the named documents.
pub fn labels_of(corpus: &Corpus, truth: &[Judgement], source: &str) -> ImportedLabels {
    let documents = documents(corpus, truth);
    let mut names = HashMap::new();
    // The digest of the text with this id; `None` if the corpus has no such document or text.
    let mut name = |id: &str| -> Result<Option<Digest>, ()> {
        let Some(document) = documents[id] else { return Ok(None) };
        *names.entry(document).or_insert_with(|| {
            let content = corpus.read(document).map_err(drop)?;
            Ok(content.text().map(digest))
        })
    };
    let (mut n_absent, mut n_unread) = (0, 0);
    let mut label = |judgement: &Judgement| {
        let [one, other] = &judgement.ids;
        let (left, right) = match (name(one), name(other)) {
            (Ok(Some(left)), Ok(Some(right))) => (left, right),
            (Err(()), _) | (_, Err(())) => {
                n_unread += 1;
                return None;
            }
            _ => {
                n_absent += 1;
                return None;
            }
        };
        let (one, other) = if left <= right { (one, other) } else { (other, one) };
        Some(Label {
            pair: TextPair::new(left, right),
            verdict: judgement.verdict,
            ids: [one.clone(), other.clone()],
            source: source.to_owned(),
            is_repeat: false,
        })
    };
    let labels = truth.iter().filter_map(&mut label).collect();
    ImportedLabels { labels, n_absent, n_unread }
}

/// The first document with each named id, if the corpus has one. Goes through the ids once.
pub(in crate::analysis) fn documents<'a>(
    corpus: &Corpus,
    truth: &'a [Judgement],
) -> HashMap<&'a str, Option<DocId>> {
    let named = truth.iter().flat_map(|it| &it.ids);
    let mut documents: HashMap<&str, Option<DocId>> = named.map(|id| (id.as_str(), None)).collect();
    for document in (0..corpus.len()).map(DocId::from) {
        if let Some(found @ None) = documents.get_mut(corpus.id(document)) {
            *found = Some(document);
        }
    }
    documents
}
