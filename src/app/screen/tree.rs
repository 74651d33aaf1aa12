//! A group's tree as rows: one row for each fingerprint; copies and branches can be folded and unfolded.
//!
//! A new tree has one row for each node, so no rows are counted; each key that folds or unfolds counts the rows once.

use std::{collections::BTreeSet, sync::Arc};

use crate::{analysis::FingerprintIndex, app::cursor::Cursor, id::DocId, index::GroupShape};

/// A group's tree, and the cursor in it.
#[derive(Clone, Debug)]
pub struct GroupTree {
    /// The group's shape.
    pub shape: Arc<GroupShape>,
    /// The fingerprints of the group.
    pub index: Arc<FingerprintIndex>,
    /// Selection among the rows.
    pub cursor: Cursor,
    /// Folded nodes: the nodes below them are hidden.
    folded: BTreeSet<u32>,
    /// Nodes with a row for each copy.
    unfolded: BTreeSet<u32>,
    /// If anything is folded or unfolded: the visible nodes, each with its first row.
    shown: Option<Vec<(u32, usize)>>,
    n_rows: usize,
}

/// A row of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// The node.
    pub node: u32,
    /// The index of the document among the copies: 0 is the first, which represents the node.
    pub copy: u32,
    /// The number of hidden nodes below the row.
    pub hidden: u32,
    /// Whether its copies have rows of their own.
    pub unfolded: bool,
}

impl GroupTree {
    /// The whole tree with folded copies; the root is selected.
    pub fn new(shape: Arc<GroupShape>, index: Arc<FingerprintIndex>) -> Self {
        Self {
            n_rows: shape.nodes.len(),
            shape,
            index,
            cursor: Cursor::default(),
            folded: BTreeSet::new(),
            unfolded: BTreeSet::new(),
            shown: None,
        }
    }

    /// Number of rows; a tree has at least one.
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// The content of a row.
    pub fn row(&self, row: usize) -> Option<TreeRow> {
        let (node, first) = match &self.shown {
            _ if row >= self.n_rows => return None,
            None => (row as u32, row),
            Some(shown) => shown[shown.partition_point(|&(_, first)| first <= row) - 1],
        };
        let hidden =
            if self.folded.contains(&node) { self.shape.nodes[node as usize].below } else { 0 };
        let unfolded = self.unfolded.contains(&node);
        Some(TreeRow { node, copy: (row - first) as u32, hidden, unfolded })
    }

    /// The document of a row.
    pub fn document_of(&self, row: TreeRow) -> DocId {
        let entry = self.shape.nodes[row.node as usize].entry;
        self.index.documents(entry)[row.copy as usize]
    }

    /// The first document of the group: distances are to it.
    pub fn first(&self) -> DocId {
        self.index.documents(self.shape.nodes[0].entry)[0]
    }

    /// The document of the selected row.
    pub fn document(&self) -> Option<DocId> {
        self.row(self.cursor.selected).map(|row| self.document_of(row))
    }

    /// Whether a document belongs to the group.
    pub fn holds(&self, document: DocId) -> bool {
        self.node_of(document).is_some()
    }

    /// Selects the row of a document, or the row of its fingerprint if copies are folded.
    pub fn select(&mut self, document: DocId, height: usize) {
        let Some(node) = self.node_of(document) else { return };
        let first = self.row_of(node);
        let entry = self.shape.nodes[node as usize].entry;
        let copies = self.index.documents(entry);
        let copy = copies.binary_search(&document).unwrap_or(0);
        let row = first + if self.unfolded.contains(&node) { copy } else { 0 };
        self.cursor.select(row, self.len(), height);
    }

    /// Unfolds the selected row: the nodes below it, then its copies. Returns whether there was something to unfold.
    pub fn unfold(&mut self, height: usize) -> bool {
        let Some(row) = self.row(self.cursor.selected) else { return false };
        let copies = self.shape.nodes[row.node as usize].copies;
        let more = self.folded.remove(&row.node) || copies > 1 && self.unfolded.insert(row.node);
        self.arrange(row.node, height);
        more
    }

    /// Unfolds the copies of a group of one fingerprint, which has no other row.
    pub fn unfold_one_fingerprint(&mut self, height: usize) {
        if self.shape.nodes.len() == 1 {
            self.unfold(height);
        }
    }

    /// Folds the selected row: its copies, then the nodes below it; if there is nothing to fold, selects its parent.
    /// Returns whether something changed.
    pub fn fold(&mut self, height: usize) -> bool {
        let Some(row) = self.row(self.cursor.selected) else { return false };
        let node = self.shape.nodes[row.node as usize];
        if self.unfolded.remove(&row.node) || node.below > 0 && self.folded.insert(row.node) {
            self.arrange(row.node, height);
            return true;
        }
        let parent = self.row_of(node.parent);
        self.cursor.select(parent, self.len(), height);
        row.node != 0
    }

    /// Counts the rows again, with the cursor on a node. O(nodes).
    fn arrange(&mut self, selected: u32, height: usize) {
        let nodes = &self.shape.nodes;
        let (mut shown, mut row, mut node) = (Vec::new(), 0, 0);
        while node < nodes.len() as u32 {
            shown.push((node, row));
            let Some(here) = nodes.get(node as usize) else { break };
            row += if self.unfolded.contains(&node) { here.copies as usize } else { 1 };
            node += 1 + if self.folded.contains(&node) { here.below } else { 0 };
        }
        self.n_rows = row;
        self.shown = Some(shown);
        let row = self.row_of(selected);
        self.cursor.select(row, self.len(), height);
    }

    /// The first row of a node, or of the node into which it is folded.
    fn row_of(&self, node: u32) -> usize {
        match &self.shown {
            None => node as usize,
            Some(shown) => shown[shown.partition_point(|&(at, _)| at <= node) - 1].1,
        }
    }

    fn node_of(&self, document: DocId) -> Option<u32> {
        let entry = self.index.entry_of(document)?;
        let at = self.shape.nodes.iter().position(|node| node.entry == entry)?;
        Some(at as u32)
    }
}
