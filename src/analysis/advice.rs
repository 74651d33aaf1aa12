//! The recommended k and the reasons, in words. All screens, commands and reports show the same sentences.
//!
//! ```text
//! evidence (cosines or judgements) + chance --recommend--> precise k, balanced k --groups at both--> sentences
//! ```

use super::{
    Analysis, AnalysisError, Evidence, FingerprintIndex, Job, PairsByDistance, Settings,
    SettingsError, evidence::Basis, grouping::IgnoredPairs, text_kind::median,
};
use crate::{
    evaluate::{
        distances::Distances,
        labels::Share,
        null::{Chance, Fit},
        precision::ThresholdRow,
        recommend::{PrecisionGoal, Recommendation, ThresholdVerdict, recommend},
    },
    feature::{Shingling, Weighting},
    index::{GroupTotals, Linkage},
    number::{counted, expected, grouped, rounded},
};

/// If the groups at a k are not known yet, they are searched only if at most this many pairs are within k.
const MOST_PAIRS: u64 = 8_000_000;
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
    /// The groups at the recommended k values, the precise k first, as far as they are known.
    pub structures: Vec<GroupsAtK>,
    /// The facts behind the last sentence.
    recipe_facts: RecipeFacts,
}

/// The groups at one k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupsAtK {
    /// The threshold.
    pub k: u32,
    /// The groups of single linkage.
    pub groups: GroupTotals,
    /// Groups with two members farther apart than k.
    pub chains: u64,
    /// Documents that complete linkage would drop; `None` if that takes too much memory.
    pub dropped_complete: Option<u32>,
}

/// Facts about recipe and texts, from which the last sentence of the advice is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RecipeFacts {
    /// The median number of features of the documents that have any; `None` if there are none.
    median_features: Option<u32>,
    shingling: Shingling,
    weights: Weighting,
}

impl Analysis {
    /// Recommends a k by the texts' exact cosines. All screens and commands show this result.
    ///
    /// Costs as much as [`Analysis::evidence`], and a search if a recommended k lies beyond the pairs kept.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a document cannot be read again.
    ///
    /// # Panics
    /// If the analysis has no fingerprints yet, or if tau is not above 0 and at most 1.
    pub fn advise(
        &self,
        distances: &Distances,
        tau: f64,
        aim: PrecisionGoal,
        job: &Job,
    ) -> Result<Advice, AnalysisError> {
        let evidence = match self.evidence(tau, job) {
            Ok(evidence) => evidence,
            Err(AnalysisError::Settings(SettingsError::TooMuchAlike { .. })) => None,
            Err(error) => return Err(error),
        };
        AnalysisError::require_all_read(&self.corpus)?;
        let nothing = Evidence { basis: Basis::Nothing, tau, rows: Vec::new() };
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
        let mut structures: Vec<GroupsAtK> = Vec::new();
        for k in [recommendation.precise, recommendation.balanced].into_iter().flatten() {
            if structures.iter().all(|structure| structure.k != k) {
                structures.extend(self.structure(k, &evidence, job)?);
            }
        }
        let recipe_facts = self.recipe_facts();
        let fit = chance.fit();
        Ok(Advice {
            evidence,
            aim,
            by_chance,
            n_distinct,
            fit,
            recommendation,
            structures,
            recipe_facts,
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
            return GroupsAtK::new(index, near, k, job).map(Some);
        }
        let n_pairs = evidence.rows.get(k as usize).map_or(u64::MAX, |row| row.different);
        if n_pairs > MOST_PAIRS {
            return Ok(None);
        }
        let settings = Settings { k, layout: super::LayoutChoice::Auto, ..self.settings.clone() };
        let index = index.under(&settings)?;
        let near = index.near(&settings, job)?;
        GroupsAtK::new(&index, &near, k, job).map(Some)
    }

    fn recipe_facts(&self) -> RecipeFacts {
        let features = self.records.iter().map(|it| it.n_features);
        let median_features = median(features.filter(|&n| n > 0).collect());
        let recipe = &self.settings.recipe;
        RecipeFacts { median_features, shingling: recipe.features, weights: recipe.weights }
    }
}

impl GroupsAtK {
    fn new(
        index: &FingerprintIndex,
        near: &PairsByDistance,
        k: u32,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let groups = index.groups(near, k);
        let totals = near.totals(k).map(|totals| totals.groups).unwrap_or_default();
        let chains = index.n_chains(&groups, k, job)?;
        let complete = if chains == 0 {
            None
        } else {
            Some(index.linked(near, k, Linkage::Complete, &IgnoredPairs::new()))
        };
        let dropped_complete = match complete {
            // Without chains both linkages make the same groups.
            None => Some(totals.redundant()),
            Some(Ok(groups)) => Some(groups.n_redundant() as u32),
            Some(Err(_)) => None,
        };
        Ok(Self { k, groups: totals, chains, dropped_complete })
    }

    fn sentence(&self) -> String {
        let Self { k, groups, chains, dropped_complete } = *self;
        let mut text = format!(
            "groups at k = {k}: {}, the largest of {}; {} would be dropped if one of each is kept",
            grouped(u64::from(groups.groups)),
            counted(u64::from(groups.largest), "document"),
            counted(u64::from(groups.redundant()), "document"),
        );
        if chains == 0 {
            text += "; no group is a chain";
            return text;
        }
        let (are, their) =
            if chains == 1 { ("is a chain", "its") } else { ("are chains", "their") };
        text += &format!(
            "; {} {are} ({their} ends differ in more than {k} bits); remedies: a smaller k, or complete linkage",
            counted(chains, "group")
        );
        if let Some(dropped) = dropped_complete {
            text += &format!(", which would drop {}", grouped(u64::from(dropped)));
        }
        text
    }
}

impl Advice {
    /// The conclusion as a list of sentences, the most important first.
    pub fn sentences(&self) -> Vec<String> {
        [self.choice(), self.grounds()].concat()
    }

    /// The recommended k values, each with its pairs.
    pub fn choice(&self) -> Vec<String> {
        [Some(self.lead()), self.next_k(), self.about_balance()].into_iter().flatten().collect()
    }

    /// The groups at the recommended k values, the source of the evidence, and other things to try.
    pub fn grounds(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.structures.iter().map(GroupsAtK::sentence).collect();
        sentences.push(self.about_evidence());
        sentences.extend(self.about_recipe());
        sentences
    }

    /// The first sentence: the precise k with its pairs, or the reason why there is no precise k.
    pub fn lead(&self) -> String {
        match self.recommendation.precise {
            Some(k) => format!("precise k = {k}: {}", self.of(k)),
            None => self.why_none(),
        }
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

    /// The groups at a k, if it is a recommended one.
    pub fn groups_at(&self, k: u32) -> Option<GroupTotals> {
        self.structures.iter().find(|it| it.k == k).map(|it| it.groups)
    }

    fn threshold_row(&self, k: u32) -> Option<&ThresholdRow> {
        self.evidence.rows.get(k as usize)
    }

    /// The condition under which a pair is true.
    fn truth(&self) -> String {
        match self.evidence.basis {
            Basis::Judged { .. } => "judged near-duplicates".to_owned(),
            _ => format!(
                "{} cosine {} or more",
                self.recipe_facts.weights,
                rounded(self.evidence.tau)
            ),
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

    /// The number of pairs within k, and how many of them are true.
    fn of(&self, k: u32) -> String {
        let Some(row) = self.threshold_row(k) else { return String::new() };
        let chance = expected(self.by_chance[k as usize]);
        format!(
            "{} of {}; {} of them are true ({}); {chance} of them expected by chance",
            counted(row.different, "pair"),
            self.unit(),
            percent(row.cumulative),
            self.truth(),
        )
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
        format!(
            "no k is precise: even at k = {} only {} of {} are true ({}); the goal is {target} %",
            first.k,
            percent(first.cumulative),
            counted(first.different, "pair"),
            self.truth(),
        )
    }

    /// The pairs that a step beyond the precise k would add.
    fn next_k(&self) -> Option<String> {
        let k = self.recommendation.precise? + 1;
        let row = self.threshold_row(k)?;
        let added = row.at.different();
        (added > 0).then(|| {
            format!(
                "k = {k} adds {}; {} of them are true",
                counted(added, "pair"),
                percent(row.precision)
            )
        })
    }

    fn about_balance(&self) -> Option<String> {
        let k = self.recommendation.balanced?;
        let row = self.threshold_row(k)?;
        let (f1, precision) = (row.f1()?, percent(row.cumulative));
        let equal = self.evidence.rows[k as usize..].iter().take_while(|row| row.f1() == Some(f1));
        let f1 = match k + equal.count() as u32 - 1 {
            last if last == k => format!("{f1:.2}"),
            last if last == k + 1 => format!("{f1:.2}, as at k = {last}"),
            last => format!("{f1:.2}, as at k = {} to {last}", k + 1),
        };
        let farthest = self.evidence.rows.len() - 1;
        let found = percent(row.window_recall);
        let found = match self.evidence.basis {
            Basis::Exact { n_true, .. } => {
                format!("finds {found} of all {}", counted(n_true, "true pair"))
            }
            _ => format!("finds {found} of the true pairs within {farthest} bits"),
        };
        Some(if self.recommendation.precise == Some(k) {
            format!("balanced k = {k} as well: it {found} and has the largest F1, {f1}")
        } else {
            format!(
                "balanced k = {k}: the largest F1, {f1}; {precision} of its {} are true, and it {found}",
                counted(row.different, "pair")
            )
        })
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
                    "cosines: all pairs of {} texts with different features compared, exact",
                    grouped(n_texts)
                )
            }
            Basis::Sampled { n_compared } => format!(
                "cosines: a sample of {} compared, with 95 % intervals; pairs are known up to {} bits",
                counted(u64::from(n_compared), "pair"),
                self.evidence.rows.len().saturating_sub(1),
            ),
            Basis::Judged { .. } | Basis::Nothing => return chance,
        };
        format!("{pairs}; {chance}")
    }

    /// The reason why the recipe may be unsuitable, and what to try.
    fn about_recipe(&self) -> Option<String> {
        let RecipeFacts { median_features, shingling, .. } = self.recipe_facts;
        let median = median_features?;
        let is_short = median < SHORT && shingling != Shingling::Words(1);
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
    use crate::{analysis::Settings, evaluate::curve::Curve};

    fn advice(basis: Basis) -> Advice {
        let rows = ThresholdRow::known(&Curve::new(&[3, 5], &[3, 5], 8));
        let analysis = Analysis::empty(Settings::default()).unwrap();
        let evidence = Evidence { basis, tau: 0.8, rows };
        analysis
            .advise_by(evidence, Chance::coins(64), PrecisionGoal::default(), &Job::new())
            .unwrap()
    }

    /// Each source of evidence counts other pairs, and the sentence names them.
    #[test]
    fn the_lead_names_the_pairs_that_it_counts() {
        let table = [
            (
                Basis::Exact { n_texts: 9, n_true: 8 },
                "8 pairs of texts with different features; 100 % of them are true (tf cosine 0.8 or more)",
            ),
            (
                Basis::Sampled { n_compared: 8 },
                "8 pairs of different texts; 100 % of them are true (tf cosine 0.8 or more)",
            ),
            (
                Basis::Judged { n_labels: 8 },
                "8 pairs of documents with different texts; 100 % of them are true (judged near-duplicates)",
            ),
        ];
        for (basis, expected) in table {
            let lead = advice(basis).lead();
            assert!(lead.starts_with(&format!("precise k = 1: {expected}")), "{lead}");
        }
    }
}
