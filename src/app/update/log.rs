//! The log of notices: kept after each message, read in a list.
//!
//! The notice is compared with the notice before the message, so actions need not keep notices themselves.

use super::super::{
    App, Effect,
    cursor::Cursor,
    key::{BareKey, Key},
    log::LogEntry,
    waiting::WaitingKeys,
};
use crate::number::counted;

/// Keeps the notice, unless it was shown `before`, or shows the keys of an incomplete count.
pub(super) fn record(app: &mut App, before: Option<&String>) {
    if app.waiting != WaitingKeys::default() {
        return;
    }
    if let Some(notice) = app.notice.as_ref().filter(|it| Some(*it) != before) {
        app.log.add(notice.clone());
    }
}

/// Takes a key for the list; false if the list closes.
pub(super) fn on_key(
    app: &mut App,
    cursor: &mut Cursor,
    key: Key,
    effects: &mut Vec<Effect>,
) -> bool {
    let (n, page) = (app.log.entries().len(), app.size.body().saturating_sub(6));
    match key.code {
        BareKey::Down | BareKey::Char('j') => cursor.step(1, n, page),
        BareKey::Up | BareKey::Char('k') => cursor.step(-1, n, page),
        BareKey::PageDown => cursor.step(page as isize, n, page),
        BareKey::PageUp => cursor.step(-(page as isize), n, page),
        BareKey::Home | BareKey::Char('g') => cursor.select(0, n, page),
        BareKey::End | BareKey::Char('G') => cursor.select(n, n, page),
        BareKey::Char('y') => {
            if let Some(entry) = app.log.get(cursor.selected) {
                effects.push(Effect::Copy(entry.text.clone()));
                app.notice = Some("copied the selected notice".to_owned());
            }
        }
        BareKey::Char('Y') => {
            let line = |entry: &LogEntry| format!("{}\t{}\n", entry.time(), entry.text);
            effects.push(Effect::Copy(app.log.entries().map(line).collect()));
            app.notice = Some(format!("copied {}", counted(n as u64, "notice")));
        }
        BareKey::Char('q' | '@') | BareKey::Enter => return false,
        _ => {}
    }
    true
}
