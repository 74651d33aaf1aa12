//! The mouse: a click selects a row or a tab, the wheel moves the selection.

use super::super::{
    App, Effect, Screen,
    key::{Mouse, MouseAction},
    layout::{SizeClass, tabs},
    view::view,
};

pub(super) fn on_mouse(app: &mut App, mouse: Mouse, effects: &mut Vec<Effect>) {
    if app.overlay.is_some() {
        return;
    }
    let view = view(app.view());
    let (column, row) = (mouse.column as usize, mouse.row as usize);
    // In Tune a row is a k, a recipe or a layout: three at once are too many.
    let wheel = if app.screen == Screen::Tune { 1 } else { 3 };
    match mouse.action {
        MouseAction::WheelUp => view.step(app, -wheel, effects),
        MouseAction::WheelDown => view.step(app, wheel, effects),
        MouseAction::Click if row == 0 && app.size.shape() > SizeClass::Small => {
            if let Some((screen, _)) = tabs(app.size).find(|(_, cells)| cells.contains(&column)) {
                app.go(screen);
            }
        }
        MouseAction::Click => view.click(app, column, row, effects),
    }
}
