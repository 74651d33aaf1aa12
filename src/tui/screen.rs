//! The screen on the terminal: the bytes that turn one frame into the next.
//!
//! A frame is a buffer of cells. The cells that changed are written, row by row or colour by colour, whichever takes
//! fewer bytes; where a list has scrolled by a row, the terminal moves its rows first, if that takes fewer still. A
//! sequence sets only the attributes that change. A cell before those that changed is written again where moving the
//! cursor over it takes no fewer bytes. Positions are absolute, so a terminal that gives a cluster or an emoji another
//! width shows the cells behind it in their places.

use std::fmt::Write as _;
use std::io;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::terminal;

/// The screen on the terminal.
#[derive(Default)]
pub(super) struct TerminalScreen {
    /// The cells that the terminal shows, if they are known.
    shown: Option<Buffer>,
}

impl TerminalScreen {
    /// Shows a frame. The changes since the last frame are one write; without changes nothing is written.
    ///
    /// # Errors
    /// If the terminal cannot be written.
    pub(super) fn show(&mut self, mut next: Buffer) -> io::Result<()> {
        next.content.iter_mut().for_each(forget_invisible);
        let shown = self.shown.take().filter(|shown| shown.area == next.area);
        let frame = match &shown {
            Some(shown) => changes(shown, &next),
            None => format!("\x1b[0m\x1b[2J{}", changes(&Buffer::empty(next.area), &next)),
        };
        self.shown = Some(next);
        if frame.is_empty() { Ok(()) } else { terminal::present(&frame) }
    }

    /// Makes the next frame begin with an empty screen.
    pub(super) fn forget(&mut self) {
        self.shown = None;
    }
}

/// The attributes that show on a blank.
const ON_BLANK: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

/// Whether the colour of text does not show in a cell.
fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED)
}

/// Resets the attributes that do not show, so that cells that look the same are equal.
fn forget_invisible(cell: &mut Cell) {
    if is_blank(cell) {
        cell.fg = Color::Reset;
        cell.modifier &= ON_BLANK;
    }
}

/// The bytes of a frame from which on it is looked whether rows have moved.
const MANY: usize = 1500;

/// The characters and sequences that turn one frame into another of the same size. No attribute is set on the terminal
/// before them and after them.
fn changes(shown: &Buffer, next: &Buffer) -> String {
    let in_place = || in_both_orders(shown, next).into_iter().min_by_key(String::len);
    let in_place = in_place().unwrap_or_default();
    if in_place.len() < MANY {
        return in_place;
    }
    let moved = [true, false].into_iter().filter_map(|is_up| after_a_move(shown, next, is_up));
    moved.chain([in_place]).min_by_key(String::len).unwrap_or_default()
}

/// The changes after the terminal has moved those rows by one, up or down, that then have the most cells in their place;
/// `None` if no row has more of them then. Costs the cells.
fn after_a_move(shown: &Buffer, next: &Buffer, is_up: bool) -> Option<String> {
    let Rect { width, height, .. } = next.area;
    let in_place = |y: u16, from: u16| {
        (0..width).filter(|&x| next[(x, y)] == shown[(x, from)]).count() as isize
    };
    let (mut most, mut sum, mut top) = ((0, 0, 0), 0, 0);
    for bottom in 1..height {
        if sum <= 0 {
            (sum, top) = (0, bottom - 1);
        }
        let (y, from) = if is_up { (bottom - 1, bottom) } else { (bottom, bottom - 1) };
        sum += in_place(y, from) - in_place(y, y);
        most = most.max((sum, top, bottom));
    }
    let (gain, top, bottom) = most;
    if gain <= 0 {
        return None;
    }
    let mut moved = shown.clone();
    for y in top..=bottom {
        let from = if is_up { y + 1 } else { y.wrapping_sub(1) };
        let from = Some(from).filter(|from| (top..=bottom).contains(from));
        for x in 0..width {
            moved[(x, y)] = from.map_or(Cell::EMPTY, |from| shown[(x, from)].clone());
        }
    }
    // A line feed in the last row of a region moves the region up, a reverse index in its first row moves it down.
    let (at, moves) = if is_up { (bottom, "\n") } else { (top, "\x1bM") };
    let rest = in_both_orders(&moved, next).into_iter().min_by_key(String::len)?;
    Some(format!("\x1b[{};{}r\x1b[{};1H{moves}\x1b[r{rest}", top + 1, bottom + 1, at + 1))
}

/// The changes row by row, and colour by colour.
fn in_both_orders(shown: &Buffer, next: &Buffer) -> [String; 2] {
    let mut whole_rows = CellWriter::default();
    let mut cells = Vec::new();
    let mut attributes = Attributes::default();
    for y in 0..next.area.height {
        let changed = changed(shown, next, y);
        if !changed.is_empty() && (has_cluster(shown, y) || has_cluster(next, y)) {
            whole_rows.write_row(next, y);
            continue;
        }
        for x in changed {
            attributes = attributes.of(&next[(x, y)]);
            cells.push(((x, y), attributes));
        }
    }
    let mut runs: Vec<_> = cells.chunk_by(|one, other| one.1 == other.1).collect();
    let by_row = whole_rows.clone().finish(next, &runs);
    // Taking a modifier off resets the colours, too, so cells with the same modifiers are written one after the other.
    let codes = |it: Attributes| (it.modifiers.bits(), colour(it.ground, 40), colour(it.text, 30));
    runs.sort_by_cached_key(|run| codes(run[0].1));
    [by_row, whole_rows.finish(next, &runs)]
}

/// The columns of a row where the frames differ. A terminal may change the second half of a wide character when the
/// first is written over, so that half has changed, too.
fn changed(shown: &Buffer, next: &Buffer, y: u16) -> Vec<u16> {
    let differs = |x: u16| shown[(x, y)] != next[(x, y)];
    let was_covered = |x: u16| x > 0 && width(&shown[(x - 1, y)]) > 1 && differs(x - 1);
    let mut changed = Vec::new();
    let mut x = 0;
    while x < next.area.width {
        if differs(x) || was_covered(x) {
            changed.push(x);
        }
        x += width(&next[(x, y)]).max(1);
    }
    changed
}

/// The cells that a character takes.
fn width(cell: &Cell) -> u16 {
    cell.symbol().width() as u16
}

/// Whether all terminals give a character the same width: letters of one cell, and those of East Asia.
fn has_certain_width(cell: &Cell) -> bool {
    let is_east_asian = |it: char| matches!(it, '\u{2e80}'..='\u{ffe6}' | '\u{20000}'..);
    let text = cell.symbol();
    text.chars().nth(1).is_none() && (width(cell) == 1 || text.contains(is_east_asian))
}

/// Whether a row has a cluster of several characters. Terminals differ in the number of cells of a cluster, so such a
/// row is drawn whole when it changes.
fn has_cluster(frame: &Buffer, y: u16) -> bool {
    (0..frame.area.width).any(|x| frame[(x, y)].symbol().chars().nth(1).is_some())
}

/// The modifiers and colours of a terminal: each character is drawn with them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Attributes {
    modifiers: Modifier,
    ground: Color,
    text: Color,
}

impl Attributes {
    /// The attributes that a cell needs; those that do not show in it stay as they are.
    fn of(self, cell: &Cell) -> Self {
        if !is_blank(cell) {
            return Self { text: cell.fg, ground: cell.bg, modifiers: cell.modifier };
        }
        let keeps = self.modifiers & ON_BLANK == cell.modifier;
        let modifiers = if keeps { self.modifiers } else { cell.modifier };
        Self { ground: cell.bg, modifiers, ..self }
    }
}

/// Writes cells, and knows the cursor and the attributes of the terminal after them.
#[derive(Clone, Default)]
struct CellWriter {
    bytes: String,
    /// Column and row of the cursor, if they are certain.
    at: Option<(u16, u16)>,
    attributes: Attributes,
}

impl CellWriter {
    /// Writes the cells, and resets the attributes.
    fn finish(mut self, next: &Buffer, runs: &[&[((u16, u16), Attributes)]]) -> String {
        for &((x, y), attributes) in runs.iter().copied().flatten() {
            self.write(next, x, y, attributes);
        }
        self.set(Attributes::default());
        self.bytes
    }

    /// Writes a row from its first cell to its last, onto an empty row.
    fn write_row(&mut self, next: &Buffer, y: u16) {
        self.go_to(0, y);
        self.set(Attributes::default());
        self.bytes.push_str("\x1b[K");
        let mut x = 0;
        while x < next.area.width {
            let cell = &next[(x, y)];
            if *cell != Cell::EMPTY {
                self.write(next, x, y, self.attributes.of(cell));
            }
            x += width(cell).max(1);
        }
    }

    /// Moves the cursor to a cell, by writing the cells before it if that is not longer.
    fn reach(&mut self, next: &Buffer, x: u16, y: u16) {
        if self.at == Some((x, y)) {
            return;
        }
        let from = self.at.filter(|at| at.1 == y && at.0 < x).map(|at| at.0);
        let Some(from) = from else { return self.go_to(x, y) };
        let skipped = (from..x).map(|x| &next[(x, y)]);
        let is_plain = |it: &Cell| width(it) == 1 && self.attributes.of(it) == self.attributes;
        let move_to = format!("\x1b[{}G", x + 1);
        let n_bytes: usize = skipped.clone().map(|cell| cell.symbol().len()).sum();
        if n_bytes <= move_to.len() && skipped.clone().all(is_plain) {
            self.bytes.extend(skipped.map(Cell::symbol));
        } else {
            self.bytes.push_str(&move_to);
        }
        self.at = Some((x, y));
    }

    fn go_to(&mut self, x: u16, y: u16) {
        let _ = write!(self.bytes, "\x1b[{};{}H", y + 1, x + 1);
        self.at = Some((x, y));
    }

    fn write(&mut self, next: &Buffer, x: u16, y: u16, attributes: Attributes) {
        let cell = &next[(x, y)];
        self.reach(next, x, y);
        self.set(attributes);
        self.bytes.push_str(cell.symbol());
        self.at = self.at.filter(|_| has_certain_width(cell)).map(|(x, y)| (x + width(cell), y));
    }

    /// Sets the attributes, with one sequence for those that change.
    fn set(&mut self, wanted: Attributes) {
        let mut codes: Vec<String> = Vec::new();
        if !(self.attributes.modifiers - wanted.modifiers).is_empty() {
            codes.push("0".to_owned());
            self.attributes = Attributes::default();
        }
        let added = wanted.modifiers - self.attributes.modifiers;
        // In the order of SGR: 1 is bold, 9 is crossed out.
        codes.extend(added.iter().map(|it| (it.bits().trailing_zeros() + 1).to_string()));
        if wanted.text != self.attributes.text {
            codes.push(colour(wanted.text, 30));
        }
        if wanted.ground != self.attributes.ground {
            codes.push(colour(wanted.ground, 40));
        }
        if !codes.is_empty() {
            let _ = write!(self.bytes, "\x1b[{}m", codes.join(";"));
        }
        self.attributes = wanted;
    }
}

/// The codes of a colour; `base` is 30 for text and 40 for the background.
///
/// The sixteen named colours are 30 to 37 and 90 to 97, which every terminal reads. A terminal without 256 colours
/// would read the 5 of `38;5;n` as blinking.
fn colour(colour: Color, base: u8) -> String {
    let named = match colour {
        Color::Reset => 9,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
        Color::Indexed(number @ 0..=7) => number,
        Color::Indexed(number @ 8..=15) => 60 + number - 8,
        Color::Indexed(number) => return format!("{};5;{number}", base + 8),
        Color::Rgb(red, green, blue) => return format!("{};2;{red};{green};{blue}", base + 8),
    };
    (base + named).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::Style;

    use super::*;

    const COLUMNS: u16 = 12;
    const ROWS: u16 = 3;

    /// Characters of one and two cells, blanks, and clusters that each terminal measures in its own way.
    const SYMBOLS: [&str; 8] = [" ", " ", "a", "b", "│", "漢", "क्षि", "e\u{301}"];

    fn colours() -> impl Strategy<Value = Color> {
        prop_oneof![
            3 => Just(Color::Reset),
            1 => Just(Color::LightCyan),
            1 => Just(Color::Indexed(200)),
            1 => Just(Color::Rgb(1, 2, 3)),
        ]
    }

    fn modifiers() -> impl Strategy<Value = Modifier> {
        let all = [Modifier::BOLD, Modifier::UNDERLINED, Modifier::REVERSED];
        prop_oneof![
            2 => Just(Modifier::empty()),
            1 => proptest::sample::subsequence(all.to_vec(), 1..3)
                .prop_map(|some| some.into_iter().fold(Modifier::empty(), |all, it| all | it)),
        ]
    }

    /// A frame with up to three pieces of text in each row.
    fn frames(symbols: usize) -> impl Strategy<Value = Buffer> {
        let text = proptest::collection::vec(0..symbols, 0..8);
        let piece = (0..ROWS, 0..COLUMNS, text, colours(), colours(), modifiers());
        proptest::collection::vec(piece, 0..3 * ROWS as usize).prop_map(|pieces| {
            let mut frame = Buffer::empty(Rect::new(0, 0, COLUMNS, ROWS));
            for (y, x, text, fg, bg, modifiers) in pieces {
                let text: String = text.into_iter().map(|at| SYMBOLS[at]).collect();
                let style = Style::new().fg(fg).bg(bg).add_modifier(modifiers);
                frame.set_string(x, y, text, style);
            }
            frame.content.iter_mut().for_each(forget_invisible);
            frame
        })
    }

    fn terminal() -> vt100::Parser {
        vt100::Parser::new(ROWS.try_into().unwrap(), COLUMNS.try_into().unwrap(), 0)
    }

    /// Each cell of a terminal as a person sees it.
    fn seen(terminal: &vt100::Parser) -> Vec<String> {
        let cells = (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| (y, x)));
        let seen = cells.map(|(y, x)| {
            let cell = terminal.screen().cell(y, x).unwrap();
            let modifiers = (cell.underline(), cell.inverse());
            let text = (cell.contents().trim() != "" || cell.inverse())
                .then(|| (cell.contents(), cell.fgcolor(), cell.bold()));
            format!("{:?} {modifiers:?} {text:?}", cell.bgcolor())
        });
        seen.collect()
    }

    proptest! {
        #[test]
        fn a_frame_that_follows_looks_as_one_on_an_empty_screen(
            frames in proptest::collection::vec(frames(8), 1..6)
        ) {
            let mut followed = [terminal(), terminal()];
            let mut shown = Buffer::empty(frames[0].area);
            for next in frames {
                let mut anew = terminal();
                anew.process(changes(&Buffer::empty(next.area), &next).as_bytes());
                for is_up in [true, false] {
                    let mut moved = terminal();
                    moved.process(changes(&Buffer::empty(next.area), &shown).as_bytes());
                    if let Some(bytes) = after_a_move(&shown, &next, is_up) {
                        moved.process(bytes.as_bytes());
                        prop_assert_eq!(seen(&moved), seen(&anew));
                    }
                }
                for (followed, order) in followed.iter_mut().zip(in_both_orders(&shown, &next)) {
                    followed.process(order.as_bytes());
                    prop_assert_eq!(seen(followed), seen(&anew));
                }
                prop_assert!(changes(&next, &next).is_empty());
                shown = next;
            }
        }

        #[test]
        fn a_frame_shows_its_cells(next in frames(6)) {
            let mut drawn = terminal();
            drawn.process(changes(&Buffer::empty(next.area), &next).as_bytes());
            for (at, cell) in next.content.iter().enumerate() {
                let (x, y) = next.pos_of(at);
                let drawn = drawn.screen().cell(y, x).unwrap();
                if drawn.is_wide_continuation() {
                    continue;
                }
                let has = |modifier| cell.modifier.contains(modifier);
                prop_assert_eq!(drawn.contents().trim(), cell.symbol().trim());
                prop_assert_eq!(drawn.inverse(), has(Modifier::REVERSED));
                prop_assert_eq!(drawn.underline(), has(Modifier::UNDERLINED));
                prop_assert!(is_blank(cell) || drawn.bold() == has(Modifier::BOLD));
                prop_assert_eq!(drawn.bgcolor() == vt100::Color::Default, cell.bg == Color::Reset);
                let is_default = drawn.fgcolor() == vt100::Color::Default;
                prop_assert!(is_blank(cell) || is_default == (cell.fg == Color::Reset));
            }
        }
    }

    #[test]
    fn rows_that_moved_are_moved_by_the_terminal() {
        let frame = |first: u16| {
            let mut frame = Buffer::empty(Rect::new(0, 0, 60, 40));
            for y in 0..38 {
                let row = if (5..35).contains(&y) { 100 + first + y } else { y };
                frame.set_string(0, y, format!("{row} ").repeat(12), Style::new());
            }
            frame
        };
        for (before, after) in [(1, 2), (2, 1)] {
            let bytes = changes(&frame(before), &frame(after));
            assert!(bytes.len() < 100, "{bytes:?}");
            let terminal = || vt100::Parser::new(40.try_into().unwrap(), 60.try_into().unwrap(), 0);
            let mut seen = terminal();
            seen.process(changes(&Buffer::empty(frame(1).area), &frame(before)).as_bytes());
            seen.process(bytes.as_bytes());
            let mut anew = terminal();
            anew.process(changes(&Buffer::empty(frame(1).area), &frame(after)).as_bytes());
            assert_eq!(seen.screen().contents(), anew.screen().contents());
        }
    }

    fn of(text: &str, style: Style) -> Buffer {
        let mut frame = Buffer::empty(Rect::new(0, 0, COLUMNS, 1));
        frame.set_string(0, 0, text, style);
        frame
    }

    #[test]
    fn a_short_gap_is_written_and_a_long_one_is_jumped_over() {
        let plain = Style::new();
        let change = |one: &str, other: &str| changes(&of(one, plain), &of(other, plain));
        assert_eq!(change("one two", "ona twa"), "\x1b[1;3Ha twa");
        assert_eq!(change("a 34567890 b", "c 34567890 d"), "\x1b[1;1Hc\x1b[12Gd");
        assert_eq!(change("same", "same"), "");
    }

    #[test]
    fn a_colour_that_holds_is_not_set_again_and_one_that_is_long_to_set_is_set_once() {
        let frame = |fg| {
            let style = |fg| Style::new().fg(fg).bg(Color::Rgb(9, 9, 9));
            let mut next = of("ab c", style(fg));
            next.set_string(1, 0, "b", style(Color::LightBlue));
            changes(&Buffer::empty(next.area), &next)
        };
        let by_row = "\x1b[1;1H\x1b[31;48;2;9;9;9ma\x1b[94mb \x1b[31mc\x1b[39;49m";
        assert_eq!(frame(Color::Red), by_row);
        let by_colour =
            "\x1b[1;1H\x1b[38;2;1;2;3;48;2;9;9;9ma\x1b[4Gc\x1b[1;2H\x1b[94mb \x1b[39;49m";
        assert_eq!(frame(Color::Rgb(1, 2, 3)), by_colour);
    }

    #[test]
    fn named_colours_are_those_of_sixteen_colour_terminals() {
        assert_eq!(colour(Color::Cyan, 30), "36");
        assert_eq!(colour(Color::LightBlue, 30), "94");
        assert_eq!(colour(Color::Indexed(11), 40), "103");
        assert_eq!(colour(Color::Indexed(16), 30), "38;5;16");
        assert_eq!(colour(Color::Reset, 40), "49");
    }
}
