//! The groups, largest first: their sizes, diameters and weakest edges.

use ratatui::style::Style;

use super::mark::mark;
use crate::{
    app::{App, ClickTarget, screen::groups::GroupsPane},
    index::{GroupShape, Linkage},
    number::grouped,
    tui::{
        theme::Theme,
        view::name,
        widget::{
            canvas::Canvas,
            table::{Align, Column, ColumnTable},
        },
    },
};

pub(super) fn list(app: &App, canvas: &mut Canvas) {
    if let Some(why) = why_empty(app) {
        canvas.paragraph(2, 0, &why, Style::new());
        return;
    }
    let table = columns(app, canvas.width(), canvas.theme);
    let mark = mark(app, GroupsPane::List, canvas.theme);
    let table = table.clicked_as(|by| ClickTarget::Group(GroupsPane::List, by));
    table.draw(canvas, app.groups.cursor, app.groups.len(), Some(mark), Some);
}

/// The reason why there is no group to show.
fn why_empty(app: &App) -> Option<String> {
    let k = app.settings.k;
    if !app.groups.is_empty() {
        return None;
    }
    if app.groups.listing.is_some() {
        return Some(format!(
            "no groups: no two documents are near-duplicates within k = {k}. Press + to raise k, or 5 to see how many \
             pairs each k would bring."
        ));
    }
    Some(match (app.analysis.is_complete(), app.running.is_some()) {
        (true, _) => "searching ..".to_owned(),
        (false, true) => "groups are shown when the pairs are found ..".to_owned(),
        (false, false) => {
            "the work was stopped before pairs were found; + or - resumes it".to_owned()
        }
    })
}

/// Cells that a name has at least beside columns of each rank.
const NAMES: [usize; 4] = [5, 13, 18, 18];

/// The columns, by the number of a group.
fn columns(app: &App, width: usize, theme: Theme) -> ColumnTable<'_, usize> {
    let number = |title: &'static str, rank, text: fn(&GroupShape, Theme) -> String| {
        Column::new(title, Align::Right(title.len() + 1), rank, move |&group: &usize, _| {
            let shape = app.groups.shapes.get(&(group as u32));
            shape.map_or_else(|| "..".to_owned(), |shape| text(shape, theme))
        })
    };
    let documents = |group: usize| {
        let listing = app.groups.listing.as_ref();
        listing.map_or(&[][..], |listing| listing.groups.documents(group as u32))
    };
    let is_small = width < 60;
    let mut columns = vec![
        Column::new("group", Align::Right(if is_small { 6 } else { 7 }), 0, |group: &usize, _| {
            format!("g{group}")
        }),
        Column::new("docs", Align::Right(if is_small { 6 } else { 7 }), 0, move |&group, _| {
            grouped(documents(group).len() as u64)
        }),
        number("distinct", 2, |shape, _| grouped(shape.distinct() as u64)),
        number("diameter", 0, |shape, _| {
            let bound = if shape.farthest.is_exact { "" } else { ">=" };
            format!("{bound}{}", shape.farthest.distance)
        }),
        number("weakest", 3, |shape, theme| {
            shape.weakest.map_or_else(|| theme.glyphs().none.to_string(), |it| it.to_string())
        }),
        Column::new("", Align::Left(11), 1, move |&group, _| match remarks(app, group) {
            (false, false) => "",
            (true, true) => " chain dom",
            (true, false) => " chain",
            (false, true) => " dominated",
        }),
    ];
    let first = Column::new("first document", Align::Rest, 0, move |&group, cells| {
        documents(group)
            .first()
            .map_or_else(String::new, |&first| format!(" {}", name::face(app, first, cells - 1)))
    });
    let header = move |title: &str, cells| {
        let title = if cells < 15 { "first" } else { title };
        format!(" {}", name::header(app, title, cells - 1))
    };
    let first = first.under(header);
    columns.push(first.in_file(name::IN_FILE, move |&group| {
        documents(group)
            .first()
            .map_or_else(|| vec![String::new(); 2], |&it| name::in_file(app, it))
    }));
    ColumnTable::fitting(columns, width, &NAMES)
}

/// Whether a group is a chain, which does not matter for complete linkage, and whether one feature decides a
/// fingerprint in it.
fn remarks(app: &App, group: usize) -> (bool, bool) {
    let Some(shape) = app.groups.shapes.get(&(group as u32)) else { return (false, false) };
    let Some(listing) = &app.groups.listing else { return (false, false) };
    let is_chain = shape.is_chain() && listing.linkage == Linkage::Single;
    (is_chain, app.analysis.dominated_in(shape, &listing.index).is_some())
}
