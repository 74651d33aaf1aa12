//! Rows about layouts and their tables.

use super::Fact;
use crate::{
    analysis::{LayoutEvaluation, offers::LayoutOffer},
    evaluate::recall::Recall,
    index::{Load, TableLayout},
};

/// A layout with the measured load of its tables.
pub(crate) type LayoutRow = (LayoutOffer, Load);

pub(crate) fn layouts() -> Vec<Fact<LayoutRow>> {
    vec![
        Fact::text("layout", |(offer, _)| Some(offer.layout.name().into())),
        Fact::count("guarantee", |(offer, _)| Some(offer.layout.guarantee().into())),
        Fact::count("tables", |(offer, _)| Some(offer.layout.tables().len() as u64)),
        Fact::count("key_bits_min", |(offer, _)| Some(offer.key_bits().0.into())),
        Fact::count("key_bits_max", |(offer, _)| Some(offer.key_bits().1.into())),
        Fact::count("bytes", |(offer, _)| Some(offer.bytes)),
        Fact::count("key_matches", |(_, load)| Some(load.candidates)),
        Fact::number("predicted", |(_, load)| Some(load.predicted)),
        Fact::number("skew", |(_, load)| Some(load.skew())),
        Fact::number("effective_bits", |(_, load)| load.effective_bits()),
        Fact::count("fullest", |(_, load)| {
            let size = load.fullest_bucket.as_ref().map_or(1, |bucket| bucket.size);
            Some(size.min(load.n_entries) as u64)
        }),
    ]
}

/// A layout, measured with the texts.
pub(crate) fn evaluations() -> Vec<Fact<LayoutEvaluation>> {
    fn of(recall: Option<Recall>, part: fn(Recall) -> f64) -> Option<f64> {
        recall.map(part)
    }
    vec![
        Fact::text("layout", |it: &LayoutEvaluation| Some((&*it.layout).into())),
        Fact::count("bits", |it| Some(it.bits.into())),
        Fact::count("candidates", |it| Some(it.candidates)),
        Fact::fixed("predicted", 0, |it| Some(it.predicted)),
        Fact::count("tp", |it| Some(it.true_positives)),
        Fact::count("fp", |it| Some(it.false_positives())),
        Fact::count("fn", |it| it.false_negatives),
        Fact::fixed("precision", 4, |it| it.precision()),
        Fact::fixed("recall", 4, |it| of(it.recall, |it| it.recall)),
        Fact::fixed("f1", 4, |it| it.f1()),
        Fact::text("recall_method", |it| Some(it.method.name().into())),
        Fact::fixed("seconds", 3, |it| Some((it.index_took + it.verify_took).as_secs_f64())),
        Fact::fixed("recall_low", 4, |it| of(it.recall, |it| it.low)),
        Fact::fixed("recall_high", 4, |it| of(it.recall, |it| it.high)),
        Fact::fixed("recall_distinct", 4, |it| of(it.recall_distinct, |it| it.recall)),
        Fact::fixed("skew", 4, |it| it.skew()),
        Fact::fixed("index_seconds", 3, |it| Some(it.index_took.as_secs_f64())),
        Fact::fixed("verify_seconds", 3, |it| Some(it.verify_took.as_secs_f64())),
        Fact::fixed("recall_distinct_low", 4, |it| of(it.recall_distinct, |it| it.low)),
        Fact::fixed("recall_distinct_high", 4, |it| of(it.recall_distinct, |it| it.high)),
    ]
}

/// What a table does with a pair.
pub(crate) struct TableRow<'a> {
    /// Its number, from 1.
    pub(crate) number: u64,
    pub(crate) table: &'a TableLayout,
    /// Whether the pair shares its key.
    pub(crate) hit: bool,
    /// The letters of the blocks in which the pair differs.
    pub(crate) damaged: Vec<String>,
}

pub(crate) fn tables<'a>() -> Vec<Fact<TableRow<'a>>> {
    vec![
        Fact::count("table", |it| Some(it.number)),
        Fact::text("key", |it| Some(it.table.letters().into())),
        Fact::flag("hit", |it| Some(it.hit)),
        Fact::words("damaged", |it| it.damaged.clone()),
    ]
}
