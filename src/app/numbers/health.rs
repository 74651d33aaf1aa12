//! Numbers of all fingerprints of a corpus together, and of a pair whose fingerprints and texts disagree.

use super::number::ExplainedNumber;
use crate::{
    analysis::disagreement::DisagreementKind, app::App, facts::figures::digits, number::grouped,
};

/// Numbers of the Health view.
pub(in crate::app) fn of_the_corpus(app: &App) -> Vec<ExplainedNumber> {
    let Some(found) = app.docs.health.found.answer() else { return Vec::new() };
    let health = &found.health;
    let (n, bits) = (health.n as f64, f64::from(health.width));
    let (mean, deviation) = health.popcount();
    let margin = health.balance_margin();
    let off = |bit: &u32| health.balance(*bit).map_or(0.0, |share| 100.0 * (share - 0.5).abs());
    let n_off = (0..health.width).filter(|bit| off(bit) > margin).count();
    let farthest =
        (0..health.width).max_by(|one, other| off(one).total_cmp(&off(other))).unwrap_or(0);
    let n_buckets = health.prefixes.len();
    let (correlation, n_pairs) = health.mean_correlation();
    vec![
        ExplainedNumber::new(
            "bits set",
            format!("{mean:.1}, deviation {deviation:.1}"),
            format!(
                "{} fingerprints: mean {mean:.1}, standard deviation {deviation:.1}; random bits: {bits} / 2 = {:.1} and sqrt({bits}) / 2 = {:.1}",
                grouped(health.n),
                bits / 2.0,
                bits.sqrt() / 2.0
            ),
            "A larger deviation means copies, or texts that few features decide.",
        ),
        ExplainedNumber::new(
            "balance",
            format!("{n_off} of {bits} bits off"),
            format!(
                "{n_off} of {bits} bits are more than 98 % / sqrt({}) = {margin:.1} % from one half, bit {farthest} by {:.1} %; of random bits 1 in 20",
                grouped(health.n),
                off(&farthest)
            ),
            "A bit that is farther from one half splits the corpus less evenly, so tables keyed by it have fuller buckets.",
        ),
        ExplainedNumber::new(
            "correlation",
            digits(correlation),
            format!(
                "root mean square over {} pairs of bits = {}; random bits: 1 / sqrt({}) = {}",
                grouped(n_pairs as u64),
                digits(correlation),
                grouped(health.n),
                digits(1.0 / n.max(1.0).sqrt())
            ),
            "Bits that move together carry less information: unrelated texts come nearer to each other.",
        ),
        ExplainedNumber::new(
            "crowded",
            grouped(found.n_hot_prefixes as u64),
            format!(
                "{} of {n_buckets} buckets have at least 2 documents, 2 x {:.1} of them, and at least 5 standard deviations more than that average",
                found.n_hot_prefixes,
                n / n_buckets.max(1) as f64
            ),
            "Documents that begin with the same bits more often than chance explains: copies, templates, empty pages.",
        ),
    ]
}

/// Numbers of the pair under the cursor of Disagreements.
pub(in crate::app) fn of_the_disagreement(app: &App) -> Vec<ExplainedNumber> {
    let Some(it) = app.docs.disagreements.selected() else { return Vec::new() };
    let (d, bits) = (it.pair.distance, app.analysis.settings.recipe.bits);
    let (low, high) = it.interval;
    let (tail, meaning) = match it.kind {
        DisagreementKind::Near => (
            "at most",
            "The chance of a distance this small at this cosine. Pairs are listed because they are near, so small \
            chances are more frequent here than their value says.",
        ),
        DisagreementKind::Far => (
            "at least",
            "The chance of a distance this large at this cosine. Pairs are listed because they are far apart, so small \
            chances are more frequent here than their value says.",
        ),
    };
    vec![
        ExplainedNumber::new(
            "cosine",
            format!("{:.3}", it.cosine),
            format!(
                "sum of products of the two texts' feature weights / (length x length) = {:.3}",
                it.cosine
            ),
            "The similarity of the two texts by their features: computed from the texts, not from the bits.",
        ),
        ExplainedNumber::new(
            "d says",
            format!("{low:.2} to {high:.2}"),
            format!(
                "cos(pi x p), p in the 95 % Jeffreys interval of {d} of {bits} bits: {low:.2} to {high:.2}"
            ),
            "The cosines that fit this distance. The pair is listed because its cosine lies outside.",
        ),
        ExplainedNumber::new(
            "chance",
            digits(it.chance),
            format!(
                "P({tail} {d} of {bits} bits differ) = {}, each with arccos({:.3}) / pi; {:.1} bits are expected",
                digits(it.chance),
                it.cosine,
                it.expected
            ),
            meaning,
        ),
    ]
}
