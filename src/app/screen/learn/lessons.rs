//! The list of lessons, the open lesson, and the finished ones.

use std::collections::BTreeSet;

use super::lesson::{Lesson, LessonPage, Picture};
use crate::app::cursor::Cursor;
use crate::app::screen::ViewId;

/// Declares the lessons of these files, in the order they are offered.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../../assets/lessons/", $name, ".txt")))),+]
    };
}

/// Every lesson with its name, in the order of the list. To add a lesson, write the file and name it here.
pub const FILES: [(&str, &str); 12] = files![
    "neighbours",
    "eight-bits",
    "few-votes",
    "angle",
    "shingles",
    "tables",
    "price",
    "bands",
    "minhash",
    "precision",
    "choose-k",
    "sample",
];

/// A place in Learn.
#[derive(Clone, Debug, Default)]
pub struct LearnPlace {
    /// The lesson by its name or its number in the list; `None` for the list.
    pub lesson: Option<String>,
    /// The page of the lesson, from 1; `None` for the first.
    pub page: Option<usize>,
}

/// The state of the Lessons view and of the open lesson.
#[derive(Clone, Debug, Default)]
pub struct LessonsState {
    /// Every lesson.
    pub all: Vec<Lesson>,
    /// The cursor in the list.
    pub cursor: Cursor,
    /// The lesson that was begun last.
    pub active: Option<usize>,
    /// Whether it is open; else it can be resumed.
    pub is_open: bool,
    /// The shown page of the open lesson.
    pub page: usize,
    /// Pages of it that are done: those before this one.
    pub n_done: usize,
    /// The answer last typed on this page, right or wrong.
    pub answer: Option<String>,
    /// The number of wrong answers on this page.
    pub n_wrong: usize,
    /// Whether anything was done on this page: until then nothing is said to be missing.
    pub has_acted: bool,
    /// Whether the text shows, and not the task alone, where the picture has no room beside it.
    pub shows_text: bool,
    /// The words about the open page, once it is done and until it is turned: true of the moment it was done.
    pub remark: Option<String>,
    /// The page whose praise was scrolled to, while it shows.
    pub(in crate::app) praised: Option<usize>,
    /// The names of those done.
    pub done: BTreeSet<String>,
}

impl LessonsState {
    /// The state at the beginning, with every lesson.
    ///
    /// # Panics
    /// If a lesson of the program cannot be read.
    pub fn new() -> Self {
        let read = |(name, text): &(&str, &str)| {
            let lesson: Lesson =
                text.parse().unwrap_or_else(|error| panic!("assets/lessons/{name}.txt: {error}"));
            Lesson { name: (*name).to_owned(), ..lesson }
        };
        Self { all: FILES.iter().map(read).collect(), ..Self::default() }
    }

    /// The open lesson.
    pub fn active(&self) -> Option<&Lesson> {
        self.all.get(self.active.filter(|_| self.is_open)?)
    }

    /// The shown page of the open lesson.
    pub fn open_page(&self) -> Option<&LessonPage> {
        self.active()?.pages.get(self.page)
    }

    /// The picture of the open page that shows in place of the list, if it is none of a view.
    pub fn picture(&self) -> Option<Picture> {
        let picture = self.open_page()?.picture;
        (picture.view() == ViewId::Lessons).then_some(picture)
    }

    /// Whether the page that shows is done.
    pub fn is_page_done(&self) -> bool {
        self.page < self.n_done
    }

    /// Whether every page of the lesson that was begun is done.
    pub fn has_passed(&self) -> bool {
        let lesson = self.active.and_then(|number| self.all.get(number));
        lesson.is_some_and(|lesson| self.n_done >= lesson.pages.len())
    }

    /// Whether the open page waits for an answer.
    pub fn asks(&self) -> bool {
        !self.is_page_done() && self.open_page().is_some_and(LessonPage::asks)
    }

    /// The facts that pictures hide, because the first page that is not done asks for them.
    fn hidden(&self) -> &[String] {
        let page = self.active().and_then(|lesson| lesson.pages.get(self.n_done));
        page.map_or(&[], |page| &page.hidden)
    }

    /// Whether pictures hide a fact.
    pub fn hides(&self, fact: &str) -> bool {
        self.hidden().iter().any(|hidden| hidden == fact)
    }

    /// Whether pictures hide anything.
    pub fn hides_anything(&self) -> bool {
        !self.hidden().is_empty()
    }

    /// The way on from the open page, once it is done.
    pub fn way_on(&self) -> String {
        let is_last = self.active().is_some_and(|lesson| self.page + 1 >= lesson.pages.len());
        match self.next() {
            Some(next) if is_last => format!("Enter goes on to lesson {}.", next + 1),
            None if is_last => "That was the last lesson. Esc goes to the list.".to_owned(),
            _ => "Enter goes on.".to_owned(),
        }
    }

    /// The next lesson that is not done, round the end.
    pub fn next(&self) -> Option<usize> {
        let from = self.active.map_or(0, |active| active + 1);
        (from..self.all.len()).chain(0..from).find(|&number| !self.is_done(number))
    }

    /// The number of lessons that are done.
    pub fn n_finished(&self) -> usize {
        self.all.iter().filter(|lesson| self.done.contains(&lesson.name)).count()
    }

    /// Whether the lesson of this number is done.
    pub fn is_done(&self, number: usize) -> bool {
        self.all.get(number).is_some_and(|lesson| self.done.contains(&lesson.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::screen::learn::check::Check;
    use crate::app::screen::learn::facts::FACTS;
    use crate::app::screen::learn::{GAME_K, GAME_WIDTH};
    use crate::evaluate::interval;
    use crate::simhash::Fingerprinter;

    #[test]
    fn every_file_is_offered_and_names_only_known_facts() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/lessons");
        let files = std::fs::read_dir(folder).unwrap().count();
        let lessons = LessonsState::new().all;
        assert_eq!((files, lessons.len()), (FILES.len(), FILES.len()));
        let is_known = |fact: &str| FACTS.iter().any(|(known, _)| *known == fact);
        for page in lessons.iter().flat_map(|lesson| &lesson.pages) {
            let checks = || page.checks.iter().chain(&page.wrong);
            let own = [&page.right, &page.task, &page.formula].into_iter();
            let sentences =
                own.chain(&page.paragraphs).chain(page.wrong.iter().map(|it| &it.reason));
            let in_sentences = sentences.flat_map(|it| it.split('{').skip(1)).map(|rest| {
                let inside = rest.split_once('}').unwrap().0;
                inside.split([':', '%']).next().unwrap()
            });
            for fact in checks().flat_map(Check::facts).chain(in_sentences) {
                assert!(is_known(fact), "{fact}: {page:?}");
            }
            // Names of parts of a picture without a single value can be hidden, too.
            let parts = ["sums", "hash.minhash", "price.tables", "only.b"];
            let is_part = |hidden: &str| parts.contains(&hidden) || is_known(hidden);
            assert!(page.hidden.iter().all(|hidden| is_part(hidden)), "{page:?}");
        }
        // A lesson keeps its weights whatever those of the program are.
        for recipe in
            FILES.iter().flat_map(|it| it.1.lines()).filter(|it| it.starts_with("recipe:"))
        {
            assert!(recipe.contains(" tf ") || recipe.contains(" binary "), "{recipe}");
        }
    }

    #[test]
    fn every_page_has_a_text_and_only_a_task_has_checks() {
        for lesson in LessonsState::new().all {
            // A lesson whose last page has no check would be done by turning pages.
            assert!(!lesson.title.is_empty() && !lesson.pages.last().unwrap().checks.is_empty());
            for page in &lesson.pages {
                assert!(!page.paragraphs.is_empty() || !page.task.is_empty(), "{page:?}");
                assert_eq!(page.checks.is_empty(), page.task.is_empty(), "{page:?}");
                assert!(page.wrong.iter().all(|wrong| !wrong.reason.is_empty()), "{page:?}");
                let setup = &page.setup;
                assert!(Fingerprinter::new(&setup.recipe).unwrap().is_ready(), "{page:?}");
                assert!(setup.layout.layout(0, GAME_WIDTH, GAME_K).is_ok());
                assert_eq!(setup.flips >> GAME_WIDTH, 0, "{page:?}");
            }
        }
    }

    #[test]
    fn an_interval_in_a_lesson_is_the_one_that_is_printed() {
        let texts = FILES.map(|it| it.1).concat();
        let (low, high) = interval::cosine(3, 64);
        let said = format!("95 % confidence between {low:.3} and {high:.3}: the interval that");
        assert!(texts.contains(&said), "{said}");
        let (least, _) = interval::jeffreys(29, 29, 2.0 * interval::LEVEL - 1.0);
        assert!(texts.contains(&format!("After 29 times yes that is {least:.3}")), "{least}");
        assert_eq!(texts.matches("95 %").count(), 1);
    }
}
