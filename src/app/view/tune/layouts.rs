//! The Layouts view: layouts of tables that could be built instead.

use super::super::contract::{ListOfView, View};
use crate::{
    analysis::Settings,
    app::{
        App, Effect,
        ask::want,
        change::{follow_settings, refuse},
        keymap::Action,
        query,
        screen::tune::layouts::{LayoutsState, layouts_rows},
    },
    facts::{
        ExplainedNumber,
        layouts::{LayoutRow, layouts},
    },
};

/// The Layouts view.
pub(in crate::app) struct LayoutsView;

impl View for LayoutsView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => choose(app, effects),
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = layouts_rows(app.size);
        let state = &mut app.tune.layouts;
        Some(ListOfView { len: state.offers.len(), height, cursor: &mut state.cursor })
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        offer(app);
        let state = &app.tune.layouts;
        let is_busy = state.load.is_running() || state.load.is_cancelled();
        if !is_busy && let Some(layout) = state.next().cloned() {
            want(app, query::LoadQuery(layout), effects);
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let state = &app.tune.layouts;
        let (Some(offer), Some(index)) = (state.selected(), &app.analysis.index) else {
            return Vec::new();
        };
        let load = state.measured(&offer.layout).map(|known| known.load.clone());
        ExplainedNumber::of(&layouts(), &LayoutRow { offer, load, n: index.n_distinct() as u64 })
    }
}

/// Builds the tables with the selected layout.
fn choose(app: &mut App, effects: &mut Vec<Effect>) {
    // Stopped counting is resumed.
    app.tune.layouts.load.retry();
    let Some(offer) = app.tune.layouts.selected() else { return };
    let settings = Settings { layout: offer.choice, ..app.settings.clone() };
    if let Some(why) = refuse(app, &settings) {
        return app.say(why);
    }
    let name = offer.layout.name();
    app.settings = settings;
    app.say(format!("tables {name}; commands take this layout with --blocks or --bands"));
    follow_settings(app, effects);
}

/// Takes the measurements of a layout.
pub(in crate::app) fn take_load(app: &mut App) {
    let state = &mut app.tune.layouts;
    state.measured.extend(state.load.take());
}

/// Lists the layouts to choose from.
pub(super) fn offer(app: &mut App) {
    let Some(index) = &app.analysis.index else {
        app.tune.layouts = LayoutsState::default();
        return;
    };
    let height = layouts_rows(app.size);
    let state = &mut app.tune.layouts;
    if state.offered != Some(app.versions.analysis) {
        let had = state.selected().map(|offer| offer.choice);
        state.offers = index.offers(&app.analysis.settings);
        state.offered = Some(app.versions.analysis);
        let place = |choice| state.offers.iter().position(|offer| offer.choice == choice);
        let built = || state.offers.iter().position(|offer| offer.layout == *index.layout());
        let selected = had.and_then(place).or_else(built).unwrap_or(0);
        state.cursor.select(selected, state.offers.len(), height);
    }
}
