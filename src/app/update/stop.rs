//! Work that questions do, and how it ends before its time: stopped by a key, overtaken by other
//! fingerprints, or failed.
//!
//! What takes long shows its progress in the state of its view. [`progress_of`] is the one table of them;
//! whatever is stopped stays there, marked, so that it is not asked for again at once.

use super::super::{
    App,
    question::Kind,
    screen::{docs::DisagreementsState, tune::distances::DistancesState},
};
use crate::progress::Progress;

/// Kinds that are about the fingerprints shown, and of no use under others. A sweep keeps its own recipe.
const OF_THE_SHELF: [Kind; 11] = [
    Kind::Flags,
    Kind::EqualTexts,
    Kind::Similarities,
    Kind::Health,
    Kind::Disagreements,
    Kind::Distances,
    Kind::Advise,
    Kind::Load,
    Kind::Prepare,
    Kind::Try,
    Kind::Changes,
];

/// How far the last question of a kind is, and the way to stop it; none for kinds that take no time.
fn progress_of(app: &App, kind: Kind) -> Option<&Progress> {
    let (docs, tune) = (&app.docs, &app.tune);
    match kind {
        Kind::Flags => docs.flagging.as_ref().map(|(_, job)| &job.progress),
        Kind::EqualTexts => docs.comparing_texts.as_ref().map(|(_, job)| &job.progress),
        Kind::Similarities => app.near.weighing.as_ref().map(|(_, job)| &job.progress),
        Kind::Health => docs.health.asking.as_ref().map(|(_, progress)| &**progress),
        Kind::Disagreements => docs.disagreements.asking.as_ref().map(|(_, job)| &job.progress),
        Kind::Distances => tune.distances.measuring.as_ref().map(|(_, progress)| &**progress),
        Kind::Advise => tune.distances.advising.as_ref().map(|(_, _, job)| &job.progress),
        Kind::Load => tune.layouts.measuring.as_deref(),
        Kind::Prepare => tune.label.preparing.as_ref().map(|(_, job)| &job.progress),
        Kind::Try => tune.lab.trying.as_ref().map(|(_, job)| &job.progress),
        Kind::Sweep => tune.sweep.begun.as_ref().map(|begun| &begun.job.progress),
        Kind::Changes => tune.compare.searching.as_deref(),
        _ => None,
    }
}

/// Stops all questions that can be stopped; the first of them, if there was one.
pub(super) fn stop_all(app: &mut App) -> Option<Kind> {
    let running = |kind: &Kind| {
        let progress = progress_of(app, *kind).filter(|progress| !progress.is_cancelled());
        app.asked.awaits(*kind).then_some(progress).flatten().map(Progress::cancel).is_some()
    };
    let stopped: Vec<Kind> = Kind::ALL.iter().copied().filter(running).collect();
    if stopped.contains(&Kind::Try) {
        app.tune.lab.queue.clear();
    }
    stopped.first().copied()
}

/// Stops what is asked about fingerprints that are no longer shown, and drops what was found among them.
pub(super) fn leave_shelf(app: &mut App) {
    for kind in OF_THE_SHELF {
        if let Some(progress) = progress_of(app, kind) {
            progress.cancel();
        }
        app.asked.forget(kind);
    }
    let (docs, tune) = (&mut app.docs, &mut app.tune);
    (docs.flagging, docs.comparing_texts) = (None, None);
    (app.near.weighing, app.near.similar) = (None, None);
    (docs.health.asking, docs.health.found) = (None, None);
    docs.disagreements =
        DisagreementsState { cursor: docs.disagreements.cursor, ..DisagreementsState::default() };
    let DistancesState { is_linear, is_zoomed, .. } = tune.distances;
    tune.distances = DistancesState { is_linear, is_zoomed, ..DistancesState::default() };
    (tune.layouts.measuring, tune.layouts.over) = (None, None);
    tune.layouts.measured.clear();
    (tune.label.preparing, tune.compare.searching) = (None, None);
}

/// A question of a kind was not answered: it counts as stopped, so that its view says so and can ask again.
pub(super) fn fail(app: &mut App, kind: Kind, problem: String) {
    if let Some(progress) = progress_of(app, kind) {
        progress.cancel();
    }
    match kind {
        Kind::Disagreements => app.docs.disagreements.problem = Some(problem.clone()),
        Kind::Try => {
            app.tune.lab.trying = None;
            app.tune.lab.problems.push(problem.clone());
        }
        Kind::Changes => app.tune.compare.problem = Some(problem.clone()),
        _ => {}
    }
    app.notice = Some(problem);
}
