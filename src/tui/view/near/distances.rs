//! The distances of the listed neighbours as bars, in the rows that the list leaves free.

use ratatui::text::Span;

use crate::{
    app::App,
    number::grouped,
    tui::widget::{bar::bar, canvas::Canvas},
};

/// Rows of the bars, at most.
const MOST_ROWS: usize = 4;
/// Cells of a distance: a blank and a bar over two digits.
const CELLS: usize = 3;
/// Cells before the first bar, for the largest count and the name of the axis.
const LEFT: usize = 6;

/// Draws the bars in the last rows of a canvas, if all distances of the list fit side by side.
pub(super) fn distances(app: &App, canvas: &mut Canvas) {
    // A blank row divides them from the list, and the axis is below them.
    let rows = canvas.height().saturating_sub(2).min(MOST_ROWS);
    let (reach, k) = (app.near.reach as usize, app.settings.k as usize);
    let width = LEFT + CELLS * (reach + 1) + 1;
    if rows == 0 || app.near.n_hidden > 0 || width > canvas.width() {
        return;
    }
    let counts = counts(app);
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let theme = canvas.theme;
    let (height, width) = (canvas.height(), canvas.width());
    let mut canvas = canvas.part(0, height - rows - 1, width, rows + 1);
    canvas.row(0, Span::styled(format!("{:>LEFT$}", grouped(most as u64)), theme.muted()));
    canvas.row(rows, Span::styled(format!("{:>LEFT$}", "d"), theme.muted()));
    for (distance, &count) in counts.iter().enumerate() {
        let x = LEFT + CELLS * distance;
        let eighths = match count {
            0 => 0,
            _ => (count * 8 * rows / most).max(1),
        };
        let is_within = distance <= k;
        let style = if is_within { theme.good() } else { theme.text() };
        bar(eighths, (is_within, style), (x + 1, CELLS - 1), rows, &mut canvas);
        canvas.at(x, rows, Span::styled(format!("{distance:>CELLS$}"), theme.muted()));
    }
    if k < counts.len() {
        let line = theme.glyphs().block.to_string();
        for y in 0..=rows {
            canvas.at(LEFT + CELLS * (k + 1), y, Span::styled(line.clone(), theme.strong()));
        }
        let legend = format!("  {line} k={k}");
        let end = LEFT + CELLS * counts.len() + 1;
        if end + legend.chars().count() <= width {
            canvas.at(end, rows, Span::styled(legend, theme.muted()));
        }
    }
}

/// The number of neighbours at each distance within reach. A held document is none of them.
fn counts(app: &App) -> Vec<usize> {
    let guest = app.near.held.filter(|_| app.near.is_held_listed);
    let mut counts = vec![0; app.near.reach as usize + 1];
    for neighbour in app.near.neighbours.iter().filter(|it| Some(it.document) != guest) {
        if let Some(count) = counts.get_mut(neighbour.distance as usize) {
            *count += 1;
        }
    }
    counts
}
