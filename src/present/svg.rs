//! Pictures as inline SVG: the histogram of distances, and curves of shares.
//!
//! Every bar and every point shows its numbers as a tooltip. The scale of the histogram is logarithmic, because
//! near-duplicates are a few pairs among millions. A line over its bars shows the number expected by chance. Colours
//! come from the style of the page.

use super::page::{Bar, Curves, Histogram, height};
use crate::evaluate::distances::{CountMethod, Estimate};
use crate::evaluate::labels::Share;
use crate::facts::Room;
use crate::facts::figures::share;
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

const PANEL_HEIGHT: f64 = 250.0;
/// Space around the curves: for numbers at the left and below, names above.
const PANEL_LEFT: f64 = 52.0;
const PANEL_RIGHT: f64 = WIDTH - 14.0;
const PANEL_TOP: f64 = 26.0;
const PANEL_BOTTOM: f64 = PANEL_HEIGHT - 42.0;
/// The classes of the curves, in the page's style.
const CLASSES: [&str; 2] = ["one", "two"];

/// The curves, from 0 below to 1 above.
pub(super) fn curves(it: &Curves) -> String {
    let names: Vec<&str> = it.measures.iter().map(|(name, _)| *name).collect();
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {PANEL_HEIGHT}\" role=\"img\" aria-label=\"{} over {}; the table above has the numbers\">\n",
        escape(&names.join(", ")),
        escape(it.over)
    );
    curves_grid(it, &mut out);
    for ((name, values), class) in it.measures.iter().zip(CLASSES) {
        curve(it.over, name, values, class, &mut out);
    }
    out += &format!("<text x=\"{PANEL_LEFT:.1}\" y=\"15\">");
    for (name, class) in names.iter().zip(CLASSES) {
        out += &format!("<tspan class=\"{class}\">{}</tspan>  ", escape(name));
    }
    let mut values = it.measures.iter().flat_map(|(_, values)| values.iter().flatten());
    if values.any(|share| share.low < share.high) {
        out += "| 95 % interval";
    }
    out + "</text>\n</svg>\n"
}

/// The place of a number among the first `n` ones.
fn x_of(at: usize, n: usize) -> f64 {
    let share = at as f64 / (n - 1).max(1) as f64;
    // The circles at both ends must fit.
    PANEL_LEFT + 8.0 + (PANEL_RIGHT - PANEL_LEFT - 16.0) * share
}

fn y_of(share: f64) -> f64 {
    PANEL_BOTTOM - (PANEL_BOTTOM - PANEL_TOP) * share.clamp(0.0, 1.0)
}

/// Horizontal lines with their numbers, and the numbers below.
fn curves_grid(it: &Curves, out: &mut String) {
    for share in (0..=4).map(|n| f64::from(n) / 4.0) {
        let y = y_of(share);
        *out += &format!(
            "<line class=\"grid\" x1=\"{PANEL_LEFT:.1}\" y1=\"{y:.1}\" x2=\"{PANEL_RIGHT:.1}\" y2=\"{y:.1}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{share:.2}</text>\n",
            PANEL_LEFT - 5.0,
            y + 4.0
        );
    }
    let n = it.measures[0].1.len();
    for at in 0..n {
        *out += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{at}</text>\n",
            x_of(at, n),
            PANEL_BOTTOM + 16.0
        );
    }
    *out += &format!(
        "<line class=\"axis\" x1=\"{PANEL_LEFT:.1}\" y1=\"{PANEL_BOTTOM}\" x2=\"{PANEL_RIGHT:.1}\" y2=\"{PANEL_BOTTOM}\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
        f64::midpoint(PANEL_LEFT, PANEL_RIGHT),
        PANEL_HEIGHT - 8.0,
        escape(it.over)
    );
}

fn curve(over: &str, name: &str, values: &[Option<Share>], class: &str, out: &mut String) {
    let known = || {
        let place = |(at, it): (usize, &Option<Share>)| {
            let it = (*it)?;
            Some((at, it, x_of(at, values.len()), y_of(it.value?)))
        };
        values.iter().enumerate().filter_map(place)
    };
    let points: Vec<String> = known().map(|(_, _, x, y)| format!("{x:.1},{y:.1}")).collect();
    *out += &format!("<polyline class=\"curve {class}\" points=\"{}\"/>\n", points.join(" "));
    for (at, it, x, y) in known() {
        if it.low < it.high {
            *out += &format!(
                "<line class=\"whisker\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\n",
                y_of(it.low),
                y_of(it.high)
            );
        }
        let tooltip = format!("{at} {over}: {name} {}", share(1, it, Room::Page));
        *out += &format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"><title>{}</title></circle>\n",
            escape(&tooltip)
        );
    }
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

    #[test]
    fn each_known_share_is_a_point() {
        let shares = |values: [f64; 3]| values.map(|value| Some(Share::exactly(value))).into();
        let recall = Share { value: Some(0.4211), low: 0.3802, high: 0.4631 };
        let measures = vec![
            ("precision", shares([1.0, 0.5, 0.25])),
            ("recall", vec![None, Some(recall), None]),
        ];
        let mut it = Curves { over: "k", measures };
        let svg = curves(&it);
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (2, 4));
        assert_eq!((svg.matches("class=\"axis\"").count(), svg.matches("whisker").count()), (1, 1));
        assert!(svg.contains("<title>2 k: precision 0.250</title>"), "{svg}");
        assert!(svg.contains("recall 0.421 (0.380 to 0.464)"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("\"-"), "{svg}");
        // A whisker is named where there is one.
        assert_eq!(svg.matches("95 % i").count(), 1);
        it.measures.iter_mut().for_each(|(_, values)| values.truncate(1));
        assert!(!curves(&it).contains("NaN"));
    }
}
