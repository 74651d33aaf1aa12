//! The mouse: a click selects a row or a tab, the wheel moves the selection.

use super::{
    super::{
        App, Effect, Screen,
        key::{Mouse, MouseAction},
        keymap::Action,
        layout::{NEAR_LIST, PREVIEW, Shape, tabs},
        screen::docs::View,
    },
    act::step,
    docs, groups, tune,
};

pub(super) fn on_mouse(app: &mut App, mouse: Mouse, effects: &mut Vec<Effect>) {
    if app.overlay.is_some() {
        return;
    }
    let on_tabs = mouse.row == 0 && mouse.action == MouseAction::Click;
    if app.screen == Screen::Tune && !on_tabs {
        return tune::on_mouse(app, mouse, effects);
    }
    match mouse.action {
        MouseAction::WheelUp => wheel(app, -3),
        MouseAction::WheelDown => wheel(app, 3),
        MouseAction::Click => click(app, mouse),
    }
}

/// Moves what the keys for rows move.
fn wheel(app: &mut App, rows: isize) {
    if app.screen != Screen::Docs || !docs::act(app, Action::Step(rows)) {
        step(app, rows);
    }
}

fn click(app: &mut App, mouse: Mouse) {
    let shape = app.size.shape();
    let (column, row) = (mouse.column as usize, mouse.row as usize);
    if row == 0 && shape > Shape::Small {
        if let Some((screen, _)) = tabs(app.size).find(|(_, cells)| cells.contains(&column)) {
            app.screen = screen;
        }
        return;
    }
    if app.screen == Screen::Groups {
        return groups::click(app, column, row);
    }
    let width = app.size.width as usize;
    let (first_row, list_width) = match (shape, app.screen) {
        (Shape::Wide, Screen::Docs) => (4, width - PREVIEW),
        (Shape::Wide, _) => (4, NEAR_LIST),
        _ => (3, width),
    };
    let Some(row) = row.checked_sub(first_row).filter(|_| column < list_width) else { return };
    match app.screen {
        Screen::Docs if app.docs.view == View::Disagreements => docs::select_pair(app, row),
        Screen::Docs if app.docs.view != View::Documents => {}
        Screen::Docs if row < app.docs_layout().list => {
            let row = app.docs.cursor.top + row;
            if row < app.docs.len() {
                app.docs.cursor.selected = row;
            }
        }
        Screen::Near => {
            let top = app.near.cursor.top;
            let shown =
                app.near.cursor.window(app.near.neighbours.len(), app.near_layout().list + 1);
            // The line below k takes a row of its own.
            let rule = app.near_rule().filter(|rule| shown.contains(rule)).map(|rule| rule - top);
            let at = match rule {
                Some(rule) if row == rule => return,
                Some(rule) if row > rule => top + row - 1,
                _ => top + row,
            };
            if shown.contains(&at) {
                app.near.cursor.selected = at;
            }
        }
        _ => {}
    }
}
