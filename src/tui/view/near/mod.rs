//! The Near screen: neighbours, the two fingerprints, and the two texts.

mod distances;
mod list;
mod pair;
mod selected;
mod text;
mod why;

use self::{
    list::{list, title as list_title},
    pair::{bits, bits_titles, pair_box},
    text::{text, text_titles},
    why::{why, why_titles},
};
use crate::{
    app::{App, geometry::Edge, screen::ViewId},
    number::grouped,
    tui::widget::canvas::Canvas,
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let panes = app.near_layout();
    let below = app.n_neighbours_below() as u64;
    let more = if below > 0 { format!("{} more", grouped(below)) } else { String::new() };
    list(app, &mut canvas.active_pane(panes.list, &list_title(app), &more));
    let (mut title, remark) = bits_titles(app);
    if panes.bits.edge == Edge::Box {
        pair_box(app, &mut canvas.pane(panes.bits, &title, &remark));
    } else if panes.bits.height > 0 {
        if below > 0 {
            title = format!("{} {more}", canvas.theme.glyphs().more);
        }
        bits(app, &mut canvas.pane(panes.bits, &title, &remark));
    }
    let (title, remark) = titles(app);
    lower(app, &mut canvas.pane(panes.text, &title, &remark));
}

/// Title and remark of the part below the list.
fn titles(app: &App) -> (String, String) {
    match app.view() {
        ViewId::Why => why_titles(app),
        _ => text_titles(app),
    }
}

/// Draws the part below the list.
fn lower(app: &App, canvas: &mut Canvas) {
    match app.view() {
        ViewId::Why => why(app, canvas),
        _ => text(app, canvas),
    }
}
