//! The precision of each k by the judgements, and the conclusion in words; the next batch of pairs to judge, and one
//! pair of it. The screen and the command show the same sentences.

use std::sync::Arc;

use super::{JudgedStrata, JudgementCounts, Labelling};
use crate::analysis::explained_pair::Comparison;
use crate::analysis::{Advice, Analysis, AnalysisError, Basis, Evidence, Job};
use crate::evaluate::distances::Chance;
use crate::evaluate::labels::{Agreement, Stratum};
use crate::evaluate::precision::precision;
use crate::evaluate::recommend::PrecisionGoal;
use crate::evaluate::sample::Pick;
use crate::id::DocId;
use crate::number::{counted, grouped};
use crate::text::{Digest, digest};

/// The number of judgements from which on they take the place of the cosines.
pub const ENOUGH: u32 = 40;

/// The precision of each k by the judgements, and the recommended k.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The strata with their judgements.
    pub strata: Vec<Stratum>,
    n_labels: u32,
    /// The recommended k by the judgements.
    pub advice: Arc<Advice>,
    /// The numbers of judgements that count and that do not.
    pub counts: JudgementCounts,
    /// The agreement of the judgements of pairs that were shown twice.
    pub agreement: Agreement,
}

impl Assessment {
    /// Assesses the judgements. Takes some tenths of a second.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn new(
        analysis: &Analysis,
        judged: JudgedStrata,
        chance: Chance,
        aim: PrecisionGoal,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let JudgedStrata { strata, counts, agreement, .. } = judged;
        let n_labels = strata.iter().fold(0_u32, |sum, it| sum.saturating_add(it.labels()));
        let rows = precision(&strata);
        let evidence = Evidence::new(Basis::Judged { n_labels }, analysis.settings.alike, rows);
        let advice = Arc::new(analysis.advise_by(evidence, chance, aim, job)?);
        Ok(Self { strata, n_labels, advice, counts, agreement })
    }

    /// Whether there are enough judgements to use in place of the texts: one for every pair, or [`ENOUGH`] at distances
    /// without a gap, because the precision within k is that of all distances up to k.
    pub fn has_enough_labels(&self) -> bool {
        let is_judged =
            |distance| self.strata.iter().any(|it| it.distance == distance && it.labels() > 0);
        let left = self.strata.iter().filter(|it| it.left() > 0).map(|it| it.distance);
        let gap = left.filter(|&distance| !is_judged(distance)).min();
        let before = self.strata.iter().filter(|it| gap.is_none_or(|gap| it.distance < gap));
        let n: u32 = before.map(Stratum::labels).sum();
        n >= ENOUGH || self.n_labels > 0 && !self.has_pairs_left()
    }

    fn has_pairs_left(&self) -> bool {
        self.strata.iter().any(|stratum| stratum.left() > 0)
    }

    /// The conclusion as a list of sentences, the most important first.
    pub fn conclusion(&self) -> Vec<String> {
        let mut sentences = self.advice.choice();
        if !self.has_enough_labels() {
            sentences[0].insert_str(0, "so far ");
        }
        sentences.push(self.about_matches());
        sentences.extend(self.about_bounds());
        sentences.extend(self.about_agreement());
        sentences.extend(self.advice.grounds());
        sentences
    }

    fn about_bounds(&self) -> Option<String> {
        let provisional = if self.has_enough_labels() {
            String::new()
        } else {
            format!("; provisional until there are {ENOUGH} judgements, some at each distance")
        };
        self.has_pairs_left().then(|| {
            format!(
                "bounds: for all k at once, if you decided how many pairs to judge before you began{provisional}"
            )
        })
    }

    /// A warning if every judgement says yes, so that the precision is 1 at every k. A truth file that names only
    /// true pairs does that.
    pub fn about_one_sided_truth(&self) -> Option<String> {
        let sum = |of: fn(&Stratum) -> u32| self.strata.iter().map(of).any(|labels| labels > 0);
        let JudgementCounts { beyond, contradicted, .. } = self.counts;
        let is_one_sided = sum(|it| it.yes.labels)
            && !sum(|it| it.no.labels + it.unsure.labels)
            && beyond + contradicted == 0;
        is_one_sided.then(|| {
            "every judgement says yes, so every k looks precise; if the file names all near-duplicates, use --complete-truth"
                .to_owned()
        })
    }

    fn about_matches(&self) -> String {
        let JudgementCounts {
            judgements,
            counted: n,
            one_text,
            contradicted,
            missed,
            beyond,
            absent,
        } = self.counts;
        let window = self.advice.evidence.rows.last().map_or(0, |row| row.k);
        let number = |n: usize| grouped(n as u64);
        let mut text = format!(
            "{}: {} count (pairs within {window} bits; a larger -k at the start keeps more pairs)",
            counted(judgements as u64, "judgement"),
            number(n)
        );
        let parts = [
            (missed, "are yes for pairs farther apart"),
            (beyond, "are no or unsure for pairs farther apart"),
            (
                one_text,
                "name two documents with the same text (white space aside), which count as yes in any case",
            ),
            (contradicted, "of these are no or unsure"),
            (absent, "name documents that are not in the corpus"),
        ];
        for (n, what) in parts.into_iter().filter(|&(n, _)| n > 0) {
            text.push_str(&format!(", {} {what}", number(n)));
        }
        text
    }

    fn about_agreement(&self) -> Option<String> {
        let Agreement { repeats, same } = self.agreement;
        (repeats > 0).then(|| {
            let shown = counted(u64::from(repeats), "pair");
            let were = if repeats == 1 { "was" } else { "were" };
            format!("{shown} {were} shown twice, {same} of them judged the same both times")
        })
    }
}

/// The most bytes of a text that are compared and shown. It is more than a person reads, and two such texts are
/// compared in a fraction of a second even if they have nothing in common.
pub const MOST_BYTES: usize = 32 * 1024;
/// A pair to judge, with its texts. They are ordered by digest, so that left and right show nothing about the pair.
#[derive(Clone, Debug)]
pub struct PairWithTexts {
    /// Its documents, left and right.
    pub documents: [DocId; 2],
    /// The digests of their texts.
    pub names: [Digest; 2],
    /// The comparison of the texts.
    pub comparison: Comparison,
}

impl PairWithTexts {
    /// Reads the pair of a pick and compares its texts.
    ///
    /// # Errors
    /// The reason why one of them cannot be read.
    pub(crate) fn new(
        analysis: &Analysis,
        labelling: &Labelling,
        pick: Pick,
    ) -> Result<Self, String> {
        let pair = labelling.pair(pick);
        let read = |document| {
            let content = analysis.corpus.read(document).map_err(|error| error.to_string())?;
            let text = content.text().ok_or("a fingerprint without its text cannot be judged")?;
            let shown = &text[..text.floor_char_boundary(MOST_BYTES)];
            let is_cut = shown.len() < text.len();
            Ok::<_, String>((digest(text), document, shown.to_owned(), is_cut))
        };
        let mut texts = [read(pair.a)?, read(pair.b)?];
        texts.sort_by_key(|(name, ..)| *name);
        let [(left_name, left, a, a_cut), (right_name, right, b, b_cut)] = texts;
        let mut comparison = Comparison::new(Some((&a, &b)), None);
        comparison.clipped |= a_cut || b_cut;
        comparison.name_fields(&analysis.corpus, [left, right]).map_err(|it| it.to_string())?;
        Ok(Self { documents: [left, right], names: [left_name, right_name], comparison })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Settings;
    use crate::verdict::Verdict;

    fn assessed(of: &[(u64, u32, u32)], target: f64) -> Assessment {
        let strata = (0..).zip(of).map(|(distance, &(pairs, yes, no))| {
            let mut stratum = Stratum::new(distance, pairs, 0);
            (0..yes).for_each(|_| stratum.judge(Verdict::Yes, 1));
            (0..no).for_each(|_| stratum.judge(Verdict::No, 1));
            stratum
        });
        let counts = JudgementCounts {
            judgements: 120,
            counted: 100,
            missed: 20,
            ..JudgementCounts::default()
        };
        let judged = JudgedStrata { strata: strata.collect(), counts, ..JudgedStrata::default() };
        let aim = PrecisionGoal { precision: target, ..PrecisionGoal::default() };
        let analysis = Analysis::empty(Settings::default()).unwrap();
        Assessment::new(&analysis, judged, Chance::coins(64), aim, &Job::new()).unwrap()
    }

    #[test]
    fn sentences_for_every_case() {
        let good = [(1000, 40, 0), (1000, 40, 0), (1000, 16, 24)];
        let found = assessed(&good, 0.9).conclusion();
        assert!(
            found[0].starts_with("precise and balanced k = 1: 2,000 pairs, 100 in 100 (9")
                && found[0].contains(" true; last bit 100 in 100 (9"),
            "{found:?}"
        );
        let all = found.join("; ");
        assert!(all.contains(
            "120 judgements: 100 count (pairs within 2 bits; a larger -k at the start keeps more pairs), 20 are yes for pairs farther apart"
        ), "{all}");
        assert!(all.contains("bounds: for all k at once") && !all.contains("provisional"), "{all}");
    }

    #[test]
    fn none_is_an_answer() {
        let found = assessed(&[(1000, 20, 1)], 0.95).conclusion();
        assert!(
            found[0].starts_with(
                "so far no k is known to be precise: the goal is 95 %; k = 0 is closest, with at least 8"
            ),
            "{found:?}"
        );
        let all = found.join("; ");
        assert!(all.contains("you began; provisional until there are 40 judgements"), "{all}");
        let found = assessed(&[(1000, 1, 30)], 0.95).conclusion();
        assert!(
            found[0].starts_with("so far no k is precise: even at k = 0 only 3 % (")
                && found[0].ends_with(
                    "of 1,000 pairs are true (judged near-duplicates); the goal is 95 %"
                ),
            "{found:?}"
        );
    }

    #[test]
    fn only_a_file_without_any_no_is_one_sided() {
        let mut found = assessed(&[(1000, 30, 0)], 0.9);
        assert!(found.about_one_sided_truth().unwrap().starts_with("every judgement says yes"));
        found.counts.beyond = 9280;
        assert_eq!(found.about_one_sided_truth(), None);
    }

    #[test]
    fn judgements_stand_for_cosines_once_there_are_enough() {
        let ripe = |yes| assessed(&[(1000, yes, 0)], 0.9).has_enough_labels();
        assert_eq!([0, 39, 40].map(ripe), [false, false, true]);
        // Nearer pairs that nobody judged are within k, too.
        let of = |nearer| assessed(&[(1000, nearer, 0), (1000, 45, 0)], 0.9).has_enough_labels();
        assert_eq!([0, 1].map(of), [false, true]);
    }
}
