//! The mouse: a click acts on a part of the screen or selects a row, the wheel moves the selection.

use super::super::key::{Mouse, MouseAction};
use super::super::menu::MenuOf;
use super::super::view::view;
use super::act::act;
use super::{on_key, overlay, trail};
use crate::app::{Action, App, ClickTarget, Key, KeyCode, Overlay, ViewId, change_k};

pub(super) fn on_mouse(app: &mut App, mouse: Mouse) {
    let (column, row) = (mouse.column as usize, mouse.row as usize);
    if let Some(open) = &app.overlay {
        let has_rows = !matches!(open, Overlay::Prompt(_));
        let key = match mouse.action {
            MouseAction::Wheel(..0) if has_rows => KeyCode::Up,
            MouseAction::Wheel(_) if has_rows => KeyCode::Down,
            _ => return,
        };
        return overlay::on_overlay_key(app, Key::plain(key));
    }
    let id = app.view();
    let MouseAction::Wheel(by) = mouse.action else { return };
    match id {
        _ if app.text_pane().holds(app.size, column, row) => {
            act(app, Action::Scroll(by * WHEEL));
        }
        // A row is a value of k, which the whole program uses; the wheel must not change it by accident.
        ViewId::Tune => {}
        // A row is a recipe or a layout; three rows at once are too many.
        ViewId::Layouts | ViewId::Recipes => view(id).step(app, by),
        _ => view(id).step(app, by * WHEEL),
    }
}

/// Rows by which the wheel moves a list or a text.
const WHEEL: isize = 3;

/// A click on a part of the screen.
pub(super) fn on_target(app: &mut App, target: ClickTarget) {
    match target {
        ClickTarget::Key(key) => on_key(app, key),
        ClickTarget::View(view) => {
            app.show(view);
            trail::turn(app);
        }
        ClickTarget::Place(n) => (0..n).for_each(|_| trail::back(app)),
        ClickTarget::Bit(bit) if app.lesson_picture().is_some() => {
            // The bit under the cursor is flipped, as Space does.
            let by = app.learn.game.bit as isize - bit as isize;
            act(app, if by == 0 { Action::Probe(1) } else { Action::Sideways(by) });
        }
        // The bits are not those of a document.
        ClickTarget::Bit(_) if app.view() == ViewId::Playground => {}
        ClickTarget::Bit(bit) => {
            app.docs.votes.column = app.layout().width().saturating_sub(bit + 1);
            app.show(ViewId::Bits);
        }
        ClickTarget::Distance(distance) => {
            change_k(app, distance as i32 - app.settings.k as i32);
        }
        ClickTarget::Order(order) => {
            let docs = &mut app.docs;
            let is_reversed = docs.order == order && !docs.reversed;
            (docs.order, docs.reversed, docs.from_top) = (order, is_reversed, true);
        }
        ClickTarget::Select(rows, _) if app.overlay.is_some() => {
            let key = if rows < 0 { KeyCode::Up } else { KeyCode::Down };
            for _ in 0..rows.unsigned_abs() {
                overlay::on_overlay_key(app, Key::plain(key));
            }
            let is_explained =
                matches!(&app.overlay, Some(Overlay::Menu(menu)) if menu.of == MenuOf::Numbers);
            if rows == 0 || !is_explained {
                overlay::on_overlay_key(app, Key::plain(KeyCode::Enter));
            }
        }
        ClickTarget::Select(0, 0) => act(app, Action::Enter),
        ClickTarget::Select(rows, cells) => {
            view(app.view()).step(app, rows);
            if cells != 0 {
                act(app, Action::Sideways(cells));
            }
        }
    }
}
