//! The log of this run: the notices and errors that were shown, to be read again.

use std::{collections::VecDeque, time::Duration};

use super::cursor::Cursor;

/// Entries that are kept; the oldest go first.
const MOST: usize = 500;

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The time since the program began.
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
    /// The time since the program began. The terminal layer sets it, because `app` knows no clock.
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

    pub(super) fn add(&mut self, text: String) {
        if self.entries.len() == MOST {
            self.entries.pop_front();
        }
        self.entries.push_back(LogEntry { at: self.now, text });
    }
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
