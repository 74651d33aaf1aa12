//! The Layouts view: the guarantee, cost and load of each layout, and the fullest bucket of the selected one.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use super::{columns::many, ready::ready};
use crate::{
    analysis::{LayoutOffer, offers::MeasuredLoad},
    app::{
        App,
        layout::SizeClass,
        screen::tune::{distances::K_LIST, layouts::layouts_rows},
        wrap::wrap,
    },
    number::{counted, grouped},
    text::visible,
    tui::{
        theme::Glyphs,
        widget::{
            canvas::{Canvas, clip},
            table::{Align, Column, ColumnTable, figures},
        },
    },
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    if ready(app, canvas).is_none() {
        return;
    }
    let (width, height) = (canvas.width(), canvas.height());
    let rows = layouts_rows(app.size);
    let (title, remark) = (fullest_bucket_title(app), remark(app, canvas.theme.glyphs()));
    if app.size.shape() == SizeClass::Wide {
        let about = format!("tables that could be built for k = {}", app.settings.k);
        list(app, &mut canvas.part(0, 0, width, rows + 3).framed(&about, &remark));
        let mut lower = canvas.part(0, rows + 3, width, height.saturating_sub(rows + 3));
        let below = lower.height();
        let left = beside_chance(width);
        fullest_bucket(app, &mut lower.part(0, 0, left, below).framed(&title, ""));
        chance(app, &mut lower.part(left, 0, width - left, below));
        return;
    }
    list(app, &mut canvas.part(0, 0, width, rows + 1));
    canvas.rule(rows + 1, &title, &remark);
    fullest_bucket(app, &mut canvas.part(0, rows + 2, width, height.saturating_sub(rows + 2)));
}

/// The legend of the mark of the layout in use, and a note while figures are being measured.
fn remark(app: &App, glyphs: &Glyphs) -> String {
    format!("{}{} in use", counting(app), glyphs.kept)
}

fn counting(app: &App) -> &'static str {
    let stopped = app.tune.layouts.load.is_cancelled();
    match stopped {
        true => "stopped; Enter resumes   ",
        false if app.tune.layouts.load.is_running() => "counting ..   ",
        false => "",
    }
}

/// Cells in which words about a layout say something.
const WORDS: usize = 18;

/// A layout, and what was measured of it so far.
type Row<'a> = (&'a LayoutOffer, Option<&'a MeasuredLoad>);

/// A column of the list, for rows that borrow what they show.
type Figure = (&'static str, usize, fn(&Row<'_>) -> String);

/// The columns, the most useful first; as many as fit are shown.
const FIGURES: [Figure; 8] = [
    ("finds all to d=", 16, |(offer, _)| offer.layout.guarantee().to_string()),
    ("tables", 7, |(offer, _)| offer.layout.tables().len().to_string()),
    ("key matches", 12, |(_, known)| {
        known.map_or_else(|| "..".to_owned(), |known| many(known.load.candidates))
    }),
    ("predicted", 11, |(offer, _)| match offer.predicted {
        ..0.05 => "<0.1".to_owned(),
        ..10.0 => format!("{:.1}", offer.predicted),
        _ => many(offer.predicted.round() as u64),
    }),
    ("skew", 8, |(_, known)| known.map_or_else(String::new, |known| ratio(known.load.skew()))),
    ("key bits", 9, |(offer, _)| match offer.key_bits() {
        (low, high) if low == high => low.to_string(),
        (low, high) => format!("{low}-{high}"),
    }),
    ("effective", 10, |(_, known)| {
        let bits = known.and_then(|known| known.load.effective_bits());
        bits.map_or_else(|| "-".to_owned(), |bits| format!("{bits:.1}"))
    }),
    ("MiB", 7, |(offer, _)| {
        let mebibytes = offer.bytes as f64 / f64::from(1 << 20);
        if mebibytes < 99.95 { format!("{mebibytes:.1}") } else { grouped(mebibytes as u64) }
    }),
];

/// A ratio: `1.2`, `340`, `1e6`.
fn ratio(number: f64) -> String {
    match number {
        ..99.95 => format!("{number:.1}"),
        ..99_999.5 => grouped(number.round() as u64),
        _ => format!("{number:.0e}"),
    }
}

fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let state = &app.tune.layouts;
    let mut columns = vec![Column::new("layout", Align::Start(12), 0, move |row: &Row<'_>, _| {
        let layout = &row.0.layout;
        let built = if *layout == *app.layout() { theme.glyphs().kept } else { ' ' };
        let style = if layout.guarantees(app.settings.k) { theme.text() } else { theme.warn() };
        Span::styled(format!("{:<10}{built}", layout.name()), style)
    })];
    columns.extend(figures(&FIGURES));
    let words = Column::new("  how it is made", Align::Rest, 0, |(offer, _): &Row<'_>, cells| {
        let best = if offer.is_best { ", none better" } else { "" };
        let (words, room) = (offer.layout.describe(), cells.saturating_sub(2));
        let all = format!("{words}{best}");
        match cells {
            ..WORDS => String::new(),
            _ if all.width() > room => format!("  {}", clip(&words, room)),
            _ => format!("  {all}"),
        }
    });
    columns.push(words.under(|title, cells| if cells < WORDS { "" } else { title }.to_owned()));
    let mark = Some(theme.mark());
    ColumnTable::fitting(columns, canvas.width(), &[0]).saying_more().draw(
        canvas,
        state.cursor,
        state.offers.len(),
        mark,
        |at| Some((&state.offers[at], state.measured(&state.offers[at].layout))),
    );
}

fn fullest_bucket_title(app: &App) -> String {
    let name = app.tune.layouts.selected().map(|offer| offer.layout.name());
    name.map_or_else(String::new, |name| format!("fullest bucket of {name}"))
}

/// A sentence about the selected layout, and the contents of its fullest bucket.
fn fullest_bucket(app: &App, canvas: &mut Canvas) {
    let state = &app.tune.layouts;
    let Some(offer) = state.selected() else { return };
    let room = canvas.width().saturating_sub(2);
    let mut texts = Vec::new();
    let Some(known) = state.measured(&offer.layout) else {
        canvas.row(0, " counting the pairs that share a key ..");
        return;
    };
    match (&known.load.fullest_bucket, &known.fullest_bucket) {
        (None, _) => texts.push("no two fingerprints share a key".to_owned()),
        (Some(bucket), fullest_bucket) => {
            let table = &offer.layout.tables()[bucket.table];
            texts.push(format!(
                "{} of {} fingerprints share the key of table {} ({}, {} bits)",
                grouped(bucket.size as u64),
                grouped(known.load.n_entries as u64),
                bucket.table + 1,
                table.letters(),
                table.key_bits,
            ));
            if let Some(fullest_bucket) = fullest_bucket {
                let ids = fullest_bucket
                    .documents
                    .iter()
                    .map(|&document| visible(app.analysis.corpus.id(document)).into_owned());
                texts.push(some_of(&ids.collect::<Vec<_>>(), room));
                let named = match fullest_bucket.documents.len() as u64 {
                    2 => "both".to_owned(),
                    n => format!("all {}", grouped(n)),
                };
                texts.push(match fullest_bucket.n_shared {
                    0 => format!("no feature is in {named} of these"),
                    n => {
                        let features =
                            fullest_bucket.shared.iter().map(|one| visible(one).into_owned());
                        let list = features.collect::<Vec<_>>().join(" / ");
                        format!("{named} of these share {}: {list}", counted(n as u64, "feature"))
                    }
                });
            }
        }
    }
    let mut y = 0;
    let n_rows = canvas.height();
    for (at, text) in texts.iter().enumerate() {
        // The shared features have precedence over the names of documents.
        let most = if at == 1 { 1 } else { n_rows };
        for row in wrap(text, room).into_iter().take(most) {
            canvas.row(y, format!(" {row}"));
            y += 1;
        }
    }
}

/// As many names as fit in a row, and the number of the others.
fn some_of(names: &[String], room: usize) -> String {
    let of = |n: usize| {
        let more = names.len() - n;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("such as {}{more}", names[..n].join(", "))
    };
    let fits = |n: &usize| of(*n).width() <= room;
    of((1..=names.len()).rev().find(fits).unwrap_or(1.min(names.len())))
}

/// The least cells of the grid of chance key matches.
const LEAST_GRID: usize = 36;

/// Cells of a box beside the chance key matches; all cells if there is no room for the grid.
pub(super) fn beside_chance(width: usize) -> usize {
    if width < K_LIST + LEAST_GRID { width } else { K_LIST }
}

/// Corpus sizes of the grid, by name.
const SIZES: [(f64, &str); 6] =
    [(1e4, "10k"), (1e5, "100k"), (1e6, "1M"), (1e7, "10M"), (1e8, "100M"), (1e9, "1B")];

/// Key matches of one query by chance alone, for corpora of many sizes, to see which layouts are still useful when the
/// corpus has grown.
pub(super) fn chance(app: &App, canvas: &mut Canvas) {
    let shades = canvas.theme.glyphs().shades;
    let [few, tens, hundreds, thousands, more] = shades;
    let legend = format!("{few} <1 {tens} <10 {hundreds} <100 {thousands} <1k {more} more");
    let is_wide = canvas.width() >= LEAST_GRID + 20;
    let sizes = &SIZES[..SIZES.len().min(canvas.width().saturating_sub(14) / 5)];
    let title = match sizes.last() {
        _ if is_wide => "chance key matches of a query, by corpus size".to_owned(),
        Some((_, last)) => format!("chance matches, to {last}"),
        None => "chance matches".to_owned(),
    };
    let mut inside = canvas.framed(&title, "");
    let bottom = inside.height().saturating_sub(1);
    let muted = inside.theme.muted();
    inside.row(bottom, Span::styled(format!(" {legend}"), muted));
    let names: Vec<String> = sizes.iter().map(|(_, name)| format!("{name:>5}")).collect();
    let names = names.concat();
    let others = if is_wide { "  sure tables" } else { "" };
    inside.row(0, Span::styled(format!(" {:<11}{names}{others}", "layout"), muted));
    let mut cursor = app.tune.layouts.cursor;
    let offers = &app.tune.layouts.offers;
    let height = inside.height().saturating_sub(2);
    cursor.fit(offers.len(), height);
    for (y, at) in cursor.window(offers.len(), height).enumerate() {
        let layout = &offers[at].layout;
        let mark = if at == cursor.selected { inside.theme.glyphs().cursor } else { ' ' };
        let mut row = format!("{mark}{:<11}", layout.name());
        for (n, _) in sizes {
            let shade = match n * layout.expected_shared_tables() {
                ..1.0 => few,
                ..10.0 => tens,
                ..100.0 => hundreds,
                ..1000.0 => thousands,
                _ => more,
            };
            row += &format!("   {shade}{shade}");
        }
        if is_wide {
            row += &format!("{:>6}{:>7}", layout.guarantee(), layout.tables().len());
        }
        inside.row(y + 1, row);
    }
}
