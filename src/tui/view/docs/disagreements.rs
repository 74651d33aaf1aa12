//! The Disagreements view: one row a pair, and below how many were looked at.

use ratatui::text::Span;

use crate::{
    analysis::disagreement::{Disagreement, Disagreements},
    app::{App, layout::SizeClass, screen::docs::disagreements::disagreements_rows, wrap::wrap},
    number::rounded,
    tui::view::name,
    tui::widget::canvas::{Canvas, clip},
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let Some((k, found)) = known(app, canvas) else { return };
    let (width, height) = (canvas.width(), canvas.height());
    let rows = disagreements_rows(app.size);
    if app.size.shape() == SizeClass::Wide {
        let mut upper = canvas.part(0, 0, width, rows + 3);
        let remark = looking(app).unwrap_or_default();
        list(app, found, &mut upper.framed("fingerprints and texts disagree", &remark));
    } else {
        list(app, found, &mut canvas.part(0, 0, width, rows + 1));
        if app.size.shape() > SizeClass::Small {
            canvas.rule(rows + 1, "", &looking(app).unwrap_or_default());
        }
    }
    let notes = found.notes(k);
    let n_notes = if app.size.shape() == SizeClass::Small { 1 } else { notes.len() };
    for (at, note) in notes.iter().take(n_notes).enumerate() {
        let text = clip(note, width.saturating_sub(2));
        canvas.row(height.saturating_sub(n_notes - at), format!(" {text}"));
    }
}

/// The pairs found; where there are none, it draws the reason.
fn known<'a>(app: &'a App, canvas: &mut Canvas) -> Option<(u32, &'a Disagreements)> {
    let state = &app.docs.disagreements;
    if let Some((query, found)) = state.found.answered() {
        return Some((query.k, found));
    }
    let why = match looking(app) {
        Some(again) if let Some(problem) = state.found.problem() => format!("{problem}: {again}"),
        Some(looking) => {
            format!("{looking} (every text is read again and compared)")
        }
        None if app.running.is_some() || app.analysis.is_complete() => {
            "pairs that disagree can be looked for when all pairs within k are known ..".to_owned()
        }
        None => "the work was stopped before the pairs were there; + or - goes on".to_owned(),
    };
    for (y, row) in wrap(&why, canvas.width().saturating_sub(3)).into_iter().enumerate() {
        canvas.row(y, format!("  {row}"));
    }
    None
}

/// The progress of the search.
fn looking(app: &App) -> Option<String> {
    let found = &app.docs.disagreements.found;
    if found.problem().is_some() || found.is_cancelled() {
        let state = if found.problem().is_some() { "failed" } else { "stopped" };
        return Some(format!("{state}; Enter looks again"));
    }
    let job = found.job()?;
    Some(match job.progress.get() {
        (_, 0) => format!("{} ..", job.stage()),
        (done, total) => format!("{} {}%", job.stage(), (100 * done / total).min(100)),
    })
}

fn list(app: &App, found: &Disagreements, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let width = canvas.width();
    let is_narrow = width < 70;
    let header = if is_narrow {
        format!(" {:<9}{:>4}{:>7}  documents", "bits are", "d", "cosine")
    } else {
        format!(
            " {:<9}{:>4}{:>10}{:>9}{:>11}  documents",
            "bits are", "d", "expected", "cosine", "chance"
        )
    };
    canvas.row(0, Span::styled(header, theme.muted()));
    if found.found.is_empty() {
        canvas.row(1, "  no pair that was compared disagrees");
    }
    let height = canvas.height().saturating_sub(1);
    let cursor = app.docs.disagreements.cursor;
    for (y, at) in cursor.window(found.found.len(), height).enumerate() {
        let it = &found.found[at];
        let mark = if at == cursor.selected { theme.glyphs().cursor } else { ' ' };
        let figures = figures(it, is_narrow);
        let room = width.saturating_sub(figures.len() + 4);
        let pair = name::pair(app, [it.pair.a, it.pair.b], theme.glyphs().pair, room);
        let row = format!("{mark}{figures}  {pair}");
        canvas.row(y + 1, row);
        if at == cursor.selected {
            canvas.style_row(y + 1, theme.selected());
        }
    }
}

/// The figures of a pair: `too near    2      23.4    0.412      3e-14`; the distance that its cosine makes
/// likely is the expected one.
fn figures(it: &Disagreement, is_narrow: bool) -> String {
    let (distance, cosine) = (it.pair.distance, it.cosine);
    let kind = format!("too {}", it.kind);
    if is_narrow {
        return format!("{kind:<9}{distance:>4}{cosine:>7.2}");
    }
    let chance = rounded(it.chance);
    format!("{kind:<9}{distance:>4}{:>10.1}{cosine:>9.3}{chance:>11}", it.expected)
}
