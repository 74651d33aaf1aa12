//! A list with columns: the columns that fit, their header, and the shown rows.
//!
//! A column has its title, its width in cells and its text. One column takes the cells that the others
//! leave. If it would have too few, columns are left out, the least important first. The less important a column
//! is, the more cells may be asked for the one that takes the rest before it is shown.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::canvas::{Canvas, clip, fit};
use crate::{
    app::{ClickTarget, cursor::Cursor, side_by_side::cells as cells_of},
    number::grouped,
};

/// The way a column fills its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// A number of cells, with the text at the right end.
    Right(usize),
    /// A blank, then the text in one cell less than the number.
    Left(usize),
    /// A number of cells, with the text from the first cell on.
    Start(usize),
    /// The remaining cells; the text fills them itself.
    Rest,
}

/// Makes a header of the title for so many cells.
type Header<'a> = Box<dyn Fn(&str, usize) -> String + 'a>;

/// Makes the text of a row for so many cells.
type CellText<'a, R> = Box<dyn Fn(&R, usize) -> Line<'static> + 'a>;

/// A column of rows of type `R`.
pub(crate) struct Column<'a, R> {
    /// Its name in the header.
    pub(crate) title: String,
    /// Its cells.
    pub(crate) align: Align,
    /// Columns of a higher rank are left out first if there is no room; rank 0 always stays.
    pub(crate) rank: u8,
    /// The text of a row.
    cell: CellText<'a, R>,
    /// The name in the header where it depends on the cells.
    header: Option<Header<'a>>,
    /// The target of a click on the header.
    target: Option<ClickTarget>,
}

impl<'a, R> Column<'a, R> {
    /// A column with its title, cells and rank.
    pub(crate) fn new<C: Into<Line<'static>>>(
        title: impl Into<String>,
        align: Align,
        rank: u8,
        cell: impl Fn(&R, usize) -> C + 'a,
    ) -> Self {
        let cell: CellText<'a, R> = Box::new(move |row, cells| cell(row, cells).into());
        Self { title: title.into(), align, rank, cell, header: None, target: None }
    }

    /// The same with a header that is made of the title and the number of cells.
    pub(crate) fn under(self, header: impl Fn(&str, usize) -> String + 'a) -> Self {
        Self { header: Some(Box::new(header)), ..self }
    }

    /// The column with a clickable header.
    pub(crate) fn on_click(self, target: ClickTarget) -> Self {
        Self { target: Some(target), ..self }
    }

    fn cells(&self) -> usize {
        match self.align {
            Align::Right(cells) | Align::Left(cells) | Align::Start(cells) => cells,
            Align::Rest => 0,
        }
    }
}

/// The columns that fit.
pub(crate) struct ColumnTable<'a, R> {
    columns: Vec<Column<'a, R>>,
    /// Cells of the column that takes the rest.
    rest: usize,
    /// The target of a click so many rows below the selected row.
    click: fn(isize) -> ClickTarget,
    /// Whether the header says how many rows are below the last that shows.
    says_more: bool,
}

impl<'a, R> ColumnTable<'a, R> {
    /// As many of the columns as leave enough of `width` cells to the one that takes the rest: with columns of rank
    /// r, `least[r]`, or the last there is. One cell is the cursor's.
    pub(crate) fn fitting(mut columns: Vec<Column<'a, R>>, width: usize, least: &[usize]) -> Self {
        let fixed = |columns: &[Column<R>]| 1 + columns.iter().map(Column::cells).sum::<usize>();
        while let Some(highest) = columns.iter().map(|column| column.rank).max() {
            let least = least.get(usize::from(highest)).or(least.last()).copied().unwrap_or(0);
            if highest == 0 || width >= fixed(&columns) + least {
                break;
            }
            columns.retain(|column| column.rank < highest);
        }
        let rest = width.saturating_sub(fixed(&columns)).max(4);
        Self { columns, rest, click: |by| ClickTarget::Select(by, 0), says_more: false }
    }

    /// The same with the number of the rows below at the right of its header, where that has room.
    pub(crate) fn saying_more(self) -> Self {
        Self { says_more: true, ..self }
    }

    /// Draws the header, and below it the rows around `cursor`; `mark` marks the selected row. `row` returns one of
    /// `n_rows` rows.
    pub(crate) fn draw(
        &self,
        canvas: &mut Canvas,
        mut cursor: Cursor,
        n_rows: usize,
        mark: Option<(char, Style)>,
        row: impl Fn(usize) -> Option<R>,
    ) {
        self.draw_header(canvas);
        let height = canvas.height().saturating_sub(1);
        cursor.fit(n_rows, height);
        let more = more_below(canvas, cursor, n_rows, height).filter(|_| self.says_more);
        if let Some(more) = more {
            let x = canvas.width().saturating_sub(cells_of(&more) + 2);
            if (x..canvas.width()).all(|x| canvas.is_blank(x, 0)) {
                canvas.right(0, Span::styled(format!("{more} "), canvas.theme.muted()));
            }
        }
        for (y, at) in cursor.window(n_rows, height).enumerate() {
            let Some(row) = row(at) else { continue };
            if mark.is_some() {
                let target = (self.click)(at as isize - cursor.selected as isize);
                canvas.target(0, y + 1, canvas.width(), target);
            }
            self.draw_row(canvas, y + 1, mark.filter(|_| at == cursor.selected), &row);
        }
    }

    /// Draws the titles after a blank for the cursor.
    pub(crate) fn draw_header(&self, canvas: &mut Canvas) {
        let title = |column: &Column<R>, cells| match &column.header {
            Some(header) => header(&column.title, cells).into(),
            None if column.align == Align::Rest => fit(&column.title, cells).into(),
            None => column.title.clone().into(),
        };
        canvas.row(0, self.line(' ', title).style(canvas.theme.muted()));
        let mut x = 1;
        for column in &self.columns {
            let cells = if column.align == Align::Rest { self.rest } else { column.cells() };
            if let Some(target) = column.target {
                canvas.target(x, 0, cells, target);
            }
            x += cells;
        }
    }

    /// Draws a row, marked if it is selected.
    pub(crate) fn draw_row(
        &self,
        canvas: &mut Canvas,
        y: usize,
        mark: Option<(char, Style)>,
        row: &R,
    ) {
        let (glyph, style) = mark.unzip();
        canvas.row(y, self.line(glyph.unwrap_or(' '), |column, cells| (column.cell)(row, cells)));
        if let Some(style) = style {
            canvas.style_row(y, style);
        }
    }

    fn line(&self, mark: char, text: impl Fn(&Column<R>, usize) -> Line<'static>) -> Line<'static> {
        let mut line = Line::from(mark.to_string());
        for column in &self.columns {
            match column.align {
                Align::Right(cells) => {
                    let text = text(column, cells);
                    line.push_span(" ".repeat(cells.saturating_sub(text.width())));
                    line.extend(text);
                }
                Align::Left(cells) => {
                    line.push_span(" ");
                    line.extend(fit_line(text(column, cells - 1), cells - 1));
                }
                Align::Start(cells) => line.extend(fit_line(text(column, cells), cells)),
                Align::Rest => line.extend(text(column, self.rest)),
            }
        }
        line
    }
}

/// `▼ 7 more` for the rows below the last of `height` that show; `None` if there are none.
pub(crate) fn more_below(
    canvas: &Canvas,
    cursor: Cursor,
    n_rows: usize,
    height: usize,
) -> Option<String> {
    let below = n_rows - cursor.window(n_rows, height).end.min(n_rows);
    let more = canvas.theme.glyphs().more;
    (below > 0).then(|| format!("{more} {} more", grouped(below as u64)))
}

/// A line in exactly `cells` cells: cut or filled with blanks at the right.
pub(crate) fn fit_line(line: Line<'static>, cells: usize) -> Line<'static> {
    let mut room = cells;
    let mut fitted = Line::default();
    for span in line {
        let text = clip(&span.content, room);
        room -= cells_of(&text).min(room);
        fitted.push_span(Span::styled(text, span.style));
    }
    fitted.push_span(fit("", room));
    fitted
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
        ColumnTable::fitting(columns, width, &[6])
    }

    #[test]
    fn columns_go_by_rank_where_there_is_no_room() {
        let row = (7, "tide");
        let text = |line: Line| -> String { line.spans.iter().map(|it| &*it.content).collect() };
        let header = |table: &ColumnTable<'static, (u32, &'static str)>| {
            text(table.line(' ', |column, _| column.title.clone().into()))
        };
        let drawn = |table: &ColumnTable<'static, (u32, &'static str)>, mark| {
            text(table.line(mark, |column, cells| (column.cell)(&row, cells)))
        };
        assert_eq!(header(&table(20)), "   #name kind");
        assert_eq!(drawn(&table(20), '>'), ">  7tide        lon~");
        assert_eq!(drawn(&table(14), ' '), "   7tide      ");
        assert_eq!(drawn(&table(9), ' '), " tide    ");
        assert_eq!(drawn(&table(3), ' '), " tide");
    }
}
