//! The lab in words, tables and pictures: layouts compared with exact cosines.

use std::collections::{BTreeMap, BTreeSet};

use super::curves::{Curves, Measure, Unit, Value};
use super::page::{Page, PageBlock, PageLine, PageTable, Section};
use crate::analysis::LayoutEvaluation;
use crate::evaluate::recall::{Recall, RecallMethod};
use crate::facts::layouts::evaluations as facts;
use crate::index::LayoutKind;
use crate::number::{counted, grouped, rounded};

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
pub fn page(title: &str, truth: &str, evaluations: &[&LayoutEvaluation]) -> Page {
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
    }
}

/// The figures of layouts that were evaluated on one truth, and the method by which recall was found. A figure is over
/// the bits of bands or over their number, if at least two layouts differ in that alone.
pub fn sections(evaluations: &[&LayoutEvaluation]) -> Vec<Section> {
    let over_bits = series(evaluations, |bands, bits| (bands, bits)).map(|(bands, series)| {
        let curves = curves("bits", &series);
        let title =
            format!("{}, over the bits of each; {}", counted(bands.into(), "band"), curves.of);
        (title, curves)
    });
    let over_bands = series(evaluations, |bands, bits| (bits, bands)).map(|(bits, series)| {
        let curves = curves("bands", &series);
        let title =
            format!("bands of {}, over their number; {}", counted(bits.into(), "bit"), curves.of);
        (title, curves)
    });
    let figure = |(title, curves): (String, Curves)| Section {
        title: title.into(),
        blocks: vec![PageBlock::Curves(curves)],
    };
    let mut how = Section::new("Recall");
    how.say(method(evaluations));
    [over_bits, over_bands].into_iter().flatten().map(figure).chain([how]).collect()
}

/// Layouts of bands by the parameter in which they differ.
type Series<'t> = BTreeMap<u32, &'t LayoutEvaluation>;

/// The longest series of bands that differ in one parameter only, after the value of the other one, if at least two
/// layouts do; `split` returns the common parameter and the other one of bands and bits. If two series are equally
/// long, the one with fewer bands or bits is taken. If a layout was evaluated twice, the last evaluation counts.
fn series<'t>(
    evaluations: &[&'t LayoutEvaluation],
    split: fn(u32, u32) -> (u32, u32),
) -> Option<(u32, Series<'t>)> {
    let mut by_common: BTreeMap<u32, Series<'t>> = BTreeMap::new();
    for &evaluation in evaluations {
        if let LayoutKind::Bands { bands, bits } = evaluation.kind {
            let (common, at) = split(bands, bits);
            by_common.entry(common).or_default().insert(at, evaluation);
        }
    }
    let longest = by_common.into_iter().rev().max_by_key(|(_, series)| series.len());
    longest.filter(|(_, series)| series.len() > 1)
}

/// The measures of a series, over the parameter in which its layouts differ.
fn curves(over: &'static str, series: &Series<'_>) -> Curves {
    let measure = |name, unit, of: &dyn Fn(&LayoutEvaluation) -> Option<Value>| {
        let values = series.values().map(|evaluation| of(evaluation)).collect();
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
    let (of, points) = (widths(series.values().copied()), series.keys().copied().collect());
    Curves { over, of, points, measures }
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
