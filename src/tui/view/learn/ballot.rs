//! The table of votes of a short fingerprint: a row for each feature, a column for each bit, and the sums in numbers.
//!
//! A row is a feature's weight times the +1 and -1 of its hash. A column is a direction: its sum is the dot product of
//! the text's weights with the +1 and -1 of that column.

use ratatui::text::{Line, Span};

use super::rows::pointer;
use crate::{
    app::App,
    explain::{
        VoteTally,
        bit_margins::vote,
        figures::{signed, weight},
    },
    feature::FixedWeight,
    simhash::WeightedFeature,
    text::visible,
    tui::widget::canvas::{Canvas, clip, fit},
};

/// The most bits, since more columns of numbers do not fit.
const MOST_BITS: u32 = 16;
/// The least and the most cells of a feature's name.
const NAME: std::ops::RangeInclusive<usize> = 8..=22;
/// The least and the most cells of a column.
const COLUMN: std::ops::RangeInclusive<usize> = 4..=8;

/// The width of names and columns, if the table for this number of bits fits.
fn columns(bits: u32, width: usize) -> Option<(usize, usize)> {
    let bits = bits as usize;
    let name = width.saturating_sub(bits * 6).clamp(*NAME.start(), *NAME.end());
    let column = (width.saturating_sub(name + 2) / bits).min(*COLUMN.end());
    (bits <= MOST_BITS as usize && column >= *COLUMN.start()).then_some((name, column))
}

/// Whether the table for this number of bits fits.
pub(super) fn fits(bits: u32, width: usize) -> bool {
    columns(bits, width).is_some()
}

/// Rows below the features: a line, the sums, the bits and the cursor.
pub(super) const BELOW: usize = 4;

/// Rows of features, then the sums and their bits.
pub(super) fn draw(app: &App, features: &[WeightedFeature], now: &VoteTally, canvas: &mut Canvas) {
    let Some((name, column)) = columns(now.votes.width(), canvas.width()) else { return };
    let theme = canvas.theme;
    let step = &app.learn.step;
    let looked_at = step.bit(&app.learn.playground);
    let bits = || (0..now.votes.width()).rev();
    let cells = |label: &str, cell: &dyn Fn(u32) -> (String, ratatui::style::Style)| {
        let mut spans = vec![Span::raw(fit(label, name))];
        spans.extend(bits().map(|bit| {
            let (text, style) = cell(bit);
            Span::styled(format!("{text:>column$}"), style)
        }));
        Line::from(spans)
    };
    let strong_if = |is: bool| if is { theme.strong() } else { theme.text() };
    let number = |bit: u32| {
        let style = if bit == looked_at { theme.strong() } else { theme.muted() };
        (bit.to_string(), style)
    };
    canvas.row(0, cells(&format!(" {:>width$}", "bit", width = name - 1), &number));
    let room = canvas.height().saturating_sub(1 + BELOW).max(1);
    let apart = if room > 2 * features.len() { 2 } else { 1 };
    let shown = room / apart;
    let top = step.cast.saturating_sub(shown / 2 + 1).min(features.len().saturating_sub(shown));
    let mut y = 1 + (apart - 1);
    for (number, feature) in features.iter().enumerate().skip(top).take(shown) {
        let is_last = number + 1 == step.cast;
        let mark = match number {
            _ if is_last => theme.glyphs().cursor,
            _ if number < step.cast => theme.glyphs().kept,
            _ => theme.glyphs().none,
        };
        let times = weight(feature.weight).to_string();
        let shingle = fit(&visible(&feature.shingle), name.saturating_sub(times.len() + 5));
        let label = format!("{mark} {shingle} x{times}");
        if number < step.cast {
            let cell = |bit: u32| {
                let is_one = vote(feature.hash, bit) * feature.weight.0 > 0;
                let sign = if is_one { '+' } else { '-' };
                (format!("{sign}{times}"), strong_if(is_one || is_last))
            };
            canvas.row(y, cells(&label, &cell));
        } else {
            canvas.row(y, Span::styled(label, theme.muted()));
        }
        y += apart;
    }
    let hides = app.learn.lessons.hides("sums");
    let line = theme.glyphs().rule.to_string().repeat(column * now.votes.width() as usize);
    canvas.at(name, y, Span::styled(line, theme.muted()));
    let sum = |bit: u32| {
        let total = now.votes.fixed(bit);
        let text = match (hides, total) {
            (true, _) => "?".to_owned(),
            (false, 0) => "0".to_owned(),
            _ => signed(FixedWeight(total)),
        };
        (text, strong_if(total > 0 && !hides))
    };
    canvas.row(y + 1, cells("  sum", &sum));
    let value = |bit: u32| {
        let text = match (hides, step.cast) {
            (true, _) => "?",
            (false, 0) => "..",
            _ if now.bit(bit) => "1",
            _ => "0",
        };
        (text.to_owned(), theme.strong())
    };
    canvas.row(y + 2, cells("  bit", &value));
    let (pointed, style) = pointer(theme);
    let mark = |bit: u32| {
        let glyph = if bit == looked_at { pointed } else { ' ' };
        (glyph.to_string(), style)
    };
    canvas.row(y + 3, cells("", &mark));
}

/// Bars of the sums, above or below a line, if there is room for them.
pub(super) fn bars(now: &VoteTally, canvas: &mut Canvas) {
    let Some((name, column)) = columns(now.votes.width(), canvas.width()) else { return };
    let half = (canvas.height().saturating_sub(1) / 2).min(5);
    if half < 2 {
        return;
    }
    let theme = canvas.theme;
    let most =
        (0..now.votes.width()).map(|bit| now.votes.fixed(bit).abs()).max().unwrap_or(0).max(1);
    let line = theme.glyphs().rule.to_string().repeat(column * now.votes.width() as usize);
    canvas.at(name, half, Span::styled(line, theme.muted()));
    canvas.at(1, 0, Span::styled("1", theme.muted()));
    canvas.at(1, half, Span::styled("0 votes", theme.muted()));
    canvas.at(1, 2 * half, Span::styled("0", theme.muted()));
    let bar = theme.glyphs().one.to_string().repeat(column.saturating_sub(2).min(3));
    for (place, bit) in (0..now.votes.width()).rev().enumerate() {
        let total = now.votes.fixed(bit);
        let rows = (total.unsigned_abs() as usize * half).div_ceil(most as usize);
        let x = name + (place + 1) * column - bar.chars().count();
        for row in 1..=rows {
            let y = if total > 0 { half - row } else { half + row };
            let style = if total > 0 { theme.block(0) } else { theme.block(1) };
            canvas.at(x, y, Span::styled(bar.clone(), style));
        }
    }
}

/// The column of a bit as a dot product.
pub(super) fn column_sentence(
    app: &App,
    features: &[WeightedFeature],
    now: &VoteTally,
    width: usize,
) -> String {
    let bit = app.learn.step.bit(&app.learn.playground);
    let cast = &features[..app.learn.step.cast.min(features.len())];
    if cast.is_empty() {
        return "no feature has voted: every sum is 0".to_owned();
    }
    let terms: Vec<String> = cast
        .iter()
        .map(|feature| {
            let sign = if vote(feature.hash, bit) * feature.weight.0 > 0 { "+1" } else { "-1" };
            format!("{} x {sign}", weight(feature.weight))
        })
        .collect();
    let sum = if app.learn.lessons.hides("sums") {
        "?".to_owned()
    } else {
        let total = now.votes.fixed(bit);
        format!("{}, so {}", weight(FixedWeight(total)), u8::from(now.bit(bit)))
    };
    clip(&format!("bit {bit}: {} = {sum}", terms.join(" + ")), width)
}
