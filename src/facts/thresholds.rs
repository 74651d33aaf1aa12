//! Rows about k: one for each, by cosines or by judgements, and the advice.

use super::Fact;
use crate::{
    analysis::{Advice, Basis, KRow, Tuning},
    evaluate::{labels::Share, precision::ThresholdRow, recommend::ThresholdVerdict},
};

/// A k with its pairs and groups, and with what is known of the texts within it.
#[derive(Clone, Copy)]
pub(crate) struct TunedRow<'a> {
    pub(crate) row: &'a KRow,
    pub(crate) texts: Option<&'a ThresholdRow>,
    basis: Option<Basis>,
}

impl<'a> TunedRow<'a> {
    /// The rows of a tuning.
    pub(crate) fn all(tuning: &'a Tuning) -> impl Iterator<Item = Self> {
        let basis = tuning.advice.as_ref().map(|advice| advice.evidence.basis);
        let row = move |row| Self { row, texts: tuning.threshold_row(row.k), basis };
        tuning.rows.iter().map(row)
    }

    /// The share of alike pairs within k; unknown without pairs.
    fn precision(&self) -> Option<Share> {
        self.texts.filter(|texts| texts.different > 0).map(|texts| texts.cumulative)
    }

    /// The share of the alike pairs that are within k.
    fn recall(&self) -> Option<Share> {
        self.texts.map(|texts| texts.window_recall).filter(|recall| recall.value.is_some())
    }
}

pub(crate) fn tuned<'a>() -> Vec<Fact<TunedRow<'a>>> {
    vec![
        Fact::count("k", |it: &TunedRow<'a>| Some(it.row.k.into())),
        Fact::count("at_k", |it| Some(it.row.at_k?.pairs)),
        Fact::count("at_k_low", |it| Some(it.row.at_k?.low)),
        Fact::count("at_k_high", |it| Some(it.row.at_k?.high)),
        Fact::number("at_k_by_chance", |it| Some(it.row.at_k_by_chance)),
        Fact::count("pairs", |it| Some(it.row.pairs?.pairs)),
        Fact::count("pairs_low", |it| Some(it.row.pairs?.low)),
        Fact::count("pairs_high", |it| Some(it.row.pairs?.high)),
        Fact::number("pairs_by_chance", |it| Some(it.row.pairs_by_chance)),
        Fact::text("method", |it| Some(it.row.at_k?.method.name().into())),
        Fact::count("groups", |it| Some(it.row.groups?.groups.into())),
        Fact::count("largest", |it| Some(it.row.groups?.largest.into())),
        Fact::count("documents", |it| Some(it.row.groups?.documents.into())),
        Fact::count("dropped", |it| it.row.dropped),
        Fact::flag("guaranteed", |it| Some(it.row.guaranteed)),
        Fact::count("text_pairs", |it| Some(it.texts?.different)),
        Fact::number("precision", |it| it.precision()?.value),
        Fact::number("precision_low", |it| Some(it.precision()?.low)),
        Fact::number("precision_high", |it| Some(it.precision()?.high)),
        Fact::number("recall", |it| it.recall()?.value),
        Fact::number("recall_low", |it| Some(it.recall()?.low)),
        Fact::number("recall_high", |it| Some(it.recall()?.high)),
        Fact::text("recall_method", |it| {
            let basis = it.recall().and(it.basis)?;
            Some(
                if matches!(basis, Basis::Sampled { .. }) {
                    "of the pairs kept"
                } else {
                    name(basis)
                }
                .into(),
            )
        }),
        Fact::count("dropped_most", |it| Some(it.row.groups?.redundant().into())),
    ]
}

/// A k by judgements.
pub(crate) struct JudgedRow<'a> {
    pub(crate) row: &'a KRow,
    pub(crate) texts: &'a ThresholdRow,
    pub(crate) verdict: ThresholdVerdict,
}

/// The lower end of an interval, rounded outwards to four digits.
fn low(end: f64) -> f64 {
    (end * 1e4).floor() / 1e4
}

/// The upper end of an interval, rounded outwards to four digits.
fn high(end: f64) -> f64 {
    (end * 1e4).ceil() / 1e4
}

impl JudgedRow<'_> {
    /// The share of near-duplicates at this distance; unknown without pairs.
    fn at_k(&self) -> Option<Share> {
        (self.texts.at.different() > 0).then_some(self.texts.precision)
    }

    /// The share of near-duplicates within k.
    fn within(&self) -> Option<Share> {
        (self.texts.different > 0).then_some(self.texts.cumulative)
    }

    /// The share of the near-duplicates of the window that are within k.
    fn recall(&self) -> Option<Share> {
        Some(self.texts.window_recall).filter(|recall| recall.value.is_some())
    }
}

pub(crate) fn judged<'a>() -> Vec<Fact<JudgedRow<'a>>> {
    vec![
        Fact::count("k", |it: &JudgedRow<'a>| Some(it.texts.k.into())),
        Fact::count("at_k", |it| Some(it.texts.at.pairs)),
        Fact::count("pairs", |it| Some(it.texts.pairs)),
        Fact::number("pairs_by_chance", |it| Some(it.row.pairs_by_chance)),
        Fact::count("groups", |it| Some(it.row.groups?.groups.into())),
        Fact::count("dropped", |it| it.row.dropped),
        Fact::count("one_text", |it| Some(it.texts.at.verified)),
        Fact::count("yes", |it| Some(it.texts.at.yes.into())),
        Fact::count("no", |it| Some(it.texts.at.no.into())),
        Fact::count("unsure", |it| Some(it.texts.at.unsure.into())),
        Fact::number("precision", |it| it.at_k()?.value),
        Fact::number("precision_low", |it| Some(low(it.at_k()?.low))),
        Fact::number("precision_high", |it| Some(high(it.at_k()?.high))),
        Fact::number("within", |it| it.within()?.value),
        Fact::number("within_low", |it| Some(low(it.within()?.low))),
        Fact::number("within_high", |it| Some(high(it.within()?.high))),
        Fact::number("bound", |it| it.within().map(|_| low(it.texts.bound))),
        Fact::number("window_recall", |it| it.recall()?.value),
        Fact::number("window_recall_low", |it| Some(low(it.recall()?.low))),
        Fact::number("window_recall_high", |it| Some(high(it.recall()?.high))),
        Fact::text("standing", |it| Some(it.verdict.name().into())),
    ]
}

/// The source of the evidence in one word.
fn name(basis: Basis) -> &'static str {
    match basis {
        Basis::Exact { .. } => "exact",
        Basis::Sampled { .. } => "sampled",
        Basis::Judged { .. } => "judged",
        Basis::Nothing => "none",
    }
}

pub(crate) fn advice() -> Vec<Fact<Advice>> {
    vec![
        Fact::count("precise_k", |it: &Advice| it.recommendation.precise.map(u64::from)),
        Fact::count("balanced_k", |it| it.recommendation.balanced.map(u64::from)),
        Fact::number("tau", |it| match it.evidence.basis {
            Basis::Exact { .. } | Basis::Sampled { .. } => Some(it.evidence.alike.tau),
            Basis::Judged { .. } | Basis::Nothing => None,
        }),
        Fact::number("target", |it| Some(it.aim.precision)),
        Fact::text("basis", |it| Some(name(it.evidence.basis).into())),
        Fact::text("sentence", |it| Some(it.sentences().join("; ").into())),
        Fact::count("k_low", |it| Some(it.k_range()?.0.into())),
        Fact::count("k_high", |it| Some(it.k_range()?.1.into())),
        Fact::count("drops_at_k", |it| Some(it.groups_at(it.recommendation.precise?)?.dropped)),
        Fact::count("largest_at_k", |it| {
            Some(it.groups_at(it.recommendation.precise?)?.groups.largest.into())
        }),
        Fact::number("alike_at_k", |it| {
            let row = it.evidence.rows.get(it.recommendation.precise? as usize)?;
            row.cumulative.value
        }),
    ]
}
