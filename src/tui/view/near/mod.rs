//! The Near screen: neighbours, the two fingerprints, and the two texts.

mod list;
mod pair;
mod selected;
pub(super) mod text;
mod why;

use self::{
    list::{list, title as list_title},
    pair::{bits, bits_titles, pair_box},
    text::{text, text_titles},
    why::{why, why_titles},
};
use crate::{
    app::{
        App,
        layout::{SizeClass, boxes},
        screen::ViewId,
    },
    number::grouped,
    tui::widget::canvas::Canvas,
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let rows = app.near_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let shape = app.size.shape();
    if shape == SizeClass::Wide {
        let (upper, left) = (rows.list + 4, boxes(app.size).neighbours);
        let title = list_title(app);
        let below = app.n_neighbours_below() as u64;
        let more = if below > 0 { format!("{} more", grouped(below)) } else { String::new() };
        list(app, &mut canvas.part(0, 0, left, upper).framed(&title, &more));
        let (title, remark) = bits_titles(app);
        pair_box(app, &mut canvas.part(left, 0, width - left, upper).framed(&title, &remark));
        let (title, remark) = titles(app);
        lower(app, &mut canvas.part(0, upper, width, height - upper).framed(&title, &remark));
        return;
    }
    list(app, &mut canvas.part(0, 0, width, rows.list + 2));
    let mut y = rows.list + 2;
    if rows.bits > 0 {
        let (title, remark) = bits_titles(app);
        let below = app.n_neighbours_below() as u64;
        let title = match below {
            0 => title,
            _ => format!("{} {} more", canvas.theme.glyphs().more, grouped(below)),
        };
        canvas.rule(y, &title, &remark);
        bits(app, &mut canvas.part(0, y + 1, width, rows.bits));
        y += 1 + rows.bits;
    }
    let (title, remark) = titles(app);
    canvas.rule(y, &title, &remark);
    lower(app, &mut canvas.part(0, y + 1, width, height.saturating_sub(y + 1)));
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
