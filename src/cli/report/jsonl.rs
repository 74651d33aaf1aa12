//! A JSON object a line, its fields in the order of the columns.

use std::io::{self, Write};

use super::{Cell, Rows};
use crate::number::rounded;

/// Writes rows as JSON lines.
#[derive(Debug, Default)]
pub(super) struct Jsonl {
    columns: &'static [&'static str],
}

impl Rows for Jsonl {
    fn begin(&mut self, columns: &'static [&'static str], _out: &mut dyn Write) -> io::Result<()> {
        self.columns = columns;
        Ok(())
    }

    fn row(&mut self, cells: &[Cell<'_>], out: &mut dyn Write) -> io::Result<()> {
        for (at, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            let before = if at == 0 { "{" } else { "," };
            write!(out, "{before}\"{column}\":")?;
            match *cell {
                Cell::Text(text) => serde_json::to_writer(&mut *out, text)?,
                Cell::Words(words) => serde_json::to_writer(&mut *out, words)?,
                Cell::Number(number) => write!(out, "{number}")?,
                Cell::Decimal(number) => out.write_all(rounded(number).as_bytes())?,
                Cell::Fixed(number, places) => write!(out, "{number:.places$}")?,
                Cell::Flag(flag) => write!(out, "{flag}")?,
                Cell::Missing => out.write_all(b"null")?,
            }
        }
        out.write_all(b"}\n")
    }

    fn end(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
