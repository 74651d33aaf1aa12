//! The division of a screen, as keys and the mouse change it: one part alone, and the line between two columns.

use super::{
    App, Effect, Screen,
    geometry::{Division, Dragged, Pane, PaneFocus},
    keymap::{Action, DIVIDED},
    layout::SizeClass,
    screen::{ViewId, groups::GroupsPane},
    view::{groups, view},
};

impl App {
    /// The division of a screen. The line between columns stays where it is in views that have none.
    pub fn division(&self, screen: Screen) -> Division {
        let division = self.divisions[screen as usize];
        let is_divided = screen != self.screen || DIVIDED.contains(&self.view());
        Division { alone: division.alone.filter(|_| is_divided), ..division }
    }

    /// The left and the right column, where there are two.
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

    /// The places of the lines between columns, for the state that is kept of a corpus.
    pub fn splits(&self) -> Vec<isize> {
        let mut splits: Vec<isize> = self.divisions.iter().map(|it| it.split).collect();
        while splits.pop_if(|split| *split == 0).is_some() {}
        splits
    }

    /// Puts the lines between columns where they were left.
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

/// Gives the part that keys move in the whole body, or the others their places again.
pub(super) fn alone(app: &mut App) {
    let focus = app.focus();
    let division = &mut app.divisions[app.screen as usize];
    division.alone = if division.alone.is_some() { None } else { Some(focus) };
    fit(app);
}

/// Moves the line between the columns by so many cells.
pub(super) fn split(app: &mut App, by: isize) {
    let Some([left, _]) = app.columns() else {
        let why = match app.size.shape() {
            SizeClass::Wide => "there are no two columns here",
            _ => "columns stand side by side from 120 columns and 30 rows on",
        };
        app.notice = Some(why.to_owned());
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
    // Beyond the ends nothing is gathered that had to be taken back.
    if let Some([now, _]) = app.columns() {
        app.divisions[at].split = before + now.width as isize - left.width as isize;
    }
    fit(app);
}

/// Takes hold of what a press of the mouse is on: the line between the columns, or k. Whether it is the line.
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

/// Moves what the mouse has hold of.
pub(super) fn drag(app: &mut App, column: usize, effects: &mut Vec<Effect>) {
    match app.dragged {
        Some(Dragged::Split) => split_at(app, column),
        Some(Dragged::Threshold { row }) => view(app.view()).click(app, column, row, effects),
        None => {}
    }
}
