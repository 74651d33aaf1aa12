//! Work that leaves `update`: done by the rim, answered by a message with the same number.

use std::sync::Arc;

use super::{message::JobNumber, question::Question};
use crate::{
    analysis::{Analysis, Job, Settings, Work},
    corpus::Entry,
    id::DocId,
};

/// What `update` asks for.
#[derive(Debug)]
pub enum Effect {
    /// Read the labels there are; answered by [`super::Message::Labels`].
    ReadLabels,
    /// Add to the file of labels; [`super::Message::LabelLost`] if it does not take it.
    KeepLabel(Entry),
    /// Keep these names of lessons that are done, for the next time.
    Remember(Vec<String>),
    /// Run an analysis; snapshots and result come as [`super::Message::Analysed`].
    Analyse {
        /// The job's number.
        number: JobNumber,
        /// What to start from.
        work: Work,
        /// Under which settings.
        settings: Settings,
        /// Where progress shows and a stop is asked for.
        job: Arc<Job>,
    },
    /// Read a document and count its votes; answered by [`super::Message::Inspected`].
    Inspect {
        /// The job's number.
        number: JobNumber,
        /// Where the document is.
        analysis: Arc<Analysis>,
        /// The document.
        document: DocId,
    },
    /// Read and compare two documents; answered by [`super::Message::Compared`].
    Compare {
        /// The job's number.
        number: JobNumber,
        /// Where the documents are.
        analysis: Arc<Analysis>,
        /// The query.
        left: DocId,
        /// Its neighbour.
        right: DocId,
    },
    /// Answer a question; answered by [`super::Message::Answered`].
    Ask {
        /// The job's number.
        number: JobNumber,
        /// What it is about.
        analysis: Arc<Analysis>,
        /// The question.
        question: Question,
    },
    /// Put this text on the clipboard.
    Copy(String),
    /// Turn mouse capture on or off.
    CaptureMouse(bool),
    /// Draw everything anew.
    Redraw,
    /// Stop the process until it is continued.
    Suspend,
    /// Leave.
    Quit,
}
