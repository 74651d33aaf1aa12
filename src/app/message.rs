//! The events that the program handles, and the work that it asks for: the terminal layer (`tui`) does it and answers
//! with a message of the same number.

use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;
use std::sync::Arc;

use super::key::Mouse;
use super::{App, JobNumber, Key, ViewId};
use crate::analysis::arrangement::ListOrder;
use crate::analysis::{Analysis, AnalysisDepth, AnalysisInput, Job, Settings, run_to};
use crate::corpus::{LabelEntry, Labels};
use crate::export::Format;
use crate::id::DocId;

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

/// The format of a view that is written to a file, by the ending of the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewFormat {
    /// The screen as text.
    Text,
    /// The screen as a picture in colour.
    Svg,
    /// All rows of the view's list.
    Rows(Format),
}

impl ViewFormat {
    /// The format of a file of this name.
    ///
    /// # Errors
    /// If the ending is not known.
    pub(super) fn of_name(name: &str) -> Result<Self, String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        Ok(match &*ending.to_ascii_lowercase() {
            "txt" => Self::Text,
            "svg" => Self::Svg,
            _ => Self::Rows(Format::of_name(name).filter(|it| it.is_built()).ok_or(
                "end the name with .txt (the screen), .svg (a picture), .tsv, .csv or .jsonl (all rows of the list)",
            )?),
        })
    }

    /// Whether the rows of a list are written instead of the screen.
    pub fn has_rows(self) -> bool {
        matches!(self, Self::Rows(_))
    }
}

/// A view to be written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewExport {
    /// The file as the user named it.
    pub file: PathBuf,
    /// Its format.
    pub format: ViewFormat,
    /// Whether an existing file may be replaced, because the user was asked.
    pub may_replace: bool,
    pub(super) view: ViewId,
}

/// The outcome of writing a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewExportEnd {
    /// The view was written; the message for the user.
    Written(String),
    /// The view was not written; another name, or the permission to replace a file, can help.
    Refused {
        /// The name that was typed.
        file: String,
        /// The reason, as a message for the user.
        problem: String,
        /// Whether Enter replaces the existing file.
        may_replace: bool,
    },
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

/// The task of a new analysis.
#[derive(Debug)]
pub struct AnalysisTask {
    /// The job's number.
    pub number: JobNumber,
    /// The inputs or the earlier analysis to start from.
    pub work: AnalysisInput,
    /// The settings of the job.
    pub settings: Settings,
    /// The job, through which progress is read and a stop is requested.
    pub job: Arc<Job>,
}

impl AnalysisTask {
    /// Makes the analysis; sends its snapshots and its end as messages.
    pub fn run(self, send: &mut (dyn FnMut(Message) + Send)) {
        let Self { number, work, settings, job } = self;
        let mut publish =
            |analysis, finished| send(Message::Analysed { number, analysis, finished });
        let depth = AnalysisDepth::PairsByDistance;
        match run_to(depth, work, settings, &job, &mut |snapshot| publish(snapshot, false)) {
            Ok(analysis) => publish(analysis, true),
            Err(error) => send(Message::AnalysisFailed { number, problem: error.to_string() }),
        }
    }
}

/// A query and the data that a worker thread needs to run it.
pub struct Task {
    /// Its number.
    pub number: JobNumber,
    /// The name of its query; only the newest of several tasks of one name is needed.
    pub name: &'static str,
    /// Runs the query.
    pub work: Box<dyn FnOnce() -> QueryAnswer + Send>,
    /// Makes the answer of the failed query with this number, to use if the query panicked.
    pub fail: fn(JobNumber, String) -> QueryAnswer,
}

/// The answer to a query, or the reason why there is none: a function that gives it to the resource that asked.
pub struct QueryAnswer(pub(super) Box<dyn FnOnce(&mut App) + Send>);

impl Debug for Task {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "Task({}, {})", self.number, self.name)
    }
}

impl Debug for QueryAnswer {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str("Answer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_names_the_format() {
        let format = |name| ViewFormat::of_name(name).ok();
        assert_eq!(format("a/near.tsv"), Some(ViewFormat::Rows(Format::Tsv)));
        assert_eq!(format("NEAR.SVG"), Some(ViewFormat::Svg));
        assert_eq!([format("near"), format("near.json"), format("tsv")], [None, None, None]);
    }
}
