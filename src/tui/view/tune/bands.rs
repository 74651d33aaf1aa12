//! The Bands view: a page, and in the rows that it leaves on a large screen, the share of pairs that its layouts find,
//! by the cosine of a pair. The curves follow from the numbers of the layouts.

use ratatui::text::Span;

use crate::{
    analysis::pair_cosines::SearchMethod,
    app::{App, layout::SizeClass, screen::tune::lab::BAND_LAYOUTS},
    present::planned::PlannedLayout,
    tui::{
        view::sections,
        widget::{canvas::Canvas, curve::SharePlot},
    },
};

/// Cells before the curves.
const LABEL: usize = 7;
/// Cells between the two pictures.
const GAP: usize = 2;
/// The least rows of a picture, with its rule and its axis, and the most.
const ROWS: std::ops::RangeInclusive<usize> = 12..=34;
/// The least cosine of the curves, unless pairs are true from a smaller one: below it hardly any layout finds a pair.
const FROM: f64 = 0.75;

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    sections::page(app, canvas);
    // The rows of the page are in a frame; a blank row follows them.
    let above = app.page.rows.len() + 2;
    let (width, left) = (canvas.width(), canvas.height().saturating_sub(above + 1));
    if app.size.shape() != SizeClass::Wide || left < *ROWS.start() {
        return;
    }
    let mut below = canvas.part(1, above, width - 2, left.min(*ROWS.end()));
    let (half, height) = (below.width() / 2, below.height());
    curves(app, true, &mut below.part(0, 0, half - GAP, height));
    curves(app, false, &mut below.part(half, 0, half, height));
}

/// The curves of 3 bands over their bits, or those of bands of 18 bits over their number; each curve bears it as a name.
fn curves(app: &App, is_over_bits: bool, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let index = app.analysis.index.as_ref();
    let n = index.map_or(app.analysis.len(), |index| index.n_distinct());
    let mut layouts: Vec<(u32, PlannedLayout)> =
        PlannedLayout::all(&BAND_LAYOUTS, &app.analysis.settings, n)
            .into_iter()
            .filter_map(|layout| match layout.method {
                SearchMethod::Bands { bands: 3, bits } if is_over_bits => Some((bits, layout)),
                SearchMethod::Bands { bands, bits: 18 } if !is_over_bits => Some((bands, layout)),
                _ => None,
            })
            .collect();
    layouts.sort_by_key(|(name, _)| *name);
    let title = if is_over_bits { "3 bands, by their bits" } else { "bands of 18 bits, by number" };
    canvas.rule(0, title, &format!("{} true from here, share of pairs found", glyphs.dash));
    let (width, rows) = (canvas.width(), canvas.height() - 2);
    let cells = width.saturating_sub(LABEL + 2);
    let mut inside = canvas.part(0, 1, width, rows + 1);
    let tau = app.tune.lab.tau;
    let plot = SharePlot { left: LABEL, cells, rows, from: tau.min(FROM) };
    for (_, layout) in &layouts {
        plot.curve(|x| layout.chance(plot.value(x)), (glyphs.chance, theme.good()), &mut inside);
    }
    plot.line(plot.column(tau), &mut inside);
    // The names stand on different rows, so that none covers another.
    let step = (rows / (layouts.len() + 2)).max(1);
    for (at, (name, layout)) in layouts.iter().enumerate() {
        let above = (at + 1) * step;
        let share = above as f64 / (rows - 1) as f64;
        let Some(x) = (0..cells).find(|&x| layout.chance(plot.value(x)) >= share) else { continue };
        let name = format!(" {name} ");
        let x = (LABEL + x).saturating_sub(name.len() / 2);
        inside.at(x, rows.saturating_sub(1 + above), Span::styled(name, theme.strong()));
    }
    plot.axes(None, &mut inside);
    inside.at(0, rows, Span::styled("cosine", theme.muted()));
}
