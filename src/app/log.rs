//! The log of this run: the notices and errors that showed, to be read again.
//!
//! After every message the notice is compared with the one before it, so no action has to say that it is to be
//! kept.

use std::{collections::VecDeque, time::Duration};

use super::{App, Effect, cursor::Cursor, key::BareKey, key::Key};
use crate::number::counted;

/// Entries that are kept; the oldest go first.
const MOST: usize = 500;

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The time since the program began, as the rim told it.
    pub at: Duration,
    /// Its text.
    pub text: String,
}

impl LogEntry {
    /// The time as `m:ss`, minutes since the beginning.
    pub fn time(&self) -> String {
        let seconds = self.at.as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

/// The notices of this run, the newest last.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The time since the program began. The rim sets it: the program knows no clock.
    pub now: Duration,
    entries: VecDeque<LogEntry>,
}

impl Log {
    /// The entries, the oldest first.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &LogEntry> {
        self.entries.iter()
    }

    /// An entry by its place, from 0.
    pub fn get(&self, at: usize) -> Option<&LogEntry> {
        self.entries.get(at)
    }

    /// A cursor on the newest entry.
    pub(super) fn newest(&self) -> Cursor {
        Cursor { selected: self.entries.len().saturating_sub(1), top: 0 }
    }

    fn add(&mut self, text: String) {
        if self.entries.len() == MOST {
            self.entries.pop_front();
        }
        self.entries.push_back(LogEntry { at: self.now, text });
    }
}

/// Keeps the notice, unless it is the one that showed `before`.
pub(super) fn record(app: &mut App, before: Option<&String>) {
    if let Some(notice) = app.notice.as_ref().filter(|it| Some(*it) != before) {
        app.log.add(notice.clone());
    }
}

/// A key for the list; false when it is done.
pub(super) fn on_key(
    app: &mut App,
    cursor: &mut Cursor,
    key: Key,
    effects: &mut Vec<Effect>,
) -> bool {
    let (n, page) = (app.log.entries.len(), app.size.body().saturating_sub(6));
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
            effects.push(Effect::Copy(app.log.entries.iter().map(line).collect()));
            app.notice = Some(format!("copied {}", counted(n as u64, "notice")));
        }
        BareKey::Char('q' | '@') | BareKey::Enter => return false,
        _ => {}
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_an_end() {
        let mut log = Log::default();
        for n in 0..MOST + 5 {
            log.now = Duration::from_secs(n as u64);
            log.add(n.to_string());
        }
        assert_eq!((log.entries().len(), &*log.get(0).unwrap().text), (MOST, "5"));
        assert_eq!(log.get(MOST - 1).unwrap().time(), "8:24");
        assert_eq!(log.newest().selected, MOST - 1);
    }
}
