//! JSON lines, whose fields have the order of the columns; CSV and TSV, quoted where needed, always with a header.

use std::io::{self, Write};

use csv::{Writer, WriterBuilder};

use super::format::{Cells, Column, RowWriter};
use crate::{facts::Cell, number::rounded};

/// The number of collected rows after which they are passed on.
const PASS_ON: usize = 1 << 14;

/// Writes delimited rows, which are quoted in memory and passed on in large pieces.
#[derive(Debug)]
pub(super) struct DelimitedWriter {
    delimiter: u8,
    rows: Writer<Vec<u8>>,
    n_held: usize,
}

impl DelimitedWriter {
    /// A writer with this delimiter.
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, rows: writer(delimiter), n_held: 0 }
    }

    fn pass_on(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::replace(&mut self.rows, writer(self.delimiter));
        self.n_held = 0;
        out.write_all(&rows.into_inner().map_err(csv::IntoInnerError::into_error)?)
    }
}

fn writer(delimiter: u8) -> Writer<Vec<u8>> {
    WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new())
}

impl RowWriter for DelimitedWriter {
    fn begin(&mut self, columns: &[Column], _out: &mut dyn Write) -> io::Result<()> {
        Ok(self.rows.write_record(columns.iter().map(|(name, _)| &**name))?)
    }

    fn row(&mut self, cells: Cells<'_, '_>, out: &mut dyn Write) -> io::Result<()> {
        for cell in cells {
            match cell {
                Cell::Text(text) => self.rows.write_field(&*text)?,
                Cell::Words(words) => self.rows.write_field(words.join(" "))?,
                Cell::Count(number) => self.rows.write_field(number.to_string())?,
                Cell::Integer(number) => self.rows.write_field(number.to_string())?,
                Cell::Number(number) => self.rows.write_field(rounded(number))?,
                Cell::Fixed(number, places) => {
                    self.rows.write_field(format!("{number:.places$}"))?;
                }
                Cell::Flag(flag) => self.rows.write_field(flag.to_string())?,
                Cell::Missing => self.rows.write_field("")?,
            }
        }
        self.rows.write_record(None::<&[u8]>)?;
        self.n_held += 1;
        if self.n_held == PASS_ON { self.pass_on(out) } else { Ok(()) }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.pass_on(out)
    }
}

/// Writes rows as JSON lines.
#[derive(Debug, Default)]
pub(super) struct JsonlWriter {
    names: Vec<String>,
    /// The current row, which is passed on in one piece, because each piece costs as much as a row.
    row: Vec<u8>,
}

impl RowWriter for JsonlWriter {
    fn begin(&mut self, columns: &[Column], _out: &mut dyn Write) -> io::Result<()> {
        self.names =
            columns.iter().map(|(name, _)| serde_json::Value::from(&**name).to_string()).collect();
        Ok(())
    }

    fn row(&mut self, cells: Cells<'_, '_>, out: &mut dyn Write) -> io::Result<()> {
        let row = &mut self.row;
        row.clear();
        for (at, (name, cell)) in self.names.iter().zip(cells).enumerate() {
            let before = if at == 0 { "{" } else { "," };
            write!(row, "{before}{name}:")?;
            match cell {
                Cell::Text(text) => serde_json::to_writer(&mut *row, &text)?,
                Cell::Words(words) => serde_json::to_writer(&mut *row, &words)?,
                Cell::Count(number) => write!(row, "{number}")?,
                Cell::Integer(number) => write!(row, "{number}")?,
                Cell::Number(number) => row.extend_from_slice(rounded(number).as_bytes()),
                Cell::Fixed(number, places) => write!(row, "{number:.places$}")?,
                Cell::Flag(flag) => write!(row, "{flag}")?,
                Cell::Missing => row.extend_from_slice(b"null"),
            }
        }
        row.extend_from_slice(b"}\n");
        out.write_all(row)
    }

    fn end(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
