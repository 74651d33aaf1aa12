//! The Compare view: which two recipes, and the pairs that only one of them finds.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::{
    analysis::{
        Settings, previous_fingerprints::PairChanges, previous_fingerprints::PreviousFingerprints,
    },
    app::{App, layout::SizeClass, screen::tune::compare::compare_rows, wrap::wrap},
    number::grouped,
    tui::view::name,
    tui::widget::canvas::{Canvas, clip},
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let state = &app.tune.compare;
    let is_small = app.size.shape() == SizeClass::Small;
    let Some(before) = &state.before else {
        return paragraph(nothing_before(is_small), canvas);
    };
    let is_changing = app.running.is_some();
    let Some(found) = state.found.answer().filter(|_| !is_changing) else {
        let why = match state.found.problem() {
            _ if is_changing => "what is gained and lost follows when the work is done ..",
            Some(problem) => problem,
            None if state.found.is_cancelled() => "stopped; + or - looks again",
            None => "looking for what only one of the two finds ..",
        };
        return paragraph(why, canvas);
    };
    let late = if app.tune.compare.found.is_running() { " .." } else { "" };
    let (width, height) = (canvas.width(), canvas.height());
    let rows = compare_rows(app.size);
    match app.size.shape() {
        SizeClass::Wide => {
            summary(before, found, late, &mut canvas.part(0, 0, width, 2));
            let title = "pairs that only one of the two finds";
            let mut lower = canvas.part(0, 2, width, height.saturating_sub(2));
            list(app, found, rows, &mut lower.framed(title, ""));
        }
        SizeClass::Small => {
            let (gained, lost) = (found.changes.gained.count(), found.changes.lost.count());
            let text = format!(" {gained} gained, {lost} lost{late}");
            canvas.row(0, Span::styled(clip(&text, width), canvas.theme.strong()));
            list(app, found, rows, &mut canvas.part(0, 1, width, rows + 1));
        }
        _ => {
            summary(before, found, late, &mut canvas.part(0, 0, width, 2));
            canvas.rule(2, "pairs that only one of the two finds", "");
            list(app, found, rows, &mut canvas.part(0, 3, width, rows + 1));
        }
    }
}

fn nothing_before(is_small: bool) -> &'static str {
    if is_small {
        return "r changes the recipe; what that gains and loses is listed here";
    }
    "Change the recipe or its k with r, or use one from Sweep: the pairs gained and lost against the recipe \
     before are listed here, and Enter opens one. `simscope compare` writes them as rows."
}

fn paragraph(text: &str, canvas: &mut Canvas) {
    for (y, row) in wrap(text, canvas.width().saturating_sub(3)).into_iter().enumerate() {
        canvas.row(y, format!("  {row}"));
    }
}

/// The two recipes compared, and the number of changes.
fn summary(before: &PreviousFingerprints, found: &PairChanges, late: &str, canvas: &mut Canvas) {
    let name = |settings: &Settings| format!("{}, k = {}", settings.recipe.short(), settings.k);
    let room = canvas.width().saturating_sub(1);
    let (gained, lost) = (&found.changes.gained, &found.changes.lost);
    let pairs = if gained.n_pairs == 1 { "pair" } else { "pairs" };
    let both = found
        .changes
        .n_both()
        .map_or_else(String::new, |both| format!(", {} found by both", grouped(both)));
    let counts = format!(" {} {pairs} gained, {} lost{both}{late}", gained.count(), lost.count());
    let which = format!(" {}, against {} before", name(&found.after), name(&before.settings));
    canvas.row(0, Span::styled(clip(&which, room), canvas.theme.strong()));
    canvas.row(1, clip(&counts, room));
}

/// Cells before the documents: the change, both distances, copies.
const COLUMNS: usize = 31;
/// The same on a small screen: a sign and both distances.
const FEW: usize = 13;

fn list(app: &App, found: &PairChanges, height: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let is_small = app.size.shape() == SizeClass::Small;
    let header = if is_small { "     now was" } else { "   change   now  before  pairs" };
    let before = if is_small { FEW } else { COLUMNS };
    let header = format!("{header:<before$}documents");
    canvas.row(0, Span::styled(header, theme.muted()));
    if found.is_empty() {
        canvas.row(1, "  nothing: both find the same pairs");
        return;
    }
    let mut cursor = app.tune.compare.cursor;
    cursor.fit(found.len(), height);
    for (y, at) in cursor.window(found.len(), height).enumerate() {
        let Some((changed, is_gain)) = found.row(at) else { break };
        let mark = if at == cursor.selected { theme.glyphs().cursor } else { ' ' };
        let style = if is_gain { theme.good() } else { theme.warn() };
        let (sign, word) = if is_gain { ('+', "gained") } else { ('-', "lost") };
        let distance = |distance: Option<u32>| {
            distance.map_or_else(|| theme.glyphs().none.to_string(), |it| it.to_string())
        };
        let (now, was) = (distance(changed.after), distance(changed.before));
        let (change, figures) = if is_small {
            (format!("{mark}{sign} "), format!("{now:>5}{was:>4} "))
        } else {
            let pairs = grouped(found.changes.n_pairs(changed));
            (format!("{mark}{sign} {word:<7}"), format!("{now:>5}{was:>8}{pairs:>7} "))
        };
        let room = canvas.width().saturating_sub(change.width() + figures.width() + 1);
        let (a, b) = found.changes.first(changed);
        canvas.row(
            y + 1,
            Line::from(vec![
                Span::styled(change, style),
                Span::raw(figures),
                Span::raw(name::pair(app, [a, b], theme.glyphs().pair, room)),
            ]),
        );
        if at == cursor.selected {
            canvas.style_row(y + 1, theme.selected());
        }
    }
}
