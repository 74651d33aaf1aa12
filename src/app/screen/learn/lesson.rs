//! One lesson: a file in `assets/lessons`, easy to read and to add to.
//!
//! ```text
//! title: A sentence becomes eight bits      the words of the list
//! one: hello world simhash                  the texts that the Playground begins with
//! two: hello world
//! recipe: words:1 tf bits=8                 its recipe; its width applies to all pictures
//! k: 3                                      the k of all pictures
//! layout: 3x18                              the layout of Tables and Curve; a number N means N blocks
//! flip: 40,5                                bits of Tables in which the pair differs; bit 0 is the last one
//! ---                                       a page: a picture, an explanation, perhaps a task
//! view: Votes                               the picture; a line that is left out has the value of the page before
//! begin: anew                               restore the beginning of all pictures; a page with a recipe does so, too
//! check: answer = 3 within 0.5              all checks must hold; facts.rs lists the facts there are
//! wrong: answer = 4 | the reason            shown while that holds and the page is not done
//! right: {distance} bits differ             shown when the page is done
//! hide: distance                            a fact that the picture hides until the page is done
//!
//! Paragraphs; {distance} is the present value of the fact, {cosine:2} has two decimals, {recall%} is in percent.
//!
//! > The task; a page without a task has no checks.
//! ```

use std::str::FromStr;

use super::check::Check;
use super::facts::named;
use super::game::LAYOUTS;
use crate::app::screen::ViewId;
use crate::choice::choice;
use crate::index::LayoutKind;
use crate::simhash::fingerprint::MAX_WIDTH;
use crate::simhash::{Fingerprinter, Recipe};

/// The line between two pages.
const BETWEEN: &str = "---";

choice! {
    /// The picture of a page of a lesson.
    pub enum Picture, "view" {
        /// The Playground.
        #[default]
        Playground = "Playground",
        /// The two texts under a usual hash, MinHash and SimHash.
        Hashes = "Hashes",
        /// The words of both texts in several orders, and the smallest number of each text.
        MinHash = "MinHash",
        /// The votes of the first text, a row for each feature.
        Votes = "Votes",
        /// Two fingerprints, the bits in which they differ, and the tables that have both together.
        Tables = "Tables",
        /// The Angle view.
        Angle = "Angle",
        /// The tables of the layouts that guarantee k, and the rows that a query reads by chance.
        Price = "Price",
        /// The share of pairs that the layout finds, by their cosine.
        Curve = "Curve",
        /// The distances of the selected document from itself with some words changed.
        Wear = "Wear",
    }
}

impl Picture {
    /// The view that shows it.
    pub fn view(self) -> ViewId {
        match self {
            Self::Playground => ViewId::Playground,
            Self::Angle => ViewId::Angle,
            _ => ViewId::Lessons,
        }
    }
}

/// A lesson.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// The name under which the lesson is remembered.
    pub name: String,
    /// The subject of the lesson.
    pub title: String,
    /// The pages, in order; at least one.
    pub pages: Vec<LessonPage>,
}

/// The state that the pictures of a page begin with.
#[derive(Clone, Debug, Default)]
pub struct LessonSetup {
    /// The texts of the Playground.
    pub texts: [String; 2],
    /// The recipe of the Playground; its width applies to all pictures.
    pub recipe: Recipe,
    /// The k of the pictures; `None` for the k of the program.
    pub k: Option<u32>,
    /// The layout that pictures begin with; `None` for their default.
    pub layout: Option<LayoutKind>,
    /// The bits in which the pair of Tables differs.
    pub flips: u128,
}

/// A page of a lesson.
#[derive(Clone, Debug, Default)]
pub struct LessonPage {
    /// The picture beside the text.
    pub picture: Picture,
    /// The state that the pictures begin with.
    pub setup: LessonSetup,
    /// Whether this page restores that state.
    pub begins_anew: bool,
    /// The conditions under which the page is done.
    pub checks: Vec<Check>,
    /// Mistakes, each with the reason why it is one.
    pub wrong: Vec<Check>,
    /// The way to the answer, told at the second wrong one; empty if there is none.
    pub formula: String,
    /// The words that are shown when the page is done.
    pub right: String,
    /// The facts that are hidden until the page is done.
    pub hidden: Vec<String>,
    /// The explanation, in paragraphs.
    pub paragraphs: Vec<String>,
    /// The task; empty if there is none.
    pub task: String,
}

/// The reason why a lesson cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("lesson line {line}: {problem}")]
pub struct LessonError {
    /// The line, from 1.
    pub line: usize,
    /// The problem there.
    pub problem: String,
}

impl LessonSetup {
    /// Takes a line of a head; false if its name is not one of these.
    fn head(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "one" => value.clone_into(&mut self.texts[0]),
            "two" => value.clone_into(&mut self.texts[1]),
            "recipe" => {
                let recipe: Recipe = value.parse().map_err(|error| format!("{error}"))?;
                let stands_alone = Fingerprinter::new(&recipe).is_ok_and(|it| it.is_ready());
                if !stands_alone {
                    return Err(format!(
                        "{value:?} needs a corpus; choose binary, tf or log-tf, and no stop words"
                    ));
                }
                self.recipe = recipe;
            }
            "k" => {
                let k = value.parse().ok().filter(|k| *k <= MAX_WIDTH);
                self.k =
                    Some(k.ok_or_else(|| format!("{value:?} is not a k; write 0 to {MAX_WIDTH}"))?);
            }
            "layout" => {
                let found = LAYOUTS.iter().find(|(name, _)| *name == value);
                let names = LAYOUTS.map(|(name, _)| name).join(", ");
                let unknown = || format!("no layout {value:?}; choose {names}");
                self.layout = Some(found.ok_or_else(unknown)?.1);
            }
            "flip" => {
                let bits = value.split(',').map(str::trim).filter(|bit| !bit.is_empty());
                let flipped = bits.map(|bit| bit.parse().ok().filter(|bit: &u32| *bit < 64));
                let mut flips = flipped.map(|bit| Some(1_u128 << bit?));
                let flips = flips.try_fold(0, |all, flip| Some(all | flip?));
                self.flips = flips.ok_or_else(|| format!("{value:?} are no bits from 0 to 63"))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl LessonPage {
    /// Whether the page waits for a typed answer.
    pub fn asks(&self) -> bool {
        self.checks.iter().any(Check::is_of_the_answer)
    }

    /// Whether the page waits for a typed number.
    pub fn asks_for_a_number(&self) -> bool {
        self.checks.iter().any(Check::is_of_a_number)
    }

    /// The sentences that may name facts.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        let reasons = self.wrong.iter().map(|wrong| wrong.reason.as_str());
        let own = [self.right.as_str(), self.task.as_str(), self.formula.as_str()];
        self.paragraphs.iter().map(String::as_str).chain(reasons).chain(own)
    }

    /// Takes a line of the page's head.
    fn head(&mut self, name: &str, value: &str) -> Result<(), String> {
        if self.setup.head(name, value)? {
            self.begins_anew = true;
            return Ok(());
        }
        match name {
            "view" => self.picture = value.parse().map_err(|error| format!("{error}"))?,
            "check" => self.checks.push(value.parse()?),
            "wrong" => {
                let wrong: Check = value.parse()?;
                if wrong.reason.is_empty() {
                    return Err(format!("{value:?} has no reason; write it after a |"));
                }
                self.wrong.push(wrong);
            }
            "begin" if value == "anew" => self.begins_anew = true,
            "formula" => value.clone_into(&mut self.formula),
            "right" => value.clone_into(&mut self.right),
            "hide" => self.hidden.extend(value.split_whitespace().map(str::to_owned)),
            other => {
                return Err(format!(
                    "{other:?} is unknown; choose view, one, two, recipe, k, layout, flip, check, wrong, formula, right or hide"
                ));
            }
        }
        Ok(())
    }

    /// Takes the lines below the page's head.
    fn body<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        let mut open = false;
        for line in lines.map(str::trim) {
            if let Some(task) = line.strip_prefix('>') {
                let gap = if self.task.is_empty() { "" } else { " " };
                self.task += &format!("{gap}{}", task.trim());
                open = false;
            } else if line.is_empty() {
                open = false;
            } else if let Some(paragraph) = self.paragraphs.last_mut().filter(|_| open) {
                *paragraph += &format!(" {line}");
            } else {
                self.paragraphs.push(line.to_owned());
                open = true;
            }
        }
    }
}

impl Lesson {
    /// The facts that the lesson names in its checks and sentences.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().flat_map(|page| {
            let checked = page.checks.iter().chain(&page.wrong).flat_map(Check::facts);
            let in_sentences = page.sentences().flat_map(named).map(|(name, _)| name);
            checked.chain(in_sentences).chain(page.hidden.iter().map(String::as_str))
        })
    }
}

/// A line of a head: its name and value.
fn field(line: &str) -> Result<(&str, &str), String> {
    let (name, value) =
        line.split_once(':').ok_or_else(|| format!("{line:?} has no colon; write `title: ..`"))?;
    Ok((name.trim(), value.trim()))
}

impl FromStr for Lesson {
    type Err = LessonError;

    fn from_str(text: &str) -> Result<Self, LessonError> {
        let mut lesson = Self::default();
        let mut setup = LessonSetup::default();
        let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
        let mut parts = lines.split(|(_, line)| line.trim() == BETWEEN);
        let at = |line: usize| move |problem: String| LessonError { line: line + 1, problem };
        let head = parts.next().unwrap_or_default();
        for &(number, line) in head.iter().filter(|(_, line)| !line.trim().is_empty()) {
            let (name, value) = field(line).map_err(at(number))?;
            if name == "title" {
                value.clone_into(&mut lesson.title);
            } else if !setup.head(name, value).map_err(at(number))? {
                let problem = format!(
                    "{name:?} is unknown; choose title, one, two, recipe, k, layout or flip"
                );
                return Err(at(number)(problem));
            }
        }
        for part in parts {
            let first = part.first().map_or(0, |(number, _)| *number);
            let picture = lesson.pages.last().map_or_else(Picture::default, |page| page.picture);
            let before = lesson.pages.last().map_or(&setup, |page| &page.setup);
            let mut page = LessonPage { picture, setup: before.clone(), ..LessonPage::default() };
            let end = part.iter().position(|(_, line)| line.trim().is_empty());
            let (head, body) = part.split_at(end.unwrap_or(part.len()));
            for &(number, line) in head {
                let (name, value) = field(line).map_err(at(number))?;
                page.head(name, value).map_err(at(number))?;
            }
            page.body(body.iter().map(|(_, line)| *line));
            if page.paragraphs.is_empty() && page.task.is_empty() {
                return Err(at(first)("the page has no text; add a paragraph".to_owned()));
            }
            if page.checks.is_empty() != page.task.is_empty() {
                let problem =
                    "a task (a line that begins with >) needs a check, and a check a task";
                return Err(at(first)(problem.to_owned()));
            }
            lesson.pages.push(page);
        }
        if lesson.title.is_empty() {
            return Err(at(0)("there is no title; add one".to_owned()));
        }
        if lesson.pages.last().is_none_or(|page| page.checks.is_empty()) {
            let problem =
                "the last page has no check, so the lesson would be done by turning pages";
            return Err(at(0)(problem.to_owned()));
        }
        Ok(lesson)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_read_as_it_is_written() {
        let text = "title: Ties\none: a b\nrecipe: words:1 bits=8\nk: 2\nlayout: 3x18\n\
                    ---\nview: Votes\n\nOne\nline.\n\nTwo.\n\
                    ---\ncheck: ties.a = 0\nwrong: ties.a > 3 | too many\nright: {ties.a} left\nhide: cosine\ntwo: c\n\
                    \nThree.\n\n> Do this\n> now.\n";
        let lesson: Lesson = text.parse().unwrap();
        let [first, second] = &lesson.pages[..] else { panic!("two pages") };
        assert_eq!((lesson.title.as_str(), second.setup.recipe.bits), ("Ties", 8));
        assert_eq!((&second.setup.texts, second.setup.k), (&["a b".into(), "c".into()], Some(2)));
        assert_eq!(second.setup.layout, Some(LayoutKind::Bands { bands: 3, bits: 18 }));
        assert_eq!((first.begins_anew, second.begins_anew), (false, true));
        assert_eq!(first.paragraphs, ["One line.", "Two."]);
        assert_eq!((first.picture, second.picture), (Picture::Votes, Picture::Votes));
        assert_eq!(
            (second.task.as_str(), second.right.as_str()),
            ("Do this now.", "{ties.a} left")
        );
        assert_eq!((second.wrong[0].reason.as_str(), &*second.hidden[0]), ("too many", "cosine"));
        assert_eq!((first.asks(), second.asks()), (false, false));
    }

    #[test]
    fn each_mistake_is_named_with_its_line() {
        for (text, line, says) in [
            ("title: x\nvow: Step\n", 2, "choose title"),
            ("title x\n", 1, "no colon"),
            ("title: x\n---\ncheck: k about 3\n", 3, "not a relation"),
            ("title: x\n---\ncheck: k\n", 3, "not a comparison"),
            ("title: x\n---\nwrong: k = 3\n", 3, "no reason"),
            ("title: x\nlayout: 9x9\n", 2, "choose 3, 4"),
            ("title: x\nk: 4000000000\n", 2, "0 to 128"),
            ("title: x\nflip: 3,64\n", 2, "0 to 63"),
            ("title: x\nrecipe: words:1 tf-idf\n", 2, "needs a corpus"),
            ("title: x\n---\nview: Nowhere\n", 3, "choose one of"),
            ("title: x\n---\nview: Votes\n\n", 3, "no text"),
            ("title: x\n---\ncheck: k = 3\n\ntext\n", 3, "a check a task"),
            ("title: x\n---\n\ntext\n", 1, "the last page has no check"),
            ("one: x\n---\ncheck: k = 3\n\ntext\n\n> do\n", 1, "no title"),
        ] {
            let error = text.parse::<Lesson>().unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.problem.contains(says), "{error}");
        }
    }
}
