//! Rows about recipes, and the figures of a corpus under one.

use super::figures::{dash, decimals, many};
use super::{Fact, Room};
use crate::analysis::health::{CorpusHealth, FeatureCounts};
use crate::analysis::{Reference, SweptRecipe};
use crate::corpus::Corpus;
use crate::evaluate::confusion::Confusion;

/// A recipe at its best k, with the reference that it is measured by.
pub(crate) type RecipeRow<'a> = (SweptRecipe, &'a Reference);

pub(crate) fn recipes<'a>() -> Vec<Fact<RecipeRow<'a>>> {
    vec![
        Fact::text("recipe", |(it, _)| Some(it.settings.recipe.short().into())),
        Fact::count("k", |(it, _)| it.k().map(u64::from)),
        Fact::count("pairs", |(it, _)| it.pairs),
        Fact::fixed("precision", 4, |(it, by)| by.precision(it.at_best())?.value),
        Fact::fixed("recall", 4, |(it, by)| by.recall(it.at_best())?.value),
        Fact::fixed("f1", 4, |(it, _)| it.at_best().f1()),
        Fact::text("recall_method", |(_, by)| Some(by.method().name().into())),
        Fact::fixed("seconds", 3, |(it, _)| Some(it.took.as_secs_f64())),
        Fact::count("tp", |(it, _)| Some(it.at_best().true_positives)),
        Fact::count("fp", |(it, _)| Some(it.at_best().false_positives)),
        Fact::count("fn", |(it, _)| Some(it.at_best().false_negatives)),
        Fact::fixed("precision_low", 4, |(it, by)| Some(by.precision(it.at_best())?.low)),
        Fact::fixed("precision_high", 4, |(it, by)| Some(by.precision(it.at_best())?.high)),
        Fact::fixed("recall_low", 4, |(it, by)| Some(by.recall(it.at_best())?.low)),
        Fact::fixed("recall_high", 4, |(it, by)| Some(by.recall(it.at_best())?.high)),
        Fact::flag("settled", |(it, _)| Some(it.curve.is_settled())),
    ]
}

/// A k of a recipe, and the pairs found at it.
pub(crate) type FoundRow = (u32, Confusion);

/// A share with three decimals; a dash where there is none.
fn share(share: Option<f64>, room: Room) -> String {
    share.map_or_else(|| dash(room), |share| decimals(share, 3))
}

pub(crate) fn found() -> Vec<Fact<FoundRow>> {
    type Of = Fact<FoundRow>;
    vec![
        Of::count("k", |(k, _): &FoundRow| Some((*k).into())).listed("k", 4, 0),
        Of::count("tp", |(_, it)| Some(it.true_positives))
            .listed("true", 13, 1)
            .shown(|(_, it), _| many(it.true_positives)),
        Of::count("fp", |(_, it)| Some(it.false_positives))
            .listed("false", 13, 2)
            .shown(|(_, it), _| many(it.false_positives)),
        Of::count("fn", |(_, it)| Some(it.false_negatives))
            .listed("missed", 13, 3)
            .shown(|(_, it), _| many(it.false_negatives)),
        Of::fixed("precision", 4, |(_, it)| it.precision())
            .listed("precision", 11, 4)
            .shown(|(_, it), room| share(it.precision(), room))
            .explained(
                |(_, it)| {
                    let (tp, fp) = (it.true_positives, it.false_positives);
                    Some(format!(
                        "true / (true + false) = {tp} / ({tp} + {fp}) = {:.3}",
                        it.precision()?
                    ))
                },
                "The share of true pairs among the pairs within its best k.",
            ),
        Of::fixed("recall", 4, |(_, it)| it.recall())
            .listed("recall", 9, 5)
            .shown(|(_, it), room| share(it.recall(), room))
            .explained(
                |(_, it)| {
                    let (tp, missed) = (it.true_positives, it.false_negatives);
                    Some(format!(
                        "true / (true + missed) = {tp} / ({tp} + {missed}) = {:.3}",
                        it.recall()?
                    ))
                },
                "The share of the true pairs that are within its best k.",
            ),
        Of::fixed("f1", 4, |(_, it)| it.f1())
            .listed("F1", 7, 6)
            .shown(|(_, it), room| share(it.f1(), room))
            .explained(
                |(_, it)| {
                    let Confusion { true_positives: tp, false_positives: fp, false_negatives } = it;
                    let f1 = it.f1()?;
                    Some(format!("2 x {tp} / (2 x {tp} + {fp} + {false_negatives}) = {f1:.3}"))
                },
                "One number for both; it is low where either is.",
            ),
    ]
}

/// One figure of the fingerprints of a corpus.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HealthRow {
    /// The measure: popcount, balance, correlation, prefix, features.
    pub(crate) measure: &'static str,
    /// The subject of the figure: bits set, a bit, two bits, leading bits, a range of features.
    pub(crate) at: String,
    /// A count, a share from 0 to 1, or a correlation from -1 to 1.
    pub(crate) value: f64,
    /// A sentence about a crowded bucket.
    pub(crate) note: Option<String>,
}

pub(crate) fn health() -> Vec<Fact<HealthRow>> {
    vec![
        Fact::text("measure", |it| Some(it.measure.into())),
        Fact::text("at", |it| Some((&*it.at).into())),
        Fact::number("value", |it| Some(it.value)),
        Fact::text("note", |it| it.note.as_deref().map(Into::into)),
    ]
}

/// The health of a corpus as rows.
pub(crate) fn health_rows(it: &CorpusHealth, corpus: &Corpus) -> Vec<HealthRow> {
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
        let rows = health_rows(&found, &Corpus::default());
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
