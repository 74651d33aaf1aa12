//! Work that `update` asks for. The terminal layer (`tui`) does it and answers with a message of the same number.

use super::{
    task::{AnalysisTask, Task},
    view_export::ViewExport,
};
use crate::{corpus::LabelEntry, id::DocId};

/// A request from `update` to the terminal layer.
#[derive(Debug)]
pub enum Effect {
    /// Read the file of labels; answered by [`super::Message::Labels`].
    ReadLabels,
    /// Append to the file of labels; answered by [`super::Message::LabelLost`] if that fails.
    KeepLabel(LabelEntry),
    /// Keep the names of finished lessons for the next session.
    Remember(Vec<String>),
    /// Run an analysis; snapshots and result come as [`super::Message::Analysed`].
    Analyse(Box<AnalysisTask>),
    /// Run a query; answered by [`super::Message::Answered`].
    Run(Task),
    /// Write the view to a file; answered by [`super::Message::ViewExported`].
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
