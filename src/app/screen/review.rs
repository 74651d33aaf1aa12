//! The state of the review of groups: the rule that decides which documents are dropped, and its outcome.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::dedup::{AbsentMark, DropRule, ReviewSettings};
use crate::app::{Resource, query};
use crate::export::Sources;

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
    /// The id of the document that was selected in the last session, until it is selected again.
    pub document: Option<String>,
    /// Whether the choices in that file are ignored (`--fresh`).
    pub is_fresh: bool,
    /// Whether the marked documents are printed at the end (`--print-marked`).
    pub prints_documents: bool,
    /// The lines of that file whose documents the corpus does not have.
    pub(in crate::app) absent: Arc<Vec<AbsentMark>>,
    /// The request that writes that file.
    pub(in crate::app) keeping: Resource<query::KeepReview>,
}
