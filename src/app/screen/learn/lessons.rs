//! The lessons there are, the one being done, and those that are done.

use std::collections::BTreeSet;

use super::lesson::Lesson;
use crate::app::cursor::Cursor;

/// Every lesson with its name, in the order they are offered. To add one, write the file and name it here.
pub const FILES: [(&str, &str); 10] = [
    ("eight-bits", include_str!("../../../../assets/lessons/eight-bits.txt")),
    ("order", include_str!("../../../../assets/lessons/order.txt")),
    ("domination", include_str!("../../../../assets/lessons/domination.txt")),
    ("ties", include_str!("../../../../assets/lessons/ties.txt")),
    ("angle", include_str!("../../../../assets/lessons/angle.txt")),
    ("three-bits", include_str!("../../../../assets/lessons/three-bits.txt")),
    ("wear", include_str!("../../../../assets/lessons/wear.txt")),
    ("tables", include_str!("../../../../assets/lessons/tables.txt")),
    ("bands", include_str!("../../../../assets/lessons/bands.txt")),
    ("choose-k", include_str!("../../../../assets/lessons/choose-k.txt")),
];

/// The state of the Lessons view.
#[derive(Clone, Debug)]
pub struct LessonsState {
    /// Every lesson.
    pub all: Vec<Lesson>,
    /// Selection among them.
    pub cursor: Cursor,
    /// The lesson being done.
    pub active: Option<usize>,
    /// The number typed as its answer, if it was right.
    pub answer: Option<f64>,
    /// Whether it was finished since it was started.
    pub passed: bool,
    /// The number of its parts that were finished at the last check.
    pub n_parts: usize,
    /// The names of those done.
    pub done: BTreeSet<String>,
    /// First row of the lesson's text shown.
    pub top: usize,
}

impl Default for LessonsState {
    fn default() -> Self {
        let read = |(name, text): &(&str, &str)| {
            text.parse().unwrap_or_else(|error| panic!("assets/lessons/{name}.txt: {error}"))
        };
        let all = FILES.iter().map(read).collect();
        let (cursor, done) = (Cursor::default(), BTreeSet::new());
        Self { all, cursor, active: None, answer: None, passed: false, n_parts: 0, done, top: 0 }
    }
}

impl LessonsState {
    /// The lesson being done.
    pub fn active(&self) -> Option<&Lesson> {
        self.all.get(self.active?)
    }

    /// Whether the open lesson waits for a number.
    pub fn asks(&self) -> bool {
        let asks = self.active().is_some_and(|lesson| lesson.question().is_some());
        asks && !self.passed && self.answer.is_none()
    }

    /// The next lesson that is not done, round the end.
    pub fn next(&self) -> Option<usize> {
        let from = self.active.map_or(0, |active| active + 1);
        (from..self.all.len()).chain(0..from).find(|&number| !self.is_done(number))
    }

    /// Whether the lesson of this number is done.
    pub fn is_done(&self, number: usize) -> bool {
        FILES.get(number).is_some_and(|(name, _)| self.done.contains(*name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::screen::learn::facts::NAMES;

    #[test]
    fn every_file_is_offered_and_checks_only_known_facts() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/lessons");
        let files = std::fs::read_dir(folder).unwrap().count();
        let lessons = LessonsState::default().all;
        assert_eq!((files, lessons.len()), (FILES.len(), FILES.len()));
        for lesson in &lessons {
            for fact in lesson.checks.iter().flat_map(super::super::lesson::Check::facts) {
                assert!(NAMES.contains(&fact), "{}: {fact}", lesson.title);
            }
        }
    }
}
