//! Counts of judged pairs: a person's verdicts on some pairs at one distance.
//!
//! ```text
//! pairs     all document pairs of the stratum, counted exactly
//!   verified  pairs of equal texts: yes without a question
//!   judged    known pairs: yes, no, unsure
//!   left      pairs estimated from the judged ones: an interval
//! ```
//!
//! Two texts may have many copies. One label of two texts decides all pairs of their documents: it counts once
//! as evidence for the pairs that are left, and as often as there are pairs in the known ones. Unsure labels
//! are never dropped: the lower end counts them as no, the upper end as yes.
//!
//! Intervals are Jeffreys', multiplied by the square root of the share that is left, because sampling is
//! without replacement: if the last pair of a stratum is judged, the precision is known.
//! Source: Brown, Cai and `DasGupta` (2001), as in [`interval`]; Cochran, "Sampling techniques" (1977),
//! sections 2.6 and 3.2, for the finite population.

use super::interval::{self, LEVEL};
use crate::verdict::Verdict;

/// Pairs that are sampled and estimated together: the pairs at one distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stratum {
    /// Differing bits.
    pub distance: u32,
    /// All pairs of documents.
    pub pairs: u64,
    /// Pairs of equal texts.
    pub verified: u64,
    /// Labels that say near-duplicate.
    pub yes: VerdictCounts,
    /// Labels that say not a near-duplicate.
    pub no: VerdictCounts,
    /// Labels that say unsure.
    pub unsure: VerdictCounts,
}

/// The labels with one verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    /// Labels: pairs of texts that were looked at.
    pub labels: u32,
    /// The pairs of documents that they decide: more than labels if there are copies.
    pub pairs: u64,
}

/// The treatment of pairs judged unsure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsureRule {
    /// Counts as no: for lower ends.
    No,
    /// Counts as yes: for upper ends.
    Yes,
}

/// A share with its 95 % interval, all 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The estimate, of judged pairs with unsure counted as no; `None` if no pair was judged.
    pub value: Option<f64>,
    /// The lower end; unsure counts as no.
    pub low: f64,
    /// The upper end; unsure counts as yes.
    pub high: f64,
}

impl Share {
    /// A known share.
    pub fn exactly(share: f64) -> Self {
        Self { value: Some(share), low: share, high: share }
    }
}

/// The judgements of a stratum, with unsure counted by one rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct StratumTally {
    /// Labels with the verdict yes.
    pub(super) yes: u32,
    /// All labels.
    pub(super) labels: u32,
    /// Pairs known to be near-duplicates.
    pub(super) known: u64,
    /// Pairs that are not known.
    pub(super) left: u64,
}

impl Stratum {
    /// A stratum without judgements.
    ///
    /// # Panics
    /// If more pairs are verified than there are.
    pub fn new(distance: u32, pairs: u64, verified: u64) -> Self {
        assert!(verified <= pairs, "verified pairs are among all pairs");
        Self { distance, pairs, verified, ..Self::default() }
    }

    /// Counts a label that decides `pairs` pairs.
    ///
    /// # Panics
    /// If it decides no pair, or more pairs than are left.
    pub fn judge(&mut self, verdict: Verdict, pairs: u64) {
        assert!(
            0 < pairs && pairs <= self.left(),
            "a label decides at least one pair, and only pairs that are left"
        );
        let judged = match verdict {
            Verdict::Yes => &mut self.yes,
            Verdict::No => &mut self.no,
            Verdict::Unsure => &mut self.unsure,
        };
        judged.labels += 1;
        judged.pairs += pairs;
    }

    /// The number of labels.
    pub fn labels(&self) -> u32 {
        self.yes.labels + self.no.labels + self.unsure.labels
    }

    /// Pairs neither verified nor judged.
    pub fn left(&self) -> u64 {
        self.pairs - self.verified - self.yes.pairs - self.no.pairs - self.unsure.pairs
    }

    /// Pairs of different texts.
    pub fn different(&self) -> u64 {
        self.pairs - self.verified
    }

    /// The stratum without pairs of equal texts.
    #[must_use]
    pub fn of_different_texts(&self) -> Self {
        Self { pairs: self.different(), verified: 0, ..*self }
    }

    /// The share of near-duplicates among the pairs; `None` if pairs are left and none was judged, or if there
    /// are no pairs.
    pub fn precision(&self, unsure: UnsureRule) -> Option<f64> {
        let tally = self.tally(unsure);
        let left = if tally.left == 0 { 0.0 } else { tally.left as f64 * tally.share()? };
        (self.pairs > 0).then(|| (tally.known as f64 + left) / self.pairs as f64)
    }

    /// The precision with its interval; the interval is 0 to 1 if no pair is known.
    pub fn interval(&self) -> Share {
        Share {
            value: self.precision(UnsureRule::No),
            low: self.end(UnsureRule::No, |(low, _)| low),
            high: self.end(UnsureRule::Yes, |(_, high)| high),
        }
    }

    /// One end of the interval.
    fn end(&self, unsure: UnsureRule, which: impl Fn((f64, f64)) -> f64) -> f64 {
        let (tally, pairs) = (self.tally(unsure), self.pairs.max(1) as f64);
        let Some(share) = tally.share() else {
            return which(((tally.known) as f64, (tally.known + tally.left) as f64)) / pairs;
        };
        let end = which(interval::jeffreys(tally.yes, tally.labels, LEVEL));
        let asked = self.different() as f64;
        let left = tally.left as f64;
        let settled = (tally.known - self.verified) as f64;
        // Precision among pairs of different texts, then the distance of the end from it.
        let middle = (settled + left * share) / asked;
        let end = middle + (end - share) * (left / asked).sqrt();
        let end = end.clamp(settled / asked, (settled + left) / asked);
        (self.verified as f64 + asked * end) / pairs
    }

    pub(super) fn tally(&self, unsure: UnsureRule) -> StratumTally {
        let mut yes = self.yes;
        if unsure == UnsureRule::Yes {
            yes.labels += self.unsure.labels;
            yes.pairs += self.unsure.pairs;
        }
        StratumTally {
            yes: yes.labels,
            labels: self.labels(),
            known: self.verified + yes.pairs,
            left: self.left(),
        }
    }
}

impl StratumTally {
    /// The share of yes among the labels.
    pub(super) fn share(&self) -> Option<f64> {
        (self.labels > 0).then(|| f64::from(self.yes) / f64::from(self.labels))
    }
}

/// How often a person gave the same verdict on a pair shown again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Pairs shown again.
    pub repeats: u32,
    /// Pairs with the same verdict as before.
    pub same: u32,
}

impl Agreement {
    /// Counts a pair shown again.
    pub fn note(&mut self, before: Verdict, again: Verdict) {
        self.repeats += 1;
        self.same += u32::from(before == again);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels of each kind, each for one pair.
    fn judged(pairs: u64, yes: u32, no: u32, unsure: u32) -> Stratum {
        let of = |labels| VerdictCounts { labels, pairs: u64::from(labels) };
        Stratum { yes: of(yes), no: of(no), unsure: of(unsure), ..Stratum::new(3, pairs, 0) }
    }

    fn close(found: Share, expected: (f64, f64, f64)) {
        let value = found.value.expect("a pair was judged");
        let far = (value - expected.0).abs().max((found.low - expected.1).abs());
        assert!(far.max((found.high - expected.2).abs()) < 6e-4, "{found:?} is not {expected:?}");
    }

    #[test]
    fn among_many_pairs_the_interval_is_jeffreys() {
        // yes, labels, low, high
        let table = [
            (10, 10, 0.783, 1.0),
            (20, 20, 0.883, 1.0),
            (18, 20, 0.716, 0.979),
            (27, 30, 0.757, 0.971),
            (45, 50, 0.795, 0.961),
            (75, 100, 0.659, 0.827),
            (0, 30, 0.0, 0.080),
        ];
        for (yes, labels, low, high) in table {
            let found = judged(1 << 40, yes, labels - yes, 0).interval();
            close(found, (f64::from(yes) / f64::from(labels), low, high));
        }
    }

    #[test]
    fn a_stratum_judged_to_the_last_pair_is_known() {
        close(judged(20, 18, 2, 0).interval(), (0.9, 0.9, 0.9));
        close(judged(20, 18, 0, 2).interval(), (0.9, 0.9, 1.0));
        // One label that decides all pairs but one.
        let mut copies = Stratum::new(1, 1000, 0);
        copies.judge(Verdict::Yes, 999);
        assert!(copies.interval().low >= 0.999);
        let halfway = judged(40, 18, 2, 0).interval();
        assert!(0.716 < halfway.low && halfway.low < 0.9 && halfway.high < 0.979);
    }

    #[test]
    fn unsure_lowers_the_low_end_and_lifts_the_high_one() {
        let (found, many) = (judged(1 << 40, 15, 0, 5), 1 << 40);
        close(
            found.interval(),
            (0.75, judged(many, 15, 5, 0).interval().low, judged(many, 20, 0, 0).interval().high),
        );
        assert_eq!(
            (found.precision(UnsureRule::No), found.precision(UnsureRule::Yes)),
            (Some(0.75), Some(1.0))
        );
    }

    #[test]
    fn equal_texts_need_no_judgement() {
        let all = Stratum::new(0, 5000, 5000);
        close(all.interval(), (1.0, 1.0, 1.0));
        let some = Stratum::new(0, 5000, 4500).interval();
        assert_eq!((some.value, some.low, some.high), (None, 0.9, 1.0));
        let mut some = Stratum::new(0, 5000, 4500);
        some.judge(Verdict::No, 1);
        assert!(some.precision(UnsureRule::No).is_some_and(|found| (found - 0.9).abs() < 1e-9));
        assert_eq!(Stratum::new(2, 0, 0).interval(), Share { value: None, low: 0.0, high: 0.0 });
    }
}
