//! What keys do in the views of the Docs screen, and what those need; everything not named here is as on
//! every screen.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen,
        keymap::Action,
        question::{Kind, Question},
        screen::{
            docs::{
                View,
                bits::COSINES,
                disagreements::{Under, disagreements_rows},
            },
            near,
        },
    },
    act::open_pair,
    stop,
};
use crate::{
    analysis::{
        Analysis, EqualTexts, Flags, Job, Stage, disagreement::Disagreements, health::CorpusHealth,
    },
    id::DocId,
    number::counted,
    progress::Progress,
};

/// So many documents are flagged unasked: that takes a second or two.
const FLAGGED_UNASKED: usize = 20_000;

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::View(by) => {
            app.docs.turn(by);
            forget_stopped(app);
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

/// What was stopped is asked for again.
fn forget_stopped(app: &mut App) {
    app.docs.flagging.take_if(|(_, job)| job.progress.is_cancelled());
    app.docs.health.asking.take_if(|(_, progress)| progress.is_cancelled());
    let state = &mut app.docs.disagreements;
    if state.asking.take_if(|(_, job)| job.progress.is_cancelled()).is_some() {
        state.problem = None;
    }
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
        Action::Enter => forget_stopped(app),
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
    let Some(shelf) = &app.analysis.shelf else { return };
    let state = &mut app.docs.disagreements;
    let len = state.of(shelf).map_or(0, |(_, found)| found.found.len());
    state.cursor.step(rows, len, height);
}

/// To the first pair of the other kind.
fn to_other_kind(app: &mut App, height: usize) {
    let Some(shelf) = app.analysis.shelf.clone() else { return };
    let state = &mut app.docs.disagreements;
    let Some((_, found)) = state.of(&shelf) else { return };
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
    let pair = app.docs.disagreements.selected(app.analysis.shelf.as_ref()?)?.pair;
    Some((pair.a, pair.b))
}

/// Opens the selected pair in Near and says why it is one; without a pair, looks again.
fn open(app: &mut App) {
    let Some((a, b)) = selected_pair(app) else { return forget_stopped(app) };
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
    let Some(shelf) = app.analysis.shelf.clone() else { return };
    let is_wanted = app.docs.view == View::Health
        || app.docs.filter.needs_flags()
        || app.analysis.len() <= FLAGGED_UNASKED;
    if !is_wanted || app.analysis.flags.is_some() || app.running.is_some() {
        return;
    }
    if app.docs.flagging.as_ref().is_some_and(|(over, _)| over.is_over_the_same(&shelf)) {
        return;
    }
    let job = Arc::new(Job::to_begin(Stage::Count));
    if let Some((_, before)) = app.docs.flagging.replace((shelf, Arc::clone(&job))) {
        before.progress.cancel();
    }
    effects.push(app.ask(Question::Flags(job)));
}

/// Has the texts compared whose fingerprints are equal, once all pairs are there.
pub(super) fn compare_texts(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(shelf) = app.analysis.shelf.clone() else { return };
    if app.analysis.equal_texts.is_some() || app.running.is_some() {
        return;
    }
    let before = app.docs.comparing_texts.as_ref();
    if before.is_some_and(|(over, _)| over.is_over_the_same(&shelf)) {
        return;
    }
    let job = Arc::new(Job::to_begin(Stage::Compare));
    if let Some((_, before)) = app.docs.comparing_texts.replace((shelf, Arc::clone(&job))) {
        before.progress.cancel();
    }
    effects.push(app.ask(Question::EqualTexts(job)));
}

/// Takes what was compared; where it was stopped that stays marked, so that it is not asked for again.
pub(super) fn take_equal_texts(app: &mut App, texts: Option<Arc<EqualTexts>>) {
    let (Some(texts), Some(shelf)) = (texts, app.analysis.shelf.clone()) else { return };
    if app.docs.comparing_texts.take_if(|(over, _)| over.is_over_the_same(&shelf)).is_some() {
        app.analysis = Arc::new(app.analysis.with_equal_texts(texts));
        // The rows of a filter by copies are others now.
        if app.docs.filter.needs_equal_texts() {
            app.arranged = None;
        }
    }
}

/// Takes the flags; where it was stopped that stays marked, so that it is not asked for again at once.
pub(super) fn take_flags(app: &mut App, flags: Option<Arc<Flags>>) {
    let (Some(flags), Some(shelf)) = (flags, app.analysis.shelf.clone()) else { return };
    if app.docs.flagging.take_if(|(over, _)| over.is_over_the_same(&shelf)).is_some() {
        if flags.n_unread() > 0 {
            let unread = counted(flags.n_unread(), "document");
            app.notice = Some(format!("{unread} could not be read again and bear no flag"));
        }
        app.analysis = Arc::new(Analysis { flags: Some(flags), ..(*app.analysis).clone() });
        // The rows of a filter by flags are others now.
        if app.docs.filter.needs_flags() {
            app.arranged = None;
        }
    }
}

/// Asks for the health of the corpus, and lays out what is known.
fn look_at_health(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(shelf) = app.analysis.shelf.clone() else { return };
    let layout = app.health_layout();
    let state = &mut app.docs.health;
    if let Some(found) = state.of(&shelf).map(Arc::clone) {
        let Analysis { corpus, flags, .. } = &*app.analysis;
        state.lay_out(&found, flags.as_ref(), corpus, layout.cut.width, app.ascii);
        state.pane.scroll(0, layout.cut.rows());
        return;
    }
    if state.asking.as_ref().is_some_and(|(over, _)| over.is_over_the_same(&shelf)) {
        return;
    }
    let progress = Arc::new(Progress::new());
    if let Some((_, before)) = state.asking.replace((shelf, Arc::clone(&progress))) {
        before.cancel();
    }
    effects.push(app.ask(Question::Health(progress)));
}

pub(super) fn take_health(app: &mut App, found: Option<Arc<CorpusHealth>>) {
    let state = &mut app.docs.health;
    if let Some(found) = found
        && let Some((shelf, _)) = state.asking.take()
    {
        state.found = Some((shelf, found));
    }
}

/// Asks for the pairs that disagree at the present k; those found at another stay until they come.
fn look_for_disagreements(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(shelf) = app.analysis.shelf.clone().filter(|_| app.analysis.is_complete()) else {
        return;
    };
    let wanted = Under::new(&shelf, &app.analysis.settings);
    let state = &mut app.docs.disagreements;
    let has = state.found.as_ref().is_some_and(|(under, _)| under.is(&wanted));
    let asks = state.asking.as_ref().is_some_and(|(under, _)| under.is(&wanted));
    if has || asks || app.running.is_some() {
        return;
    }
    let job = Arc::new(Job::to_begin(Stage::Fingerprint));
    if let Some((_, before)) = state.asking.replace((wanted, Arc::clone(&job))) {
        before.progress.cancel();
    }
    state.problem = None;
    effects.push(app.ask(Question::Disagreements(job)));
}

pub(super) fn take_disagreements(app: &mut App, found: Result<Option<Arc<Disagreements>>, String>) {
    let height = disagreements_rows(app.size);
    let state = &mut app.docs.disagreements;
    match found {
        Ok(Some(found)) => {
            if let Some((under, _)) = state.asking.take() {
                state.cursor.fit(found.found.len(), height);
                state.problem = None;
                state.found = Some((under, found));
            }
        }
        Ok(None) => {}
        Err(problem) => stop::fail(app, Kind::Disagreements, problem),
    }
}
