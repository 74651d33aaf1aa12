//! The sections of a report about k: the distances of all pairs, the pairs and groups at each k, the precision by
//! judged pairs.

use super::report::Report;
use crate::analysis::{Assessment, Basis, KRow, Tuning};
use crate::evaluate::distances::CountMethod;
use crate::facts::Room;
use crate::facts::figures::estimate;
use crate::facts::thresholds::{JudgedRow, TunedRow, judged as judged_facts, tuned};
use crate::number::counted;
use crate::present::page::{Bar, Histogram, PageBlock, PageTable};

/// The columns of the table of k.
const SHOWN: &[&str] =
    &["k", "pairs", "pairs_by_chance", "groups", "largest", "dropped", "precision", "recall"];
/// The columns of the table of k by judgements.
const SHOWN_JUDGED: &[&str] = &[
    "k",
    "at_k",
    "one_text",
    "yes",
    "no",
    "unsure",
    "precision",
    "within",
    "window_recall",
    "standing",
];
/// Rows of k beyond the last one whose groups are known, or that the distances suggest.
const BEYOND: u32 = 2;

/// The recommended k, and whether it is this report's k; `None` where there are no pairs.
pub(super) fn verdict(report: &Report) -> Option<String> {
    let (tuning, k) = (&report.tuning, report.analysis.settings.k);
    let advice = tuning.advice.as_ref().filter(|_| tuning.n_pairs > 0)?;
    let lead = sentence(&advice.lead());
    Some(match (tuning.precise(), tuning.balanced()) {
        (Some(precise), _) if precise == k => lead,
        (_, Some(balanced)) if balanced == k => {
            format!("{lead} This report's k = {k} is the balanced one.")
        }
        (Some(precise), _) => format!("{lead} Give -k {precise} for a report about that k."),
        (None, _) => lead,
    })
}

/// The distances of all pairs.
pub(super) fn distances(report: &Report) -> Vec<PageBlock> {
    let tuning = &report.tuning;
    let n_pairs = tuning.n_pairs;
    let index = report.analysis.index.as_deref();
    let is_bands = index.is_some_and(|index| index.layout().is_bands());
    let how = match (report.draws, tuning.reach) {
        (None, _) => "all of them were compared, so every number is exact.".to_owned(),
        (Some(draws), Some(reach)) if !is_bands => format!(
            "up to distance {reach} all of them are known; farther out numbers are estimated from {} drawn at random, with 95 % intervals.",
            counted(u64::from(draws), "pair"),
        ),
        (Some(draws), _) => format!(
            "numbers are estimated from {} drawn at random, with 95 % intervals.",
            counted(u64::from(draws), "pair"),
        ),
    };
    let words = format!("{} of documents; {how}", counted(n_pairs, "pair"));
    vec![PageBlock::Paragraph(words.into()), PageBlock::Histogram(histogram(report))]
}

fn histogram(report: &Report) -> Histogram {
    let (tuning, k) = (&report.tuning, report.analysis.settings.k);
    let bar =
        |row: &KRow| Bar { pairs: row.at_k.unwrap_or_default(), by_chance: row.at_k_by_chance };
    let bars: Vec<Bar> = tuning.rows.iter().map(bar).collect();
    // If several bars are equally high, the first.
    let top = (0..bars.len()).rev().max_by_key(|&at| bars[at].pairs.pairs).unwrap_or(0);
    let mut in_words = format!(
        "Pairs of documents by distance, 0 to {}, on a logarithmic scale. Within k = {k}: {}. Most pairs, {}, are {top} bits apart.",
        bars.len() - 1,
        estimate(tuning.rows[k as usize].pairs, Room::Page),
        estimate(Some(bars[top].pairs), Room::Page),
    );
    if bars.iter().any(|bar| bar.pairs.method == CountMethod::Sampled) {
        in_words += " A range in brackets is the 95 % interval of an estimate.";
    }
    Histogram { bars, k, in_words }
}

/// The pairs and groups at each k, and the conclusion.
pub(super) fn choice(report: &Report) -> Vec<PageBlock> {
    let (tuning, k) = (&report.tuning, report.analysis.settings.k);
    let sentences = tuning.conclusion(k).into_iter().map(|text| sentence(&text).into()).collect();
    let searched = tuning
        .reach
        .into_iter()
        .chain([k])
        .chain(tuning.precise())
        .chain(tuning.balanced())
        .max()
        .unwrap_or(k);
    let last = (searched + BEYOND).min(tuning.rows.len() as u32 - 1);
    let remark = |at| {
        let named = [
            (Some(k), "this report"),
            (tuning.precise(), "precise"),
            (tuning.balanced(), "balanced"),
        ];
        let remarks = named.into_iter().filter(|&(k, _)| k == Some(at)).map(|(_, name)| name);
        remarks.collect::<Vec<_>>().join(", ")
    };
    let caption = format!(
        "The effect of each k; – where it is not known. The column drops is exact at a recommended k, where each drop was checked \
        against the text of the one kept. Precision and recall are of {}",
        of_which_pairs(tuning)
    );
    let rows = TunedRow::all(tuning).take(last as usize + 1);
    let table = PageTable::of(caption, &tuned(), SHOWN, rows)
        .marked(k)
        .with_words("remark", (0..=last).map(remark));
    vec![PageBlock::List(sentences), PageBlock::Table(table)]
}

/// The pairs that precision and recall count.
fn of_which_pairs(tuning: &Tuning) -> String {
    let evidence = tuning.advice.as_ref().map(|advice| &advice.evidence);
    let farthest = evidence.map_or(0, |evidence| evidence.rows.len().saturating_sub(1));
    match evidence.map(|evidence| evidence.basis) {
        Some(Basis::Exact { .. }) => "pairs of texts with different features, each once".to_owned(),
        Some(Basis::Judged { .. }) => format!(
            "pairs of documents with different texts, by judgements; recall is of the near-duplicates within {farthest} bits"
        ),
        _ => format!(
            "pairs of different texts, each once; recall is of the true pairs within {farthest} bits"
        ),
    }
}

/// The precision of each k by judged pairs.
pub(super) fn judged(judged: &Assessment, k: u32) -> Vec<PageBlock> {
    let sentences = judged.conclusion().into_iter().map(|text| sentence(&text).into()).collect();
    let window = judged.advice.evidence.rows.last().map_or(0, |threshold| threshold.k);
    let caption = format!(
        "Precision and recall with 95 % intervals; recall is of the near-duplicates within {window}, as far as pairs are kept"
    );
    let rows = JudgedRow::all(&judged.advice, &[]);
    let table = PageTable::of(caption, &judged_facts(), SHOWN_JUDGED, rows).marked(k);
    vec![PageBlock::List(sentences), PageBlock::Table(table)]
}

/// A sentence with a capital and a full stop; a letter that names a number stays lower case.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = match letters.next() {
        Some('k') if letters.as_str().starts_with(" =") => 'k'.to_string(),
        Some(first) => first.to_uppercase().to_string(),
        None => String::new(),
    };
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_and_end() {
        assert_eq!(sentence("take k = 6"), "Take k = 6.");
        assert_eq!(sentence("k = 1: good"), "k = 1: good.");
    }
}
