//! The binary search for the key, comparison by comparison, and why the table finds the pair or not.

use ratatui::text::{Line, Span};

use super::summary::summary;
use crate::{
    analysis::table_window::TableWindow,
    app::{App, wrap::wrap},
    index::{SearchStep, WindowEnd, letter},
    number::{counted, grouped},
    tui::{
        theme::Theme,
        widget::canvas::{Canvas, cut},
    },
};

pub(super) fn search_titles(app: &App) -> (String, String) {
    let Some(window) = &app.tables.window else { return (String::new(), String::new()) };
    let (shown, all) = (app.tables.probes, window.steps.len());
    ("binary search for the key".to_owned(), format!("probe {shown} of {all}"))
}

/// The possible rows at a probe as a line: the compared row is in its middle, and the half in which the search goes on
/// looks different from the other half. Each line is half of the line above it.
fn probe(step: &SearchStep, cells: usize, theme: Theme) -> [Span<'static>; 3] {
    let glyphs = theme.glyphs();
    let half = cells.saturating_sub(1) / 2;
    let part = |goes_on: bool| {
        let style = if goes_on { theme.strong() } else { theme.muted() };
        Span::styled(glyphs.edges[usize::from(!goes_on)].to_string().repeat(half), style)
    };
    let middle = Span::styled(glyphs.partner.to_string(), theme.strong());
    [part(!step.goes_up), middle, part(step.goes_up)]
}

fn finding(step: &SearchStep) -> String {
    let way = match (step.end, step.goes_up) {
        (WindowEnd::First, true) => "key is below",
        (WindowEnd::First, false) => "key is here or above",
        (WindowEnd::Past, true) => "not past the key yet",
        (WindowEnd::Past, false) => "past the key",
    };
    format!("row {} {way}", grouped(step.middle as u64 + 1))
}

/// The result of the search: its cost and the rows found.
fn outcome(app: &App, window: &TableWindow) -> String {
    let fingerprint = app.near.query.and_then(|query| app.analysis.fingerprint(query));
    let kept = fingerprint.map_or(0, |fingerprint| {
        let shown = window.matching.start.max(window.first)
            ..window.matching.end.min(window.first + window.rows.len());
        shown
            .map(|row| &window.rows[row - window.first])
            .filter(|row| {
                row.fingerprint != fingerprint
                    && row.fingerprint.distance(fingerprint) <= app.settings.k
            })
            .count()
    });
    let others = window.matching.len().saturating_sub(usize::from(window.query.is_some()));
    let cut =
        if window.matching.len() > window.rows.len() { " of the rows on the screen" } else { "" };
    format!(
        "{}, window {}: {} compared, {kept} kept{cut}",
        counted(window.steps.len() as u64, "probe"),
        counted(window.matching.len() as u64, "row"),
        grouped(others as u64),
    )
}

pub(super) fn search_line(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    if app.tables.probes == window.steps.len() {
        let glyphs = canvas.theme.glyphs();
        let legend =
            format!("  {} the pair  {} kept  {} not", glyphs.partner, glyphs.kept, glyphs.rejected);
        let outcome = outcome(app, window);
        canvas.row(
            0,
            Line::from(vec![
                Span::raw(format!(" {outcome}")),
                Span::styled(legend, canvas.theme.muted()),
            ]),
        );
        return;
    }
    let Some(step) = app.tables.probes.checked_sub(1).and_then(|at| window.steps.get(at)) else {
        canvas.row(
            0,
            format!(
                " all {} rows are possible; Space compares the middle one",
                grouped(window.n_rows as u64)
            ),
        );
        return;
    };
    let [first, last] = [step.low as u64 + 1, step.high as u64].map(grouped);
    let found = format!("  rows {first}-{last}: {}", finding(step));
    let mut line = Line::from(" ");
    let room = canvas.width().saturating_sub(found.len() + 1);
    if room >= 5 {
        line.extend(probe(step, room.min(24), canvas.theme));
    }
    line.push_span(found);
    canvas.row(0, line);
}

pub(super) fn search(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    let height = canvas.height().saturating_sub(1);
    let shown = app.tables.probes;
    let first = shown.saturating_sub(height);
    // The rest is for what a probe finds.
    let cells = canvas.width().saturating_sub(53).clamp(5, 60);
    for (y, at) in (first..shown).enumerate() {
        let step = &window.steps[at];
        let mark = if at + 1 == shown { canvas.theme.glyphs().cursor } else { ' ' };
        let mut line = Line::from(format!(" {:>2} {mark} ", at + 1));
        line.extend(probe(step, cells, canvas.theme));
        let n_rows = grouped((step.high - step.low) as u64);
        line.push_span(format!(" {n_rows:>7} left: {}", finding(step)));
        canvas.row(y, line);
    }
    let last = if shown == window.steps.len() {
        outcome(app, window)
    } else {
        "Space makes the next probe, b goes back".to_owned()
    };
    canvas.row(height, Span::styled(format!(" {last}"), canvas.theme.strong()));
}

pub(super) fn why(app: &App, canvas: &mut Canvas) {
    // The pair is explained under the present layout, so the old table cannot show it.
    let Some(window) = app.tables.window.as_ref().filter(|_| !app.tables.lookup.is_running())
    else {
        return;
    };
    let layout = window.index.layout();
    let table = &layout.tables()[window.table];
    let mut paragraphs = vec![summary(app, layout) + "."];
    let explanation = app.tables.explanation.as_ref();
    let outcome = explanation.and_then(|explanation| explanation.tables.get(window.table));
    if let Some((explanation, outcome)) = explanation.zip(outcome) {
        let key: Vec<String> = table.key_blocks.iter().copied().map(letter).collect();
        let key = key.join(" ");
        paragraphs.push(if outcome.hit {
            format!("The key of table {:02} is {key}, where no bit differs, so both rows have the same key.", window.table + 1)
        } else {
            let damaged: Vec<String> = outcome.damaged.iter().copied().map(letter).collect();
            format!(
                "The key of table {:02} is {key}; a bit differs in {}, so the two rows have different keys.",
                window.table + 1,
                damaged.join(" ")
            )
        });
        if !layout.is_bands() {
            let guarantee = layout.guarantee();
            let sure = if explanation.distance <= guarantee {
                "one key is always equal"
            } else {
                "a key is equal only by chance"
            };
            paragraphs.push(format!(
                "Every pair up to d = {guarantee} is a candidate in some table; at d = {} {sure}.",
                explanation.distance
            ));
        }
        let k = app.settings.k;
        if outcome.hit && explanation.distance > k {
            paragraphs.push(format!(
                "As a candidate the pair is compared, and rejected: d = {} > k = {k}.",
                explanation.distance
            ));
        }
    }
    let expected = window.n_rows as f64 / 2f64.powi(table.key_bits as i32);
    let expected =
        if expected < 0.01 { "less than 0.01".to_owned() } else { format!("{expected:.2}") };
    paragraphs.push(format!(
        "By chance a key of {} bits brings {expected} of {} rows; here it brings {}. The permutation never changes a distance: it only decides who is compared.",
        table.key_bits,
        grouped(window.n_rows as u64),
        grouped(window.matching.len() as u64),
    ));
    let room = canvas.width().saturating_sub(2);
    let rows = paragraphs.iter().flat_map(|paragraph| wrap(paragraph, room)).collect();
    for (y, row) in cut(rows, canvas.height(), room).into_iter().enumerate() {
        canvas.row(y, format!(" {row}"));
    }
}
