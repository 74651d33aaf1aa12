//! Measures for several values of a parameter: rows of numbers with bars in text, curves in SVG.

use unicode_width::UnicodeWidthStr;

use super::page::{PageRow, PageTable, height};
use crate::number::{expected_short, grouped};

/// Cells of the shortest and of the longest bar.
const BAR: [usize; 2] = [6, 20];

/// Measures for several values of a parameter.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// The name of the parameter.
    pub over: &'static str,
    /// The measured things, for the picture: empty, or such as `fingerprints of 72 bits`.
    pub of: String,
    /// Its values, ascending.
    pub points: Vec<u32>,
    /// The measures, the most useful first; measures with the same unit share a picture.
    pub measures: Vec<Measure>,
}

/// A measure for every value of the parameter.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// Its values, one for each value of the parameter; `None` if unknown.
    pub values: Vec<Option<Value>>,
}

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share, 0 to 1.
    Share,
    /// A number of pairs, drawn on a logarithmic scale.
    Count,
    /// Seconds.
    Seconds,
}

/// A value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The value, or its estimate.
    pub value: f64,
    /// The ends of the 95 % interval; `None` if the value is exact.
    pub interval: Option<(f64, f64)>,
}

impl Value {
    /// An exact value.
    pub fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }
}

impl Unit {
    /// Writes `0.421`, `12,345` or `0.120`; the ends of an interval are rounded outwards.
    pub fn write(self, it: Value) -> String {
        let number = |value: f64| match self {
            Self::Share | Self::Seconds => format!("{value:.3}"),
            Self::Count if value.fract() == 0.0 => grouped(value as u64),
            Self::Count => expected_short(value),
        };
        match it.interval {
            None => number(it.value),
            Some((low, high)) => {
                let (low, high) = ((low * 1e3).floor() / 1e3, (high * 1e3).ceil() / 1e3);
                format!("{} ({} to {})", number(it.value), number(low), number(high))
            }
        }
    }
}

impl Measure {
    /// The value at a point in words; `-` if unknown.
    pub(super) fn text(&self, at: usize) -> String {
        self.values[at].map_or_else(|| "-".to_owned(), |value| self.unit.write(value))
    }

    /// The largest value or end of an interval, at least 1 for counts.
    pub(super) fn most(&self) -> f64 {
        let high = |it: &Value| it.interval.map_or(it.value, |(_, high)| high.max(it.value));
        // Times of a few milliseconds say nothing, so they have no long bars.
        let least = if self.unit == Unit::Seconds { 0.02 } else { 1.0 };
        self.values.iter().flatten().map(high).fold(least, f64::max)
    }

    /// The height of a value, 0 to 1; `most` has height 1.
    pub(super) fn height(&self, value: f64, most: f64) -> f64 {
        match self.unit {
            Unit::Share | Unit::Seconds => (value / most).clamp(0.0, 1.0),
            Unit::Count => height(value, most),
        }
    }

    fn cells(&self) -> usize {
        let texts = (0..self.values.len()).map(|at| self.text(at).width());
        texts.chain([self.name.width()]).max().unwrap_or(0)
    }
}

impl Curves {
    /// The numbers as a table.
    pub(super) fn table(&self) -> PageTable {
        let names = self.measures.iter().map(|measure| measure.name);
        let row = |(at, point): (usize, &u32)| {
            let cells = self.measures.iter().map(|measure| measure.text(at));
            let cells = [point.to_string()].into_iter().chain(cells).collect();
            PageRow { cells, ..PageRow::default() }
        };
        PageTable {
            caption: "The numbers of the picture".to_owned(),
            columns: [self.over].into_iter().chain(names).collect(),
            n_words: 0,
            rows: self.points.iter().enumerate().map(row).collect(),
        }
    }

    /// A row for each point in `width` cells, with a number and a bar for each measure. Measures that do not
    /// fit follow in rows of their own.
    pub fn rows(&self, width: usize) -> Vec<String> {
        let first = self.points.iter().map(|point| point.to_string().len());
        let first = first.chain([self.over.width()]).max().unwrap_or(0);
        let (mut rows, mut rest) = (Vec::new(), &self.measures[..]);
        // If bars leave no room for two measures side by side, only numbers are shown.
        let with_bar = |measure: &Measure| 2 + measure.cells() + 1 + BAR[0];
        let two: usize = self.measures.iter().take(2).map(with_bar).sum();
        let least = if first + two <= width { 1 + BAR[0] } else { 0 };
        while !rest.is_empty() {
            let mut used = first;
            let fits = |measure: &&Measure| {
                used += 2 + measure.cells() + least;
                used <= width
            };
            let n = rest.iter().take_while(fits).count().max(1);
            let (shown, more) = rest.split_at(n);
            let numbers: usize = shown.iter().map(|measure| 2 + measure.cells()).sum();
            let room = (width.saturating_sub(first + numbers) / n).saturating_sub(1);
            rows.extend(self.part(shown, first, if least > 0 { room.min(BAR[1]) } else { 0 }));
            rest = more;
        }
        if least > 0 && self.measures.iter().any(|measure| measure.unit == Unit::Count) {
            rows.push("bars of counts are logarithmic, all others linear".to_owned());
        }
        rows
    }

    /// The rows of some measures: `first` cells for the point, `bar` for each bar.
    fn part(&self, shown: &[Measure], first: usize, bar: usize) -> Vec<String> {
        let gap = usize::from(bar > 0) + bar;
        let mut header = format!("{:>first$}", self.over);
        for measure in shown {
            header += &format!("  {:>1$}{2:3$}", measure.name, measure.cells(), "", gap);
        }
        let row = |(at, point): (usize, &u32)| {
            let mut row = format!("{point:>first$}");
            for measure in shown {
                row += &format!("  {:>1$}", measure.text(at), measure.cells());
                if bar > 0 {
                    row += &format!(" {:<bar$}", self::bar(measure, at, bar));
                }
            }
            row.trim_end().to_owned()
        };
        let rows = self.points.iter().enumerate().map(row);
        [header.trim_end().to_owned()].into_iter().chain(rows).collect()
    }
}

/// The bar of a value, to an eighth of a cell.
fn bar(measure: &Measure, at: usize, cells: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let Some(it) = measure.values[at] else { return String::new() };
    let eighths = (measure.height(it.value, measure.most()) * (8 * cells) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::present) fn curves() -> Curves {
        let shares = |values: [f64; 3]| values.map(|value| Some(Value::exact(value))).into();
        let recall = Value { value: 0.4211, interval: Some((0.3802, 0.4631)) };
        let measures = vec![
            Measure {
                name: "candidates",
                unit: Unit::Count,
                values: shares([1.0, 120.0, 12_345.0]),
            },
            Measure { name: "precision", unit: Unit::Share, values: shares([1.0, 0.5, 0.25]) },
            Measure { name: "recall", unit: Unit::Share, values: vec![None, Some(recall), None] },
            Measure { name: "seconds", unit: Unit::Seconds, values: shares([0.0, 0.011, 0.129]) },
        ];
        Curves { over: "bands", of: "72 bits".to_owned(), points: vec![1, 2, 10], measures }
    }

    #[test]
    fn a_row_has_each_number_and_a_bar_for_it() {
        let rows = curves().rows(100);
        let texts: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert_eq!(texts.len(), 5, "{rows:#?}");
        assert_eq!(texts[4], "bars of counts are logarithmic, all others linear");
        assert!(texts[0].starts_with("bands  candidates "), "{rows:#?}");
        assert!(texts[2].contains("0.421 (0.380 to 0.464)"), "{rows:#?}");
        assert!(texts[3].contains("12,345 ███") && texts[3].contains("0.250 ██"), "{rows:#?}");
    }

    #[test]
    fn every_width_has_every_number() {
        for width in [20, 36, 39, 60, 79, 139] {
            let rows = curves().rows(width);
            let all = rows.join("\n");
            for expected in ["12,345", "0.500", "0.421 (0.380 to 0.464)", "0.129", "seconds"] {
                assert!(all.contains(expected), "{width}:\n{all}");
            }
            let widest = rows.iter().map(|row| row.width()).max().unwrap();
            assert!(widest <= width.max(30), "{width}:\n{all}");
        }
    }
}
