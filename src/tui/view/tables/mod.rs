//! The Tables screen: every table's verdict on the pair, the sorted window, and the search into it.

mod grid;
mod search;
mod summary;
mod window;

use ratatui::text::Span;

use self::{
    grid::{grid, list},
    search::{search, search_line, search_titles, why},
    summary::summary,
    window::{window, window_titles},
};
use crate::{
    app::{
        App,
        layout::{SizeClass, boxes},
    },
    number::counted,
    tui::widget::canvas::{Canvas, clip},
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let layout = app.layout();
    let (width, height) = (canvas.width(), canvas.height());
    let rows = app.tables_layout();
    if app.analysis.index.is_none() {
        let why = if app.running.is_some() {
            "the tables come when all documents are fingerprinted .."
        } else {
            "the work was stopped before the tables were there; + or - goes on"
        };
        canvas.row(0, format!("  {why}"));
        return;
    }
    if app.near.query.is_none_or(|query| app.analysis.fingerprint(query).is_none()) {
        let record = app.near.query.and_then(|query| app.analysis.record(query));
        let why = match record {
            None => "no document is selected",
            Some(record) if record.unreadable => "this document could not be read; ! says why",
            Some(_) => "this text has no features, so it stands in no table",
        };
        canvas.row(0, format!("  {why}"));
        return;
    }
    match app.size.tables_shape() {
        SizeClass::Wide => {
            let lower = rows.search + 2;
            let (left, lower_left) = (boxes(app.size).tables, boxes(app.size).search);
            let upper = height.saturating_sub(lower);
            let name = format!("tables: {}", layout.describe());
            list(app, &layout, &mut canvas.part(0, 0, left, upper).framed(&name, &hits(app)));
            let (title, remark) = window_titles(app);
            window(app, &mut canvas.part(left, 0, width - left, upper).framed(&title, &remark));
            let (title, remark) = search_titles(app);
            search(app, &mut canvas.part(0, upper, lower_left, lower).framed(&title, &remark));
            let title = format!("why table {:02}", app.tables.table.selected + 1);
            why(
                app,
                &mut canvas.part(lower_left, upper, width - lower_left, lower).framed(&title, ""),
            );
        }
        shape => {
            canvas.row(0, Span::raw(clip(&format!(" {}", summary(app, &layout)), width)));
            grid(app, &layout, rows.columns, &mut canvas.part(0, 1, width, rows.grid));
            let y = 1 + rows.grid;
            let (title, remark) = window_titles(app);
            canvas.rule(y, &title, &remark);
            if shape == SizeClass::Small {
                window(app, &mut canvas.part(0, y + 1, width, height.saturating_sub(y + 1)));
                return;
            }
            let ruled = if shape == SizeClass::Standard { 2 } else { 1 };
            window(app, &mut canvas.part(0, y + 1, width, height.saturating_sub(y + 1 + ruled)));
            if shape == SizeClass::Standard {
                let (title, remark) = search_titles(app);
                canvas.rule(height - 2, &title, &remark);
            }
            search_line(app, &mut canvas.part(0, height - 1, width, 1));
        }
    }
}

fn hits(app: &App) -> String {
    match &app.tables.explanation {
        Some(explanation) => {
            format!(
                "{} of {}",
                counted(explanation.hits().count() as u64, "hit"),
                explanation.tables.len()
            )
        }
        None if app.near.listing.is_running() => "looking ..".to_owned(),
        None => "no pair".to_owned(),
    }
}
