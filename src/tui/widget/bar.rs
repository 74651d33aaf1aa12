//! An upright bar, drawn in eighths of a row.

use ratatui::{style::Style, text::Span};

use super::canvas::Canvas;

/// One bar of a height in eighths, from the bottom up; one that is not within a limit has another fill.
pub(in crate::tui) fn bar(
    eighths: usize,
    (is_within, style): (bool, Style),
    (x, width): (usize, usize),
    rows: usize,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let fill = glyphs.bar[usize::from(!is_within)];
    for row in 0..eighths.div_ceil(8).min(rows) {
        let left = eighths - row * 8;
        let glyph = match left {
            8.. => fill,
            // Without eighths a cell is full or empty, but every bar has at least one full cell.
            _ if theme.0.ascii && (left >= 4 || row == 0) => fill,
            _ if theme.0.ascii => ' ',
            _ => glyphs.eighths[left - 1],
        };
        canvas.at(x, rows - 1 - row, Span::styled(glyph.to_string().repeat(width), style));
    }
}
