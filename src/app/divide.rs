//! Keys and mouse change the division of a screen: they show one part alone, and move the line between two columns.

use super::{
    App, Effect, Screen,
    geometry::{Division, Dragged, Pane, PaneFocus},
    keymap::{Action, DIVIDED},
    layout::SizeClass,
    screen::{ViewId, groups::GroupsPane},
    view::{groups, tune::distances},
};

impl App {
    /// The division of a screen. Views without columns do not change the line between columns.
    pub fn division(&self, screen: Screen) -> Division {
        let division = self.divisions[screen as usize];
        let is_divided = screen != self.screen || DIVIDED.contains(&self.view());
        Division { alone: division.alone.filter(|_| is_divided), ..division }
    }

    /// The left and the right column, if there are two.
    fn columns(&self) -> Option<[Pane; 2]> {
        if !DIVIDED.contains(&self.view()) || self.division(self.screen).alone.is_some() {
            return None;
        }
        let [left, right] = match self.screen {
            Screen::Docs => {
                let layout = self.docs_layout();
                let right = if layout.bits.x > 0 { layout.bits } else { layout.text };
                [layout.list, right]
            }
            Screen::Near => [self.near_layout().list, self.near_layout().bits],
            Screen::Tables => [self.tables_layout().list, self.tables_layout().window],
            Screen::Groups => [self.groups_layout().list, self.groups_layout().facts],
            Screen::Tune | Screen::Learn => return None,
        };
        (right.x > 0).then_some([left, right])
    }

    /// The part that keys move in.
    fn focus(&self) -> PaneFocus {
        match self.view() {
            ViewId::Tables => PaneFocus::Detail,
            _ if self.is_reading => PaneFocus::Text,
            ViewId::Groups if self.groups.pane == GroupsPane::Tree => PaneFocus::Detail,
            _ => PaneFocus::List,
        }
    }

    /// The places of the lines between columns, to be kept with the state of a corpus.
    pub fn splits(&self) -> Vec<isize> {
        let mut splits: Vec<isize> = self.divisions.iter().map(|it| it.split).collect();
        while splits.pop_if(|split| *split == 0).is_some() {}
        splits
    }

    /// Restores the places of the lines between columns.
    pub(super) fn take_splits(&mut self, splits: &[isize]) {
        for (division, split) in self.divisions.iter_mut().zip(splits) {
            division.split = (*split).clamp(-1000, 1000);
        }
        fit(self);
    }
}

/// Fits the selections into their lists, whose rows have changed.
pub(super) fn fit(app: &mut App) {
    let (docs, near) = (app.docs_layout().rows(), app.near_layout().rows());
    app.docs.cursor.fit(app.docs.len(), docs);
    app.near.cursor.fit(app.near.neighbours.len(), near);
    groups::fit(app);
}

/// Notes whether an action moves the text.
pub(super) fn note(app: &mut App, action: Action) {
    match action {
        Action::Scroll(_) => app.is_reading = true,
        Action::Alone | Action::Split(_) | Action::K(_) => {}
        _ => app.is_reading = false,
    }
}

/// Shows the part that keys move in alone, or all parts again.
pub(super) fn alone(app: &mut App) {
    let focus = app.focus();
    let division = &mut app.divisions[app.screen as usize];
    division.alone = if division.alone.is_some() { None } else { Some(focus) };
    fit(app);
}

/// Shows all parts again; false if they show already.
pub(super) fn back(app: &mut App) -> bool {
    let is_alone = app.division(app.screen).alone.is_some();
    if is_alone {
        alone(app);
    }
    is_alone
}

/// Moves the line between the columns by a number of cells.
pub(super) fn split(app: &mut App, by: isize) {
    let Some([left, _]) = app.columns() else {
        app.notice = Some(if app.size.shape() == SizeClass::Wide {
            "there are no two columns here".to_owned()
        } else {
            "list and details are side by side on terminals of 120x30 and more".to_owned()
        });
        return;
    };
    split_at(app, left.width.saturating_add_signed(by));
}

/// Puts the line between the columns at a column of the screen, as far as both can be read.
fn split_at(app: &mut App, column: usize) {
    let Some([left, _]) = app.columns() else { return };
    let at = app.screen as usize;
    let before = app.divisions[at].split;
    app.divisions[at].split = before + column as isize - left.width as isize;
    // The line stops at its ends, so that the way back begins at once.
    if let Some([now, _]) = app.columns() {
        app.divisions[at].split = before + now.width as isize - left.width as isize;
    }
    fit(app);
}

/// Notes what a press of the mouse will drag: the line between the columns, or k. Returns whether it is the line.
pub(super) fn press(app: &mut App, column: usize, row: usize) -> bool {
    let is_split = app.columns().is_some_and(|[left, right]| {
        let is_beside = left.holds(column, row) || right.holds(column, row);
        is_beside && (column == right.x || column + 1 == right.x)
    });
    let is_k = app.view() == ViewId::Distances;
    let threshold = is_k.then_some(Dragged::Threshold { row });
    app.dragged = if is_split { Some(Dragged::Split) } else { threshold };
    is_split
}

/// Moves what the mouse drags.
pub(super) fn drag(app: &mut App, column: usize, effects: &mut Vec<Effect>) {
    match app.dragged {
        Some(Dragged::Split) => split_at(app, column),
        Some(Dragged::Threshold { row }) => distances::drag(app, column, row, effects),
        None => {}
    }
}
