//! A plot: shares over a value as curves and points, in the last row for 0 and in the first for 1.

use ratatui::text::Span;

use crate::app::page::{Plot, Tone};
use crate::sign;
use crate::tui::widget::canvas::{Canvas, clip};

/// Cells before a plot.
const AXIS: usize = 7;

pub(super) fn plot(plot: &Plot<'_>, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, rows) = (canvas.width(), canvas.height().saturating_sub(1));
    if rows < 3 {
        return;
    }
    let (from, to) = plot.range;
    let cells = width.saturating_sub(AXIS + 2);
    let last = cells.saturating_sub(1);
    for (share, tone) in &plot.curves {
        let glyph = if *tone == Tone::Muted { sign::CHANCE } else { sign::NODE };
        for x in 0..cells {
            let value = from + (to - from) * (x as f64 / last.max(1) as f64);
            let y = (share(value).clamp(0.0, 1.0) * (rows - 1) as f64).round() as usize;
            let glyph = Span::styled(glyph.to_string(), theme.tone(*tone));
            canvas.at(AXIS + x, rows - 1 - y, glyph);
        }
    }
    let column = |value: f64| {
        let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
        AXIS + (share * last as f64).round() as usize
    };
    if let Some(x) = plot.limit.map(column) {
        // The line is dashed, and stands in the cells that are still blank.
        for y in 0..rows {
            if canvas.is_blank(x, y) {
                canvas.at(x, y, Span::styled(sign::DASH.to_string(), theme.muted()));
            }
        }
    }
    for &(value, share, mark) in &plot.points {
        let y = ((1.0 - share.clamp(0.0, 1.0)) * (rows - 1) as f64).round() as usize;
        let x = column(value);
        let is_free = canvas.is_blank(x, y) || canvas.holds(x, y, mark);
        let mark = if is_free { mark } else { '*' };
        canvas.at(x, y, Span::styled(mark.to_string(), theme.strong()));
    }
    axes(plot.range, last, rows, canvas);
    canvas.at(0, rows, Span::styled(clip(plot.over, AXIS - 1), theme.muted()));
}

/// The ends of the upright axis, and six values below the last row.
fn axes((from, to): (f64, f64), last: usize, rows: usize, canvas: &mut Canvas) {
    let muted = canvas.theme.muted();
    canvas.at(0, 0, Span::styled("  1.0", muted));
    canvas.at(0, rows - 1, Span::styled("  0.0", muted));
    let step = (to - from) / 5.0;
    // As many digits as tell the values apart.
    let digits = match step {
        ..0.1 => 2,
        1.0.. => 0,
        _ => 1,
    };
    for fifth in 0..=5 {
        let x = AXIS + fifth * last / 5;
        let x = x.min(canvas.width().saturating_sub(2 + digits));
        let label = format!("{:.digits$}", from + step * fifth as f64);
        canvas.at(x, rows, Span::styled(label, muted));
    }
}
