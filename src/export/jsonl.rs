//! One JSON object on each line, its fields in the order of the columns.

use std::io::{self, Write};

use super::format::{Cells, Column, RowWriter};
use crate::{facts::Cell, number::rounded};

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
