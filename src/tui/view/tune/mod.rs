//! The Tune screen: its views, one at a time or, where there is room, side by side.
//!
//! ```text
//! Distances   the histogram, and below it what each k would do
//! Layouts     the tables that could be built, their cost, their hottest bucket
//! ```

mod distances;
mod histogram;
mod layouts;

use crate::{
    app::{App, layout::Shape, screen::tune::View},
    tui::widget::canvas::Canvas,
};

/// The views' names, the one that shows in brackets; on a small screen it alone.
pub(super) fn views(app: &App) -> String {
    let shown = app.tune.view;
    if app.size.shape() == Shape::Small {
        return shown.to_string();
    }
    let name = |&view: &View| if view == shown { format!("[{view}]") } else { view.to_string() };
    View::ALL.iter().map(name).collect::<Vec<_>>().join(" ")
}

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    match app.tune.view {
        View::Distances => distances::draw(app, canvas),
        View::Layouts => layouts::draw(app, canvas),
    }
}
