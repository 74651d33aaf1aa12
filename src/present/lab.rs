//! The lab in words, tables and pictures: layouts compared with exact cosines.

use std::collections::{BTreeMap, BTreeSet};

use super::curves::{Curves, Measure, Unit, Value};
use super::page::{Page, PageBlock, PageLine, PageTable, Section};
use crate::{
    analysis::LayoutEvaluation,
    evaluate::recall::{Recall, RecallMethod},
    facts::layouts::evaluations as facts,
    index::LayoutKind,
    number::{counted, grouped, rounded},
};

/// The columns of the table of layouts.
const SHOWN: &[&str] = &[
    "layout",
    "bits",
    "candidates",
    "predicted",
    "tp",
    "fp",
    "fn",
    "precision",
    "recall",
    "recall_distinct",
    "f1",
    "seconds",
];

/// A page about `evaluations` on the corpus `title`; `truth` describes the true pairs.
pub fn page(title: &str, truth: &str, evaluations: &[&LayoutEvaluation]) -> Page<'static> {
    let mut layouts = Section::new("Layouts");
    let caption = "Pairs of documents; the last section says how recall is known";
    let rows = evaluations.iter().copied();
    layouts.blocks.push(PageBlock::Table(PageTable::of(caption, &facts(), SHOWN, rows)));
    let mut all = vec![layouts];
    all.extend(sections(evaluations));
    Page {
        title: PageLine::from("Layouts against exact cosines in ").name(title),
        lead: vec![format!("{truth}.").into()],
        sections: all,
        foot: format!("Made by simscope {}.", env!("CARGO_PKG_VERSION")).into(),
    }
}

/// The figures of layouts that were evaluated on one truth, and the method by which recall was found.
pub fn sections(evaluations: &[&LayoutEvaluation]) -> Vec<Section<'static>> {
    let figures = series(evaluations).into_iter().map(|it| {
        let curves = curves(&it);
        let of = &curves.of;
        let mut section = Section::new(match it.varied {
            Varied::Bits => {
                format!("{}, over the bits of each; {of}", counted(it.fixed.into(), "band"))
            }
            Varied::Bands => {
                format!("bands of {}, over their number; {of}", counted(it.fixed.into(), "bit"))
            }
        });
        section.blocks.push(PageBlock::Curves(curves));
        section
    });
    let mut how = Section::new("Recall");
    how.say(method(evaluations));
    figures.chain([how]).collect()
}

/// Layouts of bands that differ in one parameter.
#[derive(Clone, Debug)]
pub struct Series<'t> {
    /// The parameter in which the layouts differ.
    pub varied: Varied,
    /// The value of the other parameter, which is equal in all of them.
    pub fixed: u32,
    /// The layouts by the value of the varied parameter, ascending.
    pub evaluations: Vec<(u32, &'t LayoutEvaluation)>,
}

/// The parameter in which the layouts of a series differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varied {
    /// The bits of a band.
    Bits,
    /// The number of bands.
    Bands,
}

/// The longest series of bands that differ only in their bits, and the longest series that differ only in their
/// number, if at least two layouts do. If two series are equally long, the one with fewer bands or bits is
/// taken. If a layout was evaluated twice, the last evaluation counts.
pub fn series<'t>(evaluations: &[&'t LayoutEvaluation]) -> Vec<Series<'t>> {
    let longest = |varied| {
        let mut by_fixed: BTreeMap<u32, BTreeMap<u32, &'t LayoutEvaluation>> = BTreeMap::new();
        for &evaluation in evaluations {
            if let LayoutKind::Bands { bands, bits } = evaluation.kind {
                let (fixed, at) =
                    if varied == Varied::Bits { (bands, bits) } else { (bits, bands) };
                by_fixed.entry(fixed).or_default().insert(at, evaluation);
            }
        }
        let longest = by_fixed.into_iter().rev().max_by_key(|(_, evaluations)| evaluations.len());
        let (fixed, evaluations) = longest.filter(|(_, evaluations)| evaluations.len() > 1)?;
        Some(Series { varied, fixed, evaluations: evaluations.into_iter().collect() })
    };
    [Varied::Bits, Varied::Bands].into_iter().filter_map(longest).collect()
}

/// The measures of a series.
fn curves(it: &Series) -> Curves {
    let measure = |name, unit, of: &dyn Fn(&LayoutEvaluation) -> Option<Value>| {
        let values = it.evaluations.iter().map(|(_, evaluation)| of(evaluation)).collect();
        Measure { name, unit, values }
    };
    let of = |evaluation: &LayoutEvaluation, it: Recall| {
        let interval = (evaluation.method == RecallMethod::Sampled).then_some((it.low, it.high));
        Value { value: it.recall, interval }
    };
    let seconds = |evaluation: &LayoutEvaluation| {
        (evaluation.index_took + evaluation.verify_took).as_secs_f64()
    };
    let count = |n: u64| Some(Value::exact(n as f64));
    let mut measures = vec![
        measure("candidates", Unit::Count, &|evaluation| count(evaluation.candidates)),
        measure("precision", Unit::Share, &|evaluation| evaluation.precision().map(Value::exact)),
        measure("distinct", Unit::Share, &|evaluation| {
            Some(of(evaluation, evaluation.recall_distinct?))
        }),
        measure("recall", Unit::Share, &|evaluation| Some(of(evaluation, evaluation.recall?))),
        measure("true", Unit::Count, &|evaluation| count(evaluation.true_positives)),
        measure("seconds", Unit::Seconds, &|evaluation| Some(Value::exact(seconds(evaluation)))),
    ];
    // If recall is unknown for all layouts, it has no column.
    measures.retain(|measure| measure.values.iter().any(Option::is_some));
    let over = match it.varied {
        Varied::Bits => "bits",
        Varied::Bands => "bands",
    };
    let points = it.evaluations.iter().map(|(at, _)| *at).collect();
    Curves { over, of: widths(it.evaluations.iter().map(|it| it.1)), points, measures }
}

/// The fingerprints that layouts were tried on: wider ones than the recipe's where a layout needs them.
pub fn widths<'t>(evaluations: impl Iterator<Item = &'t LayoutEvaluation>) -> String {
    let widths: BTreeSet<u32> = evaluations.map(|evaluation| evaluation.bits).collect();
    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
    format!("fingerprints of {} bits", widths.join(" and "))
}

/// The method by which recall was found, and the pairs that it counts.
fn method(evaluations: &[&LayoutEvaluation]) -> String {
    match evaluations.first().map(|evaluation| evaluation.method) {
        Some(RecallMethod::Sampled) => {
            "recall is sampled: distinct is an estimate, with its 95 % interval, of \
             the share of the true pairs of different texts that is found"
                .to_owned()
        }
        Some(method) => format!(
            "recall is {method}: the share of all true pairs of documents that is found; distinct is the same \
             among different texts, each text once"
        ),
        None => "no layout was tried".to_owned(),
    }
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
    match (evaluation.recall, evaluation.recall_distinct) {
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
    if let Some(skew) = evaluation.skew() {
        text += &format!("; {skew:.1} times the candidates predicted");
    }
    text
}

/// The difference between two layouts.
pub fn beside(one: &LayoutEvaluation, other: &LayoutEvaluation) -> String {
    let sign = if one.candidates < other.candidates { "-" } else { "+" };
    let mut text = format!(
        "against {}: candidates {sign}{}",
        other.layout,
        grouped(one.candidates.abs_diff(other.candidates))
    );
    let mut difference = |name: &str, a: Option<f64>, b: Option<f64>| {
        if let (Some(a), Some(b)) = (a, b) {
            text += &format!(", {name} {:+.4}", a - b);
        }
    };
    difference("precision", one.precision(), other.precision());
    let recall = |evaluation: &LayoutEvaluation| evaluation.recall.map(|recall| recall.recall);
    if (one.method, other.method) == (RecallMethod::Exact, RecallMethod::Exact) {
        difference("recall", recall(one), recall(other));
        difference("F1", one.f1(), other.f1());
    }
    text
}
