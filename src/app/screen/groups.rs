//! The Groups screen: groups of near-duplicates, largest first, and one of them as a tree.
//!
//! The groups at a k, and the shapes of the visible ones, are computed in the background and cached. The
//! row under the cursor is the selected document on every screen: a member, or the first document of a
//! group. The group of a document that was chosen stays selected when k or the linkage changes.

use std::{collections::HashMap, sync::Arc};

use crate::{
    analysis::grouping::GroupListing,
    app::{
        cursor::Cursor,
        query,
        resource::Resource,
        screen::{Screen, tree::GroupTree},
    },
    choice::choice,
    id::DocId,
    index::{GroupShape, Linkage},
};

choice! {
    /// The part of the screen that the keys move in.
    pub enum GroupsPane, "pane" {
        /// The groups.
        #[default]
        List = "list",
        /// The members of a group.
        Tree = "tree",
    }
}

/// The state of the Groups screen.
#[derive(Debug, Default)]
pub struct GroupsState {
    /// The linkage that the user asked for; the list may not have it yet.
    pub linkage: Linkage,
    /// The shown groups.
    pub listing: Option<GroupListing>,
    /// The part that the keys move in.
    pub pane: GroupsPane,
    /// Selection among the groups.
    pub cursor: Cursor,
    /// The chosen document: the one from which this screen was entered, or the one that a key has chosen since.
    pub document: Option<DocId>,
    /// The selected group's tree; for a new list, the tree before until another comes.
    pub tree: Option<GroupTree>,
    /// The shapes of the groups that are or were shown.
    pub shapes: HashMap<u32, Arc<GroupShape>>,
    /// The request for the groups of single linkage and all pairs; they become part of the analysis.
    pub single: Resource<query::GroupsQuery>,
    /// The request for the groups of complete linkage, or without pairs that are marked as no duplicates.
    pub linked: Resource<query::LinkedGroups>,
    /// The request for more shapes.
    pub asked_shapes: Resource<query::Shapes>,
    /// The request for the next chain.
    pub chain: Resource<query::Chain>,
    /// Whether this screen is open: the chosen document comes from the list of documents and returns to it.
    pub is_open: bool,
    /// The screen that was shown before this one.
    pub(in crate::app) entered_from: Screen,
    /// Whether a member's neighbours were entered from here, so that one step back leads here.
    pub is_awaited: bool,
}

/// The most shapes to keep. Beyond this number they are forgotten, and asked for when they are shown again.
const MOST_SHAPES: usize = 1 << 10;

impl GroupsState {
    /// Number of groups.
    pub fn len(&self) -> usize {
        self.listing.as_ref().map_or(0, |listing| listing.groups.len())
    }

    /// Whether no group is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The selected group.
    pub fn selected(&self) -> Option<u32> {
        (self.cursor.selected < self.len()).then_some(self.cursor.selected as u32)
    }

    /// Whether the chosen document is in the selected group.
    pub fn is_on_document(&self) -> bool {
        let group = |listing: &GroupListing| listing.groups.group_of(self.document?);
        self.listing.as_ref().and_then(group).is_some_and(|group| self.selected() == Some(group))
    }

    /// The document of the row under the cursor: the chosen one if it is in the selected group, else the group's first.
    pub fn under_cursor(&self) -> Option<DocId> {
        let group = self.selected()?;
        let first = |listing: &GroupListing| listing.groups.representative(group);
        self.document.filter(|_| self.is_on_document()).or_else(|| self.listing.as_ref().map(first))
    }

    /// Shows another list, and selects the group of the chosen document if it is in one.
    pub fn show(&mut self, listing: GroupListing, list: usize, tree: usize) {
        self.listing = Some(listing);
        self.shapes.clear();
        self.cursor.fit(self.len(), list);
        self.find(list);
        // A tree of the group selected now is kept until its shape at this k comes.
        let shows =
            |tree: &GroupTree| self.under_cursor().is_some_and(|document| tree.holds(document));
        if !self.tree.as_ref().is_some_and(shows) {
            self.tree = None;
        }
        self.grow(tree);
    }

    /// Selects the group of the chosen document, if it is in one.
    pub fn find(&mut self, list: usize) {
        let group = |listing: &GroupListing| listing.groups.group_of(self.document?);
        if let Some(group) = self.listing.as_ref().and_then(group) {
            self.cursor.select(group as usize, self.len(), list);
        }
    }

    /// Forgets the shapes if there are too many; they are asked for when they are shown again.
    pub(in crate::app) fn forget_many_shapes(&mut self) {
        if self.shapes.len() > MOST_SHAPES {
            self.shapes.clear();
        }
    }

    /// Takes shapes of groups in the shown list.
    pub fn learn(&mut self, shapes: Vec<(u32, Arc<GroupShape>)>, tree: usize) {
        self.shapes.extend(shapes);
        self.grow(tree);
    }

    /// The shape of the selected group, if it is known.
    pub fn shape(&self) -> Option<&Arc<GroupShape>> {
        self.shapes.get(&self.selected()?)
    }

    /// Makes the tree of the selected group if its shape is known, and selects the document under the cursor in it.
    pub fn grow(&mut self, height: usize) {
        let known = self.shape().zip(self.listing.as_ref());
        let Some((shape, listing)) = known.map(|(shape, listing)| (Arc::clone(shape), listing))
        else {
            return;
        };
        if self.tree.as_ref().is_some_and(|tree| Arc::ptr_eq(&tree.shape, &shape)) {
            return;
        }
        let mut tree = GroupTree::new(shape, Arc::clone(&listing.index));
        tree.unfold_one_fingerprint(height);
        if let Some(document) = self.under_cursor() {
            tree.select(document, height);
        }
        self.tree = Some(tree);
    }

    /// Moves among the groups, and chooses the first document of the group it reaches.
    pub fn step(&mut self, rows: isize, list: usize, tree: usize) {
        self.cursor.step(rows, self.len(), list);
        let representative =
            |group| self.listing.as_ref().map(|listing| listing.groups.representative(group));
        if let Some(document) = self.selected().and_then(representative) {
            self.document = Some(document);
        }
        self.tree = None;
        self.grow(tree);
    }

    /// Moves among the members, and chooses the member it reaches.
    pub fn step_member(&mut self, rows: isize, height: usize) {
        if let Some(tree) = &mut self.tree {
            tree.cursor.step(rows, tree.len(), height);
            self.document = tree.document();
        }
    }
}
