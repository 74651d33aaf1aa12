//! The Lab view: layouts against exact cosines, a sentence about the selected layout, precision and recall by the bits
//! of a band; or the true pairs that one layout finds and another does not.

use std::collections::BTreeMap;

use ratatui::text::Span;

use super::planned;

use crate::{
    analysis::{
        EvaluatedPair, LayoutEvaluation,
        lab::{EvaluationPairs, LabRow, MOST_LISTED},
    },
    app::{
        App,
        layout::SizeClass,
        screen::tune::lab::{LabState, lab_rows},
        wrap::wrap,
    },
    evaluate::recall::RecallMethod,
    facts::layouts::evaluations,
    index::LayoutKind,
    number::{counted, grouped},
    present::lab,
    text::visible,
    tui::{
        view::name,
        widget::{
            canvas::{Canvas, clip, shorten},
            table::{Align, Column, ColumnTable, listed_of},
        },
    },
};

/// The title of the list.
pub(super) const TITLE: &str = "layouts against exact cosines";

/// Rows for which the list has room in any case.
const LEAST_ROWS: usize = 3;

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let state = &app.tune.lab;
    let is_framed = app.size.shape() == SizeClass::Wide;
    if state.rows.is_empty() {
        return planned::draw(app, canvas);
    }
    let (width, height) = (canvas.width(), canvas.height());
    // A short list leaves its rows to what is below it.
    let n_listed = state.listed.as_ref().map_or(state.rows.len(), |listed| listed.pairs.len());
    let rows = lab_rows(app.size).min(n_listed.max(LEAST_ROWS));
    let remark = state.progress().unwrap_or_else(|| format!("true: {}", app.truth_of_the_lab()));
    let title = match &state.listed {
        Some(_) => "Enter opens the pair, Esc goes back to the rows".to_owned(),
        None => state.selected().map_or_else(String::new, |row| row.evaluation.layout.clone()),
    };
    let above = if is_framed { rows + 3 } else { rows + 1 };
    let mut upper = canvas.part(0, 0, width, above);
    let mut upper =
        if is_framed { upper.framed(TITLE, "") } else { upper.part(0, 0, width, above) };
    match &state.listed {
        Some(listed) => pairs(app, listed, &mut upper),
        None => list(state, &mut upper),
    }
    let mut lower = canvas.part(0, above, width, height.saturating_sub(above));
    let mut lower = lower.beneath(is_framed, &title, &remark);
    let width = lower.width();
    let used = sentences(state, &mut lower);
    let below = lower.height().saturating_sub(used);
    if app.size.shape() >= SizeClass::Standard && below >= 6 {
        let half = width / 2;
        let panels: [Panel; 2] = [
            ("precision", LayoutEvaluation::precision),
            ("recall", |evaluation| evaluation.recall.map(|recall| recall.recall)),
        ];
        for (x, (name, of)) in [0, half].into_iter().zip(panels) {
            plot(state, name, of, &mut lower.part(x, used, half, below));
        }
    }
}

/// A plotted figure: its name, and its value in an evaluation.
type Panel = (&'static str, fn(&LayoutEvaluation) -> Option<f64>);

/// A layout by its place in the list.
type Row<'a> = (usize, &'a LayoutEvaluation);

fn list(state: &LabState, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let mut columns = vec![
        Column::new("layout", Align::Start(9), 0, move |&(at, evaluation): &Row<'_>, _| {
            let pin = if state.pinned == Some(at) { theme.glyphs().kept } else { ' ' };
            format!("{:<8}{pin}", clip(&evaluation.layout, 8))
        }),
        Column::new(" bits ", Align::Start(6), 0, |(_, evaluation): &Row<'_>, _| {
            format!("{:>5}", evaluation.bits)
        }),
    ];
    columns.extend(listed_of(evaluations(), |row: &Row<'_>| row.1));
    let mark = state.listed.is_none().then(|| theme.mark());
    ColumnTable::fitting(columns, canvas.width(), &[0]).saying_more().draw(
        canvas,
        state.cursor,
        state.rows.len(),
        mark,
        |at| Some((at, &state.rows[at].evaluation)),
    );
}

/// Writes sentences about the selected row and its difference from the pinned one; returns the rows they took.
fn sentences(state: &LabState, canvas: &mut Canvas) -> usize {
    let mut texts = Vec::new();
    texts.extend(state.problems.iter().cloned());
    if let Some(listed) = &state.listed {
        let ([first, second], layout) = (listed.totals, &listed.layout);
        texts.push(match &listed.pinned {
            Some(pinned) => format!(
                "{layout} finds {} of texts that {pinned} misses, and misses {} that {pinned} finds",
                counted(first, "true pair"),
                grouped(second)
            ),
            None => format!(
                "{layout} misses {} of texts, and finds {} of texts that are false",
                counted(first, "true pair"),
                counted(second, "pair")
            ),
        });
        if first + second > listed.pairs.len() as u64 {
            texts.push(format!(
                "listed: the {} of each kind with the highest cosine",
                grouped(MOST_LISTED as u64)
            ));
        }
    } else if let Some(row) = state.selected() {
        texts.push(lab::about(&row.evaluation, row.k));
        texts.extend(state.beside().map(|pinned| lab::beside(&row.evaluation, &pinned.evaluation)));
        if row.evaluation.method == RecallMethod::Exact {
            texts.push(match state.beside() {
                Some(_) => "Enter lists the pairs gained and lost.".to_owned(),
                None => "Enter lists missed true pairs and found false pairs; p pins a row to compare with."
                    .to_owned(),
            });
        }
        texts.extend(state.truth.clone());
        // Both kinds of rows stand in one table.
        if has_both_kinds(state) {
            texts.push(
                "Rows of bands count every pair that shares a band, near or not; rows of blocks only pairs within k."
                    .to_owned(),
            );
        }
    }
    let rows: Vec<String> = texts
        .iter()
        .flat_map(|text| wrap(&visible(text), canvas.width().saturating_sub(2)))
        .collect();
    let used = rows.len().min(canvas.height());
    for (y, row) in rows.into_iter().enumerate() {
        canvas.row(y, format!(" {row}"));
    }
    used
}

/// Whether bands are listed beside blocks.
fn has_both_kinds(state: &LabState) -> bool {
    let is_bands = |row: &LabRow| matches!(row.evaluation.kind, LayoutKind::Bands { .. });
    state.rows.iter().any(is_bands) && !state.rows.iter().all(is_bands)
}

/// The pairs of the first kind, then those of the second.
fn pairs(app: &App, listed: &EvaluationPairs, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let columns = vec![
        Column::new("", Align::Start(6), 0, move |&&(_, is_first): &&(EvaluatedPair, bool), _| {
            let (word, style) = match (&listed.pinned, is_first) {
                (Some(_), true) => ("gained", theme.good()),
                (Some(_), false) => ("lost", theme.warn()),
                (None, true) => ("missed", theme.warn()),
                (None, false) => ("false", theme.warn()),
            };
            Span::styled(word, style)
        }),
        Column::new("cosine", Align::Right(8), 0, |(pair, _): &&(EvaluatedPair, bool), _| {
            // Rounded down, so that only equal texts show a cosine of 1.
            format!("{:.4}", (pair.cosine * 1e4).floor() / 1e4)
        }),
        Column::new("d", Align::Right(5), 0, |(pair, _): &&(EvaluatedPair, bool), _| {
            pair.distance.to_string()
        }),
        Column::new(
            "  the first document of each text",
            Align::Rest,
            0,
            move |(pair, _): &&(EvaluatedPair, bool), cells| {
                let room = cells.saturating_sub(2);
                format!("  {}", name::pair(app, pair.documents, theme.glyphs().pair, room))
            },
        ),
    ];
    let mark = Some(theme.mark());
    ColumnTable::fitting(columns, canvas.width(), &[0]).saying_more().draw(
        canvas,
        app.tune.lab.listed_cursor,
        listed.pairs.len(),
        mark,
        |at| listed.pairs.get(at),
    );
}

/// A share of every row of bands, by the bits of a band; each mark is the number of its bands, or a star if several
/// marks are in one cell.
fn plot(
    state: &LabState,
    name: &str,
    of: fn(&LayoutEvaluation) -> Option<f64>,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width(), canvas.height());
    let points: Vec<(u32, u32, f64)> = state
        .rows
        .iter()
        .filter_map(|row| match row.evaluation.kind {
            LayoutKind::Bands { bands, bits } => Some((bands, bits, of(&row.evaluation)?)),
            _ => None,
        })
        .collect();
    let (Some(low), Some(high)) =
        (points.iter().map(|it| it.1).min(), points.iter().map(|it| it.1).max())
    else {
        return;
    };
    let widths = lab::widths(state.rows.iter().map(|row| &*row.evaluation));
    let title = format!(" {name} by bits; 3: three bands, *: several; {widths}");
    let title = shorten(&title, width);
    canvas.row(0, Span::styled(title, theme.strong()));
    let (left, bars) = (6, height.saturating_sub(3));
    let room = width.saturating_sub(left + 3).max(1);
    let column = |bits: u32| {
        left + if high > low {
            ((bits - low) as usize * (room - 1)) / (high - low) as usize
        } else {
            room / 2
        }
    };
    for y in 0..bars {
        let label = match y {
            0 => "1.0",
            y if y + 1 == bars => "0.0",
            y if y == bars / 2 && bars % 2 == 1 => "0.5",
            _ => "",
        };
        let side = theme.glyphs().corners[4];
        canvas.row(1 + y, Span::styled(format!("{label:>4} {side}"), theme.muted()));
    }
    let rule = theme.glyphs().rule.to_string().repeat(room);
    canvas.at(left, 1 + bars, Span::styled(rule, theme.muted()));
    let mut marks: BTreeMap<(usize, usize), char> = BTreeMap::new();
    for &(bands, bits, share) in &points {
        let y = ((1.0 - share.clamp(0.0, 1.0)) * (bars.max(1) - 1) as f64).round() as usize;
        let mark = char::from_digit(bands, 10).unwrap_or('+');
        // A cell has several numbers of bands.
        let place = marks.entry((column(bits), 1 + y)).or_insert(mark);
        *place = if *place == mark { mark } else { '*' };
    }
    for ((x, y), mark) in marks {
        canvas.at(x, y, Span::styled(mark.to_string(), theme.strong()));
    }
    let mut marked: Vec<u32> = points.iter().map(|it| it.1).collect();
    marked.sort_unstable();
    marked.dedup();
    let mut end = 0;
    for bits in marked {
        let text = bits.to_string();
        let x = column(bits);
        // A label is left out if there is no room beside its neighbour.
        if x > end && x + text.len() <= width {
            canvas.at(x, 2 + bars, Span::styled(text.clone(), theme.muted()));
            end = x + text.len();
        }
    }
}
