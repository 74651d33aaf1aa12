//! The way back: after every message the present place is compared with the place before, so actions need not note
//! where they go. If a place is visited again, the way is cut there, so it has no loops.

use super::super::history::{Place, Trail};
use super::super::view::go::select_document;
use crate::app::{Action, App, Screen, ViewId};

impl Place {
    fn of(app: &App) -> Self {
        let document = app.query().filter(|_| app.screen.is_of_a_pair());
        Self { view: app.shown(app.screen), document }
    }

    /// The name of the place: the document on Pair, else the screen, and the view if it is not the first.
    fn name(self, app: &App) -> String {
        let screen = self.view.screen();
        match (screen, self.document) {
            (Screen::Pair, Some(document)) => app.shown_id(document),
            _ if ViewId::FIRST.contains(&self.view) => screen.to_string(),
            _ => self.view.to_string(),
        }
    }
}

/// Notes the new place.
pub(super) fn record(app: &mut App) {
    let place = Place::of(app);
    let Trail { present, passed } = &mut app.trail;
    if place == *present {
        return;
    }
    let before = std::mem::replace(present, place);
    if let Some(at) = passed.iter().position(|it| *it == place) {
        passed.truncate(at);
    } else if before.view != place.view || before.document.is_some() {
        passed.push(before);
    }
}

/// Another view of the screen takes the place of the one before it: Esc does not go back through views.
pub(super) fn turn(app: &mut App) {
    let place = Place::of(app);
    let Trail { present, passed } = &mut app.trail;
    *present = place;
    if let Some(at) = passed.iter().position(|it| *it == place) {
        passed.truncate(at);
    }
}

/// Goes to the place before the present one; from the first one to the list of documents.
pub(super) fn back(app: &mut App) {
    let Some(place) = app.trail.passed.pop() else {
        if app.shown(app.screen) == ViewId::Docs {
            let key = app.keymap.key_of(app.view(), Action::Quit);
            app.say(format!("{key} leaves"));
        }
        app.show(ViewId::Docs);
        app.trail.present = Place::of(app);
        return;
    };
    let left = std::mem::replace(&mut app.trail.present, place);
    app.show(place.view);
    if let Some(document) = place.document.filter(|it| app.query() != Some(*it)) {
        select_document(app, document);
        // The row of the document that was followed.
        app.near.pending_selection = left.document;
    }
}

impl App {
    /// The names of the places on the way, the present one last; empty at its beginning.
    pub fn places(&self) -> Vec<String> {
        let Trail { present, passed } = &self.trail;
        if passed.is_empty() {
            return Vec::new();
        }
        passed.iter().chain([present]).map(|place| place.name(self)).collect()
    }
}
