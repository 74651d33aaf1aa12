//! The groups, largest first: how large, how far they reach, what would cut them.

use ratatui::text::{Line, Span};

use super::mark::mark;
use crate::{
    app::{App, screen::groups::GroupsPane},
    index::Linkage,
    number::grouped,
    tui::{view::name, widget::canvas::Canvas},
};

pub(super) fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let columns = Columns::of(canvas.width());
    canvas.row(0, Span::styled(columns.header(), theme.muted()));
    if let Some(why) = why_empty(app) {
        canvas.row(1, format!("  {why}"));
        return;
    }
    let height = canvas.height().saturating_sub(1);
    for (y, group) in app.groups.cursor.window(app.groups.len(), height).enumerate() {
        canvas.row(y + 1, columns.row(app, group, canvas));
        if group == app.groups.cursor.selected {
            canvas.style_row(y + 1, mark(app, GroupsPane::List, theme).1);
        }
    }
}

/// The reason why there is no group to show.
fn why_empty(app: &App) -> Option<String> {
    let k = app.settings.k;
    if !app.groups.is_empty() {
        return None;
    }
    if app.groups.listing.is_some() {
        return Some(format!("no two documents are within k={k}; + raises k"));
    }
    Some(match (app.analysis.is_complete(), app.running.is_some()) {
        (true, _) => "looking ..".to_owned(),
        (false, true) => "groups come with the pairs ..".to_owned(),
        (false, false) => "the work was stopped before pairs were found; + or - goes on".to_owned(),
    })
}

/// The columns that fit, and the width of the first document's id.
struct Columns {
    small: bool,
    /// Cells of the number of fingerprints; 0 hides it, since the group's title has it too.
    distinct: usize,
    id: usize,
}

impl Columns {
    fn of(width: usize) -> Self {
        let small = width < 60;
        let distinct = if width < 70 { 0 } else { 10 };
        let fixed = if small { 1 + 6 + 6 + 10 + 2 + 1 } else { 1 + 7 + 8 + 10 + 9 + 11 + 2 };
        let fixed = fixed + if small { 0 } else { distinct };
        Self { small, distinct, id: width.saturating_sub(fixed).max(4) }
    }

    fn header(&self) -> String {
        let first = name::header(if self.id < 14 { "first" } else { "first document" }, self.id);
        let [group, docs, diameter, weakest] = ["group", "docs", "diameter", "weakest"];
        if self.small {
            return format!(" {group:>6}{docs:>6}{diameter:>10}   {first}");
        }
        let distinct = if self.distinct == 0 { "" } else { "distinct" };
        let distinct = format!("{distinct:>0$}", self.distinct);
        format!(" {group:>7}{docs:>8}{distinct}{diameter:>10}{weakest:>9}             {first}")
    }

    fn row(&self, app: &App, group: usize, canvas: &Canvas) -> Line<'static> {
        let Some(listing) = &app.groups.listing else { return Line::default() };
        let glyphs = canvas.theme.glyphs();
        let documents = listing.groups.documents(group as u32);
        let shape = app.groups.shapes.get(&(group as u32));
        let is_selected = group == app.groups.cursor.selected;
        let mark = if is_selected { mark(app, GroupsPane::List, canvas.theme).0 } else { ' ' };
        let id = name::face(app, documents[0], self.id);
        let size = grouped(documents.len() as u64);
        let known = |text: &dyn Fn(&crate::index::GroupShape) -> String| {
            shape.map_or_else(|| "..".to_owned(), |shape| text(shape))
        };
        let diameter = known(&|shape| {
            let bound = if shape.farthest.is_exact { "" } else { ">=" };
            format!("{bound}{}", shape.farthest.distance)
        });
        let is_chain = shape.is_some_and(|shape| shape.is_chain());
        let name = format!("g{group}");
        let is_dominated = shape.is_some_and(|shape| app.analysis.dominated_in(shape).is_some());
        if self.small {
            let chain = if is_chain || is_dominated { '!' } else { ' ' };
            return Line::from(format!("{mark}{name:>6}{size:>6}{diameter:>10}{chain}  {id}"));
        }
        let distinct = if self.distinct == 0 {
            String::new()
        } else {
            let distinct = known(&|shape| grouped(shape.distinct() as u64));
            format!("{distinct:>0$}", self.distinct)
        };
        let weakest = known(&|shape| {
            shape.weakest.map_or(glyphs.none.to_string(), |weakest| weakest.to_string())
        });
        let chain = match (is_chain && listing.linkage == Linkage::Single, is_dominated) {
            (true, true) => "chain dom",
            (true, false) => "chain",
            (false, true) => "dominated",
            (false, false) => "",
        };
        let numbers = format!("{mark}{name:>7}{size:>8}{distinct}{diameter:>10}{weakest:>9}");
        Line::from(format!("{numbers}  {chain:<9}  {id}"))
    }
}
