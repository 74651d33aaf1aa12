//! The Label view: what its keys do, what it asks for, and a label from key to file.

use std::{collections::HashSet, sync::Arc};

use super::{
    super::{
        App, Effect, Screen,
        keymap::{Action, LabelAction},
        layout::Shape,
        question::{Kind, Question},
        screen::tune::{
            View,
            label::{Assessed, Judging, Shown, TARGETS, judging_column, judging_rows},
        },
    },
    act::change_k,
    stop,
};
use crate::{
    analysis::{Job, Labelling, Stage},
    corpus::{BY_EYE, Entry, Label, Labels, TextPair},
    evaluate::sample::Pick,
    number::counted,
    verdict::Verdict,
};

/// Does an action the way this view does it; false if it is one like on all of Tune.
pub(super) fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
    let is_judging = app.tune.label.judging.is_some();
    match action {
        Action::Enter if !is_judging => begin(app),
        Action::Back if is_judging => stop(app),
        Action::Scroll(rows) if is_judging => scroll(app, rows),
        Action::Label(LabelAction::Say(verdict)) => say(app, verdict, effects),
        Action::Label(LabelAction::Skip) => skip(app),
        Action::Label(LabelAction::Undo) => undo(app, effects),
        Action::Label(LabelAction::Target) => {
            let aim = &mut app.tune.label.aim;
            let next = TARGETS.iter().find(|&&target| target > aim.precision);
            aim.precision = *next.unwrap_or(&TARGETS[0]);
            app.tune.label.is_stale = true;
        }
        Action::Label(LabelAction::Adopt) => adopt(app, effects),
        _ => return false,
    }
    true
}

fn begin(app: &mut App) {
    let state = &mut app.tune.label;
    // Where making ready was stopped it goes on.
    state.preparing.take_if(|(_, job)| job.progress.is_cancelled());
    // What is being weighed is not known yet.
    let is_known = state.labelling.is_some() && !app.asked.awaits(Kind::Assess);
    let Some(assessed) = state.assessed.as_ref().filter(|_| is_known) else { return };
    if assessed.batch.is_empty() {
        let text = "no pair is left to judge: all near pairs of different texts have their label";
        app.notice = Some(text.to_owned());
        return;
    }
    state.judging = Some(Judging { batch: assessed.batch.clone(), ..Judging::default() });
}

/// Ends the batch; what was said counts, and the rest of the batch comes again another time.
fn stop(app: &mut App) {
    app.tune.label.judging = None;
    app.tune.label.is_stale = true;
}

fn scroll(app: &mut App, rows: isize) {
    let height = judging_rows(app.size);
    if let Some(judging) = &mut app.tune.label.judging {
        let last = judging.rows.len().saturating_sub(height);
        judging.top = judging.top.saturating_add_signed(rows).min(last);
    }
}

/// The pair that shows, if it is the one that is up: nobody judges what is not seen.
fn up(judging: &Judging) -> Option<Arc<Shown>> {
    judging.shown.clone().filter(|shown| shown.at == judging.at)
}

fn say(app: &mut App, verdict: Verdict, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    if state.judging.is_none() {
        app.notice = Some("no pair shows; Enter shows the next ones".to_owned());
        return;
    }
    let (Some(judging), Some(labels)) = (&mut state.judging, &mut state.labels) else { return };
    let Some(shown) = up(judging) else { return };
    let pair = TextPair::new(shown.names[0], shown.names[1]);
    let entry = Entry::Said(Label {
        pair,
        verdict,
        ids: shown.documents.map(|document| app.analysis.corpus.id(document).to_owned()),
        source: BY_EYE.to_owned(),
        is_repeat: judging.batch[judging.at].is_repeat,
    });
    Arc::make_mut(labels).enter(entry.clone());
    if let Some(labelling) = &mut state.labelling {
        let labelling = Arc::make_mut(labelling);
        for (name, document) in shown.names.into_iter().zip(shown.documents) {
            labelling.name(name, document);
        }
    }
    effects.push(Effect::KeepLabel(entry));
    advance(app, Some(pair));
}

fn skip(app: &mut App) {
    // What cannot be read can be skipped, too.
    let state = &mut app.tune.label;
    if let Some(judging) = &state.judging {
        state.skipped.insert(Pick { is_repeat: false, ..judging.batch[judging.at] });
        advance(app, None);
    }
}

/// Goes on to the next pair; behind the last one the judgements are weighed.
fn advance(app: &mut App, said: Option<TextPair>) {
    let Some(judging) = &mut app.tune.label.judging else { return };
    judging.done.push(said);
    turn_to(judging, judging.at + 1);
    if judging.at == judging.batch.len() {
        let n = judging.done.iter().flatten().count() as u64;
        app.notice = Some(format!("{} more", counted(n, "label")));
        stop(app);
    }
}

fn turn_to(judging: &mut Judging, at: usize) {
    let batch = std::mem::take(&mut judging.batch);
    let done = std::mem::take(&mut judging.done);
    *judging = Judging { batch, at, done, ..Judging::default() };
}

fn undo(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    let Some(judging) = &mut state.judging else { return };
    let Some(said) = judging.done.pop() else {
        app.notice = Some("nothing to take back in this batch".to_owned());
        return;
    };
    turn_to(judging, judging.at - 1);
    state.skipped.remove(&Pick { is_repeat: false, ..judging.batch[judging.at] });
    if let (Some(pair), Some(labels)) = (said, &mut state.labels) {
        let entry = Entry::TakenBack(pair);
        Arc::make_mut(labels).enter(entry.clone());
        effects.push(Effect::KeepLabel(entry));
    }
}

fn adopt(app: &mut App, effects: &mut Vec<Effect>) {
    // The advice in force: by judgements once there are enough, else by cosines.
    let advice = app.tune.distances.tuning.as_ref().and_then(|tuning| tuning.advice.as_ref());
    match advice.map(|advice| advice.recommendation.precise) {
        Some(Some(k)) if k == app.settings.k => app.notice = Some(format!("k is {k} already")),
        Some(Some(k)) => {
            change_k(app, k as i32 - app.settings.k as i32, effects);
            app.notice.get_or_insert_with(|| format!("k is {k} now, on every screen"));
        }
        Some(None) => app.notice = Some("no k is precise, so there is none to take".to_owned()),
        None => {}
    }
}

/// Takes the labels of the file.
pub(super) fn on_labels(app: &mut App, result: Result<(Arc<Labels>, Option<String>), String>) {
    let state = &mut app.tune.label;
    match result {
        Ok((labels, problem)) => (state.labels, state.problem) = (Some(labels), problem),
        Err(problem) => state.problem = Some(problem),
    }
}

/// A label that is not on disk does not count: it is taken out again, and said to be lost.
pub(super) fn on_lost(app: &mut App, entry: &Entry, problem: String) {
    let state = &mut app.tune.label;
    if let (Entry::Said(label), Some(labels)) = (entry, &mut state.labels) {
        // Unless it was taken back meanwhile.
        if labels.get(label.pair) == Some(label) {
            Arc::make_mut(labels).enter(Entry::TakenBack(label.pair));
            state.is_stale = true;
        }
        let done = state.judging.iter_mut().flat_map(|judging| &mut judging.done);
        done.filter(|said| **said == Some(label.pair)).for_each(|said| *said = None);
    }
    app.notice = Some(problem.clone());
    state.problem = Some(problem);
}

/// Takes pairs that are ready to be judged; none if that was stopped.
pub(super) fn on_prepared(app: &mut App, labelling: Result<Option<Arc<Labelling>>, String>) {
    match labelling {
        Ok(Some(labelling)) => {
            let state = &mut app.tune.label;
            state.preparing = None;
            state.labelling = Some(labelling);
            state.assessed = None;
            state.skipped.clear();
            state.is_stale = true;
        }
        // What was stopped stays marked as such, so that it is not asked for again at once.
        Ok(None) => {}
        Err(problem) => stop::fail(app, Kind::Prepare, problem),
    }
}

/// Takes what the labels say.
pub(super) fn on_assessed(app: &mut App, assessed: Result<Arc<Assessed>, String>) {
    match assessed {
        Ok(assessed) => app.tune.label.assessed = Some(assessed),
        Err(problem) => app.notice = Some(problem),
    }
}

/// Takes the pair that is up.
pub(super) fn on_shown(app: &mut App, result: Result<Arc<Shown>, String>) {
    let Some(judging) = &mut app.tune.label.judging else { return };
    match result {
        Ok(shown) => judging.shown = Some(shown),
        Err(problem) => app.notice = Some(format!("{problem}; s goes on to the next pair")),
    }
}

/// Asks for what the view needs and has not.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    drop_outdated(app);
    if app.screen != Screen::Tune || app.tune.view != View::Label {
        return;
    }
    let state = &mut app.tune.label;
    if !state.asked {
        state.asked = true;
        effects.push(Effect::ReadLabels);
    }
    prepare(app, effects);
    assess(app, effects);
    show(app, effects);
    lay_out(app);
}

/// Lets go of pairs that are not those at hand, and of what was asked about them: they hold a whole analysis.
fn drop_outdated(app: &mut App) {
    let state = &mut app.tune.label;
    let Some(labelling) = &state.labelling else { return };
    let (over, now) = (labelling.analysis().near.as_ref(), app.analysis.near.as_ref());
    let is_outdated = over.zip(now).is_some_and(|(over, now)| !Arc::ptr_eq(over, now));
    if is_outdated {
        (state.labelling, state.assessed, state.judging) = (None, None, None);
        app.asked.forget(Kind::Assess);
        app.asked.forget(Kind::Pair);
    }
}

/// Has the pairs made ready, once for the same pairs.
fn prepare(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    let near = app.analysis.near.clone().filter(|_| app.analysis.is_complete());
    let (Some(near), Some(labels)) = (near, &state.labels) else { return };
    if state.labelling.is_some() {
        return;
    }
    if state.preparing.as_ref().is_some_and(|(over, _)| Arc::ptr_eq(over, &near)) {
        return;
    }
    let names: HashSet<_> = labels.iter().flat_map(|label| label.pair.digests()).collect();
    let job = Arc::new(Job::to_begin(Stage::Compare));
    if let Some((_, before)) = state.preparing.replace((near, Arc::clone(&job))) {
        before.progress.cancel();
    }
    effects.push(app.ask(Question::Prepare(names, job)));
}

/// Has the labels weighed and the next batch drawn, between batches.
fn assess(app: &mut App, effects: &mut Vec<Effect>) {
    let distances = app.analysis.shelf.as_ref().and_then(|shelf| app.tune.distances.of(shelf));
    let chance = app.analysis.chance(distances.map(|distances| &**distances));
    let state = &mut app.tune.label;
    let (Some(labelling), Some(labels)) = (&state.labelling, &state.labels) else { return };
    // Distances that became known change what chance explains.
    if state.chance != Some(chance) {
        state.chance = Some(chance);
        state.is_stale = true;
    }
    if !state.is_stale || state.judging.is_some() {
        return;
    }
    state.is_stale = false;
    let question = Question::Assess {
        labelling: Arc::clone(labelling),
        labels: Arc::clone(labels),
        aim: state.aim,
        chance,
        left_out: state.skipped.clone(),
    };
    effects.push(app.ask(question));
}

/// Has the pair that is up read.
fn show(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    let (Some(labelling), Some(judging)) = (&state.labelling, &mut state.judging) else { return };
    if judging.wanted == Some(judging.at) {
        return;
    }
    judging.wanted = Some(judging.at);
    let (labelling, at) = (Arc::clone(labelling), judging.at);
    let question = Question::Pair { labelling, at, pick: judging.batch[at] };
    effects.push(app.ask(question));
}

/// Lays the two texts out anew when they or the screen changed. Costs their length.
fn lay_out(app: &mut App) {
    let (cells, is_side_by_side) = judging_column(app.size);
    let height = judging_rows(app.size);
    let is_known = app.size.shape() > Shape::TooSmall;
    let Some(judging) = app.tune.label.judging.as_mut().filter(|_| is_known) else { return };
    let Some(shown) = up(judging) else { return };
    if judging.laid_out == Some(cells) {
        return;
    }
    judging.laid_out = Some(cells);
    judging.rows = if is_side_by_side {
        shown.comparison.side_by_side(cells)
    } else {
        shown.comparison.unified(cells)
    };
    judging.top = judging.top.min(judging.rows.len().saturating_sub(height));
}
