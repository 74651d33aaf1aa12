//! The true pairs for every cell of a sweep, by exact cosines of one recipe's features or by judgements.
//!
//! By cosine every true pair is known, and all other pairs are false. Each text counts once, by its first document:
//! every recipe finds copies, and many copies would hide everything else. By judgements only the judged
//! pairs are known, unless the judgements name every near-duplicate. Precision and recall are then shares of the
//! judged pairs, with an interval that follows from their number; the program does not know how these pairs were
//! chosen. The interval holds for a k that was chosen before. It is too narrow for the best k and the best recipe,
//! because the same judgements chose them.
//!
//! The exact number of pairs of documents at each distance, up to the distance at which counting costs too much.
//!
//! If there are few fingerprints, all are compared with each other. Otherwise a search finds the near pairs first,
//! and is repeated with a larger distance as long as a larger k could still be the best. All are compared only if
//! no search is enough, and up to some 280,000 different fingerprints of 64 bits, or 90,000 wider ones: the search
//! finds near pairs of 128 bits ten times faster.

use std::collections::BTreeMap;

use rayon::slice::ParallelSlice;

use crate::analysis::labelling::documents;
use crate::analysis::settings::MOST_ACCIDENTAL_PAIRS;
use crate::analysis::{AnalysisError, Job, Settings, Truth, TruthChoice};
use crate::corpus::{Corpus, Judgement};
use crate::evaluate::confusion::Curve;
use crate::evaluate::distances::CountMethod;
use crate::evaluate::labels::Share;
use crate::evaluate::truth::TruePair;
use crate::evaluate::{distances, interval};
use crate::id::DocId;
use crate::index::scan::summed;
use crate::index::{self, Distinct, count_at_distances, document_comparisons, document_histogram};
use crate::number::{counted, grouped};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;
use crate::verdict::Verdict;

/// Pairs between two checks of the cancel flag.
const STRIDE: usize = 1 << 14;

/// The true pairs of a corpus, for a sweep.
#[derive(Debug)]
pub struct Reference {
    data: ReferenceData,
    /// The title of the reference, in words.
    pub title: String,
}

#[derive(Debug)]
enum ReferenceData {
    /// The true pairs of texts are listed. All other pairs are false.
    Cosine { texts: Box<Distinct<u128>>, pairs: Vec<TruePair>, n_true: u64 },
    /// Only the pairs that people judged are known.
    Judged { yes: Vec<(DocId, DocId)>, no: Vec<(DocId, DocId)>, is_complete: bool },
}

impl Reference {
    /// The pairs of a corpus that are alike, whatever recipe is compared with them. Reads the corpus once.
    ///
    /// # Errors
    /// As [`Truth::prepare`], and [`AnalysisError::TruthOutOfReach`] if the truth is not exact.
    pub fn of_corpus(
        corpus: &Corpus,
        settings: &Settings,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let recipe = settings.alike.recipe(&settings.recipe);
        let settings = Settings { recipe, ..settings.clone() };
        Self::by_cosine(Truth::prepare(corpus, &settings, TruthChoice::Auto, job)?)
    }

    /// The pairs of `truth`.
    ///
    /// # Errors
    /// [`AnalysisError::TruthOutOfReach`] if the truth is not exact.
    pub fn by_cosine(truth: Truth) -> Result<Self, AnalysisError> {
        let n_true = truth.n_text_pairs().ok_or(AnalysisError::TruthOutOfReach)?;
        let title = format!(
            "{}: {} of {} texts with different features",
            truth.definition,
            counted(n_true, "pair"),
            grouped(truth.n_texts() as u64),
        );
        let pairs = truth.known.unwrap_or_default();
        let texts = Box::new(truth.texts);
        Ok(Self { data: ReferenceData::Cosine { texts, pairs, n_true }, title })
    }

    /// The judged pairs. If a pair has several judgements, the last one counts. If several documents have an id,
    /// the first one is used. If `is_complete`, all other pairs are false.
    ///
    /// # Errors
    /// [`AnalysisError::Refused`] if no pair of these documents was judged to be true.
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
            let refusal = "no pair of these documents is judged to be true, so there is nothing to find; give a file \
                           with true pairs of these documents as `truth`";
            return Err(AnalysisError::Refused(refusal.to_owned()));
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

    /// The number of true pairs.
    pub fn n_true(&self) -> u64 {
        match &self.data {
            ReferenceData::Cosine { n_true, .. } => *n_true,
            ReferenceData::Judged { yes, .. } => yes.len() as u64,
        }
    }

    /// Whether all pairs count, not only the judged pairs.
    pub(super) fn counts_all_pairs(&self) -> bool {
        self.method() == CountMethod::Exact
    }

    /// How recall is measured.
    pub fn method(&self) -> CountMethod {
        match &self.data {
            ReferenceData::Cosine { .. } | ReferenceData::Judged { is_complete: true, .. } => {
                CountMethod::Exact
            }
            ReferenceData::Judged { .. } => CountMethod::Judged,
        }
    }

    /// Clears the fingerprints of documents that do not count. By cosine, these are documents without features in
    /// the reference, and all but the first document of each text.
    pub(super) fn keep<B>(&self, words: &mut [Option<B>]) {
        let ReferenceData::Cosine { texts, .. } = &self.data else { return };
        for (document, word) in (0..).map(DocId).zip(words) {
            let text = texts.entry_of(document);
            if text.is_none_or(|text| texts.documents(text)[0] != document) {
                *word = None;
            }
        }
    }

    /// A share of all pairs, or of the judged pairs with an interval.
    pub(super) fn share(&self, part: u64, whole: u64) -> Option<Share> {
        let share = (whole > 0).then(|| part as f64 / whole as f64)?;
        if self.counts_all_pairs() {
            return Some(Share::exactly(share));
        }
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (low, high) = interval::of_sample(number(part), number(whole));
        Some(Share { value: Some(share), low, high })
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
        let judged = |pairs: &[_]| at_distances(pairs, |pair| *pair, distinct, width, progress);
        let (all_at, true_at) = match &self.data {
            ReferenceData::Cosine { texts, pairs, .. } => {
                let first = |text| texts.documents(text)[0];
                let documents = |pair: &TruePair| (first(pair.a), first(pair.b));
                let true_at = at_distances(pairs, documents, distinct, width, progress)?;
                (pairs_at.to_vec(), true_at)
            }
            ReferenceData::Judged { yes, is_complete: true, .. } => {
                (pairs_at.to_vec(), judged(yes)?)
            }
            ReferenceData::Judged { yes, no, .. } => {
                let (yes, no) = (judged(yes)?, judged(no)?);
                (yes.iter().zip(no).map(|(yes, no)| yes + no).collect(), yes)
            }
        };
        Ok(Curve::new(&all_at, &true_at, self.n_true()))
    }
}

/// The number of pairs at each distance from 0 to the width. Pairs of a document without a fingerprint are not
/// counted.
fn at_distances<T: Sync, B: Bits>(
    pairs: &[T],
    documents: impl Fn(&T) -> (DocId, DocId) + Sync,
    distinct: &Distinct<B>,
    width: u32,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    summed(width, pairs.par_chunks(STRIDE), |at, stride| {
        progress.check()?;
        for (a, b) in stride.iter().map(&documents) {
            if let (Some(a), Some(b)) = (distinct.entry_of(a), distinct.entry_of(b)) {
                at[distinct.value(a).distance(distinct.value(b)) as usize] += 1;
            }
        }
        Ok(())
    })
}

/// The most comparisons of 64-bit words at which all pairs are compared without a search: a tenth of a second.
const FEW_COMPARISONS: f64 = 1e9;
/// The most comparisons of 64-bit words at which all pairs are compared: two to four seconds on two cores.
const MOST_COMPARISONS: f64 = 4e10;
/// The distances of the searches, as 16ths of the width: 8 bits of 64, then 12, then 16. If texts are near each
/// other because of their common words, each search costs ten times as much as the one before.
const SEARCHES: [u32; 3] = [2, 3, 4];

/// The distances up to which pairs are counted, one after the other, until the pairs are enough. At least one
/// distance; distances at which chance alone brings too many pairs are left out.
pub(super) fn reaches<B: Bits>(distinct: &Distinct<B>, width: u32) -> Vec<u32> {
    let comparisons = document_comparisons(distinct);
    if comparisons <= FEW_COMPARISONS {
        return vec![width];
    }
    let n = distinct.len() as u64;
    let is_few = |k: &u32| distances::expected_pairs(n, *k, width) <= MOST_ACCIDENTAL_PAIRS;
    let mut reaches: Vec<u32> = SEARCHES.map(|share| width * share / 16).into();
    reaches.retain(is_few);
    if comparisons <= MOST_COMPARISONS {
        reaches.push(width);
    } else if reaches.is_empty() {
        reaches.extend((0..=width * SEARCHES[0] / 16).take_while(is_few).last().or(Some(0)));
    }
    reaches
}

/// The number of pairs of documents at each distance from 0 to the reach.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn by_distance<B: Bits>(
    distinct: &Distinct<B>,
    width: u32,
    reach: u32,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    if reach < width {
        let plan = index::choose(distinct.values(), width, reach);
        return count_at_distances(distinct, &plan, progress);
    }
    let mut counts = document_histogram(distinct, progress)?;
    // A machine word may have more bits than the fingerprint, and no pair differs in them.
    counts.truncate(width as usize + 1);
    Ok(counts)
}

/// The number of pairs of documents within `k`; `None` if `k` is larger than the largest distance of a search, or
/// if chance alone brings too many pairs.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn within<B: Bits>(
    distinct: &Distinct<B>,
    width: u32,
    k: u32,
    progress: &Progress,
) -> Result<Option<u64>, Cancelled> {
    let farthest = width * SEARCHES[SEARCHES.len() - 1] / 16;
    let is_few =
        || distances::expected_pairs(distinct.len() as u64, k, width) <= MOST_ACCIDENTAL_PAIRS;
    let is_near = k == 0 || k <= farthest && is_few();
    if !is_near && document_comparisons(distinct) > MOST_COMPARISONS {
        return Ok(None);
    }
    let plan = index::choose(distinct.values(), width, k);
    let counts = count_at_distances(distinct, &plan, progress)?;
    Ok(Some(counts.into_iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapsed(words: impl Iterator<Item = u64>) -> Distinct<u64> {
        let words: Vec<Option<u64>> = words.map(Some).collect();
        Distinct::collapse(&words, &Progress::new()).unwrap()
    }

    #[test]
    fn what_is_searched_is_the_beginning_of_what_is_compared() {
        let word =
            |n: u64| (n * 7 % 64) | ((n % 5) << 40) | n.wrapping_mul(0x9e37_79b9) << 8 & 0xff00;
        let distinct = collapsed((0..3000).map(word));
        let count = |reach| by_distance(&distinct, 48, reach, &Progress::new()).unwrap();
        let all = count(48);
        assert_eq!((all.len(), all.iter().sum::<u64>()), (49, 3000 * 2999 / 2));
        for reach in [0, 9, 12] {
            assert_eq!(count(reach), all[..=reach as usize]);
        }
    }

    #[test]
    fn pairs_are_counted_unless_that_takes_too_long() {
        let few = collapsed((0..1000).map(|n: u64| n * n));
        let at = by_distance(&few, 64, 64, &Progress::new()).unwrap();
        for k in [0, 3, 20, 64] {
            let expected = at[..=k as usize].iter().sum();
            assert_eq!(within(&few, 64, k, &Progress::new()).unwrap(), Some(expected));
        }
        let many = collapsed((0..300_000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        assert!(within(&many, 64, 3, &Progress::new()).unwrap().is_some());
        assert_eq!(within(&many, 64, 30, &Progress::new()).unwrap(), None);
    }

    #[test]
    fn many_are_searched_before_all_are_compared() {
        let random = |n: u64| collapsed((0..n).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        assert_eq!(reaches(&random(1000), 64), [64]);
        assert_eq!(reaches(&random(60_000), 64), [8, 12, 16, 64]);
        assert_eq!(reaches(&random(300_000), 64), [8, 12, 16]);
        // With so few bits, chance alone brings more than fifty million pairs within 4.
        let narrow = collapsed(0..1 << 16);
        assert_eq!(reaches(&narrow, 16), [2, 3, 16]);
    }
}
