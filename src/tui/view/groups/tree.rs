//! A group as its spanning tree: one row for each fingerprint, with the distance to the document above it.
//!
//! ```text
//!   document                  edge   d  decision
//! ● first =3                          0  keep        three documents of one text
//! ├─ second                      1   1  drop        an edge of one bit
//! │ └─◆ third  bridge           ┄3   4  keep        the longest there is: k=2 cuts it
//! └─ fourth  farthest            2   2  drop
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
    index::Bridge,
    number::grouped,
    text::visible,
    tui::{
        theme::Theme,
        view::{guides::guides, name, similar, twins},
        widget::{
            canvas::{Canvas, clip, fit_id},
            table::{Align, Column, ColumnTable, more_below},
        },
    },
};

/// Cells of the column that marks dropped documents.
const DECISION: usize = 11;
/// Cells that a name and its guides have at least beside the exact cosine.
const NAMES: [usize; 3] = [0, 41, 60];
/// The most documents of one fingerprint whose decisions are counted for a row; if there are more, the row only shows
/// that some are dropped.
const COUNTED: usize = 1000;
/// The least cells of a name, however deep the tree; half of a narrow column.
const NAME: usize = 22;
/// Cells of a name beside the words about a member, at least.
const LEAST: usize = 14;
/// Cells that a title needs to be worth showing.
const TITLE: usize = 12;
/// The columns in a sentence, for the row below a tree that leaves one.
const COLUMNS: &str = " edge: distance to the document above; d: distance to the first";

pub(super) fn tree(app: &App, canvas: &mut Canvas, has_header: bool) {
    let theme = canvas.theme;
    let Some(tree) = &app.groups.tree else {
        if app.groups.selected().is_some() && app.groups.asked_shapes.is_running() {
            canvas.row(0, Span::styled("  searching ..", theme.muted()));
        }
        return;
    };
    let above = usize::from(has_header);
    let (width, height) = (canvas.width(), canvas.height().saturating_sub(above));
    let more = more_below(canvas, tree.cursor, tree.len(), height);
    let title = more.map_or("  document".to_owned(), |more| format!("  document   {more}"));
    let table = columns(app, tree, title, width, theme);
    if has_header {
        table.draw_header(canvas);
    }
    let mark = mark(app, GroupsPane::Tree, theme);
    for (y, at) in tree.cursor.window(tree.len(), height).enumerate() {
        let Some(row) = tree.row(at) else { break };
        let selected = at == tree.cursor.selected && tree.document() == app.query();
        table.draw_row(canvas, above + y, Some(mark).filter(|_| selected), &row);
        let by = at as isize - tree.cursor.selected as isize;
        canvas.target(0, above + y, width, ClickTarget::Group(GroupsPane::Tree, by));
    }
    if has_header && tree.len() > 1 && tree.len() + 2 <= height && COLUMNS.width() <= width {
        canvas.row(above + height - 1, Span::styled(COLUMNS, theme.muted()));
    }
}

/// The columns of the tree; the exact cosine to the first document goes where there is no room for it.
fn columns<'a>(
    app: &'a App,
    tree: &'a GroupTree,
    title: String,
    width: usize,
    theme: Theme,
) -> ColumnTable<'a, TreeRow> {
    let node = |row: &TreeRow| tree.shape.nodes[row.node as usize];
    let document = Column::new(title, Align::Rest, 0, move |row: &TreeRow, cells| {
        member(app, tree, *row, cells, theme)
    });
    let edge = Column::new("edge", Align::Right(6), 0, move |row: &TreeRow, _| {
        if row.node == 0 || row.copy > 0 {
            return Line::default();
        }
        let link = node(row).link;
        let is_weak = tree.shape.weakest == Some(link);
        let dash = if is_weak { theme.glyphs().edges[1].to_string() } else { String::new() };
        Line::styled(format!("{dash}{link}"), if is_weak { theme.warn() } else { theme.text() })
    });
    let distance = Column::new("d", Align::Right(4), 0, move |row: &TreeRow, _| match row.copy {
        0 => node(row).distance.to_string(),
        _ => String::new(),
    });
    let cosine = Column::new("cosine", Align::Right(8), 1, move |row: &TreeRow, _| {
        let document = tree.document_of(*row);
        if document == tree.first() {
            return String::new();
        }
        similar::cosine(app, Some(tree.first()), document, theme)
    });
    let share = Column::new("share", Align::Right(7), 2, move |row: &TreeRow, _| {
        let document = tree.document_of(*row);
        if document == tree.first() {
            return String::new();
        }
        similar::share(app, Some(tree.first()), document, theme)
    });
    let mut columns = vec![document, edge, distance, cosine, share];
    if app.decisions().is_some() {
        let cells = Align::Left(DECISION);
        columns.push(Column::new(" decision", cells, 0, move |row: &TreeRow, _| {
            let word = decision(app, tree, *row);
            let style = if word.starts_with("keep") { theme.good() } else { theme.text() };
            Line::styled(format!(" {word}"), style)
        }));
    }
    ColumnTable::fitting(columns, width, &NAMES)
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
    let word = if is_by_hand { word + "*" } else { word };
    if word.len() + 2 > DECISION { "drop ..".to_owned() } else { word }
}

/// The text of a row in exactly `cells` cells: guides, the name and remarks.
fn member(app: &App, tree: &GroupTree, row: TreeRow, cells: usize, theme: Theme) -> Line<'static> {
    let (shape, glyphs) = (&tree.shape, theme.glyphs());
    let node = shape.nodes[row.node as usize];
    let document = tree.document_of(row);
    let id = visible(app.analysis.corpus.id(document)).into_owned();
    let guides = guides(&shape.nodes, row, cells.saturating_sub(NAME.min(cells / 2)), theme);
    let mut spans = vec![Span::styled(guides, theme.muted())];
    let [mut count, mut remark, mut more, mut words] = [const { String::new() }; 4];
    if row.copy > 0 {
        let first = tree.index.documents(node.entry)[0];
        let twin = app.analysis.twins(first, document).unwrap_or(TwinKind::Unknown);
        spans.push(Span::raw(twins::mark(twin, theme).to_string()));
    } else {
        let is_bridge = matches!(shape.bridge, Bridge::At { entry, .. } if entry == node.entry);
        let far = [shape.farthest.a, shape.farthest.b].contains(&node.entry) && shape.is_chain();
        match (is_bridge, row.node) {
            (true, _) => spans.push(Span::styled(glyphs.partner.to_string(), theme.warn())),
            (false, 0) => spans.push(Span::raw(glyphs.node.to_string())),
            (false, _) => {}
        }
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
    spans.push(Span::raw(" "));
    let used = spans.iter().map(Span::width).sum::<usize>();
    let room = cells.saturating_sub(used + count.width() + more.width());
    // Words about a member leave its name room: all that it needs, or some where it is cut without them, too.
    let needed = |room: usize, least: usize| if id.width() > room { least } else { id.width() };
    if needed(room, NAME) + remark.width() > room {
        remark = String::new();
    }
    let room = room.saturating_sub(remark.width()).max(4);
    let mut tags = count + &remark + &more;
    let beside = room.saturating_sub(words.width());
    let room = if beside < needed(room, LEAST) { room } else { beside };
    tags += if room == beside { &words } else { "" };
    let rest = room.saturating_sub(id.width() + 3);
    let title = name::title(app, document);
    let name = match &title {
        Some(title) if rest < TITLE && name::are_uuids(app) => clip(title, room),
        _ if id.width() > room => fit_id(&id, room),
        _ => id,
    };
    spans.push(Span::raw(name));
    spans.push(Span::raw(tags));
    if let Some(title) = title.filter(|_| rest >= TITLE) {
        spans.push(Span::styled(format!("  {}", clip(&title, rest)), theme.muted()));
    }
    let line = Line::from(spans);
    let blanks = " ".repeat(cells.saturating_sub(line.width()));
    line + Span::raw(blanks)
}
