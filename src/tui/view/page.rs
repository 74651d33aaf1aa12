//! Draws a page: each block into the rectangle that its part has.

mod angle;
mod bits;
mod histogram;
pub(super) mod list;
mod plot;
mod table_rows;
mod texts;
mod votes;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::app::page::{Block, Part, Shades, Strip, Tinted, Tone};
use crate::app::{App, ClickTarget, wrap};
use crate::sign;
use crate::tui::widget::canvas::{Canvas, cut, fit};

/// Cells that the column of a list which takes the rest has before any column goes.
const LEAST_WORDS: usize = 24;

/// Draws the page of the shown view.
pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let size = app.size;
    let page = app.page_for(size);
    // The first part with a cursor has the keys; the picture of a lesson has none.
    let is_list = |part: &Part<'_>| match &part.block {
        Block::Shades(map) => map.text.is_some(),
        block => matches!(block, Block::List(_)),
    };
    let keyed = page.parts.iter().position(is_list).filter(|_| app.lesson_picture().is_none());
    for (at, pane) in page.arrange(size) {
        let part = &page.parts[at];
        let remark = match &part.block {
            Block::Sections => texts::remark(&part.remark, &app.page),
            Block::List(it) => {
                let height = pane.inside().height.saturating_sub(1);
                list::with_more(&part.remark, list::n_below(it, height))
            }
            Block::Bits(it) => {
                let room = pane.inside();
                let height = room.height.saturating_sub(*it.rows(room.width).start());
                let (n, shown) = (it.hung.len(), it.hung.len().min(height));
                let is_cut = 0 < shown && shown < n;
                let explained =
                    if is_cut { format!(", {shown} of {n} explained") } else { String::new() };
                part.remark.clone() + &explained
            }
            _ => part.remark.clone(),
        };
        let has_keys = keyed == Some(at);
        let is_active = at == keyed.unwrap_or(0);
        let mut inside = canvas.pane(pane, &part.title, &remark, is_active);
        match &part.block {
            Block::List(list) if list.len == 0 => inside.paragraph(&list.none, Style::new()),
            Block::List(it) => list::list(app, it, LEAST_WORDS, has_keys, &mut inside),
            Block::Text(paragraphs) => text(paragraphs, &mut inside),
            Block::Plot(plot) => plot::plot(plot, &mut inside),
            Block::Histogram(bars) => histogram::histogram(bars, &mut inside),
            Block::Strip(strip) => self::strip(strip, &mut inside),
            Block::Shades(map) => shades(map, &mut inside),
            Block::Preview => texts::preview(app, &mut inside),
            Block::Angle(planes) => angle::angle(planes, &mut inside),
            Block::Votes(bars) => votes::votes(bars, app.docs.has_digits, &mut inside),
            Block::TableRows(rows) => table_rows::table_rows(app, rows, &mut inside),
            Block::Bits(bits) => bits::bits(bits, app.docs.has_digits, &mut inside),
            Block::Texts([], _) => inside.row(0, " .."),
            Block::Texts(rows, beside) => {
                for (y, row) in rows.iter().take(inside.height()).enumerate() {
                    inside.row(y, texts::text_row(row, *beside, inside.theme));
                }
            }
            Block::Sections => {
                let cut = page.text_cut(size);
                texts::sections(&app.page, &mut inside.part(1, 0, cut.width, cut.height));
            }
        }
    }
}

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
        let rows = cut(rows, height - y, room);
        let n = rows.len();
        canvas.rows(y, rows, theme.tone(tone));
        y += n;
    }
}

/// A bar for each part of the corpus, as high as the logarithm of its number, and the selected part marked.
fn strip(strip: &Strip<'_>, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let before = strip.title.width() + 2;
    let cells = canvas.width().saturating_sub(before + 1).max(1);
    canvas.at(1, 0, Span::styled(strip.title, theme.muted()));
    let n = strip.values.len();
    for cell in 0..cells {
        let part = &strip.values[cell * n / cells..((cell + 1) * n / cells).clamp(1, n)];
        let sum: u64 = part.iter().map(|it| u64::from(*it)).sum();
        let is_here = strip.at.is_some_and(|at| (at * cells as f64) as usize == cell);
        let bar = match sum {
            0 => sign::NONE,
            sum => sign::EIGHTHS[(sum.ilog2() as usize + 1).min(7)],
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
    let theme = canvas.theme;
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
            let glyph = sign::SHADES[shade].to_string();
            let words = match &map.text {
                None => Line::from(glyph.repeat(2)),
                Some(text) => {
                    let mark = if is_selected { sign::CURSOR } else { ' ' };
                    let mut words = Line::from(format!("{mark}{glyph} "));
                    words.extend(theme.line(text(at, y)));
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
    canvas.rows(above + map.size.1, &map.legend, theme.muted());
}

/// Cells of a cell with words in a map.
const TEXT_CELLS: usize = 8;
