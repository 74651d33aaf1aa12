//! The only module that changes the state of the terminal.
//!
//! [`enter`] takes the terminal and [`leave`] restores it. Both may be called at any time: an atomic flag notes whether
//! the terminal is taken. Normal exit, errors, panics, signals and suspension all call `leave` before any text. A frame
//! is written at once, between the marks of a synchronized update, so that no half frame is ever visible.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, panic, thread};

use anyhow::{Result, bail};
use crossterm::clipboard::CopyToClipboard;
use crossterm::terminal::{self, BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{Command as _, cursor, event, execute, queue, style};
use terminal_colorsaurus::{QueryOptions, background_color};

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

/// Takes the terminal until the guard is dropped, and restores it after panics.
///
/// # Errors
/// If the terminal cannot be set up.
pub(super) fn take() -> Result<TerminalGuard> {
    restore_on_panic();
    let guard = TerminalGuard(());
    enter(true)?;
    Ok(guard)
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

/// Whether the terminal says that its ground is light; waits a second for one that answers nothing. Keys typed before
/// are lost; one that is pressed meanwhile is, too, and may take the answer with it.
pub(super) fn is_light() -> bool {
    // A key that was typed before would come before the answer and spoil it.
    #[cfg(unix)]
    let _ = rustix::termios::tcflush(io::stdout(), rustix::termios::QueueSelector::IFlush);
    background_color(QueryOptions::default()).is_ok_and(|it| it.perceived_lightness() > 0.5)
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
    let mut sequence = String::new();
    CopyToClipboard::to_clipboard_from(text).write_ansi(&mut sequence).map_err(io::Error::other)?;
    if env::var_os("TMUX").is_some() {
        // tmux takes the plain form with `set-clipboard on`, and this form with `allow-passthrough on`.
        sequence += &passed_through(&sequence);
    }
    let mut out = io::stdout();
    out.write_all(sequence.as_bytes())?;
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
fn passed_through(sequence: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
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

/// Writes a frame at once. The frame is dropped if the program does not have the terminal.
///
/// # Errors
/// If the terminal cannot be written.
pub(super) fn present(frame: &str) -> io::Result<()> {
    present_on(&mut io::stdout().lock(), frame)
}

fn present_on(out: &mut impl Write, frame: &str) -> io::Result<()> {
    if !ENTERED.load(Ordering::SeqCst) {
        return Ok(());
    }
    let mut bytes = Vec::with_capacity(frame.len() + 16);
    queue!(bytes, BeginSynchronizedUpdate)?;
    bytes.extend(frame.bytes());
    queue!(bytes, EndSynchronizedUpdate)?;
    out.write_all(&bytes)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_to_a_terminal_that_is_not_ours() {
        let mut out = Vec::new();
        present_on(&mut out, "cells").unwrap();
        assert!(out.is_empty());
    }

    #[test]
    fn tmux_gets_every_escape_twice() {
        assert_eq!(
            passed_through("\x1b]52;c;aGk=\x1b\\"),
            "\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\"
        );
    }
}
