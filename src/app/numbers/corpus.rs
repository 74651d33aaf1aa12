//! Numbers of a document in the list, and those of the status row.

use super::number::ExplainedNumber;
use crate::{
    analysis::FingerprintIndex,
    app::App,
    evaluate::distances::Fit,
    facts::figures::digits,
    index::Linkage,
    number::{counted, grouped},
};

/// Numbers of the document selected in Docs.
pub(in crate::app) fn of_a_document(app: &App) -> Vec<ExplainedNumber> {
    let (bits, k) = (app.analysis.settings.recipe.bits, app.analysis.settings.k);
    let mut numbers = Vec::new();
    let Some(document) = app.query() else { return numbers };
    if let Some(fingerprint) = app.analysis.fingerprint(document) {
        let (set, half) = (fingerprint.bits().count_ones(), f64::from(bits) / 2.0);
        numbers.push(ExplainedNumber::new(
            "bits set",
            set.to_string(),
            format!(
                "popcount({fingerprint}) = {set}; by chance {bits}/2 = {} with standard deviation sqrt({bits})/2 = {}",
                digits(half),
                digits(f64::from(bits).sqrt() / 2.0)
            ),
            "If it is far from half, few features, or a single one, decided the fingerprint.",
        ));
    }
    if let Some(open) = app.open_document() {
        if let Some(feature_votes) = &open.feature_votes {
            let n = feature_votes.features.len();
            numbers.push(ExplainedNumber::new(
                "features",
                grouped(n as u64),
                format!(
                    "distinct shingles ({}) of {} {} = {}",
                    app.analysis.settings.recipe.features,
                    grouped(u64::from(open.n_tokens)),
                    app.analysis.settings.recipe.features.tokens_name(),
                    grouped(n as u64)
                ),
                "Each votes on every bit with its weight; with few shingles distances say little.",
            ));
        }
        if let Some(margins) = &open.margins {
            numbers.push(ExplainedNumber::new(
                "ties",
                margins.n_ties().to_string(),
                format!("bits with V = 0: {} of {bits}", margins.n_ties()),
                "A rule sets a tied bit, not the text; so two short texts may differ or agree in it by accident.",
            ));
        }
    }
    if let Some((index, all)) = app.analysis.index.as_ref().zip(app.analysis.near_count(document))
        && index.entry_of(document).is_some()
    {
        let copies = app.analysis.near_copies(document) as u64;
        let all = u64::from(all);
        numbers.push(ExplainedNumber::new(
            "near",
            grouped(all),
            format!(
                "{} with an equal fingerprint + {} at 1 <= d <= k = {k}: {}",
                grouped(copies),
                grouped(all - copies),
                grouped(all)
            ),
            "Other documents that count as its near-duplicates.",
        ));
    }
    numbers
}

/// Numbers of the status row.
pub(in crate::app) fn of_the_status(app: &App) -> Vec<ExplainedNumber> {
    let (bits, k) = (app.analysis.settings.recipe.bits, app.analysis.settings.k);
    let mut numbers = vec![ExplainedNumber::new(
        "k",
        k.to_string(),
        format!("two documents are near if popcount(a XOR b) <= k = {k} of {bits}"),
        "The threshold of the whole program; + and - change it on every screen.",
    )];
    let Some(index) = &app.analysis.index else { return numbers };
    let (n, distinct) = (index.n_fingerprinted() as u64, index.n_distinct() as u64);
    numbers.push(ExplainedNumber::new(
        "distinct",
        grouped(distinct),
        format!(
            "{} - {} with the fingerprint of an earlier one = {}",
            counted(n, "fingerprinted document"),
            grouped(n - distinct),
            grouped(distinct)
        ),
        "Different fingerprints; tables hold each once, however many documents have it.",
    ));
    numbers.extend(in_the_reference(app));
    if let Some(totals) = app.analysis.totals() {
        let found = totals.pairs - index.n_copy_pairs();
        numbers.push(ExplainedNumber::new(
            "pairs",
            grouped(totals.pairs),
            format!(
                "{} at d = 0 + {} at 1 <= d <= {k} = {}",
                grouped(index.n_copy_pairs()),
                grouped(found),
                grouped(totals.pairs)
            ),
            "Pairs of documents within k, each once.",
        ));
    }
    if let Some(groups) = app.group_totals() {
        let (linkage, meaning) = match app.groups.linkage {
            Linkage::Single => (
                "",
                "Documents that have at least one near-duplicate; near pairs connect the documents of a group.",
            ),
            Linkage::Complete => (
                " by complete linkage",
                "Documents in groups; every two documents of a group are within k. c in Groups changes the linkage.",
            ),
        };
        numbers.push(ExplainedNumber::new(
            "grouped",
            grouped(u64::from(groups.documents)),
            match app.analysis.totals().and_then(|totals| totals.shared) {
                Some(shared) => format!(
                    "{} in {}: {} of the first corpus and {} of the reference",
                    counted(u64::from(groups.documents), "document"),
                    counted(u64::from(groups.groups), "group"),
                    grouped(shared),
                    grouped(u64::from(groups.documents) - shared),
                ),
                None => format!(
                    "{} in {}{linkage}; one of each group kept, at most {} - {} = {} can go",
                    counted(u64::from(groups.documents), "document"),
                    counted(u64::from(groups.groups), "group"),
                    grouped(u64::from(groups.documents)),
                    grouped(u64::from(groups.groups)),
                    grouped(u64::from(groups.redundant()))
                ),
            },
            meaning,
        ));
    }
    numbers.push(by_chance(app, index, k));
    let layout = index.layout();
    numbers.push(ExplainedNumber::new(
        "tables",
        layout.tables().len().to_string(),
        format!("{}: {}", layout.name(), layout.describe()),
        "Sorted copies of the fingerprints under different permutations: near pairs are neighbours in at least one.",
    ));
    numbers
}

/// The share of the first corpus that the reference has.
fn in_the_reference(app: &App) -> Option<ExplainedNumber> {
    let shared = app.analysis.totals()?.shared?;
    Some(ExplainedNumber::new(
        "in the reference",
        grouped(shared),
        app.analysis.share(shared),
        "Documents of the first corpus that the reference has, too, or nearly so.",
    ))
}

/// The number of pairs expected by chance within k, as in the column of Tune.
pub(super) fn by_chance(app: &App, index: &FingerprintIndex, k: u32) -> ExplainedNumber {
    let chance =
        app.analysis.chance(app.tune.distances.measured.answer().map(|distances| &**distances));
    let (share, bits) = (chance.within(k), app.analysis.settings.recipe.bits);
    let pairs = index.n_unlike_pairs() as f64 * share;
    let model = match chance.fit() {
        None => format!("sum of C({bits}, i)/2^{bits} for i = 0..{k}"),
        Some(Fit { mean, spread, .. }) => format!(
            "beta-binomial share within {k}, fitted to distances of mean {mean:.1} and deviation {spread:.1},"
        ),
    };
    // Tune measures the distances; before that, every screen states that it takes bits as independent coins.
    let is_measured = app.tune.distances.measured.answer().is_some();
    ExplainedNumber::new(
        if is_measured { "pairs by chance" } else { "pairs by chance (even bits)" },
        digits(pairs),
        format!(
            "{} x {model} = {} x {} = {}",
            unlike_pairs(index),
            grouped(index.n_unlike_pairs()),
            digits(share),
            digits(pairs)
        ),
        "Pairs within k to expect if all texts were unrelated; above 1, a small distance alone is no evidence.",
    )
}

/// The pairs that chance may bring near each other: those of distinct fingerprints.
pub(super) fn unlike_pairs(index: &FingerprintIndex) -> String {
    if let Some([first, reference]) = index.n_fingerprinted_by_side() {
        let (first, reference) = (grouped(first), grouped(reference));
        return format!(
            "(n m - {} at d = 0), n = {first} and m = {reference} fingerprinted,",
            grouped(index.n_copy_pairs())
        );
    }
    let n = counted(index.n_distinct() as u64, "distinct fingerprint");
    format!("n(n-1)/2, n being {n},")
}
