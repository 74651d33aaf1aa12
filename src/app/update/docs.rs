//! What keys do in the views of the Docs screen, and what those need; everything not named here is as on
//! every screen.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen,
        keymap::Action,
        query,
        screen::{
            docs::{View, bits::COSINES, disagreements::disagreements_rows},
            near,
        },
    },
    act::open_pair,
    answers::want,
};
use crate::{
    analysis::Analysis, analysis::arrangement::List, analysis::filter::Filter, id::DocId,
    number::counted,
};

/// So many documents are flagged unasked: that takes a second or two.
const FLAGGED_UNASKED: usize = 20_000;

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::View(by) => {
            app.docs.turn(by);
            retry(app);
        }
        _ => {
            return match app.docs.view {
                // There are no sides to go to in a list.
                View::Documents => matches!(action, Action::Sideways(_)),
                View::Bits => bits(app, action),
                View::Health => health(app, action),
                View::Disagreements => disagreements(app, action),
            };
        }
    }
    true
}

/// Lets the view ask again for what was stopped or failed.
fn retry(app: &mut App) {
    app.docs.flags.retry();
    app.docs.health.found.retry();
    app.docs.disagreements.found.retry();
}

/// An action in Bits.
fn bits(app: &mut App, action: Action) -> bool {
    let width = app.analysis.settings.recipe.bits;
    match action {
        Action::Sideways(by) => app.docs.votes.sideways(by, width),
        Action::Cosine(by) => {
            let next = app.docs.votes.cosine as isize + by;
            app.docs.votes.cosine = next.rem_euclid(COSINES.len() as isize) as usize;
        }
        Action::WeakBit => {
            if let Some(standing) = app.open_bits().and_then(|open| open.standing.clone()) {
                app.docs.votes.to_weak(&standing);
            }
        }
        Action::Scroll(rows) => {
            let height = app.bits_layout().cut.rows();
            app.docs.votes.pane.scroll(rows, height);
        }
        _ => return false,
    }
    true
}

/// An action in Health: rows are those of what is said.
fn health(app: &mut App, action: Action) -> bool {
    let height = app.health_layout().cut.rows();
    let page = height.max(1) as isize;
    let pane = &mut app.docs.health.pane;
    match action {
        Action::Step(rows) | Action::Scroll(rows) => pane.scroll(rows, height),
        Action::HalfPage(halves) => pane.scroll(halves * (page / 2).max(1), height),
        Action::Page(pages) => pane.scroll(pages * page, height),
        Action::First => pane.scroll(isize::MIN / 2, height),
        Action::Last => pane.scroll(isize::MAX / 2, height),
        Action::FindNext(step) => pane.to_title(step, height),
        Action::Enter => retry(app),
        Action::Sideways(_) => {}
        _ => return false,
    }
    true
}

/// An action in Disagreements.
fn disagreements(app: &mut App, action: Action) -> bool {
    let height = disagreements_rows(app.size);
    let page = height.max(1) as isize;
    match action {
        Action::Step(rows) => step(app, rows, height),
        Action::HalfPage(halves) => step(app, halves * (page / 2).max(1), height),
        Action::Page(pages) => step(app, pages * page, height),
        Action::First => step(app, isize::MIN / 2, height),
        Action::Last => step(app, isize::MAX / 2, height),
        Action::FindNext(_) => to_other_kind(app, height),
        Action::Enter => open(app),
        Action::Sideways(_) | Action::Scroll(_) => {}
        _ => return false,
    }
    true
}

fn step(app: &mut App, rows: isize, height: usize) {
    let state = &mut app.docs.disagreements;
    let len = state.found.answer().map_or(0, |found| found.found.len());
    state.cursor.step(rows, len, height);
}

/// To the first pair of the other kind.
fn to_other_kind(app: &mut App, height: usize) {
    let state = &mut app.docs.disagreements;
    let Some(found) = state.found.answer() else { return };
    let Some(kind) = found.found.get(state.cursor.selected).map(|it| it.kind) else { return };
    let other = found.found.iter().position(|it| it.kind != kind);
    let len = found.found.len();
    match other {
        Some(row) => state.cursor.select(row, len, height),
        None => app.notice = Some(format!("only {kind} pairs disagree")),
    }
}

/// Selects the pair in a row of the list that shows.
pub(super) fn select_pair(app: &mut App, row: usize) {
    let height = disagreements_rows(app.size);
    let cursor = app.docs.disagreements.cursor;
    if row < height {
        step(app, (cursor.top + row) as isize - cursor.selected as isize, height);
    }
}

/// The selected pair of Disagreements.
pub(super) fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let pair = app.docs.disagreements.selected()?.pair;
    Some((pair.a, pair.b))
}

/// Opens the selected pair in Near and says why it is one; without a pair, looks again.
fn open(app: &mut App) {
    let Some((a, b)) = selected_pair(app) else { return retry(app) };
    open_pair(app, a, b);
    app.near.view = near::View::Why;
}

/// Asks for what the view needs and has not, and lays out what is known.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Docs {
        return;
    }
    flag(app, effects);
    match app.docs.view {
        View::Documents => {}
        View::Bits => {
            let cut = app.bits_layout().cut;
            if let Some(open) = app.open_bits().map(Arc::clone) {
                let findings = app.open_findings();
                app.docs.votes.lay_out(&open, &findings, cut.width);
                app.docs.votes.pane.scroll(0, cut.rows());
            }
        }
        View::Health => look_at_health(app, effects),
        View::Disagreements => look_for_disagreements(app, effects),
    }
}

/// Has the documents flagged: unasked where they are few, else where their flags are wanted.
fn flag(app: &mut App, effects: &mut Vec<Effect>) {
    let is_wanted = app.docs.view == View::Health
        || app.docs.filter.needs_flags()
        || app.analysis.len() <= FLAGGED_UNASKED;
    let is_missing = app.analysis.shelf.is_some() && app.analysis.flags.is_none();
    if is_wanted && is_missing && app.running.is_none() {
        want(app, query::Flags, effects);
    }
}

/// Has the texts compared whose fingerprints are equal, once all pairs are there.
pub(super) fn compare_texts(app: &mut App, effects: &mut Vec<Effect>) {
    let is_missing = app.analysis.shelf.is_some() && app.analysis.equal_texts.is_none();
    if is_missing && app.running.is_none() {
        want(app, query::EqualTexts, effects);
    }
}

/// Adds what the texts say to the analysis.
pub(super) fn take_equal_texts(app: &mut App) {
    if let Some(texts) = app.docs.equal_texts.answer() {
        app.analysis = Arc::new(app.analysis.with_equal_texts(Arc::clone(texts)));
    }
}

/// Adds the flags to the analysis.
pub(super) fn take_flags(app: &mut App) {
    let Some(flags) = app.docs.flags.answer().cloned() else { return };
    if flags.n_unread() > 0 {
        let unread = counted(flags.n_unread(), "document");
        app.notice = Some(format!("{unread} could not be read again and bear no flag"));
    }
    app.analysis = Arc::new(Analysis { flags: Some(flags), ..(*app.analysis).clone() });
}

/// Shows the rows of the list.
pub(super) fn show_rows(app: &mut App) {
    let Some(rows) = app.docs.rows.take() else { return };
    let height = app.docs_layout().list;
    let is_new = app.docs.list.arrangement() != rows.arrangement;
    let is_filtered = rows.arrangement.filter != Filter::default();
    app.docs.show(List::of(rows), height);
    if is_new && is_filtered && app.docs.is_empty() {
        let text = "no document passes the filter; f changes it, Esc clears it";
        app.notice = Some(text.to_owned());
    }
}

/// Selects the row whose id holds the word.
pub(super) fn go_to_match(app: &mut App) {
    let height = app.docs_layout().list;
    match app.docs.matching.take().flatten() {
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

/// Asks for the health of the corpus, and lays out what is known.
fn look_at_health(app: &mut App, effects: &mut Vec<Effect>) {
    if app.analysis.shelf.is_none() {
        return;
    }
    want(app, query::Health, effects);
    let layout = app.health_layout();
    let Analysis { corpus, flags, .. } = &*app.analysis;
    app.docs.health.lay_out(flags.as_deref(), corpus, layout.cut.width, app.ascii);
    if app.docs.health.found.answer().is_some() {
        app.docs.health.pane.scroll(0, layout.cut.rows());
    }
}

/// Asks for the pairs that disagree at the present k; those found at another stay until they come.
fn look_for_disagreements(app: &mut App, effects: &mut Vec<Effect>) {
    if app.analysis.shelf.is_none() || !app.analysis.is_complete() || app.running.is_some() {
        return;
    }
    let (k, layout) = (app.analysis.settings.k, app.analysis.settings.layout);
    let query = query::Disagreements { k, layout };
    if app.docs.disagreements.found.answered().is_some_and(|(known, _)| *known == query) {
        app.docs.disagreements.found.forget();
    } else {
        want(app, query, effects);
    }
}

/// Fits the selection into the pairs found.
pub(super) fn fit_disagreements(app: &mut App) {
    let height = disagreements_rows(app.size);
    let state = &mut app.docs.disagreements;
    if let Some(found) = state.found.answer() {
        state.cursor.fit(found.found.len(), height);
    }
}
