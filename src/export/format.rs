//! The formats of rows and of reports by their written names, and what each format of rows does.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::choice::choice;
use crate::facts::{Cell, Kind};

choice! {
    /// The format of rows.
    pub enum Format, "format" {
        /// Aligned columns for people.
        Table = "table",
        /// One JSON object on each line.
        #[default]
        Jsonl = "jsonl",
        /// Comma-separated, with a header.
        Csv = "csv",
        /// Tab-separated, with a header.
        Tsv = "tsv",
        /// Parquet, for programs that read column by column.
        Parquet = "parquet",
        /// A stream of Arrow batches.
        Arrow = "arrow",
    }
}

impl Format {
    /// Whether the format is for programs alone, so that a terminal does not show it.
    pub(crate) fn is_columnar(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// Whether this build can write it.
    pub(crate) fn is_built(self) -> bool {
        cfg!(feature = "columnar") || !self.is_columnar()
    }

    /// The format that the name of a file shows, compressed or not; `None` if it does not show one.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "arrows" => Some(Self::Arrow),
            // A table is for people, so no file is one by its name.
            name => name.parse().ok().filter(|format| *format != Self::Table),
        }
    }
}

/// The value of `--format`: rows, or a page for readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Rows.
    Rows(Format),
    /// One page that needs no network.
    Html,
}

/// The key of the recipe in the metadata of Parquet and Arrow.
pub(super) const RECIPE: &str = "simscope.recipe";

/// A column: its name and the kind of its values.
pub(super) type Column = (Cow<'static, str>, Kind);

/// A format of rows.
pub(super) trait RowWriter {
    /// Writes a row with one cell for each column.
    fn row(&mut self, cells: Cells<'_, '_>, out: &mut dyn Write) -> io::Result<()>;
    /// Leaves the recipe out of the metadata, where there is any that is not written yet.
    fn forget_recipe(&mut self) {}
    /// Writes everything that is still held back.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// The cells of a row, made one after another.
pub(super) type Cells<'i, 'a> = &'i mut dyn Iterator<Item = Cell<'a>>;
