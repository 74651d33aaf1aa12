//! What keys and mouse do on the Tune screen, and what it asks for; everything not named here is as on
//! every screen.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, JobNumber, Screen,
        key::{Mouse, MouseAction},
        keymap::Action,
        layout::Shape,
        query::{self, Given},
        screen::tune::{
            View,
            distances::{MadeFrom, distance_at, distances_layout},
            layouts::{LayoutsState, layouts_rows},
        },
    },
    act::{change_k, refuse},
    answers::want,
    compare,
    jobs::follow_settings,
    lab, label, sweep, unsaved,
};
use crate::{
    analysis::{Advice, Settings, Tuning},
    id::DocId,
};

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
    if app.tune.view == View::Label && label::act(app, action, effects) {
        return true;
    }
    if app.tune.view == View::Lab && lab::act(app, action, effects) {
        return true;
    }
    match action {
        Action::View(by) => app.tune.turn(by),
        Action::Scale => app.tune.distances.is_linear ^= true,
        Action::Zoom => app.tune.distances.is_zoomed ^= true,
        Action::Enter if app.tune.view == View::Distances => {
            app.tune.distances.measured.retry();
            app.tune.distances.advised.retry();
        }
        Action::Enter if app.tune.view == View::Layouts => choose(app, effects),
        Action::Enter if app.tune.view == View::Sweep => sweep::enter(app, effects),
        Action::Enter if app.tune.view == View::Compare => compare::enter(app),
        Action::Sideways(by) if app.tune.view == View::Sweep => sweep::step(app, 0, by),
        Action::Sideways(by) => change_k(app, by as i32, effects),
        Action::Forget if app.tune.view == View::Sweep => unsaved::forget_sweep(app),
        Action::Best => sweep::to_best(app),
        Action::Step(rows) => step(app, rows, effects),
        Action::HalfPage(pages) => step(app, pages * 4, effects),
        Action::Page(pages) => step(app, pages * 8, effects),
        Action::First => step(app, isize::MIN / 2, effects),
        Action::Last => step(app, isize::MAX / 2, effects),
        _ => return false,
    }
    true
}

/// The pair in the row under the cursor, in views whose rows are pairs.
pub(super) fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    match app.tune.view {
        View::Compare => compare::selected_pair(app),
        View::Lab => lab::selected_pair(app),
        View::Distances | View::Layouts | View::Label | View::Sweep => None,
    }
}

/// A click moves the marker there; the wheel moves as the keys for rows do.
pub(super) fn on_mouse(app: &mut App, mouse: Mouse, effects: &mut Vec<Effect>) {
    match mouse.action {
        // While a pair is judged the wheel scrolls its texts.
        MouseAction::WheelUp if label::act(app, Action::Scroll(-1), effects) => {}
        MouseAction::WheelDown if label::act(app, Action::Scroll(1), effects) => {}
        MouseAction::WheelUp if on_lab(app, -1, effects) => {}
        MouseAction::WheelDown if on_lab(app, 1, effects) => {}
        MouseAction::WheelUp => step(app, -1, effects),
        MouseAction::WheelDown => step(app, 1, effects),
        MouseAction::Click if app.tune.view == View::Distances => {
            let (width, is_zoomed) = (app.layout().width(), app.tune.distances.is_zoomed);
            let layout = distances_layout(app.size, width, is_zoomed);
            let cell = (mouse.column as usize, mouse.row as usize);
            if let Some(distance) = distance_at(app.size, layout, cell) {
                change_k(app, distance as i32 - app.settings.k as i32, effects);
            }
        }
        MouseAction::Click => {}
    }
}

fn on_lab(app: &mut App, rows: isize, effects: &mut Vec<Effect>) -> bool {
    app.tune.view == View::Lab && lab::act(app, Action::Step(rows), effects)
}

/// So many rows on in a view; a row of Distances is a k. More than one at once go no farther than pairs
/// are known.
fn step(app: &mut App, rows: isize, effects: &mut Vec<Effect>) {
    match app.tune.view {
        View::Distances | View::Label | View::Lab => {
            let k = app.settings.k as isize;
            let known = app.analysis.near.as_ref().map_or(k, |near| near.reach() as isize);
            let to = match rows {
                -1..=1 => k + rows,
                _ => k.saturating_add(rows).clamp(0, known.max(k)),
            };
            change_k(app, (to - k) as i32, effects);
        }
        View::Layouts => {
            let height = layouts_rows(app.size);
            let state = &mut app.tune.layouts;
            state.cursor.step(rows, state.offers.len(), height);
        }
        View::Sweep => sweep::step(app, rows, 0),
        View::Compare => compare::step(app, rows),
    }
}

/// Builds the tables with the selected layout.
fn choose(app: &mut App, effects: &mut Vec<Effect>) {
    // Where counting was stopped it goes on.
    app.tune.layouts.load.retry();
    let Some(offer) = app.tune.layouts.selected() else { return };
    let settings = Settings { layout: offer.choice, ..app.settings.clone() };
    if let Some(why) = refuse(app, &settings) {
        app.notice = Some(why);
        return;
    }
    let name = offer.layout.name();
    app.settings = settings;
    app.notice = Some(format!("tables {name}; --blocks or --bands of the commands names them too"));
    follow_settings(app, effects);
}

/// Asks for what the view needs and has not, and reads off what follows.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    lab::derive(app, effects);
    label::derive(app, effects);
    if app.screen != Screen::Tune {
        return;
    }
    measure(app, effects);
    advise(app, effects);
    offer(app, effects);
    let Some(shelf) = &app.analysis.shelf else {
        app.tune.distances.tuning = None;
        app.tune.distances.tuned = None;
        return;
    };
    let distances = app.tune.distances.measured.answer();
    let near = app.analysis.near.as_ref();
    let (advice, advice_number) = advice(app).unzip();
    let made_from = MadeFrom {
        fingerprints: app.versions.fingerprints,
        pairs: near.map(|_| app.versions.pairs),
        analysis: near.is_none().then_some(app.versions.analysis),
        has_distances: distances.is_some(),
        is_bands: shelf.layout().is_bands(),
        advice: advice_number.flatten(),
    };
    if app.tune.distances.tuned.as_ref() != Some(&made_from) {
        let distances = distances.map(|distances| &**distances);
        let advice = advice.cloned();
        app.tune.distances.tuning =
            Some(Tuning::new(shelf, near.map(|near| &**near), distances, advice));
        app.tune.distances.tuned = Some(made_from);
    } else if let Some(tuning) = &mut app.tune.distances.tuning {
        tuning.set_layout(shelf.layout());
    }
}

/// Has the distances of all pairs measured, once for the same fingerprints.
fn measure(app: &mut App, effects: &mut Vec<Effect>) {
    if app.analysis.shelf.is_some() {
        want(app, query::Distances, effects);
    }
}

/// Has the texts compared for a choice of k, once for the same fingerprints and the same aim.
fn advise(app: &mut App, effects: &mut Vec<Effect>) {
    let distances = app.tune.distances.measured.answer().cloned();
    if let Some(distances) = distances.filter(|_| app.analysis.is_complete()) {
        let query = query::Advice { aim: app.tune.label.aim, distances: Given(distances) };
        want(app, query, effects);
    }
}

/// Which k to take, and the number of the answer that says so: by the judgements, once there are enough, else
/// by cosines.
fn advice(app: &App) -> Option<(&Arc<Advice>, Option<JobNumber>)> {
    let label = &app.tune.label;
    let judged = app.judged().filter(|judged| judged.assessment.is_ripe());
    let judged = judged.map(|judged| (&judged.advice, label.assessed.number()));
    let by_cosine = &app.tune.distances.advised;
    judged.or_else(|| Some((by_cosine.answer()?, by_cosine.number())))
}

/// Takes what the tables of a layout would hold.
pub(super) fn take_load(app: &mut App) {
    let state = &mut app.tune.layouts;
    state.measured.extend(state.load.take());
}

/// Lists the layouts there are to choose from, and has them measured one after the other, the selected
/// one first.
fn offer(app: &mut App, effects: &mut Vec<Effect>) {
    if app.tune.view != View::Layouts && app.size.shape() < Shape::Wide {
        return;
    }
    let Some(shelf) = &app.analysis.shelf else {
        app.tune.layouts = LayoutsState::default();
        return;
    };
    let height = layouts_rows(app.size);
    let state = &mut app.tune.layouts;
    if state.offered != Some(app.versions.analysis) {
        let had = state.selected().map(|offer| offer.choice);
        state.offers = shelf.offers(&app.analysis.settings);
        state.offered = Some(app.versions.analysis);
        let place = |choice| state.offers.iter().position(|offer| offer.choice == choice);
        let built = || state.offers.iter().position(|offer| offer.layout == *shelf.layout());
        let selected = had.and_then(place).or_else(built).unwrap_or(0);
        state.cursor.select(selected, state.offers.len(), height);
    }
    let is_busy = state.load.is_running() || state.load.is_cancelled();
    if app.tune.view == View::Layouts
        && !is_busy
        && let Some(layout) = state.next().cloned()
    {
        want(app, query::Load(layout), effects);
    }
}
