//! The histogram of distances as inline SVG.
//!
//! Every bar shows its numbers as a tooltip. The scale is logarithmic, because
//! near-duplicates are a few pairs among millions. A line over its bars shows the number expected by chance. Colours
//! come from the style of the page.

use super::page::{Bar, Histogram, height};
use crate::evaluate::distances::{CountMethod, Estimate};
use crate::number::{counted, grouped, rounded};
use crate::text::visible;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// Space around the bars: for powers of ten at the left, distances below.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 44.0;
/// The largest number of distances that are written below the bars.
const MOST_LABELS: usize = 17;

/// The histogram.
pub(super) fn histogram(it: &Histogram) -> String {
    let scale = Scale::new(it);
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"histogram-title histogram-words\">\n\
         <title id=\"histogram-title\">How far apart all pairs of documents are</title>\n\
         <desc id=\"histogram-words\">{}</desc>\n",
        escape(&it.in_words)
    );
    scale.grid(&mut out);
    for (distance, bar) in it.bars.iter().enumerate() {
        scale.bar(distance, bar, it.k, &mut out);
    }
    scale.chance(&it.bars, &mut out);
    let edge = scale.left_of(it.k as usize + 1);
    let (anchor, at) = if edge > WIDTH / 2.0 { ("end", edge - 5.0) } else { ("start", edge + 5.0) };
    out += &format!(
        "<line class=\"k\" x1=\"{edge:.1}\" y1=\"4\" x2=\"{edge:.1}\" y2=\"{:.1}\"/>\n\
         <text class=\"k\" x=\"{at:.1}\" y=\"15\" text-anchor=\"{anchor}\">k = {}</text>\n</svg>\n",
        HEIGHT - BOTTOM,
        it.k
    );
    out
}

/// The mapping of values to positions.
struct Scale {
    n_bars: usize,
    most: f64,
}

impl Scale {
    fn new(it: &Histogram) -> Self {
        let highest = |bar: &Bar| (bar.pairs.high.max(bar.pairs.pairs) as f64).max(bar.by_chance);
        Self { n_bars: it.bars.len(), most: it.bars.iter().map(highest).fold(10.0, f64::max) }
    }

    fn left_of(&self, distance: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * distance as f64 / self.n_bars as f64
    }

    fn middle_of(&self, distance: usize) -> f64 {
        f64::midpoint(self.left_of(distance), self.left_of(distance + 1))
    }

    fn top_of(&self, pairs: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * height(pairs, self.most)
    }

    /// Powers of ten, distances, and the names of both axes.
    fn grid(&self, out: &mut String) {
        let powers = self.most.log10().floor() as usize;
        for power in (0..=powers).step_by(powers / 6 + 1) {
            let (number, y) = (10_u64.pow(power as u32), self.top_of(10f64.powi(power as i32)));
            *out += &format!(
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                short(number)
            );
        }
        let step =
            [1, 2, 4, 8, 16].into_iter().find(|step| self.n_bars.div_ceil(*step) <= MOST_LABELS);
        for distance in (0..self.n_bars).step_by(step.unwrap_or(16)) {
            *out += &format!(
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{distance}</text>\n",
                self.middle_of(distance),
                HEIGHT - BOTTOM + 16.0
            );
        }
        *out += &format!(
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\"/>\n\
             <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">distance, in bits</text>\n\
             <text x=\"{LEFT}\" y=\"15\" text-anchor=\"end\">pairs</text>\n",
            WIDTH - RIGHT,
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 8.0,
            y = HEIGHT - BOTTOM,
        );
    }

    fn bar(&self, distance: usize, bar: &Bar, k: u32, out: &mut String) {
        let (x, width) = (self.left_of(distance), self.left_of(1) - self.left_of(0));
        let Estimate { pairs, low, high, method } = bar.pairs;
        let y = self.top_of(pairs as f64);
        let class = if distance <= k as usize { "near" } else { "far" };
        let is_exact = method == CountMethod::Exact;
        let interval = if is_exact {
            String::new()
        } else {
            format!(" ({} to {})", grouped(low), grouped(high))
        };
        let tooltip = format!(
            "distance {distance}: {}{interval}, {} by chance",
            counted(pairs, "pair"),
            rounded(bar.by_chance)
        );
        *out += &format!(
            "<rect class=\"bar {class}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>\n",
            x + 0.1 * width,
            0.8 * width,
            HEIGHT - BOTTOM - y,
            escape(&tooltip)
        );
        let (x, low, high) =
            (self.middle_of(distance), self.top_of(low as f64), self.top_of(high as f64));
        if !is_exact && low - high >= 1.0 {
            *out += &format!(
                "<line class=\"whisker\" x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\"/>\n"
            );
        }
    }

    /// The line of the number expected by chance, where it is at least half a pair.
    fn chance(&self, bars: &[Bar], out: &mut String) {
        let points: Vec<String> = bars
            .iter()
            .enumerate()
            .filter(|(_, bar)| bar.by_chance > 0.5)
            .map(|(at, bar)| format!("{:.1},{:.1}", self.middle_of(at), self.top_of(bar.by_chance)))
            .collect();
        if points.len() > 1 {
            *out += &format!(
                "<polyline class=\"chance\" points=\"{}\"/>\n\
                 <text class=\"chance\" x=\"{}\" y=\"15\" text-anchor=\"end\">expected by chance</text>\n",
                points.join(" "),
                WIDTH - RIGHT
            );
        }
    }
}

/// A power of ten in few characters: `100`, `10k`, `1M`, `1e12`.
fn short(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..1_000_000_000 => format!("{}M", number / 1_000_000),
        _ => format!("1e{}", number.ilog10()),
    }
}

/// Escapes text, so that HTML treats it as text between tags and in quoted attributes, and spells out what a terminal
/// or a browser would obey.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in visible(text).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_bar_for_each_distance_inside_the_picture() {
        let bar = |n: u64| {
            let (pairs, high, method) = (n * n * n, n * n * n, CountMethod::Sampled);
            Bar { pairs: Estimate { pairs, low: 0, high, method }, by_chance: n as f64 }
        };
        for n_bars in [2, 9, 65, 129] {
            let it =
                Histogram { bars: (0..n_bars).map(bar).collect(), k: 1, in_words: "a < b".into() };
            let svg = histogram(&it);
            assert_eq!(svg.matches("class=\"bar ").count(), n_bars as usize);
            assert_eq!(svg.matches("class=\"bar near").count(), 2);
            assert_eq!(svg.contains(">expected by chance<"), svg.contains("<polyline"));
            assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("-0."));
        }
        let nothing = Histogram { bars: vec![Bar::default(); 65], ..Histogram::default() };
        assert!(histogram(&nothing).contains("height=\"0.0\""));
    }

    #[test]
    fn powers_of_ten_are_short() {
        let written = [1, 100, 10_000, 1_000_000, 1_000_000_000_000].map(short);
        assert_eq!(written, ["1", "100", "10k", "1M", "1e12"]);
    }
}
