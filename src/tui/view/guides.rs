//! The lines before the rows of a tree, two cells for each level.

use unicode_width::UnicodeWidthStr as _;

use crate::{app::screen::tree::TreeRow, index::Node, tui::theme::Theme};

/// Cells of the number of a level that stands in place of lines.
const LEVEL: usize = 9;

/// The lines before a row: for each level above it, whether more nodes follow there. If they do not fit into `cells`,
/// only the deepest are drawn, after the number of the row's level.
pub(super) fn guides(nodes: &[Node], row: TreeRow, cells: usize, theme: Theme) -> String {
    let [branch, last, passed, none] = theme.glyphs().guides;
    let end = |at: u32| at + nodes[at as usize].below;
    let level = nodes[row.node as usize].depth as usize;
    let n_guides = level + usize::from(row.copy > 0);
    let is_cut = n_guides * branch.width() > cells;
    let most = if is_cut { cells.saturating_sub(LEVEL) / branch.width() } else { n_guides };
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
    let before = if is_cut { format!("level {level} ") } else { String::new() };
    before + &parts.concat()
}
