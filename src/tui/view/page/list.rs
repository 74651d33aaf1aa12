//! A list with columns: the columns that fit, their header, and the shown rows.
//!
//! One column takes the cells that the others leave. If it would have too few, columns are left out, the least
//! important first.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::table_rows;
use crate::app::App;
use crate::app::page::{Cell, Column, List};
use crate::app::side_by_side::cells as cells_of;
use crate::number::grouped;
use crate::sign;
use crate::tui::theme::Theme;
use crate::tui::view::name::{self, Unclear};
use crate::tui::widget::bits::pattern;
use crate::tui::widget::canvas::{Canvas, clip, edited, fit};

/// Draws the header, and below it the rows around the cursor: as many of the columns as leave `least` cells to the one
/// that takes the rest, and the rule of the list. With the keys, a row answers to clicks and the
/// selected one is marked.
pub(crate) fn list(app: &App, list: &List<'_>, least: usize, has_keys: bool, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let columns = fitting(&list.columns, canvas.width(), least);
    header(&columns, canvas);
    let height = canvas.height().saturating_sub(1);
    let selected = list.cursor.selected.min(list.len.saturating_sub(1));
    let shown = window(list, height);
    let unclear: Vec<_> = columns.iter().map(|(it, _)| unclear(app, it, shown.clone())).collect();
    let mut y = 1;
    for at in shown {
        if let Some((_, words)) = list.rule.as_ref().filter(|(row, _)| *row == at) {
            let ruler = sign::RULER.to_string();
            let words = format!(" {} {words} ", ruler.repeat(3));
            let rest = ruler.repeat(canvas.width().saturating_sub(words.width()));
            canvas.row(y, Span::styled(words + &rest, theme.muted()));
            y += 1;
        }
        let cells = columns
            .iter()
            .zip(&unclear)
            .map(|((column, cells), unclear)| cell((column.cell)(at), app, unclear, *cells, theme));
        canvas.choice(y, has_keys && at == selected, row(&columns, cells));
        if has_keys {
            canvas.row_target(y, at as isize - selected as isize);
        }
        y += 1;
    }
}

/// As many of the columns as leave `least` of `width` cells to the one that takes the rest, each with its cells. One
/// cell is the cursor's.
fn fitting<'a>(
    columns: &'a [Column<'a>],
    width: usize,
    least: usize,
) -> Vec<(&'a Column<'a>, usize)> {
    let mut columns: Vec<_> = columns.iter().collect();
    let cells = |columns: &[&Column], rest| {
        1 + columns.iter().map(|column| column.cells.unwrap_or(rest)).sum::<usize>()
    };
    while let Some(highest) = columns.iter().map(|column| column.rank).max() {
        if highest == 0 || width >= cells(&columns, least) {
            break;
        }
        columns.retain(|column| column.rank < highest);
    }
    let rest = width.saturating_sub(cells(&columns, 0)).max(4);
    columns.into_iter().map(|column| (column, column.cells.unwrap_or(rest))).collect()
}

/// The titles after a blank for the cursor.
fn header(columns: &[(&Column<'_>, usize)], canvas: &mut Canvas) {
    let titles = columns.iter().map(|(column, _)| Line::from(column.title.clone()));
    let mut titled = Line::from(" ");
    titled.extend(row(columns, titles));
    canvas.row(0, titled.style(canvas.theme.muted()));
    let mut x = 1;
    for (column, cells) in columns {
        if let Some(target) = column.target {
            canvas.target(x, 0, *cells, target);
        }
        x += cells;
    }
}

/// The texts in the cells of their columns.
fn row(
    columns: &[(&Column<'_>, usize)],
    texts: impl Iterator<Item = Line<'static>>,
) -> Line<'static> {
    let mut row = Line::default();
    for ((column, cells), text) in columns.iter().zip(texts) {
        if column.is_number {
            row.push_span(" ".repeat(cells.saturating_sub(text.width())));
            row.extend(text);
        } else {
            row.extend(fit_line(text, *cells));
        }
    }
    row
}

/// A line in exactly `cells` cells: cut or filled with blanks at the right.
fn fit_line(line: Line<'static>, cells: usize) -> Line<'static> {
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

/// The documents of a column of names whose titles do not tell them apart.
fn unclear(app: &App, column: &Column<'_>, shown: Range<usize>) -> Unclear {
    let named = shown.map_while(|row| match (column.cell)(row) {
        Cell::Name(_, document) => Some(document),
        _ => None,
    });
    name::unclear(app, named)
}

/// The text of a cell, of as many cells as it needs or its column has.
fn cell(cell: Cell, app: &App, unclear: &Unclear, cells: usize, theme: Theme) -> Line<'static> {
    match cell {
        Cell::Words(words) => theme.line(words),
        Cell::Typed(words) => edited(&words, cells, theme).into(),
        Cell::Name(before, document) => {
            let mark = before + &name::mark(app, document);
            name::titled(app, document, &mark, unclear, cells).into()
        }
        Cell::Pair(pair) => {
            let room = cells.saturating_sub(3);
            format!("  {}", name::pair(app, pair, sign::PAIR, room)).into()
        }
        Cell::Blocks(blocks, cells) => {
            let blocks = blocks.into_iter().enumerate();
            blocks.flat_map(|(at, it)| table_rows::block(at, it, cells, theme)).collect()
        }
        Cell::Bits(print, other) => pattern(print, other, app.layout().block_list(), theme),
    }
}

/// The rows around the cursor in a height; the line of the list takes the place of the last one.
fn window(list: &List<'_>, height: usize) -> Range<usize> {
    let mut cursor = list.cursor;
    cursor.fit(list.len, height.saturating_sub(usize::from(list.rule.is_some())));
    cursor.window(list.len, height)
}

/// The number of rows below the last that shows in a height.
pub(super) fn n_below(list: &List<'_>, height: usize) -> usize {
    let shown = window(list, height);
    let line = list.rule.as_ref().filter(|(row, _)| shown.len() == height && shown.contains(row));
    list.len - shown.end + line.iter().len()
}

/// A remark, and `▼ 7 more` for what is below.
pub(crate) fn with_more(remark: &str, n_below: usize) -> String {
    let more = format!("{} {} more", sign::MORE, grouped(n_below as u64));
    match (n_below, remark) {
        (0, _) => remark.to_owned(),
        (_, "") => more,
        _ => format!("{remark}, {more}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_by_rank_where_there_is_no_room() {
        let columns = [
            Column::number("#", 3, 1, |_| "7"),
            Column::words("name", None, |_| "tide"),
            Column { rank: 2, ..Column::words(" kind", 5, |_| " long word") },
        ];
        let text = |line: Line| -> String { line.spans.iter().map(|it| &*it.content).collect() };
        let header = |width| {
            let columns = fitting(&columns, width, 6);
            let titles = columns.iter().map(|(column, _)| Line::from(column.title.clone()));
            text(row(&columns, titles))
        };
        let drawn = |width| {
            let columns = fitting(&columns, width, 6);
            let texts = columns.iter().map(|(column, _)| match (column.cell)(0) {
                Cell::Words(words) => Line::from(words.0[0].0.clone()),
                _ => Line::default(),
            });
            text(row(&columns, texts))
        };
        assert_eq!(header(20), "  #name        kind");
        assert_eq!(drawn(20), "  7tide        lon…");
        assert_eq!(drawn(14), "  7tide      ");
        assert_eq!(drawn(9), "tide    ");
        assert_eq!(drawn(3), "tide");
    }
}
