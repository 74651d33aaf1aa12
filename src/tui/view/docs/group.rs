//! The group of the selected document: a small one as a tree, a large one as a list.

use std::sync::Arc;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{App, group::small_group, screen::tree::TreeRow},
    id::DocId,
    index::{GroupShape, Groups, Linkage},
    number::{counted, grouped},
    text::visible,
    tui::{
        view::guides::guides,
        widget::canvas::{Canvas, fit_id},
    },
};

/// Cells of a name, however deep the tree.
const NAME: usize = 16;

pub(super) fn group_box(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let Some(document) = app.query() else {
        canvas.framed("group", "");
        return;
    };
    let linkage = app.groups.linkage;
    let known = app.linked_groups();
    let group = known.and_then(|groups| groups.group_of(document)).zip(known);
    let Some((number, groups)) = group else {
        let mut inside = canvas.framed("group", "");
        let has_near = app.analysis.near_count(document).is_some_and(|near| near > 0);
        let text = match (known.is_some(), linkage) {
            (true, Linkage::Single) if has_near => "marked as no duplicate, so no group",
            (true, Linkage::Single) => "no near-duplicates, so no group",
            (true, Linkage::Complete) => "in no group by complete linkage",
            (false, _) => "groups are shown when the pairs are found",
        };
        inside.row(0, Span::styled(format!(" {text}"), theme.muted()));
        return;
    };
    let members = groups.documents(number);
    let title = match linkage {
        Linkage::Single => format!("group g{number}"),
        Linkage::Complete => format!("g{number}, complete linkage"),
    };
    let decided = decided(app, groups, members);
    let mut inside = canvas.framed(&title, &counted(members.len() as u64, "document"));
    let (width, height) = (inside.width(), inside.height());
    let room = height.saturating_sub(usize::from(decided.is_some()));
    let rows = match small_group(app, members) {
        Some(shape) => tree(app, &shape, document, &inside),
        None => flat(app, members, document, &inside),
    };
    // One more member takes no more room than the words about it.
    let shown = if rows.len() > room { room.saturating_sub(1) } else { rows.len() };
    let hidden = rows.len() - shown;
    for (y, row) in rows.into_iter().take(shown).enumerate() {
        inside.row(y, row);
    }
    if hidden > 0 {
        let more = format!("  and {} more", grouped(hidden as u64));
        inside.row(shown, Span::styled(more, theme.muted()));
    }
    if let Some(text) = decided.filter(|it| it.width() < width) {
        inside.row(height - 1, Span::styled(format!(" {text}"), theme.good()));
    }
}

/// The number of members that the policy keeps and drops, once they are decided for these groups.
fn decided(app: &App, groups: &Arc<Groups>, members: &[DocId]) -> Option<String> {
    let decisions = app.decisions_on(groups)?;
    let n_kept = members.iter().filter(|&&it| decisions.is_kept(it)).count();
    let [kept, others] = [n_kept, members.len() - n_kept].map(|n| grouped(n as u64));
    Some(format!("keeps {kept}, {others} would go"))
}

/// A row for each fingerprint, with its distance to the first.
fn tree(app: &App, shape: &GroupShape, selected: DocId, canvas: &Canvas) -> Vec<Line<'static>> {
    let (theme, width) = (canvas.theme, canvas.width());
    let Some(index) = &app.analysis.index else { return Vec::new() };
    let mut rows = Vec::new();
    for (number, node) in (0..).zip(&shape.nodes) {
        let row = TreeRow { node: number, copy: 0, hidden: 0, unfolded: false };
        let documents = index.documents(node.entry);
        let is_selected = documents.binary_search(&selected).is_ok();
        let document = if is_selected { selected } else { documents[0] };
        let distance = format!("d={} ", node.distance);
        let copies = match node.copies {
            1 => String::new(),
            2 => " +1 copy".to_owned(),
            n => format!(" +{} copies", grouped(u64::from(n) - 1)),
        };
        let used = 3 + distance.width() + copies.width();
        let guides = match number {
            0 => theme.glyphs().node.to_string(),
            _ => guides(&shape.nodes, row, width.saturating_sub(used + NAME), theme),
        };
        let room = width.saturating_sub(used + guides.width());
        let id = visible(app.analysis.corpus.id(document)).into_owned();
        let name = if id.width() > room { fit_id(&id, room) } else { id };
        let blanks = " ".repeat(room.saturating_sub(name.width()));
        let mark = if is_selected { theme.glyphs().cursor } else { ' ' };
        rows.push(Line::from(vec![
            Span::raw(mark.to_string()),
            Span::styled(guides, theme.muted()),
            Span::raw(format!(" {name}")),
            Span::styled(copies, theme.muted()),
            Span::raw(format!("{blanks} {distance}")),
        ]));
    }
    rows
}

/// A row for each member, with its distance to the selected one.
fn flat(app: &App, members: &[DocId], selected: DocId, canvas: &Canvas) -> Vec<Line<'static>> {
    let query = app.analysis.fingerprint(selected);
    // The members beyond the rows are only counted.
    let row = |(at, &member): (usize, &DocId)| {
        if at >= canvas.height() {
            return Line::default();
        }
        let other = app.analysis.fingerprint(member);
        let distance = query.zip(other).map_or(0, |(a, b)| a.distance(b));
        let mark = if member == selected { canvas.theme.glyphs().cursor } else { ' ' };
        let id = visible(app.analysis.corpus.id(member)).into_owned();
        let id = fit_id(&id, canvas.width().saturating_sub(8));
        Line::from(format!("{mark} {id} d={distance:<3}"))
    };
    members.iter().enumerate().map(row).collect()
}
