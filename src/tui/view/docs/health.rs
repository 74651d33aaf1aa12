//! The Health view: a map of correlated bits, and sentences about the corpus.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use crate::{
    app::{App, layout::SizeClass, pane::GAP, screen::docs::health::HealthLayout},
    explain::Health,
    tui::{
        theme::Theme,
        view::sections::{pane, remark},
        widget::canvas::Canvas,
    },
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let Some(found) = known(app, canvas) else { return };
    let layout = app.health_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let state = &app.docs.health;
    let below = match (remark(&state.pane, layout.cut, app.ascii), app.flagging()) {
        (below, Some(share)) => format!("flags: {share}   {below}"),
        (below, None) => below,
    };
    let map = layout.map_width();
    let left = width.saturating_sub(map + if map > 0 { GAP } else { 0 });
    match app.size.shape() {
        SizeClass::Wide => {
            let mut at_left = canvas.part(0, 0, map + 2, height);
            correlations(found, layout, &mut at_left.framed("bits that move together", ""));
            let mut at_right = canvas.part(map + 2, 0, width - map - 2, height);
            pane(&state.pane, layout.cut, &mut at_right.framed("health", &below));
        }
        SizeClass::Small => pane(&state.pane, layout.cut, canvas),
        _ => {
            canvas.rule(0, "bits that move together", &below);
            correlations(found, layout, &mut canvas.part(0, 1, map, height - 1));
            pane(&state.pane, layout.cut, &mut canvas.part(map + GAP, 1, left, height - 1));
        }
    }
}

/// The figures; if they are not known, draws the reason.
fn known<'a>(app: &'a App, canvas: &mut Canvas) -> Option<&'a Health> {
    let state = &app.docs.health;
    if let Some(found) = state.found.answer() {
        return Some(&found.health);
    }
    let why = match (&app.analysis.index, state.found.job()) {
        (Some(_), job) => match job {
            Some(job) if job.progress.is_cancelled() => "stopped; Enter starts again".to_owned(),
            Some(job) => match job.progress.get() {
                (_, 0) => "counting bits ..".to_owned(),
                (done, total) => format!("opening crowded buckets, {done} of {total} .."),
            },
            None => "..".to_owned(),
        },
        (None, _) if app.running.is_some() => {
            "the health of the corpus is computed when all documents are fingerprinted .."
                .to_owned()
        }
        (None, _) => {
            "the work was stopped before there were fingerprints; + or - resumes it".to_owned()
        }
    };
    canvas.paragraph(2, 0, &why, Style::new());
    None
}

/// The strongest correlation in each cell of bits, the most significant at the left and at the top.
fn correlations(health: &Health, layout: HealthLayout, canvas: &mut Canvas) {
    let theme = canvas.theme;
    for y in 0..layout.rows {
        let cells: Vec<Span<'static>> =
            (0..layout.rows).map(|x| cell(health, layout.step, (x, y), theme)).collect();
        let mut line = Line::from(" ");
        line.extend(cells);
        canvas.row(y, line);
    }
    let [none, few, some, many, most] = theme.glyphs().shades;
    let [a, b, c, d] = steps(health);
    let muted = theme.muted();
    let legend = format!(" {none}<{a:.1} {few}<{b:.1} {some}<{c:.1} {many}<{d:.1} {most} 1");
    canvas.row(layout.rows, Span::styled(legend, muted));
    let bits = match layout.step {
        1 => " a cell a bit, bit 0 at the end".to_owned(),
        step => format!(" a cell: largest of {step} by {step} bits"),
    };
    canvas.row(layout.rows + 1, Span::styled(bits, muted));
}

/// The limits of the shades: deviations that chance alone explains are blank.
fn steps(health: &Health) -> [f64; 4] {
    let chance = 4.0 / (health.n.max(1) as f64).sqrt();
    let first = chance.clamp(0.1, 0.6);
    [first, (first + 0.1).max(0.3), (first + 0.2).max(0.5), (first + 0.3).max(0.8)]
}

fn cell(health: &Health, step: usize, (x, y): (usize, usize), theme: Theme) -> Span<'static> {
    let bits = |at: usize| {
        let high = (health.width as usize).saturating_sub(at * step);
        high.saturating_sub(step) as u32..high as u32
    };
    let mut most: f64 = 0.0;
    for one in bits(x) {
        for other in bits(y).filter(|other| *other != one) {
            most = most.max(health.correlation(one, other).unwrap_or(0.0).abs());
        }
    }
    if x == y && step == 1 {
        return Span::styled("\\\\", theme.muted());
    }
    let shade = steps(health).iter().filter(|step| most >= **step).count();
    let glyph = theme.glyphs().shades[shade];
    let style = if shade == 0 { theme.muted() } else { theme.text() };
    Span::styled(glyph.to_string().repeat(2), style)
}
