//! Angle: two vectors with lines through the origin, and the share of pairs found, or made candidates, at each
//! cosine.

use ratatui::text::Span;

use crate::{
    analysis::LayoutChoice,
    app::{App, layout::SizeClass},
    evaluate::{angle, bands, interval},
    explain::Hyperplanes,
    index::LayoutKind,
    number::counted,
    tui::widget::canvas::Canvas,
};

/// Cells of the picture.
const PICTURE: usize = 40;
/// Lines in the picture: more would fill it.
const SHOWN: u32 = 12;
/// The smallest cosine of the curve.
const LEAST: f64 = 0.5;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let planes = app.learn.angle.planes();
    if app.size.shape() < SizeClass::Standard {
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
    if hides_share(app) {
        return;
    }
    canvas.rule(upper, &curve_name(app), "share of pairs at each cosine; c: other bands");
    curve(app, &mut canvas.part(0, upper + 1, width, height.saturating_sub(upper + 1)));
}

/// The explanation of the picture, wrapped.
fn sentences(app: &App, planes: &Hyperplanes, room: usize) -> Vec<String> {
    let cosine = app.learn.angle.cosine();
    let share = angle::bit_differs(cosine);
    let (n, parting) = (planes.n(), planes.n_parting());
    let bits = app.learn_bits();
    let expected = angle::expected_distance(cosine, bits);
    let lessons = &app.learn.lessons;
    let hides_expected = lessons.hides("angle.expected");
    let mut text =
        vec![format!("cosine {cosine:.2}, angle {:.1} degrees", planes.theta().to_degrees())];
    if hides_expected {
        text.push(format!("of {bits} bits ? differ on average"));
    } else {
        text.push(format!("a random line separates them with probability theta/pi = {share:.3}"));
        text.push(format!("of {bits} bits {expected:.1} differ on average"));
    }
    let share = if hides_share(app) { "?".to_owned() } else { percent(found(app, cosine)) };
    text.extend([format!("{} {share} of such pairs", finder(app)), String::new()]);
    let lines = counted(u64::from(n), "line");
    if lessons.hides("lines.parting") {
        text.push(format!("{lines} drawn"));
    } else {
        text.push(format!("{lines} drawn, {parting} separate them"));
    }
    if n > SHOWN {
        text.push(format!("the picture has the last {SHOWN}"));
    }
    if n > 0 && !lessons.hides("lines.parting") {
        let (low, high) = interval::jeffreys(parting, n, interval::LEVEL);
        let found = f64::from(parting) / f64::from(n);
        text.push(format!("that is {found:.3}, 95 %: {low:.3} to {high:.3}"));
        let (low, high) = interval::cosine(parting, n);
        let estimate = angle::estimate(parting, n);
        text.push(format!("so cosine {estimate:.2} ({low:.2} to {high:.2})"));
    }
    text.iter().flat_map(|line| crate::app::wrap::wrap(line, room)).collect()
}

/// Whether a lesson asks for the share of the pairs that the curve shows.
fn hides_share(app: &App) -> bool {
    ["angle.found", "angle.candidate"].iter().any(|fact| app.learn.lessons.hides(fact))
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
    let recent = planes.n().saturating_sub(SHOWN) as usize;
    for (line, parts) in planes.lines().skip(recent) {
        let (glyph, style) =
            if parts { (glyphs.differs, theme.differs()) } else { (glyphs.none, theme.muted()) };
        ray(line, -radius, radius, glyph, style);
    }
    ray(0.0, 0.0, radius, glyphs.one, theme.block(0));
    ray(planes.theta(), 0.0, radius, glyphs.one, theme.block(1));
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
        (Some(LayoutKind::Bands { bands, bits }), _) | (_, LayoutChoice::Bands { bands, bits }) => {
            Some((bands, bits))
        }
        _ => None,
    }
}

/// A share in percent; never 0 where there is something.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.0005 {
        "less than 0.1 %".to_owned()
    } else {
        format!("{:.1} %", 100.0 * share)
    }
}

/// The name of the layout that finds the pairs, or makes them candidates.
fn finder(app: &App) -> String {
    match shown_bands(app) {
        Some((bands, bits)) => format!("{bands}x{bits} bands make candidates of"),
        None => format!("k={} finds", app.learn_k()),
    }
}

/// The name of the layout that the curve is of.
fn curve_name(app: &App) -> String {
    match shown_bands(app) {
        Some((bands, bits)) => format!("candidates by {bands} bands of {bits} bits"),
        None => format!("found within k={} of {} bits", app.learn_k(), app.learn_bits()),
    }
}

/// The share of pairs found at a cosine by what the curve is of.
fn found(app: &App, cosine: f64) -> f64 {
    match shown_bands(app) {
        Some((bands, bits)) => bands::candidate(bands, bits, cosine),
        None => angle::within(cosine, app.learn_k(), app.learn_bits()),
    }
}

/// The curve over the cosine. The corpus's pairs are not drawn into it: their distances are known, and a pair
/// at d = 5 drawn at the cosine that it suggests would seem to be found now and then, which it never is.
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
    for x in 0..width {
        let y = (found(app, cosine_at(x)) * (height - 1) as f64).round() as usize;
        let glyph = theme.glyphs().node;
        canvas.at(7 + x, height - 1 - y, Span::styled(glyph.to_string(), theme.good()));
    }
    canvas.at(0, 0, Span::styled("  1.0 ", theme.muted()));
    canvas.at(0, height - 1, Span::styled("  0.0 ", theme.muted()));
    for cosine in [0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
        let label = format!("{cosine:.1}");
        let x = (7 + column(cosine)).min(canvas.width().saturating_sub(label.len()));
        canvas.at(x, height, Span::styled(label, theme.muted()));
    }
}
