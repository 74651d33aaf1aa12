//! Pictures for a paper or a slide: complete SVG files with all colours in them.
//!
//! Programs that convert SVG to PDF do not know CSS variables, so the colours of the light page are written
//! out.

use std::fmt::Write as _;

use super::{curves::Curves, curves_svg, html::escape, page::Histogram, svg};

const WIDTH: f64 = 720.0;
/// Height of the area of the lines.
const PLOT: f64 = 300.0;
/// Height of a line's name above that area.
const NAME: f64 = 18.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 54.0;
const BOTTOM: f64 = 52.0;
/// Space for the title above a picture of the report.
const TITLE: f64 = 36.0;
/// The colours of the series, far apart for most kinds of colour vision (Okabe and Ito, 2008).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// The dashes of the series, so that they differ in black and white.
const DASHES: [&str; 6] = ["none", "7 4", "2 3", "10 3 2 3", "4 2", "1 2"];

/// Lines over a shared axis.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// The title.
    pub title: String,
    /// The name of the axis.
    pub axis: String,
    /// The ends of the axis.
    pub ends: (f64, f64),
    /// The largest value shown; the smallest is 0.
    pub top: f64,
    /// The lines.
    pub series: Vec<PlotSeries>,
}

/// A line.
#[derive(Clone, Debug, Default)]
pub struct PlotSeries {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The ends of each point's interval; empty if the points are exact.
    pub intervals: Vec<(f64, f64)>,
}

/// Lines as a picture, with their names above.
pub fn plot(it: &Plot) -> String {
    let above = TOP + NAME * it.series.len() as f64;
    let height = above + PLOT + BOTTOM;
    let mut out = opened(height, &it.title);
    let x =
        |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * (value - it.ends.0) / (it.ends.1 - it.ends.0);
    let y = |share: f64| above + PLOT * (1.0 - share / it.top);
    let decimals = |step: f64| usize::from(step.fract() != 0.0) + usize::from(step < 0.1);
    let step = step_of(it.top);
    for at in 0..=(it.top / step).round() as u32 {
        let share = step * f64::from(at);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\"/>\n\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{share:.4$}</text>\n",
            y(share),
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(share) + 4.0,
            decimals(step)
        );
    }
    let step = step_of(it.ends.1 - it.ends.0);
    for at in 0..=((it.ends.1 - it.ends.0) / step + 1e-9) as u32 {
        let value = it.ends.0 + step * f64::from(at);
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value:.2$}</text>",
            x(value),
            height - BOTTOM + 18.0,
            decimals(step)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        height - 12.0,
        escape(&it.axis)
    );
    for (number, series) in it.series.iter().enumerate() {
        let (colour, dash) = (COLOURS[number % COLOURS.len()], DASHES[number % DASHES.len()]);
        let place = |(at, share): (f64, f64)| format!("{:.1},{:.1}", x(at), y(share));
        let points: Vec<String> = series.points.iter().copied().map(place).collect();
        if series.intervals.len() == series.points.len() {
            let end = |upper: bool| {
                let ends = series.points.iter().zip(&series.intervals);
                ends.map(move |(&(at, _), &(low, high))| {
                    place((at, if upper { high } else { low }))
                })
            };
            let band: Vec<String> =
                end(true).chain(end(false).collect::<Vec<_>>().into_iter().rev()).collect();
            let _ = writeln!(
                out,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>",
                band.join(" ")
            );
        }
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{dash}\"/>",
            points.join(" ")
        );
        let top = TOP - 8.0 + NAME * number as f64;
        let _ = write!(
            out,
            "<line x1=\"{0}\" y1=\"{top}\" x2=\"{1}\" y2=\"{top}\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{dash}\"/>\n\
             <text x=\"{2}\" y=\"{3}\">{4}</text>\n",
            LEFT + 12.0,
            LEFT + 44.0,
            LEFT + 52.0,
            top + 4.0,
            escape(&series.name)
        );
    }
    out + "</svg>\n"
}

/// The distance between two numbers on an axis, so that there are at most ten.
fn step_of(range: f64) -> f64 {
    let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 1.0, 2.0, 4.0, 8.0, 16.0];
    steps.into_iter().find(|step| range / step <= 10.0 + 1e-9).unwrap_or(range / 8.0)
}

/// A histogram as a picture.
pub fn histogram(it: &Histogram, title: &str) -> String {
    complete(&svg::histogram(it), 300.0, title)
}

/// Curves as a picture.
pub fn curves(it: &Curves, title: &str) -> String {
    complete(&curves_svg::curves(it), 250.0, title)
}

/// A picture of the report with a title and its own style.
fn complete(picture: &str, height: f64, title: &str) -> String {
    let inner = picture.replacen(
        "<svg ",
        &format!("<svg y=\"{TITLE}\" width=\"{WIDTH}\" height=\"{height}\" "),
        1,
    );
    opened(height + TITLE, title) + &inner + "</svg>\n"
}

/// The beginning of a picture: background and title.
fn opened(height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n\
         <style>\n{}</style>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" style=\"font-size: 15px; font-weight: 600; fill: #1b1f24\">{}</text>\n",
        style(),
        escape(title)
    )
}

/// The rules of the report for pictures, with the colours of its light page in place of their variables.
fn style() -> String {
    let css = include_str!("../../assets/report.css");
    let light = css.split_once(":root {").and_then(|(_, rest)| Some(rest.split_once('}')?.0));
    let names = light.unwrap_or_default().split(';').filter_map(|rule| rule.split_once(':'));
    let names: Vec<(&str, &str)> = names
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, _)| name.starts_with("--"))
        .collect();
    let rules = css.lines().filter(|line| line.starts_with("svg "));
    rules
        .map(|rule| {
            let named = |rule: String, (name, value): &(&str, &str)| {
                rule.replace(&format!("var({name})"), value)
            };
            names.iter().fold(rule.to_owned(), named) + "\n"
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_a_complete_file() {
        let series = PlotSeries {
            name: "a < b".to_owned(),
            points: vec![(0.0, 0.0), (1.0, 1.0)],
            intervals: vec![(0.0, 0.1), (0.9, 1.0)],
        };
        let plot = plot(&Plot {
            title: "T & U".to_owned(),
            axis: "cosine".to_owned(),
            ends: (0.0, 1.0),
            top: 1.0,
            series: vec![series],
        });
        assert!(plot.starts_with("<svg xmlns=") && plot.ends_with("</svg>\n"));
        assert!(plot.contains("T &amp; U") && plot.contains("a &lt; b"), "{plot}");
        assert!(!plot.contains("var(--"), "{plot}");
        assert!(plot.contains("<polygon") && plot.contains("60.0,372.0"), "{plot}");
    }
}
