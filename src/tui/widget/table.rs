//! A list with columns: which of them fit, their header, and their cells in a row.
//!
//! A column has its title, its width in cells and its text. One column takes the cells that the others
//! leave. If it would have too few, columns are left out, the least important first.

use super::canvas::fit;

/// The way a column fills its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// So many cells, the text at their right end.
    Right(usize),
    /// A blank, then the text in so many cells less one.
    Left(usize),
    /// The cells that the others leave; the text fills them itself.
    Rest,
}

/// Makes the text of a row for so many cells.
type CellText<'a, R> = Box<dyn Fn(&R, usize) -> String + 'a>;

/// A column of rows of type `R`.
pub(crate) struct Column<'a, R> {
    /// Its name in the header.
    pub(crate) title: String,
    /// Its cells.
    pub(crate) align: Align,
    /// Columns of a higher rank are left out first where there is no room; rank 0 always stays.
    pub(crate) rank: u8,
    /// The text of a row.
    cell: CellText<'a, R>,
}

impl<'a, R> Column<'a, R> {
    /// A column with its title, cells and rank.
    pub(crate) fn new(
        title: impl Into<String>,
        align: Align,
        rank: u8,
        cell: impl Fn(&R, usize) -> String + 'a,
    ) -> Self {
        Self { title: title.into(), align, rank, cell: Box::new(cell) }
    }

    fn cells(&self) -> usize {
        match self.align {
            Align::Right(cells) | Align::Left(cells) => cells,
            Align::Rest => 0,
        }
    }
}

/// The columns that fit.
pub(crate) struct ColumnTable<'a, R> {
    columns: Vec<Column<'a, R>>,
    /// Cells of the column that takes what the others leave.
    rest: usize,
}

impl<'a, R> ColumnTable<'a, R> {
    /// As many of the columns as leave `least` of `width` cells to the one that takes the rest. One cell is the
    /// cursor's.
    pub(crate) fn fitting(mut columns: Vec<Column<'a, R>>, width: usize, least: usize) -> Self {
        let fixed = |columns: &[Column<R>]| 1 + columns.iter().map(Column::cells).sum::<usize>();
        while width < fixed(&columns) + least {
            let Some(highest) = columns.iter().map(|column| column.rank).max() else { break };
            if highest == 0 {
                break;
            }
            columns.retain(|column| column.rank < highest);
        }
        let rest = width.saturating_sub(fixed(&columns)).max(4);
        Self { columns, rest }
    }

    /// The titles, behind a blank for the cursor; `wide` fits that of the column that takes the rest.
    pub(crate) fn header(&self, wide: impl Fn(&str, usize) -> String) -> String {
        self.line(' ', |column, cells| match column.align {
            Align::Rest => wide(&column.title, cells),
            _ => column.title.clone(),
        })
    }

    /// A row, after its mark.
    pub(crate) fn row(&self, mark: char, row: &R) -> String {
        self.line(mark, |column, cells| (column.cell)(row, cells))
    }

    fn line(&self, mark: char, text: impl Fn(&Column<R>, usize) -> String) -> String {
        let mut line = mark.to_string();
        for column in &self.columns {
            line += &match column.align {
                Align::Right(cells) => format!("{:>cells$}", text(column, cells)),
                Align::Left(cells) => format!(" {}", fit(&text(column, cells - 1), cells - 1)),
                Align::Rest => text(column, self.rest),
            };
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(width: usize) -> ColumnTable<'static, (u32, &'static str)> {
        let columns = vec![
            Column::new("#", Align::Right(3), 1, |row: &(u32, &str), _| row.0.to_string()),
            Column::new("name", Align::Rest, 0, |row: &(u32, &str), cells| fit(row.1, cells)),
            Column::new("kind", Align::Left(5), 2, |_: &(u32, &str), _| "long word".to_owned()),
        ];
        ColumnTable::fitting(columns, width, 6)
    }

    #[test]
    fn columns_go_by_rank_where_there_is_no_room() {
        let row = (7, "tide");
        assert_eq!(table(20).header(fit), "   #name        kind");
        assert_eq!(table(20).row('>', &row), ">  7tide        lon~");
        assert_eq!(table(14).header(fit), "   #name      ");
        assert_eq!(table(9).row(' ', &row), " tide    ");
        assert_eq!(table(3).row(' ', &row), " tide");
    }
}
