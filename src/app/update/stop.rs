//! Stops work in the background: after a key, or because its fingerprints were replaced.

use super::super::{App, resource::Background};

/// Stops all queries that can be stopped; returns the name of the first one.
pub(super) fn stop_all(app: &mut App) -> Option<&'static str> {
    let running = app.background().filter(|it| it.cancel());
    let names: Vec<&'static str> = running.map(Background::name).collect();
    if app.tune.lab.evaluation.was_asked_to_stop() {
        app.tune.lab.queue.clear();
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
    if !app.groups.is_open {
        // Tune alone asked for them.
        app.groups.listing = None;
        app.groups.tree = None;
        app.review.decisions.clear();
    }
    app.tune.distances.tuned = None;
    app.tune.layouts.measured.clear();
    app.similar.forget();
    app.tune.compare.found.forget();
    app.tune.label.leave_pairs();
}
