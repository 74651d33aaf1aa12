//! Numbers of Tune's views.

use super::{
    corpus::{by_chance, unlike_pairs},
    number::{ExplainedNumber, digits},
};
use crate::{analysis::changes::ChangeList, app::App, index, number::grouped};

/// Numbers of the marked k in Distances.
pub(in crate::app) fn of_k(app: &App) -> Vec<ExplainedNumber> {
    let mut numbers = Vec::new();
    let (Some(tuning), Some(index)) = (&app.tune.distances.tuning, &app.analysis.index) else {
        return numbers;
    };
    let k = app.analysis.settings.k;
    numbers.push(by_chance(app, index, k));
    if let Some(ceiling) = tuning.ceiling {
        numbers.push(ExplainedNumber::new(
            "ceiling",
            format!("k = {ceiling}"),
            format!(
                "the largest k with {} x P(chance within k) < 1: {ceiling}",
                unlike_pairs(index)
            ),
            "Above it some pairs are near by chance, whatever the texts are.",
        ));
    }
    if let Some(row) = tuning.rows.get(k as usize) {
        if let Some(pairs) = row.pairs {
            let of = tuning.n_pairs.max(1) as f64;
            numbers.push(ExplainedNumber::new(
                "pairs",
                grouped(pairs.pairs),
                format!(
                    "{} of {} pairs have d <= {k}: a share of {}{}",
                    grouped(pairs.pairs),
                    grouped(tuning.n_pairs),
                    digits(pairs.pairs as f64 / of),
                    if pairs.low < pairs.high {
                        format!(
                            ", estimated; 95 %: {} to {}",
                            grouped(pairs.low),
                            grouped(pairs.high)
                        )
                    } else {
                        String::new()
                    }
                ),
                "The pairs that are near-duplicates at this k.",
            ));
        }
        if let Some(groups) = row.groups {
            numbers.push(ExplainedNumber::new(
                "drops",
                grouped(row.dropped.unwrap_or(u64::from(groups.redundant()))),
                match row.dropped {
                    Some(_) => "each is within k of a kept one and shares at least half of its text with it".to_owned(),
                    None => format!(
                        "at most {} grouped - {} groups = {}; the texts are not compared at this k",
                        grouped(u64::from(groups.documents)),
                        grouped(u64::from(groups.groups)),
                        grouped(u64::from(groups.redundant()))
                    ),
                },
                "Documents that can go: Groups and `dedup` drop them at this k by single linkage, if the first of several is kept. After <= it is the largest possible number.",
            ));
        }
    }
    numbers
}

/// Numbers of the selected layout.
pub(in crate::app) fn of_the_layout(app: &App) -> Vec<ExplainedNumber> {
    let state = &app.tune.layouts;
    let (Some(offer), Some(index)) = (state.selected(), &app.analysis.index) else {
        return Vec::new();
    };
    let (n, layout) = (index.n_distinct() as f64, &offer.layout);
    let mut numbers = vec![ExplainedNumber::new(
        "predicted",
        digits(offer.predicted),
        format!(
            "n(n-1)/2 x sum of 2^-p over {} tables = {} x {} = {}",
            layout.tables().len(),
            digits(n * (n - 1.0).max(0.0) / 2.0),
            digits(layout.expected_shared_tables()),
            digits(offer.predicted)
        ),
        "Key matches that random fingerprints would make, p being the bits of a key.",
    )];
    if let Some(known) = state.measured(layout) {
        let load = &known.load;
        numbers.push(ExplainedNumber::new(
            "key matches",
            grouped(load.candidates),
            format!("sum of s(s-1)/2 over all buckets of all tables = {}", grouped(load.candidates)),
            "Pairs of different fingerprints that share a key, once for each such table. A candidate, as Lab counts them, is a pair of documents, each once.",
        ));
        numbers.push(ExplainedNumber::new(
            "skew",
            digits(load.skew()),
            format!(
                "key matches / predicted = {} / {} = {}",
                grouped(load.candidates),
                digits(load.predicted),
                digits(load.skew())
            ),
            "The work compared with random fingerprints: boilerplate gives many documents equal blocks.",
        ));
        if let Some(bits) = load.effective_bits() {
            numbers.push(ExplainedNumber::new(
                "effective bits",
                format!("{bits:.1}"),
                format!("log2(tables x n(n-1)/2 / key matches) = {bits:.1}"),
                "The key selects as well as this many random bits.",
            ));
        }
    }
    numbers
}

/// Numbers of the marked k by the labels.
pub(in crate::app) fn of_the_labels(app: &App) -> Vec<ExplainedNumber> {
    let Some(assessed) = app.tune.label.assessed.answer() else { return Vec::new() };
    let assessment = &assessed.assessment;
    let k = app.analysis.settings.k as usize;
    let Some(row) = assessment.advice.evidence.rows.get(k) else { return Vec::new() };
    let at = row.at;
    let mut numbers = vec![ExplainedNumber::new(
        "at this d",
        format!("{:.2} to {:.2}", row.precision.low, row.precision.high),
        format!(
            "Jeffreys' 95 % interval, Beta(yes + 1/2, no + 1/2), for {} yes, {} no, {} unsure among {} pairs at d = {k}, narrowed by the share that is left",
            at.yes,
            at.no,
            at.unsure,
            grouped(at.pairs)
        ),
        "The share of near-duplicates among pairs at exactly this distance; unsure counts both ways.",
    )];
    if row.different > 0 {
        numbers.push(ExplainedNumber::new(
            "within k",
            format!("{:.2} to {:.2}", row.cumulative.low, row.cumulative.high),
            format!(
                "sum of precision x pairs over d = 0..{k} / {} pairs; the ends from 20,000 draws of what is not judged",
                grouped(row.different)
            ),
            "The precision of this k: the share of near-duplicates among the pairs of different texts within it.",
        ));
        let sure = format!("{:.3}", (row.bound * 1000.0).floor() / 1000.0);
        numbers.push(ExplainedNumber::new(
            "sure",
            sure.clone(),
            format!(
                "in 95 % of the same draws no k has fewer near-duplicates than its bound: {sure} here"
            ),
            "A lower bound on the precision, valid for all k at once if you decided how many pairs to judge before you began.",
        ));
        numbers.push(ExplainedNumber::new(
            "recall",
            format!("{:.2} to {:.2}", row.window_recall.low, row.window_recall.high),
            format!(
                "near-duplicates within {k} / near-duplicates within {}",
                assessment.advice.evidence.rows.len().saturating_sub(1)
            ),
            "The share of the near-duplicates among the known pairs that this k finds; pairs farther apart are unknown.",
        ));
    }
    numbers
}

/// Numbers of the selected row of the lab.
pub(in crate::app) fn of_the_trial(app: &App) -> Vec<ExplainedNumber> {
    let Some(row) = app.tune.lab.selected() else { return Vec::new() };
    let evaluation = &row.evaluation;
    let (tp, candidates) = (evaluation.true_positives, evaluation.candidates);
    let mut numbers = vec![ExplainedNumber::new(
        "candidates",
        grouped(candidates),
        match evaluation.kind {
            index::LayoutKind::Bands { .. } => {
                format!("pairs of documents that share a band, each once = {}", grouped(candidates))
            }
            _ => format!(
                "pairs of documents within k that the tables bring together, each once = {}",
                grouped(candidates)
            ),
        },
        "Pairs whose texts have to be compared. Layouts counts key matches: pairs of fingerprints, once for each table.",
    )];
    if let Some(precision) = evaluation.precision() {
        numbers.push(ExplainedNumber::new(
            "precision",
            format!("{precision:.4}"),
            format!(
                "true / candidates = {} / {} = {precision:.4}",
                grouped(tp),
                grouped(candidates)
            ),
            "The share of true pairs among the candidates of the layout.",
        ));
    }
    if let (Some(recall), Some(missed)) = (evaluation.recall, evaluation.false_negatives) {
        let all = grouped(tp + missed);
        numbers.push(ExplainedNumber::new(
            "recall",
            format!("{:.4}", recall.recall),
            format!("true / (true + missed) = {} / {all} = {:.4}", grouped(tp), recall.recall),
            "The share of all true pairs that are candidates of the layout.",
        ));
    } else if let Some(distinct) = evaluation.recall_distinct {
        numbers.push(ExplainedNumber::new(
            "distinct",
            format!("{:.4}", distinct.recall),
            format!(
                "found / true pairs of the texts drawn at random = {:.4}; 95 %: {:.4} to {:.4}",
                distinct.recall, distinct.low, distinct.high
            ),
            "The estimated share of all true pairs of different texts that are candidates of the layout.",
        ));
    }
    if let Some(f1) = evaluation.f1() {
        numbers.push(ExplainedNumber::new(
            "F1",
            format!("{f1:.4}"),
            format!("2 x precision x recall / (precision + recall) = {f1:.4}"),
            "One number for both; it is low where either is.",
        ));
    }
    if let Some(skew) = evaluation.skew() {
        numbers.push(ExplainedNumber::new(
            "predicted",
            grouped(evaluation.predicted.round() as u64),
            format!(
                "unrelated pairs by chance + for each true pair the chance at its cosine = {}; counted: {}, {skew:.2} times that",
                grouped(evaluation.predicted.round() as u64),
                grouped(candidates)
            ),
            "If there are many more, unrelated texts share blocks.",
        ));
    }
    numbers
}

/// Numbers of the selected recipe of the sweep.
pub(in crate::app) fn of_the_cell(app: &App) -> Vec<ExplainedNumber> {
    let Some(swept) = app.tune.sweep.selected() else { return Vec::new() };
    let found = swept.at_best();
    let k = swept.k().map_or_else(|| "-".to_owned(), |k| k.to_string());
    let (tp, fp, missed) = (found.true_positives, found.false_positives, found.false_negatives);
    let mut numbers = vec![ExplainedNumber::new(
        "best k",
        k.clone(),
        format!("the k with the largest F1: {k}"),
        "Each recipe has its own best k; the map compares the recipes at their best.",
    )];
    if let (Some(precision), Some(recall), Some(f1)) =
        (found.precision(), found.recall(), found.f1())
    {
        let shares = [
            ("precision", precision, format!("true / (true + false) = {tp} / ({tp} + {fp})")),
            ("recall", recall, format!("true / (true + missed) = {tp} / ({tp} + {missed})")),
            ("F1", f1, format!("2 x {tp} / (2 x {tp} + {fp} + {missed})")),
        ];
        let meanings = [
            "The share of true pairs among the pairs within its best k.",
            "The share of the true pairs that are within its best k.",
            "One number for both; it is low where either is.",
        ];
        for ((name, share, formula), meaning) in shares.into_iter().zip(meanings) {
            numbers.push(ExplainedNumber::new(
                name,
                format!("{share:.3}"),
                format!("{formula} = {share:.3}"),
                meaning,
            ));
        }
    }
    numbers
}

/// Numbers of the pairs that a change of the recipe gained and lost.
pub(in crate::app) fn of_the_changes(app: &App) -> Vec<ExplainedNumber> {
    let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
    let (changes, before, after) = (&found.changes, &found.before, &found.after);
    let [gained, lost] = [&changes.gained, &changes.lost].map(ChangeList::count);
    vec![
        ExplainedNumber::new(
            "gained",
            gained.clone(),
            format!(
                "pairs found at k = {} after and not at k = {} before: {gained}",
                after.k, before.k
            ),
            "Near-duplicates under the present recipe, but not under the one before.",
        ),
        ExplainedNumber::new(
            "lost",
            lost.clone(),
            format!(
                "pairs found at k = {} before and not at k = {} after: {lost}",
                before.k, after.k
            ),
            "Near-duplicates under the recipe before, but not under the present one.",
        ),
    ]
}
