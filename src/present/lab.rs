//! The lab in words, tables and pictures: layouts that were held against exact cosines.

use super::page::{Block, Line, Page, Row, Section, Table};
use crate::{
    analysis::Trial,
    evaluate::recall::{Recall, RecallMethod},
    number::{counted, grouped, rounded},
};

/// A page about `trials` of the corpus `title`, and the true pairs in words.
pub fn page(title: &str, truth: &str, trials: &[&Trial]) -> Page<'static> {
    let mut layouts = Section::new("Layouts");
    layouts.blocks.push(Block::Table(table(trials)));
    let mut all = vec![layouts];
    all.extend(sections(trials));
    Page {
        title: Line::from("Layouts against exact cosines in ").name(title),
        lead: vec![format!("{truth}.").into()],
        sections: all,
        foot: format!("Made by simscope {}.", env!("CARGO_PKG_VERSION")).into(),
    }
}

/// The figures of layouts that were tried against one truth.
pub fn sections(trials: &[&Trial]) -> Vec<Section<'static>> {
    let mut section = Section::new("How recall is known");
    section.say(method(trials));
    vec![section]
}

/// How recall is known, and of which pairs.
fn method(trials: &[&Trial]) -> String {
    match trials.first().map(|trial| trial.method) {
        Some(RecallMethod::Sampled) => "recall is sampled: an estimate with its 95 % interval, of the true pairs of different texts".to_owned(),
        Some(method) => format!("recall is {}: of all true pairs of documents", method.name()),
        None => "no layout was tried".to_owned(),
    }
}

/// The recall of a layout: of pairs of documents where every true pair is known, else of different texts.
fn recall(trial: &Trial) -> Option<Recall> {
    trial.recall.or(trial.recall_distinct)
}

fn table(trials: &[&Trial]) -> Table {
    let dash = || "-".to_owned();
    let ratio = |share: Option<f64>| share.map_or_else(dash, |share| format!("{share:.4}"));
    let row = |trial: &&Trial| {
        let recall = recall(trial).map_or_else(dash, |it| match trial.method {
            RecallMethod::Exact | RecallMethod::Judged => format!("{:.4}", it.recall),
            RecallMethod::Sampled => {
                format!("{:.4} ({:.4} to {:.4})", it.recall, it.low, it.high)
            }
        });
        let cells = vec![
            trial.layout.clone(),
            trial.bits.to_string(),
            grouped(trial.candidates),
            grouped(trial.predicted.round() as u64),
            grouped(trial.true_positives),
            grouped(trial.false_positives()),
            trial.false_negatives.map_or_else(dash, grouped),
            ratio(trial.precision()),
            recall,
            ratio(trial.f1()),
            format!("{:.3}", (trial.index_took + trial.verify_took).as_secs_f64()),
        ];
        Row { cells, is_marked: false }
    };
    Table {
        caption: method(trials),
        columns: vec![
            "layout",
            "bits",
            "candidates",
            "predicted",
            "true",
            "false",
            "missed",
            "precision",
            "recall",
            "F1",
            "seconds",
        ],
        n_words: 0,
        rows: trials.iter().map(row).collect(),
    }
}

/// A layout in a sentence; blocks were tried within `k`.
pub fn about(trial: &Trial, k: u32) -> String {
    let how = if trial.layout.contains('x') { String::new() } else { format!(" within k={k}") };
    let mut text = format!(
        "{}{how}: {} to look at, {} of them true",
        trial.layout,
        counted(trial.candidates, "pair"),
        grouped(trial.true_positives)
    );
    let percent = |share: f64| rounded((share * 1000.0).round() / 10.0);
    match (trial.recall, trial.recall_distinct) {
        (Some(recall), distinct) => {
            text += &format!("; finds {} % of the true pairs", percent(recall.recall));
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
    if let Some(skew) = trial.skew() {
        text += &format!("; {skew:.1} times the candidates predicted");
    }
    text
}

/// The difference of a layout from another.
pub fn beside(one: &Trial, other: &Trial) -> String {
    let more = one.candidates as i128 - other.candidates as i128;
    let sign = if more < 0 { "-" } else { "+" };
    let mut text = format!(
        "against {}: candidates {sign}{}",
        other.layout,
        grouped(u64::try_from(more.unsigned_abs()).unwrap_or(u64::MAX))
    );
    let mut difference = |name: &str, a: Option<f64>, b: Option<f64>| {
        if let (Some(a), Some(b)) = (a, b) {
            text += &format!(", {name} {:+.4}", a - b);
        }
    };
    difference("precision", one.precision(), other.precision());
    let recall = |trial: &Trial| trial.recall.map(|recall| recall.recall);
    if (one.method, other.method) == (RecallMethod::Exact, RecallMethod::Exact) {
        difference("recall", recall(one), recall(other));
        difference("F1", one.f1(), other.f1());
    }
    text
}
