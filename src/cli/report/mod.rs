//! Rows on their way out: one interface, four formats, two targets.
//!
//! A command opens a [`Report`] with its columns, writes rows of [`Cell`]s and finishes it. Rows are
//! streamed, to a terminal with nothing in them that it would obey; nothing is written before the first row or the end, so a run that fails leaves nothing.

mod delimited;
mod harmless;
mod jsonl;
mod table;
mod target;
mod waiting;

use std::{
    io::{self, Write},
    str::FromStr,
};

pub(super) use target::{Output, Target};

use crate::choice::{UnknownChoice, choice};

choice! {
    /// How rows are written.
    pub(super) enum Format, "format" {
        /// Aligned columns for people.
        Table = "table",
        /// A JSON object a line.
        #[default]
        Jsonl = "jsonl",
        /// Comma-separated, with a header.
        Csv = "csv",
        /// Tab-separated, with a header.
        Tsv = "tsv",
    }
}

choice! {
    /// How a report for readers is written.
    pub(super) enum PageFormat, "report format" {
        /// One page that needs no network.
        #[default]
        Html = "html",
        /// Markdown as code hosts show it.
        Markdown = "md",
    }
}

/// What `--format` names: rows, or a report for readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Rows.
    Rows(Format),
    /// A report.
    Page(PageFormat),
}

impl Written {
    /// Every written name.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        let rows = Format::ALL.iter().map(|format| format.name());
        rows.chain(PageFormat::ALL.iter().map(|format| format.name()))
    }
}

impl FromStr for Written {
    type Err = UnknownChoice;

    fn from_str(name: &str) -> Result<Self, UnknownChoice> {
        name.parse().map(Self::Page).or_else(|_| name.parse().map(Self::Rows))
    }
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    /// Text, such as an id: whatever the corpus says.
    Text(&'a str),
    /// Several words, such as the damaged blocks of a table.
    Words(&'a [String]),
    /// A count or a distance.
    Number(u64),
    /// An expectation or a ratio; written with four digits that count.
    Decimal(f64),
    /// A ratio or a time, with as many decimals as are shown.
    Fixed(f64, usize),
    /// Yes or no.
    Flag(bool),
    /// No value: null in JSON, empty in CSV and TSV.
    Missing,
}

/// An output that rows are written to.
pub(super) struct Report {
    columns: &'static [&'static str],
    rows: Box<dyn Rows + Send>,
    output: Output,
    is_begun: bool,
}

/// What a format does with rows.
trait Rows {
    /// Writes what stands above the first row.
    fn begin(&mut self, columns: &'static [&'static str], out: &mut dyn Write) -> io::Result<()>;
    /// Writes a row of as many cells as there are columns.
    fn row(&mut self, cells: &[Cell<'_>], out: &mut dyn Write) -> io::Result<()>;
    /// Writes what is still held back.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

impl Report {
    /// A report with these columns. Opens nothing yet.
    pub(super) fn new(columns: &'static [&'static str], format: Format, target: &Target) -> Self {
        let rows: Box<dyn Rows + Send> = match format {
            Format::Table => Box::new(table::Table::default()),
            Format::Jsonl => Box::new(jsonl::Jsonl::default()),
            Format::Csv => Box::new(delimited::Delimited::new(b',')),
            Format::Tsv => Box::new(delimited::Delimited::new(b'\t')),
        };
        Self { columns, rows, output: Output::new(target, format), is_begun: false }
    }

    /// Writes a row, one cell a column.
    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.begin()?;
        self.rows.row(cells, &mut self.output)
    }

    /// Writes what is left, and puts a file in its place.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.begin()?;
        self.rows.end(&mut self.output)?;
        self.output.finish()
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            self.rows.begin(self.columns, &mut self.output)?;
        }
        Ok(())
    }
}
