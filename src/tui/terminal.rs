//! The only module that changes the state of the terminal.
//!
//! [`enter`] takes the terminal and [`leave`] restores it. Both may be called at any time: an atomic flag notes whether
//! the terminal is taken. Normal exit, errors, panics, signals and suspension all call `leave` before any text. A frame
//! is collected in memory and written at once, between the marks of a synchronized update, so that no half frame is
//! ever visible.

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

/// Whether the program has the terminal.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Restores the terminal when it is dropped.
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
    /// Whether the last frame had characters whose width differs between terminals.
    doubtful: bool,
}

impl TerminalScreen {
    fn new(size: Size) -> io::Result<Self> {
        let frame = FrameWriter::default();
        // The size is checked here, because ratatui would accept any size that a terminal reports.
        let options = TerminalOptions { viewport: Viewport::Fixed(area(size)) };
        let terminal = Terminal::with_options(CrosstermBackend::new(frame.clone()), options)?;
        Ok(Self { terminal, frame, size, doubtful: false })
    }

    /// Draws a frame of this size; the changes since the last frame are one write.
    ///
    /// Terminals differ in the number of cells of a cluster of several characters, so the screen after a frame with
    /// clusters is not known, and the next frame begins with an empty screen.
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
        // ratatui's `clear` asks the terminal for the cursor, and the input thread would get the answer; `resize`
        // clears without asking.
        self.terminal.resize(area(self.size))
    }
}

fn area(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height)
}

/// Takes the terminal until the guard is dropped, and restores it after panics.
///
/// # Errors
/// If the terminal cannot be set up.
pub(super) fn take(size: Size) -> Result<(TerminalGuard, TerminalScreen)> {
    restore_on_panic();
    let guard = TerminalGuard(());
    // Without colour the theme uses modifiers only, which crossterm would reset under NO_COLOR.
    style::force_color_output(true);
    enter(true)?;
    Ok((guard, TerminalScreen::new(size)?))
}

/// Sets the terminal up, if the program does not have it yet.
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

/// Restores the terminal, if the program has it. Errors are ignored, because nothing could be done about them.
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

/// Makes the terminal take lines again without writing to it, since writing could wait.
#[cfg(unix)]
pub(super) fn unraw() {
    let _ = terminal::disable_raw_mode();
}

/// Captures clicks and the wheel, or leaves them to the terminal, which then selects text.
pub(super) fn capture_mouse(on: bool) -> io::Result<()> {
    let mut out = io::stdout();
    if !on {
        return execute!(out, event::DisableMouseCapture);
    }
    if cfg!(unix) {
        // Presses, and motion while a button is down; any other motion would wake the program without need.
        out.write_all(b"\x1b[?1002h\x1b[?1006h")?;
        return out.flush();
    }
    execute!(out, event::EnableMouseCapture)
}

/// Puts text on the clipboard of the user's terminal, over SSH, too (OSC 52).
pub(super) fn copy(text: &str) -> io::Result<()> {
    let mut sequence = Vec::new();
    queue!(sequence, CopyToClipboard::to_clipboard_from(text))?;
    let mut out = io::stdout();
    out.write_all(&sequence)?;
    if env::var_os("TMUX").is_some() {
        // tmux takes the plain form with `set-clipboard on`, and this form with `allow-passthrough on`.
        out.write_all(&passed_through(&sequence))?;
    }
    out.flush()
}

/// The most columns and rows that are drawn. A terminal may report 65,535 of each, and so many cells would fill the
/// memory.
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
        bail!("standard output is not a terminal; add --print for the screen as text");
    }
    let (width, height) = terminal::size()?;
    Ok(bounded(width, height))
}

/// A sequence that tmux passes on to the terminal around it.
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
        // Even after leaving, because a job may panic while the program ends.
        if thread::current().id() == owner {
            leave();
            before(info);
        }
    }));
}

/// Restores the terminal and ends the process with a status.
pub(super) fn exit(status: i32) -> ! {
    leave();
    process::exit(status)
}

/// Collects the bytes of a frame, because drawing flushes in between; [`TerminalScreen::draw`] writes them.
#[derive(Clone, Default)]
struct FrameWriter {
    frame: Rc<RefCell<Vec<u8>>>,
    /// Whether the last frame left the cursor visible.
    shows_cursor: Rc<Cell<bool>>,
}

impl FrameWriter {
    /// Writes the frame at once. The frame is dropped if the program does not have the terminal.
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
/// The sixteen named colours become sequences that every terminal reads: 30 to 37 and 90 to 97, and 40 to 47 and 100
/// to 107 for the background. crossterm writes `38;5;n` for them, and a terminal without 256 colours reads the 5 as
/// blinking. A colour that is already set is left out.
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

/// The present colours of text and background, as sequences write them; `None` if they are not known.
#[derive(Default)]
struct Colours {
    text: Option<String>,
    ground: Option<String>,
}

impl Colours {
    /// Takes the parts of a sequence; returns the parts that change something.
    fn change(&mut self, parts: &str) -> Vec<String> {
        let parts: Vec<&str> = parts.split(';').collect();
        let (mut at, mut changes) = (0, Vec::new());
        while at < parts.len() {
            let (used, part, is_text) = part(&parts[at..]);
            at += used;
            match is_text {
                None => {
                    // A reset of all attributes.
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

/// The first part of a sequence: how many numbers it takes, its text with a named colour in the short form, and, if it
/// is a colour, whether it is that of text or of the background.
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
