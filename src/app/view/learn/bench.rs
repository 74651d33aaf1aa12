//! The Bench view: bands or a distance, their curve, and the pairs of the corpus that they find.

use std::sync::Arc;

use super::super::contract::View;
use crate::{
    analysis::pair_cosines::{PairCosines, SearchMethod},
    app::{
        App, Effect,
        ask::want,
        keymap::{Action, LearnAction},
        query,
        screen::learn::bench::{BenchRow, steepest},
    },
    evaluate::angle,
    facts::{ExplainedNumber, figures::digits},
    number::grouped,
};

/// The Bench view.
pub(in crate::app) struct BenchView;

impl View for BenchView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let width = app.bench_bits();
        let bench = &mut app.learn.bench;
        match action {
            Action::Sideways(by) => bench.sideways(by, width),
            Action::Learn(LearnAction::Layout(_)) => bench.is_banded ^= true,
            Action::Learn(LearnAction::PinCurve) => bench.pin(),
            Action::Learn(LearnAction::NextCosineOfTruth) => bench.next_tau(),
            Action::Learn(LearnAction::Size(by)) => bench.next_size(by),
            Action::Zoom => bench.is_over_bits ^= true,
            _ => return super::act(app, action),
        }
        true
    }

    /// Changes the number of bands; up means more.
    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        let width = app.bench_bits();
        app.learn.bench.step(rows.clamp(-8, 8), width);
    }

    /// Asks for the pairs of the corpus, and counts the pairs that the present setting finds.
    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        let n_documents = app.analysis.len();
        if n_documents > 1 && app.analysis.is_complete() {
            want(app, query::AllPairCosines { n_documents }, effects);
        }
        count(app);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let bench = &app.learn.bench;
        let mut numbers = Vec::new();
        if let Some(found) = bench.row().map(|row| row.found) {
            let [tp, fp, missed] =
                [found.true_positives, found.false_positives, found.false_negatives].map(grouped);
            let [precision, recall] = [found.precision(), found.recall()]
                .map(|share| share.map_or_else(|| "-".to_owned(), digits));
            numbers.extend([
                ExplainedNumber::new("precision", &precision).explained(
                    format!("TP / (TP + FP) = {tp} / ({tp} + {fp}) = {precision}"),
                    "The share of the pairs found that are true.",
                ),
                ExplainedNumber::new("recall", &recall).explained(
                    format!("TP / (TP + FN) = {tp} / ({tp} + {missed}) = {recall}"),
                    "The share of the true pairs that are found.",
                ),
            ]);
        }
        if let SearchMethod::Bands { bands: m, bits: each } = bench.finder() {
            let steepest = steepest(m, each);
            let expected = digits(angle::expected_candidates(bench.n, m, each));
            let n = grouped(bench.n);
            numbers.extend([
                ExplainedNumber::new("steepest point", format!("p = {steepest:.3}")).explained(
                    format!("(1 / {m})^(1 / {each}) = {steepest:.3}"),
                    "About where the S-curve is steepest: below this cosine a pair is rarely a candidate, above it mostly.",
                ),
                ExplainedNumber::new("chance candidates", &expected).explained(
                    format!("{n} x ({n} - 1) / 2 x (1 - (1 - 2^-{each})^{m}) = {expected}"),
                    "Pairs of unrelated documents that share a band by chance.",
                ),
            ]);
        }
        numbers
    }
}

/// Counts the pairs found by the present setting and by the settings around it, unless that is done.
fn count(app: &mut App) {
    let bench = &mut app.learn.bench;
    let Some(pairs) = bench.pairs.answer().map(Arc::clone) else {
        bench.rows = (None, Vec::new());
        return;
    };
    let asked = (bench.finder(), bench.tau.to_bits(), pairs.n_pairs(), pairs.width);
    if bench.rows.0 == Some(asked) {
        return;
    }
    let tau = bench.tau;
    let row = |finder| BenchRow {
        finder,
        found: PairCosines::outcome(&pairs, finder, tau),
        expected: pairs.expected(finder, tau),
    };
    let rows = bench.around(pairs.width).into_iter().map(row).collect();
    bench.rows = (Some(asked), rows);
}
