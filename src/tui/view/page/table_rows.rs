//! The sorted rows of a table around a fingerprint, their blocks in the table's order.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::analysis::TableRow;
use crate::analysis::inspection::TableWindow;
use crate::app::App;
use crate::app::page::{DISTANCE, TableRows};
use crate::sign;
use crate::simhash::Fingerprint;
use crate::tui::theme::Theme;
use crate::tui::view::name;
use crate::tui::view::name::Unclear;
use crate::tui::widget::bits::{BitRow, BlockLine};
use crate::tui::widget::canvas::Canvas;

/// Cells of the number of documents behind the distance, where a name follows.
const COPIES: usize = 5;
/// Cells of a name, at least.
const NAME: usize = 12;

/// A blank, and a block of a table in its hue if the key has it, with a mark where the pair differs in it.
pub(super) fn block(
    number: usize,
    (is_key, differs): (bool, bool),
    cells: usize,
    theme: Theme,
) -> Vec<Span<'static>> {
    let [whole, tail] = sign::BLOCKS;
    let (glyph, style) = if is_key { (whole, theme.block(number)) } else { (tail, theme.muted()) };
    let part = |n: usize| Span::styled(glyph.to_string().repeat(n), style);
    let middle = cells / 2;
    let gap = Span::raw(" ");
    if !differs {
        return vec![gap, part(cells)];
    }
    vec![gap, part(middle), Span::styled("x", theme.differs()), part(cells - middle - 1)]
}

pub(super) fn table_rows(app: &App, rows: &TableRows<'_>, canvas: &mut Canvas) {
    let (Some(window), Some(query)) = (rows.window, rows.pair[0]) else {
        canvas.paragraph(&rows.none, Style::new());
        return;
    };
    let lines = rows.lines(canvas.width());
    let unclear = name::unclear(app, window.rows.iter().map(|row| row.document));
    let mut y = header(rows, &lines, canvas);
    for (at, row) in window.rows.iter().enumerate() {
        if y + lines.len().max(1) > canvas.height() {
            break;
        }
        let number = window.first + at;
        let drawn = Drawn { app, rows, window, query, row, number, unclear: &unclear };
        y += drawn.draw(&lines, canvas, y);
    }
}

/// Draws the rulers, or the names of the columns; returns the number of lines.
fn header(rows: &TableRows<'_>, lines: &[Range<usize>], canvas: &mut Canvas) -> usize {
    let theme = canvas.theme;
    let indent = " ".repeat(rows.indent());
    for (y, range) in lines.iter().enumerate() {
        let mut ruler = Line::from(indent.clone());
        ruler.extend(block_line(rows, range).ruler(&[], theme));
        if range.end == rows.blocks.len() {
            let words = format!("{:>DISTANCE$}", "d");
            ruler.push_span(Span::styled(words, theme.muted()));
            let room = canvas.width().saturating_sub(ruler.width() + COPIES);
            if room >= NAME {
                let words = format!("{}document", " ".repeat(COPIES));
                ruler.push_span(Span::styled(words, theme.muted()));
            }
        }
        canvas.row(y, ruler);
    }
    if lines.is_empty() {
        canvas.row(0, Span::styled(format!("{indent}   d  document"), theme.muted()));
    }
    lines.len().max(1)
}

/// A row as it is drawn.
struct Drawn<'a> {
    app: &'a App,
    rows: &'a TableRows<'a>,
    window: &'a TableWindow,
    query: Fingerprint,
    row: &'a TableRow,
    number: usize,
    unclear: &'a Unclear,
}

impl Drawn<'_> {
    /// Draws it from line `y` on; returns the number of lines.
    fn draw(&self, lines: &[Range<usize>], canvas: &mut Canvas, y: usize) -> usize {
        let (theme, digits) = (canvas.theme, self.rows.digits);
        let is_inside = self.window.matching.contains(&self.number);
        let bracket = if is_inside { sign::KEY } else { ' ' };
        let style = if is_inside { theme.strong() } else { theme.muted() };
        let before = format!("{bracket}{}{:>digits$} ", self.mark(is_inside), self.number + 1);
        if lines.is_empty() {
            self.figures(Line::from(Span::styled(before, style)), y, canvas);
            return 1;
        }
        for (part, range) in lines.iter().enumerate() {
            let later = || format!("{bracket}{}", " ".repeat(self.rows.indent() - 1));
            let before = if part == 0 { before.clone() } else { later() };
            let mut cells = Line::from(Span::styled(before, style));
            let bits = BitRow {
                other: is_inside.then_some(self.query),
                is_muted: !is_inside,
                ..BitRow::new(self.row.fingerprint)
            };
            cells.extend(block_line(self.rows, range).bits(&bits, theme));
            if range.end == self.rows.blocks.len() {
                self.figures(cells, y + part, canvas);
            } else {
                canvas.row(y + part, cells);
            }
        }
        lines.len()
    }

    /// The relation to the query: the query itself, the other of the pair, a candidate within k or beyond it.
    fn mark(&self, is_inside: bool) -> char {
        let is_near = self.query.distance(self.row.fingerprint) <= self.app.settings.k;
        match (is_inside, is_near) {
            _ if self.row.fingerprint == self.query => 'Q',
            _ if Some(self.row.fingerprint) == self.rows.pair[1] => sign::PARTNER,
            (true, true) => sign::CHECK,
            (true, false) => sign::CROSS,
            (false, _) => ' ',
        }
    }

    /// Draws `cells` and behind them the distance and, where there is room, how many documents have the fingerprint and
    /// the name of the first.
    fn figures(&self, mut cells: Line<'static>, y: usize, canvas: &mut Canvas) {
        let (theme, row) = (canvas.theme, self.row);
        let style = cells.spans.first().map_or(theme.text(), |it| it.style);
        let distance = match self.query.distance(row.fingerprint) {
            // The pair's other document may share the row.
            0 if self.rows.pair[1] == Some(self.query) => format!("Q{}", sign::PARTNER),
            0 => "Q".to_owned(),
            distance => distance.to_string(),
        };
        let entry = self.app.analysis.index.as_ref().and_then(|it| it.entry_of(row.document));
        let copies = entry.map(|entry| name::copies(self.app, entry, row.copies));
        let mut copies = copies.unwrap_or_default();
        let room = canvas.width().saturating_sub(cells.width() + DISTANCE);
        if copies.width() > room {
            copies = "+".repeat(room.min(1));
        }
        let copies = if room >= COPIES + NAME { format!("{copies:<COPIES$}") } else { copies };
        cells.push_span(Span::styled(format!("{distance:>DISTANCE$}{copies}"), style));
        if room >= COPIES + NAME {
            let name = name::titled(self.app, row.document, "", self.unclear, room - COPIES);
            cells.push_span(Span::styled(name, style));
        }
        canvas.row(y, cells);
    }
}

/// A line of a table's blocks, with the end of the key where it is on this line.
fn block_line<'a>(rows: &'a TableRows<'_>, range: &Range<usize>) -> BlockLine<'a> {
    let key_blocks = rows.n_key.saturating_sub(range.start);
    BlockLine { blocks: &rows.blocks[range.clone()], key_blocks }
}
