//! Background analyses: starting one after the settings, taking its snapshots, hearing of its end.

use std::sync::Arc;

use super::super::{App, Effect, JobNumber, screen::docs::Order};
use crate::{
    analysis::{Analysis, Work},
    number::counted,
};

pub(super) fn on_analysed(
    app: &mut App,
    number: JobNumber,
    analysis: Arc<Analysis>,
    finished: bool,
    effects: &mut Vec<Effect>,
) {
    let Some(running) = app.running.as_ref().filter(|running| running.number == number) else {
        return;
    };
    // A corpus being read grows on the screen; a new recipe takes the old one's place when it is done.
    if running.loads || finished {
        app.analysis = analysis;
        app.version += 1;
        if finished
            || app.arranged == 0
            || app.docs.filter.is_empty() && app.docs.order == Order::Corpus
        {
            let height = app.docs_layout().list;
            app.docs.arrange(&app.analysis, height);
            app.arranged = app.version;
        }
    }
    if finished {
        app.running = None;
        if std::mem::take(&mut app.pending) {
            follow_settings(app, effects);
        }
    }
}

/// An analysis ended without a result.
///
/// A stopped reading goes on with what is there; anything else leaves the analysis before in place,
/// and the settings go back to what it shows.
pub(super) fn on_failed(
    app: &mut App,
    number: JobNumber,
    problem: String,
    effects: &mut Vec<Effect>,
) {
    let Some(running) = app.running.take_if(|running| running.number == number) else { return };
    let cancelled = running.job.progress.is_cancelled();
    let pending = std::mem::take(&mut app.pending);
    if running.loads && app.analysis.is_empty() && !cancelled {
        app.failure = Some(problem);
        effects.push(Effect::Quit);
        return;
    }
    let height = app.docs_layout().list;
    app.docs.arrange(&app.analysis, height);
    let stopped_reading = cancelled && !app.analysis.corpus.is_complete();
    if running.loads && (stopped_reading || pending) && !app.analysis.is_empty() {
        follow_settings(app, effects);
        if stopped_reading {
            let n = counted(app.analysis.len() as u64, "document");
            app.notice = Some(format!("reading stopped; going on with {n} so far"));
        }
        return;
    }
    app.settings = app.analysis.settings.clone();
    app.notice = Some(match (cancelled, app.analysis.is_complete()) {
        (false, _) => problem,
        (true, true) => "stopped; the settings are as before".to_owned(),
        (true, false) => "stopped; + or - goes on".to_owned(),
    });
}

/// Brings the analysis after the settings: a new recipe fingerprints anew, a new k or layout reshelves.
pub(super) fn follow_settings(app: &mut App, effects: &mut Vec<Effect>) {
    if app.running.as_ref().is_some_and(|running| running.loads) {
        app.pending = true;
        app.notice = Some("the change follows when the corpus is read".to_owned());
        return;
    }
    let had = &app.analysis.settings;
    let same_recipe =
        had.recipe == app.settings.recipe && app.analysis.sketches.len() == app.analysis.len();
    let work = if same_recipe {
        Work::Reshelve(Arc::clone(&app.analysis))
    } else {
        Work::Refingerprint(app.analysis.corpus.clone())
    };
    effects.push(app.start(work));
}
