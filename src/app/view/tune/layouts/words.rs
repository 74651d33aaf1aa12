//! The words of Layouts, about the selected layout, and its pictures: the share of pairs found by their cosine, measured
//! bands, and the price at each size.

use std::rc::Rc;

use crate::analysis::LayoutEvaluation;
use crate::app::App;
use crate::app::page::{Block, Part, Place, Plot, Shades, Tinted, Tone};
use crate::app::screen::tune::layouts::LayoutsState;
use crate::app::view::tune::layouts::{Row, selected};
use crate::index::LayoutKind;
use crate::number::grouped;
use crate::present::planned::{MEANING, measured, widths};
use crate::text::visible;

/// The running work, and the selected layout.
pub(super) fn about(app: &App) -> Vec<Tinted> {
    let state = &app.tune.layouts;
    let mut texts: Vec<Tinted> = Vec::new();
    texts.extend(state.problems.iter().map(|it| (visible(it).into_owned(), Tone::Warn).into()));
    texts.extend(state.progress().map(|it| (it, Tone::Strong).into()));
    let Some(row) = selected(app) else { return texts };
    if let Some(it) = row.evaluation {
        texts.push((format!("{}.", measured(&it.evaluation, it.k)), Tone::Strong).into());
        texts.extend(state.lab.as_ref().map(|lab| lab.truth.describe().into()));
        texts.extend(app.running.is_some().then(|| "documents are read ..".into()));
    } else {
        if app.running.is_some() && !state.queue.is_empty() {
            texts.push("waits until the documents are read ..".into());
        } else if state.progress().is_none() {
            let what = if state.rows.is_empty() { "six usual layouts" } else { "it" };
            texts.push(
                    format!(
                        "Enter measures {what} with the texts: how many true pairs are found. True is a {}; t changes \
                         that.",
                        app.truth_of_layouts()
                    )
                    .into(),
                );
        }
        texts.push(format!("{}.", row.planned.in_words()).into());
    }
    texts.extend(counting(app, &row).map(Tinted::from));
    texts.push((format!("{MEANING}."), Tone::Muted).into());
    texts
}

/// The counting of key matches, while it is not done.
fn counting(app: &App, row: &Row<'_>) -> Option<&'static str> {
    let is_stopped = app.tune.layouts.load.is_cancelled();
    let words = if is_stopped {
        "counting stopped; Enter resumes it"
    } else {
        "counting the pairs that share a key .."
    };
    (row.offer.is_some() && row.load.is_none()).then_some(words)
}

/// The least cosine of the curves: below it hardly any layout finds a pair.
const FROM: f64 = 0.5;
/// Corpus sizes of the map of prices, by name.
const SIZES: [(f64, &str); 6] =
    [(1e4, "10k"), (1e5, "100k"), (1e6, "1M"), (1e7, "10M"), (1e8, "100M"), (1e9, "1B")];

/// The share of pairs that each layout finds, by their cosine; that of the selected one stands out.
pub(super) fn curves<'a>(state: &LayoutsState, rows: &Rc<[Row<'a>]>) -> Part<'a> {
    let selected = state.cursor.selected;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // The selected curve is drawn over the others.
    order.sort_by_key(|at| *at == selected);
    let curve = |at: usize| -> (Box<dyn Fn(f64) -> f64 + 'a>, Tone) {
        let tone = if at == selected { Tone::Good } else { Tone::Muted };
        let rows = Rc::clone(rows);
        (Box::new(move |cosine| rows[at].planned.chance(cosine)), tone)
    };
    let plot = Plot {
        over: "cosine",
        range: (FROM, 1.0),
        curves: order.into_iter().map(curve).collect(),
        limit: Some(state.tau),
        ..Plot::default()
    };
    Part::new("share of pairs found, by their cosine", 7..=24, Block::Plot(plot))
        .remarked(format!("true from {}", state.tau))
        .at(Place::Right, 2)
}

/// A measured share: its name, and its value in an evaluation.
type Measure = (&'static str, fn(&LayoutEvaluation) -> Option<f64>);
const MEASURES: [Measure; 2] = [
    ("recall", |it| it.recall().or(it.recall_distinct?.value)),
    ("precision", LayoutEvaluation::precision),
];

/// Precision and recall of the measured bands, by their bits; a mark is the number of bands.
pub(super) fn measured_bands(state: &LayoutsState) -> Vec<Part<'static>> {
    let bands: Vec<_> = state.rows.iter().map(|row| &*row.evaluation).collect();
    let bits = bands.iter().filter_map(|it| match it.layout.kind() {
        LayoutKind::Bands { bits, .. } => Some(f64::from(bits)),
        _ => None,
    });
    let range = bits.fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(it), high.max(it)));
    if range.0 >= range.1 {
        return Vec::new();
    }
    let widths = widths(bands.iter().copied());
    let part = |((name, share), rank): (Measure, u8)| {
        let point = |it: &&LayoutEvaluation| match it.layout.kind() {
            LayoutKind::Bands { bands, bits } => {
                let mark = char::from_digit(bands, 10).unwrap_or('+');
                Some((f64::from(bits), share(it)?, mark))
            }
            _ => None,
        };
        let points = bands.iter().filter_map(point).collect();
        let plot = Plot { over: "bits", range, points, ..Plot::default() };
        Part::new(format!("{name} by bits of a band"), 6..=16, Block::Plot(plot))
            .remarked(format!("3: three bands, *: several; {widths}"))
            .at(Place::Right, rank)
    };
    MEASURES.into_iter().zip([3, 4]).map(part).collect()
}

/// Key matches of one query by chance, in corpora of many sizes.
pub(super) fn prices(app: &App, n: usize) -> Part<'_> {
    let offers = &app.tune.layouts.offers;
    let shade = move |column: usize, row: usize| {
        let matches = SIZES[column].0 * offers[row].layout.expected_shared_tables();
        [1.0, 10.0, 100.0, 1000.0].iter().filter(|step| matches >= **step).count()
    };
    let names = [
        SIZES.iter().map(|(_, name)| format!("{name:>4}")).collect(),
        offers.iter().map(|offer| offer.layout.name()).collect(),
    ];
    let shades = Shades {
        size: (SIZES.len(), offers.len()),
        names,
        shade: Box::new(shade),
        text: None,
        selected: None,
        legend: vec!["shades: from 1, 10, 100, 1,000 key matches of a query".to_owned()],
    };
    let rows = offers.len() + 2;
    Part::new("price: key matches by chance", rows..=rows, Block::Shades(shades))
        .remarked(format!("{} here", grouped(n as u64)))
        .at(Place::Left, 5)
}
