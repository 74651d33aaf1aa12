//! Rows about recipes, and the figures of a corpus under one.

use super::Fact;
use crate::analysis::{Reference, SweptRecipe};

/// A recipe at its best k, with the reference that it is measured by.
pub(crate) type RecipeRow<'a> = (SweptRecipe, &'a Reference);

pub(crate) fn recipes<'a>() -> Vec<Fact<RecipeRow<'a>>> {
    vec![
        Fact::text("recipe", |(it, _)| Some(it.settings.recipe.short().into())),
        Fact::count("k", |(it, _)| it.k().map(u64::from)),
        Fact::count("pairs", |(it, _)| it.pairs),
        Fact::fixed("precision", 4, |(it, by)| Some(by.precision(it.at_best())?.recall)),
        Fact::fixed("recall", 4, |(it, by)| Some(by.recall(it.at_best())?.recall)),
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
