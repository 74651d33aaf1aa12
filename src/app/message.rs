//! The events that the program handles, and the work that it asks for: the terminal layer (`tui`) does it and answers
//! with a message of the same number.

use std::sync::Arc;

use super::{
    key::{Key, Mouse},
    resource::JobNumber,
    screen::ViewId,
    task::{AnalysisTask, QueryAnswer, Task},
    view_export::{ViewExport, ViewExportEnd},
};
use crate::{
    analysis::{Analysis, arrangement::ListOrder},
    corpus::{LabelEntry, Labels},
    id::DocId,
};

/// A part of the screen that a click acts on; the drawing knows where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// Act as if this key were pressed.
    Key(Key),
    /// Show this view.
    View(ViewId),
    /// Go back along the way by so many places.
    Place(usize),
    /// Order the documents by this; a second click reverses the order.
    Order(ListOrder),
    /// Show this bit of the selected document and its votes; in Step and Tables of Learn, move the cursor to it.
    Bit(u32),
    /// Make this distance k.
    Distance(u32),
    /// Move the selection by so many rows, and by so many cells of a map; where it is there already, as Enter.
    Select(isize, isize),
}

/// An event for `update`.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(Key),
    /// The mouse was used.
    Mouse(Mouse),
    /// Something on the screen that a click acts on was clicked.
    Click(ClickTarget),
    /// Text was pasted.
    Paste(String),
    /// The size of the terminal has changed.
    Resize {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A tick, to show progress again; sent only while a job runs.
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
        /// The problem, as a message for the user.
        problem: String,
    },
    /// A query was answered.
    Answered(QueryAnswer),
    /// A notice for the user.
    Notice(String),
    /// The time of the notice is over.
    NoticeOver,
    /// A view was written to a file, or was not.
    ViewExported(ViewExportEnd),
    /// The labels, with a message on unusable lines of their file; or the problem, as a message.
    Labels(Result<(Arc<Labels>, Option<String>), String>),
    /// A label could not be written to its file.
    LabelLost {
        /// The label, or the label that was taken back.
        entry: LabelEntry,
        /// The problem, as a message for the user.
        problem: String,
    },
}

/// A request from `update` to the terminal layer.
#[derive(Debug)]
pub enum Effect {
    /// Read the file of labels; answered by [`Message::Labels`].
    ReadLabels,
    /// Append to the file of labels; answered by [`Message::LabelLost`] if that fails.
    KeepLabel(LabelEntry),
    /// Keep the names of finished lessons for the next session.
    Remember(Vec<String>),
    /// Run an analysis; snapshots and result come as [`Message::Analysed`].
    Analyse(Box<AnalysisTask>),
    /// Run a query; answered by [`Message::Answered`].
    Run(Task),
    /// Write the view to a file; answered by [`Message::ViewExported`].
    ExportView(ViewExport),
    /// Open the user's editor at a document.
    Edit(DocId),
    /// Open the user's pager on a document's text.
    Page(DocId),
    /// Put this text on the clipboard.
    Copy(String),
    /// Turn mouse capture on or off.
    CaptureMouse(bool),
    /// Redraw everything.
    Redraw,
    /// Stop the process until it is continued.
    Suspend,
    /// Leave.
    Quit,
}
