//! Everything that can happen to the program.

use std::sync::Arc;

use super::{
    comparison::Comparison,
    inspection::Inspection,
    key::{Key, Mouse},
    question::{Answer, Kind},
};
use crate::{
    analysis::Analysis,
    corpus::{Entry, Labels},
};

/// The number of a background job; answers to any but the newest of its kind are dropped.
pub type JobNumber = u64;

/// What `update` is told.
#[derive(Clone, Debug)]
pub enum Message {
    /// A key was pressed.
    Key(Key),
    /// The mouse was used.
    Mouse(Mouse),
    /// Text was pasted.
    Paste(String),
    /// The terminal has this many cells now.
    Resize {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// Time to show progress again; sent only while a job runs.
    Tick,
    /// A snapshot of a running analysis, or, when `finished`, its result.
    Analysed {
        /// The job it answers.
        number: JobNumber,
        /// The snapshot.
        analysis: Arc<Analysis>,
        /// Whether this is the result.
        finished: bool,
    },
    /// An analysis ended without a result.
    AnalysisFailed {
        /// The job it answers.
        number: JobNumber,
        /// What to tell.
        problem: String,
    },
    /// A question was answered.
    Answered {
        /// The job it answers.
        number: JobNumber,
        /// The kind of question.
        kind: Kind,
        /// The answer, or what to tell.
        result: Result<Answer, String>,
    },
    /// A document was read and its votes counted.
    Inspected {
        /// The job it answers.
        number: JobNumber,
        /// The document, or what to tell.
        result: Result<Arc<Inspection>, String>,
    },
    /// Two documents were read and compared.
    Compared {
        /// The job it answers.
        number: JobNumber,
        /// The comparison, or what to tell.
        result: Result<Arc<Comparison>, String>,
    },
    /// The labels there are and what of their file cannot be used, or what to tell.
    Labels(Result<(Arc<Labels>, Option<String>), String>),
    /// This could not be kept.
    LabelLost {
        /// The label, or the word taken back.
        entry: Entry,
        /// What to tell.
        problem: String,
    },
}
