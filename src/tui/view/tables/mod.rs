//! The Tables screen: the outcome of every table for the pair, the sorted rows, and the search in them.

mod grid;
mod probe;
mod search;
mod summary;
mod why;
mod window;

use ratatui::{style::Style, text::Span};

use self::{
    grid::{grid, list},
    search::{search, search_line, search_titles},
    summary::summary,
    why::why,
    window::{window, window_titles},
};
use crate::{
    app::{App, geometry::Edge},
    number::counted,
    tui::widget::canvas::{Canvas, clip},
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let layout = app.layout();
    if app.analysis.index.is_none() {
        let why = if app.running.is_some() {
            "the tables are shown when all documents are fingerprinted .."
        } else {
            "the work was stopped before the tables were built; + or - resumes it"
        };
        canvas.paragraph(2, 0, why, Style::new());
        return;
    }
    if app.near.query.is_none_or(|query| app.analysis.fingerprint(query).is_none()) {
        let record = app.near.query.and_then(|query| app.analysis.record(query));
        let why = match record {
            None => "no document is selected",
            Some(record) if record.unreadable => "this document could not be read; ! shows why",
            Some(_) => "this text has no features, so it is in no table",
        };
        canvas.paragraph(2, 0, why, Style::new());
        return;
    }
    let panes = app.tables_layout();
    let mut row = canvas.pane(panes.summary, "", "");
    let width = row.width();
    row.row(
        0,
        Span::raw(clip(&format!(" {}", summary(app, &layout, width.saturating_sub(1))), width)),
    );
    let hits = hits(app);
    // Two blanks beside each, and the ends of the frame.
    let room = panes.list.width.saturating_sub(hits.len() + 8);
    let names = [layout.describe(), layout.name()].map(|name| format!("tables: {name}"));
    let name = names.into_iter().find(|name| name.len() <= room).unwrap_or("tables".to_owned());
    let mut inside = canvas.active_pane(panes.list, &name, &hits);
    match panes.list.edge {
        Edge::Box => list(app, &layout, &mut inside),
        _ if panes.list.height > 0 => grid(app, &layout, panes.columns, &mut inside),
        _ => {}
    }
    let (title, remark) = window_titles(app);
    window(app, &mut canvas.pane(panes.window, &title, &remark));
    if panes.search.height > 0 {
        let (title, remark) = search_titles(app);
        let mut inside = canvas.pane(panes.search, &title, &remark);
        match panes.search.edge {
            Edge::Box => search(app, &mut inside),
            _ => search_line(app, &mut inside),
        }
    }
    if panes.why.height > 0 {
        let title = format!("why table {:02}", app.tables.table.selected + 1);
        why(app, &mut canvas.pane(panes.why, &title, ""));
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
        None if app.near.listing.is_running() => "searching ..".to_owned(),
        None => "no pair".to_owned(),
    }
}
