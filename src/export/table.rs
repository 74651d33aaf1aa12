//! Aligned columns for people: text to the left, numbers to the right, hostile ids made visible.
//!
//! Widths come from the first rows, which are held back until there are enough. Later rows that need more space
//! push the following columns to the right.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::format::{Cells, Column, RowWriter};
use crate::{facts::Cell, number::rounded, text::visible::visible};

/// The largest width of a column in cells, so that one huge id does not widen every row.
const WIDEST: usize = 60;
/// The number of rows that decide the widths.
const MEASURED: usize = 200;
const GAP: &str = "  ";

/// Writes aligned rows.
#[derive(Debug, Default)]
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
            Cell::Words(words) => words.join(" "),
            Cell::Count(number) => number.to_string(),
            Cell::Integer(number) => number.to_string(),
            Cell::Number(number) => rounded(number),
            Cell::Fixed(number, places) => format!("{number:.places$}"),
            Cell::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
            Cell::Missing => "-".to_owned(),
        };
        Self { text, is_number }
    }
}

impl PageTable {
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
    fn begin(&mut self, columns: &[Column], _out: &mut dyn Write) -> io::Result<()> {
        self.held.push(
            columns.iter().map(|(name, _)| PrintedCell::new(Cell::Text(name.clone()))).collect(),
        );
        Ok(())
    }

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
        let (mut table, mut out) = (PageTable::default(), Vec::new());
        table
            .begin(&[("id".into(), Kind::Text), ("distance".into(), Kind::Count)], &mut out)
            .unwrap();
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
