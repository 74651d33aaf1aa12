//! Rows about k: one for each, by cosines or by judgements, and the advice.

use super::figures::{by_chance, dash, decimals, digits, estimate, share, short};
use super::{Fact, Room};
use crate::analysis::{Advice, Basis, KRow, Tuning};
use crate::evaluate::distances::CountMethod;
use crate::evaluate::labels::{Share, Stratum};
use crate::evaluate::precision::ThresholdRow;
use crate::evaluate::recommend::ThresholdVerdict;
use crate::number::grouped;

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
            CountMethod::Sampled | CountMethod::Judged => {
                format!(", estimated; 95 %: {low} to {high}")
            }
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
            Some(n) => format!(
                "{} of {documents} grouped{wordless}: each is within k of a kept one that has at least half of its text, as \
                 far as texts are known",
                grouped(n)
            ),
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
        Of::count("at_k", |it| Some(it.row.at_k?.pairs))
            .titled("pairs")
            .shown(|it, room| estimate(it.row.at_k, room)),
        Of::count("at_k_low", |it| Some(it.row.at_k?.low)),
        Of::count("at_k_high", |it| Some(it.row.at_k?.high)),
        Of::number("at_k_by_chance", |it| Some(it.row.at_k_by_chance))
            .titled("by chance")
            .shown(|it, room| by_chance(it.row.at_k_by_chance, room)),
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
#[derive(Clone, Copy)]
pub(crate) struct JudgedRow {
    pub(crate) texts: ThresholdRow,
    /// The pairs and groups at this k, where they are asked for.
    row: Option<KRow>,
    verdict: ThresholdVerdict,
    /// The farthest distance of the pairs that are kept.
    window: u32,
}

/// The lower end of an interval, rounded outwards to four digits.
fn low(end: f64) -> f64 {
    (end * 1e4).floor() / 1e4
}

/// The upper end of an interval, rounded outwards to four digits.
fn high(end: f64) -> f64 {
    (end * 1e4).ceil() / 1e4
}

/// A share by judgements, if anything is known about it: without a judgement it can be all from 0 to 1.
fn judged_share(of: u64, found: Share, room: Room) -> String {
    if room == Room::Cells && found.low <= 0.0 && found.high >= 1.0 {
        return dash(room);
    }
    share(of, found, room)
}

impl JudgedRow {
    /// The rows of an advice by judgements, with the pairs and groups at each k if they are given.
    pub(crate) fn all<'a>(
        advice: &'a Advice,
        rows: &'a [KRow],
    ) -> impl ExactSizeIterator<Item = Self> + 'a {
        let window = advice.evidence.rows.last().map_or(0, |texts| texts.k);
        let verdicts = &advice.recommendation.verdicts;
        advice.evidence.rows.iter().zip(verdicts).map(move |(&texts, &verdict)| Self {
            texts,
            row: rows.get(texts.k as usize).copied(),
            verdict,
            window,
        })
    }

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

    /// How the precision at this distance is known.
    fn of_this_distance(&self) -> String {
        let Stratum { yes, no, unsure, pairs, .. } = self.texts.at;
        let [yes, no, unsure] = [yes, no, unsure].map(|it| it.labels);
        format!(
            "Jeffreys' 95 % interval, Beta(yes + 1/2, no + 1/2), for {yes} yes, {no} no, {unsure} unsure among {} pairs at d \
             = {}, narrowed by the share that is left",
            grouped(pairs),
            self.texts.k
        )
    }
}

pub(crate) fn judged() -> Vec<Fact<JudgedRow>> {
    type Of = Fact<JudgedRow>;
    vec![
        Of::count("k", |it| Some(it.texts.k.into())).listed("k", 4, 0),
        Of::count("at_k", |it| Some(it.texts.at.pairs)),
        Of::count("pairs", |it| Some(it.texts.pairs)),
        Of::number("pairs_by_chance", |it| Some(it.row?.pairs_by_chance)),
        Of::count("groups", |it| Some(it.row?.groups?.groups.into())),
        Of::count("dropped", |it| it.row?.dropped),
        Of::count("one_text", |it| Some(it.texts.at.verified)),
        Of::count("yes", |it| Some(it.texts.at.yes.labels.into())),
        Of::count("no", |it| Some(it.texts.at.no.labels.into())),
        Of::count("unsure", |it| Some(it.texts.at.unsure.labels.into())),
        Of::number("precision", |it| it.at_k()?.value)
            .listed("at this d", 12, 4)
            .shown(|it, room| judged_share(it.texts.at.different(), it.texts.precision, room))
            .explained(
                |it| Some(it.of_this_distance()),
                "The share of near-duplicates among pairs at exactly this distance; unsure counts both ways.",
            ),
        Of::number("precision_low", |it| Some(low(it.at_k()?.low))),
        Of::number("precision_high", |it| Some(high(it.at_k()?.high))),
        Of::number("within", |it| it.within()?.value)
            .listed("within k", 12, 2)
            .shown(|it, room| judged_share(it.texts.different, it.texts.cumulative, room))
            .explained(
                |it| {
                    let (k, pairs) = (it.texts.k, grouped(it.within().map(|_| it.texts.different)?));
                    Some(format!(
                        "sum of precision x pairs over d = 0..{k} / {pairs} pairs; the ends from 20,000 draws of what is not \
                         judged"
                    ))
                },
                "The precision of this k: the share of near-duplicates among the pairs of different texts within it.",
            ),
        Of::number("within_low", |it| Some(low(it.within()?.low))),
        Of::number("within_high", |it| Some(high(it.within()?.high))),
        Of::number("bound", |it| it.within().map(|_| low(it.texts.bound)))
            .listed("sure", 7, 3)
            .shown(|it, room| match it.within() {
                Some(Share { low, high, .. }) if low > 0.0 || high < 1.0 => {
                    decimals((it.texts.bound * 100.0).floor() / 100.0, 2)
                }
                _ => dash(room),
            })
            .explained(
                |it| {
                    let bound = low(it.within().map(|_| it.texts.bound)?);
                    Some(format!(
                        "in 95 % of the same draws no k has fewer near-duplicates than its bound: {bound} here"
                    ))
                },
                "A lower bound on the precision, valid for all k at once if you decided how many pairs to judge before \
                 you began.",
            ),
        Of::number("window_recall", |it| it.recall()?.value)
            .listed("recall", 12, 6)
            .shown(|it, room| it.recall().map_or_else(|| dash(room), |it| share(1, it, room)))
            .explained(
                |it| {
                    it.within()?;
                    let (k, window) = (it.texts.k, it.window);
                    Some(format!("near-duplicates within {k} / near-duplicates within {window}"))
                },
                "The share of the near-duplicates among the known pairs that this k finds; pairs farther apart are \
                 unknown.",
            ),
        Of::number("window_recall_low", |it| Some(low(it.recall()?.low))),
        Of::number("window_recall_high", |it| Some(high(it.recall()?.high))),
        Of::text("standing", |it| Some(it.verdict.name().into())),
        Of::count("", |it| Some(it.texts.at.labels().into()).filter(|&n| n > 0))
            .listed("judged", 8, 1),
        Of::count("", |it| Some(it.texts.different))
            .listed("different", 11, 5)
            .shown(|it, _| short(it.texts.different)),
        Of::text("", |it| {
            let Stratum { yes, no, unsure, .. } = it.texts.at;
            Some(format!("{}/{}/{}", yes.labels, no.labels, unsure.labels).into())
        })
        .listed("yes/no/unsure", 15, 7),
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
