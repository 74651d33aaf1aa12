//! The facts of the program that lessons may check, by name.

use std::collections::HashSet;

use super::check::{Check, number_of};
use crate::analysis::LayoutEvaluation;
use crate::app::App;
use crate::evaluate::angle;
use crate::evaluate::distances::Chance;
use crate::evaluate::precision::ThresholdRow;
use crate::explain::bit_margins::is_dominated;
use crate::explain::hyperplane::{OrderedWord, brittle, order, signatures};
use crate::index::binomial;
use crate::index::load::{Placements, placements};
use crate::number::grouped;

/// A fact: its name, and the function of its value, `None` while it is not known.
type Fact = (&'static str, fn(&App) -> Option<f64>);

/// All facts.
pub(super) const FACTS: &[Fact] = &[
    // A check reads the answer by itself.
    ("answer", |app| number_of(app.learn.lessons.answer.as_deref()?)),
    // The Playground's two texts: a is the left or upper one.
    ("distance", |app| app.learn.playground.distance().map(f64::from)),
    ("cosine", |app| app.learn.playground.overlap().cosine),
    ("jaccard", |app| app.learn.playground.overlap().jaccard()),
    ("hash.brittle", |app| {
        let hashes = [0, 1].map(|side| brittle(app.learn.playground.texts[side].value()));
        Some(f64::from((hashes[0] ^ hashes[1]).count_ones()))
    }),
    // Of the picture MinHash: the kept numbers of each text, read as one number; that of the first text in the first
    // order; the orders in which the two agree.
    ("minhash.one", |app| in_a_row(&signatures(&orders(app))?[0])),
    ("minhash.two", |app| in_a_row(&signatures(&orders(app))?[1])),
    ("minhash.first", |app| number(*signatures(&orders(app))?[0].first()?)),
    ("minhash.agree", |app| {
        let [one, two] = signatures(&orders(app))?;
        number(one.iter().zip(&two).filter(|(one, two)| one == two).count())
    }),
    ("features.a", |app| number(app.learn.playground.feature_votes[0].features.len())),
    ("ties.a", |app| number(app.learn.playground.feature_votes[0].votes.ties() as usize)),
    ("dominated.a", |app| {
        number(usize::from(is_dominated(&app.learn.playground.feature_votes[0].weights())))
    }),
    // Of the picture Tables: flipped bits, and tables that still have the pair.
    ("damage", |app| number(app.learn.game.damage.count_ones() as usize)),
    ("tables.left", |app| number(app.learn.game.explanation().hits().count())),
    // The ways to place one bit more than is guaranteed so that no table has the pair, and all ways.
    ("ways", |app| Some(evading(app)?.escaping)),
    ("ways.all", |app| Some(evading(app)?.all)),
    // Of Angle.
    ("lines", |app| number(app.learn.angle.n_lines)),
    ("lines.parting", |app| number(app.learn.angle.planes().n_separating() as usize)),
    ("angle.cosine", |app| Some(app.learn.angle.cosine())),
    ("angle.expected", |app| {
        Some(angle::expected_distance(app.learn.angle.cosine(), app.learn_bits()))
    }),
    ("angle.found", |app| {
        Some(angle::within(app.learn.angle.cosine(), app.learn_k(), app.learn_bits()))
    }),
    // Of the layout that was measured last in Layouts: the pairs of the corpus that it finds.
    ("layout.recall", |app| measured(app)?.recall()),
    ("layout.precision", |app| measured(app)?.precision()),
    ("layout.found", |app| Some(measured(app)?.true_positives as f64)),
    ("layout.false", |app| Some(measured(app)?.false_positives() as f64)),
    // Of the corpus: k, its pairs, its precision and recall by exact cosines, and the pairs judged by eye.
    ("k", |app| Some(f64::from(app.settings.k))),
    ("k.chance", ceiling),
    ("k.pairs", |app| app.analysis.totals().map(|totals| totals.pairs as f64)),
    ("k.precision", |app| threshold_row(app)?.cumulative.value),
    ("k.recall", |app| threshold_row(app)?.window_recall.value),
    ("k.missed", |app| Some(1.0 - threshold_row(app)?.window_recall.value?)),
    // The cost of k, one for each missed pair and ten for each false pair, and the least cost at any k.
    ("k.cost", |app| cost_of(threshold_row(app)?)),
    ("k.cost.least", least_cost),
    // The price of k at 10^7 documents with one of k + 1 blocks as key: the tables, and the rows that a query reads by
    // chance in one of them and in all.
    ("price.blocks", |app| Some(f64::from(app.learn_k() + 1))),
    ("price.one", |app| Some((price_rows(app) / f64::from(app.learn_k() + 1)).round())),
    ("price.rows", |app| Some(price_rows(app).round())),
    ("judged", |app| Some(app.judged()?.counts.judgements as f64)),
];

/// The value of a fact; `None` while there is none.
pub fn fact(app: &App, name: &str) -> Option<f64> {
    let (_, value) = FACTS.iter().find(|(known, _)| *known == name)?;
    value(app)
}

#[expect(clippy::unnecessary_wraps, reason = "a fact is a value or none")]
fn number(n: usize) -> Option<f64> {
    Some(n as f64)
}

/// The features of a text of the Playground by name.
pub fn names(app: &App, side: usize) -> impl Iterator<Item = &str> + Clone {
    let features = app.learn.playground.feature_votes[side].features.iter();
    features.map(|feature| feature.shingle.as_str())
}

/// The orders that the picture MinHash shows.
pub const N_ORDERS: usize = 6;

/// The words of both texts of the Playground.
pub fn orders(app: &App) -> Vec<OrderedWord<'_>> {
    let of = |side: usize| names(app, side).collect::<HashSet<&str>>();
    let sides = [of(0), of(1)];
    let mut words: Vec<&str> = names(app, 0).collect();
    words.extend(names(app, 1).filter(|word| !sides[0].contains(word)));
    let orders: Vec<_> = (0..N_ORDERS as u64).map(|seed| order(&words, seed)).collect();
    let numbers = |at: usize| orders.iter().map(|order| order[at]).collect();
    let rows = words.into_iter().enumerate();
    rows.map(|(at, word)| (word, [0, 1].map(|side| sides[side].contains(word)), numbers(at)))
        .collect()
}

/// Numbers from 1 to 9 as the digits of one.
fn in_a_row(numbers: &[usize]) -> Option<f64> {
    let digits: String = numbers.iter().map(usize::to_string).collect();
    digits.parse().ok()
}

/// The layout that was measured last.
fn measured(app: &App) -> Option<&LayoutEvaluation> {
    Some(&app.tune.layouts.rows.last()?.evaluation)
}

/// The cost of a k, in which a false pair costs as much as ten missed pairs.
fn cost_of(row: &ThresholdRow) -> Option<f64> {
    let found = row.cumulative.value? * row.different as f64;
    let missed = found / row.window_recall.value? - found;
    let cost = missed + 10.0 * (row.different as f64 - found);
    Some(cost.round()).filter(|cost| cost.is_finite())
}

/// The least cost at any k.
fn least_cost(app: &App) -> Option<f64> {
    let tuning = app.tune.distances.tuning.as_ref()?;
    let rows = (0..=app.settings.recipe.bits).filter_map(|k| tuning.threshold_row(k));
    rows.filter_map(cost_of).min_by(f64::total_cmp)
}

/// The largest k with less than one pair by chance, computed as the column of Tune if the distances are known.
fn ceiling(app: &App) -> Option<f64> {
    let tuning = app.tune.distances.tuning.as_ref();
    let ceiling = if let Some(tuning) = tuning.filter(|tuning| tuning.method.is_some()) {
        tuning.ceiling
    } else {
        let pairs = app.analysis.index.as_ref()?.n_unlike_pairs() as f64;
        Chance::coins(app.settings.recipe.bits).largest_k(pairs)
    };
    ceiling.map(f64::from)
}

/// The row of Tune about k by exact cosines.
fn threshold_row(app: &App) -> Option<&ThresholdRow> {
    app.tune.distances.tuning.as_ref()?.threshold_row(app.settings.k)
}

/// The rows that a query reads of 10^7 documents, with one of k + 1 blocks as key.
fn price_rows(app: &App) -> f64 {
    1e7 * share_read(app.learn_bits(), app.learn_k(), 1)
}

/// The share of unrelated fingerprints that a query reads in all tables together, if any `key` of `key + k` blocks are
/// the key of a table. Blocks are as equal as can be, so keys differ in length by some bits.
pub fn share_read(width: u32, k: u32, key: u32) -> f64 {
    let blocks = key + k;
    let (narrow, n_wide) = (width / blocks, width % blocks);
    let of_wide = |wide: u32| {
        let tables = binomial(n_wide, wide) as f64 * binomial(blocks - n_wide, key - wide) as f64;
        tables / f64::from(narrow * key + wide).exp2()
    };
    (0..=key.min(n_wide)).map(of_wide).sum()
}

/// The placements of one differing bit more than the layout of Tables guarantees.
fn evading(app: &App) -> Option<Placements> {
    let layout = &app.learn.game.layout;
    placements(layout, layout.guarantee() + 1)
}

/// Whether a check holds in the present state.
pub fn holds(app: &App, check: &Check) -> bool {
    check.holds(&|name| fact(app, name), app.learn.lessons.answer.as_deref())
}

/// A sentence with the present values of the facts that it names, `{distance}`, `{cosine:2}` with two decimals or
/// `{recall%}` in percent; `..` for an unknown fact, `?` for a hidden one.
pub fn with_facts(app: &App, sentence: &str) -> String {
    let mut filled = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, later)) = after.split_once('}') else { break };
        filled += before;
        let (name, form) = inside.split_at(inside.find([':', '%']).unwrap_or(inside.len()));
        filled += &match fact(app, name) {
            _ if app.learn.lessons.hides(name) => "?".to_owned(),
            Some(value) => as_written(value, form),
            None => "..".to_owned(),
        };
        rest = later;
    }
    filled + rest
}

/// A number in a form: a number of decimals, percent, or, if the form is empty, whole or with three decimals.
fn as_written(value: f64, form: &str) -> String {
    match form.strip_prefix(':').map(str::parse::<usize>) {
        Some(Ok(decimals)) => format!("{value:.0$}", decimals.min(9)),
        _ if form == "%" && value > 0.0 && value < 0.0005 => "less than 0.1 %".to_owned(),
        _ if form == "%" => format!("{:.1} %", 100.0 * value),
        _ if value.fract() == 0.0 && value >= 0.0 => grouped(value as u64),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::screen::learn::lessons::FILES;

    /// The same by going through every choice of blocks as the key.
    fn share_by_tables(width: u32, k: u32, key: u32) -> f64 {
        let blocks = k + key;
        let bits = |block: u32| width / blocks + u32::from(block < width % blocks);
        let keys = (0_u32..1 << blocks).filter(|chosen| chosen.count_ones() == key);
        keys.map(|chosen| {
            let p: u32 = (0..blocks).filter(|block| chosen >> block & 1 == 1).map(bits).sum();
            f64::from(p).exp2().recip()
        })
        .sum()
    }

    #[test]
    fn the_rows_of_a_query_are_those_of_every_table() {
        for (k, key) in [(3, 1), (3, 3), (6, 3), (9, 1), (14, 1), (14, 6), (17, 2)] {
            let [fast, slow] = [share_read(64, k, key), share_by_tables(64, k, key)];
            assert!((fast / slow - 1.0).abs() < 1e-9, "{k} {key}: {fast} {slow}");
        }
        let texts = FILES.map(|it| it.1).concat();
        for (k, key, said) in [
            (3, 1, "right: 610. At"),
            (6, 3, "right: 334 rows"),
            (14, 6, "still reads 754,000 rows"),
        ] {
            let rows = 1e7 * share_by_tables(64, k, key);
            let number: String = said.chars().filter(char::is_ascii_digit).collect();
            let near = (rows / number.parse::<f64>().unwrap() - 1.0).abs() < 0.001;
            assert!(near && texts.contains(said), "{said}: {rows}");
        }
    }

    #[test]
    fn numbers_are_written_as_the_sentence_asks() {
        assert_eq!(as_written(41_664.0, ""), "41,664");
        assert_eq!(as_written(0.9891, ""), "0.989");
        assert_eq!(as_written(0.9891, ":2"), "0.99");
        assert_eq!(as_written(0.1732, "%"), "17.3 %");
        assert_eq!(as_written(0.0001, "%"), "less than 0.1 %");
    }
}
