//! The columns of the list about near-duplicates: their number, the group, and the distance to its first document.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    analysis::arrangement::ListOrder,
    app::{App, ClickTarget},
    id::DocId,
    tui::{
        theme::Theme,
        widget::table::{Align, Column},
    },
};

/// The title of the near-duplicates.
pub(super) const NEAR: &str = "near";
/// The title of the groups.
pub(super) const GROUP: &str = "group";
/// The titles of the distances before the largest, in ASCII the second.
pub(super) const DISTANCES: [&str; 2] = ["d≤", "d<="];

/// The column of the numbers of near-duplicates, for numbers of up to `digits` digits.
pub(super) fn near_column(
    app: &App,
    title: String,
    digits: usize,
    none: char,
) -> Column<'_, DocId> {
    let cells = Align::Right(title.width().max(digits) + 1);
    Column::new(title, cells, 0, move |it: &DocId, _| match app.analysis.near_count(*it) {
        None => String::new(),
        Some(0) => none.to_string(),
        Some(near) => near.to_string(),
    })
    .on_click(ClickTarget::Order(ListOrder::Near))
}

/// The column of the groups, for numbers of up to `digits` digits.
pub(super) fn group_column(
    app: &App,
    title: String,
    digits: usize,
    rank: u8,
    none: char,
) -> Column<'_, DocId> {
    let cells = Align::Right(title.width().max(digits + 1) + 1);
    Column::new(title, cells, rank, move |it: &DocId, _| {
        app.linked_groups().map_or_else(String::new, |groups| {
            let group = groups.group_of(*it);
            group.map_or_else(|| none.to_string(), |group| format!("g{group}"))
        })
    })
    .on_click(ClickTarget::Order(ListOrder::Group))
}

/// A bar in the hue of the document's group; a blank for a document in no group.
pub(super) fn group_bar(app: &App, document: DocId, theme: Theme) -> Span<'static> {
    let group = app.linked_groups().and_then(|groups| groups.group_of(document));
    group.map_or_else(
        || Span::raw(" "),
        |group| Span::styled(theme.glyphs().member.to_string(), theme.block(group as usize)),
    )
}

/// The column of the distances to the first document of the group: the sign of the first itself, `=` for an equal
/// fingerprint, a bar up to k, a number beyond it.
pub(super) fn distance_column(app: &App, k: u32, theme: Theme) -> Column<'_, DocId> {
    let (title, bar) = if theme.0.ascii { (DISTANCES[1], "-") } else { (DISTANCES[0], "━") };
    let title = format!("{title}{k}");
    let cells = Align::Left(title.width() + 1);
    Column::new(title, cells, 3, move |it: &DocId, _| match distance(app, *it) {
        None => Span::raw(""),
        Some(_) if first_of_group(app, *it) == Some(*it) => {
            Span::styled(theme.glyphs().node.to_string(), theme.muted())
        }
        Some(0) => Span::styled("=", theme.muted()),
        Some(d) if d <= k => Span::styled(bar.repeat((3 * d).div_ceil(k) as usize), theme.strong()),
        Some(d) => Span::raw(d.to_string()),
    })
}

/// The distance of a document to the first of its group.
fn distance(app: &App, document: DocId) -> Option<u32> {
    let first = first_of_group(app, document)?;
    let [one, other] = [document, first].map(|it| app.analysis.fingerprint(it));
    Some(one?.distance(other?))
}

/// The first document of a document's group.
fn first_of_group(app: &App, document: DocId) -> Option<DocId> {
    let groups = app.linked_groups()?;
    Some(groups.representative(groups.group_of(document)?))
}
