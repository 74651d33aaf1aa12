//! The health of a corpus as rows.

use crate::{
    analysis::health::{CorpusHealth, FeatureCounts},
    corpus::Corpus,
    facts::recipes::HealthRow,
};

/// Every figure.
pub(super) fn rows(it: &CorpusHealth, corpus: &Corpus) -> Vec<HealthRow> {
    let health = &it.health;
    let row = |measure, at: String, value| HealthRow { measure, at, value, note: None };
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
        let hot_prefix = it.hot_prefixes.iter().find(|hot_prefix| hot_prefix.bucket == bucket);
        rows.push(HealthRow {
            note: hot_prefix.map(|hot_prefix| hot_prefix.sentence(corpus)),
            ..row("prefix", health.leading_bits(bucket), n as f64)
        });
    }
    for (bin, &n) in it.features.bins.iter().enumerate() {
        rows.push(row("features", FeatureCounts::range_name(bin), n as f64));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Health;

    #[test]
    fn a_row_for_every_figure() {
        let found = CorpusHealth {
            health: Health::new(&[0b1010, 0b1011, 0b0000], 4),
            features: FeatureCounts { bins: vec![1, 0, 2] },
            hot_prefixes: Vec::new(),
            n_hot_prefixes: 0,
        };
        let rows = rows(&found, &Corpus::default());
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
