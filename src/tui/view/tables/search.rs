//! The binary search for the key, comparison by comparison.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::probe::{finding, pictured, probe};
use crate::{
    analysis::inspection::TableWindow,
    app::{App, geometry::Edge, keymap::Action, wrap::wrap},
    index::WindowEnd,
    number::{counted, grouped},
    tui::widget::canvas::Canvas,
};

/// Cells of a column from which on the finding of each probe is told.
const TOLD: usize = 60;
/// The fewest cells for the line of a probe.
const LINE: usize = 5;

pub(super) fn search_titles(app: &App) -> (String, String) {
    let Some(window) = &app.tables.window else { return (String::new(), String::new()) };
    let (shown, all) = (app.tables.probes, window.steps.len());
    let pane = app.tables_layout().search;
    let inside = pane.inside();
    let above = match Columns::of(app, window, inside.width, inside.height).n_above {
        n if n > 0 && pane.edge == Edge::Box => {
            format!(", {n} above: {}", app.keymap.key_of(app.view(), Action::Probe(-1)))
        }
        _ => String::new(),
    };
    let (title, probe) = if pane.width < 60 { ("search", "") } else { ("binary search", "probe ") };
    (title.to_owned(), format!("{probe}{shown} of {all}{above}"))
}

/// The places of the probes in a box.
struct Columns {
    /// Whether the search for the first row and that for the row behind the window stand side by side, because there is
    /// no room for one below the other.
    is_double: bool,
    /// Cells of a column.
    width: usize,
    /// Cells of the line of a probe.
    cells: usize,
    /// Rows of probes that are not shown.
    n_above: usize,
    /// The number of the first probe for the row behind the window.
    second: usize,
}

impl Columns {
    fn of(app: &App, window: &TableWindow, width: usize, height: usize) -> Self {
        let second = window.steps.iter().position(|step| step.end == WindowEnd::Past);
        let second = second.unwrap_or(window.steps.len());
        // The place of a probe does not change when the result comes.
        let below = [outcome(app, window), NEXT.to_owned()];
        let below = below.iter().map(|text| rows_of(text, width).len()).max().unwrap_or(0);
        let rows = height.saturating_sub(below);
        let n_all = window.steps.len() + usize::from(second < window.steps.len());
        // The number of a probe before the line, and the number of rows behind it.
        let (single, double) = (6 + 8, 4 + 1 + grouped(window.n_rows as u64).len());
        let is_double = n_all > rows && width / 2 >= double + LINE;
        let width = if is_double { width / 2 } else { width };
        let others = match width {
            _ if is_double => double,
            TOLD.. => single + 26,
            _ => single,
        };
        let shown = app.tables.probes;
        let n_second = shown.saturating_sub(second);
        let n_lines = match (is_double, n_second) {
            (true, _) => shown.min(second).max(n_second) + 1,
            (false, 0) => shown,
            (false, _) => shown + 1,
        };
        Self {
            is_double,
            width,
            cells: width.saturating_sub(others).clamp(LINE, 60),
            n_above: n_lines.saturating_sub(rows),
            second,
        }
    }
}

/// The result of the search: its cost and the rows found.
fn outcome(app: &App, window: &TableWindow) -> String {
    let fingerprint = app.near.query.and_then(|query| app.analysis.fingerprint(query));
    let shown = window.matching.start.max(window.first)
        ..window.matching.end.min(window.first + window.rows.len());
    let rows = || shown.clone().map(|row| &window.rows[row - window.first]);
    let kept = fingerprint.map_or(0, |fingerprint| {
        let is_kept = |distance| (1..=app.settings.k).contains(&distance);
        rows().filter(|row| is_kept(row.fingerprint.distance(fingerprint))).count()
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

/// Whether the pair has equal fingerprints, which are one row of a table.
fn is_one_row(app: &App) -> bool {
    app.tables.explanation.as_ref().is_some_and(|it| it.distance == 0)
}

pub(super) fn search_line(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    if app.tables.probes == window.steps.len() {
        let glyphs = canvas.theme.glyphs();
        let other = app.near.selected().and_then(|it| app.analysis.fingerprint(it.document));
        let has_pair = window.rows.iter().any(|row| Some(row.fingerprint) == other);
        let sign = if is_one_row(app) { 'Q' } else { glyphs.partner };
        let pair = if has_pair { format!("  {sign} the pair") } else { String::new() };
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

/// The next keys of a search.
const NEXT: &str = "Space makes the next probe, b goes back";

/// A text in the rows of a box.
fn rows_of(text: &str, width: usize) -> Vec<String> {
    wrap(text, width.saturating_sub(2))
}

/// The shown probes as lines, in one column or two.
fn lines(
    app: &App,
    window: &TableWindow,
    places: &Columns,
    canvas: &Canvas,
) -> [Vec<Line<'static>>; 2] {
    let (theme, shown) = (canvas.theme, app.tables.probes);
    let heading = |text: &str| Line::from(Span::styled(format!(" {text}"), theme.muted()));
    let mut columns = [Vec::new(), Vec::new()];
    if places.is_double {
        columns = ["first row", "row behind"].map(|name| vec![heading(name)]);
    }
    let digits = if places.is_double { grouped(window.n_rows as u64).len() } else { 7 };
    let pictured = pictured(&window.steps[..shown], places.cells);
    for (at, step) in window.steps[..shown].iter().enumerate() {
        let column = &mut columns[usize::from(places.is_double && at >= places.second)];
        if at == places.second && !places.is_double {
            column.push(heading("the first row behind the window:"));
        }
        let mark = if at + 1 == shown { theme.glyphs().cursor } else { ' ' };
        let gap = if places.is_double { "" } else { " " };
        let mut line = Line::from(Span::styled(format!(" {:>2}", at + 1), theme.muted()));
        line.push_span(format!("{gap}{mark}{gap}"));
        line.extend(probe(step, &pictured[at], places.cells, theme));
        let n_rows = grouped((step.high - step.low) as u64);
        line.push_span(format!(" {n_rows:>digits$}"));
        if places.width >= TOLD && !places.is_double {
            line.push_span(format!(" left: {}", finding(step)));
        }
        column.push(line);
    }
    columns
}

pub(super) fn search(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    let (width, theme) = (canvas.width(), canvas.theme);
    let is_over = app.tables.probes == window.steps.len();
    let last = rows_of(&if is_over { outcome(app, window) } else { NEXT.to_owned() }, width);
    let height = canvas.height().saturating_sub(last.len());
    let places = Columns::of(app, window, width, canvas.height());
    let columns = lines(app, window, &places, canvas);
    let mut n_rows = 0;
    for (column, lines) in columns.into_iter().enumerate() {
        let shown = lines.into_iter().skip(places.n_above);
        for (y, line) in shown.enumerate() {
            canvas.at(column * places.width, y, line);
            n_rows = n_rows.max(y + 1);
        }
    }
    for (y, row) in last.iter().enumerate() {
        canvas.row(height + y, Span::styled(format!(" {row}"), theme.strong()));
    }
    let glyphs = theme.glyphs();
    let [possible, compared] = [glyphs.edges[0], glyphs.partner];
    let legend = format!("{possible} possible  {compared} compared; a full line: a larger scale");
    let legend = if width >= TOLD {
        rows_of(&legend, width)
    } else {
        legend.split("; ").map(str::to_owned).collect()
    };
    // The legend stands right below the probes where they leave rows, after a blank row if there is one more.
    let free = height.saturating_sub(n_rows);
    if legend.len() <= free {
        let y = n_rows + usize::from(legend.len() < free);
        for (at, row) in legend.iter().enumerate() {
            canvas.row(y + at, Span::styled(format!(" {row}"), theme.muted()));
        }
    }
}
