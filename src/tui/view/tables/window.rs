//! The sorted rows of one table around the query, their blocks in the table's order.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::{
    analysis::TableRow,
    app::{
        App, Screen,
        geometry::table_cells,
        layout::{SizeClass, bit_lines},
    },
    index::{Block, TableLayout, letter},
    number::grouped,
    simhash::Fingerprint,
    text::visible,
    tui::{
        view::{name, twins},
        widget::{
            bits::{BitRow, BlockLine},
            canvas::{Canvas, fit, fit_id},
        },
    },
};

pub(super) fn window_titles(app: &App) -> (String, String) {
    let Some(window) = &app.tables.window else { return (reading(app), String::new()) };
    let layout = window.index.layout();
    let table = &layout.tables()[window.table];
    let key: Vec<String> = table.key_blocks.iter().copied().map(letter).collect();
    let title = format!(
        "table {:02}, sorted by {} ({} bits) first",
        window.table + 1,
        key.join(" "),
        table.key_bits
    );
    if app.tables.lookup.is_running() {
        return (title, reading(app));
    }
    let last = window.first + window.rows.len();
    let remark = format!(
        "rows {}-{} of {}",
        grouped(window.first as u64 + 1),
        grouped(last as u64),
        grouped(window.n_rows as u64)
    );
    (title, remark)
}

/// The message while another table than the selected one is shown.
fn reading(app: &App) -> String {
    if app.tables.lookup.is_running() {
        format!("reading table {:02} ..", app.tables.table.selected + 1)
    } else {
        String::new()
    }
}

/// The sorted rows around the query, their blocks in the table's order.
pub(super) fn window(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    let layout = window.index.layout();
    let Some(fingerprint) = app.near.query.and_then(|query| app.analysis.fingerprint(query)) else {
        return;
    };
    let table = &layout.tables()[window.table];
    let blocks: Vec<(usize, Block)> =
        table.order.iter().map(|&at| (at, layout.block_list()[at])).collect();
    let bare: Vec<Block> = blocks.iter().map(|(_, block)| *block).collect();
    let with_bits = app.size.shape() >= SizeClass::Standard;
    let lines = if with_bits {
        bit_lines(&bare, table_cells(app.size, app.alone(Screen::Tables)))
    } else {
        Vec::new()
    };
    // Bits leave less room than names.
    let most_digits = match app.size.shape() {
        SizeClass::Wide => 6,
        SizeClass::Medium => 9,
        _ => 3,
    };
    let rows = Rows {
        app,
        table,
        blocks: &blocks,
        lines: &lines,
        query: fingerprint,
        partner: app
            .near
            .selected()
            .and_then(|neighbour| app.analysis.fingerprint(neighbour.document)),
        numbers: window.first..window.first + window.rows.len(),
        digits: (window.n_rows.max(1).ilog10() as usize + 1).clamp(3, most_digits),
    };
    let mut y = rows.header(canvas);
    for (at, row) in window.rows.iter().enumerate() {
        if y + lines.len().max(1) > canvas.height() {
            break;
        }
        let number = window.first + at;
        y += rows.row(number, window.matching.contains(&number), row, canvas, y);
    }
}

/// Cells of the distance and the number of documents before a name.
const COPIES: usize = 9;
/// Cells of a name, at least.
const NAME: usize = 12;

/// Rows of a table as they are drawn.
struct Rows<'a> {
    app: &'a App,
    table: &'a TableLayout,
    /// The blocks in the table's order.
    blocks: &'a [(usize, Block)],
    /// The blocks of each line of bits; none on a small screen.
    lines: &'a [Range<usize>],
    query: Fingerprint,
    /// The fingerprint of the neighbour selected in Pair.
    partner: Option<Fingerprint>,
    /// The numbers of the rows, from 0 on.
    numbers: Range<usize>,
    /// Digits of a row's number that are shown.
    digits: usize,
}

impl Rows<'_> {
    fn indent(&self) -> String {
        " ".repeat(3 + self.digits)
    }

    /// The header of the row numbers: the digits that all of them lack below.
    fn missing_digits(&self) -> String {
        let cells = self.indent().len();
        let cut = |row: usize| row / 10_usize.pow(self.digits as u32);
        match [cut(self.numbers.start + 1), cut(self.numbers.end)] {
            [_, 0] => self.indent(),
            [first, last] => {
                let digits = format!("{},~ ", grouped(first as u64));
                let is_whole = first == last && digits.len() <= cells;
                format!("{:>cells$}", if is_whole { &digits } else { "~ " })
            }
        }
    }

    /// Draws the rulers, or the names of the columns; returns the number of lines.
    fn header(&self, canvas: &mut Canvas) -> usize {
        let theme = canvas.theme;
        if self.lines.is_empty() {
            let numbers = self.missing_digits();
            let room = canvas.width().saturating_sub(numbers.len() + 6);
            let header = format!("{numbers}{}{:>5}", fit("document", room), "d");
            canvas.row(0, Span::styled(header, theme.muted()));
            return 1;
        }
        for (y, range) in self.lines.iter().enumerate() {
            let line = block_line(self.blocks, range, self.table);
            let numbers = if y == 0 { self.missing_digits() } else { self.indent() };
            let mut ruler = Line::from(Span::styled(numbers, theme.muted()));
            ruler.extend(line.ruler(theme));
            if range.end == self.blocks.len() {
                let left = ruler.width() + COPIES;
                ruler.push_span(Span::styled(format!("{:<COPIES$}", "   d"), theme.muted()));
                let room = canvas.width().saturating_sub(left);
                if room >= NAME {
                    let header = name::header(self.app, "document", room);
                    ruler.push_span(Span::styled(header, theme.muted()));
                }
            }
            canvas.row(y, ruler);
        }
        self.lines.len()
    }

    /// Draws a row from line `y` on; returns the number of lines.
    fn row(
        &self,
        number: usize,
        is_inside: bool,
        row: &TableRow,
        canvas: &mut Canvas,
        y: usize,
    ) -> usize {
        let theme = canvas.theme;
        let bracket = if is_inside { theme.glyphs().key } else { ' ' };
        let style = if is_inside { theme.strong() } else { theme.muted() };
        let before =
            format!("{bracket}{}{} ", self.mark(is_inside, row, canvas), self.name(number));
        if self.lines.is_empty() {
            let id = visible(self.app.analysis.corpus.id(row.document)).into_owned();
            let id = fit_id(&id, canvas.width().saturating_sub(self.indent().len() + 6));
            let distance = self.distance(row, canvas);
            canvas.row(y, Span::styled(format!("{before}{id}{distance:>5}"), style));
            return 1;
        }
        for (part, range) in self.lines.iter().enumerate() {
            let line = block_line(self.blocks, range, self.table);
            let before = if part == 0 {
                before.clone()
            } else {
                format!("{bracket}{}", &self.indent()[1..])
            };
            let mut cells = Line::from(Span::styled(before, style));
            let bits = BitRow {
                other: is_inside.then_some(self.query),
                is_muted: !is_inside,
                ..BitRow::new(row.fingerprint)
            };
            cells.extend(line.bits(&bits, theme));
            if range.end == self.blocks.len() {
                let bits_end = cells.width();
                let room = canvas.width().saturating_sub(bits_end + 4);
                cells.push_span(Span::styled(self.figures(row, room, canvas), style));
                let left = cells.width() + COPIES.saturating_sub(cells.width() - bits_end);
                let room = canvas.width().saturating_sub(left);
                if room >= NAME {
                    cells.push_span(" ".repeat(left - cells.width()));
                    let name = name::name(self.app, row.document, "", room);
                    cells.push_span(Span::styled(name, style));
                }
            }
            canvas.row(y + part, cells);
        }
        self.lines.len()
    }

    /// The mark of a row by its relation to the query: the query itself, the selected neighbour, a kept or a rejected
    /// candidate.
    fn mark(&self, is_inside: bool, row: &TableRow, canvas: &Canvas) -> char {
        let glyphs = canvas.theme.glyphs();
        let is_near = self.query.distance(row.fingerprint) <= self.app.settings.k;
        match (is_inside, is_near) {
            _ if row.fingerprint == self.query => 'Q',
            _ if Some(row.fingerprint) == self.partner => glyphs.partner,
            (true, true) => glyphs.kept,
            (true, false) => glyphs.rejected,
            (false, _) => ' ',
        }
    }

    /// The row's number, or its last digits.
    fn name(&self, number: usize) -> String {
        let (name, digits) = (number + 1, self.digits);
        let modulus = 10_usize.pow(digits as u32);
        if name >= modulus {
            format!("{:0digits$}", name % modulus)
        } else {
            format!("{name:>digits$}")
        }
    }

    /// The distance to the query; in the row of the query a mark if the pair's other document shares it.
    fn distance(&self, row: &TableRow, canvas: &Canvas) -> String {
        match self.query.distance(row.fingerprint) {
            0 if self.partner == Some(self.query) => format!("Q{}", canvas.theme.glyphs().partner),
            0 => "Q".to_owned(),
            distance => distance.to_string(),
        }
    }

    /// The distance and, if there is room, the number of documents with the fingerprint.
    fn figures(&self, row: &TableRow, room: usize, canvas: &Canvas) -> String {
        let shown = self.distance(row, canvas);
        let entry = self.app.analysis.index.as_ref().and_then(|it| it.entry_of(row.document));
        let copies = entry
            .map(|entry| twins::count(self.app, entry, row.copies, canvas.theme))
            .unwrap_or_default();
        let copies = if copies.width() <= room { copies } else { "+".repeat(room.min(1)) };
        format!("{shown:>4}{copies}")
    }
}

/// A line of a table's blocks, with the end of the key where it is on this line.
fn block_line<'a>(
    blocks: &'a [(usize, Block)],
    range: &Range<usize>,
    table: &TableLayout,
) -> BlockLine<'a> {
    let key_blocks = table.key_blocks.len().saturating_sub(range.start);
    BlockLine { blocks: &blocks[range.clone()], key_blocks, is_tinted: true }
}
