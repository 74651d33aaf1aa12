//! Asking queries, and taking their answers.

use std::sync::Arc;

use super::message::QueryAnswer;
use super::query::Query;
use super::{App, Effect, JobNumber, Resource, Task};

/// A query of the program: the place of its answer, and the change that the answer brings.
pub(super) trait AppQuery: Query {
    /// The resource that keeps the answers of this query.
    fn resource(app: &mut App) -> &mut Resource<Self>;

    /// Called after an answer was put into the resource.
    fn arrived(_: &mut App) {}

    /// Called if there is no answer, with the reason, which is in the resource, too.
    fn failed(app: &mut App, problem: &str) {
        app.say(problem);
    }
}

/// Asks a query unless the newest query of its kind is equal; returns whether it was asked.
pub(super) fn want<Q: AppQuery>(app: &mut App, query: Q) -> bool {
    let (number, versions, now) = (app.number(), app.versions, app.now);
    let Some(job) = Q::resource(app).request(query.clone(), &versions, number, now) else {
        return false;
    };
    let analysis = Arc::clone(&app.analysis);
    let work = Box::new(move || {
        let result = query.run(&analysis, &job);
        QueryAnswer(Box::new(move |app| take::<Q>(app, number, result)))
    });
    app.effects.push(Effect::Run(Task { number, name: Q::NAME, work, fail: fail::<Q> }));
    true
}

/// Asks a query, even if the newest query is equal.
pub(super) fn ask<Q: AppQuery>(app: &mut App, query: Q) {
    Q::resource(app).forget();
    want(app, query);
}

fn take<Q: AppQuery>(app: &mut App, number: JobNumber, result: Result<Q::Answer, String>) {
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

fn fail<Q: AppQuery>(number: JobNumber, problem: String) -> QueryAnswer {
    QueryAnswer(Box::new(move |app| take::<Q>(app, number, Err(problem))))
}
