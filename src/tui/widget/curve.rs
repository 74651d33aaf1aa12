//! Curves of shares: a mark in each column, in the last row for 0 and in the first for 1.

use ratatui::{style::Style, text::Span};

use super::canvas::Canvas;

/// The place of a picture of shares: the cells before it, its columns, and its rows.
#[derive(Clone, Copy, Debug)]
pub(in crate::tui) struct SharePlot {
    pub(in crate::tui) left: usize,
    pub(in crate::tui) cells: usize,
    pub(in crate::tui) rows: usize,
    /// The value of the first column.
    pub(in crate::tui) from: f64,
    /// The value of the last column.
    pub(in crate::tui) to: f64,
}

impl SharePlot {
    /// The value of a column.
    pub(in crate::tui) fn value(self, column: usize) -> f64 {
        let share = column as f64 / self.cells.saturating_sub(1).max(1) as f64;
        self.from + (self.to - self.from) * share
    }

    /// The column of a value.
    pub(in crate::tui) fn column(self, value: f64) -> usize {
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        (share * self.cells.saturating_sub(1) as f64).round() as usize
    }

    /// A curve through the share of each column.
    pub(in crate::tui) fn curve(
        self,
        share: impl Fn(usize) -> f64,
        (glyph, style): (char, Style),
        canvas: &mut Canvas,
    ) {
        let last = self.rows.saturating_sub(1);
        for x in 0..self.cells {
            let y = (share(x).clamp(0.0, 1.0) * last as f64).round() as usize;
            canvas.at(self.left + x, last - y, Span::styled(glyph.to_string(), style));
        }
    }

    /// A dashed upright line in the cells that are still blank, such as the limit from which pairs are true.
    pub(in crate::tui) fn line(self, column: usize, canvas: &mut Canvas) {
        let (x, dash) = (self.left + column, canvas.theme.glyphs().dash.to_string());
        for y in (0..self.rows).filter(|&y| canvas.is_blank(x, y)).collect::<Vec<_>>() {
            canvas.at(x, y, Span::styled(dash.clone(), canvas.theme.muted()));
        }
    }

    /// The ends of the upright axis, and six values below the last row.
    pub(in crate::tui) fn axes(self, canvas: &mut Canvas) {
        let muted = canvas.theme.muted();
        canvas.at(0, 0, Span::styled("  1.0", muted));
        canvas.at(0, self.rows.saturating_sub(1), Span::styled("  0.0", muted));
        let step = (self.to - self.from) / 5.0;
        // As many digits as tell the values apart.
        let digits = match step {
            ..0.1 => 2,
            1.0.. => 0,
            _ => 1,
        };
        for fifth in 0..=5 {
            let x = self.left + (fifth * self.cells.saturating_sub(1)) / 5;
            let x = x.min(canvas.width().saturating_sub(2 + digits));
            let label = format!("{:.digits$}", self.from + step * fifth as f64);
            canvas.at(x, self.rows, Span::styled(label, muted));
        }
    }
}
