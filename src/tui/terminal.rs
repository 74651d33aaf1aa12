//! The one owner of the terminal's state.
//!
//! [`enter`] and [`leave`] are the only ways in and out, and both may be called at any time: an atomic flag
//! keeps which side is active. Normal exit, errors, panics, signals and suspension all end in `leave`,
//! before any text. Frames are gathered in memory and written at once, between the marks of a synchronized
//! update, so that neither a terminal nor a panic ever sees half of one.

use std::{
    cell::{Cell, RefCell},
    env,
    io::{self, IsTerminal, Write},
    panic, process,
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use anyhow::{Result, bail};
use crossterm::{
    clipboard::CopyToClipboard,
    cursor, event, execute, queue, style,
    terminal::{self, BeginSynchronizedUpdate, EndSynchronizedUpdate},
};
use ratatui::{
    Frame, Terminal, TerminalOptions, Viewport, backend::CrosstermBackend, layout::Rect,
};

use crate::app::Size;

/// Whether the terminal is ours.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back when it goes out of scope.
pub(super) struct TerminalGuard(());

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        leave();
    }
}

/// The screen on the terminal.
pub(super) struct TerminalScreen {
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
    frame: FrameWriter,
    size: Size,
    /// Whether the last frame held characters that terminals disagree about.
    doubtful: bool,
}

impl TerminalScreen {
    fn new(size: Size) -> io::Result<Self> {
        let frame = FrameWriter::default();
        // The size is checked here: ratatui would accept any size that a terminal reports.
        let options = TerminalOptions { viewport: Viewport::Fixed(area(size)) };
        let terminal = Terminal::with_options(CrosstermBackend::new(frame.clone()), options)?;
        Ok(Self { terminal, frame, size, doubtful: false })
    }

    /// Draws a frame of this size: what changed since the last one leaves in one write.
    ///
    /// Terminals do not agree how many cells a cluster of several characters takes, so what a frame of
    /// them left behind cannot be known: the frame after it is drawn from an empty screen.
    pub(super) fn draw(&mut self, size: Size, render: impl FnOnce(&mut Frame)) -> io::Result<()> {
        let is_same = size == self.size;
        self.size = size;
        if self.doubtful || !is_same {
            self.forget()?;
        }
        let drawn = self.terminal.draw(render)?;
        self.doubtful =
            drawn.buffer.content.iter().any(|cell| cell.symbol().chars().nth(1).is_some());
        self.frame.present()
    }

    /// Makes the next frame begin with an empty screen.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        // ratatui's `clear` asks the terminal where the cursor is, and the answer goes to the input
        // thread; `resize` clears without asking.
        self.terminal.resize(area(self.size))
    }
}

fn area(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height)
}

/// Takes the terminal for as long as the guard lives, and sees to panics.
///
/// # Errors
/// If the terminal cannot be set up.
pub(super) fn take(size: Size) -> Result<(TerminalGuard, TerminalScreen)> {
    restore_on_panic();
    let guard = TerminalGuard(());
    // Without colour the theme uses modifiers only. crossterm's own way with NO_COLOR resets them.
    style::force_color_output(true);
    enter(true)?;
    Ok((guard, TerminalScreen::new(size)?))
}

/// Sets the terminal up, if it is not ours yet.
pub(super) fn enter(mouse: bool) -> io::Result<()> {
    if ENTERED.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    // A signal may interrupt the system call, as when a stopped process is sent to the background.
    while let Err(error) = terminal::enable_raw_mode() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    execute!(
        io::stdout(),
        terminal::EnterAlternateScreen,
        event::EnableBracketedPaste,
        cursor::Hide
    )?;
    capture_mouse(mouse)
}

/// Gives the terminal back as it was, if it is ours. Errors are of no use to anyone at this point.
pub(super) fn leave() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        event::DisableMouseCapture,
        event::DisableBracketedPaste,
        style::ResetColor,
        cursor::Show,
        terminal::LeaveAlternateScreen,
    );
    let _ = terminal::disable_raw_mode();
}

/// Makes the terminal take lines again, and writes nothing: the least that can be done where writing waits.
#[cfg(unix)]
pub(super) fn unraw() {
    let _ = terminal::disable_raw_mode();
}

/// Clicks and wheel come to us, or stay with the terminal, which then selects text.
pub(super) fn capture_mouse(on: bool) -> io::Result<()> {
    let mut out = io::stdout();
    if !on {
        return execute!(out, event::DisableMouseCapture);
    }
    if cfg!(unix) {
        // Presses, and motion while a button is down; any other motion would be a wake-up for nothing.
        out.write_all(b"\x1b[?1002h\x1b[?1006h")?;
        return out.flush();
    }
    execute!(out, event::EnableMouseCapture)
}

/// Puts text on the clipboard of the user's terminal, over SSH as well (OSC 52).
pub(super) fn copy(text: &str) -> io::Result<()> {
    let mut sequence = Vec::new();
    queue!(sequence, CopyToClipboard::to_clipboard_from(text))?;
    let mut out = io::stdout();
    out.write_all(&sequence)?;
    if env::var_os("TMUX").is_some() {
        // tmux takes the plain form under `set-clipboard on`, this one under `allow-passthrough on`.
        out.write_all(&passed_through(&sequence))?;
    }
    out.flush()
}

/// Columns and rows that are drawn at most. A terminal may claim to have 65,535 of each, and a screen of so
/// many cells would fill the memory.
const MOST_CELLS: u16 = 1000;

/// A size that can be drawn.
pub(super) fn bounded(width: u16, height: u16) -> Size {
    Size { width: width.min(MOST_CELLS), height: height.min(MOST_CELLS) }
}

/// The size in cells, as far as it is drawn.
///
/// # Errors
/// If standard output is not a terminal.
pub(super) fn size() -> Result<Size> {
    if !io::stdout().is_terminal() {
        bail!("standard output is no terminal; add --print for the screen as text");
    }
    let (width, height) = terminal::size()?;
    Ok(bounded(width, height))
}

/// A sequence as tmux hands it on to the terminal around it.
fn passed_through(sequence: &[u8]) -> Vec<u8> {
    let mut wrapped = b"\x1bPtmux;".to_vec();
    for &byte in sequence {
        if byte == 0x1b {
            wrapped.push(byte);
        }
        wrapped.push(byte);
    }
    wrapped.extend(b"\x1b\\");
    wrapped
}

/// A panic on this thread restores the terminal, then prints. A panic on another thread is caught there and
/// reported on the screen, so it must not print over the screen.
fn restore_on_panic() {
    let owner = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // Even after leaving: a job may be caught out while the program ends.
        if thread::current().id() == owner {
            leave();
            before(info);
        }
    }));
}

/// Ends the process with a status, after the terminal was given back.
pub(super) fn exit(status: i32) -> ! {
    leave();
    process::exit(status)
}

/// Gathers bytes until a frame is whole: drawing flushes in the middle, [`TerminalScreen::draw`] writes.
#[derive(Clone, Default)]
struct FrameWriter {
    frame: Rc<RefCell<Vec<u8>>>,
    /// Whether the last frame left the cursor visible.
    shows_cursor: Rc<Cell<bool>>,
}

impl FrameWriter {
    /// Writes the frame at once. What comes when the terminal is not ours is dropped.
    fn present(&self) -> io::Result<()> {
        let frame = with_short_colours(&self.frame.take());
        let shows_cursor = frame.windows(SHOW_CURSOR.len()).any(|it| it == SHOW_CURSOR);
        let showed_cursor = self.shows_cursor.replace(shows_cursor);
        let is_idle = !shows_cursor && !showed_cursor && draws_nothing(&frame);
        if is_idle || !ENTERED.load(Ordering::SeqCst) {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(frame.len() + 16);
        queue!(bytes, BeginSynchronizedUpdate)?;
        bytes.extend(frame);
        queue!(bytes, EndSynchronizedUpdate)?;
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        out.flush()
    }
}

const SHOW_CURSOR: &[u8] = b"\x1b[?25h";

/// Whether a frame has only sequences of styles and that which hides the cursor.
fn draws_nothing(frame: &[u8]) -> bool {
    let mut rest = frame;
    while let Some(sequence) = rest.strip_prefix(b"\x1b[") {
        let Some(end) = sequence.iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
            return false;
        };
        if !(sequence[end] == b'm' || &sequence[..=end] == b"?25l") {
            return false;
        }
        rest = &sequence[end + 1..];
    }
    rest.is_empty()
}

/// The frame with shorter sequences for colours, which say the same.
///
/// The sixteen named colours become those that every terminal reads: 30 to 37 and 90 to 97, and 40 to 47 and 100
/// to 107 for the ground. crossterm writes `38;5;n` for them, and a terminal without 256 colours reads a 5
/// there as blinking. A text colour or a ground that holds already is left out.
fn with_short_colours(frame: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(frame.len());
    let (mut rest, mut holds) = (frame, Colours::default());
    while let Some(at) = rest.windows(2).position(|pair| pair == b"\x1b[") {
        let (before, sequence) = rest.split_at(at);
        short.extend(before);
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
        let parts = &sequence[2..];
        let end = parts.iter().position(|byte| !is_part(byte)).unwrap_or(parts.len());
        let (parts, after) = parts.split_at(end);
        rest = after;
        if after.first() == Some(&b'm') {
            rest = &after[1..];
            let parts = holds.change(&String::from_utf8_lossy(parts));
            if !parts.is_empty() {
                short.extend(format!("\x1b[{}m", parts.join(";")).bytes());
            }
        } else {
            short.extend(&sequence[..2 + end]);
        }
    }
    short.extend(rest);
    short
}

/// The colours of text and ground that hold, as sequences write them; `None` where that is not known.
#[derive(Default)]
struct Colours {
    text: Option<String>,
    ground: Option<String>,
}

impl Colours {
    /// Takes the parts of a sequence; returns those of them that change something.
    fn change(&mut self, parts: &str) -> Vec<String> {
        let parts: Vec<&str> = parts.split(';').collect();
        let (mut at, mut changes) = (0, Vec::new());
        while at < parts.len() {
            let (used, part, is_text) = part(&parts[at..]);
            at += used;
            match is_text {
                None => {
                    // Everything is set back.
                    if matches!(&*part, "" | "0") {
                        *self = Self { text: Some("39".to_owned()), ground: Some("49".to_owned()) };
                    }
                    changes.push(part);
                }
                Some(is_text) => {
                    let holds = if is_text { &mut self.text } else { &mut self.ground };
                    if holds.as_ref() != Some(&part) {
                        *holds = Some(part.clone());
                        changes.push(part);
                    }
                }
            }
        }
        changes
    }
}

/// The first part of a sequence: the number of its numbers, the part with a named colour by its own number, and
/// whether it is a text colour or a ground, if it is one.
fn part(parts: &[&str]) -> (usize, String, Option<bool>) {
    match *parts {
        [kind @ ("38" | "48"), "5", number, ..] => {
            let is_text = kind == "38";
            let first = if is_text { 30 } else { 40 };
            let part = match number.parse() {
                Ok(dark @ 0..=7) => (first + dark).to_string(),
                Ok(bright @ 8..=15) => (first + 60 + bright - 8).to_string(),
                _ => format!("{kind};5;{number}"),
            };
            (3, part, Some(is_text))
        }
        [kind @ ("38" | "48"), "2", red, green, blue, ..] => {
            (5, format!("{kind};2;{red};{green};{blue}"), Some(kind == "38"))
        }
        ["39", ..] => (1, "39".to_owned(), Some(true)),
        ["49", ..] => (1, "49".to_owned(), Some(false)),
        [other, ..] => (1, other.to_owned(), None),
        [] => (1, String::new(), None),
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tmux_gets_every_escape_twice() {
        assert_eq!(
            passed_through(b"\x1b]52;c;aGk=\x1b\\"),
            b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\"
        );
    }

    #[test]
    fn named_colours_are_those_of_sixteen_colour_terminals() {
        let short = |frame: &str| String::from_utf8(with_short_colours(frame.as_bytes())).unwrap();
        assert_eq!(short("a\x1b[38;5;6;49mb\x1b[0m"), "a\x1b[36;49mb\x1b[0m");
        assert_eq!(short("\x1b[38;5;12;48;5;11m"), "\x1b[94;103m");
        let others = "\x1b[38;5;16m\x1b[38;2;5;5;5;49m\x1b[2;5H\x1b[m";
        assert_eq!(short(others), others);
        assert_eq!(short("cut \x1b["), "cut \x1b[");
    }

    #[test]
    fn a_colour_that_holds_is_not_set_again() {
        let short = |frame: &str| String::from_utf8(with_short_colours(frame.as_bytes())).unwrap();
        let frame =
            "\x1b[38;2;1;2;3;49ma\x1b[38;2;4;5;6;49mb\x1b[1m\x1b[38;2;4;5;6;48;5;236mc\x1b[39;49md";
        let same = "\x1b[38;2;1;2;3;49ma\x1b[38;2;4;5;6mb\x1b[1m\x1b[48;5;236mc\x1b[39;49md";
        assert_eq!(short(frame), same);
        assert_eq!(short("\x1b[0m\x1b[39;49ma\x1b[31mb"), "\x1b[0ma\x1b[31mb");
    }

    #[test]
    fn nothing_is_written_to_a_terminal_that_is_not_ours() {
        let mut writer = FrameWriter::default();
        writer.write_all(b"cells").unwrap();
        writer.present().unwrap();
        assert!(writer.frame.borrow().is_empty());
    }
}
