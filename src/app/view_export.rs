//! A view on its way to a file: as text or a picture at once, as rows once all of their cells are known.
//!
//! A list knows titles, fields and similarities of the rows that show. Before its rows are written, those of all
//! its rows are asked for, as if all of them showed.

use std::{ops::Range, path::PathBuf};

use super::{App, Effect, cursor::Cursor, screen::ViewId};
use crate::{choice::choice, corpus::Input};

choice! {
    /// The format of a view that is written to a file, by the ending of the file's name.
    pub enum ViewFormat, "ending" {
        /// The screen as text.
        #[default]
        Text = "txt",
        /// All rows of the view's list, tabs between the columns.
        Tsv = "tsv",
        /// All rows of the view's list, as an array of objects.
        Json = "json",
        /// The screen as a picture in colour.
        Svg = "svg",
    }
}

impl ViewFormat {
    /// The format of a file of this name.
    ///
    /// # Errors
    /// If its ending names none.
    fn of_name(name: &str) -> Result<Self, String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        ending.to_ascii_lowercase().parse().map_err(|_| {
            "end the name with .txt (the screen), .svg (a picture), .tsv or .json (all rows of the list)"
                .to_owned()
        })
    }

    /// Whether the rows of a list are written, not the screen.
    pub fn has_rows(self) -> bool {
        matches!(self, Self::Tsv | Self::Json)
    }
}

/// A view to be written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewExport {
    /// The file as the user named it.
    pub file: PathBuf,
    /// Its format.
    pub format: ViewFormat,
    /// Whether a file that is there may be replaced: the user was asked.
    pub may_replace: bool,
    view: ViewId,
}

/// The outcome of writing a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewExportEnd {
    /// It is written: told in these words.
    Written(String),
    /// It is not, for this reason; with another name, or if the file that is there may be replaced, it can be.
    Refused {
        /// The name that was typed.
        file: String,
        /// The reason, as a message for the user.
        problem: String,
        /// Whether Enter alone replaces the file that is there.
        may_replace: bool,
    },
}

/// Begins to write the present view to a file.
///
/// # Errors
/// If the name says no format, or rows cannot be written yet.
pub(super) fn begin(app: &mut App, name: &str, may_replace: bool) -> Result<(), String> {
    if name.starts_with('~') {
        return Err("~ stands for no folder here; write the whole path".to_owned());
    }
    let format = ViewFormat::of_name(name)?;
    if format.has_rows() && app.running.is_some() {
        return Err(
            "rows can be written when the work that runs is done; .txt and .svg can now".into()
        );
    }
    app.exporting = Some(ViewExport { file: name.into(), format, may_replace, view: app.view() });
    Ok(())
}

/// Has the view written as soon as everything in it is known.
pub(super) fn go_on(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(export) = &app.exporting else { return };
    if export.view != app.view() || (export.format.has_rows() && app.running.is_some()) {
        app.exporting = None;
        app.notice =
            Some("nothing was written: the view changed before its rows were there".into());
        return;
    }
    let is_waiting = [
        app.titles.asked.is_running(),
        app.similar.asked.is_running(),
        app.docs.fields.asked.is_running(),
        app.groups.asked_shapes.is_running(),
    ];
    if export.format.has_rows() && is_waiting.contains(&true) {
        app.notice = Some("reading what the rows show; ^C stops".to_owned());
    } else if let Some(export) = app.exporting.take() {
        effects.push(Effect::ExportView(export));
    }
}

impl App {
    /// The inputs that the corpus is read from.
    pub fn inputs(&self) -> &[Input] {
        &self.review.sources.inputs
    }

    /// The rows of a list whose cells must be known: those that show, or all while they are written to a file.
    pub(super) fn rows_to_know(&self, cursor: Cursor, len: usize, height: usize) -> Range<usize> {
        if self.exporting.as_ref().is_some_and(|export| export.format.has_rows()) {
            return 0..len;
        }
        cursor.window(len, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_names_the_format() {
        let format = |name| ViewFormat::of_name(name).ok();
        assert_eq!(format("a/near.tsv"), Some(ViewFormat::Tsv));
        assert_eq!(format("NEAR.SVG"), Some(ViewFormat::Svg));
        assert_eq!([format("near"), format("near.csv"), format("tsv")], [None, None, None]);
    }
}
