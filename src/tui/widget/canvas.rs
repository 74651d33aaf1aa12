//! A rectangle to draw on: it clips its content, and its coordinates begin at its corner.

use std::cell::RefCell;
use std::fmt::Display;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use tui_input::Input;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::app::layout::{Edge, Pane};
use crate::app::side_by_side::cells as width;
use crate::app::{ClickTarget, wrap};
use crate::sign;
use crate::tui::theme::Theme;

/// A part of the screen.
#[derive(Debug)]
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    /// The colours.
    pub theme: Theme,
    /// The list of clickable parts, if it is wanted.
    targets: Option<&'a Targets>,
}

/// Cells that a title has before the last parts of a remark on its line.
const TITLE: usize = 16;

/// The clickable parts of the screen.
pub type Targets = RefCell<Vec<(Rect, ClickTarget)>>;

impl<'a> Canvas<'a> {
    /// The whole of a buffer; clickable parts are noted in `targets`.
    pub fn new(buffer: &'a mut Buffer, theme: Theme, targets: Option<&'a Targets>) -> Self {
        Self { area: buffer.area, buffer, theme, targets }
    }

    /// Notes that a click on some cells of a row acts on a target.
    pub fn target(&self, x: usize, y: usize, width: usize, target: ClickTarget) {
        if let Some(targets) = self.targets {
            let (x, y) = (self.area.x + x as u16, self.area.y + y as u16);
            let place = Rect { x, y, width: width as u16, height: 1 }.intersection(self.area);
            targets.borrow_mut().push((place, target));
        }
    }

    /// Notes that a click on a row selects what is `by` rows below the selected one.
    pub fn row_target(&self, y: usize, by: isize) {
        self.target(0, y, self.width(), ClickTarget::Select(by, 0));
    }

    /// Forgets the parts noted so far: something is about to cover them.
    pub fn cover(&self) {
        if let Some(targets) = self.targets {
            targets.borrow_mut().clear();
        }
    }

    /// The `n` rows above the last one, made empty. The lower edges of frames there move up, unless that hides the only
    /// row inside or the selected one.
    pub fn over(&mut self, n: usize) -> Canvas<'_> {
        let (width, height) = (self.width(), self.height());
        let edge = height.saturating_sub(2);
        let hides = |canvas: &Self| {
            let is_selected = |x| canvas.holds(x, edge - n, sign::CURSOR);
            canvas.holds(0, edge - n - 1, sign::CORNERS[0]) || (0..width).any(is_selected)
        };
        if n + 1 < edge && self.holds(0, edge, sign::CORNERS[2]) && !hides(self) {
            for x in self.area.x..self.area.right() {
                let at = self.area.y + edge as u16;
                self.buffer[(x, at - n as u16)] = self.buffer[(x, at)].clone();
            }
        }
        let mut part = self.part(0, height.saturating_sub(1 + n), width, n);
        part.clear();
        part
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.area.width as usize
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.area.height as usize
    }

    /// The part that begins at (`x`, `y`), at most `width` by `height` cells.
    pub fn part(&mut self, x: usize, y: usize, width: usize, height: usize) -> Canvas<'_> {
        let (x, y) = (x.min(self.width()), y.min(self.height()));
        let area = Rect {
            x: self.area.x + x as u16,
            y: self.area.y + y as u16,
            width: width.min(self.width() - x) as u16,
            height: height.min(self.height() - y) as u16,
        };
        let (theme, targets) = (self.theme, self.targets);
        Canvas { buffer: &mut *self.buffer, area, theme, targets }
    }

    /// Draws a line in a row; the part that does not fit is cut.
    pub fn row(&mut self, y: usize, line: impl Into<Line<'static>>) {
        self.at(0, y, line);
    }

    /// Draws a line from a cell on; where words of it do not fit, [`sign::CUT`] in the last cell says so.
    pub fn at(&mut self, x: usize, y: usize, line: impl Into<Line<'static>>) {
        if x < self.width() && y < self.height() {
            let (left, top) = (self.area.x + x as u16, self.area.y + y as u16);
            let (line, room) = (line.into(), (self.width() - x) as u16);
            self.buffer.set_line(left, top, &line, room);
            let is_cut =
                line.width() > room.into() && line.to_string().trim_end().width() > room.into();
            // The line fills its cells, or a wide character did not fit into the last one.
            if let Some(cell) = self.buffer.cell_mut((left + room - 1, top)).filter(|_| is_cut) {
                cell.set_char(sign::CUT);
                let before = self.buffer.cell_mut((left + room.saturating_sub(2), top));
                if let Some(wide) = before.filter(|cell| cell.symbol().width() > 1) {
                    wide.set_symbol(" ");
                }
            }
        }
    }

    /// Draws a row of a list; the selected one has a mark and a ground of its own.
    pub fn choice(&mut self, y: usize, is_selected: bool, line: impl Into<Line<'static>>) {
        let mark = if is_selected { sign::CURSOR } else { ' ' };
        let mut row = Line::from(mark.to_string());
        row.extend(line.into());
        self.row(y, row);
        if is_selected && y < self.height() {
            let row = Rect { y: self.area.y + y as u16, height: 1, ..self.area };
            self.buffer.set_style(row, self.theme.selected());
        }
    }

    /// Draws texts one below the other, each behind a blank.
    pub fn rows<T: Display>(&mut self, y: usize, rows: impl IntoIterator<Item = T>, style: Style) {
        for (at, row) in rows.into_iter().enumerate() {
            self.row(y + at, Span::styled(format!(" {row}"), style));
        }
    }

    /// Draws a text broken at words, one cell from both edges.
    pub fn paragraph(&mut self, text: &str, style: Style) {
        let cells = self.width().saturating_sub(2);
        for (y, row) in cut(wrap(text, cells), self.height(), cells).into_iter().enumerate() {
            self.at(1, y, Span::styled(row, style));
        }
    }

    /// Whether a cell is blank.
    pub fn is_blank(&self, x: usize, y: usize) -> bool {
        self.holds(x, y, ' ')
    }

    /// Whether a cell holds this character.
    pub fn holds(&self, x: usize, y: usize, character: char) -> bool {
        let (x, y) = (self.area.x + x as u16, self.area.y + y as u16);
        let holds = |symbol: &str| symbol.chars().eq([character]);
        self.buffer.cell((x, y)).is_some_and(|cell| holds(cell.symbol()))
    }

    /// Draws a line that ends at the right edge; cut at the left edge if it is too long.
    pub fn right(&mut self, y: usize, line: impl Into<Line<'static>>) {
        let line = line.into();
        self.at(self.width().saturating_sub(line.width()), y, line);
    }

    /// A rule across, with a title at the left and a remark at the right.
    pub fn rule(&mut self, y: usize, title: &str, remark: &str) {
        let rule = sign::RULE;
        self.row(y, Span::styled(rule.to_string().repeat(self.width()), self.theme.frame()));
        self.heading(y, title, remark, 6);
    }

    /// A title at the left and a remark at the right, on an existing line; `kept` cells of the line stay free. A remark
    /// that is too long loses its last parts.
    fn heading(&mut self, y: usize, title: &str, remark: &str, kept: usize) {
        let room = self.width().saturating_sub(kept);
        let remark = first_parts(remark, room.saturating_sub(width(title).min(TITLE)));
        let remark = clip(remark, room);
        if !title.trim().is_empty() {
            let room = self.width().saturating_sub(width(&remark) + 6);
            self.at(1, y, Span::styled(format!(" {} ", clip(title, room)), self.theme.strong()));
        }
        if !remark.trim().is_empty() {
            let x = self.width() - width(&remark) - 3;
            self.at(x, y, Span::styled(format!(" {remark} "), self.theme.muted()));
        }
    }

    /// A box with a title and a remark in its upper side, around the part that the keys act on or another; returns its
    /// inside.
    pub fn framed(&mut self, title: &str, remark: &str, has_keys: bool) -> Canvas<'_> {
        let (width, height) = (self.width(), self.height());
        if width < 4 || height < 2 {
            return self.part(0, 0, 0, 0);
        }
        let style = if has_keys { self.theme.accent() } else { self.theme.frame() };
        let [top_left, top_right, bottom_left, bottom_right, side] = sign::CORNERS;
        let across = sign::RULE.to_string().repeat(width - 2);
        self.row(0, Span::styled(format!("{top_left}{across}{top_right}"), style));
        self.row(height - 1, Span::styled(format!("{bottom_left}{across}{bottom_right}"), style));
        for y in 1..height - 1 {
            self.at(0, y, Span::styled(side.to_string(), style));
            self.at(width - 1, y, Span::styled(side.to_string(), style));
        }
        self.part(1, 0, width - 2, 1).heading(0, title, remark, 8);
        self.part(1, 1, width - 2, height - 2)
    }

    /// A part of the body with its frame drawn, and a title and a remark in it; returns its inside.
    pub fn pane(&mut self, pane: Pane, title: &str, remark: &str, has_keys: bool) -> Canvas<'_> {
        let mut outer = self.part(pane.x, pane.y, pane.width, pane.height);
        match pane.edge {
            Edge::Box => drop(outer.framed(title, remark, has_keys)),
            Edge::Rule => outer.rule(0, title, remark),
            Edge::None => {}
        }
        let Pane { x, y, width, height, .. } = pane.inside();
        self.part(x, y, width, height)
    }

    /// Gives each sign its form in ASCII, if the terminal has no other: the end of drawing. Letters of texts stay.
    pub fn in_ascii(&mut self) {
        if !self.theme.0.ascii {
            return;
        }
        for cell in &mut self.buffer.content {
            if let Some(form) = cell.symbol().chars().next().and_then(sign::in_ascii) {
                cell.set_char(form);
            }
        }
    }

    /// Blanks everything.
    pub fn clear(&mut self) {
        for place in self.area.positions() {
            self.buffer[place].reset();
        }
    }
}

/// The text cut to `cells` cells, with [`sign::CUT`] at the end if it was cut.
pub fn clip(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        if used + width(grapheme) + 1 > cells {
            break;
        }
        used += width(grapheme);
        clipped.push_str(grapheme);
    }
    if cells > 0 {
        clipped.push(sign::CUT);
    }
    clipped
}

/// The first parts of a text, which commas divide, as far as they have room; the first part in any case.
fn first_parts(text: &str, cells: usize) -> &str {
    let mut kept = text;
    while let Some(at) = kept.rfind(", ").max(kept.rfind("; ")).filter(|_| width(kept) > cells) {
        kept = &kept[..at];
    }
    kept
}

/// As many rows as show; the last one is marked if there are more, as a row is that is too long.
pub fn cut(mut rows: Vec<String>, height: usize, cells: usize) -> Vec<String> {
    if rows.len() > height {
        rows.truncate(height);
        if let Some(last) = rows.last_mut() {
            let end = if width(last) + 2 <= cells { sign::CUT } else { ' ' };
            *last = clip(&format!("{last} {end}"), cells);
        }
    }
    rows
}

/// The end of the text in at most `cells` cells, with [`sign::CUT`] where something was cut before it.
pub fn clip_start(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut start = text.len();
    let mut used = 1;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += width(grapheme);
        if used > cells {
            break;
        }
        start = at;
    }
    if cells == 0 { String::new() } else { format!("{}{}", sign::CUT, &text[start..]) }
}

/// An id in exactly `cells` cells: cut in the middle, because its end is as useful as its beginning.
pub fn fit_id(id: &str, cells: usize) -> String {
    if width(id) <= cells || cells < 5 {
        return fit(id, cells);
    }
    let tail = clip_start(id, cells / 2);
    let head = clip(id, cells - width(&tail) + 1);
    fit(&format!("{}{tail}", head.trim_end_matches(sign::CUT)), cells)
}

/// The text in exactly `cells` cells: cut or filled with blanks at the right.
pub fn fit(text: &str, cells: usize) -> String {
    let clipped = clip(text, cells);
    let blanks = cells - width(&clipped).min(cells);
    clipped + &" ".repeat(blanks)
}

/// A line being typed, scrolled so that the cursor is visible in `cells` cells.
pub fn edited(line: &Input, cells: usize, theme: Theme) -> Vec<Span<'static>> {
    let cells = cells.max(2) - 1;
    let (scroll, cursor) = (line.visual_scroll(cells), line.visual_cursor());
    let mut spans = Vec::new();
    let mut column = 0;
    let mut at_cursor = false;
    for grapheme in line.value().graphemes(true) {
        let style = if column == cursor { theme.caret() } else { theme.text() };
        at_cursor |= column == cursor;
        if column >= scroll && column < scroll + cells {
            spans.push(Span::styled(grapheme.to_owned(), style));
        }
        column += UnicodeWidthStr::width(grapheme);
    }
    if !at_cursor {
        spans.push(Span::styled(" ", theme.caret()));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Look;

    #[test]
    fn a_line_that_does_not_fit_ends_in_a_sign() {
        let drawn = |text: &'static str| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
            Canvas::new(&mut buffer, Theme(Look::PLAIN), None).row(0, text);
            buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>()
        };
        assert_eq!(drawn("a tide"), "a tide");
        assert_eq!(drawn("a tide   "), "a tide");
        assert_eq!(drawn("a tide!"), "a tid…");
        // A wide character is cut as a whole.
        assert_eq!(drawn("漢字漢字"), "漢 字  …");
    }

    #[test]
    fn cells_are_those_that_a_text_takes() {
        for text in ["tide", "漢字", "لا إله", "ｽｰﾌﾟ、ｺｰﾋｰ", "नमस्ते", "e\u{301}", "👩‍👩‍👧", "🇫🇷"]
        {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
            let (end, _) = buffer.set_stringn(0, 0, text, 40, Style::new());
            assert_eq!(width(text), usize::from(end), "{text}");
        }
    }

    #[test]
    fn text_is_cut_by_cells_and_not_by_bytes() {
        assert_eq!(clip("harbour", 7), "harbour");
        assert_eq!(clip("harbour", 5), "harb…");
        assert_eq!(clip("漢字混在", 5), "漢字…");
        assert_eq!(fit("漢", 4), "漢  ");
        assert_eq!(fit_id("terms/policy@2024-03-28", 13), "terms/p…03-28");
        assert_eq!(fit_id("short", 8), "short   ");
        assert_eq!(fit_id("tide-log-copy", 6), "tid…py");
        // A ligature of two Arabic letters is drawn as two cells.
        assert_eq!((fit("لا", 3), clip("لا إله", 3)), ("لا ".to_owned(), "لا…".to_owned()));
        let rows = || vec!["one".to_owned(), "two".to_owned()];
        assert_eq!((cut(rows(), 1, 5), cut(rows(), 2, 3)), (vec!["one …".to_owned()], rows()));
        assert_eq!(cut(rows(), 1, 3), ["on…"]);
        assert_eq!(
            (clip_start("a/b/c.txt", 6), clip_start("漢字", 3)),
            ("…c.txt".into(), "…字".into())
        );
        assert_eq!(clip("x", 0), "");
    }
}
