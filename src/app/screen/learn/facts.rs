//! The facts of the program that lessons may check, by name.

use super::lesson::Check;
use crate::{app::App, evaluate::null::Chance, index::LayoutKind};

/// Every fact there is.
pub const NAMES: &[&str] = &[
    "distance",
    "cosine",
    "same",
    "features.a",
    "features.b",
    "ties.a",
    "dominated.a",
    "step",
    "steps",
    "damage",
    "tables.left",
    "tables.sure",
    "bands",
    "walk",
    "lines",
    "angle.cosine",
    "worn",
    "worn.mean",
    "answer",
    "k",
    "k.chance",
    "k.pairs",
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
        "same" => truth(play.texts[0].value().trim() == play.texts[1].value().trim()),
        "features.a" => number(play.feature_votes[0].features.len()),
        "features.b" => number(play.feature_votes[1].features.len()),
        "ties.a" => number(play.feature_votes[0].votes.ties() as usize),
        "dominated.a" => truth(play.dominating(0).is_some()),
        // Of Step: features that have voted, and all.
        "step" => number(learn.step.cast),
        "steps" => number(learn.step.len(play)).filter(|&steps| steps > 0.0),
        // Of Tables: bits damaged, and tables that still catch the pair.
        "damage" => number(learn.game.damage.count_ones() as usize),
        "tables.left" => number(learn.game.explanation().hits().count()),
        // The distance the layout is sure to, its bands, and how far the walk through a table is.
        "tables.sure" => learn.game.layout().guarantee().map(f64::from),
        "bands" => number(match learn.game.layout().kind() {
            LayoutKind::Bands { bands, .. } => bands as usize,
            _ => 0,
        }),
        "walk" => number(learn.game.phase),
        // Of Angle and Wear; the mean distance is that of the most words changed.
        "lines" => number(learn.angle.n_lines),
        "angle.cosine" => Some(learn.angle.cosine()),
        "worn.mean" => Some(learn.wear.worn.answer()?.wear.as_ref()?.last()?.mean()),
        "worn" => truth(learn.wear.worn.answer().is_some_and(|worn| worn.wear.is_some())),
        // The typed answer.
        "answer" => learn.lessons.answer,
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
        "k.pairs" => app.analysis.totals().map(|totals| totals.pairs as f64),
        _ => None,
    }
}

/// Whether the open lesson is finished.
pub fn passes(app: &App) -> bool {
    let lesson = app.learn.lessons.active();
    lesson.is_some_and(|lesson| lesson.checks.iter().all(|check| holds(app, check)))
}

/// Whether a check holds now.
pub fn holds(app: &App, check: &Check) -> bool {
    check.holds(&|name| fact(app, name))
}

/// The number of leading parts of the open lesson that are finished.
pub fn parts_done(app: &App) -> usize {
    let lesson = app.learn.lessons.active();
    lesson.map_or(0, |lesson| lesson.parts().take_while(|part| holds(app, part)).count())
}
