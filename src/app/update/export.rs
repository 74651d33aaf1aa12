//! Writing a view to a file. A typed name begins it; the view is written as soon as everything in it is known.
//!
//! A list knows the titles, fields and similarities of the shown rows only. Before its rows are written, those of all
//! rows are asked for, as if all rows were shown.

use std::ops::Range;

use super::super::message::{ViewExport, ViewFormat};
use crate::app::{App, Cursor, Effect};
use crate::corpus::Input;

/// Begins to write the present view to a file.
///
/// # Errors
/// If the name has no known ending, or rows cannot be written yet.
pub(super) fn begin(app: &mut App, name: &str, may_replace: bool) -> Result<(), String> {
    let format = ViewFormat::of_name(name)?;
    if format.has_rows() && app.running.is_some() {
        return Err(
            "rows can be written after the running work; .txt and .svg can be written now".into()
        );
    }
    app.exporting = Some(ViewExport { file: name.into(), format, may_replace, view: app.view() });
    Ok(())
}

/// Asks for the view to be written as soon as everything in it is known.
pub(super) fn go_on(app: &mut App) {
    let Some(export) = &app.exporting else { return };
    if export.view != app.view() || (export.format.has_rows() && app.running.is_some()) {
        app.exporting = None;
        return app.say("nothing was written: the view changed before its rows were there");
    }
    let is_waiting = [
        app.titles.asked.is_running(),
        app.similar.asked.is_running(),
        app.docs.fields.asked.is_running(),
    ];
    if export.format.has_rows() && is_waiting.contains(&true) {
        app.say("reading the texts for the rows; ^C stops");
    } else if let Some(export) = app.exporting.take() {
        app.effects.push(Effect::ExportView(export));
    }
}

impl App {
    /// The inputs that the corpus is read from.
    pub fn inputs(&self) -> &[Input] {
        &self.review.sources.inputs
    }

    /// The rows of a list whose cells must be known: the shown rows, or all rows while they are written to a file.
    pub(in crate::app) fn rows_to_know(
        &self,
        cursor: Cursor,
        len: usize,
        height: usize,
    ) -> Range<usize> {
        if self.exporting.as_ref().is_some_and(|export| export.format.has_rows()) {
            return 0..len;
        }
        cursor.window(len, height)
    }
}
