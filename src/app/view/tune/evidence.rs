//! The evidence for a k that every view of Tune shows: the distances of all pairs, and the advice.

use std::sync::Arc;

use crate::{
    analysis::{Advice, Tuning},
    app::{
        App, Effect, JobNumber,
        ask::want,
        change::change_k,
        query::{self, DerivedInput},
        screen::tune::distances::TuningInputs,
    },
};

/// Raises or lowers k by a number. A number above 1 stops at the distance up to which pairs are known.
pub(super) fn step_k(app: &mut App, rows: isize, effects: &mut Vec<Effect>) {
    let k = app.settings.k as isize;
    let known = app.analysis.near.as_ref().map_or(k, |near| near.reach() as isize);
    let to = match rows {
        -1..=1 => k + rows,
        _ => k.saturating_add(rows).clamp(0, known.max(k)),
    };
    change_k(app, (to - k) as i32, effects);
}

/// Makes the recommended k the program's; where it is that already, the balanced k, and then the recommended one again.
pub(super) fn adopt(app: &mut App, effects: &mut Vec<Effect>) {
    // The present advice: by judgements if there are enough, else by cosines.
    let advice = app.tune.distances.tuning.as_ref().and_then(|tuning| tuning.advice.as_ref());
    let Some(recommendation) = advice.map(|advice| &advice.recommendation) else {
        return app.say("no k is recommended before texts are compared");
    };
    let Some(precise) = recommendation.precise else {
        return app.say("no k is precise, so no k is recommended");
    };
    let now = app.settings.k;
    let balanced = recommendation.balanced.filter(|_| now == precise);
    let (k, name) = balanced.map_or((precise, "precise"), |k| (k, "balanced"));
    if k == now {
        return app.say(format!("k is {k} already"));
    }
    change_k(app, k as i32 - now as i32, effects);
    app.notice.get_or_insert_with(|| format!("k is now {k}, the {name} one, on every screen"));
}

/// Asks for the data that every view of Tune shows, and computes the rows from it.
pub(in crate::app) fn refresh(app: &mut App, effects: &mut Vec<Effect>) {
    measure(app, effects);
    advise(app, effects);
    let Some(index) = &app.analysis.index else {
        app.tune.distances.tuning = None;
        app.tune.distances.tuned = None;
        return;
    };
    let distances = app.tune.distances.measured.answer();
    let near = app.analysis.near.as_ref();
    let (advice, advice_number) = advice(app).unzip();
    let made_from = TuningInputs {
        fingerprints: app.versions.fingerprints,
        pairs: near.map(|_| app.versions.pairs),
        analysis: near.is_none().then_some(app.versions.analysis),
        has_distances: distances.is_some(),
        is_bands: index.layout().is_bands(),
        advice: advice_number.flatten(),
    };
    if app.tune.distances.tuned.as_ref() != Some(&made_from) {
        let distances = distances.map(|distances| &**distances);
        let advice = advice.cloned();
        app.tune.distances.tuning =
            Some(Tuning::new(index, near.map(|near| &**near), distances, advice));
        app.tune.distances.tuned = Some(made_from);
    } else if let Some(tuning) = &mut app.tune.distances.tuning {
        tuning.set_layout(index.layout());
    }
}

/// Asks for the distances of all pairs, once for the same fingerprints.
fn measure(app: &mut App, effects: &mut Vec<Effect>) {
    if app.analysis.index.is_some() {
        want(app, query::DistancesQuery, effects);
    }
}

/// Asks for the comparison of texts for a choice of k, once for the same fingerprints and the same goal.
fn advise(app: &mut App, effects: &mut Vec<Effect>) {
    let distances = app.tune.distances.measured.answer().cloned();
    if let Some(distances) = distances.filter(|_| app.analysis.is_complete()) {
        let query =
            query::AdviceQuery { aim: app.tune.label.aim, distances: DerivedInput(distances) };
        want(app, query, effects);
    }
}

/// The recommended k, and the number of its answer: by judgements if there are enough, else by cosines.
fn advice(app: &App) -> Option<(&Arc<Advice>, Option<JobNumber>)> {
    let label = &app.tune.label;
    let judged = app.judged().filter(|judged| judged.has_enough_labels());
    let judged = judged.map(|judged| (&judged.advice, label.assessed.number()));
    let by_cosine = &app.tune.distances.advised;
    judged.or_else(|| Some((by_cosine.answer()?, by_cosine.number())))
}
