//! The recommended k and the reasons, in words. All screens, commands and reports show the same sentences.
//!
//! ```text
//! evidence (cosines or judgements) + chance --recommend--> precise k, balanced k --groups at both--> sentences
//! ```

use super::dedup::DropRule;
use super::text_kind::median;
use super::{
    Analysis, AnalysisError, Basis, Evidence, FingerprintIndex, Job, PairsByDistance, Settings,
};
use crate::evaluate::distances::{Chance, Distances, Fit};
use crate::evaluate::labels::Share;
use crate::evaluate::precision::ThresholdRow;
use crate::evaluate::recommend::{PrecisionGoal, Recommendation, ThresholdVerdict, recommend};
use crate::feature::Shingling;
use crate::index::GroupTotals;
use crate::number::{counted, grouped, rounded};

/// If the groups at a k are not known yet, they are searched only if at most this many pairs are within k.
const MOST_PAIRS: u64 = 8_000_000;
/// Advice that rests on fewer pairs than this says so.
const FEW_PAIRS: u64 = 10;
/// If the median number of features is below this, the texts are short: one changed word changes many bits.
const SHORT: u32 = 20;

/// The recommended k, and the evidence for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The evidence: precision and recall of the pairs within each k.
    pub evidence: Evidence,
    /// The goal: the precision and the share of chance that a k must reach.
    pub aim: PrecisionGoal,
    /// For each k from 0 to the width, the number of pairs of distinct fingerprints that chance alone brings.
    pub by_chance: Vec<f64>,
    /// The distinct fingerprints.
    pub n_distinct: u64,
    /// The distribution of unrelated pairs that chance was fitted to; `None` if every bit is modelled as a fair
    /// coin.
    pub fit: Option<Fit>,
    /// The recommended values of k, and the verdict on every k.
    pub recommendation: Recommendation,
    /// The precise k under each further seed of the hash; empty if none was tried.
    pub other_seeds: Vec<Option<u32>>,
    /// The groups at the recommended k values, the precise k first, as far as they are known.
    pub structures: Vec<GroupsAtK>,
    /// Texts without words that equal another one, and go at every k.
    pub n_wordless: u64,
    /// The median number of features of the documents that have any; `None` if there are none.
    median_features: Option<u32>,
    shingling: Shingling,
    /// The definition of alike texts in words.
    alike: String,
}

/// The groups at one k, and the documents that can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupsAtK {
    /// The threshold.
    pub k: u32,
    /// The groups of single linkage.
    pub groups: GroupTotals,
    /// The number of documents that `dedup` drops at this k, each checked against the text of the one kept for it.
    pub dropped: u64,
}

impl Analysis {
    /// Recommends a k by the pairs of texts that are alike. All screens and commands show this result.
    ///
    /// Costs as much as [`Analysis::evidence`], and for each recommended k the check of its drops; a search, too, if it
    /// lies beyond the pairs kept.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    ///
    /// # Panics
    /// If the analysis has no fingerprints yet.
    pub fn advise(
        &self,
        distances: &Distances,
        aim: PrecisionGoal,
        job: &Job,
    ) -> Result<Advice, AnalysisError> {
        let evidence = match self.evidence(job) {
            Ok(evidence) => evidence,
            Err(AnalysisError::TooMuchAlike { .. }) => None,
            Err(error) => return Err(error),
        };
        AnalysisError::require_all_read(&self.corpus)?;
        let nothing = Evidence::new(Basis::Nothing, self.settings.alike, Vec::new());
        self.advise_by(evidence.unwrap_or(nothing), self.chance(Some(distances)), aim, job)
    }

    /// Recommends a k from the given evidence.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn advise_by(
        &self,
        evidence: Evidence,
        chance: Chance,
        aim: PrecisionGoal,
        job: &Job,
    ) -> Result<Advice, AnalysisError> {
        let index = self.index.as_deref();
        let unrelated = index.map_or(0.0, |index| index.n_unlike_pairs() as f64);
        let n_distinct = index.map_or(0, |index| index.n_distinct() as u64);
        let width = self.settings.recipe.bits;
        let by_chance: Vec<f64> = (0..=width).map(|k| unrelated * chance.within(k)).collect();
        let recommendation = recommend(&evidence.rows, &by_chance, aim);
        let other = |rows: &Vec<ThresholdRow>| recommend(rows, &by_chance, aim).precise;
        let other_seeds = evidence.other_seeds.iter().map(other).collect();
        let wordless = self.equal_without_words(job)?;
        let n_wordless = wordless.iter().map(|equal| equal.len() as u64 - 1).sum();
        let mut structures: Vec<GroupsAtK> = Vec::new();
        for k in [recommendation.precise, recommendation.balanced].into_iter().flatten() {
            if structures.iter().all(|structure| structure.k != k) {
                structures.extend(self.structure(k, &evidence, job)?);
            }
        }
        let features = self.records.iter().map(|it| it.n_features);
        let recipe = &self.settings.recipe;
        Ok(Advice {
            evidence,
            aim,
            by_chance,
            n_distinct,
            fit: chance.fit,
            recommendation,
            other_seeds,
            structures,
            n_wordless,
            median_features: median(features.filter(|&n| n > 0).collect()),
            shingling: recipe.features,
            alike: self.settings.alike.describe(recipe),
        })
    }

    /// The distribution of unrelated pairs: fitted to the distances if they are given, fair coins otherwise.
    pub fn chance(&self, distances: Option<&Distances>) -> Chance {
        match distances {
            Some(distances) => distances.chance(),
            None => Chance::coins(self.settings.recipe.bits),
        }
    }

    /// The groups at a k; `None` if there are too many pairs to search.
    fn structure(
        &self,
        k: u32,
        evidence: &Evidence,
        job: &Job,
    ) -> Result<Option<GroupsAtK>, AnalysisError> {
        let Some(index) = self.index.as_deref() else { return Ok(None) };
        let kept =
            self.near.as_deref().filter(|near| !index.layout().is_bands() && near.reach() >= k);
        if let Some(near) = kept {
            return self.groups_at(index, near, k, job).map(Some);
        }
        let n_pairs = evidence.rows.get(k as usize).map_or(u64::MAX, |row| row.different);
        if n_pairs > MOST_PAIRS {
            return Ok(None);
        }
        let settings = Settings { k, layout: super::LayoutChoice::Auto, ..self.settings.clone() };
        let index = index.under(&settings)?;
        let near = index.near(&settings, job)?;
        self.groups_at(&index, &near, k, job).map(Some)
    }

    /// The groups at a k, whose drops are checked as `dedup` does.
    fn groups_at(
        &self,
        index: &FingerprintIndex,
        near: &PairsByDistance,
        k: u32,
        job: &Job,
    ) -> Result<GroupsAtK, AnalysisError> {
        let groups = near.totals(k).map(|totals| totals.groups).unwrap_or_default();
        let settings = Settings { k, ..self.settings.clone() };
        let at_k = Self { settings, ..self.clone() };
        let decisions = at_k.decide(&index.groups(near, k), &DropRule::default(), job)?;
        Ok(GroupsAtK { k, groups, dropped: decisions.dropped.len() as u64 })
    }

    /// The number of documents that `dedup` drops at a k, if pairs were searched as far as that.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn drops_at(&self, k: u32, job: &Job) -> Result<Option<u64>, AnalysisError> {
        let (Some(index), Some(near)) = (self.index.as_deref(), self.near.as_deref()) else {
            return Ok(None);
        };
        if near.reach() < k {
            return Ok(None);
        }
        Ok(Some(self.groups_at(index, near, k, job)?.dropped))
    }
}

impl Advice {
    /// The conclusion as a list of sentences, the most important first.
    pub fn sentences(&self) -> Vec<String> {
        [self.choice(), self.grounds()].concat()
    }

    /// The recommended k values, a line each; before them a warning if most texts are made of a template.
    pub fn choice(&self) -> Vec<String> {
        let before = self.about_boilerplate().into_iter();
        before.chain(self.lines()).chain(self.above_balance()).collect()
    }

    /// The recommended k values, a line each; first the reason if no k is precise.
    fn lines(&self) -> Vec<String> {
        let Recommendation { precise, balanced, .. } = self.recommendation;
        let named = match precise {
            Some(_) if precise == balanced => vec![("precise and balanced", precise)],
            _ => vec![("precise", precise), ("balanced", balanced)],
        };
        let line = |(name, k): (&str, Option<u32>)| Some(format!("{name} {}", self.of(k?)));
        let none = precise.is_none().then(|| self.why_none());
        none.into_iter().chain(named.into_iter().filter_map(line)).collect()
    }

    /// The groups at the recommended k values, the source of the evidence, and other things to try.
    pub fn grounds(&self) -> Vec<String> {
        [Some(self.about_evidence()), self.about_recipe()].into_iter().flatten().collect()
    }

    /// The first sentence: the precise k with its pairs, or the reason why there is no precise k.
    pub fn lead(&self) -> String {
        self.lines().swap_remove(0)
    }

    /// The smallest and the largest precise k over all seeds that were tried and have one.
    pub fn k_range(&self) -> Option<(u32, u32)> {
        let all = || self.other_seeds.iter().flatten().chain(&self.recommendation.precise).copied();
        all().min().zip(all().max())
    }

    /// The recommended k values in at most some forty characters.
    pub fn brief(&self) -> String {
        let k = |k: Option<u32>| k.map_or_else(|| "none".to_owned(), |k| k.to_string());
        let Recommendation { precise, balanced, .. } = self.recommendation;
        match self.evidence.basis {
            Basis::Nothing => "no k without texts or labels".to_owned(),
            _ => format!("k: {} precise, {} balanced", k(precise), k(balanced)),
        }
    }

    /// The groups at a k and its drops, if it is a recommended one.
    pub fn groups_at(&self, k: u32) -> Option<&GroupsAtK> {
        self.structures.iter().find(|it| it.k == k)
    }

    fn threshold_row(&self, k: u32) -> Option<&ThresholdRow> {
        self.evidence.rows.get(k as usize)
    }

    /// The condition under which a pair is true.
    fn truth(&self) -> String {
        match self.evidence.basis {
            Basis::Judged { .. } => "judged near-duplicates".to_owned(),
            _ => format!("alike: {}", self.alike),
        }
    }

    /// The unit of the counted pairs: texts or documents.
    fn unit(&self) -> &'static str {
        match self.evidence.basis {
            Basis::Judged { .. } => "documents with different texts",
            // No fingerprint tells equal features apart, so a sample has such pairs.
            Basis::Sampled { .. } => "different texts",
            _ => "texts with different features",
        }
    }

    /// A line about a k: its pairs, the share of them that is true, the share at the last bit, and what would go.
    fn of(&self, k: u32) -> String {
        let Some(row) = self.threshold_row(k) else { return String::new() };
        let is_judged = matches!(self.evidence.basis, Basis::Judged { .. });
        let alike = if is_judged { "true" } else { "alike" };
        let range = match self.k_range().filter(|_| !self.other_seeds.is_empty()) {
            Some((low, high)) if self.recommendation.precise == Some(k) => {
                let seeds = self.other_seeds.len() + 1;
                let lacking = self.other_seeds.iter().filter(|it| it.is_none()).count();
                let lacking = match lacking {
                    0 => String::new(),
                    n => format!(", none under {n}"),
                };
                let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
                format!(" ({range} over {seeds} hashes{lacking})")
            }
            None if self.recommendation.precise == Some(k) && !is_judged => {
                " (one hash)".to_owned()
            }
            _ => String::new(),
        };
        let rests = if row.different < FEW_PAIRS { "rests on " } else { "" };
        let pairs = counted(row.different, "pair");
        let mut line =
            format!("k = {k}{range}: {rests}{pairs}, {} {alike}", in_100(row.cumulative));
        if row.at.different() > 0 {
            line += &format!("; last bit {}", in_100(row.precision));
        }
        if let Some(GroupsAtK { groups, dropped, .. }) = self.groups_at(k) {
            line += &format!(
                "; drops {}, largest group {}",
                grouped(*dropped),
                grouped(u64::from(groups.largest)),
            );
        }
        line
    }

    /// A warning: most texts share most of their shingles with most others, so all pairs look alike.
    fn about_boilerplate(&self) -> Option<String> {
        let (n, Basis::Exact { n_texts, .. }) = (self.evidence.n_boilerplate?, self.evidence.basis)
        else {
            return None;
        };
        Some(format!(
            "most texts here are boilerplate: {} of {} have at least half of their shingles in common with half of all texts; with --weights tf-idf --max-df 0.5 the rest decides",
            grouped(n),
            grouped(n_texts),
        ))
    }

    /// A sentence for a precise k above the balanced one.
    fn above_balance(&self) -> Option<String> {
        let Recommendation { precise: Some(precise), balanced: Some(balanced), .. } =
            self.recommendation
        else {
            return None;
        };
        (precise > balanced).then(|| {
            format!(
                "the precise k is above the balanced one: beyond {balanced} fewer than half of the new pairs are true, and all pairs within {precise} together still reach {} in 100",
                rounded(100.0 * self.aim.precision),
            )
        })
    }

    fn why_none(&self) -> String {
        let target = rounded(100.0 * self.aim.precision);
        let rows = &self.evidence.rows;
        if self.evidence.basis == Basis::Nothing {
            let ceiling = self.by_chance.iter().take_while(|&&pairs| pairs < 1.0).count();
            return match ceiling.checked_sub(1) {
                Some(k) => format!(
                    "no text to compare, so no k is known to be precise; up to k = {k} chance alone explains less than one pair"
                ),
                None => {
                    "no text to compare, and chance alone explains pairs at any k; use more bits"
                        .to_owned()
                }
            };
        }
        let verdicts = &self.recommendation.verdicts;
        let Some(first) = rows.iter().find(|row| row.different > 0) else {
            let farthest = rows.len().saturating_sub(1);
            return format!("no pair of {} is within {farthest} bits", self.unit());
        };
        let nearest = rows
            .iter()
            .filter(|row| verdicts[row.k as usize] == ThresholdVerdict::Open)
            .max_by(|left, right| left.bound.total_cmp(&right.bound));
        if let Some(row) = nearest {
            return format!(
                "no k is known to be precise: the goal is {target} %; k = {} is closest, with at least {} %",
                row.k,
                (row.bound * 100.0).floor(),
            );
        }
        if verdicts[first.k as usize] == ThresholdVerdict::Chance {
            return format!(
                "no k is precise: chance alone makes {} of the {} within k = {}; use more bits",
                crate::number::expected(
                    self.by_chance.get(first.k as usize).copied().unwrap_or_default()
                ),
                counted(first.different, "pair"),
                first.k,
            );
        }
        format!(
            "no k is precise: even at k = {} only {} of {} are true ({}); the goal is {target} %",
            first.k,
            percent(first.cumulative),
            counted(first.different, "pair"),
            self.truth(),
        )
    }

    fn about_evidence(&self) -> String {
        let n_distinct = counted(self.n_distinct, "distinct fingerprint");
        let base = format!("pairs by chance are those of {n_distinct}");
        let chance = match self.fit {
            Some(Fit { mean, spread, .. }) => format!(
                "chance: fitted to this corpus, whose unrelated pairs differ in {mean:.1} bits on average, with a standard deviation of {spread:.1}; {base}"
            ),
            None => format!(
                "chance: every bit is modelled as a fair coin, because this corpus has few unrelated pairs or their distances vary no more than coins; {base}"
            ),
        };
        let pairs = match self.evidence.basis {
            Basis::Exact { n_texts, .. } => {
                format!(
                    "alike: {}; all pairs of {} texts with different features compared, exact",
                    self.alike,
                    grouped(n_texts)
                )
            }
            Basis::Sampled { n_compared } => format!(
                "alike: {}; a sample of {} compared, with 95 % intervals; pairs are known up to {} bits",
                self.alike,
                counted(u64::from(n_compared), "pair"),
                self.evidence.rows.len().saturating_sub(1),
            ),
            Basis::Judged { .. } | Basis::Nothing => return chance,
        };
        format!("{pairs}; {chance}")
    }

    /// The reason why the recipe may be unsuitable, and what to try.
    fn about_recipe(&self) -> Option<String> {
        let median = self.median_features?;
        let is_short = median < SHORT && self.shingling != Shingling::Words(1);
        if is_short {
            return Some(format!(
                "half of the documents have {} or fewer: for short texts try --features words:1 or chars:5; sweep compares them",
                counted(u64::from(median), "feature")
            ));
        }
        let f1 = self.threshold_row(self.recommendation.balanced?)?.f1()?;
        (f1 < 0.8).then(|| {
            format!(
                "the largest F1 of this recipe is only {f1:.2}; other shingles or weights may do better or worse: sweep compares them"
            )
        })
    }
}

/// `94 in 100`, or with its interval `94 in 100 (90 to 97)`.
fn in_100(share: Share) -> String {
    percent(share).replacen(" %", " in 100", 1)
}

/// `97 %`, or with its interval `97 % (94 to 99)`. The ends are rounded outwards, and only a share of exactly 1 is
/// shown as 100 %.
fn percent(share: Share) -> String {
    let whole = |share: f64| match (share * 100.0).round() {
        100.0 if share < 1.0 => format!("{:.2}", (share * 1e4).floor() / 100.0),
        0.0 if share > 0.0 => format!("{:.2}", (share * 1e4).ceil() / 100.0),
        percent => format!("{percent}"),
    };
    let (low, high) = ((share.low * 100.0).floor(), (share.high * 100.0).ceil());
    match share.value {
        Some(value) if share.low == share.high => format!("{} %", whole(value)),
        Some(value) => format!("{} % ({low} to {high})", whole(value)),
        None => format!("{low} to {high} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Settings;
    use crate::evaluate::confusion::Curve;

    fn advice(basis: Basis) -> Advice {
        let rows = ThresholdRow::known(&Curve::new(&[3, 5], &[3, 5], 8));
        let analysis = Analysis::empty(Settings::default()).unwrap();
        let evidence = Evidence::new(basis, analysis.settings.alike, rows);
        analysis
            .advise_by(evidence, Chance::coins(64), PrecisionGoal::default(), &Job::new())
            .unwrap()
    }

    /// Each source of evidence counts other pairs, and the sentence names them.
    #[test]
    fn the_lead_names_the_pairs_that_it_counts() {
        let table = [
            (Basis::Exact { n_texts: 9, n_true: 8 }, "alike"),
            (Basis::Sampled { n_compared: 8 }, "alike"),
            (Basis::Judged { n_labels: 8 }, "true"),
        ];
        for (basis, word) in table {
            let hash = if word == "alike" { " (one hash)" } else { "" };
            let expected =
                format!("{hash}: rests on 8 pairs, 100 in 100 {word}; last bit 100 in 100");
            let lead = advice(basis).lead();
            assert!(lead.starts_with(&format!("precise and balanced k = 1{expected}")), "{lead}");
        }
    }
}
