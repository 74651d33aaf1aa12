//! The grid beside the lists of Distances and Layouts: key matches of one query by chance, for growing corpora.

use ratatui::text::Span;

use crate::{app::App, tui::widget::canvas::Canvas};

/// The least cells of the grid of chance key matches.
const LEAST_GRID: usize = 36;

/// Cells of a box of `cells` beside the chance key matches; all cells if there is no room for the grid.
pub(super) fn beside_chance(width: usize, cells: usize) -> usize {
    if width < cells + LEAST_GRID { width } else { cells }
}

/// Corpus sizes of the grid, by name.
const SIZES: [(f64, &str); 6] =
    [(1e4, "10k"), (1e5, "100k"), (1e6, "1M"), (1e7, "10M"), (1e8, "100M"), (1e9, "1B")];

/// Key matches of one query by chance alone, for corpora of many sizes, to see which layouts are still useful when the
/// corpus has grown.
pub(super) fn draw(app: &App, canvas: &mut Canvas) {
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
