//! The Groups screen: list, facts, tree and text.

use super::{Edge, Pane, PaneFocus, body, whole};
use crate::app::{
    layout::{Size, SizeClass, boxes},
    screen::groups::GroupsPane,
};

/// The parts of the Groups screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupsLayout {
    /// The list, with its header.
    pub list: Pane,
    /// The sentences about the selected group; in a box its tree is below them.
    pub facts: Pane,
    /// The tree.
    pub tree: Pane,
    /// The text of the document under the cursor.
    pub text: Pane,
}

impl GroupsLayout {
    /// Rows of the list without its header.
    pub fn rows(&self) -> usize {
        self.list.rows().saturating_sub(1)
    }

    /// Rows of the facts: in a box, those above the tree.
    pub fn facts_rows(&self) -> usize {
        match self.facts.edge {
            Edge::Box => self.tree.y.saturating_sub(self.facts.inside().y),
            _ => self.facts.rows(),
        }
    }

    /// Whether the tree has room for a header above its rows.
    pub fn has_header(&self) -> bool {
        self.tree.rows() >= HEADER_FROM
    }

    /// Rows of the tree without its header if it is shown; else the most rows it may have.
    pub fn tree_rows(&self) -> usize {
        match self.tree.rows() {
            0 => self.list.rows(),
            rows => rows - usize::from(self.has_header()),
        }
    }
}

/// The most rows that the facts have beyond their share, if the tree leaves them.
const MORE_FACTS: usize = 6;
/// Rows of the box of facts and tree beside these: its frame, the rule between them, the header and the sentence below.
const BESIDE_TREE: usize = 5;
/// Rows of a body from which on the text is below the tree however large it is.
const LARGE: usize = 45;
/// The least rows of the box of the text below the tree.
const LEAST_TEXT: usize = 10;
/// Rows of a tree from which one of them is its header.
const HEADER_FROM: usize = 7;

/// The Groups screen: list and tree side by side, one above the other, or `pane` alone if there is no room for both. A
/// tree of fewer rows than it has room for leaves some to the facts.
pub fn groups(
    size: Size,
    pane: GroupsPane,
    tree_rows: usize,
    alone: Option<PaneFocus>,
) -> GroupsLayout {
    let [width, body] = body(size);
    let (shape, none) = (size.shape(), GroupsLayout::default());
    let n_facts = match shape {
        SizeClass::TooSmall => return none,
        SizeClass::Small => 1,
        SizeClass::Medium => 2,
        SizeClass::Standard => (4 + (body - 20) / 3).min(7),
        SizeClass::Wide => 0,
    };
    // In a box the sentences have the rows that some 420 characters take.
    let n_facts_in = |facts: Pane| (420 / facts.inside().width.max(1)).clamp(5, 9).min(body / 3);
    // Facts and tree, in a box or one above the other.
    let tree = |facts: Pane| {
        let inside = facts.inside();
        let n_facts = match shape {
            SizeClass::Wide => n_facts_in(facts),
            _ => n_facts,
        };
        // The header of a long tree, and where there is much room the sentence below it.
        let n_others = match shape {
            SizeClass::Wide => 2,
            _ => usize::from(tree_rows >= HEADER_FROM),
        };
        let others = usize::from(facts.edge == Edge::Box) + n_others + tree_rows;
        let spare = inside.height.saturating_sub(n_facts + others);
        let n_facts = n_facts + spare.min(MORE_FACTS);
        let (edge, y) = match facts.edge {
            Edge::Box => (Edge::Rule, inside.y + n_facts),
            _ => (Edge::None, facts.y + 1 + n_facts),
        };
        let height = (inside.y + inside.height).saturating_sub(y);
        let tree = Pane::new(edge, [inside.x, y], [inside.width, height]);
        let height = if facts.edge == Edge::Box { facts.height } else { 1 + n_facts };
        GroupsLayout { facts: Pane { height, ..facts }, tree, ..none }
    };
    let list = |height| Pane::new(Edge::None, [0, 0], [width, height]);
    match (shape, alone) {
        (_, Some(PaneFocus::Text)) => GroupsLayout { text: whole(size, Edge::Rule), ..none },
        (_, Some(PaneFocus::Detail)) => tree(whole(size, Edge::Rule)),
        (_, Some(PaneFocus::List)) => GroupsLayout { list: whole(size, Edge::None), ..none },
        (SizeClass::Wide, None) => {
            let left = boxes(size).groups;
            let right = |y, height| Pane::new(Edge::Box, [left, y], [width - left, height]);
            // Tree and text share the wider column: the text has the rows that the tree leaves, at least its share.
            let facts = n_facts_in(right(0, body)) + MORE_FACTS.min(body / 8);
            let most = body.saturating_sub((body / 3).max(LEAST_TEXT));
            let wanted = facts + BESIDE_TREE + tree_rows;
            if wanted > most && body < LARGE {
                // A large tree needs the whole column.
                let upper = body.saturating_sub(body / 3 + 2);
                return GroupsLayout {
                    list: Pane::new(Edge::Box, [0, 0], [left, upper]),
                    text: Pane::new(Edge::Box, [0, upper], [left, body - upper]),
                    ..tree(right(0, body))
                };
            }
            let upper = wanted.min(most);
            GroupsLayout {
                list: Pane::new(Edge::Box, [0, 0], [left, body]),
                text: right(upper, body - upper),
                ..tree(right(0, upper))
            }
        }
        (SizeClass::Standard, None) => {
            // The pane with the keys has a row more: then its sentences leave one to the header of the tree.
            let above = body * 2 / 5 - usize::from(pane == GroupsPane::Tree);
            let below = Pane::new(Edge::Rule, [0, above], [width, body.saturating_sub(above)]);
            GroupsLayout { list: list(above), ..tree(below) }
        }
        (_, None) if pane == GroupsPane::Tree => tree(whole(size, Edge::Rule)),
        (SizeClass::Small, None) => GroupsLayout { list: list(body), ..none },
        (_, None) => {
            let above = body.saturating_sub(n_facts + 1);
            let facts = Pane::new(Edge::Rule, [0, above], [width, n_facts + 1]);
            GroupsLayout { list: list(above), facts, ..none }
        }
    }
}
