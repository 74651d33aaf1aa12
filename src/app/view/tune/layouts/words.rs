//! The words of Layouts, about the selected layout, and its pictures: the share of pairs found by their cosine, measured
//! bands, and the price at each size.

use std::rc::Rc;

use crate::analysis::{LayoutEvaluation, LayoutOffer};
use crate::app::App;
use crate::app::page::{Block, Part, Place, Plot, Shades, Tinted, Tone};
use crate::app::screen::tune::layouts::LayoutsState;
use crate::app::view::tune::layouts::{Row, selected};
use crate::facts::figures::many;
use crate::index::LayoutKind;
use crate::number::{counted, grouped};
use crate::present::planned::{MEANING, measured, widths};
use crate::text::visible;

/// The most documents of a full bucket that are named.
const MOST_NAMED: usize = 4;

/// The running work, the selected layout, and the layouts that are best in something.
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
    texts.extend(fullest_bucket(app, &row).into_iter().map(Tinted::from));
    texts.extend(best(app).map(Tinted::from));
    texts.push((format!("{MEANING}."), Tone::Muted).into());
    texts
}

/// The features that the fingerprints of the fullest bucket share.
fn fullest_bucket(app: &App, row: &Row<'_>) -> Vec<String> {
    let Some(offer) = row.offer else { return Vec::new() };
    let Some(known) = row.load else {
        let stopped = app.tune.layouts.load.is_cancelled();
        let words = if stopped {
            "counting stopped; Enter resumes it"
        } else {
            "counting the pairs that share a key .."
        };
        return vec![words.to_owned()];
    };
    let Some(bucket) = &known.load.fullest_bucket else {
        return vec!["No two fingerprints share a key.".to_owned()];
    };
    let table = &offer.layout.tables()[bucket.table];
    let mut texts = vec![format!(
        "{} of {} fingerprints share the key of table {} ({}, {} bits).",
        grouped(bucket.size as u64),
        grouped(known.load.n_entries as u64),
        bucket.table + 1,
        table.letters(),
        table.key_bits,
    )];
    let Some(fullest) = &known.fullest_bucket else { return texts };
    let n = fullest.documents.len();
    let ids = fullest.documents.iter().take(MOST_NAMED);
    let ids: Vec<_> = ids.map(|&it| app.shown_id(it)).collect();
    let more = match n - ids.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // Of a full bucket only the first documents are read.
    let named = match n {
        _ if n < bucket.size => format!("The first {n} of them"),
        2 => "Both".to_owned(),
        n => format!("All {n}"),
    };
    let shared: Vec<_> = fullest.shared.iter().map(|it| visible(it).into_owned()).collect();
    texts.push(match fullest.n_shared {
        0 => format!("No feature is in all of {}{more}.", ids.join(", ")),
        n => format!(
            "{named} share {}: {}. They are {}{more}.",
            counted(n as u64, "feature"),
            shared.join(" / "),
            ids.join(", ")
        ),
    });
    texts
}

/// The layouts that find every pair and are best in something, once all are counted.
fn best(app: &App) -> Option<String> {
    let (state, k) = (&app.tune.layouts, app.settings.k);
    let sure = || state.offers.iter().filter(|offer| offer.layout.guarantees(k));
    let matches = |offer: &&LayoutOffer| state.load_of(&offer.layout).map(|it| it.load.candidates);
    if sure().any(|offer| matches(&offer).is_none()) {
        return None;
    }
    let fewest = sure().min_by_key(|offer| offer.layout.tables().len())?;
    let lightest = sure().min_by_key(matches)?;
    let about = |offer: &LayoutOffer| {
        let tables = counted(offer.layout.tables().len() as u64, "table");
        let matches = many(matches(&offer).unwrap_or(0));
        format!("{} ({tables}, {matches} key matches)", offer.layout.name())
    };
    let all = format!("Of the layouts that find every pair within k = {k},");
    Some(if fewest.choice == lightest.choice {
        format!("{all} {} has the fewest tables and the fewest key matches.", about(fewest))
    } else {
        format!(
            "{all} {} has the fewest tables, {} the fewest key matches.",
            about(fewest),
            about(lightest)
        )
    })
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
        Part::new(format!("{name}, by the bits of a band"), 6..=16, Block::Plot(plot))
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
