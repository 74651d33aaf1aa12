//! The mouse: a click selects a row or a tab, the wheel moves the selection.

use super::{
    super::{
        App, Screen,
        key::{Mouse, MouseAction},
        layout::Shape,
    },
    act::{height, step},
};

pub(super) fn on_mouse(app: &mut App, mouse: Mouse) {
    if app.overlay.is_some() {
        return;
    }
    match mouse.action {
        MouseAction::WheelUp => step(app, -3),
        MouseAction::WheelDown => step(app, 3),
        MouseAction::Click => click(app, mouse),
    }
}

fn click(app: &mut App, mouse: Mouse) {
    if mouse.row == 0 {
        // " simscope " stands before the tabs; each takes ten cells.
        let tab = (mouse.column as usize).checked_sub(10).map(|column| column / 10);
        if let Some(screen) = tab.and_then(|tab| Screen::ALL.get(tab)) {
            app.screen = *screen;
        }
        return;
    }
    let first_row = if app.size.shape() == Shape::Wide { 4 } else { 3 };
    let Some(row) = (mouse.row as usize).checked_sub(first_row) else { return };
    if row >= height(app) {
        return;
    }
    match app.screen {
        Screen::Docs => {
            let row = app.docs.cursor.top + row;
            if row < app.docs.len() {
                app.docs.cursor.selected = row;
            }
        }
        Screen::Near => {
            let row = app.near.cursor.top + row;
            if row < app.near.neighbours.len() {
                app.near.cursor.selected = row;
            }
        }
        Screen::Tables => {}
    }
}
