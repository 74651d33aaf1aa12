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

pub use groups::{GroupMember, GroupsInBrief, ListedGroup};
pub use misleading::{FlaggedDocuments, MisleadingDocuments};
pub use samples::{PairSample, PairSamples};

use super::{Analysis, Assessment, Tuning, dedup::Decisions};
use crate::{corpus::Corpus, explain::excerpt::opening, id::DocId};

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
    pub groups: GroupsInBrief,
    /// The documents that `dedup` would drop at this k, where the first is kept.
    pub dropped: Decisions,
    /// Pairs to look at; `None` where there are too many to keep.
    pub samples: Option<PairSamples>,
    /// Documents that mislead.
    pub misleading: MisleadingDocuments,
}

/// A document's name, safe to show and of bounded length.
fn name(corpus: &Corpus, document: DocId) -> String {
    opening(corpus.id(document), LONGEST_NAME)
}
