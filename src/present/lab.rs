//! Measured layouts in words.

use std::collections::BTreeSet;

use crate::analysis::LayoutEvaluation;
use crate::number::{counted, grouped, rounded};

/// The fingerprints that layouts were tried on: wider ones than the recipe's where a layout needs them.
pub fn widths<'t>(evaluations: impl Iterator<Item = &'t LayoutEvaluation>) -> String {
    let widths: BTreeSet<u32> = evaluations.map(|evaluation| evaluation.bits).collect();
    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
    format!("fingerprints of {} bits", widths.join(" and "))
}

/// A layout in a sentence; blocks were evaluated within `k`.
pub fn about(evaluation: &LayoutEvaluation, k: u32) -> String {
    let how =
        if evaluation.layout.contains('x') { String::new() } else { format!(" within k={k}") };
    let mut text = format!(
        "{}{how}: {} to look at, {} of them true",
        evaluation.layout,
        counted(evaluation.candidates, "pair"),
        grouped(evaluation.true_positives)
    );
    let percent = |share: f64| rounded((share * 1000.0).round() / 10.0);
    match (evaluation.recall(), evaluation.recall_distinct) {
        (Some(recall), distinct) => {
            text += &format!("; finds {} % of the true pairs", percent(recall));
            if let Some(distinct) = distinct {
                text += &format!(", {} % of those of different texts", percent(distinct.recall));
            }
        }
        (None, Some(distinct)) => {
            text += &format!(
                "; finds about {} % of the true pairs of different texts (95 %: {} to {})",
                percent(distinct.recall),
                percent(distinct.low),
                percent(distinct.high)
            );
        }
        (None, None) => {}
    }
    if let Some(skew) = evaluation.skew() {
        text += &format!("; {skew:.1} times the candidates predicted");
    }
    text
}
