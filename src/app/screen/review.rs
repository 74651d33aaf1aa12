//! The state of the review of groups: the rule that decides which documents are dropped, and its outcome.

use std::{path::PathBuf, sync::Arc};

use crate::{
    analysis::dedup::{AbsentMark, DropRule, ReviewSettings},
    app::{query, resource::Resource},
    export::Sources,
};

/// An action of the review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewAction {
    /// Keep the document under the cursor if it would go, else drop it.
    Toggle,
    /// Mark the pair under the cursor as no duplicates, or take that back.
    NotDuplicates,
    /// The next policy.
    Policy,
    /// Type a policy.
    TypePolicy,
    /// Name the folder that the outcome is written to.
    Write,
}

/// The state of the review.
#[derive(Debug, Default)]
pub struct Review {
    /// The rule that decides.
    pub rule: DropRule,
    /// Whether pairs that are marked as no duplicates make groups all the same (`--all-pairs`).
    pub all_pairs: bool,
    /// The documents that go.
    pub(in crate::app) decisions: Resource<query::Decisions>,
    /// Marks of an earlier review that were not read yet.
    pub restore: Option<query::Marks>,
    /// The request for them.
    pub(in crate::app) restored: Resource<query::Marks>,
    /// The outcome on its way into files.
    pub(in crate::app) export: Resource<query::Export>,
    /// Where the corpus came from.
    pub(in crate::app) sources: Arc<Sources>,
    /// The rule that was written last, or restored.
    pub(in crate::app) written: DropRule,
    /// The file that the review is kept in between sessions; `None` for a corpus without a path.
    pub place: Option<PathBuf>,
    /// The rule that is kept there.
    pub(in crate::app) kept: DropRule,
    /// The other choices that are kept there.
    pub(in crate::app) choices: ReviewSettings,
    /// Whether the choices that are kept there are of no interest (`--fresh`).
    pub is_fresh: bool,
    /// The lines there whose documents are not here now.
    pub(in crate::app) absent: Arc<Vec<AbsentMark>>,
    /// The review on its way there.
    pub(in crate::app) keeping: Resource<query::KeepReview>,
}
