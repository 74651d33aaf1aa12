//! Rows about k: one for each, by cosines or by judgements, and the advice.

use super::{
    Fact, Room,
    figures::{by_chance, dash, digits, estimate, share, short},
};
use crate::{
    analysis::{Advice, Basis, KRow, Tuning},
    evaluate::{
        distances::CountMethod, labels::Share, precision::ThresholdRow, recommend::ThresholdVerdict,
    },
    number::grouped,
};

/// A k with its pairs and groups, and with what is known of the texts within it.
#[derive(Clone, Copy)]
pub(crate) struct TunedRow<'a> {
    pub(crate) tuning: &'a Tuning,
    pub(crate) row: KRow,
}

impl<'a> TunedRow<'a> {
    /// The rows of a tuning.
    pub(crate) fn all(tuning: &'a Tuning) -> impl Iterator<Item = Self> {
        tuning.rows.iter().map(move |&row| Self { tuning, row })
    }

    fn texts(&self) -> Option<&'a ThresholdRow> {
        self.tuning.threshold_row(self.row.k)
    }

    /// The share of alike pairs within k; unknown without pairs.
    fn precision(&self) -> Option<Share> {
        self.texts().filter(|texts| texts.different > 0).map(|texts| texts.cumulative)
    }

    /// The share of the alike pairs that are within k.
    fn recall(&self) -> Option<Share> {
        self.texts().map(|texts| texts.window_recall).filter(|recall| recall.value.is_some())
    }

    /// How many of all pairs are within k.
    fn of_all_pairs(&self) -> Option<String> {
        let within = self.row.pairs?;
        let share = within.pairs as f64 / self.tuning.n_pairs.max(1) as f64;
        let [pairs, low, high] = [within.pairs, within.low, within.high].map(grouped);
        let interval = match within.method {
            CountMethod::Exact => String::new(),
            CountMethod::Sampled => format!(", estimated; 95 %: {low} to {high}"),
        };
        let all = grouped(self.tuning.n_pairs);
        let k = self.row.k;
        Some(format!(
            "{pairs} of {all} pairs have d <= {k}: a share of {}{interval}",
            digits(share)
        ))
    }

    /// How the drops are known.
    fn of_the_drops(&self) -> Option<String> {
        let groups = self.row.groups?;
        let [documents, n] = [groups.documents, groups.groups].map(|n| grouped(n.into()));
        let [wordless, most] = [self.row.wordless, self.row.most_drops()?].map(grouped);
        let wordless = match self.row.wordless {
            0 => String::new(),
            _ => format!(" + {wordless} equal texts without words"),
        };
        Some(match self.row.dropped {
            Some(_) => {
                "each is within k of a kept one that has at least half of its text, as far as texts are known"
                    .to_owned()
            }
            None => format!(
                "at most {documents} grouped - {n} groups{wordless} = {most}; the texts are not compared at this k"
            ),
        })
    }
}

pub(crate) fn tuned<'a>() -> Vec<Fact<TunedRow<'a>>> {
    type Of<'a> = Fact<TunedRow<'a>>;
    vec![
        Of::count("k", |it: &TunedRow<'a>| Some(it.row.k.into())).listed("k", 4, 0),
        Of::count("at_k", |it| Some(it.row.at_k?.pairs)),
        Of::count("at_k_low", |it| Some(it.row.at_k?.low)),
        Of::count("at_k_high", |it| Some(it.row.at_k?.high)),
        Of::number("at_k_by_chance", |it| Some(it.row.at_k_by_chance)),
        Of::count("pairs", |it| Some(it.row.pairs?.pairs))
            .listed("pairs", 13, 1)
            .shown(|it, room| estimate(it.row.pairs, room))
            .explained(TunedRow::of_all_pairs, "The pairs that are near-duplicates at this k."),
        Of::count("pairs_low", |it| Some(it.row.pairs?.low)),
        Of::count("pairs_high", |it| Some(it.row.pairs?.high)),
        Of::number("pairs_by_chance", |it| Some(it.row.pairs_by_chance))
            .listed("by chance", 10, 6)
            .shown(|it, room| by_chance(it.row.pairs_by_chance, room)),
        Of::text("method", |it| Some(it.row.at_k?.method.name().into())),
        Of::count("groups", |it| Some(it.row.groups?.groups.into())).listed("groups", 9, 7),
        Of::count("largest", |it| Some(it.row.groups?.largest.into())).listed("largest", 9, 8),
        Of::count("documents", |it| Some(it.row.groups?.documents.into())),
        Of::count("dropped", |it| it.row.dropped)
            .listed("drops", 7, 5)
            .shown(|it, room| match (it.row.drops(), room) {
                (None, _) => dash(room),
                (Some((n, is_exact)), Room::Cells) => {
                    format!("{}{}", if is_exact { "" } else { "<=" }, short(n))
                }
                (Some((n, is_exact)), Room::Page) => {
                    format!("{}{}", if is_exact { "" } else { "up to " }, grouped(n))
                }
            })
            .explained(
                TunedRow::of_the_drops,
                "Documents that can go: Groups and `dedup` drop them at this k by single linkage, if the first of \
                 several is kept. After <= it is the largest possible number.",
            ),
        Of::flag("guaranteed", |it| Some(it.row.guaranteed)),
        // Precision and recall are of these pairs: of different texts, each text once.
        Of::count("text_pairs", |it| Some(it.texts()?.different))
            .listed("texts", 8, 4)
            .shown(|it, room| it.texts().map_or_else(|| dash(room), |texts| short(texts.different))),
        Of::number("precision", |it| it.precision()?.value)
            .listed("precision", 10, 2)
            .shown(|it, room| match it.texts() {
                Some(texts) => share(texts.different, texts.cumulative, room),
                None => dash(room),
            }),
        Of::number("precision_low", |it| Some(it.precision()?.low)),
        Of::number("precision_high", |it| Some(it.precision()?.high)),
        Of::number("recall", |it| it.recall()?.value)
            .listed("recall", 8, 3)
            .shown(|it, room| it.recall().map_or_else(|| dash(room), |it| share(1, it, room))),
        Of::number("recall_low", |it| Some(it.recall()?.low)),
        Of::number("recall_high", |it| Some(it.recall()?.high)),
        Of::text("recall_method", |it| {
            let basis = it.recall().and(it.tuning.advice.as_ref())?.evidence.basis;
            let is_sampled = matches!(basis, Basis::Sampled { .. });
            Some(if is_sampled { "of the pairs kept" } else { name(basis) }.into())
        }),
        Of::count("dropped_most", |it| it.row.most_drops()),
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
