//! Keys, pastes and the mouse: a thread that blocks in the terminal and sends messages.
//!
//! It never polls. When the process is stopped (^Z) this thread stops with it, and continues with it. Where
//! standard input is the corpus, keys come from the controlling terminal. A new size is not its business:
//! the loop hears of it by signal where there are signals, and asks before every frame.

use std::{io, thread};

use crossbeam_channel::{Receiver, unbounded};
use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};

use super::{
    ground::{Answers, PAUSE},
    terminal::bounded,
};
use crate::app::{
    Message, Size,
    key::{BareKey, Key, Mouse, MouseAction},
};

/// Starts the thread. It ends with the first error, after sending it.
///
/// `typed` are keys that were pressed before; `answers` keeps late answers of the terminal away from the keys.
pub(super) fn listen(
    typed: Vec<Key>,
    mut answers: Answers,
) -> io::Result<Receiver<io::Result<Message>>> {
    let (sender, receiver) = unbounded();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let send =
            |keys: Vec<Key>| keys.into_iter().all(|key| sender.send(Ok(Message::Key(key))).is_ok());
        let mut goes_on = send(typed);
        while goes_on {
            // An Escape that begins no answer is the user's.
            if answers.is_in_doubt() && !event::poll(PAUSE).unwrap_or(true) {
                goes_on = send(answers.give_back());
                continue;
            }
            goes_on = match event::read().map(message).transpose() {
                None => true,
                Some(Ok(Message::Key(key))) => send(answers.take(key)),
                Some(message) => {
                    let is_sound = message.is_ok();
                    sender.send(message).is_ok() && is_sound
                }
            };
        }
    })?;
    Ok(receiver)
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
        MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
        MouseEventKind::Up(MouseButton::Left) => MouseAction::Release,
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
