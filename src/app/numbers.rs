//! The numbers of the present screen, each with its formula, the values in it, and its meaning.
//!
//! `?` lists the keys, Tab there the numbers. Each view tells its own; the marks of the screen and the status row
//! follow. The functions that compute the numbers of the screen also compute the listed ones, so an explanation cannot
//! differ from the screen. The list costs microseconds to a millisecond; it is made when it is opened or the screen
//! below it changes.

use super::view::view;
use super::{App, Screen};
use crate::analysis::FingerprintIndex;
use crate::evaluate::distances::Fit;
pub use crate::facts::ExplainedNumber;
use crate::facts::figures::digits;
use crate::index::Linkage;
use crate::number::{counted, grouped};
use crate::sign;

impl App {
    /// The numbers of the view that shows, its own first, then those of the status row. Costs microseconds to
    /// a millisecond.
    pub fn numbers(&self) -> Vec<ExplainedNumber> {
        // An explanation must not give away the number that a lesson asks for.
        let is_asked = self.screen == Screen::Learn && self.learn.lessons.hides_anything();
        let mut numbers = if is_asked { Vec::new() } else { view(self.view()).numbers(self) };
        numbers.extend(marks(self));
        add_others(&mut numbers, of_the_status(self));
        numbers
    }
}

/// Adds the numbers whose names are not explained yet.
pub(super) fn add_others(numbers: &mut Vec<ExplainedNumber>, others: Vec<ExplainedNumber>) {
    for number in others {
        if numbers.iter().all(|known| known.name != number.name) {
            numbers.push(number);
        }
    }
}

/// The marks of the screen that shows; none where it has no marks of its own.
fn marks(app: &App) -> Option<ExplainedNumber> {
    let [print, unlike, partner] = [sign::EQUAL_PRINT, sign::UNLIKE, sign::PARTNER];
    let [zero, one] = sign::OTHER;
    let twins = format!("= same text; {print} same fingerprint, another text");
    let copies = format!("=2 two documents with one text; {print}3 three with that fingerprint");
    let bits = format!("{zero} {one} a 0 and a 1 where the two differ");
    let (marks, told) = match app.screen {
        Screen::Docs if app.lists_groups() => (
            "! *".to_owned(),
            "! a text of the group is spared: near a kept one, with too little text in common; * decided by hand"
                .to_owned(),
        ),
        Screen::Docs => (
            format!("= {print} s t d b ?"),
            format!("{twins}; s short, t tied, d dominated, b boilerplate, ? not UTF-8"),
        ),
        Screen::Pair => (
            format!("= {print} {unlike} {partner} {zero}{one}"),
            format!(
                "{twins}; {unlike} no duplicates, in texts words that differ; {partner} held or opened; {bits}"
            ),
        ),
        Screen::Tables => (
            format!("=2 {print}3 {partner} {zero}{one}"),
            format!("{copies}; {partner} the pair; {bits}"),
        ),
        Screen::Tune | Screen::Check | Screen::Learn => return None,
    };
    Some(ExplainedNumber::new("marks", marks).explained(
        told,
        "Marks stand in lists, in trees and in bits; the page `screens` of the manual tells more of them.",
    ))
}

/// Numbers of the status row.
fn of_the_status(app: &App) -> Vec<ExplainedNumber> {
    let (bits, k) = (app.analysis.settings.recipe.bits, app.analysis.settings.k);
    let mut numbers = vec![ExplainedNumber::new("k", k.to_string()).explained(
        format!("two documents are near if popcount(a XOR b) <= k = {k} of {bits}"),
        "The threshold of the whole program; + and - change it on every screen.",
    )];
    let Some(index) = &app.analysis.index else { return numbers };
    let (n, distinct) = (index.n_fingerprinted() as u64, index.n_distinct() as u64);
    let all = counted(n, "fingerprinted document");
    let [copies, distinct] = [n - distinct, distinct].map(grouped);
    numbers.push(ExplainedNumber::new("distinct", &distinct).explained(
        format!("{all} - {copies} with the fingerprint of an earlier one = {distinct}"),
        "Different fingerprints; tables hold each once, however many documents have it.",
    ));
    let totals = app.analysis.totals();
    let shared = totals.and_then(|totals| totals.shared);
    numbers.extend(shared.map(|shared| {
        ExplainedNumber::new("in the reference", grouped(shared)).explained(
            app.analysis.share(shared),
            "Documents of the first corpus that the reference has, too, or nearly so.",
        )
    }));
    if let Some(totals) = totals {
        let copies = index.n_copy_pairs();
        let [copies, found, all] = [copies, totals.pairs - copies, totals.pairs].map(grouped);
        numbers.push(ExplainedNumber::new("pairs", &all).explained(
            format!("{copies} at d = 0 + {found} at 1 <= d <= {k} = {all}"),
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
                "Documents in groups; every two documents of a group are within k. c in Docs changes the linkage.",
            ),
        };
        let [n, n_groups, redundant] =
            [groups.documents, groups.groups, groups.redundant()].map(u64::from);
        let all = format!("{} in {}", counted(n, "document"), counted(n_groups, "group"));
        let [others, shown, n_groups, redundant] =
            [n - shared.unwrap_or(0), n, n_groups, redundant].map(grouped);
        let how = match shared.map(grouped) {
            Some(shared) => {
                format!("{all}: {shared} of the first corpus and {others} of the reference")
            }
            None => format!(
                "{all}{linkage}; one of each group kept, at most {shown} - {n_groups} = {redundant} can go"
            ),
        };
        numbers.push(ExplainedNumber::new("grouped", shown).explained(how, meaning));
    }
    numbers.push(by_chance(app, index));
    let layout = index.layout();
    numbers.push(ExplainedNumber::new("tables", layout.tables().len().to_string()).explained(
        format!("{}: {}", layout.name(), layout.describe()),
        "Sorted copies of the fingerprints under different permutations: near pairs are neighbours in at least one.",
    ));
    numbers
}

/// The number of pairs expected by chance within k, as in the column of Tune.
pub(super) fn by_chance(app: &App, index: &FingerprintIndex) -> ExplainedNumber {
    let (bits, k) = (app.analysis.settings.recipe.bits, app.analysis.settings.k);
    // Tune measures the distances; before that, every screen states that it takes bits as independent coins.
    let measured = app.tune.distances.measured.answer();
    let name = if measured.is_some() { "pairs by chance" } else { "pairs by chance (even bits)" };
    let chance = app.analysis.chance(measured.map(|distances| &**distances));
    let model = match chance.fit {
        None => format!("sum of C({bits}, i)/2^{bits} for i = 0..{k}"),
        Some(Fit { mean, spread, .. }) => format!(
            "beta-binomial share within {k}, fitted to distances of mean {mean:.1} and deviation {spread:.1},"
        ),
    };
    let (share, n) = (chance.within(k), index.n_unlike_pairs());
    let pairs = digits(n as f64 * share);
    let (unlike, n, share) = (unlike_pairs(index), grouped(n), digits(share));
    ExplainedNumber::new(name, &pairs).explained(
        format!("{unlike} x {model} = {n} x {share} = {pairs}"),
        "Pairs within k to expect if all texts were unrelated; above 1, a small distance alone is no evidence.",
    )
}

/// The pairs that chance may bring near each other: those of distinct fingerprints.
pub(super) fn unlike_pairs(index: &FingerprintIndex) -> String {
    let Some(sides) = index.n_fingerprinted_by_side() else {
        let n = counted(index.n_distinct() as u64, "distinct fingerprint");
        return format!("n(n-1)/2, n being {n},");
    };
    let ([first, reference], copies) = (sides.map(grouped), grouped(index.n_copy_pairs()));
    format!("(n m - {copies} at d = 0), n = {first} and m = {reference} fingerprinted,")
}
