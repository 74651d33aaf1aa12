//! Angle: two vectors with lines through the origin, and the curve that the settings make of the angle.

use std::f64::consts::PI;

use ratatui::text::Span;

use crate::{
    analysis::LayoutChoice,
    app::{App, layout::Shape, screen::near::reach},
    evaluate::{angle, bands, interval},
    explain::Hyperplanes,
    index::Kind,
    number::{counted, grouped},
    tui::widget::canvas::{Canvas, clip},
};

/// Cells of the picture.
const PICTURE: usize = 40;
/// The smallest cosine of the curve.
const LEAST: f64 = 0.5;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let planes = app.learn.angle.planes();
    if app.size.shape() < Shape::Standard {
        let lines = sentences(app, &planes, width - 2);
        for (y, line) in lines.into_iter().enumerate() {
            canvas.row(y, format!(" {line}"));
        }
        return;
    }
    let upper = (height * 3 / 5).clamp(9, 17);
    picture(&planes, &mut canvas.part(1, 0, PICTURE, upper));
    let room = width - PICTURE - 4;
    for (y, line) in sentences(app, &planes, room).into_iter().take(upper).enumerate() {
        canvas.at(PICTURE + 3, y, Span::raw(line));
    }
    canvas.rule(upper, &curve_name(app), "curve: share found, c another; bars: your pairs");
    curve(app, &mut canvas.part(0, upper + 1, width, height.saturating_sub(upper + 1)));
}

/// What there is to see, wrapped.
fn sentences(app: &App, planes: &Hyperplanes, room: usize) -> Vec<String> {
    let cosine = app.learn.angle.cosine();
    let share = angle::bit_differs(cosine);
    let (n, parting) = (planes.n(), planes.n_parting());
    let bits = app.settings.recipe.bits;
    let expected = angle::expected_distance(cosine, bits);
    let mut text = vec![
        format!("cosine {cosine:.2}, angle {:.1} degrees", planes.theta().to_degrees()),
        format!("a line parts them: theta/pi = {share:.3}"),
        format!("of {bits} bits {expected:.1} differ on average"),
        format!("{} {:.1} % of such pairs", finder(app), 100.0 * found(app, cosine)),
        String::new(),
        format!("{} drawn, {parting} part them", counted(u64::from(n), "line")),
    ];
    if n > 0 {
        let (low, high) = interval::jeffreys(parting, n, interval::LEVEL);
        let found = f64::from(parting) / f64::from(n);
        text.push(format!("that is {found:.3}, 95 %: {low:.3} to {high:.3}"));
        let (low, high) = interval::cosine(parting, n);
        let estimate = angle::estimate(parting, n);
        text.push(format!("so cosine {estimate:.2} ({low:.2} to {high:.2})"));
    }
    text.iter().flat_map(|line| crate::app::wrap::wrap(line, room)).collect()
}

/// The two vectors from the middle, and the lines so far: those that part them drawn heavier.
fn picture(planes: &Hyperplanes, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width() as f64, canvas.height() as f64);
    let (x0, y0) = (width / 2.0, height / 2.0);
    // A cell is about twice as high as wide.
    let radius = (height - 1.0).min(width / 2.0) / 2.0;
    let mut ray = |turn: f64, from: f64, to: f64, glyph: char, style| {
        let steps = (4.0 * radius) as i32;
        for step in 0..=steps {
            let r = from + (to - from) * f64::from(step) / f64::from(steps);
            let (x, y) = (x0 + 2.0 * r * turn.cos(), y0 - r * turn.sin());
            if x >= 0.0 && y >= 0.0 {
                canvas.at(x as usize, y as usize, Span::styled(glyph.to_string(), style));
            }
        }
    };
    let glyphs = theme.glyphs();
    let recent = planes.n().saturating_sub(12) as usize;
    for (line, parts) in planes.lines().skip(recent) {
        let (glyph, style) =
            if parts { (glyphs.differs, theme.differs()) } else { (glyphs.none, theme.muted()) };
        ray(line, -radius, radius, glyph, style);
    }
    ray(0.0, 0.0, radius, glyphs.one, theme.left_only());
    ray(planes.theta(), 0.0, radius, glyphs.one, theme.strong());
    let (a, b) = (planes.theta().cos(), planes.theta().sin());
    canvas.at((x0 + 2.0 * radius) as usize, y0 as usize, Span::styled("A", theme.strong()));
    let (x, y) = (x0 + 2.0 * radius * a, y0 - radius * b);
    if x >= 0.0 && y >= 0.0 {
        canvas.at(x as usize, y as usize, Span::styled("B", theme.strong()));
    }
}

/// The bands whose curve shows: those chosen here, else the program's own if it has some.
fn shown_bands(app: &App) -> Option<(u32, u32)> {
    match (app.learn.angle.bands, app.settings.layout) {
        (Some(Kind::Bands { bands, bits }), _) | (_, LayoutChoice::Bands { bands, bits }) => {
            Some((bands, bits))
        }
        _ => None,
    }
}

/// What finds the pairs.
fn finder(app: &App) -> String {
    match shown_bands(app) {
        Some((bands, bits)) => format!("{bands}x{bits} bands find"),
        None => format!("k={} finds", app.settings.k),
    }
}

/// What the curve is of.
fn curve_name(app: &App) -> String {
    match shown_bands(app) {
        Some((bands, bits)) => format!("{bands} bands of {bits} bits"),
        None => format!("within k={} of {} bits", app.settings.k, app.settings.recipe.bits),
    }
}

/// The share of pairs found at a cosine by what the curve is of.
fn found(app: &App, cosine: f64) -> f64 {
    match shown_bands(app) {
        Some((bands, bits)) => bands::candidate(bands, bits, cosine),
        None => angle::within(cosine, app.settings.k, app.settings.recipe.bits),
    }
}

/// The curve over the cosine, with the corpus's pairs where their distances put them.
fn curve(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width().saturating_sub(8), canvas.height().saturating_sub(1));
    if width < 10 || height < 2 {
        return;
    }
    let cosine_at = |x: usize| LEAST + (1.0 - LEAST) * x as f64 / (width - 1) as f64;
    let column = |cosine: f64| {
        ((cosine - LEAST) / (1.0 - LEAST) * (width - 1) as f64).round().max(0.0) as usize
    };
    // Pairs at each distance, by logarithm: they lie in orders of magnitude.
    let counts = pairs_by_distance(app);
    let most = counts.iter().map(|&(_, n)| n).max().unwrap_or(0).max(1) as f64;
    let bits = app.settings.recipe.bits;
    for &(distance, n) in counts.iter().filter(|(_, n)| *n > 0) {
        let cosine = (PI * f64::from(distance) / f64::from(bits)).cos();
        if cosine < LEAST {
            continue;
        }
        let bar = ((1.0 + n as f64).ln() / (1.0 + most).ln() * height as f64).ceil() as usize;
        for y in 0..bar.min(height) {
            canvas.at(
                7 + column(cosine),
                height - 1 - y,
                Span::styled(theme.glyphs().bar[1].to_string(), theme.muted()),
            );
        }
    }
    for x in 0..width {
        let y = (found(app, cosine_at(x)) * (height - 1) as f64).round() as usize;
        let glyph = theme.glyphs().kept;
        canvas.at(7 + x, height - 1 - y, Span::styled(glyph.to_string(), theme.good()));
    }
    canvas.at(0, 0, Span::styled("  1.0 ", theme.muted()));
    canvas.at(0, height - 1, Span::styled("  0.0 ", theme.muted()));
    for cosine in [0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
        let label = format!("{cosine:.1}");
        let x = (7 + column(cosine)).min(canvas.width().saturating_sub(label.len()));
        canvas.at(x, height, Span::styled(label, theme.muted()));
    }
    let total: u64 = counts.iter().map(|(_, n)| n).sum();
    let last = counts.last().map_or(0, |(distance, _)| *distance);
    let so_far = if app.analysis.corpus.is_complete() { "" } else { " so far" };
    let text = format!("{} pairs to d={last}{so_far}", grouped(total));
    canvas.at(8, height / 2, Span::styled(clip(&text, width), theme.muted()));
}

/// How many pairs of the corpus lie at each distance, as far as Near lists them: what was searched beyond
/// that depends on where k was before.
fn pairs_by_distance(app: &App) -> Vec<(u32, u64)> {
    let Some(near) = &app.analysis.near else { return Vec::new() };
    let mut before = 0;
    let at = |k: u32| {
        let upto = near.totals(k).map_or(before, |totals| totals.pairs);
        let n = upto - before;
        before = upto;
        (k, n)
    };
    let last = reach(app.analysis.settings.k, app.analysis.settings.recipe.bits);
    (0..=near.reach().min(last)).map(at).collect()
}
