//! The pairs behind the counts of an evaluated layout: true, false and missed pairs.
//!
//! For true and false pairs the exact cosine of every pair that the layout finds is computed, about half a
//! microsecond each. Missed pairs are taken from the true pairs, all of which must be known.
//!
//! The contents of a crowded bucket: the documents whose fingerprints begin with the same bits, and their common
//! features.
//!
//! Manku, Jain and Das Sarma (figure 2) found hot prefixes: leading bits that many fingerprints share. Theirs came
//! from empty pages, error pages and the log-in pages of one bulletin board. At most 200 documents of a
//! bucket are read.

use std::{
    cmp::Ordering,
    collections::HashMap,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use super::{Analysis, AnalysisError, Job, LayoutChoice, Stage, TextFingerprints, Truth};
use crate::{
    choice::choice,
    corpus::Corpus,
    explain::{figures::quoted, health::prefix},
    id::DocId,
    index::Pair,
    number::{counted, grouped},
    simhash::Fingerprint,
    text::visible::visible,
};

/// The most pairs of texts that are listed: 32 bytes each.
const MOST_PAIRS: usize = 10_000_000;

choice! {
    /// The outcome of a layout for a pair of documents.
    pub enum PairOutcome, "outcome of pairs" {
        /// A true pair that the layout does not find.
        #[default]
        Missed = "missed",
        /// A pair that the layout finds and that is not true.
        False = "false",
        /// A true pair that the layout finds.
        True = "true",
    }
}

/// Two texts with different features, by their first documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatedPair {
    /// The texts, by their numbers in the truth.
    pub texts: [u32; 2],
    /// The first document of each text.
    pub documents: [DocId; 2],
    /// Their exact cosine.
    pub cosine: f64,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
}

impl EvaluatedPair {
    /// The highest cosine first, then in the order of the corpus.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        other.cosine.total_cmp(&self.cosine).then(self.documents.cmp(&other.documents))
    }
}

impl Truth {
    /// The pairs of texts for which a layout has this outcome, the highest cosine first. Documents with equal
    /// features are not listed: see [`Truth::copies`].
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if the layout cannot be cut from the width, if missed pairs are asked
    /// for and the truth is sampled, or if there are more than ten million pairs.
    pub fn pairs(
        &self,
        outcome: PairOutcome,
        fingerprints: &TextFingerprints,
        layout: LayoutChoice,
        k: u32,
        job: &Job,
    ) -> Result<Vec<EvaluatedPair>, AnalysisError> {
        job.enter(Stage::Try, 0);
        let layout = layout.layout(self.n_texts(), fingerprints.width(), k)?;
        let mut found = if outcome == PairOutcome::Missed {
            let sampled = "the truth is sampled: not every true pair is known, so the missed ones cannot be listed; \
                           use `truth` exact";
            let refusal = || AnalysisError::Refused(sampled.to_owned());
            let known = self.known.as_ref().ok_or_else(refusal)?;
            let is_missed = |a, b| !fingerprints.is_candidate(a, b, &layout, k);
            known
                .iter()
                .filter(|pair| is_missed(pair.a, pair.b))
                .map(|pair| self.found_pair(pair.a, pair.b, pair.cosine, fingerprints))
                .collect()
        } else {
            let found = Mutex::new(Vec::new());
            let take = |pairs: &[Pair]| {
                let of_outcome = |pair: &Pair| {
                    let cosine = self.vectors.cosine(pair.a, pair.b);
                    let reached = self.vectors.reached(pair.a, pair.b, cosine, self.alike.tau);
                    (reached.is_some() == (outcome == PairOutcome::True)).then(|| {
                        self.found_pair(pair.a, pair.b, reached.unwrap_or(cosine), fingerprints)
                    })
                };
                let some: Vec<EvaluatedPair> = pairs.iter().filter_map(of_outcome).collect();
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.extend(some);
                if found.len() > MOST_PAIRS || job.progress.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            fingerprints.visit(&layout, k, job, &take)?;
            job.progress.check()?;
            found.into_inner().unwrap_or_else(PoisonError::into_inner)
        };
        if found.len() > MOST_PAIRS {
            let most = grouped(MOST_PAIRS as u64);
            return Err(AnalysisError::Refused(format!(
                "{layout} has more than {most} of these pairs; use wider bands or a smaller `k`"
            )));
        }
        found.sort_unstable_by(EvaluatedPair::order);
        Ok(found)
    }

    /// A pair of texts with the distance of their fingerprints.
    pub(super) fn found_pair(
        &self,
        a: u32,
        b: u32,
        cosine: f64,
        fingerprints: &TextFingerprints,
    ) -> EvaluatedPair {
        let documents = [a, b].map(|text| self.documents(text)[0]);
        EvaluatedPair { texts: [a, b], documents, cosine, distance: fingerprints.distance(a, b) }
    }
}

/// The most documents of a bucket that are read, evenly spread.
const MOST_READ: usize = 200;
/// The most features, and the most documents, that are named.
const NAMED: usize = 3;

/// The contents of a bucket that holds too many fingerprints.
#[derive(Clone, Debug, PartialEq)]
pub struct HotPrefix {
    /// The leading bits.
    pub bucket: usize,
    /// Its documents, in order.
    pub documents: Vec<DocId>,
    /// The number of documents with the commonest fingerprint of the bucket.
    pub n_alike: usize,
    /// The number of documents that were read for their features.
    pub n_read: usize,
    /// The number of documents that could not be read for their features.
    pub n_unread: usize,
    /// The features that most of the read documents have, each with the number of these documents.
    pub shared: Vec<(String, usize)>,
}

impl HotPrefix {
    /// The contents of the bucket in words, with the first ids of its documents.
    pub fn sentence(&self, corpus: &Corpus) -> String {
        let mut text = counted(self.documents.len() as u64, "document");
        if self.n_alike > 1 {
            text += &format!(", {} with one fingerprint", grouped(self.n_alike as u64));
        }
        if !self.shared.is_empty() {
            let shared: Vec<String> = self
                .shared
                .iter()
                .map(|(shingle, n)| format!("{} in {n}", quoted(shingle)))
                .collect();
            text += &format!("; of {} read: {}", self.n_read, shared.join(", "));
        }
        if self.n_unread > 0 {
            text += &format!("; {} could not be read again", grouped(self.n_unread as u64));
        }
        let first = self.documents.iter().take(NAMED);
        let ids: Vec<_> = first.map(|&document| visible(corpus.id(document))).collect();
        format!("{text}; such as {}", ids.join(", "))
    }
}

impl Analysis {
    /// The contents of a bucket of leading bits. One pass over the fingerprints; reads at most 200
    /// documents.
    pub(super) fn hot_prefix(&self, bucket: usize) -> HotPrefix {
        let width = self.settings.recipe.bits;
        let mut alike: HashMap<u128, usize> = HashMap::new();
        let mut documents = Vec::new();
        for (document, fingerprint) in self.records.fingerprints().enumerate() {
            let Some(bits) = fingerprint.map(Fingerprint::bits) else { continue };
            if prefix(bits, width) == bucket {
                documents.push(DocId::from(document));
                *alike.entry(bits).or_default() += 1;
            }
        }
        let step = documents.len().div_ceil(MOST_READ).max(1);
        let mut shared: HashMap<String, usize> = HashMap::new();
        let (mut n_read, mut n_unread) = (0, 0);
        for &document in documents.iter().step_by(step) {
            match self.open(document) {
                Ok((_, Some(feature_votes))) => {
                    n_read += 1;
                    for feature in feature_votes.features {
                        *shared.entry(feature.shingle).or_default() += 1;
                    }
                }
                Ok((_, None)) => {}
                Err(_) => n_unread += 1,
            }
        }
        let mut shared: Vec<(String, usize)> =
            shared.into_iter().filter(|(_, count)| *count > 1).collect();
        shared.sort_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(&y.0)));
        shared.truncate(NAMED);
        let n_alike = alike.into_values().max().unwrap_or(0);
        HotPrefix { bucket, documents, n_alike, n_read, n_unread, shared }
    }
}
