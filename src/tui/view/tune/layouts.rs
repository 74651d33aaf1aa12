//! The Layouts view: the guarantee, cost and load of each layout, and the fullest bucket of the selected one; below
//! them, where there is room, the distances of all pairs.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use super::{
    chance_grid::{self, beside_chance},
    distances,
    ready::ready,
};
use crate::{
    analysis::LayoutOffer,
    app::{App, layout::SizeClass, screen::tune::layouts::layouts_rows, wrap::wrap},
    facts::{
        figures::many,
        layouts::{LayoutRow, layouts},
    },
    number::{counted, grouped},
    text::visible,
    tui::{
        theme::Glyphs,
        widget::{
            canvas::{Canvas, clip},
            table::{Align, Column, ColumnTable, listed},
        },
    },
};

/// Layouts for which the list has room in any case, and rows of the boxes below it beyond those of the list.
const LEAST_ROWS: usize = 3;
const DETAILS: usize = 8;
/// Cells of the box of the fullest bucket beside the chance key matches.
const BUCKET: usize = 82;
/// The least rows below the boxes in which the distances of all pairs are drawn.
const LEAST_PICTURE: usize = 14;

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    if ready(app, canvas).is_none() {
        return;
    }
    let (width, height) = (canvas.width(), canvas.height());
    let rows = layouts_rows(app.size).min(app.tune.layouts.offers.len().max(LEAST_ROWS));
    let (title, remark) = (fullest_bucket_title(app), remark(app, canvas.theme.glyphs()));
    if app.size.shape() == SizeClass::Wide {
        let about = format!("tables that could be built for k = {}", app.settings.k);
        list(app, &mut canvas.part(0, 0, width, rows + 3).framed(&about, &remark));
        let mut lower = canvas.part(0, rows + 3, width, height.saturating_sub(rows + 3));
        let spare = lower.height().saturating_sub(rows + DETAILS);
        let below = lower.height() - if spare < LEAST_PICTURE { 0 } else { spare };
        let left = beside_chance(width, BUCKET);
        fullest_bucket(app, &mut lower.part(0, 0, left, below).framed(&title, ""));
        chance_grid::draw(app, &mut lower.part(left, 0, width - left, below));
        distances::picture(app, below, &mut lower);
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

fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let state = &app.tune.layouts;
    let n = app.analysis.index.as_ref().map_or(0, |index| index.n_distinct() as u64);
    let mut columns =
        vec![Column::new("layout", Align::Start(12), 0, move |it: &LayoutRow<'_>, _| {
            let layout = &it.offer.layout;
            let built = if *layout == *app.layout() { theme.glyphs().kept } else { ' ' };
            let style = if layout.guarantees(app.settings.k) { theme.text() } else { theme.warn() };
            Span::styled(format!("{:<10}{built}", layout.name()), style)
        })];
    columns.extend(listed(layouts()));
    let n_listed = columns.len() - 1;
    let words = Column::new("  how it is made", Align::Rest, 0, |it: &LayoutRow<'_>, cells| {
        let best = if it.offer.is_best { ", none better" } else { "" };
        let (words, room) = (it.offer.layout.describe(), cells.saturating_sub(2));
        let all = format!("{words}{best}");
        match cells {
            ..WORDS => String::new(),
            _ if all.width() > room => format!("  {}", clip(&words, room)),
            _ => format!("  {all}"),
        }
    });
    columns.push(words.under(|title, cells| if cells < WORDS { "" } else { title }.to_owned()));
    let mark = Some(theme.mark());
    // The memory gives way where it would cut these words.
    let longest = state.offers.iter().map(|offer| offer.layout.describe().width() + 2).max();
    let least = [vec![0; n_listed], vec![longest.unwrap_or(0)]].concat();
    ColumnTable::fitting(columns, canvas.width(), &least).saying_more().draw(
        canvas,
        state.cursor,
        state.offers.len(),
        mark,
        |at| {
            let offer = &state.offers[at];
            let load = state.measured(&offer.layout).map(|known| known.load.clone());
            Some(LayoutRow { offer, load, n })
        },
    );
}

/// The layouts that are best in something, and the meaning of figures and colours.
fn advice(app: &App) -> Vec<String> {
    let (state, k) = (&app.tune.layouts, app.settings.k);
    let sure = || state.offers.iter().filter(|offer| offer.layout.guarantees(k));
    let matches = |offer: &&LayoutOffer| state.measured(&offer.layout).map(|it| it.load.candidates);
    let mut texts = Vec::new();
    if sure().all(|offer| matches(&offer).is_some())
        && let Some(fewest) = sure().min_by_key(|offer| offer.layout.tables().len())
        && let Some(lightest) = sure().min_by_key(matches)
    {
        let about = |offer: &LayoutOffer| {
            let tables = counted(offer.layout.tables().len() as u64, "table");
            format!(
                "{} ({tables}, {} key matches)",
                offer.layout.name(),
                many(matches(&offer).unwrap_or(0))
            )
        };
        let all = format!("Of the layouts that find every pair within k = {k},");
        texts.push(if fewest.choice == lightest.choice {
            format!("{all} {} has the fewest tables and the fewest key matches.", about(fewest))
        } else {
            format!(
                "{all} {} has the fewest tables, {} the fewest key matches.",
                about(fewest),
                about(lightest)
            )
        });
    }
    let others = state.offers.iter().filter(|offer| !offer.layout.guarantees(k));
    let others: Vec<String> = others.map(|offer| offer.layout.name()).collect();
    if !others.is_empty() {
        texts.push(format!("{} can miss pairs within k = {k}.", others.join(", ")));
    }
    texts.push("skew: key matches divided by those predicted for random fingerprints. effective: random key bits that \
                would give as many key matches.".to_owned());
    texts
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
                let n = fullest_bucket.documents.len();
                // Of a full bucket only the first documents are read.
                let named = match n {
                    _ if n < bucket.size => format!("the first {n}"),
                    2 => "both".to_owned(),
                    n => format!("all {n}"),
                };
                texts.push(match fullest_bucket.n_shared {
                    0 => format!("no feature is in {named}"),
                    n => {
                        let features =
                            fullest_bucket.shared.iter().map(|one| visible(one).into_owned());
                        let list = features.collect::<Vec<_>>().join(" / ");
                        format!("{named} share {}: {list}", counted(n as u64, "feature"))
                    }
                });
            }
        }
    }
    let n_rows = canvas.height();
    let mut y = 0;
    for (at, text) in texts.iter().enumerate() {
        // The shared features have precedence over the names of documents.
        let most = if at == 1 { 1 } else { n_rows };
        for row in wrap(text, room).into_iter().take(most) {
            canvas.row(y, format!(" {row}"));
            y += 1;
        }
    }
    // As many whole sentences as are left room for.
    y += 1;
    for text in advice(app) {
        let rows = wrap(&text, room);
        if y + rows.len() <= n_rows {
            for row in rows {
                canvas.row(y, format!(" {row}"));
                y += 1;
            }
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
