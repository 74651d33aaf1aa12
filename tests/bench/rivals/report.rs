//! The tables: one row a question, in Markdown, as `assets/manual/benchmarks.md` has them.

use crate::measure::Spread;

/// The bound of a ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Our time, or memory, over the other's.
    AtMost(f64),
    /// Our rate over the other's.
    AtLeast(f64),
}

/// One question and its answer.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The work, and its data.
    pub(crate) work: String,
    /// Its cost for us.
    pub(crate) ours: String,
    /// The rival, and its cost.
    pub(crate) beside: String,
    /// Ours over the other.
    pub(crate) ratio: Option<Spread>,
    /// The ratio as it should be.
    pub(crate) goal: Option<Goal>,
}

/// Prints a sentence of its own.
pub(crate) fn paragraph(text: &str) {
    println!("{text}\n");
}

/// Prints a table; nothing if no row was asked for. The third column is headed `beside`.
pub(crate) fn table(title: &str, beside: &str, rows: &[Row]) {
    if rows.is_empty() {
        return;
    }
    println!("**{title}**\n\n| work | simscope | {beside} | ratio | asked | met |");
    println!("|---|--:|--:|--:|--:|---|");
    for row in rows {
        let ratio = row.ratio.map_or_else(|| "-".to_owned(), |ratio| ratio.to_string());
        let (asked, met) = verdict(row);
        let Row { work, ours, beside, .. } = row;
        println!("| {work} | {ours} | {beside} | {ratio} | {asked} | {met} |");
    }
    println!();
}

fn verdict(row: &Row) -> (String, &'static str) {
    let says = |met| if met { "yes" } else { "no" };
    match (row.goal, row.ratio) {
        (Some(Goal::AtMost(goal)), Some(ratio)) => {
            (format!("<= {goal:.2}"), says(ratio.median <= goal))
        }
        (Some(Goal::AtLeast(goal)), Some(ratio)) => {
            (format!(">= {goal:.2}"), says(ratio.median >= goal))
        }
        _ => ("-".to_owned(), ""),
    }
}

/// A time in the unit that suits it.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        0.0..1e-6 => format!("{:.0} ns", seconds * 1e9),
        1e-6..1e-3 => format!("{} µs", three(seconds * 1e6)),
        1e-3..1.0 => format!("{} ms", three(seconds * 1e3)),
        _ => format!("{} s", three(seconds)),
    }
}

/// Three digits of a number that is not small.
pub(crate) fn three(number: f64) -> String {
    let decimals = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.decimals$}")
}

/// A size like 1e6, as the tables write it.
pub(crate) fn size(n: usize) -> String {
    let exponent = n.max(1).ilog10();
    let lead = n / 10_usize.pow(exponent);
    if lead * 10_usize.pow(exponent) == n { format!("{lead}e{exponent}") } else { n.to_string() }
}
