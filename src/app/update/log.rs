//! The log of notices: kept after each message, read in a list.
//!
//! The notice is compared with the notice before the message, so actions need not keep notices themselves.

use std::time::Duration;

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

/// Seconds that a notice is shown at least.
const SHOWN: u64 = 10;
/// Bytes of a long notice that are read in a second.
const READ: u64 = 10;

/// Sets when a new notice ends by itself: never if it asks something, or says that something went wrong.
pub(super) fn set_end(app: &mut App, before: Option<&String>) {
    let Some(notice) = &app.notice else { return app.notice_ends = None };
    let asks = app.confirming.is_some() || app.leaving || app.waiting != WaitingKeys::default();
    if Some(notice) != before {
        let time = Duration::from_secs(SHOWN.max(notice.len() as u64 / READ));
        app.notice_ends = (!asks && !app.notice_stays).then(|| app.log.now + time);
    }
}

/// A key for the list; false when it is done.
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
