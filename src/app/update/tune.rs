//! What keys and mouse do on the Tune screen; everything not named here is as on every screen.

use super::{
    super::{
        App, Effect,
        key::{Mouse, MouseAction},
        keymap::Action,
        screen::tune::View,
    },
    act::change_k,
};

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
    match action {
        Action::View(by) => app.tune.turn(by),
        Action::Scale => app.tune.distances.is_linear ^= true,
        Action::Zoom => app.tune.distances.is_zoomed ^= true,
        Action::Step(rows) => step(app, rows, effects),
        _ => return false,
    }
    true
}

/// The wheel moves as the keys for rows do.
pub(super) fn on_mouse(app: &mut App, mouse: Mouse, effects: &mut Vec<Effect>) {
    match mouse.action {
        MouseAction::WheelUp => step(app, -1, effects),
        MouseAction::WheelDown => step(app, 1, effects),
        MouseAction::Click => {}
    }
}

/// The next row of a view; a row of Distances is a k.
fn step(app: &mut App, rows: isize, effects: &mut Vec<Effect>) {
    match app.tune.view {
        View::Distances => change_k(app, rows as i32, effects),
        View::Layouts => {}
    }
}
