//! The content of a report about a corpus, as data: for a page that somebody else will read.
//!
//! ```text
//! read       documents, fingerprints, what was skipped       the corpus and its summary
//! tuning     how far apart all pairs are, what each k does   counted, or sampled with intervals
//! judged     what people said of pairs, if they did          precision and recall with intervals
//! groups     totals, chains, the largest with their members  every group's ends are compared for chains
//! samples    some pairs at each distance, texts compared     drawn with a fixed seed
//! misleading documents whose distances mislead, in numbers   two passes over the corpus
//! ```
//!
//! Everything is bounded whatever the corpus: lists name their first elements and say how many there are.
//! Nothing here reads a clock, so the same input gives the same report. Costs three passes over the corpus,
//! and for the groups what `groups --summary` costs.

mod groups;
mod misleading;
mod samples;

use std::sync::Arc;

pub use groups::{Fate, GroupMember, GroupsInBrief, ListedGroup};
pub use misleading::{FlaggedDocument, FlaggedDocuments, MisleadingDocuments};
pub use samples::{PairSample, PairSamples};

use super::{Analysis, Assessment, Tuning, dedup::Decisions};
use crate::{corpus::Corpus, explain::excerpt::opening, id::DocId, index::Groups};

/// Characters of a document's name that are shown.
const LONGEST_NAME: usize = 100;

/// The content of a report.
#[derive(Clone, Debug)]
pub struct CorpusReport {
    /// The corpus, its settings and what was skipped.
    pub analysis: Arc<Analysis>,
    /// A row for each k.
    pub tuning: Tuning,
    /// The number of pairs drawn to estimate the distances; `None` where all were counted.
    pub draws: Option<u32>,
    /// The precision by judged pairs; `None` where nobody judged.
    pub judged: Option<Assessment>,
    /// The groups at the settings' k.
    pub groups: Arc<Groups>,
    /// The groups in numbers, the largest listed.
    pub brief: GroupsInBrief,
    /// The documents that `dedup` would drop at this k, where the first is kept.
    pub dropped: Decisions,
    /// Pairs to look at; `None` where there are too many to keep.
    pub samples: Option<PairSamples>,
    /// Documents that mislead.
    pub misleading: MisleadingDocuments,
}

impl CorpusReport {
    /// The listed group that holds all of these documents, by its number, if one does.
    pub fn listed_group(&self, documents: &[DocId]) -> Option<u32> {
        let mut groups = documents.iter().map(|&document| self.groups.group_of(document));
        let first = groups.next()??;
        let is_one = groups.all(|group| group == Some(first));
        (is_one && (first as usize) < self.brief.listed.len()).then_some(first)
    }
}

/// A document's name, safe to show and of bounded length.
fn name(corpus: &Corpus, document: DocId) -> String {
    opening(corpus.id(document), LONGEST_NAME)
}
