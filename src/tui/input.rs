//! Keys, pastes and the mouse: a thread that waits for the terminal and sends messages.
//!
//! It never polls in vain. When the process is stopped (^Z) this thread stops with it, and continues with it. While
//! another program has the terminal it is parked: not a key of that program's is read here. Where standard input is
//! the corpus, keys come from the controlling terminal. A new size is not its business: the loop hears of it by
//! signal where there are signals, and asks before every frame.

#[cfg(unix)]
use std::{
    fs::File,
    io::{IsTerminal as _, Read as _, Write as _},
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::net::UnixStream,
    },
    time::Duration,
};
use std::{io, thread};

use crossbeam_channel::{Receiver, never, unbounded};
#[cfg(unix)]
use crossbeam_channel::{Sender, bounded as bounded_channel};
use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
#[cfg(unix)]
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};

use super::terminal::bounded;
use crate::app::{
    Message, Size,
    key::{BareKey, Key, Mouse, MouseAction},
};

/// The thread, as the loop sees it.
pub(super) struct InputThread {
    /// What it read; its last message is an error.
    pub(super) messages: Receiver<io::Result<Message>>,
    #[cfg(unix)]
    pause: Option<Pause>,
}

/// The way to park the thread.
#[cfg(unix)]
struct Pause {
    wake: UnixStream,
    parked: Receiver<()>,
    go_on: Sender<()>,
}

impl InputThread {
    /// No thread: nothing is ever read.
    pub(super) fn none() -> Self {
        Self {
            messages: never(),
            #[cfg(unix)]
            pause: None,
        }
    }

    /// Starts the thread. It ends with the first error, after sending it.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        let (sender, messages) = unbounded();
        let (wake, woken) = UnixStream::pair()?;
        let (park, parked) = bounded_channel(0);
        let (go_on, may_go_on) = bounded_channel(0);
        let terminal = controlling_terminal()?;
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            loop {
                let is_woken = match wait(&terminal, &woken) {
                    Ok(is_woken) => is_woken,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                if is_woken {
                    let mut byte = [0];
                    let is_parked = (&woken).read_exact(&mut byte).is_ok() && park.send(()).is_ok();
                    if !is_parked || may_go_on.recv().is_err() {
                        return;
                    }
                } else if !read_all(&sender) {
                    return;
                }
            }
        })?;
        Ok(Self { messages, pause: Some(Pause { wake, parked, go_on }) })
    }

    /// Starts the thread. It ends with the first error, after sending it.
    #[cfg(not(unix))]
    pub(super) fn listen() -> io::Result<Self> {
        let (sender, messages) = unbounded();
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            loop {
                let message = event::read().map(message).transpose();
                let Some(message) = message else { continue };
                let ends = message.is_err();
                if sender.send(message).is_err() || ends {
                    break;
                }
            }
        })?;
        Ok(Self { messages })
    }

    /// Parks the thread; when this returns it reads nothing. Keys that were typed ahead are dropped: nobody knows
    /// which of the two programs they were meant for.
    #[cfg(unix)]
    pub(super) fn park(&self) {
        if let Some(pause) = &self.pause
            && (&pause.wake).write_all(&[0]).is_ok()
        {
            // An error says that the thread has ended.
            let _ = pause.parked.recv();
        }
        while self.messages.try_recv().is_ok() {}
    }

    /// Lets the parked thread read again.
    #[cfg(unix)]
    pub(super) fn go_on(&self) {
        if let Some(pause) = &self.pause {
            let _ = pause.go_on.send(());
        }
    }
}

/// The terminal that keys come from, as crossterm finds it.
#[cfg(unix)]
pub(super) fn controlling_terminal() -> io::Result<OwnedFd> {
    let input = io::stdin();
    if input.is_terminal() {
        return input.as_fd().try_clone_to_owned();
    }
    Ok(File::options().read(true).write(true).open("/dev/tty")?.into())
}

/// Sleeps until the terminal has something to read, or the thread is to be parked: whether that is so.
#[cfg(unix)]
fn wait(terminal: &OwnedFd, woken: &UnixStream) -> io::Result<bool> {
    loop {
        let mut files = [PollFd::new(terminal, PollFlags::IN), PollFd::new(woken, PollFlags::IN)];
        match poll(&mut files, None) {
            Ok(_) => {
                if files[0].revents().contains(PollFlags::HUP) {
                    // The terminal is gone: a signal follows.
                    thread::sleep(Duration::from_millis(20));
                }
                return Ok(!files[1].revents().is_empty());
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads what the terminal has; false if nothing more can be read or nobody listens.
#[cfg(unix)]
fn read_all(sender: &Sender<io::Result<Message>>) -> bool {
    /// crossterm reads nothing where it may not wait at all.
    const AT_ONCE: Duration = Duration::from_millis(1);
    loop {
        let message = match event::poll(AT_ONCE) {
            Ok(true) => event::read().map(message).transpose(),
            Ok(false) => return true,
            Err(error) => Some(Err(error)),
        };
        let Some(message) = message else { continue };
        let ends = message.is_err();
        if sender.send(message).is_err() || ends {
            return false;
        }
    }
}

/// The message that an event means to the program, if any.
fn message(event: Event) -> Option<Message> {
    match event {
        Event::Key(event) => key(event).map(Message::Key),
        Event::Mouse(event) => mouse(event).map(Message::Mouse),
        Event::Paste(text) => Some(Message::Paste(text)),
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
        KeyCode::Char(c) if ctrl => BareKey::Char(c.to_ascii_lowercase()),
        KeyCode::Char(c) => BareKey::Char(c),
        KeyCode::Enter => BareKey::Enter,
        KeyCode::Esc => BareKey::Esc,
        KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => BareKey::BackTab,
        KeyCode::Tab => BareKey::Tab,
        KeyCode::BackTab => BareKey::BackTab,
        KeyCode::Backspace => BareKey::Backspace,
        KeyCode::Delete => BareKey::Delete,
        KeyCode::Up => BareKey::Up,
        KeyCode::Down => BareKey::Down,
        KeyCode::Left => BareKey::Left,
        KeyCode::Right => BareKey::Right,
        KeyCode::Home => BareKey::Home,
        KeyCode::End => BareKey::End,
        KeyCode::PageUp => BareKey::PageUp,
        KeyCode::PageDown => BareKey::PageDown,
        KeyCode::F(n) => BareKey::F(n),
        _ => return None,
    };
    Some(Key { code, ctrl, alt })
}

fn mouse(event: MouseEvent) -> Option<Mouse> {
    let action = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseAction::Click,
        MouseEventKind::ScrollUp => MouseAction::WheelUp,
        MouseEventKind::ScrollDown => MouseAction::WheelDown,
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
            (KeyCode::Tab, shift, Some(Key::plain(BareKey::BackTab))),
            (KeyCode::BackTab, shift, Some(Key::plain(BareKey::BackTab))),
            (KeyCode::F(12), none, Some(Key::plain(BareKey::F(12)))),
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
            Some(MouseAction::WheelUp)
        );
        assert_eq!(at(MouseEventKind::Moved), None);
    }
}
