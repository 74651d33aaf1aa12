//! A least similarity of texts in place of k: the k that finds most pairs at it, and the pairs that their texts confirm.
//!
//! ```text
//! texts --exact cosines--> pairs at the similarity --their distances--> k
//! pairs within k --their texts--> those that are that similar
//! ```
//!
//! Texts are similar as they are alike: by the cosine that [`Alike`](super::Alike) defines, whatever the recipe; its tau
//! is the similarity.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use super::evidence::MOST_FEATURES;
use super::grouping::IgnoredPairs;
use super::truth::MOST_MEETINGS;
use super::{Analysis, AnalysisError, Job, PairsByDistance, SimilarTexts, Stage, Truth};
use crate::evaluate::angle;
use crate::evaluate::cosine::reaches;
use crate::evaluate::truth::TruePair;
use crate::explain::overlap::FeatureVector;
use crate::id::DocId;
use crate::index::{DocumentPair, Pair};
use crate::number::{grouped, percent};
use crate::progress::{Cancelled, Progress};
use crate::simhash::{Fingerprint, Scratch};

/// The share of the pairs at a similarity that k is to find.
pub const WANTED: f64 = 0.95;
/// Pairs that are at most this much more similar count as pairs at a similarity.
const WINDOW: f64 = 0.05;
/// The fewest measured pairs by which k is chosen; with fewer of them theory chooses it.
const FEWEST: usize = 100;
/// Pairs whose cosines are computed at once.
const AT_ONCE: usize = 1 << 17;

/// The k for a similarity, and what it finds.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarityChoice {
    /// The least similarity, above 0, at most 1.
    pub similarity: f64,
    /// The similarity in words.
    pub definition: String,
    /// The largest distance that is searched.
    pub k: u32,
    /// The share of the pairs at the similarity that k finds by theory.
    pub by_theory: f64,
    /// The pairs of different texts whose cosines were measured; `None` if that would take too long.
    pub measured: Option<MeasuredPairs>,
    /// Whether these pairs decided, or theory.
    pub is_measured: bool,
}

/// Pairs at a similarity and above, and those of them within k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredPairs {
    /// The pairs at the similarity, up to 0.05 above it: those within k, and all.
    pub at: [usize; 2],
    /// The pairs at the similarity or above: those within k, and all.
    pub above: [usize; 2],
}

/// The upper end of the pairs at a similarity.
fn window(similarity: f64) -> f64 {
    (similarity + WINDOW).min(1.0)
}

impl SimilarityChoice {
    /// The choice by the cosines and distances of all pairs that are at least that similar; by theory, if they are not
    /// known or too few.
    fn new(similarity: f64, definition: String, bits: u32, pairs: Option<&[(f64, u32)]>) -> Self {
        let top = window(similarity);
        let is_at = |it: &&(f64, u32)| it.0 < top || top >= 1.0;
        let mut at: Vec<u32> =
            pairs.unwrap_or_default().iter().filter(is_at).map(|it| it.1).collect();
        at.sort_unstable();
        let is_measured = at.len() >= FEWEST;
        let k = if is_measured {
            at[(WANTED * at.len() as f64).ceil() as usize - 1]
        } else {
            let finds = |k: &u32| angle::within(similarity, *k, bits) >= WANTED;
            (0..=bits).find(finds).unwrap_or(bits)
        };
        let measured = pairs.map(|pairs| MeasuredPairs {
            at: [at.iter().filter(|d| **d <= k).count(), at.len()],
            above: [pairs.iter().filter(|it| it.1 <= k).count(), pairs.len()],
        });
        let by_theory = angle::within(similarity, k, bits);
        Self { similarity, definition, k, by_theory, measured, is_measured }
    }
}

impl fmt::Display for SimilarityChoice {
    /// The choice in a sentence: k, what it finds, and how that is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.similarity, (window(self.similarity) * 1000.0).round() / 1000.0);
        write!(f, "similarity {low}: k = {}", self.k)?;
        let of = |[part, whole]: [usize; 2]| {
            format!("{} of {}", grouped(part as u64), grouped(whole as u64))
        };
        let theory = format!("{:.1} %", 100.0 * self.by_theory);
        match self.measured {
            Some(MeasuredPairs { at, above }) if self.is_measured => write!(
                f,
                ", within which {} pairs of texts at {low} to {high} lie ({}; by theory {theory}), and {} at {low} or more",
                of(at),
                percent(at[0] as u64, at[1] as u64),
                of(above)
            )?,
            Some(MeasuredPairs { at, above }) => write!(
                f,
                ", within which {theory} of the pairs at {low} lie by theory: this corpus has {} pairs at {low} to {high}, \
                 fewer than {FEWEST}; of its pairs at {low} or more {} lie within k",
                grouped(at[1] as u64),
                of(above)
            )?,
            None => write!(
                f,
                ", within which {theory} of the pairs at {low} lie by theory: pairs of this corpus were not measured, \
                 because to compare all its texts would take too long"
            )?,
        }
        write!(f, "; {}", self.definition)
    }
}

impl Analysis {
    /// The k for the similarity tau: about 95 % of the pairs at it lie within k; and what tells which texts are similar.
    /// Reads the texts once more, and joins them by their cosines.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    pub fn k_for_similarity(
        &self,
        job: &Job,
    ) -> Result<(SimilarityChoice, SimilarTexts), AnalysisError> {
        let (alike, recipe) = (self.settings.alike, &self.settings.recipe);
        let definition = alike.describe(recipe);
        let choice = |pairs| SimilarityChoice::new(alike.tau, definition, recipe.bits, pairs);
        let Some(Truth { texts, known, .. }) = self.similar_pairs(job)? else {
            return Ok((choice(None), SimilarTexts::Compared(alike.fingerprinter(self, job)?)));
        };
        let pairs = known.unwrap_or_default();
        let of = |pair: &TruePair| {
            let [a, b] = [pair.a, pair.b].map(|text| texts.documents(text)[0]);
            let is_reference = [a, b].map(|it| self.corpus.is_reference(it));
            let counts = self.corpus.reference().is_none() || is_reference[0] != is_reference[1];
            let distance = self.fingerprint(a)?.distance(self.fingerprint(b)?);
            counts.then_some((pair.cosine, distance))
        };
        let distances: Vec<(f64, u32)> = pairs.iter().filter_map(of).collect();
        let cosines = pairs.iter().map(|it| ([it.a.min(it.b), it.a.max(it.b)], it.cosine));
        let similar = SimilarTexts::Measured(texts, cosines.collect());
        Ok((choice(Some(&distances)), similar))
    }

    /// All pairs at tau or above. `None` if there are no texts, or if a join of them would take too long.
    fn similar_pairs(&self, job: &Job) -> Result<Option<Truth>, AnalysisError> {
        let n_features = self.n_comparable_features();
        if n_features == 0 || n_features > MOST_FEATURES {
            return Ok(None);
        }
        Truth::exact_within(MOST_MEETINGS, &self.corpus, &self.settings, job)
    }

    /// The cosine by which texts are alike of a text and each of some documents, in order; `None` if a text is not known
    /// or has no features. Reads the documents.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled.
    pub fn set_cosines_of_text(
        &self,
        text: &str,
        documents: &[DocId],
        job: &Job,
    ) -> Result<Vec<Option<f64>>, AnalysisError> {
        let by = self.settings.alike.fingerprinter(self, job)?;
        let progress = Progress::new();
        let subject = FeatureVector::new(text, &by, &mut Scratch::default(), &progress)?;
        let cosine = |scratch: &mut Scratch, &document: &DocId| {
            job.progress.check()?;
            let other = self.vector(document, &by, scratch, &progress);
            Ok(other.and_then(|other| Some(subject.similarity(&other)?.cosine)))
        };
        documents.par_iter().map_init(Scratch::default, cosine).collect()
    }

    /// The pairs of different fingerprints within k whose texts are less similar than tau, or not known; of several texts
    /// with one fingerprint only the first counts. There are none, if no similarity is asked for.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if there are too many pairs within k.
    ///
    /// # Panics
    /// If the analysis has no index.
    pub fn dissimilar_pairs(&self, job: &Job) -> Result<IgnoredPairs, AnalysisError> {
        let mut less = IgnoredPairs::new();
        if self.similar_texts.is_some() {
            let index = self.index.as_deref().expect("pairs need an index");
            self.judge(&index.near(&self.settings, job)?, job, |pair, is_similar| {
                if !is_similar {
                    less.insert([pair.a.min(pair.b), pair.a.max(pair.b)]);
                }
            })?;
        }
        Ok(less)
    }

    /// The pairs whose texts are similar; all of them, if no similarity is asked for. Equal fingerprints stay pairs.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the analysis has no index.
    pub(super) fn similar_pairs_of(
        &self,
        near: PairsByDistance,
        job: &Job,
    ) -> Result<Arc<PairsByDistance>, Cancelled> {
        if self.similar_texts.is_none() {
            return Ok(Arc::new(near));
        }
        job.enter(Stage::Compare, 0);
        let mut similar = Vec::new();
        self.judge(&near, job, |pair, is_similar| {
            if is_similar {
                similar.push(pair);
            }
        })?;
        let index = self.index.as_deref().expect("pairs need an index");
        Ok(Arc::new(index.count_again(similar, &near, job)?))
    }

    /// Calls `each` with every pair, and whether its texts are similar; they are not, if they are not known.
    fn judge(
        &self,
        near: &PairsByDistance,
        job: &Job,
        mut each: impl FnMut(Pair, bool),
    ) -> Result<(), Cancelled> {
        let Some(similar) = &self.similar_texts else { return Ok(()) };
        let index = self.index.as_deref().expect("pairs need an index");
        for some in near.pairs(near.reach()).chunks(AT_ONCE) {
            let documents: Vec<_> = some.iter().map(|&pair| index.first_documents(pair)).collect();
            let cosines = similar.cosines(self, &documents, job)?;
            for (&pair, cosine) in some.iter().zip(cosines) {
                each(pair, self.is_similar(cosine));
            }
        }
        Ok(())
    }

    /// These groups without the documents that have a fingerprint of their group and no text that is similar to the first
    /// one with it; such documents form groups among themselves, if they are similar to each other. The largest first.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled.
    pub fn without_unlike_copies(
        &self,
        groups: &[&[DocId]],
        similar: &SimilarTexts,
        job: &Job,
    ) -> Result<Vec<Vec<DocId>>, AnalysisError> {
        // The documents of each fingerprint, with the group that keeps those like the first; `None` for a new group.
        let mut open: Vec<(Option<usize>, Vec<DocId>)> = Vec::new();
        for (group, documents) in groups.iter().enumerate() {
            let mut of_print: BTreeMap<Option<u128>, Vec<DocId>> = BTreeMap::new();
            for &document in *documents {
                let print = self.fingerprint(document).map(Fingerprint::bits);
                of_print.entry(print).or_default().push(document);
            }
            open.extend(of_print.into_values().map(|documents| (Some(group), documents)));
        }
        let mut split = vec![Vec::new(); groups.len()];
        while !open.is_empty() {
            let pair = |a: DocId| move |&b: &DocId| DocumentPair { a, b, distance: 0 };
            let pairs: Vec<DocumentPair> =
                open.iter().flat_map(|(_, it)| it[1..].iter().map(pair(it[0]))).collect();
            let mut cosines = similar.cosines(self, &pairs, job)?.into_iter();
            let mut next = Vec::new();
            for (group, documents) in open {
                let (first, others) = (documents[0], &documents[1..]);
                let (like, unlike): (Vec<DocId>, Vec<DocId>) =
                    others.iter().partition(|_| self.is_similar(cosines.next().flatten()));
                let at = group.unwrap_or(split.len());
                split.resize_with(split.len().max(at + 1), Vec::new);
                let list = &mut split[at];
                list.push(first);
                list.extend(like);
                if !unlike.is_empty() {
                    next.push((None, unlike));
                }
            }
            open = next;
        }
        split.retain(|documents| documents.len() > 1);
        for documents in &mut split {
            documents.sort_unstable();
        }
        split.sort_by_key(|documents| (Reverse(documents.len()), documents[0]));
        Ok(split)
    }

    /// Whether texts of this cosine are similar: tau or more.
    pub fn is_similar(&self, cosine: Option<f64>) -> bool {
        cosine.is_some_and(|cosine| reaches(cosine, self.settings.alike.tau))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Alike, AnalysisDepth, AnalysisInput, Settings, run_to};
    use crate::corpus::{Input, LoadOptions};

    fn choice(similarity: f64, pairs: Option<&[(f64, u32)]>) -> SimilarityChoice {
        SimilarityChoice::new(similarity, "set cosine".to_owned(), 64, pairs)
    }

    #[test]
    fn few_pairs_leave_the_choice_to_theory() {
        let by_theory = choice(0.8, None);
        assert_eq!((by_theory.k, by_theory.is_measured), (19, false));
        assert!(
            by_theory.to_string().contains("by theory: pairs of this corpus were not measured")
        );
        let few = choice(0.8, Some(&[(0.82, 9); 99]));
        assert_eq!((few.k, few.is_measured), (19, false));
        let said = few.to_string();
        assert!(
            said.contains("99 pairs at 0.8 to 0.85") && said.contains("99 of 99 lie"),
            "{said}"
        );
    }

    /// Whatever was measured says the same of each pair as reading both texts.
    #[test]
    fn measured_and_compared_texts_agree() {
        let word = |text: usize, at: usize| match (text % 4, at % 7) {
            (0, _) | (_, 0..4) => format!("w{}x{at}", text / 4),
            (member, place) if place < 4 + member % 3 => format!("own{text}x{at}"),
            _ => format!("w{}x{at}", text / 4),
        };
        let text = |n: usize| (0..35).map(|at| word(n, at)).collect::<Vec<_>>().join(" ");
        let mut texts: Vec<String> = (0..24).map(text).collect();
        texts.extend([texts[3].to_uppercase(), String::new(), "two words".to_owned()]);
        let row = |rows, text: &String| format!("{rows}{{\"text\":\"{text}\"}}\n");
        let rows = texts.iter().fold(String::new(), row);
        let input = Input::Bundled { name: "rows.jsonl", bytes: rows.into_bytes().leak() };
        let work = || AnalysisInput::Load(vec![input.clone()], LoadOptions::default(), None);
        for tau in [0.3, 0.5, 0.8] {
            let alike = Alike { tau, ..Alike::default() };
            let settings = Settings { alike, ..Settings::default() };
            let (depth, job) = (AnalysisDepth::Fingerprints, Job::new());
            let analysis = run_to(depth, work(), settings, &job, &mut |_| {}).unwrap();
            let (_, measured) = analysis.k_for_similarity(&job).unwrap();
            assert!(matches!(measured, SimilarTexts::Measured(..)));
            let compared = SimilarTexts::Compared(alike.fingerprinter(&analysis, &job).unwrap());
            let documents = || (0..texts.len()).map(DocId::from);
            let pairs: Vec<DocumentPair> = documents()
                .flat_map(|a| documents().map(move |b| DocumentPair { a, b, distance: 0 }))
                .collect();
            let of = |similar: &SimilarTexts| similar.cosines(&analysis, &pairs, &job).unwrap();
            let (fast, slow) = (of(&measured), of(&compared));
            let mut n_similar = 0;
            for ((fast, slow), pair) in fast.into_iter().zip(slow).zip(&pairs) {
                assert_eq!(analysis.is_similar(fast), analysis.is_similar(slow), "{pair:?}");
                if let Some((fast, slow)) = fast.zip(slow) {
                    assert!((fast - slow).abs() < 1e-6, "{pair:?}");
                }
                n_similar += usize::from(analysis.is_similar(fast));
            }
            assert!(n_similar > texts.len() && n_similar < pairs.len() / 2, "{n_similar}");
        }
    }

    #[test]
    fn measured_pairs_choose_the_distance_of_nineteen_in_twenty() {
        // Pairs at 0.8 lie at 1 to 100 of 128 bits, once each; those far above it do not count.
        let mut pairs: Vec<(f64, u32)> = (1..=100).map(|d| (0.84, d)).collect();
        pairs.extend([(0.99, 2); 50]);
        let choice = SimilarityChoice::new(0.8, "set cosine".to_owned(), 128, Some(&pairs));
        assert_eq!((choice.k, choice.is_measured), (95, true));
        let measured = MeasuredPairs { at: [95, 100], above: [145, 150] };
        assert_eq!(choice.measured, Some(measured));
        assert!(choice.to_string().contains("95 of 100 pairs of texts at 0.8 to 0.85"), "{choice}");
    }
}
