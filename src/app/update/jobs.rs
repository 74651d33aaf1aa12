//! Background analyses: starting them for the settings, taking their snapshots and their ends.

use std::sync::Arc;

use super::super::change::adjust;
use crate::analysis::{Analysis, FingerprintIndex};
use crate::app::{App, Effect, JobNumber, follow_settings};
use crate::number::counted;

pub(super) fn on_analysed(
    app: &mut App,
    number: JobNumber,
    analysis: Arc<Analysis>,
    finished: bool,
) {
    let Some(running) = app.running.as_ref().filter(|running| running.number == number) else {
        return;
    };
    // A corpus that is being read grows on the screen; any other analysis replaces the old one when its pairs are
    // there.
    if running.loads || finished || analysis.is_complete() {
        take(app, analysis);
    }
    if finished {
        app.running = None;
        let follows = std::mem::take(&mut app.pending) || !app.analysis.is_complete();
        if follows {
            follow_settings(app);
        }
    }
}

/// Shows an analysis, at the k and the layout of the present settings.
fn take(app: &mut App, analysis: Arc<Analysis>) {
    let is_new = |index: &Arc<FingerprintIndex>| {
        analysis.index.as_ref().is_none_or(|now| !now.is_over_the_same(index))
    };
    if app.analysis.index.as_ref().is_some_and(is_new) {
        leave_fingerprints(app);
    }
    if let Some(pairs) = &analysis.near
        && app.analysis.near.as_ref().is_none_or(|before| !Arc::ptr_eq(before, pairs))
    {
        app.versions.pairs += 1;
        app.tune.label.leave_pairs();
    }
    let (before, now) = (&app.analysis.settings.recipe, &analysis.settings.recipe);
    // Document frequencies come late, and there are no votes to show before.
    let ready = analysis.fingerprinter.is_ready() != app.analysis.fingerprinter.is_ready();
    if before != now || ready {
        app.versions.recipe += 1;
    }
    // While this analysis was made, an older one of the same documents may have got flags and compared texts.
    let is_same = before == now && analysis.len() == app.analysis.len();
    let flags = analysis.flags.clone().or_else(|| app.analysis.flags.clone());
    let equal_texts = analysis.equal_texts.clone().or_else(|| app.analysis.equal_texts.clone());
    let knows_more = analysis.flags.is_none() && flags.is_some()
        || analysis.equal_texts.is_none() && equal_texts.is_some();
    app.analysis = if is_same && knows_more {
        Arc::new(Analysis { flags, equal_texts, ..(*analysis).clone() })
    } else {
        analysis
    };
    app.versions.analysis += 1;
    app.tune.compare.settle(&app.analysis.settings);
    adjust(app);
}

/// An analysis ended without a result.
///
/// A stopped reading continues with the documents read so far; any other failure leaves the earlier
/// analysis in place, and the settings go back to what it shows.
pub(super) fn on_failed(app: &mut App, number: JobNumber, problem: String) {
    let Some(running) = app.running.take_if(|running| running.number == number) else { return };
    let cancelled = running.job.progress.is_cancelled();
    let pending = std::mem::take(&mut app.pending);
    if running.loads && app.analysis.is_empty() && !cancelled {
        app.failure = Some(problem);
        app.effects.push(Effect::Quit);
        return;
    }
    let stopped_reading = cancelled && !app.analysis.corpus.is_complete();
    if running.loads && (stopped_reading || pending) && !app.analysis.is_empty() {
        follow_settings(app);
        if stopped_reading {
            let n = counted(app.analysis.len() as u64, "document");
            app.say(format!("reading stopped; only the {n} so far are used"));
        }
        return;
    }
    app.tune.compare.pending = None;
    let (had, wanted) = (&app.analysis.settings, &app.settings);
    let as_wanted = (had.k, had.layout, &had.recipe) == (wanted.k, wanted.layout, &wanted.recipe);
    app.say(match (cancelled, &app.analysis.near) {
        (false, _) => problem,
        (true, Some(near)) if as_wanted => {
            format!("stopped; pairs are known to {}", counted(near.reach().into(), "bit"))
        }
        (true, Some(_)) => "stopped; the settings are as before".to_owned(),
        (true, None) => "stopped; + or - goes on".to_owned(),
    });
    app.settings = app.analysis.settings.clone();
}

/// Stops all queries that can be stopped; returns the name of the first one.
pub(super) fn stop_all(app: &mut App) -> Option<&'static str> {
    let mut names = Vec::new();
    for (name, job) in app.background().filter(|it| it.is_long()).filter_map(|it| it.running()) {
        if !job.progress.is_cancelled() {
            job.progress.cancel();
            names.push(name);
        }
    }
    if app.tune.layouts.evaluation.was_asked_to_stop() {
        app.tune.layouts.queue.clear();
    }
    names.first().copied()
}

/// Cancels queries about replaced fingerprints, and drops their answers.
pub(super) fn leave_fingerprints(app: &mut App) {
    app.versions.fingerprints += 1;
    for resource in app.background_mut() {
        resource.leave_fingerprints();
    }
    app.tune.distances.tuning = None;
    // A chosen text stays chosen until there are groups again.
    let is_chosen = app.groups.cursor.selected > 0 || app.screen.is_of_a_pair();
    if let Some(document) = app.query().filter(|_| is_chosen) {
        app.docs.select(document);
    }
    app.groups.listing = None;
    app.groups.opened.clear();
    app.review.decisions.clear();
    app.tune.distances.tuned = None;
    app.tune.layouts.measured.clear();
    app.similar.begin(None);
    app.tune.compare.found.forget();
    app.tune.label.leave_pairs();
    (app.tune.label.texts, app.tune.label.widened) = (None, None);
}
