//! Pairs whose fingerprints and texts disagree: near with a low cosine, far with a high one.
//!
//! Near pairs are the pairs within k. At most [`MOST_LOOKED_AT`] of them are compared, evenly spread, and the
//! result includes their number. A pair is not compared if one of its texts is missing. Fingerprints cannot find
//! far pairs, because far pairs are those that fingerprints miss. So the exact join of the texts finds every pair
//! with a cosine of at least [`FAR_TAU`], and those beyond k are examined. If the join would take too long or too
//! much memory, far pairs are not looked for, and a sentence says so. A pair disagrees if its exact cosine lies
//! outside the 95 % interval of its distance. Some pairs do so by luck, and more often than the interval suggests,
//! because pairs are selected by their small or large distance. So each is shown with its chance, the least likely
//! first.

use rayon::prelude::*;

use super::truth::MOST_MEETINGS;
use super::{Alike, AlikeBy, Analysis, AnalysisError, Job, Settings, Truth};
use crate::choice::choice;
use crate::evaluate::truth::TruePair;
use crate::evaluate::{angle, interval};
use crate::index::DocumentPair;
use crate::number::{counted, grouped};
use crate::progress::Cancelled;

/// The most pairs of each kind whose texts are compared, and the most that are kept.
pub const MOST_LOOKED_AT: usize = 20_000;
/// The least cosine at which a large distance counts as a disagreement.
pub const FAR_TAU: f64 = 0.8;
/// The most features of all documents for the join: it takes a gigabyte while vectors are made.
const MOST_FEATURES: u64 = 50_000_000;

choice! {
    /// The kind of disagreement between fingerprints and texts.
    pub enum DisagreementKind, "kind" {
        /// The fingerprints are nearer than the texts.
        #[default]
        Near = "near",
        /// The texts are nearer than the fingerprints.
        Far = "far",
    }
}

/// A pair that disagrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    /// The kind.
    pub kind: DisagreementKind,
    /// The pair and its distance.
    pub pair: DocumentPair,
    /// The exact cosine of the features.
    pub cosine: f64,
    /// The 95 % interval of the cosine that the distance implies.
    pub interval: (f64, f64),
    /// The expected distance at this cosine.
    pub expected: f64,
    /// The chance, at this cosine, of a distance at most (near) or at least (far) as large as this one.
    pub chance: f64,
}

/// The pairs that disagree, and the number of pairs that were examined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Disagreements {
    /// Near pairs, then far pairs; the least likely first, at most [`MOST_LOOKED_AT`] of each kind.
    pub found: Vec<Disagreement>,
    /// The number of disagreements of each kind, in the order of the kinds.
    pub n_found: [usize; 2],
    /// The number of pairs within k: pairs of distinct fingerprints, and each copy with the first document of its
    /// fingerprint.
    pub n_near: usize,
    /// The number of pairs of documents within k, including every pair of copies.
    pub n_near_documents: u64,
    /// The number of near pairs that were compared.
    pub n_near_compared: usize,
    /// The number of pairs beyond k among all pairs of texts with a cosine of at least [`FAR_TAU`]; `None` if the
    /// corpus is too large to look for them.
    pub n_far: Option<usize>,
    /// The number of features of all documents.
    pub n_features: u64,
}

impl Disagreements {
    /// One sentence for near pairs, one for far pairs, and one on how to read the chance. `k` is that of the
    /// analysis.
    pub fn notes(&self, k: u32) -> [String; 3] {
        let [near, far] = self.n_found.map(|n| grouped(n as u64));
        let n_near = match grouped(self.n_near as u64) {
            n if self.n_near as u64 == self.n_near_documents => n,
            n => format!(
                "{n} ({} with every pair of equal fingerprints)",
                grouped(self.n_near_documents)
            ),
        };
        let near = match self.n_near_compared as u64 {
            0 if self.n_near > 0 => {
                format!(
                    "too near: no pair was compared, because none of the {n_near} within k = {k} has both texts"
                )
            }
            n => {
                let compared = counted(n, "pair");
                format!(
                    "too near: {near} of {compared} compared disagree; within k = {k}: {n_near}"
                )
            }
        };
        let far = match self.n_far {
            Some(n) => format!(
                "too far: {far} of {} beyond k = {k} with a cosine by the recipe of {FAR_TAU} or more disagree",
                counted(n as u64, "pair"),
            ),
            None => format!(
                "too far: not looked for, because a join of all texts by {} would take too much time or memory",
                counted(self.n_features, "feature"),
            ),
        };
        let luck =
            "the chance is for one pair; if many pairs are compared, some are listed by luck";
        [near, far, luck.to_owned()]
    }
}

impl Analysis {
    /// Finds pairs that disagree; the analysis must have its pairs
    /// ([`AnalysisDepth::Pairs`](super::AnalysisDepth::Pairs)). The corpus is read once or twice more, and its texts
    /// are joined exactly.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    ///
    /// # Panics
    /// If the pairs are not searched yet.
    pub fn disagreements(&self, job: &Job) -> Result<Disagreements, AnalysisError> {
        let n_features = self.records.iter().map(|it| u64::from(it.n_features)).sum();
        let far = self.far(n_features, job)?;
        let n_far_found = far.as_ref().map_or(0, |(found, _)| found.len());
        let n_near = representative_pairs(self).count();
        let some: Vec<DocumentPair> = representative_pairs(self).step_by(stride(n_near)).collect();
        let (mut found, n_near_compared) = compare(self, DisagreementKind::Near, &some, job)?;
        AnalysisError::require_all_read(&self.corpus)?;
        let n_found = [found.len(), n_far_found];
        let n_far = far.as_ref().map(|(_, n)| *n);
        found.truncate(MOST_LOOKED_AT);
        found.extend(far.into_iter().flat_map(|(found, _)| found).take(MOST_LOOKED_AT));
        Ok(Disagreements {
            found,
            n_found,
            n_near,
            n_near_documents: self.totals().expect("depth is pairs").pairs,
            n_near_compared,
            n_far,
            n_features,
        })
    }

    /// The far pairs that disagree, and the number of far pairs; `None` if the join would take too much time or memory.
    fn far(
        &self,
        n_features: u64,
        job: &Job,
    ) -> Result<Option<(Vec<Disagreement>, usize)>, AnalysisError> {
        match n_features {
            // Without texts there are no disagreements.
            0 => return Ok(Some((Vec::new(), 0))),
            1..=MOST_FEATURES => {}
            _ => return Ok(None),
        }
        // A distance estimates the cosine under the recipe's own weights.
        let alike = Alike { by: AlikeBy::Recipe, features: None, tau: FAR_TAU };
        let settings = Settings { alike, ..self.settings.clone() };
        let truth = Truth::exact_within(MOST_MEETINGS, &self.corpus, &settings, job)?;
        let Some(truth) = truth else { return Ok(None) };
        let known = truth.known.as_deref().unwrap_or_default();
        let far = |pair: &TruePair| {
            let [a, b] = [pair.a, pair.b].map(|text| truth.documents(text)[0]);
            let distance = self.fingerprint(a)?.distance(self.fingerprint(b)?);
            let pair = (DocumentPair { a, b, distance }, pair.cosine);
            (distance > self.settings.k).then_some(pair)
        };
        let n = known.par_iter().filter_map(far).count();
        let judge =
            |(pair, cosine)| judge(DisagreementKind::Far, pair, cosine, self.settings.recipe.bits);
        let found = known.par_iter().filter_map(far).filter_map(judge).collect();
        Ok(Some((least_likely_first(found), n)))
    }
}

/// The pairs of each copy with the first document of its fingerprint, then the near pairs by first documents, of an
/// analysis whose pairs are searched. Pairs are made one by one, because there may be many millions.
fn representative_pairs(analysis: &Analysis) -> impl Iterator<Item = DocumentPair> {
    let near = analysis.near.as_ref().expect("depth is pairs");
    let index = analysis.index.as_ref().expect("depth is pairs");
    let copies = (0..index.n_distinct() as u32).flat_map(|entry| {
        let documents = index.documents(entry);
        documents[1..].iter().map(|&b| DocumentPair { a: documents[0], b, distance: 0 })
    });
    let near = near.pairs(analysis.settings.k).iter();
    copies.chain(near.map(|&pair| index.first_documents(pair)))
}

/// The step that picks at most [`MOST_LOOKED_AT`] of `n` items, evenly spread.
fn stride(n: usize) -> usize {
    n.div_ceil(MOST_LOOKED_AT).max(1)
}

/// Reads the documents of the pairs and compares them: the pairs whose distance and cosine disagree, the least likely
/// first, and the number of compared pairs, of which both documents have features.
fn compare(
    analysis: &Analysis,
    kind: DisagreementKind,
    pairs: &[DocumentPair],
    job: &Job,
) -> Result<(Vec<Disagreement>, usize), Cancelled> {
    let cosines = analysis.cosines(pairs, job)?;
    let n = cosines.iter().flatten().count();
    let width = analysis.settings.recipe.bits;
    let judge = |(&pair, cosine): (&DocumentPair, Option<f64>)| judge(kind, pair, cosine?, width);
    Ok((least_likely_first(pairs.iter().zip(cosines).filter_map(judge).collect()), n))
}

/// The pair, if its cosine lies outside the interval that its distance of `width` bits gives, on the side
/// of its kind.
fn judge(
    kind: DisagreementKind,
    pair: DocumentPair,
    cosine: f64,
    width: u32,
) -> Option<Disagreement> {
    let interval = interval::cosine(pair.distance, width);
    let chance = match kind {
        DisagreementKind::Near if cosine < interval.0 => {
            angle::within(cosine, pair.distance, width)
        }
        DisagreementKind::Far if cosine > interval.1 && pair.distance > 0 => {
            1.0 - angle::within(cosine, pair.distance - 1, width)
        }
        _ => return None,
    };
    let expected = angle::expected_distance(cosine, width);
    Some(Disagreement { kind, pair, cosine, interval, expected, chance })
}

/// By chance, then in corpus order.
fn least_likely_first(mut found: Vec<Disagreement>) -> Vec<Disagreement> {
    let order = |it: &Disagreement| (it.pair.a, it.pair.b);
    found.sort_by(|x, y| x.chance.total_cmp(&y.chance).then(order(x).cmp(&order(y))));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, run_to};
    use crate::corpus::{Input, LoadOptions};
    use crate::id::DocId;

    fn sample(recipe: &str, k: u32) -> std::sync::Arc<Analysis> {
        of(include_bytes!("../../assets/sample.jsonl"), recipe, k)
    }

    fn of(bytes: &'static [u8], recipe: &str, k: u32) -> std::sync::Arc<Analysis> {
        let inputs = vec![Input::Bundled { name: "sample.jsonl", bytes }];
        let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
        let settings = Settings { k, recipe: recipe.parse().unwrap(), ..Settings::default() };
        run_to(AnalysisDepth::Pairs, work, settings, &Job::new(), &mut |_| {}).unwrap()
    }

    #[test]
    fn what_is_looked_at_is_spread_evenly() {
        let some = (0..50_000).step_by(stride(50_000)).count();
        assert!(some <= MOST_LOOKED_AT && some > MOST_LOOKED_AT / 2);
        assert_eq!([0, 7, MOST_LOOKED_AT, MOST_LOOKED_AT + 1].map(stride), [1, 1, 1, 2]);
    }

    /// Compares every pair of documents of the sample, with several recipes. Some have short fingerprints, whose
    /// distances fit their cosines worst.
    #[test]
    fn the_join_finds_the_far_pairs_that_comparing_all_finds() {
        let mut n_found = 0;
        for (recipe, k) in
            [("words:1 bits=64", 3), ("words:1 tf-idf bits=64", 0), ("chars:4 bits=24", 1)]
        {
            let analysis = sample(recipe, k);
            let (far, n_far) = analysis.far(1, &Job::new()).unwrap().unwrap();
            let all = (0..analysis.len()).map(DocId::from);
            let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
            let beyond = pairs.filter(|(a, b)| a < b).filter_map(|(a, b)| {
                let distance = analysis.fingerprint(a)?.distance(analysis.fingerprint(b)?);
                (distance > k).then_some(DocumentPair { a, b, distance })
            });
            let beyond: Vec<DocumentPair> = beyond.collect();
            let slow = compare(&analysis, DisagreementKind::Far, &beyond, &Job::new()).unwrap();
            let slow: Vec<_> = slow.0.iter().filter(|it| it.cosine >= FAR_TAU).collect();
            // The join gives the first of several copies.
            let fingerprint = |it: &Disagreement| {
                let mut both =
                    [it.pair.a, it.pair.b].map(|it| analysis.fingerprint(it).unwrap().bits());
                both.sort_unstable();
                (both, (it.cosine * 1e6).round() as i64)
            };
            let mut expected: Vec<_> = slow.iter().map(|it| fingerprint(it)).collect();
            let mut found: Vec<_> = far.iter().map(fingerprint).collect();
            for list in [&mut expected, &mut found] {
                list.sort_unstable();
                list.dedup();
            }
            assert_eq!(found, expected, "{recipe}");
            n_found += found.len();
            assert!(n_far >= far.len());
        }
        assert!(n_found > 0);
    }

    #[test]
    fn too_large_a_corpus_is_said_to_be() {
        let analysis = sample("words:1 bits=64", 3);
        assert!(analysis.far(MOST_FEATURES, &Job::new()).unwrap().is_some());
        assert!(analysis.far(MOST_FEATURES + 1, &Job::new()).unwrap().is_none());
        let large = Disagreements { n_features: MOST_FEATURES + 1, ..Disagreements::default() };
        let note = "too far: not looked for, because a join of all texts by 50,000,001 features would take too much \
                    time or memory";
        assert_eq!(large.notes(3)[1], note);
    }

    #[test]
    fn a_pair_without_texts_is_not_compared() {
        let rows = br#"{"id": "a", "fingerprint": "00000000000000ff"}
{"id": "b", "fingerprint": "00000000000000fe"}
{"id": "c", "fingerprint": "00000000000000ff"}
"#;
        let found = of(rows, "words:3 bits=64", 3).disagreements(&Job::new()).unwrap();
        assert_eq!((found.n_near, found.n_near_compared), (2, 0));
        let note = "too near: no pair was compared, because none of the 2 (3 with every pair of equal fingerprints) within k = 3 has both texts";
        assert_eq!(found.notes(3)[0], note);
    }
}
