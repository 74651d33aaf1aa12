//! The data of a report about a corpus.
//!
//! ```text
//! read       documents, fingerprints, what was skipped       the corpus and its summary
//! tuning     the distances of all pairs, a row for each k    counted, or sampled with intervals
//! judged     the judgements of people, if there are any      precision and recall with intervals
//! groups     totals, chains, the largest with their members  the ends of every group are compared for chains
//! samples    some pairs at each distance, texts compared     drawn with a fixed seed
//! misleading numbers and examples of misleading documents    two passes over the corpus
//! ```
//!
//! Everything is bounded for every corpus: lists hold their first elements and the number of all. Nothing here
//! reads a clock, so the same input gives the same report. Costs three passes over the corpus, and for the groups
//! as much as `groups --summary`.

mod groups;
mod misleading;
mod samples;

use std::sync::Arc;

pub use groups::{GroupMember, GroupsInBrief, ListedGroup, MemberDecision};
pub use misleading::{FlaggedDocument, FlaggedDocuments, MisleadingDocuments};
pub use samples::{PairSample, PairSamples};

use super::{Analysis, Assessment, Tuning, dedup::Decisions};
use crate::{corpus::Corpus, explain::excerpt::opening, id::DocId, index::Groups};

/// The most characters of an id that are shown.
const LONGEST_NAME: usize = 100;

/// The content of a report.
#[derive(Clone, Debug)]
pub struct CorpusReport {
    /// The corpus, its settings and what was skipped.
    pub analysis: Arc<Analysis>,
    /// A row for each k.
    pub tuning: Tuning,
    /// The number of pairs drawn to estimate the distances; `None` if all pairs were counted.
    pub draws: Option<u32>,
    /// The precision by judged pairs; `None` without judgements.
    pub judged: Option<Assessment>,
    /// The groups at the settings' k.
    pub groups: Arc<Groups>,
    /// The groups in numbers, with a list of the largest.
    pub brief: GroupsInBrief,
    /// The documents that `dedup` would drop at this k, if the first document of a group is preferred.
    pub dropped: Decisions,
    /// Sample pairs; `None` if there are too many pairs to keep.
    pub samples: Option<PairSamples>,
    /// Documents that mislead.
    pub misleading: MisleadingDocuments,
}

impl CorpusReport {
    /// The number of the listed group that holds all of these documents, if there is one.
    pub fn listed_group(&self, documents: &[DocId]) -> Option<u32> {
        let mut groups = documents.iter().map(|&document| self.groups.group_of(document));
        let first = groups.next()??;
        let is_one = groups.all(|group| group == Some(first));
        (is_one && (first as usize) < self.brief.listed.len()).then_some(first)
    }
}

/// A document's id, sanitised and of bounded length.
fn name(corpus: &Corpus, document: DocId) -> String {
    opening(corpus.id(document), LONGEST_NAME)
}
