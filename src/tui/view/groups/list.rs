//! The groups, largest first: their sizes, diameters and weakest edges.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::mark::mark;
use crate::{
    app::{App, ClickTarget, layout::SizeClass, screen::groups::GroupsPane},
    id::DocId,
    index::{GroupShape, Linkage},
    number::grouped,
    tui::{
        theme::Theme,
        view::name,
        widget::{
            canvas::{Canvas, fit},
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

/// Cells that a name has at least beside columns of each rank: from rank 3 on they are in the tree beside the list.
const NAMES: [usize; 4] = [5, 18, 18, 40];

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
    let least = if width < 60 { 6 } else { 7 };
    // A figure must not touch the one before it.
    let cells = |longest: String| Align::Right((longest.len() + 1).max(least));
    // The frame of the tree beside the list has the distinct fingerprints, its edges the weakest.
    let [distinct, weakest] = if app.size.shape() == SizeClass::Wide { [3, 3] } else { [1, 2] };
    let mut columns = vec![
        Column::new(
            "group",
            cells(format!("g{}", app.groups.len())),
            0,
            move |&group: &usize, cells| {
                let bar = Span::styled(theme.glyphs().member.to_string(), theme.block(group));
                Line::from(vec![
                    bar,
                    Span::raw(format!("{:>width$}", format!("g{group}"), width = cells - 1)),
                ])
            },
        ),
        Column::new("docs", cells(grouped(app.analysis.len() as u64)), 0, move |&group, _| {
            grouped(documents(group).len() as u64)
        }),
        number("distinct", distinct, |shape, _| grouped(shape.distinct() as u64)),
        number("diameter", 0, |shape, _| {
            let bound = if shape.farthest.is_exact { "" } else { ">=" };
            format!("{bound}{}", shape.farthest.distance)
        }),
        number("weakest", weakest, |shape, theme| {
            shape.weakest.map_or_else(|| theme.glyphs().none.to_string(), |it| it.to_string())
        }),
    ];
    let rows = app.groups.cursor.window(app.groups.len(), app.groups_layout().rows());
    let shown: Vec<DocId> = rows.filter_map(|group| documents(group).first().copied()).collect();
    let first = Column::new("first document", Align::Rest, 0, move |&group, cells| {
        let Some(&first) = documents(group).first() else { return String::new() };
        // Only a row with a remark has fewer cells for its title.
        let remark = remark(app, group);
        let room = (cells - 1).checked_sub(remark.len() + 1).filter(|room| *room >= LEAST);
        let face = name::face(app, first, &shown, cells - 1);
        match room.filter(|_| !remark.is_empty()) {
            Some(room) => format!(" {} {remark}", fit(face.trim_end(), room)),
            None => format!(" {face}"),
        }
    });
    let header = move |title: &str, cells| {
        let title = if cells < 15 { "first" } else { title };
        format!(" {}", name::header(app, title, cells - 1))
    };
    let first = first.under(header);
    columns.push(first);
    ColumnTable::fitting(columns, width, &NAMES)
}

/// Cells that a name has at least beside a remark.
const LEAST: usize = 12;

/// The words about a group: whether it is a chain, which does not matter for complete linkage, and whether it has a
/// document that is near a kept one and stays because their texts have too little in common.
fn remark(app: &App, group: usize) -> &'static str {
    let shape = app.groups.shapes.get(&(group as u32));
    let Some((shape, listing)) = shape.zip(app.groups.listing.as_ref()) else { return "" };
    let is_chain = shape.is_chain() && listing.linkage == Linkage::Single;
    match (is_chain, app.spared_in(group as u32).next().is_some()) {
        (true, true) => "chain, spared",
        (true, false) => "chain",
        (false, true) => "spared",
        (false, false) => "",
    }
}
