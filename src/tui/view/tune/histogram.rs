//! The histogram: one bar for each distance, the curve of distances by chance over the bars, and the marker at k.
//!
//! ```text
//! 10^7|       :                  .oo.          bars up to k are solid or green, others are not
//!     |       :                .######.        o  the binomial of unrelated texts
//!     |####...: ..           ..........        :  k ends here
//!     `+--------+--------
//!      0  ^k=3  8
//! ```

use ratatui::{style::Style, text::Span};

use crate::{
    analysis::{KRow, Tuning},
    app::{
        App,
        screen::tune::distances::{AXIS, DistanceAxis, DistancesLayout},
    },
    evaluate::distances::CountMethod,
    facts::figures::short,
    look::Depth,
    number::grouped,
    present::page::height,
    tui::{
        theme::Theme,
        widget::{
            bar::bar,
            canvas::{Canvas, clip},
        },
    },
};

/// The scale of the bars' heights.
#[derive(Clone, Copy)]
struct Heights {
    highest: f64,
    is_linear: bool,
    /// Eighths of a row of the highest count.
    eighths: f64,
    /// The powers of ten from one label to the next.
    step: usize,
}

impl Heights {
    /// The scale of these rows. On the logarithmic one labels stand evenly: it is the highest one on which there are
    /// whole rows, two or more, from each label to the next.
    fn new(highest: f64, is_linear: bool, rows: usize) -> Self {
        let (decades, last) = ((2.0 * highest).log10(), highest.log10().floor() as usize);
        let mut found = (0.0, last.max(1));
        for step in 1..=(last / 2).max(1) {
            let between = (step as f64 * rows as f64 / decades).floor();
            if !is_linear && between >= 2.0 && between / step as f64 > found.0 {
                found = (between / step as f64, step);
            }
        }
        let rows = if found.0 > 0.0 { found.0 * decades } else { rows as f64 };
        Self { highest, is_linear, eighths: rows * 8.0, step: found.1 }
    }

    /// The height in eighths of a row; at least one for a count above 0.
    fn of(self, count: f64) -> usize {
        if count <= 0.0 {
            return 0;
        }
        let share = if self.is_linear {
            count / self.highest
        } else {
            // The steps from one power of ten to the next are equal.
            height(count.max(1.0), self.highest)
        };
        ((share * self.eighths).round() as usize).max(1)
    }
}

pub(super) fn histogram(app: &App, tuning: &Tuning, layout: DistancesLayout, canvas: &mut Canvas) {
    let scale = layout.scale;
    let (rows, k) = (layout.bars, app.settings.k as usize);
    let cells = scale.n_distances.div_ceil(scale.merged);
    let sum = |cell: usize, of: &dyn Fn(&KRow) -> f64| -> f64 {
        let from = cell * scale.merged;
        tuning.rows[from..(from + scale.merged).min(scale.n_distances)].iter().map(of).sum()
    };
    let counts: Vec<f64> = (0..cells)
        .map(|cell| sum(cell, &|row| row.at_k.map_or(0.0, |at| at.pairs as f64)))
        .collect();
    let chances: Vec<f64> = (0..cells).map(|cell| sum(cell, &|row| row.at_k_by_chance)).collect();
    let highest = counts.iter().chain(&chances).copied().fold(1.0, f64::max);
    let heights = Heights::new(highest, app.tune.distances.is_linear, rows);
    labels(heights, rows, canvas);
    let is_said = has_room_beside(layout, canvas.width());
    for cell in 0..cells {
        let x = scale.column(cell * scale.merged);
        let is_within = cell * scale.merged <= k;
        let look = look(is_within, canvas.theme);
        let height = heights.of(counts[cell]);
        bar(height, look, (x, scale.cells), rows, canvas);
        let ground = look.1.fg.filter(|_| look.0);
        let chance = Some(heights.of(chances[cell])).filter(|_| chances[cell] >= 1.0);
        let bar = if canvas.theme.0.ascii { whole_rows(height) } else { height };
        if let Some(row) = chance.and_then(|it| dot(it, bar, rows, ground.is_some())) {
            let dot = canvas.theme.glyphs().chance.to_string();
            // The colour of the bar stays behind the dot.
            let ground = ground.filter(|_| 8 * row <= bar);
            let style = canvas.theme.strong();
            canvas.at(x, rows - row, Span::styled(dot, Style { bg: ground.or(style.bg), ..style }));
        }
    }
    marker(k, &counts, heights, scale, rows, canvas);
    axis(k, scale, canvas, rows);
    if is_said {
        let x = scale.column(0) + scale.width() + GAP;
        let width = canvas.width().saturating_sub(x);
        beside(app, tuning, &mut canvas.part(x, 0, width, rows));
        for (k, letter) in [(tuning.balanced(), "B"), (tuning.precise(), "P")] {
            let Some(k) = k.filter(|&k| (k as usize) < scale.n_distances) else { continue };
            let strong = canvas.theme.strong();
            canvas.at(scale.column(k as usize), rows, Span::styled(letter, strong));
        }
    }
}

/// The row of the dot for a count by chance, from 1 at the bottom; heights in eighths of a row. It is never the top of
/// the bar, which would look lower or higher then: the dot stands below it or above it, as its count does. A full row
/// stays full where the dot has the colour of the bar as its ground.
fn dot(chance: usize, bar: usize, rows: usize, has_ground: bool) -> Option<usize> {
    let (row, top) = (chance.div_ceil(8).clamp(1, rows.max(1)), bar.div_ceil(8));
    if row != top || bar.is_multiple_of(8) && has_ground {
        return Some(row).filter(|row| *row <= rows);
    }
    let (below, above) = (Some(top - 1).filter(|row| *row > 0), Some(top + 1));
    let above = above.filter(|row| *row <= rows);
    if chance <= bar { below.or(above) } else { above.or(below) }
}

/// The eighths of a bar that consists of whole rows, as `bar` draws it without eighths.
fn whole_rows(eighths: usize) -> usize {
    let rows = (eighths + 4) / 8 * 8;
    if eighths > 0 { rows.max(8) } else { 0 }
}

/// Whether a bar is filled, and its style.
fn look(is_within: bool, theme: Theme) -> (bool, Style) {
    let style = if is_within { theme.good() } else { theme.quiet() };
    (is_within || is_told_by_colour(theme), style)
}

/// Whether bars within k and others differ in colour alone. A pattern has no eighths of a row, so that the tops of bars
/// would look like something else.
pub(super) fn is_told_by_colour(theme: Theme) -> bool {
    theme.0.depth > Depth::None && !theme.0.ascii
}

/// Cells between the bars and the words beside them, and the fewest cells of these words.
const GAP: usize = 3;
const WORDS: usize = 38;

/// Whether the meaning of the bars stands beside them.
pub(super) fn has_room_beside(layout: DistancesLayout, width: usize) -> bool {
    let used = layout.scale.column(0) + layout.scale.width() + GAP;
    layout.bars >= 7 && layout.scale.merged == 1 && width >= used + WORDS
}

/// The meaning of the bars and letters, with the numbers of pairs.
fn beside(app: &App, tuning: &Tuning, canvas: &mut Canvas) {
    let (theme, k) = (canvas.theme, app.settings.k);
    let (glyphs, n_pairs) = (theme.glyphs(), tuning.n_pairs);
    let within = tuning.rows.get(k as usize).and_then(|row| row.pairs);
    let number = |pairs: u64, method: CountMethod| match method {
        CountMethod::Exact => grouped(pairs),
        CountMethod::Sampled => format!("about {}", short(pairs)),
    };
    let full = glyphs.bar[0];
    let mut rows = Vec::new();
    if let Some(within) = within {
        let far = n_pairs.saturating_sub(within.pairs);
        rows.push((
            full,
            theme.good(),
            format!("within k = {k}: {} pairs", number(within.pairs, within.method)),
        ));
        rows.push((
            glyphs.bar[usize::from(!look(false, theme).0)],
            theme.quiet(),
            format!("farther: {} pairs", number(far, within.method)),
        ));
    }
    rows.push((glyphs.chance, theme.strong(), "expected by chance".to_owned()));
    let equal = tuning.rows.first().and_then(|row| row.pairs).filter(|it| it.pairs > 0);
    if let Some((equal, of_texts)) = equal.zip(tuning.threshold_row(0)) {
        rows.push((
            '0',
            theme.strong(),
            format!(
                "d = 0: {} pairs, {} of texts",
                grouped(equal.pairs),
                grouped(of_texts.different)
            ),
        ));
    }
    let [precise, balanced] = [tuning.precise(), tuning.balanced()];
    let (also, balanced) = if precise == balanced { (", balanced", None) } else { ("", balanced) };
    let named = |k: u32, letter, name: String| (letter, theme.strong(), format!("{name} k = {k}"));
    rows.extend(precise.map(|k| named(k, 'P', format!("precise{also}"))));
    rows.extend(balanced.map(|k| named(k, 'B', "balanced".to_owned())));
    for (y, (mark, style, words)) in rows.into_iter().enumerate() {
        canvas.at(0, y, Span::styled(mark.to_string(), style));
        canvas.at(2, y, Span::raw(clip(&words, canvas.width().saturating_sub(3))));
    }
}

/// The labels of the rows: powers of ten, or the highest count.
fn labels(heights: Heights, rows: usize, canvas: &mut Canvas) {
    let muted = canvas.theme.muted();
    let side = canvas.theme.glyphs().corners[4];
    for y in 0..rows {
        canvas.at(6, y, Span::styled(side.to_string(), muted));
    }
    if heights.is_linear {
        canvas.at(0, 0, Span::styled(format!("{:>6}", power(heights.highest)), muted));
        return;
    }
    let last = heights.highest.log10().floor() as usize;
    let row = |exponent: usize| {
        rows.saturating_sub(heights.of(10f64.powi(exponent as i32)).div_ceil(8).max(1))
    };
    for exponent in (0..=last).step_by(heights.step) {
        let label = format!("{:>6}", format!("10^{exponent}"));
        canvas.at(0, row(exponent), Span::styled(label, muted));
    }
}

/// `3.4e7`, for a place of six cells.
fn power(number: f64) -> String {
    if number < 100_000.0 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

/// The end of k, above the bars.
fn marker(
    k: usize,
    counts: &[f64],
    heights: Heights,
    scale: DistanceAxis,
    rows: usize,
    canvas: &mut Canvas,
) {
    if k >= scale.n_distances {
        return;
    }
    let cell = k / scale.merged;
    let x = scale.column(k) + scale.cells;
    let next = counts.get(cell + 1).map_or(0, |&count| heights.of(count));
    let dash = canvas.theme.glyphs().dash.to_string();
    for y in 0..rows.saturating_sub(next.div_ceil(8)) {
        canvas.at(x, y, Span::styled(dash.clone(), canvas.theme.strong()));
    }
}

/// The axis with ticks, and below it the distances and the marker.
fn axis(k: usize, scale: DistanceAxis, canvas: &mut Canvas, rows: usize) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let (corner, rule) = (glyphs.corners[2], glyphs.rule);
    let line: String = std::iter::repeat_n(rule, scale.width() + 1).collect();
    canvas.at(6, rows, Span::styled(format!("{corner}{line}"), theme.muted()));
    let every = [1, 2, 4, 8, 16, 32]
        .into_iter()
        .find(|every| every * scale.cells >= 4 * scale.merged)
        .unwrap_or(64);
    let marker = format!("{}k={k}", glyphs.differs);
    let marked = (k < scale.n_distances).then(|| {
        let x = scale.column(k);
        x..x + marker.chars().count()
    });
    for distance in (0..scale.n_distances).step_by(every) {
        let (x, name) = (scale.column(distance), distance.to_string());
        canvas.at(x, rows, Span::styled(glyphs.tick.to_string(), theme.muted()));
        let is_free =
            marked.as_ref().is_none_or(|marked| x + name.len() < marked.start || x > marked.end);
        if is_free {
            canvas.at(x, rows + 1, Span::styled(name, theme.muted()));
        }
    }
    debug_assert_eq!(AXIS, 2, "a line and the text below it");
    if let Some(marked) = marked {
        canvas.at(marked.start, rows + 1, Span::styled(marker, theme.strong()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_is_never_the_top_of_a_bar() {
        for rows in 1..6 {
            for bar in 0..=8 * rows {
                for chance in 1..=8 * rows {
                    let row = dot(chance, bar, rows, true);
                    let is_full = bar % 8 == 0;
                    assert!(
                        row.is_none_or(|it| it != bar.div_ceil(8) || is_full),
                        "{bar} {chance}"
                    );
                    assert_eq!(row.is_none(), rows == 1 && !is_full, "{bar} {chance}");
                    let far = row.unwrap_or(1).abs_diff(chance.div_ceil(8));
                    assert!(far <= 1, "{bar} {chance} {rows}: {far} rows away");
                    assert_ne!(
                        dot(chance, bar, rows, false),
                        Some(bar.div_ceil(8)).filter(|it| *it > 0)
                    );
                }
            }
        }
    }

    #[test]
    fn labels_stand_evenly() {
        for rows in 2..40 {
            for highest in [1.0, 7.0, 30.0, 352.0, 4e3, 99_999.0, 1.67e8, 2e12] {
                let heights = Heights::new(highest, false, rows);
                let at = |exponent| heights.of(10f64.powi(exponent as i32)).div_ceil(8);
                let last = highest.log10().floor() as usize;
                let labels: Vec<usize> = (0..=last).step_by(heights.step).map(at).collect();
                let steps: Vec<usize> = labels.windows(2).map(|two| two[1] - two[0]).collect();
                let is_even = steps.len() < 2 || steps.iter().all(|it| *it == steps[0] && *it >= 2);
                assert!(is_even, "{rows} {highest}: {labels:?}");
                let top = heights.of(highest);
                assert!(top <= 8 * rows && top > 4 * rows, "{rows} {highest}: {top} eighths");
            }
        }
    }
}
