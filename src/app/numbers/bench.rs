//! Numbers of the Bench view.

use super::number::ExplainedNumber;
use crate::{
    analysis::pair_cosines::SearchMethod, app::App, evaluate::angle, facts::figures::digits,
    number::grouped,
};

/// Numbers of the Bench view.
pub(in crate::app) fn of_the_bench(app: &App) -> Vec<ExplainedNumber> {
    let bench = &app.learn.bench;
    let mut numbers = Vec::new();
    if let Some(row) = bench.row() {
        let found = row.found;
        let [tp, fp, fne] =
            [found.true_positives, found.false_positives, found.false_negatives].map(grouped);
        let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), digits);
        numbers.push(ExplainedNumber::new(
            "precision",
            share(found.precision()),
            format!("TP / (TP + FP) = {tp} / ({tp} + {fp}) = {}", share(found.precision())),
            "The share of the pairs found that are true.",
        ));
        numbers.push(ExplainedNumber::new(
            "recall",
            share(found.recall()),
            format!("TP / (TP + FN) = {tp} / ({tp} + {fne}) = {}", share(found.recall())),
            "The share of the true pairs that are found.",
        ));
    }
    if let SearchMethod::Bands { bands: m, bits: each } = bench.finder() {
        let steepest = steepest(m, each);
        numbers.push(ExplainedNumber::new(
            "steepest point",
            format!("p = {steepest:.3}"),
            format!("(1 / {m})^(1 / {each}) = {steepest:.3}"),
            "About where the S-curve is steepest: below this cosine a pair is rarely a candidate, above it mostly.",
        ));
        let expected = angle::expected_candidates(bench.n, m, each);
        let n = grouped(bench.n);
        numbers.push(ExplainedNumber::new(
            "chance candidates",
            digits(expected),
            format!("{n} x ({n} - 1) / 2 x (1 - (1 - 2^-{each})^{m}) = {}", digits(expected)),
            "Pairs of unrelated documents that share a band by chance.",
        ));
    }
    numbers
}

/// The chance of an equal bit at which the S-curve of the bands is about steepest: (1/M)^(1/K).
pub fn steepest(bands: u32, bits: u32) -> f64 {
    (1.0 / f64::from(bands)).powf(1.0 / f64::from(bits))
}
