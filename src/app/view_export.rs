//! Writing a view to a file: as text or a picture at once, as rows when all their cells are known.

use std::path::PathBuf;

use super::ViewId;
use crate::export::Format;

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
