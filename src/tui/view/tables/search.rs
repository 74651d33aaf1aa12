//! The binary search for the key, comparison by comparison, and why the table finds the pair or not.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::summary::summary;
use crate::{
    analysis::table_window::TableWindow,
    app::{App, geometry::Edge, keymap::Action, wrap::wrap},
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
    let pane = app.tables_layout().search;
    let above = match hidden(app, window, pane.inside().width, pane.inside().height) {
        n if n > 0 && pane.edge == Edge::Box => {
            format!(", {n} above: {}", app.keymap.key_of(app.view(), Action::Probe(-1)))
        }
        _ => String::new(),
    };
    let (title, probe) = if pane.width < 60 { ("search", "") } else { ("binary search", "probe ") };
    (title.to_owned(), format!("{probe}{shown} of {all}{above}"))
}

/// The number of probes that have no row in a box of this size.
fn hidden(app: &App, window: &TableWindow, width: usize, height: usize) -> usize {
    let rows = height.saturating_sub(below_probes(app, window, width).len());
    let n_lines = app.tables.probes + usize::from(second_search(app, window).is_some());
    n_lines.saturating_sub(rows)
}

/// The first shown probe of the search for the row behind the window.
fn second_search(app: &App, window: &TableWindow) -> Option<usize> {
    window.steps[..app.tables.probes].iter().position(|step| step.end == WindowEnd::Past)
}

/// The rows that the line of each probe stands for: all rows, or those that were possible when the line would have less
/// than two cells for them, enlarged.
fn pictured(steps: &[SearchStep], cells: usize) -> Vec<Range<usize>> {
    let mut rows = 0..0;
    let of_step = |step: &SearchStep| {
        let is_within = rows.start <= step.low && step.high <= rows.end;
        if !is_within || (step.high - step.low) * cells < 2 * rows.len() {
            rows = step.low..step.high;
        }
        rows.clone()
    };
    steps.iter().map(of_step).collect()
}

/// A line of the pictured rows at a probe: the possible ones, the compared one among them, and the others.
fn probe(step: &SearchStep, rows: &Range<usize>, cells: usize, theme: Theme) -> Vec<Span<'static>> {
    let glyphs = theme.glyphs();
    let n_rows = rows.len().max(1);
    let cell = |row: usize| row.saturating_sub(rows.start) * cells / n_rows;
    let middle = cell(step.middle).min(cells - 1);
    let (low, high) = (cell(step.low).min(middle), cell(step.high).clamp(middle + 1, cells));
    let part = |range: Range<usize>, is_possible: bool| {
        let style = if is_possible { theme.strong() } else { theme.muted() };
        let glyph = glyphs.edges[usize::from(!is_possible)].to_string();
        Span::styled(glyph.repeat(range.len()), style)
    };
    vec![
        part(0..low, false),
        part(low..middle, true),
        Span::styled(glyphs.partner.to_string(), theme.strong()),
        part(middle + 1..high, true),
        part(high..cells, false),
    ]
}

/// The outcome of a comparison of a row's key with the key that is searched.
fn finding(step: &SearchStep) -> String {
    let sign = match (step.end, step.goes_up) {
        (WindowEnd::First, true) => "<",
        (WindowEnd::First, false) => ">=",
        (WindowEnd::Past, true) => "<=",
        (WindowEnd::Past, false) => ">",
    };
    format!("row {} {sign} key", grouped(step.middle as u64 + 1))
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
        // Equal fingerprints are one row.
        let is_one = app.tables.explanation.as_ref().is_some_and(|it| it.distance == 0);
        let pair = if is_one { 'Q' } else { glyphs.partner };
        let other = app.near.selected().and_then(|it| app.analysis.fingerprint(it.document));
        let has_pair = window.rows.iter().any(|row| Some(row.fingerprint) == other);
        let pair = if has_pair { format!("  {pair} the pair") } else { String::new() };
        let legend = format!("{pair}  {} kept  {} not", glyphs.kept, glyphs.rejected);
        let outcome = outcome(app, window);
        let mut line = Line::from(format!(" {outcome}"));
        if line.width() + legend.width() <= canvas.width() {
            line.push_span(Span::styled(legend, canvas.theme.muted()));
        }
        canvas.row(0, line);
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
        let rows = pictured(&window.steps[..app.tables.probes], room.min(24));
        line.extend(
            rows.last().into_iter().flat_map(|rows| probe(step, rows, room.min(24), canvas.theme)),
        );
    }
    line.push_span(found);
    canvas.row(0, line);
}

/// The rows below the probes: the result of the search, or the next keys.
fn below_probes(app: &App, window: &TableWindow, width: usize) -> Vec<String> {
    let text = if app.tables.probes == window.steps.len() {
        outcome(app, window)
    } else {
        "Space makes the next probe, b goes back".to_owned()
    };
    wrap(&text, width.saturating_sub(2))
}

pub(super) fn search(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    let width = canvas.width();
    let shown = app.tables.probes;
    let last = below_probes(app, window, width);
    let height = canvas.height().saturating_sub(last.len());
    let second = second_search(app, window);
    let n_above = hidden(app, window, width, canvas.height());
    // The rest is for the number of possible rows and, where there is room, for what a probe finds.
    let is_told = width >= 60;
    let cells = width.saturating_sub(if is_told { 40 } else { 14 }).clamp(5, 60);
    let pictured = pictured(&window.steps[..shown], cells);
    let mut lines = Vec::new();
    for (at, step) in window.steps[..shown].iter().enumerate() {
        if Some(at) == second {
            let rows = "the first row behind the window:";
            lines.push(Line::from(Span::styled(format!(" {rows}"), canvas.theme.muted())));
        }
        let mark = if at + 1 == shown { canvas.theme.glyphs().cursor } else { ' ' };
        let mut line = Line::from(format!(" {:>2} {mark} ", at + 1));
        line.extend(probe(step, &pictured[at], cells, canvas.theme));
        let n_rows = grouped((step.high - step.low) as u64);
        line.push_span(format!(" {n_rows:>7}"));
        if is_told {
            line.push_span(format!(" left: {}", finding(step)));
        }
        lines.push(line);
    }
    let n_lines = lines.len();
    for (y, line) in lines.into_iter().skip(n_above).enumerate() {
        canvas.row(y, line);
    }
    let glyphs = canvas.theme.glyphs();
    let [possible, compared] = [glyphs.edges[0], glyphs.partner];
    let legend = format!("{possible} possible  {compared} compared; a full line: a larger scale");
    let legend = if is_told {
        wrap(&legend, width - 2)
    } else {
        legend.split("; ").map(str::to_owned).collect()
    };
    for (y, row) in last.iter().enumerate() {
        canvas.row(height + y, Span::styled(format!(" {row}"), canvas.theme.strong()));
    }
    // The legend stands above where the probes leave rows.
    let above = height.saturating_sub(legend.len());
    if n_lines <= above {
        for (y, row) in legend.iter().enumerate() {
            canvas.row(above + y, Span::styled(format!(" {row}"), canvas.theme.muted()));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Look;

    #[test]
    fn a_line_narrows_to_the_key_and_begins_anew_enlarged() {
        let step = |low, high, goes_up| {
            let middle = usize::midpoint(low, high);
            SearchStep { end: WindowEnd::First, low, middle, high, goes_up }
        };
        let steps = [
            step(0, 64, true),
            step(33, 64, false),
            step(33, 48, true),
            step(41, 48, true),
            step(45, 48, false),
        ];
        let rows = pictured(&steps, 8);
        assert_eq!(rows, [0..64, 0..64, 33..48, 33..48, 45..48]);
        let drawn = |at: usize| {
            let spans = probe(&steps[at], &rows[at], 8, Theme(Look::PLAIN));
            spans.iter().map(|span| &*span.content).collect::<String>()
        };
        assert_eq!(
            [0, 1, 2, 3, 4].map(drawn),
            ["────◆───", "┄┄┄┄──◆─", "───◆────", "┄┄┄┄─◆──", "──◆─────"]
        );
    }
}
