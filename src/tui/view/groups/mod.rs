//! The Groups screen: groups of near-duplicates, and one of them as a tree.

mod facts;
mod list;
mod mark;
mod tree;

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use self::{
    facts::{facts, titles},
    list::list,
    tree::tree,
};
use super::docs::text::preview;
use crate::{
    app::{
        App,
        geometry::{Edge, Pane},
        layout::SizeClass,
        screen::groups::GroupsPane,
    },
    number::grouped,
    text::visible,
    tui::widget::{
        canvas::{Canvas, shorten},
        table::more_below,
    },
};

/// Rows of sentences of which one is given to the header of the tree.
const MANY_FACTS: usize = 5;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let panes = app.groups_layout();
    if app.groups.is_empty() {
        let size = (canvas.width(), canvas.height());
        let whole = Pane { width: size.0, height: size.1, ..panes.list };
        return list(app, &mut canvas.active_pane(whole, "groups", ""));
    }
    let (title, remark) = titles(app);
    let in_tree = app.groups.pane == GroupsPane::Tree;
    let range = shown(app, panes.rows());
    let framed = if in_tree { Canvas::pane } else { Canvas::active_pane };
    list(app, &mut framed(canvas, panes.list, "groups", &range));
    preview(app, &mut canvas.pane(panes.text, &document(app), ""));
    if panes.facts.height == 0 {
        return;
    }
    let is_small = app.size.shape() == SizeClass::Small;
    // The remark is about the tree.
    let has_tree = panes.tree.height > 0 && panes.tree.edge == Edge::None && !is_small;
    let beside = if has_tree { remark.width() + 6 } else { 4 };
    let room = panes.facts.width.saturating_sub(beside).max(panes.facts.width / 3);
    let more = more_below(canvas, app.groups.cursor, app.groups.len(), panes.rows());
    let more = more.filter(|_| panes.list.height > 0 && panes.list.edge == Edge::None && !is_small);
    // The facts of the group come first.
    let more = more.map(|more| format!("{more}  {title}")).filter(|it| it.width() <= room);
    let title = more.unwrap_or_else(|| shorten(&title, room));
    let beside = panes.facts.width.saturating_sub(title.width() + 8);
    let remark = if has_tree { shorten(&remark, beside) } else { remark };
    let mut inside = if is_small {
        let title = Span::styled(format!(" {title}"), canvas.theme.muted());
        canvas.outer(panes.facts).row(0, title);
        canvas.outer(panes.facts.inside())
    } else {
        let framed = if in_tree { Canvas::active_pane } else { Canvas::pane };
        framed(canvas, panes.facts, &title, if has_tree { &remark } else { "" })
    };
    let (width, rows) = (inside.width(), panes.facts_rows());
    let Pane { y, height, .. } = panes.tree;
    // The names of the tree's columns have precedence over the last of many sentences.
    let is_low = app.size.shape() < SizeClass::Standard || rows < MANY_FACTS;
    let lacks_header = height > 0 && !panes.has_header() && !is_low;
    let most = rows - usize::from(lacks_header);
    let spare = rows.saturating_sub(facts(app, &mut inside.part(0, 0, width, most)));
    // The tree follows the sentences.
    let spare = if height > 0 { spare } else { 0 };
    let pane = Pane { y: y - spare, height: height + spare, ..panes.tree };
    let has_header = panes.has_header() || spare > 0;
    tree(app, &mut canvas.pane(pane, "", &remark), has_header);
}

/// The range of shown groups, and the number of all.
fn shown(app: &App, height: usize) -> String {
    let range = app.groups.cursor.window(app.groups.len(), height);
    let first = range.start + usize::from(!range.is_empty());
    let [first, last, all] = [first, range.end, app.groups.len()].map(|n| grouped(n as u64));
    format!("{first}-{last} of {all}")
}

/// The name of the focused document.
fn document(app: &App) -> String {
    app.query().map_or_else(String::new, |one| visible(app.analysis.corpus.id(one)).into_owned())
}
