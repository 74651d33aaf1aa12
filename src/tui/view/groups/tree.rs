//! A group as its spanning tree: one row for each edge, with its length.
//!
//! ```text
//! ● first =3                     0      three documents of one text
//! ├─●──1── second                1      an edge of one bit
//! │ └─◆┄┄3┄┄ third  bridge       4      the longest there is: k=2 cuts it
//! └─●──2── fourth  farthest      2
//! ```
//!
//! Only the shown rows are made, each at the cost of its shown levels.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::mark::mark;
use crate::{
    analysis::TwinKind,
    app::{
        App, ClickTarget,
        screen::{
            groups::GroupsPane,
            tree::{GroupTree, TreeRow},
        },
    },
    index::{Bridge, Node},
    number::grouped,
    text::visible,
    tui::{
        theme::Theme,
        view::{name, similar, twins},
        widget::canvas::{Canvas, clip, fit_id},
    },
};

/// Cells of the column with the distance to the representative.
const DISTANCE: usize = 5;
/// Cells of the column with the exact cosine to the representative.
const COSINE: usize = 7;
/// Cells from which a tree has that column.
const ROOMY: usize = 70;
/// Cells of the column that marks dropped documents.
const DECISION: usize = 9;
/// The most documents of one fingerprint whose decisions are counted for a row; if there are more, the row only shows
/// that some are dropped.
const COUNTED: usize = 1000;
/// The least cells of a name, however deep the tree; a third of a narrow screen.
const NAME: usize = 22;
/// Cells of a name beside the words about a member, at least.
const LEAST: usize = 14;
/// Cells that a title needs to be worth showing.
const TITLE: usize = 12;

pub(super) fn tree(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let Some(tree) = &app.groups.tree else {
        if app.groups.selected().is_some() && app.groups.asked_shapes.is_running() {
            canvas.row(0, Span::styled("  searching ..", theme.muted()));
        }
        return;
    };
    for (y, at) in tree.cursor.window(tree.len(), canvas.height()).enumerate() {
        let Some(row) = tree.row(at) else { break };
        let node = tree.shape.nodes[row.node as usize];
        let selected = at == tree.cursor.selected && tree.document() == app.query();
        let (mark, style) = mark(app, GroupsPane::Tree, theme);
        let mut line = Line::from(if selected { mark } else { ' ' }.to_string());
        let width = canvas.width();
        let cosine = if width < ROOMY { 0 } else { COSINE };
        line.extend(member(app, tree, row, width - cosine, theme));
        canvas.row(y, line);
        let distance = if row.copy == 0 { node.distance.to_string() } else { String::new() };
        let document = tree.document_of(row);
        let alike = match cosine {
            0 => String::new(),
            _ if document == tree.first() => " ".repeat(COSINE),
            _ => format!("{:>COSINE$}", similar::cosine(app, Some(tree.first()), document, theme)),
        };
        let decision = decision(app, tree, row);
        canvas.right(y, format!("{decision:<DECISION$}{distance:>DISTANCE$}{alike} "));
        let by = at as isize - tree.cursor.selected as isize;
        canvas.target(0, y, width, ClickTarget::Group(GroupsPane::Tree, by));
        if selected {
            canvas.style_row(y, style);
        }
    }
}

/// The decision on the documents of a row: `keep`, `drop`, or the number of dropped documents; `*` marks a decision by
/// hand.
fn decision(app: &App, tree: &GroupTree, row: TreeRow) -> String {
    let Some(decisions) = app.decisions() else { return String::new() };
    let document = tree.document_of(row);
    let entry = tree.shape.nodes[row.node as usize].entry;
    let one = [document];
    let documents = if row.unfolded { &one[..] } else { tree.index.documents(entry) };
    let looked_at = &documents[..documents.len().min(COUNTED)];
    let n_dropped = looked_at.iter().filter(|&&it| !decisions.is_kept(it)).count();
    let marked = app.review.rule.marks.documents.keys();
    let mut marked = marked.chain(app.review.rule.marks.not_duplicates.iter().flatten());
    let is_by_hand = marked.any(|it| documents.binary_search(it).is_ok());
    let word = match n_dropped {
        0 => "keep".to_owned(),
        n if n == looked_at.len() => "drop".to_owned(),
        _ if looked_at.len() < documents.len() => "drop ..".to_owned(),
        n => format!("drop {n}/{}", looked_at.len()),
    };
    if is_by_hand { word + "*" } else { word }
}

/// The text of a row: guides, the edge, the name and remarks.
fn member(
    app: &App,
    tree: &GroupTree,
    row: TreeRow,
    width: usize,
    theme: Theme,
) -> Vec<Span<'static>> {
    let (shape, glyphs) = (&tree.shape, theme.glyphs());
    let node = shape.nodes[row.node as usize];
    let most = width.saturating_sub(DECISION + DISTANCE + NAME.min(width / 3) + 10) / 2;
    let document = tree.document_of(row);
    let id = visible(app.analysis.corpus.id(document)).into_owned();
    let guides = guides(&shape.nodes, row, most, theme);
    let mut spans = vec![Span::styled(guides, theme.muted())];
    let [mut count, mut remark, mut more, mut words] = [const { String::new() }; 4];
    if row.copy > 0 {
        let first = tree.index.documents(node.entry)[0];
        let twin = app.analysis.twins(first, tree.document_of(row)).unwrap_or(TwinKind::Unknown);
        spans.push(Span::raw(format!("{} ", twins::mark(twin, theme))));
    } else {
        let is_bridge = matches!(shape.bridge, Bridge::At { entry, .. } if entry == node.entry);
        let far = [shape.farthest.a, shape.farthest.b].contains(&node.entry) && shape.is_chain();
        let dot = if is_bridge { glyphs.partner } else { glyphs.node };
        spans.push(Span::styled(
            dot.to_string(),
            if is_bridge { theme.warn() } else { theme.text() },
        ));
        if row.node > 0 {
            let weak = shape.weakest == Some(node.link);
            let edge = glyphs.edges[usize::from(weak)].to_string().repeat(2);
            let style = if weak { theme.warn() } else { theme.text() };
            spans.push(Span::styled(format!("{edge}{}{edge}", node.link), style));
        }
        spans.push(Span::raw(" "));
        if node.copies > 1 {
            if !row.unfolded {
                count = twins::count(app, node.entry, node.copies as usize, theme);
            }
            remark = twins::remark(app, node.entry);
        }
        if row.hidden > 0 {
            more = format!(" +{}", grouped(u64::from(row.hidden)));
        }
        words = [(is_bridge, "  bridge"), (far, "  farthest")]
            .map(|(is, word)| if is { word } else { "" })
            .concat();
    }
    let used = 2 + spans.iter().map(Span::width).sum::<usize>() + DECISION + DISTANCE + 1;
    let room = width.saturating_sub(used + count.width() + more.width());
    // Words about a member leave its name room.
    if id.width().min(NAME) + remark.width() > room {
        remark = String::new();
    }
    let room = room.saturating_sub(remark.width()).max(4);
    let mut tags = count + &remark + &more;
    let beside = room.saturating_sub(words.width());
    let room = if beside < id.width().min(LEAST) { room } else { beside };
    tags += if room == beside { &words } else { "" };
    let rest = room.saturating_sub(id.width() + 3);
    let name = if id.width() > room { fit_id(&id, room) } else { id };
    spans.push(Span::raw(name));
    spans.push(Span::raw(tags));
    if let Some(title) = name::title(app, document).filter(|_| rest >= TITLE) {
        spans.push(Span::styled(format!("  {}", clip(&title, rest)), theme.muted()));
    }
    spans
}

/// The guides before a node: for each level above it, whether more nodes follow there. If there are more
/// than `most` levels, only the deepest are drawn, after the number of levels.
fn guides(nodes: &[Node], row: TreeRow, most: usize, theme: Theme) -> String {
    let [branch, last, passed, none] = theme.glyphs().guides;
    let end = |at: u32| at + nodes[at as usize].below;
    let mut parts = Vec::new();
    let mut at = row.node;
    if row.copy > 0 {
        parts.push(if nodes[at as usize].below > row.hidden { passed } else { none });
    }
    while at > 0 && parts.len() < most.max(1) {
        let parent = nodes[at as usize].parent;
        let is_last = end(at) == end(parent);
        parts.push(match (row.copy == 0 && at == row.node, is_last) {
            (true, false) => branch,
            (true, true) => last,
            (false, false) => passed,
            (false, true) => none,
        });
        at = parent;
    }
    parts.reverse();
    let hidden = nodes[at as usize].depth;
    let before = if hidden > 0 { format!("~{hidden} ") } else { String::new() };
    before + &parts.concat()
}
