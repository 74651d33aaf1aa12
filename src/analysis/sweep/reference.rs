//! The true pairs for every cell of a sweep, by exact cosines of one recipe's features or by judgements.
//!
//! By cosine every true pair is known, and all other pairs are false. Each text counts once unless documents are
//! counted: every recipe finds copies, and many copies would hide everything else. By judgements only the judged
//! pairs are known, unless the judgements name every near-duplicate. Precision and recall are then shares of the
//! judged pairs, with an interval that follows from their number; the program does not know how these pairs were
//! chosen. The interval holds for a k that was chosen before. It is too narrow for the best k and the best recipe,
//! because the same judgements chose them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::{
    analysis::{
        AnalysisError, Job, Settings, SettingsError, Truth, TruthChoice, labelling::documents,
    },
    choice::choice,
    corpus::{Corpus, Judgement},
    evaluate::{
        confusion::Curve,
        interval,
        recall::{Recall, RecallMethod},
        truth::TruePair,
    },
    id::DocId,
    index::Distinct,
    number::{counted, grouped},
    progress::{Cancelled, Progress},
    simhash::Bits,
    verdict::Verdict,
};

/// True pairs between two checks of the cancel flag.
const STRIDE: usize = 1 << 14;

choice! {
    /// The unit of counting if several documents have equal features.
    pub enum CountUnit, "count" {
        /// Each text once, by its first document: pairs of equal features are left out.
        #[default]
        Texts = "texts",
        /// Every document: each pair of texts counts as all pairs of their documents.
        Documents = "documents",
    }
}

/// The true pairs of a corpus, for a sweep.
#[derive(Debug)]
pub struct Reference {
    data: ReferenceData,
    /// The title of the reference, in words.
    title: String,
}

#[derive(Debug)]
enum ReferenceData {
    /// The true pairs of texts are listed. All other pairs are false, except pairs of documents with equal
    /// features.
    Cosine { texts: Box<Distinct<u128>>, pairs: Vec<TruePair>, n_true: u64, counts: CountUnit },
    /// Only the pairs that people judged are known.
    Judged { yes: Vec<(DocId, DocId)>, no: Vec<(DocId, DocId)>, is_complete: bool },
}

impl Reference {
    /// The pairs of a corpus that are alike, whatever recipe is compared with them. Reads the corpus once.
    ///
    /// # Errors
    /// As [`Truth::prepare`], and [`SettingsError::TruthOutOfReach`] if the truth is not exact.
    pub fn of_corpus(
        corpus: &Corpus,
        settings: &Settings,
        counts: CountUnit,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let recipe = settings.alike.recipe(&settings.recipe);
        let settings = Settings { recipe, ..settings.clone() };
        Self::by_cosine(Truth::prepare(corpus, &settings, TruthChoice::Auto, job)?, counts)
    }

    /// The pairs of `truth`.
    ///
    /// # Errors
    /// [`SettingsError::TruthOutOfReach`] if the truth is not exact.
    pub fn by_cosine(truth: Truth, counts: CountUnit) -> Result<Self, AnalysisError> {
        let (n_true, of) = match counts {
            CountUnit::Texts => {
                let n = grouped(truth.n_texts() as u64);
                (truth.n_text_pairs(), format!("{n} texts with different features"))
            }
            CountUnit::Documents => {
                (truth.n_pairs(), counted(truth.n_documents() as u64, "document"))
            }
        };
        let n_true = n_true.ok_or(SettingsError::TruthOutOfReach)?;
        let pairs = counted(n_true, "pair");
        let title = format!("{}: {pairs} of {of}", truth.definition);
        let pairs = truth.known.unwrap_or_default();
        Ok(Self {
            data: ReferenceData::Cosine { texts: Box::new(truth.texts), pairs, n_true, counts },
            title,
        })
    }

    /// The judged pairs. If a pair has several judgements, the last one counts. If several documents have an id,
    /// the first one is used. If `is_complete`, all other pairs are false.
    ///
    /// # Errors
    /// [`SettingsError::NothingJudged`] if no pair of these documents was judged to be true.
    pub fn by_judgement(
        corpus: &Corpus,
        judgements: &[Judgement],
        is_complete: bool,
    ) -> Result<Self, AnalysisError> {
        let documents = documents(corpus, judgements);
        let mut last = BTreeMap::new();
        let (mut n_absent, mut n_overruled) = (0_u64, 0_u64);
        for judgement in judgements {
            let [one, other] = judgement.ids.each_ref().map(|id| documents[id.as_str()]);
            if let (Some(one), Some(other)) = (one, other)
                && one != other
            {
                let before = last.insert((one.min(other), one.max(other)), judgement.verdict);
                n_overruled += u64::from(before.is_some_and(|before| before != judgement.verdict));
            } else {
                n_absent += u64::from(one.is_none() || other.is_none());
            }
        }
        let said = |verdict| -> Vec<(DocId, DocId)> {
            last.iter().filter(|(_, said)| **said == verdict).map(|(pair, _)| *pair).collect()
        };
        let (yes, no) = (said(Verdict::Yes), said(Verdict::No));
        if yes.is_empty() {
            return Err(SettingsError::NothingJudged.into());
        }
        let others = if is_complete { ", all others false" } else { "" };
        let mut title = format!(
            "{} judged, {} of them true{others}",
            counted((yes.len() + no.len()) as u64, "pair"),
            grouped(yes.len() as u64),
        );
        let notes = [
            (n_absent, "about documents that are not in the corpus"),
            (n_overruled, "different from an earlier one; the last one counts"),
        ];
        for (n, what) in notes.into_iter().filter(|&(n, _)| n > 0) {
            title.push_str(&format!("; {} {what}", counted(n, "judgement")));
        }
        Ok(Self { data: ReferenceData::Judged { yes, no, is_complete }, title })
    }

    /// The title of the reference, in words: `set cosine 0.8 or more of words:3: 34 pairs of 100
    /// different texts`.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// True pairs of documents.
    pub fn n_true(&self) -> u64 {
        match &self.data {
            ReferenceData::Cosine { n_true, .. } => *n_true,
            ReferenceData::Judged { yes, .. } => yes.len() as u64,
        }
    }

    /// Whether all pairs count, not only the judged pairs.
    pub(super) fn counts_all_pairs(&self) -> bool {
        self.method() == RecallMethod::Exact
    }

    /// How recall is measured.
    pub fn method(&self) -> RecallMethod {
        match &self.data {
            ReferenceData::Cosine { .. } | ReferenceData::Judged { is_complete: true, .. } => {
                RecallMethod::Exact
            }
            ReferenceData::Judged { .. } => RecallMethod::Judged,
        }
    }

    /// Clears the fingerprints of documents that do not count. By cosine, these are documents without features in
    /// the reference and, unless documents are counted, all but the first document of each text.
    pub(super) fn keep<B>(&self, words: &mut [Option<B>]) {
        let ReferenceData::Cosine { texts, counts, .. } = &self.data else { return };
        for (document, word) in (0..).map(DocId).zip(words) {
            let text = texts.entry_of(document);
            let is_first = text.is_some_and(|text| texts.documents(text)[0] == document);
            if text.is_none() || *counts == CountUnit::Texts && !is_first {
                *word = None;
            }
        }
    }

    /// A share of all pairs, or of the judged pairs with an interval.
    pub(super) fn share(&self, part: u64, whole: u64) -> Option<Recall> {
        let share = (whole > 0).then(|| part as f64 / whole as f64)?;
        if self.method() == RecallMethod::Exact {
            return Some(Recall::exactly(share));
        }
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (low, high) = interval::of_sample(number(part), number(whole));
        Some(Recall { recall: share, low, high })
    }

    /// The numbers of true and false pairs that each k finds, among fingerprints of `width` bits of the documents
    /// that [`Reference::keep`] left. `pairs_at` gives the number of all pairs at each distance; it is used if all
    /// pairs count.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn curve<B: Bits>(
        &self,
        distinct: &Distinct<B>,
        width: u32,
        pairs_at: &[u64],
        progress: &Progress,
    ) -> Result<Curve, Cancelled> {
        let judged = |pairs: &[(DocId, DocId)]| {
            let mut at = vec![0; width as usize + 1];
            let entry = |document| distinct.entry_of(document);
            for (a, b) in pairs.iter().filter_map(|&(a, b)| entry(a).zip(entry(b))) {
                at[distinct.value(a).distance(distinct.value(b)) as usize] += 1;
            }
            at
        };
        let (all_at, true_at) = match &self.data {
            ReferenceData::Cosine { texts, pairs, .. } => {
                (pairs_at.to_vec(), true_pairs(texts, pairs, distinct, width, progress)?)
            }
            ReferenceData::Judged { yes, is_complete: true, .. } => {
                (pairs_at.to_vec(), judged(yes))
            }
            ReferenceData::Judged { yes, no, .. } => {
                let (yes, no) = (judged(yes), judged(no));
                (yes.iter().zip(no).map(|(yes, no)| yes + no).collect(), yes)
            }
        };
        Ok(Curve::new(&all_at, &true_at, self.n_true()))
    }
}

/// The number of true pairs of documents at each distance from 0 to the width. Pairs of a document without a
/// fingerprint are not counted.
fn true_pairs<B: Bits>(
    texts: &Distinct<u128>,
    pairs: &[TruePair],
    distinct: &Distinct<B>,
    width: u32,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let parts = EntriesByText::new(texts, distinct, progress)?;
    let zero = || vec![0_u64; width as usize + 1];
    let add = |left: Vec<u64>, right: Vec<u64>| {
        Ok(left.into_iter().zip(right).map(|(left, right)| left + right).collect())
    };
    let mut at = pairs
        .par_chunks(STRIDE)
        .map(|stride| {
            progress.check()?;
            let mut at = zero();
            for pair in stride {
                for &(a, n_a) in parts.of(pair.a) {
                    for &(b, n_b) in parts.of(pair.b) {
                        let distance = distinct.value(a).distance(distinct.value(b));
                        at[distance as usize] += u64::from(n_a) * u64::from(n_b);
                    }
                }
            }
            Ok(at)
        })
        .try_reduce(zero, add)?;
    // Documents with equal features in the reference may have different features under another recipe.
    for text in 0..texts.len() as u32 {
        let parts = parts.of(text);
        for (place, &(a, n_a)) in parts.iter().enumerate() {
            progress.check()?;
            at[0] += u64::from(n_a) * u64::from(n_a - 1) / 2;
            for &(b, n_b) in &parts[place + 1..] {
                let distance = distinct.value(a).distance(distinct.value(b));
                at[distance as usize] += u64::from(n_a) * u64::from(n_b);
            }
        }
    }
    Ok(at)
}

/// For each text of the reference, the entries of its documents, each with the number of documents.
struct EntriesByText {
    /// The start of each text's list, and the end of the last.
    starts: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

impl EntriesByText {
    fn new<B: Bits>(
        texts: &Distinct<u128>,
        distinct: &Distinct<B>,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let (mut starts, mut entries) = (vec![0], Vec::with_capacity(texts.len()));
        let mut of_text = Vec::new();
        for text in 0..texts.len() as u32 {
            if text.is_multiple_of(STRIDE as u32) {
                progress.check()?;
            }
            let documents = texts.documents(text).iter();
            of_text.clear();
            of_text.extend(documents.filter_map(|&document| distinct.entry_of(document)));
            of_text.sort_unstable();
            let equal = of_text.chunk_by(|left, right| left == right);
            entries.extend(equal.map(|equal| (equal[0], equal.len() as u32)));
            starts.push(entries.len());
        }
        Ok(Self { starts, entries })
    }

    fn of(&self, text: u32) -> &[(u32, u32)] {
        &self.entries[self.starts[text as usize]..self.starts[text as usize + 1]]
    }
}
