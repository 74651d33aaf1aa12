//! The health of a corpus as rows, or as text with small pictures.

use std::io::{self, Write};

use crate::{
    analysis::{health::FeatureCounts, spike::Spike},
    explain::Health,
    id::DocId,
    number::{counted, grouped},
};

/// Columns of the longest bar.
const BAR: usize = 40;

/// What is known of the corpus.
pub(in crate::cli) struct Opened<'a> {
    /// Its fingerprints.
    pub(in crate::cli) health: Health,
    /// Its documents by features.
    pub(in crate::cli) features: FeatureCounts,
    /// The fullest crowded buckets, opened.
    pub(in crate::cli) spikes: Vec<Spike>,
    /// How many crowded buckets there are.
    pub(in crate::cli) n_spikes: usize,
    /// Names the first of some documents.
    pub(in crate::cli) first_ids: &'a dyn Fn(&[DocId]) -> Vec<String>,
}

/// One figure of a corpus.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Row {
    /// What is measured: popcount, balance, correlation, prefix, features.
    pub(in crate::cli) measure: &'static str,
    /// Where: bits set, a bit, two bits, leading bits, a range of features.
    pub(in crate::cli) at: String,
    /// A count, a share from 0 to 1, or a correlation from -1 to 1.
    pub(in crate::cli) value: f64,
    /// What a crowded bucket holds.
    pub(in crate::cli) note: Option<String>,
}

/// Every figure.
pub(in crate::cli) fn rows(it: &Opened<'_>) -> Vec<Row> {
    let health = &it.health;
    let row = |measure, at: String, value| Row { measure, at, value, note: None };
    let mut rows = Vec::new();
    let popcounts = health.popcounts.iter().enumerate();
    rows.extend(popcounts.map(|(bits, &n)| row("popcount", bits.to_string(), n as f64)));
    let balances = (0..health.width).rev().filter_map(|bit| Some((bit, health.balance(bit)?)));
    rows.extend(balances.map(|(bit, share)| row("balance", bit.to_string(), share)));
    let correlations = (0..health.width).rev().flat_map(|high| {
        (0..high).rev().filter_map(move |low| Some((high, low, health.correlation(high, low)?)))
    });
    rows.extend(
        correlations.map(|(high, low, phi)| row("correlation", format!("{high} {low}"), phi)),
    );
    for (bucket, &n) in health.prefixes.iter().enumerate() {
        let spike = it.spikes.iter().find(|spike| spike.bucket == bucket);
        rows.push(Row {
            note: spike.map(|spike| spike.sentence(&(it.first_ids)(&spike.documents))),
            ..row("prefix", leading(bucket, health), n as f64)
        });
    }
    for (bin, &n) in it.features.bins.iter().enumerate() {
        rows.push(row("features", range(bin), n as f64));
    }
    rows
}

/// The leading bits of a bucket, as they are written.
fn leading(bucket: usize, health: &Health) -> String {
    let digits = health.prefixes.len().ilog2() as usize;
    format!("{bucket:0digits$b}")
}

fn range(bin: usize) -> String {
    let (fewest, most) = FeatureCounts::range(bin);
    if fewest == most { fewest.to_string() } else { format!("{fewest}-{most}") }
}

/// Writes it as text; `most` correlations and bits of a kind.
pub(in crate::cli) fn write_text(
    it: &Opened<'_>,
    ascii: bool,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let health = &it.health;
    let width = f64::from(health.width);
    writeln!(out, "{} of {} bits", counted(health.n, "fingerprint"), health.width)?;
    if health.n > 0 {
        write_bits(health, width, ascii, most, out)?;
        write_prefixes(it, out)?;
    }
    if it.features.bins.iter().any(|n| *n > 0) {
        writeln!(out, "\nfeatures a document has")?;
        let ranges: Vec<String> = (0..it.features.bins.len()).map(range).collect();
        bars(&ranges, &it.features.bins, ascii, out)?;
    }
    Ok(())
}

fn write_bits(
    health: &Health,
    width: f64,
    ascii: bool,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mean, deviation) = health.popcount();
    writeln!(
        out,
        "\nbits set: {mean:.1} on average, deviation {deviation:.1}; coins have {:.1} and {:.1}",
        width / 2.0,
        width.sqrt() / 2.0,
    )?;
    let found: Vec<usize> =
        (0..health.popcounts.len()).filter(|&bits| health.popcounts[bits] > 0).collect();
    let (from, to) = (found[0], found[found.len() - 1]);
    let names: Vec<String> = (from..=to).map(|bits| bits.to_string()).collect();
    bars(&names, &health.popcounts[from..=to], ascii, out)?;
    let mut bits: Vec<(u32, f64)> =
        (0..health.width).filter_map(|bit| Some((bit, health.balance(bit)?))).collect();
    bits.sort_by(|x, y| (y.1 - 0.5).abs().total_cmp(&(x.1 - 0.5).abs()));
    writeln!(
        out,
        "\nbalance: bits farthest from 1 in half of the documents; of coins one in twenty is off by {:.1} % or more",
        98.0 / (health.n as f64).sqrt(),
    )?;
    for (bit, share) in bits.iter().take(most) {
        writeln!(out, "  bit {bit:<3} is 1 in {:.1} %", 100.0 * share)?;
    }
    let all = health.correlations();
    let mean_square =
        all.iter().map(|(_, _, phi)| phi * phi).sum::<f64>() / all.len().max(1) as f64;
    writeln!(
        out,
        "\ncorrelation of {} of bits: root mean square {:.3}; coins have {:.3}",
        counted(all.len() as u64, "pair"),
        mean_square.sqrt(),
        1.0 / (health.n as f64).sqrt(),
    )?;
    for (high, low, phi) in all.iter().take(most) {
        writeln!(out, "  bits {high:<3} and {low:<3} {phi:+.3}")?;
    }
    Ok(())
}

fn write_prefixes(it: &Opened<'_>, out: &mut dyn Write) -> io::Result<()> {
    let prefixes = &it.health.prefixes;
    let n_empty = prefixes.iter().filter(|n| **n == 0).count();
    writeln!(
        out,
        "\nleading {} bits: {} buckets of {:.1} documents on average, {n_empty} empty, {} crowded",
        prefixes.len().ilog2(),
        prefixes.len(),
        it.health.n as f64 / prefixes.len() as f64,
        it.n_spikes,
    )?;
    for spike in &it.spikes {
        let made_of = spike.sentence(&(it.first_ids)(&spike.documents));
        writeln!(out, "  {}  {made_of}", leading(spike.bucket, &it.health))?;
    }
    Ok(())
}

/// A bar a name.
fn bars(names: &[String], counts: &[u64], ascii: bool, out: &mut dyn Write) -> io::Result<()> {
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let digits = grouped(most as u64).len();
    let widest = names.iter().map(String::len).max().unwrap_or(0);
    for (name, &count) in names.iter().zip(counts) {
        let length = (count as f64 / most * BAR as f64).ceil() as usize;
        let bar = if ascii { "#" } else { "█" }.repeat(length);
        let line = format!("  {name:>widest$}  {:>digits$}  {bar}", grouped(count));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_every_figure() {
        let opened = Opened {
            health: Health::new(&[0b1010, 0b1011, 0b0000], 4),
            features: FeatureCounts { bins: vec![1, 0, 2] },
            spikes: Vec::new(),
            n_spikes: 0,
            first_ids: &|_| Vec::new(),
        };
        let rows = rows(&opened);
        let count = |measure| rows.iter().filter(|row| row.measure == measure).count();
        // Bit 2 never changes, so it correlates with nothing.
        let found = ["popcount", "balance", "correlation", "prefix", "features"].map(count);
        assert_eq!(found, [5, 4, 3, 16, 3]);
        let value = |measure, at| {
            let found = rows.iter().find(|row| row.measure == measure && row.at == at);
            found.map_or(f64::NAN, |row| row.value)
        };
        assert!((value("correlation", "3 1") - 1.0).abs() < 1e-12);
        assert_eq!((value("features", "2-3"), value("prefix", "1011")), (2.0, 1.0));
    }
}
