//! Numbers of the selected pair, and of the pair in a table.

use super::number::ExplainedNumber;
use crate::{
    app::{App, Screen, screen::ViewId},
    evaluate::{angle, interval},
    explain::{PairExplanation, figures::similarity},
    facts::figures::digits,
    index::{
        Layout,
        load::{candidate_chance, expected_tables_hit},
    },
    number::grouped,
    simhash::Fingerprint,
};

/// The selected pair's fingerprints.
fn pair(app: &App) -> Option<[Fingerprint; 2]> {
    let (query, other) = app.near.pair()?;
    Some([app.analysis.fingerprint(query)?, app.analysis.fingerprint(other.document)?])
}

/// The chance that some table makes a pair at this distance a candidate, if it is known.
pub(super) fn chance_to_be_a_candidate(layout: &Layout, d: u32) -> Option<ExplainedNumber> {
    let share = digits(candidate_chance(layout, d)?);
    let name = layout.name();
    let formula = format!("P(some key of {name} is free of all of {d} differing bits) = {share}");
    let meaning = "1 as far as the layout guarantees; beyond that, some pairs are no candidates. A candidate farther apart than k is rejected.";
    Some(ExplainedNumber::new("chance to be a candidate", share, formula, meaning))
}

/// Numbers of the selected pair.
pub(in crate::app) fn of_the_pair(app: &App) -> Vec<ExplainedNumber> {
    let Some([a, b]) = pair(app) else { return Vec::new() };
    let (d, bits) = (a.distance(b), a.width());
    let layout = app.layout();
    let explanation = PairExplanation::new(a, b, &layout);
    let n_tables = layout.tables().len();
    let hits = explanation.hits().count();
    let expected = expected_tables_hit(&layout, d);
    let mut numbers = vec![
        ExplainedNumber::new(
            "d",
            d.to_string(),
            format!("popcount({a} XOR {b}) = {d}"),
            "The Hamming distance: bits in which the two fingerprints differ.",
        ),
        ExplainedNumber::new(
            "tables that hit",
            format!("{hits}/{n_tables}"),
            format!(
                "tables in whose key no differing bit lies: {hits}; expected for {d} differing bits at random: {}",
                digits(expected)
            ),
            "One table is enough to make the pair a candidate; a candidate is found if d is at most k.",
        ),
    ];
    numbers.extend(chance_to_be_a_candidate(&layout, d));
    numbers.extend(by_their_texts(app));
    if app.near.is_on_held() {
        numbers.extend(by_their_bits(d, bits));
    }
    numbers
}

/// The numbers of the pair by its texts, after they were compared for the list.
fn by_their_texts(app: &App) -> Vec<ExplainedNumber> {
    let pair = app.near.pair();
    let known = pair.and_then(|(query, other)| app.similar.to(query, other.document)).flatten();
    // The Why view has these figures, with the number of features.
    let Some(known) = known.filter(|_| app.shown(Screen::Near) == ViewId::Texts) else {
        return Vec::new();
    };
    let bits = app.analysis.settings.recipe.bits;
    let (cosine, jaccard) = (similarity(known.cosine), similarity(known.jaccard));
    vec![
        ExplainedNumber::new(
            "exact cosine",
            cosine.clone(),
            format!("sum of w_a w_b over shared features / (||w_a|| ||w_b||) = {cosine}"),
            "The similarity of the two texts by their weighted features; a distance only estimates it.",
        ),
        ExplainedNumber::new(
            "d to expect",
            digits(angle::expected_distance(known.cosine, bits)),
            format!(
                "b x acos(cosine) / pi = {bits} x acos({cosine}) / pi = {}",
                digits(angle::expected_distance(known.cosine, bits))
            ),
            "The mean distance over hash functions at this cosine, if many features vote evenly.",
        ),
        ExplainedNumber::new(
            "Jaccard",
            jaccard.clone(),
            format!("features shared / features of either, without weights = {jaccard}"),
            "How much the two sets of features overlap.",
        ),
    ]
}

/// The numbers that follow from the distance alone, for a pair that was not chosen by its distance.
fn by_their_bits(d: u32, bits: u32) -> [ExplainedNumber; 2] {
    let (low, high) = interval::cosine(d, bits);
    let estimate = angle::estimate(d, bits);
    [
        ExplainedNumber::new(
            "estimated cosine",
            format!("{estimate:.2}"),
            format!("cos(pi d / b) = cos(pi x {d} / {bits}) = {estimate:.3}"),
            "The cosine that the distance alone suggests, if many features vote evenly.",
        ),
        ExplainedNumber::new(
            "its interval",
            format!("{low:.2} to {high:.2}"),
            format!(
                "cos(pi x) at the ends of Jeffreys' interval for {d} of {bits} bits, 95 %: {low:.3} to {high:.3}"
            ),
            "It is valid because the pair was not chosen by its distance: it is listed because it is held.",
        ),
    ]
}

/// Numbers of the features of the pair, once both texts are read.
pub(in crate::app) fn of_their_features(app: &App) -> Vec<ExplainedNumber> {
    let pair = app.near.pair().map(|(query, other)| [query, other.document]);
    let found = app.near.why.answer.answer().filter(|found| Some(found.documents) == pair);
    let texts = found.and_then(|found| found.texts.as_ref());
    let Some(overlap) = texts.map(|texts| &texts.overlap) else { return Vec::new() };
    let number = |name: &str, figure: Option<f64>, formula: &str, meaning| {
        let value = figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.3}"));
        ExplainedNumber::new(name, value.clone(), format!("{formula} = {value}"), meaning)
    };
    let (n_shared, [one, other]) = (overlap.n_shared, overlap.n_only);
    let [shared, fewer, either] =
        [n_shared, n_shared + one.min(other), n_shared + one + other].map(|n| grouped(n as u64));
    vec![
        number(
            "exact cosine",
            overlap.cosine,
            "sum of w_a w_b over shared features / (||w_a|| ||w_b||)",
            "The similarity of the two texts; a distance only estimates it.",
        ),
        number(
            "Jaccard",
            overlap.jaccard(),
            &format!("features shared / features of either, without weights = {shared} / {either}"),
            "How much the two sets of features overlap.",
        ),
        number(
            "containment",
            overlap.containment(),
            &format!("features shared / features of the one that has fewer = {shared} / {fewer}"),
            "1 if one text contains all features of the other: an excerpt, which no distance shows.",
        ),
    ]
}

/// Numbers of the selected table for the pair.
pub(in crate::app) fn in_a_table(app: &App) -> Vec<ExplainedNumber> {
    let layout = app.layout();
    let mut numbers = Vec::new();
    if let (Some(table), Some(window)) =
        (layout.tables().get(app.tables.table.selected), &app.tables.window)
    {
        let (n, p) = (window.n_rows, table.key_bits);
        let rows = n as f64 * (-f64::from(p)).exp2();
        numbers.push(ExplainedNumber::new(
            "rows with the key",
            window.matching.len().to_string(),
            format!("counted: {}; to expect n / 2^p = {n} / 2^{p} = {}", window.matching.len(), digits(rows)),
            "Rows that a query has to verify in this table; many more than expected mean skewed blocks.",
        ));
        numbers.push(ExplainedNumber::new(
            "comparisons",
            window.steps.len().to_string(),
            format!(
                "binary search for both ends of these rows: {}; about 2 x log2({n}) = {}",
                window.steps.len(),
                digits(2.0 * (n.max(1) as f64).log2())
            ),
            "The cost of finding the rows that share the key.",
        ));
        numbers.push(ExplainedNumber::new(
            "key bits",
            p.to_string(),
            format!("the widths of the blocks that lead, {}: {p}", table.letters()),
            "A longer key brings fewer candidates, and is more likely to contain a differing bit.",
        ));
    }
    numbers.extend(of_the_pair(app));
    numbers
}
