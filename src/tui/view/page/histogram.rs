//! Bars over distances: pairs of like texts below, all others above them, the number by chance as dots, and a line at k.
//!
//! ```text
//!  10 M |       :                  .oo.          bars up to k are green, like pairs beyond it stand out
//!   1 k |       :                .######.        o  the number by chance
//!     1 |####...: ..           ..........        :  k ends here
//!       `+--------+--------
//!        0  ^3    8
//! ```

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::ClickTarget;
use crate::app::page::Histogram;
use crate::look::Depth;
use crate::present::page::height;
use crate::sign;
use crate::tui::theme::Theme;
use crate::tui::widget::canvas::Canvas;

/// Cells before the first bar.
const BEFORE: usize = 8;
/// Rows of the axis and of the numbers below it.
const AXIS: usize = 2;

/// The scale of the bars' heights.
#[derive(Clone, Copy)]
struct Heights {
    highest: f64,
    /// Eighths of a row of the highest count.
    eighths: f64,
    /// The powers of ten from one label to the next.
    step: usize,
}

impl Heights {
    /// The scale of these rows. Labels stand evenly: it is the highest scale on which there are whole rows, two or more,
    /// from each label to the next.
    fn new(highest: f64, rows: usize) -> Self {
        let (decades, last) = ((2.0 * highest).log10(), highest.log10().floor() as usize);
        let mut found = (0.0, last.max(1));
        for step in 1..=(last / 2).max(1) {
            let between = (step as f64 * rows as f64 / decades).floor();
            if between >= 2.0 && between / step as f64 > found.0 {
                found = (between / step as f64, step);
            }
        }
        let rows = if found.0 > 0.0 { found.0 * decades } else { rows as f64 };
        Self { highest, eighths: rows * 8.0, step: found.1 }
    }

    /// The height in eighths of a row; at least one for a count above 0.
    fn of(self, count: f64) -> usize {
        if count <= 0.0 {
            return 0;
        }
        // The steps from one power of ten to the next are equal.
        ((height(count.max(1.0), self.highest) * self.eighths).round() as usize).max(1)
    }
}

/// The place of each distance along the axis.
#[derive(Clone, Copy)]
struct Scale {
    n: usize,
    /// Cells of one distance.
    cells: usize,
    /// Distances in one cell, where there are more distances than cells.
    merged: usize,
}

impl Scale {
    fn new(n: usize, width: usize) -> Self {
        let room = width.saturating_sub(BEFORE).max(1);
        Self { n, cells: (room / n.max(1)).clamp(1, 6), merged: n.div_ceil(room).max(1) }
    }

    fn column(self, distance: usize) -> usize {
        BEFORE + distance / self.merged * self.cells
    }

    fn width(self) -> usize {
        self.n.div_ceil(self.merged) * self.cells
    }
}

pub(super) fn histogram(histogram: &Histogram, canvas: &mut Canvas) {
    let rows = canvas.height().saturating_sub(AXIS);
    if rows < 2 || histogram.bars.is_empty() {
        return;
    }
    let scale = Scale::new(histogram.bars.len(), canvas.width());
    // Several distances in one cell are one bar.
    let bars: Vec<[f64; 3]> = histogram
        .bars
        .chunks(scale.merged)
        .map(|all| all.iter().fold([0.0; 3], |sum, bar| [0, 1, 2].map(|at| sum[at] + bar[at])))
        .collect();
    let highest = bars.iter().flat_map(|bar| [bar[0], bar[2]]).fold(1.0, f64::max);
    // The row above the highest bar is for the dot of chance.
    let heights = Heights::new(highest, rows - 1);
    labels(heights, rows, canvas);
    for (at, &[count, alike, chance]) in bars.iter().enumerate() {
        let x = scale.column(at * scale.merged);
        let is_within = at * scale.merged <= histogram.k;
        let eighths = [heights.of(count), heights.of(alike.min(count))];
        bar(eighths, is_within, (x, scale.cells), rows, canvas);
        let by_chance = Some(heights.of(chance)).filter(|_| chance >= 1.0);
        if let Some(row) = by_chance.and_then(|it| dot(it, eighths[0], rows)) {
            let mut style = canvas.theme.strong();
            // The colour of the bar stays behind the dot.
            if is_told_by_colour(canvas.theme) && 8 * row <= eighths[0] {
                let of = if 8 * row <= eighths[1] { usize::from(!is_within) } else { 2 };
                style.bg = look(of, canvas.theme).fg;
            }
            canvas.at(x, rows - row, Span::styled(sign::CHANCE.to_string(), style));
        }
        for y in 0..rows {
            let distance = (at * scale.merged) as u32;
            canvas.target(x, y, scale.cells, ClickTarget::Distance(distance));
        }
    }
    let next = bars.get(histogram.k / scale.merged + 1).map_or(0, |bar| heights.of(bar[0]));
    let x = scale.column(histogram.k) + scale.cells;
    let dash = sign::DASH.to_string();
    for y in legend(histogram, x, rows, canvas)..rows.saturating_sub(next.div_ceil(8)) {
        canvas.at(x, y, Span::styled(dash.clone(), canvas.theme.strong()));
    }
    axis(histogram, scale, rows, canvas);
}

/// Draws a bar of all pairs, with that of like pairs in its lower part.
fn bar(
    [all, alike]: [usize; 2],
    is_within: bool,
    (x, width): (usize, usize),
    rows: usize,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let has_colour = is_told_by_colour(theme);
    let like = usize::from(!is_within);
    for row in 0..all.div_ceil(8).min(rows) {
        let of = if 8 * row < alike { like } else { 2 };
        let left = if of == 2 { all } else { alike } - row * 8;
        let glyph = match left {
            8.. => fill(of, theme),
            // Without eighths a cell is full or empty, but every bar has at least one full cell.
            _ if !has_colour && (left >= 4 || row == 0) => fill(of, theme),
            _ if !has_colour => ' ',
            _ => sign::EIGHTHS[left - 1],
        };
        let mut style = look(of, theme);
        // Above the like pairs the others go on.
        if has_colour && of != 2 && left < 8 && all >= 8 * (row + 1) {
            style.bg = look(2, theme).fg;
        }
        canvas.at(x, rows - 1 - row, Span::styled(glyph.to_string().repeat(width), style));
    }
}

/// The style of like pairs within k, of those beyond it, and of all others.
fn look(of: usize, theme: Theme) -> Style {
    [theme.good(), theme.warn(), theme.quiet()][of]
}

/// The glyph of a whole cell of such pairs.
fn fill(of: usize, theme: Theme) -> char {
    let shade = if is_told_by_colour(theme) { 4 } else { [4, 2, 1][of] };
    sign::SHADES[shade]
}

/// Whether bars differ in colour alone. A pattern has no eighths of a row, so that the tops of bars would look like
/// something else.
fn is_told_by_colour(theme: Theme) -> bool {
    theme.0.depth > Depth::None && !theme.0.ascii
}

/// The row of the dot for a count by chance, from 1 at the bottom; heights in eighths of a row. It is never the top of
/// the bar, which would look lower or higher then: the dot stands below it or above it, as its count does.
fn dot(chance: usize, bar: usize, rows: usize) -> Option<usize> {
    let (row, top) = (chance.div_ceil(8).clamp(1, rows.max(1)), bar.div_ceil(8));
    if row != top {
        return Some(row).filter(|row| *row <= rows);
    }
    let (below, above) = (Some(top - 1).filter(|row| *row > 0), Some(top + 1));
    let above = above.filter(|row| *row <= rows);
    if chance <= bar { below.or(above) } else { above.or(below) }
}

/// The labels of the rows: powers of ten.
fn labels(heights: Heights, rows: usize, canvas: &mut Canvas) {
    let muted = canvas.theme.muted();
    let side = sign::CORNERS[4];
    for y in 0..rows {
        canvas.at(BEFORE - 2, y, Span::styled(side.to_string(), muted));
    }
    let last = heights.highest.log10().floor() as usize;
    for exponent in (0..=last).step_by(heights.step) {
        let y = rows.saturating_sub(heights.of(10f64.powi(exponent as i32)).div_ceil(8).max(1));
        let unit = ["", " k", " M", " G", " T"].get(exponent / 3).unwrap_or(&"");
        let label = format!("1{}{unit}", "0".repeat(exponent % 3));
        canvas.at(0, y, Span::styled(format!("{label:>5}"), muted));
    }
}

/// The axis with ticks, and below it the distances and the marker of k.
fn axis(histogram: &Histogram, scale: Scale, rows: usize, canvas: &mut Canvas) {
    let (theme, k) = (canvas.theme, histogram.k);
    let line: String = std::iter::repeat_n(sign::RULE, scale.width() + 1).collect();
    let line = format!("{}{line}", sign::CORNERS[2]);
    canvas.at(BEFORE - 2, rows, Span::styled(line, theme.muted()));
    let every = [1, 2, 4, 8, 16, 32]
        .into_iter()
        .find(|every| every * scale.cells >= 4 * scale.merged)
        .unwrap_or(64);
    let marker = format!("{}k={k}", sign::DIFFERS);
    let marked = scale.column(k)..scale.column(k) + marker.chars().count();
    for distance in (0..scale.n).step_by(every) {
        let (x, name) = (scale.column(distance), distance.to_string());
        canvas.at(x, rows, Span::styled(sign::TICK.to_string(), theme.muted()));
        if x + name.len() < marked.start || x > marked.end {
            canvas.at(x, rows + 1, Span::styled(name, theme.muted()));
        }
    }
    if k < scale.n {
        canvas.at(marked.start, rows + 1, Span::styled(marker, theme.strong()));
    }
}

/// The meaning of the colours, where the picture leaves room: beside the line at k, or over it; in one row where there is
/// no room for all words. Returns the row in which the line begins.
fn legend(histogram: &Histogram, line_at: usize, rows: usize, canvas: &mut Canvas) -> usize {
    let theme = canvas.theme;
    let mark = |of: usize| match of {
        0..3 => Span::styled(fill(of, theme).to_string(), look(of, theme)),
        _ => Span::styled(sign::CHANCE.to_string(), theme.strong()),
    };
    let said = histogram.legend.iter().enumerate().filter(|(_, words)| !words.is_empty());
    let spans = |of, words: &str| [mark(of), Span::styled(format!(" {words}  "), theme.text())];
    let all = said.clone().map(|(of, words)| Line::from_iter(spans(of, words)));
    let brief = said.flat_map(|(of, words)| spans(of, words.split(':').next().unwrap_or(words)));
    for lines in [all.collect(), vec![brief.collect()]] {
        let cells = lines.iter().map(Line::width).max().unwrap_or(0);
        let n = lines.len().min(rows);
        let is_free = |x: &usize| (0..n).all(|y| (x - 1..x + cells).all(|x| canvas.is_blank(x, y)));
        let places = (BEFORE + 1..(canvas.width() + 1).saturating_sub(cells)).filter(is_free);
        let covers = |x: usize| (x - 1..x + cells).contains(&line_at);
        if let Some(x) = places.min_by_key(|&x| covers(x)) {
            for (y, line) in lines.into_iter().take(n).enumerate() {
                canvas.at(x, y, line);
            }
            return if covers(x) { n } else { 0 };
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_is_never_the_top_of_a_bar() {
        for rows in 1..6 {
            for bar in 0..=8 * rows {
                for chance in 1..=8 * rows {
                    let row = dot(chance, bar, rows);
                    assert!(row.is_none_or(|it| it != bar.div_ceil(8)), "{bar} {chance}");
                    assert_eq!(row.is_none(), rows == 1 && bar > 0, "{bar} {chance}");
                    let far = row.unwrap_or(1).abs_diff(chance.div_ceil(8));
                    assert!(far <= 1, "{bar} {chance} {rows}: {far} rows away");
                }
            }
        }
    }

    #[test]
    fn labels_stand_evenly() {
        for rows in 2..40 {
            for highest in [1.0, 7.0, 30.0, 352.0, 4e3, 99_999.0, 1.67e8, 2e12] {
                let heights = Heights::new(highest, rows);
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

    #[test]
    fn distances_share_cells_or_have_several() {
        let scale = |width, n| {
            let Scale { cells, merged, .. } = Scale::new(n, width);
            (cells, merged)
        };
        assert_eq!(scale(80, 65), (1, 1));
        assert_eq!(scale(140, 65), (2, 1));
        assert_eq!(scale(80, 129), (1, 2));
        assert_eq!(scale(80, 9), (6, 1));
    }
}
