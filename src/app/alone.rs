//! A key shows one part of a screen alone.

use super::{
    App, Screen,
    geometry::PaneFocus,
    keymap::{Action, DIVIDED},
    screen::ViewId,
};

impl App {
    /// The part of a screen that is shown alone; `None` if all of them show.
    pub fn alone(&self, screen: Screen) -> Option<PaneFocus> {
        let is_divided = screen != self.screen || DIVIDED.contains(&self.view());
        self.alone[screen as usize].filter(|_| is_divided)
    }

    /// The part that keys move in.
    fn focus(&self) -> PaneFocus {
        match self.view() {
            ViewId::Tables => PaneFocus::Detail,
            _ if self.is_reading => PaneFocus::Text,
            _ => PaneFocus::List,
        }
    }
}

/// Fits the selections into their lists, whose rows have changed.
pub(super) fn fit(app: &mut App) {
    let docs = app.docs_rows();
    app.docs.cursor.fit(app.docs.len(), docs);
    let n_rows = app.groups.n_rows();
    app.groups.cursor.fit(n_rows, docs);
}

/// Notes whether an action moves the text.
pub(super) fn note(app: &mut App, action: Action) {
    match action {
        Action::Scroll(_) => app.is_reading = true,
        Action::Alone | Action::K(_) => {}
        _ => app.is_reading = false,
    }
}

/// Shows the part that keys move in alone, or all parts again.
pub(super) fn toggle(app: &mut App) {
    let focus = app.focus();
    let alone = &mut app.alone[app.screen as usize];
    *alone = if alone.is_some() { None } else { Some(focus) };
    fit(app);
}

/// Shows all parts again; false if they show already.
pub(super) fn back(app: &mut App) -> bool {
    let is_alone = app.alone(app.screen).is_some();
    if is_alone {
        toggle(app);
    }
    is_alone
}
