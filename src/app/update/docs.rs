//! What keys do in the views of the Docs screen, and what those need; everything not named here is as on
//! every screen.

use std::sync::Arc;

use super::super::{
    App, Screen,
    keymap::Action,
    screen::docs::{View, bits::COSINES},
};

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::View(by) => app.docs.turn(by),
        _ if app.docs.view == View::Bits => return bits(app, action),
        Action::Sideways(_) => {}
        _ => return false,
    }
    true
}

/// The same in Bits.
fn bits(app: &mut App, action: Action) -> bool {
    let width = app.analysis.settings.recipe.bits;
    match action {
        Action::Sideways(by) => app.docs.votes.sideways(by, width),
        Action::Cosine(by) => {
            let next = app.docs.votes.cosine as isize + by;
            app.docs.votes.cosine = next.rem_euclid(COSINES.len() as isize) as usize;
        }
        Action::WeakBit => {
            if let Some(standing) = app.open_bits().and_then(|open| open.standing.clone()) {
                app.docs.votes.to_weak(&standing);
            }
        }
        Action::Scroll(rows) => {
            let height = app.bits_layout().cut.rows();
            app.docs.votes.pane.scroll(rows, height);
        }
        _ => return false,
    }
    true
}

/// Lays out what the view shows.
pub(super) fn derive(app: &mut App) {
    if app.screen != Screen::Docs || app.docs.view != View::Bits {
        return;
    }
    let cut = app.bits_layout().cut;
    if let Some(open) = app.open_bits().map(Arc::clone) {
        app.docs.votes.lay_out(&open, cut.width);
        app.docs.votes.pane.scroll(0, cut.rows());
    }
}
