//! Wear: the distance of the selected document's fingerprint when some of its words change.

use std::f64::consts::PI;

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    analysis::explained_pair::TRIALS,
    app::App,
    evaluate::{angle, interval},
    explain::PerturbationRow,
    look::Depth,
    number::grouped,
    text::visible,
    tui::{
        theme::Theme,
        widget::{
            bar::bar,
            canvas::{Canvas, clip, fit_id},
        },
    },
};

/// The most rows of the bars of one number of changed words.
const MOST_ROWS: usize = 12;
/// The most cells of a distance.
const MOST_CELLS: usize = 8;
/// Cells of an id that tell it from others.
const LEAST_ID: usize = 20;

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
    let long =
        format!("{part}: {TRIALS} random edits in each row, each under a new hash (d: others)");
    let short = format!("{part}: {TRIALS} random edits a row");
    let fits = |rest: &&String| rest.len() + LEAST_ID.min(id.len()) < width.saturating_sub(1);
    let rest = [&long, &short].into_iter().find(fits).unwrap_or(&part);
    let id = fit_id(&id, id.width().min(width.saturating_sub(rest.len() + 2)));
    canvas.row(0, Span::styled(format!(" {id}{rest}"), canvas.theme.strong()));
    let Some(shares) = &worn.wear else {
        canvas.row(1, "  there are no words to change here");
        return;
    };
    let k = app.learn_k();
    canvas.row(1, legend(k, canvas));
    let each = ((canvas.height().saturating_sub(2)) / shares.len()).clamp(2, MOST_ROWS + 2);
    // One scale for all, so that equal distances are below each other.
    let last = shares.iter().map(|wear| last_shown(wear, &by_theory(wear), k)).max().unwrap_or(0);
    let wide = (width.saturating_sub(3) / (last + 1)).clamp(1, MOST_CELLS);
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
            share(wear, k, wide, &mut canvas);
        }
    }
}

/// One row: the result for a number of changed words, and bars of the distances, each of some cells.
fn share(wear: &PerturbationRow, k: u32, wide: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (n, within) = (wear.n_trials(), wear.within(k));
    let (low, high) = interval::jeffreys(within, n, interval::LEVEL);
    let (mean, (from, to)) = (wear.mean(), wear.mean_interval());
    let (changed, near) = (100.0 * wear.share(), 100.0 * f64::from(within) / f64::from(n.max(1)));
    let (low, high) = (100.0 * low, 100.0 * high);
    let (n_changed, n_words) = (wear.n_changed as u64, wear.n_words as u64);
    let [outside, out] = match wear.n_changed {
        _ if (from..=to).contains(&wear.expected) => ["", ""],
        1 if wear.expected > to => [", outside as few features change", ", outside: few features"],
        _ => [", outside that interval", ", outside"],
    };
    // As much as the row has room for.
    let forms = [
        format!(
            " {} of {} words ({changed:.1} %): mean d {mean:.1} (95 %: {from:.1}-{to:.1}), theory {:.1}{outside}; \
             within k={k}: {near:.0} % (95 %: {low:.0}-{high:.0})",
            grouped(n_changed),
            grouped(n_words),
            wear.expected,
        ),
        format!(
            " {n_changed} of {n_words} words: mean d {mean:.1} ({from:.1}-{to:.1}), theory {:.1}{out}; k={k}: {near:.0} %",
            wear.expected,
        ),
        format!(" {n_changed} of {n_words}: d {from:.1}-{to:.1}, k={k}: {low:.0}-{high:.0} %"),
    ];
    let room = canvas.width().saturating_sub(1);
    let text = forms.iter().find(|form| form.len() <= room).unwrap_or(&forms[2]);
    let text = clip(text, room);
    canvas.row(0, text);
    let rows = canvas.height().saturating_sub(2).clamp(1, MOST_ROWS);
    let cells = canvas.width().saturating_sub(3);
    let theory = by_theory(wear);
    let shown = (last_shown(wear, &theory, k) + 1).min(wear.counts.len()).min(cells / wide);
    let counted = wear.counts[..shown].iter().map(|&n| f64::from(n));
    let most = counted.chain(theory[..shown].iter().copied()).fold(1.0, f64::max);
    let height = |n: f64| (n / most * (8 * rows) as f64).ceil() as usize;
    let (dot, width) = (theme.glyphs().chance.to_string(), canvas.width());
    let mut bars = canvas.part(0, 1, width, rows);
    for (d, (&n, &expected)) in wear.counts.iter().zip(&theory).enumerate().take(shown) {
        let style = style_of(d as u32, k, theme);
        let (x, eighths) = (2 + d * wide, height(n.into()));
        bar(eighths, (true, style), (x, wide), rows, &mut bars);
        if rows > 1 && expected >= 0.5 {
            let above = height(expected).div_ceil(8).clamp(1, rows);
            // A dot on a bar has the bar's colour behind it.
            let is_on_bar = eighths >= 8 * above;
            let ground = style.fg.filter(|_| is_on_bar && theme.has_surfaces());
            let dotted = Style { bg: ground, ..theme.strong() };
            bars.at(x + wide / 2, rows - above, Span::styled(dot.clone(), dotted));
        }
    }
    if canvas.height() > rows + 1 {
        let mut axis = String::from("  ");
        for d in 0..shown {
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
        canvas.row(1 + rows, Span::styled(axis, theme.muted()));
    }
}

/// The last distance that occurs or that theory expects, at least k.
fn last_shown(wear: &PerturbationRow, theory: &[f64], k: u32) -> usize {
    let occurs = |d: usize| wear.counts[d] > 0 || theory[d] >= 0.5;
    (0..wear.counts.len()).rfind(|&d| occurs(d)).unwrap_or(0).max(k as usize)
}

/// The trials that theory expects at each distance: each bit differs with the same chance, independent of the others.
fn by_theory(wear: &PerturbationRow) -> Vec<f64> {
    let width = wear.counts.len().saturating_sub(1) as u32;
    let cosine = (PI * wear.expected / f64::from(width.max(1))).cos();
    let within = |d: u32| angle::within(cosine, d, width);
    let at = |d: u32| within(d) - d.checked_sub(1).map_or(0.0, within);
    (0..=width).map(|d| f64::from(wear.n_trials()) * at(d)).collect()
}

/// The style of the bar of a distance.
fn style_of(d: u32, k: u32, theme: Theme) -> Style {
    if d <= k { theme.good() } else { theme.quiet() }
}

/// The meaning of the bars and dots; without colours the axis alone tells where k is.
fn legend(k: u32, canvas: &Canvas) -> Line<'static> {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let bar = |style| Span::styled(glyphs.bar[0].to_string(), style);
    let mut spans = vec![Span::raw(" ")];
    if theme.0.depth > Depth::None {
        spans.extend([bar(theme.good()), Span::raw(format!(" within k = {k}  "))]);
        spans.extend([bar(theme.quiet()), Span::raw(" farther  ")]);
    }
    spans
        .extend([Span::styled(glyphs.chance.to_string(), theme.strong()), Span::raw(" by theory")]);
    Line::from(spans)
}
