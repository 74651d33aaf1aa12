//! Rows about layouts and their tables.

use super::Fact;
use super::figures::{dash, digits, expectation, many};
use crate::analysis::LayoutEvaluation;
use crate::analysis::offers::LayoutOffer;
use crate::evaluate::distances::CountMethod;
use crate::evaluate::labels::Share;
use crate::explain::TableOutcome;
use crate::index::{Layout, LayoutKind, Load, letter};
use crate::number::grouped;

/// A layout, and the load of its tables as far as it is measured.
pub(crate) struct LayoutRow<'a> {
    pub(crate) offer: &'a LayoutOffer,
    pub(crate) load: Option<Load>,
    /// Distinct fingerprints.
    pub(crate) n: u64,
}

impl LayoutRow<'_> {
    fn load(&self) -> Option<&Load> {
        self.load.as_ref()
    }

    /// Why random fingerprints would make so many key matches.
    fn of_the_prediction(&self) -> String {
        let (n, layout) = (self.n as f64, &self.offer.layout);
        format!(
            "n(n-1)/2 x sum of 2^-p over {} tables = {} x {} = {}",
            layout.tables().len(),
            digits(n * (n - 1.0).max(0.0) / 2.0),
            digits(layout.expected_shared_tables()),
            expectation(self.offer.predicted)
        )
    }

    /// Key matches by those predicted.
    fn of_the_skew(&self) -> Option<String> {
        let load = self.load()?;
        let [found, predicted] = [grouped(load.candidates), digits(load.predicted)];
        let skew = digits(load.skew());
        Some(format!("key matches / predicted = {found} / {predicted} = {skew}"))
    }
}

pub(crate) fn layouts<'a>() -> Vec<Fact<LayoutRow<'a>>> {
    type Of<'a> = Fact<LayoutRow<'a>>;
    vec![
        Of::text("layout", |it: &LayoutRow<'a>| Some(it.offer.layout.name().into())),
        Of::count("guarantee", |it| Some(it.offer.layout.guarantee().into()))
            .listed("guaranteed d", 13, 1),
        Of::count("tables", |it| Some(it.offer.layout.tables().len() as u64))
            .listed("tables", 7, 2),
        Of::count("key_bits_min", |it| Some(it.offer.key_bits().0.into()))
            .listed("key bits", 9, 6)
            .shown(|it, _| match it.offer.key_bits() {
                (low, high) if low == high => low.to_string(),
                (low, high) => format!("{low}-{high}"),
            }),
        Of::count("key_bits_max", |it| Some(it.offer.key_bits().1.into())),
        Of::count("bytes", |it| Some(it.offer.bytes)).listed("MiB", 7, 8).shown(|it, _| {
            let mebibytes = it.offer.bytes as f64 / f64::from(1 << 20);
            if mebibytes < 99.95 { format!("{mebibytes:.1}") } else { grouped(mebibytes as u64) }
        }),
        Of::count("key_matches", |it| Some(it.load()?.candidates))
            .listed("key matches", 12, 3)
            .shown(|it, _| it.load().map_or_else(|| "..".to_owned(), |it| many(it.candidates)))
            .explained(
                |it| {
                    let matches = grouped(it.load()?.candidates);
                    Some(format!("sum of s(s-1)/2 over all buckets of all tables = {matches}"))
                },
                "Pairs of different fingerprints that share a key, once for each such table. A candidate is a \
                 pair of documents, each once.",
            ),
        Of::number("predicted", |it| Some(it.offer.predicted))
            .listed("predicted", 11, 4)
            .shown(|it, _| expectation(it.offer.predicted))
            .explained(
                |it| Some(it.of_the_prediction()),
                "Key matches that random fingerprints would make, p being the bits of a key.",
            ),
        Of::number("skew", |it| Some(it.load()?.skew()))
            .listed("skew", 8, 5)
            .shown(|it, _| it.load().map_or_else(String::new, |it| times(it.skew())))
            .explained(
                LayoutRow::of_the_skew,
                "The work compared with random fingerprints: boilerplate gives many documents equal blocks.",
            ),
        Of::number("effective_bits", |it| it.load()?.effective_bits())
            .listed("effective", 10, 7)
            .shown(|it, room| match it.load().and_then(Load::effective_bits) {
                Some(bits) => format!("{bits:.1}"),
                None => dash(room),
            })
            .explained(
                |it| {
                    let bits = it.load()?.effective_bits()?;
                    Some(format!("log2(tables x n(n-1)/2 / key matches) = {bits:.1}"))
                },
                "The key selects as well as this many random bits.",
            ),
        Of::count("fullest", |it| Some(it.load()?.fullest as u64)),
        Of::words("masks", |it| {
            let layout = &it.offer.layout;
            (0..layout.tables().len()).map(|at| mask_in_hex(layout, at)).collect()
        }),
    ]
}

/// The bits of the key of a table in hex, as many digits as a fingerprint has.
fn mask_in_hex(layout: &Layout, at: usize) -> String {
    let digits = layout.width().div_ceil(4) as usize;
    format!("{:0digits$x}", layout.tables()[at].mask)
}

/// A ratio: `1.2`, `340`, `1e6`.
fn times(number: f64) -> String {
    match number {
        ..99.95 => format!("{number:.1}"),
        ..99_999.5 => grouped(number.round() as u64),
        _ => format!("{number:.0e}"),
    }
}

/// The mark of a figure that depends on an estimated recall: `~`.
fn mark(evaluation: &LayoutEvaluation) -> &'static str {
    if evaluation.method == CountMethod::Sampled { "~" } else { "" }
}

fn ratio(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.4}"))
}

/// Why a layout has so many candidates.
fn of_the_candidates(it: &LayoutEvaluation) -> String {
    let whose = match it.layout.kind() {
        LayoutKind::Bands { .. } => "that share a band",
        _ => "within k that the tables bring together",
    };
    format!("pairs of documents {whose}, each once = {}", grouped(it.candidates))
}

/// Why a layout is predicted to have so many candidates.
fn of_the_prediction(it: &LayoutEvaluation) -> Option<String> {
    let (skew, found) = (it.skew()?, grouped(it.candidates));
    let predicted = grouped(it.predicted.round() as u64);
    Some(format!(
        "unrelated pairs by chance + for each true pair the chance at its cosine = {predicted}; \
         counted: {found}, {skew:.2} times that"
    ))
}

/// How the recall is known where the truth is sampled.
fn of_the_drawn_texts(it: &LayoutEvaluation) -> Option<String> {
    let found = it.recall_distinct.filter(|_| it.recall().is_none())?;
    let Share { value: Some(recall), low, high } = found else { return None };
    Some(format!(
        "found / true pairs of the texts drawn at random = {recall:.4}; 95 %: {low:.4} to {high:.4}"
    ))
}

/// A layout, measured with the texts.
pub(crate) fn evaluations() -> Vec<Fact<LayoutEvaluation>> {
    type Of = Fact<LayoutEvaluation>;
    vec![
        Of::text("layout", |it: &LayoutEvaluation| Some(it.layout.name().into())),
        Of::count("bits", |it| Some(it.layout.width().into())),
        Of::count("candidates", |it| Some(it.candidates))
            .listed("candidates", 12, 3)
            .explained(
                |it| Some(of_the_candidates(it)),
                "Pairs whose texts have to be compared. Key matches are pairs of fingerprints, once for \
                 each table.",
            ),
        Of::fixed("predicted", 0, |it| Some(it.predicted))
            .listed("predicted", 12, 4)
            .shown(|it, _| grouped(it.predicted.round() as u64))
            .explained(
                of_the_prediction,
                "If there are many more, unrelated texts share blocks.",
            ),
        Of::count("tp", |it| Some(it.true_positives)).listed("true", 10, 7),
        Of::count("fp", |it| Some(it.false_positives())).listed("false", 11, 8),
        Of::count("fn", |it| it.false_negatives)
            .listed("missed", 10, 9)
            .shown(|it, _| it.false_negatives.map_or_else(|| "-".to_owned(), grouped)),
        Of::fixed("precision", 4, LayoutEvaluation::precision)
            .listed("precision", 10, 1)
            .shown(|it, _| ratio(it.precision()))
            .explained(
                |it| {
                    let [tp, all] = [it.true_positives, it.candidates].map(grouped);
                    Some(format!("true / candidates = {tp} / {all} = {:.4}", it.precision()?))
                },
                "The share of true pairs among the candidates of the layout.",
            ),
        Of::fixed("recall", 4, LayoutEvaluation::recall)
            .listed("recall", 9, 2)
            .shown(|it, _| ratio(it.recall()))
            .explained(
                |it| {
                    let [tp, all] =
                        [it.true_positives, it.true_positives + it.false_negatives?].map(grouped);
                    Some(format!("true / (true + missed) = {tp} / {all} = {:.4}", it.recall()?))
                },
                "The share of all true pairs that are candidates of the layout.",
            ),
        Of::fixed("f1", 4, LayoutEvaluation::f1)
            .listed("F1", 8, 6)
            .shown(|it, _| format!("{}{}", mark(it), ratio(it.f1())))
            .explained(
                |it| Some(format!("2 x precision x recall / (precision + recall) = {:.4}", it.f1()?)),
                "One number for both; it is low where either is.",
            ),
        Of::text("recall_method", |it| Some(it.method.name().into())),
        Of::fixed("seconds", 3, |it| Some((it.index_took + it.verify_took).as_secs_f64()))
            .listed("seconds", 9, 10)
            .shown(|it, _| format!("{:.2}", (it.index_took + it.verify_took).as_secs_f64())),
        // Every true pair is known here, so the interval is one number.
        Of::fixed("recall_low", 4, LayoutEvaluation::recall),
        Of::fixed("recall_high", 4, LayoutEvaluation::recall),
        Of::fixed("recall_distinct", 4, |it| it.recall_distinct?.value)
            .listed("distinct", 10, 5)
            .shown(|it, _| match it.recall_distinct.and_then(|it| it.value) {
                Some(found) => format!("{}{found:.4}", mark(it)),
                None => "-".to_owned(),
            })
            .explained(
                of_the_drawn_texts,
                "The estimated share of all true pairs of different texts that are candidates of the layout.",
            ),
        Of::fixed("skew", 4, LayoutEvaluation::skew),
        Of::fixed("index_seconds", 3, |it| Some(it.index_took.as_secs_f64())),
        Of::fixed("verify_seconds", 3, |it| Some(it.verify_took.as_secs_f64())),
        Of::fixed("recall_distinct_low", 4, |it| Some(it.recall_distinct?.low)),
        Of::fixed("recall_distinct_high", 4, |it| Some(it.recall_distinct?.high)),
    ]
}

/// The effect of a table of a layout on a pair.
pub(crate) struct TableRow<'a> {
    pub(crate) layout: &'a Layout,
    /// The place of the table, from 0.
    pub(crate) at: usize,
    /// Its outcome; `None` without a pair.
    pub(crate) outcome: Option<&'a TableOutcome>,
}

type OfTable<'a> = Fact<TableRow<'a>>;

pub(crate) fn tables<'a>() -> Vec<OfTable<'a>> {
    vec![
        Fact::count("table", |it| Some(it.at as u64 + 1)),
        Fact::text("key", |it| Some(it.layout.tables()[it.at].letters().into())),
        Fact::flag("hit", |it| it.outcome.map(|outcome| outcome.hit)),
        Fact::words("damaged", |it| {
            let damaged = it.outcome.map_or(&[][..], |outcome| &outcome.damaged);
            damaged.iter().map(|&block| letter(block)).collect()
        }),
        OfTable::text("mask", |it| Some(mask_in_hex(it.layout, it.at).into()))
            .listed("mask", 17, 0),
    ]
}
