//! The sorted rows of one table around the query, their blocks in the table's order.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::{
    app::{
        App,
        layout::{Shape, bit_lines, table_cells},
        screen::docs::BitsView,
    },
    index::{Block, TableLayout, letter},
    number::grouped,
    text::visible,
    tui::{
        view::twins,
        widget::{
            bits::BlockLine,
            canvas::{Canvas, fit, fit_id},
        },
    },
};

pub(super) fn window_titles(app: &App) -> (String, String) {
    let Some(window) = &app.tables.window else { return (reading(app), String::new()) };
    let layout = window.shelf.layout();
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

/// What is said while the selected table is not the one shown.
fn reading(app: &App) -> String {
    if app.tables.lookup.is_running() {
        format!("reading table {:02} ..", app.tables.table.selected + 1)
    } else {
        String::new()
    }
}

/// The sorted rows around the query, their blocks in the table's order.
pub(super) fn window(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let Some(window) = &app.tables.window else { return };
    let layout = window.shelf.layout();
    let Some(query) = app.near.query else { return };
    let Some(fingerprint) = app.analysis.fingerprint(query) else { return };
    let table = &layout.tables()[window.table];
    let blocks: Vec<(usize, Block)> =
        table.order.iter().map(|&at| (at, layout.block_list()[at])).collect();
    let bare: Vec<Block> = blocks.iter().map(|(_, block)| *block).collect();
    let with_bits = app.size.shape() >= Shape::Standard;
    let lines = if with_bits { bit_lines(&bare, table_cells(app.size)) } else { Vec::new() };
    let partner =
        app.near.selected().and_then(|neighbour| app.analysis.fingerprint(neighbour.document));
    let digits = (window.n_rows.max(1).ilog10() as usize + 1)
        .clamp(3, if app.size.shape() == Shape::Wide { 6 } else { 3 });
    let indent = " ".repeat(3 + digits);
    let mut y = 0;
    if !with_bits {
        let header = format!(
            "{indent}{}{:>5}",
            fit("document", canvas.width().saturating_sub(indent.len() + 6)),
            "d"
        );
        canvas.row(0, Span::styled(header, theme.muted()));
        y = 1;
    }
    for range in &lines {
        let line = block_line(&blocks, range, table);
        let mut ruler = Line::from(indent.clone());
        ruler.push_span(line.ruler(theme));
        if range.end == blocks.len() {
            ruler.push_span(Span::styled("   d", theme.muted()));
        }
        canvas.row(y, ruler);
        y += 1;
    }
    for (at, row) in window.rows.iter().enumerate() {
        if y + lines.len().max(1) > canvas.height() {
            break;
        }
        let number = window.first + at;
        let inside = window.matching.contains(&number);
        let distance = fingerprint.distance(row.fingerprint);
        let mark = match () {
            () if row.fingerprint == fingerprint => 'Q',
            () if Some(row.fingerprint) == partner && inside && distance <= app.settings.k => {
                glyphs.partner
            }
            () if inside && distance <= app.settings.k => glyphs.kept,
            () if inside => glyphs.rejected,
            () => ' ',
        };
        let bracket = if inside { glyphs.key } else { ' ' };
        let name = number + 1;
        let modulus = 10usize.pow(digits as u32);
        let name = if name >= modulus {
            format!("{:0digits$}", name % modulus)
        } else {
            format!("{name:>digits$}")
        };
        if !with_bits {
            let id = visible(app.analysis.corpus.id(row.document)).into_owned();
            let id = fit_id(&id, canvas.width().saturating_sub(indent.len() + 6));
            let style = if inside { theme.strong() } else { theme.text() };
            canvas.row(y, Span::styled(format!("{bracket}{mark}{name} {id}{distance:>5}"), style));
            y += 1;
        }
        for (part, range) in lines.iter().enumerate() {
            let line = block_line(&blocks, range, table);
            let prefix = if part == 0 {
                format!("{bracket}{mark}{name} ")
            } else {
                format!("{bracket}{}", &indent[1..])
            };
            let style = if inside { theme.strong() } else { theme.text() };
            let mut cells = Line::from(Span::styled(prefix, style));
            let other = inside.then_some(fingerprint);
            cells.extend(line.bits(row.fingerprint, other, BitsView::Glyphs, theme));
            if range.end == blocks.len() {
                let shown = if row.fingerprint == fingerprint {
                    "Q".to_owned()
                } else {
                    distance.to_string()
                };
                let room = canvas.width().saturating_sub(cells.width() + 4);
                let entry = app.analysis.shelf.as_ref().and_then(|it| it.entry_of(row.document));
                let copies = entry
                    .map(|entry| twins::count(app, entry, row.copies, theme))
                    .unwrap_or_default();
                let copies = if copies.width() <= room { copies } else { "+".repeat(room.min(1)) };
                cells.push_span(Span::styled(format!("{shown:>4}{copies}"), style));
            }
            canvas.row(y, cells);
            y += 1;
        }
    }
}

/// A line of a table's blocks, with the key's end where it lies on this line.
fn block_line<'a>(
    blocks: &'a [(usize, Block)],
    range: &std::ops::Range<usize>,
    table: &TableLayout,
) -> BlockLine<'a> {
    let key_blocks = table.key_blocks.len().saturating_sub(range.start);
    BlockLine { blocks: &blocks[range.clone()], key_blocks }
}
