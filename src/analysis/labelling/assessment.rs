//! What judgements say of each k, and what follows, in words: the same on the screen and beside the rows.

use super::judged::{Judged, Matched};
use crate::{
    evaluate::{
        labels::{Agreement, Stratum},
        precision::{Rung, precision},
        recommend::{Aim, Look, Looks, Recommendation, recommend},
    },
    number::{counted, grouped, rounded},
};

/// Judgements, and the k they speak for.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The strata with their judgements.
    pub strata: Vec<Stratum>,
    /// What they say of each k up to the window.
    pub rungs: Vec<Rung>,
    /// What is asked of a k.
    pub aim: Aim,
    /// When bounds are looked at, and which look this is.
    pub looks: Looks,
    /// This look.
    pub look: Look,
    /// The k to choose, if any.
    pub recommendation: Recommendation,
    /// Which judgements count.
    pub matched: Matched,
    /// What was said of pairs shown twice.
    pub agreement: Agreement,
}

impl Assessment {
    /// Weighs what was judged; `accidental` holds for each k the pairs that chance alone makes within it.
    /// Takes some hundredths of a second.
    ///
    /// # Panics
    /// If there is no expectation for each k up to the window.
    pub fn new(judged: Judged, accidental: &[f64], aim: Aim, looks: Looks) -> Self {
        let Judged { strata, matched, agreement, .. } = judged;
        let labels = strata.iter().fold(0_u32, |sum, it| sum.saturating_add(it.labels()));
        let look = looks.at(labels);
        let rungs = precision(&strata, look.level);
        let recommendation = recommend(&rungs, &strata, accidental, aim, look.level);
        Self { strata, rungs, aim, looks, look, recommendation, matched, agreement }
    }

    /// The conclusion, a sentence an element, what matters most first.
    pub fn conclusion(&self) -> Vec<String> {
        let mut sentences = self.choice();
        sentences.extend(self.next());
        sentences.push(self.about_looks());
        sentences.push(self.about_matches());
        sentences.extend(self.about_agreement());
        sentences
    }

    fn choice(&self) -> Vec<String> {
        let Recommendation { choice, runner_up, .. } = self.recommendation;
        let bound = |k: u32| below(self.rungs[k as usize].bound);
        let (level, target) = (rounded(100.0 * self.look.level), rounded(self.aim.precision));
        match (choice, runner_up) {
            (Some(k), runner_up) => {
                let so_far = if self.look.number == 0 { "so far " } else { "" };
                let bound = bound(k);
                let next = runner_up.map(|k| format!("next best is k = {k}"));
                let best = format!(
                    "{so_far}k = {k}: its precision is at least {bound}, with {level} % confidence"
                );
                [Some(best), next].into_iter().flatten().collect()
            }
            (None, Some(k)) => vec![format!(
                "no k passes: none is sure to have a precision of {target}; k = {k} comes nearest, with at least {}",
                bound(k)
            )],
            (None, None) => {
                vec![format!(
                    "no k passes: none can have a precision of {target} and few enough pairs by chance; another \
                     recipe may part them better, or ask for less"
                )]
            }
        }
    }

    fn next(&self) -> Option<String> {
        let next = self.recommendation.next?;
        let pairs = counted(u64::from(next.labels), "more pair");
        Some(format!(
            "for k = {} to pass if all say yes, judge {pairs} at distance {}",
            next.k, next.distance
        ))
    }

    fn about_looks(&self) -> String {
        let next = match self.look.next {
            Some(next) if self.look.number == 0 => {
                format!("; provisional until there are {} labels", grouped(u64::from(next)))
            }
            Some(next) => format!("; the next at {} labels", grouped(u64::from(next))),
            None => String::new(),
        };
        format!("bounds: {}{next}", self.looks)
    }

    /// Who only ever says yes has a precision of 1, whatever the corpus: what to say of a truth file then.
    pub fn about_one_sided_truth(&self) -> Option<String> {
        let sum = |of: fn(&Stratum) -> u32| self.strata.iter().map(of).any(|labels| labels > 0);
        let is_one_sided = sum(|it| it.yes.labels) && !sum(|it| it.no.labels + it.unsure.labels);
        is_one_sided.then(|| {
            "every judgement says yes; if all near-duplicates are among them, say --complete-truth"
                .to_owned()
        })
    }

    fn about_matches(&self) -> String {
        let Matched { judgements, counted: n, one_text, contradicted, missed, beyond, absent } =
            self.matched;
        let window = self.rungs.last().map_or(0, |rung| rung.k);
        let number = |n: usize| grouped(n as u64);
        let mut text = format!(
            "{}: {} count within distance {window}",
            counted(judgements as u64, "judgement"),
            number(n)
        );
        let parts = [
            (missed, "beyond it say yes, which no k here finds"),
            (beyond, "beyond it do not"),
            (one_text, "are of one text twice, which is yes without them"),
            (contradicted, "of these deny it"),
            (absent, "name documents that are not here"),
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
            format!("of {shown} shown twice {same} were judged the same")
        })
    }
}

/// A lower bound in three digits, never rounded up.
fn below(bound: f64) -> String {
    rounded((bound * 1000.0).floor() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;

    fn assessed(of: &[(u64, u32, u32)], target: f64, looks: Looks) -> Assessment {
        let strata = (0..).zip(of).map(|(distance, &(pairs, yes, no))| {
            let mut stratum = Stratum::new(distance, pairs, 0);
            (0..yes).for_each(|_| stratum.judge(Verdict::Yes, 1));
            (0..no).for_each(|_| stratum.judge(Verdict::No, 1));
            stratum
        });
        let matched = Matched { judgements: 120, counted: 100, missed: 20, ..Matched::default() };
        let judged = Judged { strata: strata.collect(), matched, ..Judged::default() };
        let aim = Aim { precision: target, ..Aim::default() };
        Assessment::new(judged, &[0.0; 4], aim, looks)
    }

    #[test]
    fn sentences_for_every_case() {
        let good = [(1000, 40, 0), (1000, 40, 0), (1000, 16, 24)];
        let found = assessed(&good, 0.9, Looks::Once).conclusion();
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].starts_with("k = 1: its precision is at least 0.9"), "{found:?}");
        assert_eq!(found[1], "next best is k = 0");
        assert!(found[2].starts_with("bounds: one look"), "no larger k is open: {found:?}");
        assert_eq!(
            found[3..],
            [
                "120 judgements: 100 count within distance 2, 20 beyond it say yes, which no k here finds",
            ]
        );
    }

    #[test]
    fn none_is_an_answer_and_what_helps_is_said() {
        let found = assessed(&[(1000, 20, 1)], 0.95, Looks::Budget(200)).conclusion();
        assert!(found[0].starts_with(
            "no k passes: none is sure to have a precision of 0.95; k = 0 comes nearest"
        ));
        assert_eq!(found[1], "for k = 0 to pass if all say yes, judge 21 more pairs at distance 0");
        assert_eq!(
            found[2],
            "bounds: one look, after 200 labels; provisional until there are 200 labels"
        );
        let found = assessed(&[(1000, 1, 30)], 0.95, Looks::Once).conclusion();
        assert_eq!(
            found[0],
            "no k passes: none can have a precision of 0.95 and few enough pairs by chance; another recipe may part them better, or ask for less"
        );
        let found = assessed(&[(1000, 30, 0)], 0.9, Looks::Once).about_one_sided_truth();
        assert!(found.unwrap().starts_with("every judgement says yes"));
    }

    #[test]
    fn a_bound_is_never_rounded_up() {
        assert_eq!(
            (below(0.99999), below(1.0), below(0.9136)),
            ("0.999".into(), "1".into(), "0.913".into())
        );
    }
}
