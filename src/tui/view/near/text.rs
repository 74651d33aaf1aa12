//! The two texts with their differences marked.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{App, geometry::Edge, side_by_side::DiffRow},
    number::counted,
    text::visible,
    tui::{
        view::{
            name,
            pair::{beside, in_numbers, shared, text_row, without_marks},
        },
        widget::canvas::{Canvas, clip},
    },
};

/// The fewest cells of a title in the frame of the texts.
const TITLE: usize = 16;

/// The names of the two texts and, in a wide frame, the title of the neighbour; and their differences in numbers.
pub(super) fn text_titles(app: &App) -> (String, String) {
    let (name, remark) = names(app);
    let pane = app.near_layout().text;
    let title = app.near.selected().and_then(|it| name::title(app, it.document));
    // The ends of the frame, and two blanks beside each part.
    let room = pane.width.saturating_sub(name.width() + remark.width() + 12);
    match title.filter(|_| pane.edge == Edge::Box && room >= TITLE) {
        Some(title) => (format!("{name}  {}", clip(&title, room)), remark),
        None => (name, remark),
    }
}

fn names(app: &App) -> (String, String) {
    let Some((query, neighbour)) = app.near.pair() else {
        return ("text".to_owned(), String::new());
    };
    let id = |document| visible(app.analysis.corpus.id(document)).into_owned();
    let title = if app.is_side_by_side() {
        format!("{} | {}", id(query), id(neighbour.document))
    } else {
        let below = app.n_neighbours_below();
        if below > 0 {
            format!("{} {below} more", if app.ascii { "v" } else { "▼" })
        } else {
            "text".to_owned()
        }
    };
    let Some(comparison) = app.near.texts.answer() else { return (title, String::new()) };
    let Some(diff) = &comparison.diff else { return (title, String::new()) };
    if app.size.width < 60 {
        let of = if comparison.clipped { " in the first 256 kB" } else { "" };
        let edits = counted(diff.n_edits() as u64, "edit");
        let is_plain = app.little_in_common().is_some();
        return (title, if is_plain { shared(diff) } else { edits } + of);
    }
    // The number of places is told where there is room for it.
    let rows = Some(&app.near.rows[..]).filter(|_| app.size.width >= 100);
    let mut remark = in_numbers(comparison, rows);
    let (n_rows, height) = (app.near.rows.len(), app.text_rows());
    if n_rows > height {
        let last = (app.near.text_top + height).min(n_rows);
        let cut = if comparison.clipped { "+" } else { "" };
        remark += &format!(", rows {}-{last} of {n_rows}{cut}", app.near.text_top + 1);
    }
    (title, remark)
}

pub(super) fn text(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let Some(comparison) = app.near.texts.answer() else {
        if let Some(problem) = app.near.texts.problem() {
            canvas.paragraph(1, 0, problem, theme.warn());
        } else if app.near.pair().is_some() {
            canvas.row(0, Span::styled(" ..", theme.muted()));
        }
        return;
    };
    let mut below = without_marks(comparison, canvas);
    if comparison.diff.is_none() {
        return;
    }
    let (width, height) = (below.width(), app.text_rows());
    let mut canvas = below.part(0, below.height().saturating_sub(height), width, height);
    let rows = &app.near.rows;
    let top = app.near.text_top.min(rows.len().saturating_sub(1));
    for (y, row) in rows.iter().skip(top).take(height).enumerate() {
        canvas.row(y, text_row(row, beside(app), theme));
    }
    map(rows, top, &mut canvas);
}

/// All rows of the texts in a column at the right edge, in which the texts leave at least two cells free: the rows that
/// differ, and those that show.
fn map(rows: &[DiffRow], top: usize, canvas: &mut Canvas) {
    let (theme, height) = (canvas.theme, canvas.height());
    if rows.len() <= height || !rows.iter().any(|row| row.changed) {
        return;
    }
    let shades = theme.glyphs().shades;
    for y in 0..height {
        let part = y * rows.len() / height..(y + 1) * rows.len() / height;
        let shows = part.start < top + height && top < part.end;
        let (glyph, style) = match (rows[part].iter().any(|row| row.changed), shows) {
            (true, true) => (shades[4], theme.differs()),
            (true, false) => (shades[2], theme.differs()),
            (false, true) => (theme.glyphs().like, theme.text()),
            (false, false) => continue,
        };
        canvas.at(canvas.width().saturating_sub(1), y, Span::styled(glyph.to_string(), style));
    }
}
