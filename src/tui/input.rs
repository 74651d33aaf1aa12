//! Keys, pastes and the mouse: a thread that waits for the terminal and sends messages.
//!
//! The thread sleeps until there is input. When the process is stopped (^Z) it stops and continues with the process.
//! While another program has the terminal it is parked, and reads no key of that program. If standard input is the
//! corpus, keys come from the controlling terminal. It ignores new sizes: a signal tells the loop, if the system has
//! signals, and the loop asks for the size before every frame.

#[cfg(unix)]
use std::{
    fs::File,
    io::{ErrorKind, IsTerminal as _, Read as _, Write as _},
    os::{
        fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
    time::Duration,
};
use std::{io, thread};

#[cfg(unix)]
use crossbeam_channel::bounded as bounded_channel;
use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
#[cfg(unix)]
use filedescriptor::{POLLHUP, POLLIN, poll, pollfd};

use super::terminal::bounded;
use crate::app::key::{Mouse, MouseAction};
use crate::app::{Key, Message, Size};

/// The handle of the thread for the loop.
pub(super) struct InputThread {
    /// The messages that it read; the last one is an error.
    pub(super) messages: Receiver<io::Result<Message>>,
    /// Wakes the thread, so that it parks.
    #[cfg(unix)]
    wake: UnixStream,
    #[cfg(unix)]
    parked: Receiver<()>,
    #[cfg(unix)]
    go_on: Sender<()>,
}

impl InputThread {
    /// Starts the thread. It ends with the first error, after sending it.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        let (sender, messages) = unbounded();
        let (wake, woken) = UnixStream::pair()?;
        let (park, parked) = bounded_channel(0);
        let (go_on, may_go_on) = bounded_channel(0);
        let terminal = controlling_terminal()?;
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            let mut goes_on = true;
            while goes_on {
                goes_on = match ready([terminal.as_fd(), woken.as_fd()]) {
                    Ok([terminal, park_is_asked]) => {
                        if terminal & POLLHUP != 0 {
                            // The terminal is gone: a signal follows.
                            thread::sleep(Duration::from_millis(20));
                        }
                        if park_is_asked == 0 {
                            read_all(&sender)
                        } else {
                            let is_parked =
                                (&woken).read_exact(&mut [0]).is_ok() && park.send(()).is_ok();
                            is_parked && may_go_on.recv().is_ok()
                        }
                    }
                    Err(error) => deliver(&sender, Err(error)),
                };
            }
        })?;
        Ok(Self { messages, wake, parked, go_on })
    }

    /// Starts the thread. It ends with the first error, after sending it.
    #[cfg(not(unix))]
    pub(super) fn listen() -> io::Result<Self> {
        let (sender, messages) = unbounded();
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || while deliver(&sender, event::read()) {})?;
        Ok(Self { messages })
    }

    /// Parks the thread; after this it reads nothing. Keys that were typed ahead are dropped, because they may have
    /// been meant for the other program.
    #[cfg(unix)]
    pub(super) fn park(&self) {
        if (&self.wake).write_all(&[0]).is_ok() {
            // An error means that the thread has ended.
            let _ = self.parked.recv();
        }
        while self.messages.try_recv().is_ok() {}
    }

    /// Lets the parked thread read again.
    #[cfg(unix)]
    pub(super) fn go_on(&self) {
        let _ = self.go_on.send(());
    }
}

/// The terminal from which keys come, as crossterm finds it.
#[cfg(unix)]
pub(super) fn controlling_terminal() -> io::Result<OwnedFd> {
    let input = io::stdin();
    if input.is_terminal() {
        return input.as_fd().try_clone_to_owned();
    }
    Ok(File::options().read(true).write(true).open("/dev/tty")?.into())
}

/// Sleeps until one of the files has something to read; the state of each.
#[cfg(unix)]
fn ready(files: [BorrowedFd<'_>; 2]) -> io::Result<[i16; 2]> {
    let mut files = files.map(|file| pollfd { fd: file.as_raw_fd(), events: POLLIN, revents: 0 });
    loop {
        match poll(&mut files, None) {
            Ok(_) => return Ok(files.map(|file| file.revents)),
            Err(filedescriptor::Error::Poll(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io::Error::other(error)),
        }
    }
}

/// Reads the input of the terminal; false if nothing more can be read or the receiver is gone.
#[cfg(unix)]
fn read_all(sender: &Sender<io::Result<Message>>) -> bool {
    /// A short wait, because crossterm reads nothing if it may not wait at all.
    const AT_ONCE: Duration = Duration::from_millis(1);
    loop {
        let event = match event::poll(AT_ONCE) {
            Ok(true) => event::read(),
            Ok(false) => return true,
            Err(error) => Err(error),
        };
        if !deliver(sender, event) {
            return false;
        }
    }
}

/// Sends an event to the loop; false after an error, or if the receiver is gone.
fn deliver(sender: &Sender<io::Result<Message>>, event: io::Result<Event>) -> bool {
    let Some(message) = event.map(message).transpose() else { return true };
    let is_sound = message.is_ok();
    sender.send(message).is_ok() && is_sound
}

/// The message of an event, if it has one.
fn message(event: Event) -> Option<Message> {
    match event {
        Event::Key(event) => key(event).map(Message::Key),
        Event::Mouse(event) => mouse(event).map(Message::Mouse),
        Event::Paste(text) => Some(Message::Paste(text)),
        // The loop gets the signal itself.
        Event::Resize(..) if cfg!(unix) => None,
        Event::Resize(width, height) => {
            let Size { width, height } = bounded(width, height);
            Some(Message::Resize { width, height })
        }
        Event::FocusGained | Event::FocusLost => None,
    }
}

/// A press or its repetition; Windows and some protocols send releases too.
fn key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let code = match event.code {
        KeyCode::Char(c) if c.is_control() => return None,
        KeyCode::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
        KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        code => code,
    };
    Some(Key { code, ctrl, alt }).filter(|key| key.is_known())
}

fn mouse(event: MouseEvent) -> Option<Mouse> {
    let action = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseAction::Click,
        MouseEventKind::ScrollUp => MouseAction::Wheel(-1),
        MouseEventKind::ScrollDown => MouseAction::Wheel(1),
        _ => return None,
    };
    Some(Mouse { action, column: event.column, row: event.row })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_arrive_as_the_program_knows_them() {
        let (none, shift, ctrl) = (KeyModifiers::NONE, KeyModifiers::SHIFT, KeyModifiers::CONTROL);
        let table = [
            (KeyCode::Char('j'), none, Some(Key::char('j'))),
            (KeyCode::Char('G'), shift, Some(Key::char('G'))),
            (KeyCode::Char('D'), ctrl | shift, Some(Key::ctrl('d'))),
            (KeyCode::Char('x'), KeyModifiers::ALT, Some(Key { alt: true, ..Key::char('x') })),
            (KeyCode::Tab, shift, Some(Key::plain(KeyCode::BackTab))),
            (KeyCode::BackTab, shift, Some(Key::plain(KeyCode::BackTab))),
            (KeyCode::F(12), none, Some(Key::plain(KeyCode::F(12)))),
            (KeyCode::Char('\u{9b}'), none, None),
            (KeyCode::CapsLock, none, None),
        ];
        for (code, modifiers, expected) in table {
            assert_eq!(key(KeyEvent::new(code, modifiers)), expected, "{code:?}");
        }
        let release = KeyEvent::new_with_kind(KeyCode::Char('j'), none, KeyEventKind::Release);
        assert_eq!(key(release), None);
    }

    #[test]
    fn the_mouse_clicks_and_turns_its_wheel() {
        let at =
            |kind| mouse(MouseEvent { kind, column: 3, row: 4, modifiers: KeyModifiers::NONE });
        let expected = Mouse { action: MouseAction::Click, column: 3, row: 4 };
        assert_eq!(at(MouseEventKind::Down(MouseButton::Left)), Some(expected));
        assert_eq!(
            at(MouseEventKind::ScrollUp).map(|mouse| mouse.action),
            Some(MouseAction::Wheel(-1))
        );
        assert_eq!(at(MouseEventKind::Moved), None);
    }
}
