//! The groups of near-duplicates as rows: a row for each group, largest first, and below an opened one a row for each of
//! its texts.
//!
//! The groups at a k, and the decisions on them, are computed in the background. What a row shows of a group is made
//! from these when the row is first shown.
//!
//! The review decides on them: its rule, and its outcome.

use crate::analysis::dedup::{AbsentMark, DropRule, ReviewSettings};
use crate::analysis::grouping::GroupListing;
use crate::app::screen::docs::Listed;
use crate::app::{Cursor, JobNumber, Resource, query};
use crate::export::Sources;
use crate::id::DocId;
use crate::index::Linkage;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// The parts of the corpus whose texts that go are counted.
pub const PARTS: usize = 512;

/// The decision on a text of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is not decided yet.
    Unknown,
    /// It is kept.
    Kept,
    /// It is near a kept one, and kept because that has too little of its text.
    Spared,
    /// It goes for the other one.
    Goes,
}

impl Fate {
    /// The decision in a word, if it is known.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Unknown => None,
            Self::Kept => Some("keep"),
            Self::Spared => Some("spared"),
            Self::Goes => Some("goes"),
        }
    }
}

/// A text of an opened group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The document.
    pub document: DocId,
    /// The decision on it.
    pub fate: Fate,
    /// The document that it goes for or is near; for others the first kept one of the group.
    pub other: DocId,
    /// The bits in which it differs from the other one.
    pub distance: u32,
    /// The share of its text that the other one has, if it is known.
    pub shared: Option<f64>,
}

/// The content of the row of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSummary {
    /// The number of texts at each distance to the kept one.
    pub at: Vec<u64>,
    /// The number of texts that go; `None` before it is decided.
    pub goes: Option<u64>,
    /// The first kept text; before it is decided the first one.
    pub first: DocId,
    /// Whether a text is near a kept one and stays.
    pub has_spared: bool,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroupRow<'a> {
    /// A group, by its number.
    Group(u32),
    /// A text of an opened group.
    Member(u32, &'a Member),
}

/// The choices of the user on Docs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct Chosen {
    /// The rows that are listed, and the selected text of all.
    pub(in crate::app) listed: (Listed, Option<DocId>),
    /// The selected text of a group, or the first one of a group whose own row is selected: then true. `None` at the top.
    pub(in crate::app) row: Option<(DocId, bool)>,
    /// The first texts of the opened groups.
    pub(in crate::app) opened: Vec<DocId>,
}

/// The state of the groups.
#[derive(Debug, Default)]
pub struct GroupsState {
    /// The linkage that the user asked for; the list may not have it yet.
    pub linkage: Linkage,
    /// The shown groups.
    pub listing: Option<GroupListing>,
    /// Selection among the rows.
    pub cursor: Cursor,
    /// The opened groups with their texts.
    pub opened: BTreeMap<u32, Vec<Member>>,
    /// The content of the rows of groups that are or were shown.
    pub summaries: HashMap<u32, GroupSummary>,
    /// The number of texts that go in each of [`PARTS`] equal parts of the corpus; empty before it is decided.
    pub along: Vec<u32>,
    /// The groups and the decisions from which the texts and summaries were made.
    pub(in crate::app) made_of: Option<(usize, Option<JobNumber>)>,
    /// The choices, and those of them that the present groups have: the others come back with another k.
    pub(in crate::app) chosen: Option<[Chosen; 2]>,
    /// Whether a key has asked for the decisions on a large corpus.
    pub is_asked: bool,
    /// The request for the groups of single linkage and all pairs; they become part of the analysis.
    pub single: Resource<query::GroupsQuery>,
    /// The request for the groups of complete linkage, or without pairs that are marked as no duplicates.
    pub linked: Resource<query::LinkedGroups>,
}

impl GroupsState {
    /// Number of groups.
    pub fn len(&self) -> usize {
        self.listing.as_ref().map_or(0, |listing| listing.groups.len())
    }

    /// Whether no group is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of rows: the groups, and the texts of opened groups.
    pub fn n_rows(&self) -> usize {
        self.len() + self.opened.values().map(Vec::len).sum::<usize>()
    }

    /// The content of a row. Costs a step for each opened group.
    pub fn row(&self, row: usize) -> Option<GroupRow<'_>> {
        let mut left = row;
        for (&group, members) in &self.opened {
            let head = group as usize;
            if left <= head {
                break;
            }
            if left <= head + members.len() {
                return Some(GroupRow::Member(group, &members[left - head - 1]));
            }
            left -= members.len();
        }
        (left < self.len()).then_some(GroupRow::Group(left as u32))
    }

    /// The row of a group. Costs a step for each opened group before it.
    pub fn row_of(&self, group: u32) -> usize {
        group as usize + self.opened.range(..group).map(|(_, it)| it.len()).sum::<usize>()
    }

    /// The selected row.
    pub fn selected(&self) -> Option<GroupRow<'_>> {
        self.row(self.cursor.selected)
    }

    /// The selected group, or the group of the selected text.
    pub fn group(&self) -> Option<u32> {
        self.selected().map(|row| match row {
            GroupRow::Group(group) | GroupRow::Member(group, _) => group,
        })
    }

    /// The selected text of an opened group.
    pub fn selected_member(&self) -> Option<&Member> {
        let GroupRow::Member(_, it) = self.selected()? else { return None };
        Some(it)
    }

    /// The document of a row: of a group its first kept one.
    pub fn document(&self, row: GroupRow<'_>) -> Option<DocId> {
        match row {
            GroupRow::Member(_, it) => Some(it.document),
            GroupRow::Group(group) => match self.summaries.get(&group) {
                Some(known) => Some(known.first),
                None => Some(self.listing.as_ref()?.groups.representative(group)),
            },
        }
    }

    /// Selects the row of a document: its own in an opened group, else that of its group. False if it is in no group.
    pub fn select(&mut self, document: DocId) -> bool {
        let group = |listing: &GroupListing| listing.groups.group_of(document);
        let Some(group) = self.listing.as_ref().and_then(group) else { return false };
        let place = |members: &Vec<Member>| members.iter().position(|it| it.document == document);
        let below = self.opened.get(&group).and_then(place).map_or(0, |at| at + 1);
        self.cursor.selected = self.row_of(group) + below;
        true
    }
}

/// The state of the review.
#[derive(Debug, Default)]
pub struct Review {
    /// The rule that decides.
    pub rule: DropRule,
    /// Whether pairs that are marked as no duplicates still make groups (`--all-pairs`).
    pub all_pairs: bool,
    /// The documents that are dropped.
    pub(in crate::app) decisions: Resource<query::DecisionsQuery>,
    /// Marks of an earlier review that were not read yet.
    pub restore: Option<query::MarksQuery>,
    /// The request for these marks.
    pub(in crate::app) restored: Resource<query::MarksQuery>,
    /// The request that writes the outcome into files.
    pub(in crate::app) export: Resource<query::Export>,
    /// The inputs of the corpus.
    pub(in crate::app) sources: Arc<Sources>,
    /// The rule that was written last, or restored.
    pub(in crate::app) written: DropRule,
    /// The file that the review is kept in between sessions; `None` for a corpus without a path.
    pub place: Option<PathBuf>,
    /// The rule in that file.
    pub(in crate::app) kept: DropRule,
    /// The other choices in that file.
    pub(in crate::app) choices: ReviewSettings,
    /// Whether the choices in that file are ignored (`--fresh`).
    pub is_fresh: bool,
    /// The lines of that file whose documents the corpus does not have.
    pub(in crate::app) absent: Arc<Vec<AbsentMark>>,
    /// The request that writes that file.
    pub(in crate::app) keeping: Resource<query::KeepReview>,
}
