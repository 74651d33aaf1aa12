//! Draws a page: each block into the rectangle that its part has.

mod angle;
mod bits;
mod histogram;
mod table_rows;
mod texts;
mod votes;

use std::{collections::HashSet, ops::Range};

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{
        App, ClickTarget,
        layout::Size,
        page::{Block, Cell, Column, List, Page, Part, Plot, Shades, Strip, Tinted, Tone},
        screen::ViewId,
        wrap::wrap,
    },
    id::DocId,
    tui::{
        theme::Theme,
        view::name,
        widget::{
            bits::pattern,
            canvas::{Canvas, clip, cut, edited, fit},
            curve::SharePlot,
            table::{self, Align, ColumnTable},
        },
    },
};

/// Cells before a plot.
const AXIS: usize = 7;

/// Draws a page arranged for a size, that of the screen or of a part of it.
pub(super) fn draw(app: &App, page: &Page<'_>, size: Size, canvas: &mut Canvas) {
    // The first part with a cursor has the keys; the picture of a lesson has none.
    let is_list = |part: &Part<'_>| match &part.block {
        Block::Shades(map) => map.text.is_some(),
        block => matches!(block, Block::List(_) | Block::Ruled(..)),
    };
    let keyed = page.parts.iter().position(is_list).filter(|_| app.view() != ViewId::Lesson);
    for (at, pane) in page.arrange(size) {
        let part = &page.parts[at];
        let framed = if at == keyed.unwrap_or(0) { Canvas::active_pane } else { Canvas::pane };
        let remark = match &part.block {
            Block::Sections => texts::remark(&app.page, page.text_cut(size), app.ascii),
            _ => part.remark.clone(),
        };
        let mut inside = framed(canvas, pane, &part.title, &remark);
        match &part.block {
            Block::List(list) => self::list(app, list, None, keyed == Some(at), &mut inside),
            Block::Ruled(list, row, words) => {
                self::list(app, list, Some((*row, words)), keyed == Some(at), &mut inside);
            }
            Block::Text(paragraphs) => text(paragraphs, &mut inside),
            Block::Plot(plot) => self::plot(plot, &mut inside),
            Block::Histogram(bars) => histogram::histogram(bars, &mut inside),
            Block::Strip(strip) => self::strip(strip, &mut inside),
            Block::Shades(map) => shades(map, &mut inside),
            Block::Preview => texts::preview(app, &mut inside),
            Block::Angle(planes) => angle::angle(planes, &mut inside),
            Block::Votes(bars) => votes::votes(bars, app.docs.bits, &mut inside),
            Block::TableRows(rows) => table_rows::table_rows(app, rows, &mut inside),
            Block::Bits(bits) => bits::bits(bits, app.docs.bits, &mut inside),
            Block::Texts([], _) => inside.row(0, " .."),
            Block::Texts(rows, beside) => {
                for (y, row) in rows.iter().take(inside.height()).enumerate() {
                    inside.row(y, texts::text_row(row, *beside, inside.theme));
                }
            }
            Block::Sections => {
                let cut = page.text_cut(size);
                texts::sections(&app.page, cut, &mut inside.part(1, 0, cut.width, cut.height));
            }
        }
    }
}

pub(super) fn style(tone: Tone, theme: Theme) -> Style {
    match tone {
        Tone::Text => theme.text(),
        Tone::Muted => theme.muted(),
        Tone::Strong => theme.strong(),
        Tone::Good => theme.good(),
        Tone::Warn => theme.warn(),
    }
}

fn line(words: Tinted, theme: Theme) -> Line<'static> {
    words.0.into_iter().map(|(words, tone)| Span::styled(words, style(tone, theme))).collect()
}

fn list(
    app: &App,
    list: &List<'_>,
    rule: Option<(usize, &str)>,
    has_keys: bool,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    if list.len == 0 {
        canvas.paragraph(1, 0, &list.none, Style::new());
        return;
    }
    let rest = list.columns.iter().filter(|column| column.cells.is_none()).count();
    let mut cursor = list.cursor;
    let height = canvas.height().saturating_sub(1);
    cursor.fit(list.len, height.saturating_sub(usize::from(rule.is_some())).max(1));
    let shown = cursor.window(list.len, height);
    let column = |it| {
        let unclear = unclear(app, it, shown.clone());
        column(app, it, unclear, theme)
    };
    let columns: Vec<_> = list.columns.iter().map(column).collect();
    let mark = has_keys.then(|| theme.mark());
    let table = ColumnTable::fitting(columns, canvas.width(), &[rest * LEAST_WORDS]);
    let Some((rule, words)) = rule else {
        return table.saying_more().draw(canvas, cursor, list.len, mark, Some);
    };
    table.draw_header(canvas);
    let mut y = 1;
    // If the line is not on the screen, there is room for one more row.
    for at in shown {
        if at == rule {
            let ruler = theme.glyphs().ruler.to_string();
            let words = format!(" {} {words} ", ruler.repeat(3));
            let rest = ruler.repeat(canvas.width().saturating_sub(words.width()));
            canvas.row(y, Span::styled(words + &rest, theme.muted()));
            y += 1;
        }
        table.draw_row(canvas, y, mark.filter(|_| at == list.cursor.selected), &at);
        canvas.row_target(y, at as isize - list.cursor.selected as isize);
        y += 1;
    }
}

/// The documents of a column of names whose titles do not tell them apart.
fn unclear(app: &App, column: &Column<'_>, shown: Range<usize>) -> HashSet<DocId> {
    let names: Vec<DocId> = shown
        .map_while(|row| match (column.cell)(row) {
            Cell::Name(_, document) => Some(document),
            _ => None,
        })
        .collect();
    name::unclear(app, &names)
}

fn column<'a>(
    app: &'a App,
    column: &'a Column<'a>,
    unclear: HashSet<DocId>,
    theme: Theme,
) -> table::Column<'a, usize> {
    let align = match (column.cells, column.is_number) {
        (None, _) => Align::Rest,
        (Some(cells), true) => Align::Right(cells),
        (Some(cells), false) => Align::Start(cells),
    };
    let cell = move |&row: &usize, cells: usize| match (column.cell)(row) {
        Cell::Words(words) if column.is_number => line(words, theme),
        Cell::Words(words) => table::fit_line(line(words, theme), cells),
        Cell::Typed(words) => edited(&words, cells, theme).into(),
        Cell::Name(before, document) => {
            let room = cells.saturating_sub(before.width());
            format!("{before}{}", name::titled(app, document, &unclear, room)).into()
        }
        Cell::Pair(pair) => {
            format!("  {}", name::pair(app, pair, theme.glyphs().pair, cells.saturating_sub(3)))
                .into()
        }
        Cell::Document(document, mark) => {
            let mark = mark + &name::mark(app, document);
            name::telling(app, document, &mark, &[], cells).into()
        }
        Cell::Blocks(blocks, cells) => {
            let blocks = blocks.into_iter().enumerate();
            blocks.flat_map(|(at, it)| table_rows::block(at, it, cells, theme)).collect()
        }
        Cell::Bits(print, other) => pattern(print, other, app.layout().block_list(), theme),
    };
    let drawn = table::Column::new(column.title.clone(), align, column.rank, cell);
    match column.target {
        Some(target) => drawn.on_click(target),
        None => drawn,
    }
}

/// Cells that the column which takes the rest has before any column goes.
const LEAST_WORDS: usize = 24;

/// As many paragraphs as have room as a whole; the first one is cut if it has not.
fn text(paragraphs: &[Tinted], canvas: &mut Canvas) {
    let (theme, height) = (canvas.theme, canvas.height());
    let room = canvas.width().saturating_sub(2);
    let mut y = 0;
    for paragraph in paragraphs {
        let tone = paragraph.0.first().map_or(Tone::Text, |(_, tone)| *tone);
        let words: String = paragraph.0.iter().map(|(words, _)| &**words).collect();
        let rows = wrap(&words, room);
        if y > 0 && y + rows.len() > height {
            continue;
        }
        for row in cut(rows, height - y, room) {
            canvas.row(y, Span::styled(format!(" {row}"), style(tone, theme)));
            y += 1;
        }
    }
}

fn plot(plot: &Plot<'_>, canvas: &mut Canvas) {
    let (theme, glyphs) = (canvas.theme, canvas.theme.glyphs());
    let (width, rows) = (canvas.width(), canvas.height().saturating_sub(1));
    if rows < 3 {
        return;
    }
    let shares = SharePlot {
        left: AXIS,
        cells: width.saturating_sub(AXIS + 2),
        rows,
        from: plot.range.0,
        to: plot.range.1,
    };
    for (share, tone) in &plot.curves {
        let glyph = if *tone == Tone::Muted { glyphs.chance } else { glyphs.node };
        shares.curve(|x| share(shares.value(x)), (glyph, style(*tone, theme)), canvas);
    }
    if let Some(limit) = plot.limit {
        shares.line(shares.column(limit), canvas);
    }
    for &(value, share, mark) in &plot.points {
        let y = ((1.0 - share.clamp(0.0, 1.0)) * (rows - 1) as f64).round() as usize;
        let x = AXIS + shares.column(value);
        let is_free = canvas.is_blank(x, y) || canvas.holds(x, y, mark);
        let mark = if is_free { mark } else { '*' };
        canvas.at(x, y, Span::styled(mark.to_string(), theme.strong()));
    }
    shares.axes(canvas);
    canvas.at(0, rows, Span::styled(clip(plot.over, AXIS - 1), theme.muted()));
}

/// A bar for each part of the corpus, as high as the logarithm of its number, and the selected part marked.
fn strip(strip: &Strip<'_>, canvas: &mut Canvas) {
    let (theme, glyphs) = (canvas.theme, canvas.theme.glyphs());
    let before = strip.title.width() + 2;
    let cells = canvas.width().saturating_sub(before + 1).max(1);
    canvas.at(1, 0, Span::styled(strip.title, theme.muted()));
    let n = strip.values.len();
    for cell in 0..cells {
        let part = &strip.values[cell * n / cells..((cell + 1) * n / cells).clamp(1, n)];
        let sum: u64 = part.iter().map(|it| u64::from(*it)).sum();
        let is_here = strip.at.is_some_and(|at| (at * cells as f64) as usize == cell);
        let bar = match sum {
            0 => glyphs.none,
            sum => glyphs.eighths[(sum.ilog2() as usize + 1).min(7)],
        };
        let tone = match (is_here, sum) {
            (true, _) => theme.key(),
            (_, 0) => theme.muted(),
            _ => theme.text(),
        };
        canvas.at(before + cell, 0, Span::styled(bar.to_string(), tone));
    }
}

fn shades(map: &Shades<'_>, canvas: &mut Canvas) {
    let (theme, glyphs) = (canvas.theme, canvas.theme.glyphs());
    let [columns, rows] = &map.names;
    let before = 1 + rows.iter().map(|name| name.len() + 1).max().unwrap_or(0);
    let cells = if map.text.is_some() { TEXT_CELLS } else { 2 };
    let cells = columns.iter().map(|name| name.len() + 1).fold(cells, usize::max);
    // Columns that have no room are passed by, as far as the selected one needs it.
    let fits = (canvas.width().saturating_sub(before) / cells).max(1);
    let first = map.selected.map_or(0, |(x, _)| (x + 1).saturating_sub(fits));
    let shown = first..(first + fits).min(map.size.0);
    let above = usize::from(!columns.is_empty());
    if first > 0 {
        canvas.at(before.saturating_sub(2), 0, Span::styled("<", theme.strong()));
    }
    if shown.end < map.size.0 {
        canvas.right(0, Span::styled(">", theme.strong()));
    }
    for (at, name) in columns.iter().enumerate().take(shown.end).skip(first) {
        let x = before + (at - first) * cells;
        canvas.at(x, 0, Span::styled(format!("{name:>cells$}"), theme.muted()));
    }
    for y in 0..map.size.1 {
        canvas.at(1, above + y, fit(rows.get(y).map_or("", |name| name), before - 1));
        for at in shown.clone() {
            let shade = (map.shade)(at, y).min(4);
            let is_selected = map.selected == Some((at, y));
            let glyph = glyphs.shades[shade].to_string();
            let words = match &map.text {
                None => Line::from(glyph.repeat(2)),
                Some(text) => {
                    let mut words = Line::from(if is_selected {
                        glyphs.cursor.to_string()
                    } else {
                        " ".to_owned()
                    });
                    words.push_span(format!("{glyph} "));
                    words.extend(line(text(at, y), theme));
                    words
                }
            };
            let style = match (is_selected, shade, &map.text) {
                (true, ..) => theme.selected(),
                (_, 0, None) => theme.muted(),
                _ => Style::new(),
            };
            let x = before + (at - first) * cells;
            let blanks = cells.saturating_sub(words.width());
            canvas.at(x + blanks, above + y, words.patch_style(style));
            if let Some((column, row)) = map.selected {
                let by = [(y, row), (at, column)].map(|(to, from)| to as isize - from as isize);
                canvas.target(x, above + y, cells, ClickTarget::Select(by[0], by[1]));
            }
        }
    }
    for (at, words) in map.legend.iter().enumerate() {
        canvas.row(above + map.size.1 + at, Span::styled(format!(" {words}"), theme.muted()));
    }
}

/// Cells of a cell with words in a map.
const TEXT_CELLS: usize = 8;
