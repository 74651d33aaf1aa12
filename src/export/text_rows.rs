//! Rows as text: JSON lines, CSV and TSV for programs, aligned columns for people.
//!
//! Fields of JSON have the order of the columns. CSV and TSV are quoted where needed and always have a header. Aligned text
//! stands to the left, numbers to the right, and hostile ids are made visible. Widths come from the first rows, which are
//! held back until there are enough. Later rows that need more space push the following columns to the right.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{Writer, WriterBuilder};
use unicode_width::UnicodeWidthStr;

use super::format::{Cells, Column, RowWriter};
use crate::facts::Cell;
use crate::number::rounded;
use crate::text::visible::visible;

/// The number of collected rows after which they are passed on.
const PASS_ON: usize = 1 << 14;

/// A cell as text for programs, empty if it is missing.
fn written(cell: Cell<'_>) -> Cow<'_, str> {
    match cell {
        Cell::Text(text) => text,
        Cell::Words(words) => words.join(" ").into(),
        Cell::Count(number) => number.to_string().into(),
        Cell::Integer(number) => number.to_string().into(),
        Cell::Number(number) => rounded(number).into(),
        Cell::Fixed(number, places) => format!("{number:.places$}").into(),
        Cell::Flag(flag) => flag.to_string().into(),
        Cell::Missing => "".into(),
    }
}

/// Writes delimited rows, which are quoted in memory and passed on in large pieces.
#[derive(Debug)]
pub(super) struct DelimitedWriter {
    delimiter: u8,
    rows: Writer<Vec<u8>>,
    n_held: usize,
}

impl DelimitedWriter {
    /// A writer with this delimiter, which begins with the names of the columns.
    pub(super) fn new(delimiter: u8, columns: &[Column]) -> Self {
        let mut rows = writer(delimiter);
        let names = columns.iter().map(|(name, _)| &**name);
        rows.write_record(names).expect("memory takes a row");
        Self { delimiter, rows, n_held: 0 }
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
    fn row(&mut self, cells: Cells<'_, '_>, out: &mut dyn Write) -> io::Result<()> {
        for cell in cells {
            self.rows.write_field(&*written(cell))?;
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
#[derive(Debug)]
pub(super) struct JsonlWriter {
    names: Vec<String>,
    /// The current row, which is passed on in one piece, because each piece costs as much as a row.
    row: Vec<u8>,
}

impl JsonlWriter {
    pub(super) fn new(columns: &[Column]) -> Self {
        let quoted = |(name, _): &Column| serde_json::Value::from(&**name).to_string();
        Self { names: columns.iter().map(quoted).collect(), row: Vec::new() }
    }
}

impl RowWriter for JsonlWriter {
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

/// The largest width of a column in cells, so that one huge id does not widen every row.
const WIDEST: usize = 60;
/// The number of rows that decide the widths.
const MEASURED: usize = 200;
const GAP: &str = "  ";

/// Writes aligned rows.
#[derive(Debug)]
pub(super) struct PageTable {
    held: Vec<Vec<PrintedCell>>,
    widths: Option<Vec<usize>>,
}

/// A cell as it is printed.
#[derive(Debug)]
struct PrintedCell {
    text: String,
    is_number: bool,
}

impl PrintedCell {
    fn new(cell: Cell<'_>) -> Self {
        let is_number =
            matches!(cell, Cell::Count(_) | Cell::Integer(_) | Cell::Number(_) | Cell::Fixed(..));
        let text = match cell {
            Cell::Text(text) => visible(&text).into_owned(),
            Cell::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
            Cell::Missing => "-".to_owned(),
            cell => written(cell).into_owned(),
        };
        Self { text, is_number }
    }
}

impl PageTable {
    pub(super) fn new(columns: &[Column]) -> Self {
        let heading = |(name, _): &Column| PrintedCell::new(Cell::Text(name.clone()));
        Self { held: vec![columns.iter().map(heading).collect()], widths: None }
    }

    /// Fixes the widths and writes the rows held back.
    fn release(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.widths.is_some() {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        let mut widths = vec![0; held[0].len()];
        for row in &held {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.text.width().min(WIDEST).max(*width);
            }
        }
        // The heading of a column of numbers is aligned like the numbers.
        let heading = |(at, cell): (usize, &PrintedCell)| PrintedCell {
            text: cell.text.clone(),
            is_number: held.get(1).is_some_and(|row| row[at].is_number),
        };
        let headings: Vec<_> = held[0].iter().enumerate().map(heading).collect();
        write_row(&headings, &widths, out)?;
        for row in &held[1..] {
            write_row(row, &widths, out)?;
        }
        self.widths = Some(widths);
        Ok(())
    }
}

impl RowWriter for PageTable {
    fn row(&mut self, cells: Cells<'_, '_>, out: &mut dyn Write) -> io::Result<()> {
        let row: Vec<_> = cells.map(PrintedCell::new).collect();
        if let Some(widths) = &self.widths {
            return write_row(&row, widths, out);
        }
        self.held.push(row);
        if self.held.len() > MEASURED { self.release(out) } else { Ok(()) }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.release(out)
    }
}

fn write_row(row: &[PrintedCell], widths: &[usize], out: &mut dyn Write) -> io::Result<()> {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        let padding = " ".repeat(width.saturating_sub(cell.text.width()));
        let (before, after) =
            if cell.is_number { (padding.as_str(), "") } else { ("", padding.as_str()) };
        line.extend([before, &cell.text, after, GAP]);
    }
    writeln!(out, "{}", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Kind;

    fn written(rows: &[[Cell<'_>; 2]]) -> String {
        let columns = [("id".into(), Kind::Text), ("distance".into(), Kind::Count)];
        let (mut table, mut out) = (PageTable::new(&columns), Vec::new());
        for row in rows {
            table.row(&mut row.iter().cloned(), &mut out).unwrap();
        }
        table.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_aligned_by_cells_not_characters() {
        let rows = [
            [Cell::Text("漢字".into()), Cell::Count(3)],
            [Cell::Text("plain".into()), Cell::Count(12)],
        ];
        assert_eq!(written(&rows), "id     distance\n漢字          3\nplain        12\n");
    }

    #[test]
    fn a_table_without_rows_has_its_heading() {
        assert_eq!(written(&[]), "id  distance\n");
    }

    #[test]
    fn late_rows_push_the_columns_and_lose_nothing() {
        let mut rows = vec![[Cell::Text("a".into()), Cell::Count(1)]; MEASURED];
        rows.push([Cell::Text("much-longer".into()), Cell::Count(1)]);
        assert!(written(&rows).ends_with("\na          1\nmuch-longer         1\n"));
    }
}
