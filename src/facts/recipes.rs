//! Rows about recipes.

use super::figures::{dash, decimals, many};
use super::{Fact, Room};
use crate::analysis::{Reference, SweptRecipe};
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

/// `true / (true + missed) = 3 / (3 + 1) = 0.750`.
fn quotient(others: &str, n_true: u64, n: u64, share: Option<f64>) -> Option<String> {
    Some(format!("true / (true + {others}) = {n_true} / ({n_true} + {n}) = {:.3}", share?))
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
                |(_, it)| quotient("false", it.true_positives, it.false_positives, it.precision()),
                "The share of true pairs among the pairs within its best k.",
            ),
        Of::fixed("recall", 4, |(_, it)| it.recall())
            .listed("recall", 9, 5)
            .shown(|(_, it), room| share(it.recall(), room))
            .explained(
                |(_, it)| quotient("missed", it.true_positives, it.false_negatives, it.recall()),
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
