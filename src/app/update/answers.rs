//! Asking queries, and what follows when their answers come.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, JobNumber, query,
        registry::Kept,
        task::{Answer, Task},
    },
    compare, docs, groups, lab, label, near, sweep, tune,
};

/// Asks a query, unless the newest one asked of its kind was the same; whether it was asked.
pub(super) fn want<Q: Arrives>(app: &mut App, query: Q, effects: &mut Vec<Effect>) -> bool {
    let (number, versions) = (app.number(), app.versions);
    let Some(job) = Q::resource(app).request(query.clone(), &versions, number) else {
        return false;
    };
    let analysis = Arc::clone(&app.analysis);
    effects.push(Effect::Run(Task::new(number, query, analysis, job, take::<Q>, fail::<Q>)));
    true
}

/// Asks a query, even if it is the newest one asked.
pub(super) fn ask<Q: Arrives>(app: &mut App, query: Q, effects: &mut Vec<Effect>) {
    Q::resource(app).forget();
    want(app, query, effects);
}

fn take<Q: Arrives>(app: &mut App, number: JobNumber, result: Result<Q::Answer, String>) {
    if !Q::resource(app).settle(number, result) {
        return;
    }
    let resource = Q::resource(app);
    match resource.problem().map(str::to_owned) {
        Some(problem) => Q::failed(app, &problem),
        None if !resource.is_cancelled() => Q::arrived(app),
        None => {}
    }
}

fn fail<Q: Arrives>(number: JobNumber, problem: String) -> Answer {
    Answer::new(move |app| take::<Q>(app, number, Err(problem)))
}

/// What follows from an answer.
pub(super) trait Arrives: Kept {
    /// An answer has come; it is in the resource.
    fn arrived(_: &mut App) {}

    /// There is no answer, for this reason; that is in the resource, too.
    fn failed(app: &mut App, problem: &str) {
        app.notice = Some(problem.to_owned());
    }
}

macro_rules! arrivals {
    ($($query:ident $(=> $arrived:path)? $(, or $failed:path)?;)+) => {
        $(impl Arrives for query::$query {
            $(fn arrived(app: &mut App) {
                $arrived(app);
            })?
            $(fn failed(app: &mut App, problem: &str) {
                $failed(app, problem);
            })?
        })+
    };
}

/// A view shows why there is no answer.
fn shown(_: &mut App, _: &str) {}

arrivals! {
    Rows => docs::show_rows;
    Match => docs::go_to_match;
    Document, or shown;
    Neighbours => near::show_neighbours;
    Texts => near::show_texts, or shown;
    Why, or shown;
    Similarities => near::take_similarities;
    Window => near::show_window;
    Groups => groups::take_single;
    CompleteLinkage => groups::take_complete, or groups::leave_complete;
    Shapes => groups::take_shapes;
    Chain => groups::go_to_chain;
    Distances;
    Advice;
    Load => tune::take_load;
    Wear;
    Labelling => label::on_prepared;
    Assessment;
    PairToJudge => label::on_shown, or label::on_unreadable;
    Trial => lab::on_tried, or lab::on_failed;
    TrialChanges => lab::on_changes;
    SweepStep => sweep::take, or sweep::on_failed;
    Flags => docs::take_flags;
    EqualTexts => docs::take_equal_texts;
    Health;
    Disagreements => docs::fit_disagreements;
    Changes => compare::fit;
}
