//! The facts of the program that lessons may check, by name.

use super::check::Check;
use crate::{
    app::App,
    evaluate::{angle, null::Chance, precision::ThresholdRow},
    explain::{
        PerturbationRow,
        minhash::{brittle, jaccard},
    },
    index::{
        LayoutKind,
        chance::{Placements, placements},
    },
    number::grouped,
};

/// Every fact there is; "sums" is a name to hide by, for the sums of Step have no single value.
pub const NAMES: &[&str] = &[
    "distance",
    "cosine",
    "jaccard",
    "hash.brittle",
    "hash.minhash",
    "same",
    "features.a",
    "features.b",
    "only.b",
    "words.a",
    "words.b",
    "ties.a",
    "dominated.a",
    "step",
    "steps",
    "step.bit",
    "sums",
    "damage",
    "tables.left",
    "tables.sure",
    "tables.n",
    "ways",
    "ways.all",
    "bands",
    "walk",
    "lines",
    "lines.parting",
    "angle.cosine",
    "bench.recall",
    "bench.precision",
    "bench.found",
    "bench.false",
    "bench.bands",
    "bench.bits",
    "bench.k",
    "bench.tables",
    "bench.size",
    "worn",
    "worn.first",
    "worn.third",
    "worn.mean",
    "angle.expected",
    "angle.found",
    "answer",
    "k",
    "k.chance",
    "k.pairs",
    "k.precision",
    "k.recall",
    "judged",
];

/// The value of a fact; `None` while there is none.
pub fn fact(app: &App, name: &str) -> Option<f64> {
    let learn = &app.learn;
    let play = &learn.playground;
    let number = |n: usize| Some(n as f64);
    let truth = |is: bool| Some(f64::from(u8::from(is)));
    match name {
        // The Playground's two texts: a is the left or upper one.
        "distance" => play.distance().map(f64::from),
        "cosine" => play.overlap().cosine,
        "jaccard" => {
            let features = |side: usize| play.feature_votes[side].features.iter();
            let names = |side: usize| features(side).map(|feature| feature.shingle.as_str());
            jaccard(names(0), names(1))
        }
        // The bits in which a usual hash differs; the values in which MinHash agrees are a name to hide by.
        "hash.brittle" => {
            let hashes = [0, 1].map(|side| brittle(play.texts[side].value()));
            Some(f64::from((hashes[0] ^ hashes[1]).count_ones()))
        }
        "same" => truth(play.texts[0].value().trim() == play.texts[1].value().trim()),
        "features.a" => number(play.feature_votes[0].features.len()),
        "features.b" => number(play.feature_votes[1].features.len()),
        "words.a" => Some(f64::from(play.feature_votes[0].n_tokens)),
        "words.b" => Some(f64::from(play.feature_votes[1].n_tokens)),
        "only.b" => number(play.overlap().only[1].len()),
        "ties.a" => number(play.feature_votes[0].votes.ties() as usize),
        "dominated.a" => truth(play.dominating(0).is_some()),
        // Of Step: features that have voted, and all.
        "step" => number(learn.step.cast),
        "steps" => number(learn.step.len(play)).filter(|&steps| steps > 0.0),
        "step.bit" => Some(f64::from(learn.step.bit(play))),
        // Of Tables: bits damaged, and tables that still catch the pair.
        "damage" => number(learn.game.damage.count_ones() as usize),
        "tables.left" => number(learn.game.explanation().hits().count()),
        "tables.n" => number(learn.game.layout().tables().len()),
        // The ways to place one bit more than is guaranteed that no table catches, and all.
        "ways" => Some(escaping(app)?.escaping),
        "ways.all" => Some(escaping(app)?.all),
        // The distance the layout is sure to, its bands, and how far the walk through a table is.
        "tables.sure" => learn.game.layout().guarantee().map(f64::from),
        "bands" => number(match learn.game.layout().kind() {
            LayoutKind::Bands { bands, .. } => bands as usize,
            _ => 0,
        }),
        "walk" => number(learn.game.phase),
        // Of Angle and Wear; the mean distance is that of the most words changed.
        "lines" => number(learn.angle.n_lines),
        "lines.parting" => Some(f64::from(learn.angle.planes().n_parting())),
        "angle.cosine" => Some(learn.angle.cosine()),
        // Of Bench: the pairs of the corpus that the present setting finds.
        "bench.recall" => learn.bench.row()?.found.recall(),
        "bench.precision" => learn.bench.row()?.found.precision(),
        "bench.found" => Some(learn.bench.row()?.found.true_positives as f64),
        "bench.false" => Some(learn.bench.row()?.found.false_positives as f64),
        "bench.bands" => number(if learn.bench.is_banded { learn.bench.bands as usize } else { 0 }),
        "bench.bits" => number(if learn.bench.is_banded { learn.bench.bits as usize } else { 0 }),
        "bench.k" => (!learn.bench.is_banded).then_some(f64::from(learn.bench.k)),
        "bench.tables" => Some(learn.bench.designs(app.bench_bits()).last()?.tables as f64),
        "bench.size" => Some(learn.bench.n as f64),
        "worn.first" => Some(worn(app)?.first()?.mean()),
        "worn.third" => Some(worn(app)?.get(2)?.mean()),
        "worn.mean" => Some(worn(app)?.last()?.mean()),
        "worn" => truth(learn.wear.worn.answer().is_some_and(|worn| worn.wear.is_some())),
        "angle.expected" => Some(angle::expected_distance(learn.angle.cosine(), app.learn_bits())),
        "angle.found" => Some(angle::within(learn.angle.cosine(), app.learn_k(), app.learn_bits())),
        // Of the corpus: k, the largest that chance leaves alone, and pairs within k.
        "k" => Some(f64::from(app.settings.k)),
        "k.chance" => {
            // As Tune's column of the same name has it, where its distances are known.
            let tuning = app.tune.distances.tuning.as_ref();
            let ceiling = if let Some(tuning) = tuning.filter(|tuning| tuning.method.is_some()) {
                tuning.ceiling
            } else {
                let pairs = app.analysis.index.as_ref()?.n_unlike_pairs() as f64;
                Chance::coins(app.settings.recipe.bits).largest_k(pairs)
            };
            ceiling.map(f64::from)
        }
        "k.precision" => threshold_row(app)?.cumulative.value,
        "k.recall" => threshold_row(app)?.window_recall.value,
        // Pairs judged by eye.
        "judged" => Some(app.judged()?.assessment.counts.judgements as f64),
        "k.pairs" => app.analysis.totals().map(|totals| totals.pairs as f64),
        _ => None,
    }
}

/// What Tune says of k by exact cosines.
fn threshold_row(app: &App) -> Option<&ThresholdRow> {
    app.tune.distances.tuning.as_ref()?.threshold_row(app.settings.k)
}

/// The rows of Wear.
fn worn(app: &App) -> Option<&[PerturbationRow]> {
    app.learn.wear.worn.answer()?.wear.as_deref()
}

/// The placements of one differing bit more than the layout of Tables guarantees.
fn escaping(app: &App) -> Option<Placements> {
    let layout = app.learn.game.layout();
    placements(&layout, layout.guarantee()? + 1)
}

/// Whether a check holds now.
pub fn holds(app: &App, check: &Check) -> bool {
    check.holds(&|name| fact(app, name), app.learn.lessons.answer.as_deref())
}

/// The facts that a sentence names, `{distance}`, `{cosine:2}` or `{recall%}`, each with its form: decimals or
/// percent.
pub fn named(sentence: &str) -> impl Iterator<Item = (&str, &str)> {
    let inside = sentence.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    inside.map(|name| name.split_at(name.find([':', '%']).unwrap_or(name.len())))
}

/// A sentence with the facts that it names as they are now; `..` for one that is not known, `?` for one that is
/// hidden.
pub fn told(app: &App, sentence: &str) -> String {
    let mut told = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, later)) = after.split_once('}') else { break };
        told += before;
        let (name, form) = inside.split_at(inside.find([':', '%']).unwrap_or(inside.len()));
        told += &match fact(app, name) {
            _ if app.learn.lessons.hides(name) => "?".to_owned(),
            Some(value) => as_written(value, form),
            None => "..".to_owned(),
        };
        rest = later;
    }
    told + rest
}

/// A number with so many decimals, in percent, or, if its form is empty, whole or with three decimals.
fn as_written(value: f64, form: &str) -> String {
    match form.strip_prefix(':').map(str::parse) {
        Some(Ok(decimals)) => format!("{value:.decimals$}"),
        _ if form == "%" && value > 0.0 && value < 0.0005 => "less than 0.1 %".to_owned(),
        _ if form == "%" => format!("{:.1} %", 100.0 * value),
        _ if value.fract() == 0.0 && value >= 0.0 => grouped(value as u64),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_sentence_asks() {
        assert_eq!(as_written(41_664.0, ""), "41,664");
        assert_eq!(as_written(0.9891, ""), "0.989");
        assert_eq!(as_written(0.9891, ":2"), "0.99");
        assert_eq!(as_written(0.1732, "%"), "17.3 %");
        assert_eq!(as_written(0.0001, "%"), "less than 0.1 %");
        let names: Vec<_> = named("{k} of {cosine:2}, {recall%} {").collect();
        assert_eq!(names, [("k", ""), ("cosine", ":2"), ("recall", "%")]);
    }
}
