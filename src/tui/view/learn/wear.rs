//! Wear: the distance of the selected document's fingerprint when some of its words change.

use ratatui::text::Span;

use crate::{
    analysis::perturbation::TRIALS,
    app::App,
    evaluate::interval,
    explain::PerturbationRow,
    number::grouped,
    text::visible,
    tui::widget::canvas::{Canvas, clip},
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let width = canvas.width();
    let Some(document) = app.query() else {
        canvas.row(0, "  no document is selected in Docs (1)");
        return;
    };
    let id = visible(app.analysis.corpus.id(document)).into_owned();
    let worn = app.learn.wear.worn.answer().filter(|worn| worn.document == document);
    let Some(worn) = worn else {
        let why = if app.learn.wear.worn.is_running() {
            format!("changing words of {id} ..")
        } else if app.analysis.fingerprint(document).is_none() {
            format!("{id} has no fingerprint to move")
        } else {
            format!("{id} could not be read")
        };
        canvas.row(0, format!("  {}", clip(&why, width - 3)));
        return;
    };
    let (used, all) = worn.bytes;
    let part = if used < all { format!(", its first {} kB", used / 1024) } else { String::new() };
    let title = format!(
        " {id}{part}: {TRIALS} random edits in each row, each under a new hash (d: others)"
    );
    canvas.row(0, Span::styled(clip(&title, width - 1), canvas.theme.strong()));
    let Some(shares) = &worn.wear else {
        canvas.row(1, "  there are no words to change here");
        return;
    };
    let k = app.learn_k();
    let each = ((canvas.height().saturating_sub(2)) / shares.len()).clamp(2, 5);
    for (number, wear) in shares.iter().enumerate() {
        let top = 2 + number * each;
        let height = each.min(canvas.height().saturating_sub(top));
        let fact = match number {
            0 => "worn.first",
            2 => "worn.third",
            _ if number + 1 == shares.len() => "worn.mean",
            _ => "worn",
        };
        let mut canvas = canvas.part(0, top, width, height);
        if app.learn.lessons.hides(fact) {
            let (n_changed, n_words) = (wear.n_changed, wear.n_words);
            canvas.row(
                0,
                format!(" {n_changed} of {n_words} words: ? (hidden until you have answered)"),
            );
        } else {
            share(wear, k, &mut canvas);
        }
    }
}

/// One row: the result for a number of changed words, and bars of the distances.
fn share(wear: &PerturbationRow, k: u32, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (n, within) = (wear.n_trials(), wear.within(k));
    let (low, high) = interval::jeffreys(within, n, interval::LEVEL);
    let (mean, (from, to)) = (wear.mean(), wear.mean_interval());
    let (changed, near) = (100.0 * wear.share(), 100.0 * f64::from(within) / f64::from(n.max(1)));
    let (low, high) = (100.0 * low, 100.0 * high);
    let text = if canvas.width() < 80 {
        let (n_changed, n_words) = (wear.n_changed, wear.n_words);
        format!(" {n_changed} of {n_words}: d {from:.1}-{to:.1}, k={k}: {low:.0}-{high:.0} %")
    } else {
        format!(
            " {} of {} words ({changed:.1} %): mean d {mean:.1} ({from:.1}-{to:.1}), theory {:.1}; \
             k={k}: {near:.0} % ({low:.0}-{high:.0})",
            grouped(wear.n_changed as u64),
            grouped(wear.n_words as u64),
            wear.expected,
        )
    };
    canvas.row(0, clip(&text, canvas.width() - 1));
    let rows = canvas.height().saturating_sub(2).min(3);
    let cells = canvas.width().saturating_sub(3);
    let most = wear.counts.iter().copied().max().unwrap_or(0).max(1);
    // One or two cells for each distance, up to the last one that occurs.
    let last = wear.counts.iter().rposition(|&n| n > 0).unwrap_or(0).max(k as usize);
    let wide = if 2 * (last + 1) <= cells { 2 } else { 1 };
    for y in 0..rows.max(1) {
        let mut bars = String::from("  ");
        for &n in wear.counts.iter().take(last + 1).take(cells / wide) {
            let eighths = (8 * rows.max(1) as u32 * n).div_ceil(most) as usize;
            let below = 8 * (rows.max(1) - 1 - y);
            let glyph = match eighths.saturating_sub(below).min(8) {
                0 => ' ',
                eighth => theme.glyphs().eighths[eighth - 1],
            };
            bars.extend(std::iter::repeat_n(glyph, wide));
        }
        canvas.row(1 + y, Span::raw(bars));
    }
    if canvas.height() > rows.max(1) + 1 {
        let mut axis = String::from("  ");
        for d in 0..=last.min(cells / wide - 1) {
            let mark = if d as u32 == k {
                "k".to_owned()
            } else if d % 5 == 0 {
                d.to_string()
            } else {
                String::new()
            };
            if 2 + d * wide >= axis.len() {
                axis += &" ".repeat(2 + d * wide - axis.len());
                axis += &mark;
            }
        }
        canvas.row(1 + rows.max(1), Span::styled(axis, theme.muted()));
    }
}
