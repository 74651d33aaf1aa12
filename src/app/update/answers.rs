//! Answers to questions: each takes the place of what was shown until it came.

use std::sync::Arc;

use super::{
    super::{
        App,
        arrangement::List,
        filter::Filter,
        question::{Answer, Kind},
    },
    compare, docs, groups, lab, label, near, stop, sweep, tune,
};
use crate::{analysis::Analysis, id::DocId};

/// Takes the answer to the newest question of its kind.
pub(super) fn on_answer(app: &mut App, kind: Kind, result: Result<Answer, String>) {
    match result {
        Err(problem) => stop::fail(app, kind, problem),
        Ok(Answer::Wear(Err(problem))) => app.notice = Some(problem),
        Ok(Answer::Rows(rows)) => {
            let height = app.docs_layout().list;
            let is_new = app.docs.list.arrangement() != rows.arrangement;
            let is_filtered = rows.arrangement.filter != Filter::default();
            app.docs.show(List::of(rows), height);
            if is_new && is_filtered && app.docs.is_empty() {
                let text = "no document passes the filter; f changes it, Esc clears it";
                app.notice = Some(text.to_owned());
            }
        }
        Ok(Answer::Match(found)) => on_match(app, found),
        Ok(Answer::Neighbours(found)) => {
            let height = app.near_layout().list;
            app.near.show(found, height);
            app.near.wished = None;
        }
        Ok(Answer::Window(window)) => {
            app.tables.probes = window.as_ref().map_or(0, |window| window.steps.len());
            app.tables.window = window;
        }
        Ok(Answer::Wear(Ok(worn))) => app.learn.wear.worn = Some(worn),
        Ok(Answer::Load(found)) => {
            app.tune.layouts.measured.extend(found);
        }
        Ok(Answer::Distances(found)) => {
            let state = &mut app.tune.distances;
            // What was stopped stays marked as such, so that it is not asked for again at once.
            if let Some(distances) = found
                && let Some((shelf, _)) = state.measuring.take()
            {
                state.measured = Some((shelf, distances));
            }
        }
        Ok(Answer::Advise(found)) => tune::take_advice(app, found),
        Ok(Answer::Groups(groups)) => {
            app.analysis = Arc::new(Analysis { groups, ..(*app.analysis).clone() });
        }
        Ok(Answer::Complete(linked)) => groups::take_complete(app, linked),
        Ok(Answer::Chain(found)) => groups::take_chain(app, found),
        Ok(Answer::Prepare(labelling)) => label::on_prepared(app, labelling),
        Ok(Answer::Assess(assessed)) => label::on_assessed(app, assessed),
        Ok(Answer::Try(tried)) => lab::on_tried(app, tried),
        Ok(Answer::LabChanges(listed)) => lab::on_changes(app, listed),
        Ok(Answer::Pair(result)) => label::on_shown(app, result),
        Ok(Answer::Sweep(part)) => sweep::take(app, part),
        Ok(Answer::Changes(found)) => compare::take(app, found),
        Ok(Answer::Shapes(shapes)) => {
            let tree = app.groups_layout().tree;
            app.groups.learn(shapes, tree);
        }
        Ok(Answer::Why(explained)) => near::take_why(app, explained),
        Ok(Answer::Flags(flags)) => docs::take_flags(app, flags),
        Ok(Answer::EqualTexts(texts)) => docs::take_equal_texts(app, texts),
        Ok(Answer::Similarities(found)) => near::take_similarities(app, found),
        Ok(Answer::Health(found)) => docs::take_health(app, found),
        Ok(Answer::Disagreements(found)) => docs::take_disagreements(app, found),
    }
}

fn on_match(app: &mut App, found: Option<(usize, DocId)>) {
    let height = app.docs_layout().list;
    match found {
        // Of documents that are listed twice as rows move, the one found.
        Some((row, document)) if app.docs.document(row) == Some(document) => {
            app.docs.cursor.select(row, app.docs.len(), height);
        }
        Some((_, document)) => app.docs.select(document, height),
        None if app.docs.filter.is_empty() => {
            app.notice = Some(format!("no id holds {:?}", app.docs.find));
        }
        None => {
            app.notice =
                Some(format!("no shown id holds {:?}; Esc lifts the filter", app.docs.find));
        }
    }
}
