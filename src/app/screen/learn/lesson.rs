//! One lesson: a file in `assets/lessons`, easy to read and to add to.
//!
//! ```text
//! title: A sentence becomes eight bits      the words of the list
//! one: hello world simhash                  the texts that the Playground begins with
//! two: hello world
//! recipe: words:1 tf bits=8                 its recipe; its width applies to all pictures
//! k: 3                                      the k of all pictures
//! layout: 3x18                              the layout of Tables and Curve, as in Layouts
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

use std::fmt::Display;
use std::str::FromStr;

use super::check::Check;
use crate::analysis::LayoutChoice;
use crate::app::screen::ViewId;
use crate::choice::choice;
use crate::simhash::Recipe;

/// The line between two pages.
const BETWEEN: &str = "\n---\n";

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
    /// The layout of the pictures.
    pub layout: LayoutChoice,
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

impl LessonPage {
    /// Whether the page waits for a typed answer.
    pub fn asks(&self) -> bool {
        self.checks.iter().any(Check::is_of_the_answer)
    }

    /// Whether the page waits for a typed number.
    pub fn asks_for_a_number(&self) -> bool {
        self.checks.iter().any(Check::is_of_a_number)
    }

    /// Takes a line of the page's head. A line about the state of the pictures makes the page begin anew.
    fn head(&mut self, name: &str, value: &str) -> Result<(), String> {
        let setup = &mut self.setup;
        self.begins_anew |=
            matches!(name, "one" | "two" | "recipe" | "k" | "layout" | "flip" | "begin");
        match name {
            "one" => value.clone_into(&mut setup.texts[0]),
            "two" => value.clone_into(&mut setup.texts[1]),
            "recipe" => setup.recipe = parsed(value)?,
            "k" => setup.k = Some(parsed(value)?),
            "layout" => setup.layout = parsed(value)?,
            "flip" => {
                let bits = value.split(',').filter(|bit| !bit.is_empty());
                let bits: Vec<u32> = bits.map(parsed).collect::<Result<_, _>>()?;
                setup.flips = bits.into_iter().fold(0, |all, bit| all | 1 << bit);
            }
            "begin" => {}
            "view" => self.picture = parsed(value)?,
            "check" => self.checks.push(parsed(value)?),
            "wrong" => self.wrong.push(parsed(value)?),
            "formula" => value.clone_into(&mut self.formula),
            "right" => value.clone_into(&mut self.right),
            "hide" => self.hidden.extend(value.split_whitespace().map(str::to_owned)),
            _ => return Err(format!("{name:?} is unknown")),
        }
        Ok(())
    }

    /// Takes the paragraphs below the page's head; one that begins with > is the task.
    fn body(&mut self, text: &str) {
        for paragraph in text.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
            let lines = paragraph.lines().map(|line| line.trim_start_matches('>').trim());
            let words = lines.collect::<Vec<_>>().join(" ");
            if paragraph.starts_with('>') {
                self.task = words;
            } else {
                self.paragraphs.push(words);
            }
        }
    }
}

/// The value of a line of a head.
fn parsed<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error| format!("{value:?}: {error}"))
}

impl FromStr for Lesson {
    type Err = String;

    /// Reads a lesson. Its head is that of a page before the first one, with a title.
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut lesson, mut page) = (Self::default(), LessonPage::default());
        for part in text.split(BETWEEN) {
            let (head, body) = part.split_once("\n\n").unwrap_or((part, ""));
            for line in head.lines() {
                let field = line.split_once(':');
                let (name, value) = field.ok_or_else(|| format!("{line:?} has no colon"))?;
                match name {
                    "title" => value.trim().clone_into(&mut lesson.title),
                    _ => page.head(name, value.trim())?,
                }
            }
            page.body(body);
            let (picture, setup) = (page.picture, page.setup.clone());
            let next = LessonPage { picture, setup, ..LessonPage::default() };
            lesson.pages.push(std::mem::replace(&mut page, next));
        }
        lesson.pages.remove(0);
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
        assert_eq!(second.setup.layout, LayoutChoice::Bands { bands: 3, bits: 18 });
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
    fn each_mistake_is_named() {
        for (text, says) in [
            ("title: x\nvow: Step\n", "\"vow\" is unknown"),
            ("title x\n", "no colon"),
            ("title: x\n---\ncheck: k about 3\n", "not a comparison"),
            ("title: x\n---\ncheck: k\n", "not a comparison"),
            ("title: x\nlayout: 9by9\n", "write bands x bits"),
            ("title: x\n---\nview: Nowhere\n", "choose one of"),
        ] {
            let error = text.parse::<Lesson>().unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
