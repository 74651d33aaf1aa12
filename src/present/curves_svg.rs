//! Curves as inline SVG: a panel for each unit, side by side; every point shows its numbers as a tooltip.

use super::{
    curves::{Curves, Measure, Unit, Value},
    html::escape,
};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 250.0;
/// Space around a panel: for numbers at the left and below, names above.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 42.0;
/// The classes of the curves of a panel, in the page's style.
const CLASSES: [&str; 3] = ["one", "two", "three"];
/// The largest number of horizontal lines in a panel.
const MOST_LINES: usize = 6;

/// The picture.
pub(super) fn curves(it: &Curves) -> String {
    let of_unit = |unit| it.measures.iter().filter(|measure| measure.unit == unit).collect();
    let panels: [Vec<&Measure>; 3] = [Unit::Count, Unit::Share, Unit::Seconds].map(of_unit);
    let panels: Vec<_> = panels.into_iter().filter(|measures| !measures.is_empty()).collect();
    let names: Vec<&str> = it.measures.iter().map(|measure| measure.name).collect();
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} over {}; the table below has the numbers\">\n",
        escape(&names.join(", ")),
        escape(it.over)
    );
    let width = WIDTH / panels.len().max(1) as f64;
    for (at, measures) in panels.into_iter().enumerate() {
        let most = measures.iter().map(|measure| measure.most()).fold(0.0, f64::max);
        let (left, right) = (at as f64 * width + LEFT, (at + 1) as f64 * width - RIGHT);
        Panel { it, measures, most, left, right }.draw(&mut out);
    }
    out + "</svg>\n"
}

/// The measures of one unit, and the position of their panel.
struct Panel<'a> {
    it: &'a Curves,
    measures: Vec<&'a Measure>,
    most: f64,
    left: f64,
    right: f64,
}

impl Panel<'_> {
    fn draw(&self, out: &mut String) {
        self.grid(out);
        for (measure, class) in self.measures.iter().zip(CLASSES.into_iter().cycle()) {
            self.curve(measure, class, out);
        }
        *out += &format!("<text x=\"{:.1}\" y=\"15\">", self.left);
        for (measure, class) in self.measures.iter().zip(CLASSES.into_iter().cycle()) {
            *out += &format!("<tspan class=\"{class}\">{}</tspan>  ", escape(measure.name));
        }
        let values = self.measures.iter().flat_map(|measure| measure.values.iter().flatten());
        if values.into_iter().any(|value| value.interval.is_some()) {
            *out += "| 95 % interval";
        }
        *out += "</text>\n";
    }

    fn x(&self, at: usize) -> f64 {
        let points = &self.it.points;
        let (first, last) = (points[0], points[points.len() - 1]);
        let share = f64::from(points[at] - first) / f64::from((last - first).max(1));
        // The circles at both ends must fit.
        self.left + 8.0 + (self.right - self.left - 16.0) * share
    }

    fn y(&self, value: f64) -> f64 {
        let bottom = HEIGHT - BOTTOM;
        bottom - (bottom - TOP) * self.measures[0].height(value, self.most)
    }

    /// Horizontal lines with their numbers, and the points below.
    fn grid(&self, out: &mut String) {
        let lines: Vec<(f64, String)> = match self.measures[0].unit {
            Unit::Share => {
                (0..=4).map(|n| f64::from(n) / 4.0).map(|it| (it, format!("{it:.2}"))).collect()
            }
            Unit::Count => {
                let powers = self.most.log10().floor().max(0.0) as usize;
                let shown = (0..=powers).step_by(powers / MOST_LINES + 1);
                shown.map(|power| (10f64.powi(power as i32), format!("1e{power}"))).collect()
            }
            Unit::Seconds => {
                // Two significant digits.
                let digits = (1.0 - self.most.log10().floor()).max(0.0) as usize;
                [0.0, self.most / 2.0, self.most].map(|it| (it, format!("{it:.digits$}"))).into()
            }
        };
        let (left, right, bottom) = (self.left, self.right, HEIGHT - BOTTOM);
        for (value, name) in lines {
            let y = self.y(value);
            *out += &format!(
                "<line class=\"grid\" x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>\n",
                left - 5.0,
                y + 4.0
            );
        }
        for (at, point) in self.it.points.iter().enumerate() {
            *out += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{point}</text>\n",
                self.x(at),
                bottom + 16.0
            );
        }
        *out += &format!(
            "<line class=\"axis\" x1=\"{left:.1}\" y1=\"{bottom}\" x2=\"{right:.1}\" y2=\"{bottom}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            f64::midpoint(left, right),
            HEIGHT - 8.0,
            escape(&if self.it.of.is_empty() {
                self.it.over.to_owned()
            } else {
                format!("{}; {}", self.it.over, self.it.of)
            })
        );
    }

    fn curve(&self, measure: &Measure, class: &str, out: &mut String) {
        let known = || measure.values.iter().enumerate().filter_map(|(at, it)| Some((at, (*it)?)));
        let points: Vec<String> =
            known().map(|(at, it)| format!("{:.1},{:.1}", self.x(at), self.y(it.value))).collect();
        *out += &format!("<polyline class=\"curve {class}\" points=\"{}\"/>\n", points.join(" "));
        for (at, Value { value, interval }) in known() {
            let (x, y) = (self.x(at), self.y(value));
            if let Some((low, high)) = interval {
                *out += &format!(
                    "<line class=\"whisker\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\n",
                    self.y(low),
                    self.y(high)
                );
            }
            let tooltip = format!(
                "{} {}: {} {}",
                self.it.points[at],
                self.it.over,
                measure.name,
                measure.text(at)
            );
            *out += &format!(
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"><title>{}</title></circle>\n",
                escape(&tooltip)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::curves::tests, *};

    #[test]
    fn each_known_number_is_a_point_in_the_panel_of_its_unit() {
        let svg = curves(&tests::curves());
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (4, 10));
        assert_eq!((svg.matches("class=\"axis\"").count(), svg.matches("whisker").count()), (3, 1));
        assert!(svg.contains("<title>10 bands: candidates 12,345</title>"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("\"-"), "{svg}");
        // Each panel says what was measured, and a whisker is named where there is one.
        assert_eq!(
            (svg.matches(">bands; 72 bits<").count(), svg.matches("95 % i").count()),
            (3, 1)
        );
        let mut one = tests::curves();
        one.points.truncate(1);
        one.measures.iter_mut().for_each(|measure| measure.values.truncate(1));
        assert!(!curves(&one).contains("NaN"));
    }
}
