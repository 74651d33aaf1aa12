//! Rows and files that the program writes: one interface, six formats, two targets; and the outcome of a
//! review.
//!
//! A command opens a `Report` with the facts of its rows, writes rows and finishes it. Rows are streamed; rows for a
//! terminal have no characters that it would execute. Nothing is written before the first row or the end,
//! so a run that fails earlier leaves no file.

#[cfg(feature = "columnar")]
mod columnar;
mod command;
pub(crate) mod dedup;
mod format;
mod pending_file;
mod target;
mod text_rows;

use std::io;

pub(crate) use command::{CommandLine, quoted};
pub use dedup::{Export, KeepReview, Sources};
pub use format::Format;
pub(crate) use format::OutputFormat;
use format::{Column, RECIPE, RowWriter};
pub(crate) use pending_file::KeptFolder;
pub(crate) use target::{Output, Target, is_within, misplaced, path_of, real, visible_path};

use crate::corpus::FingerprintType;
use crate::facts::{Fact, Rows};

/// The key of the lines that say how the rows were made.
const MANIFEST: &str = "simscope.manifest";

/// Writes rows of any type; the target appears when they are complete.
pub(crate) fn write_rows(rows: Rows, format: Format, target: &Target) -> io::Result<()> {
    let mut writer = writer(format, &rows.columns, FingerprintType::Hex, "", "");
    let mut output = Output::new(target, format);
    for row in rows.rows {
        writer.row(&mut row.into_iter(), &mut output)?;
    }
    writer.end(&mut output)?;
    output.finish()
}

/// The writer of a format for rows with these columns.
fn writer(
    format: Format,
    columns: &[Column],
    written: FingerprintType,
    recipe: &str,
    manifest: &str,
) -> Box<dyn RowWriter + Send> {
    let metadata = [(RECIPE, recipe), (MANIFEST, manifest)];
    match format {
        Format::Table => Box::new(text_rows::PageTable::new(columns)),
        Format::Jsonl => Box::new(text_rows::JsonlWriter::new(columns)),
        Format::Csv => Box::new(text_rows::DelimitedWriter::new(b',', columns)),
        Format::Tsv => Box::new(text_rows::DelimitedWriter::new(b'\t', columns)),
        #[cfg(feature = "columnar")]
        Format::Parquet | Format::Arrow => {
            Box::new(columnar::ColumnarWriter::new(format, columns, written, &metadata))
        }
        #[cfg(not(feature = "columnar"))]
        Format::Parquet | Format::Arrow => {
            unreachable!("{format}, {written}, {metadata:?}: refused with the options")
        }
    }
}

/// An output for rows of type `R`.
pub(crate) struct Report<R> {
    facts: Vec<Fact<R>>,
    /// How fingerprints are written.
    written: FingerprintType,
    rows: Box<dyn RowWriter + Send>,
    output: Output,
}

impl<R> Report<R> {
    /// A report with these columns and fingerprints written as `written`. Opens nothing yet. The metadata of Parquet
    /// and Arrow holds the recipe and the manifest unless they are empty.
    pub(crate) fn new(
        mut facts: Vec<Fact<R>>,
        format: Format,
        written: FingerprintType,
        target: &Target,
        recipe: &str,
        manifest: &str,
    ) -> Self {
        facts.retain(|fact| !fact.key.is_empty());
        let columns: Vec<Column> =
            facts.iter().map(|fact| (fact.key.into(), fact.kind())).collect();
        let rows = writer(format, &columns, written, recipe, manifest);
        Self { facts, written, rows, output: Output::new(target, format) }
    }

    /// Writes a row.
    pub(crate) fn row(&mut self, row: &R) -> io::Result<()> {
        let mut cells = self.facts.iter().map(|fact| fact.cell(row, self.written));
        self.rows.row(&mut cells, &mut self.output)
    }

    /// Leaves the recipe out of the metadata, because some rows have an unknown recipe.
    pub(crate) fn forget_recipe(&mut self) {
        self.rows.forget_recipe();
    }

    /// Writes the rest, and puts a file in its place.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.rows.end(&mut self.output)?;
        self.output.finish()
    }
}
