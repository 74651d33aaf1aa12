//! One lesson: a file in `assets/lessons`, easy to read and to add to.
//!
//! ```text
//! title: A sentence becomes eight bits      what the list says
//! view: Step                                the view it is done in; k and Tune stand elsewhere
//! left: hello world simhash                 what the Playground begins with
//! right: hello world
//! recipe: words:1 tf bits=8
//! layout: 3x18                              what Tables and Angle begin with; a number is so many blocks
//! check: step = steps                       all checks must hold; facts.rs lists what they may name
//! check: answer = 3 within 0.5 | count ..   one with words is a part of the lesson, done in this order
//!
//! What there is to know, in paragraphs.
//!
//! > What there is to do.
//! ```

use std::{fmt, str::FromStr};

use super::game;
use crate::{
    app::screen::{Screen, ViewId},
    index::LayoutKind,
    simhash::Recipe,
};

/// A lesson.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The subject of the lesson.
    pub title: String,
    /// The view in which it is done.
    pub view: ViewId,
    /// The texts that the Playground begins with.
    pub texts: [String; 2],
    /// The recipe of the Playground.
    pub recipe: Recipe,
    /// The layout that Tables begins with, and Angle where these are bands; `None` for their usual one.
    pub layout: Option<LayoutKind>,
    /// The conditions under which the lesson is done.
    pub checks: Vec<Check>,
    /// The explanation, in paragraphs.
    pub paragraphs: Vec<String>,
    /// The task.
    pub task: String,
}

/// A comparison of two facts, or of a fact and a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    left: Term,
    relation: Relation,
    right: Term,
    /// The largest difference of two values that still count as equal.
    within: f64,
    /// The task of this check, where it is a part of the lesson; else empty.
    pub part: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Fact(String),
    Number(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
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

impl Check {
    /// Whether it holds, given the facts; with an unknown fact it does not.
    pub fn holds(&self, fact: &dyn Fn(&str) -> Option<f64>) -> bool {
        let value = |term: &Term| match term {
            Term::Fact(name) => fact(name),
            Term::Number(number) => Some(*number),
        };
        let (Some(left), Some(right)) = (value(&self.left), value(&self.right)) else {
            return false;
        };
        let equal = (left - right).abs() <= self.within;
        match self.relation {
            Relation::Equal => equal,
            Relation::Unequal => !equal,
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::More => left > right,
            Relation::AtLeast => left >= right,
        }
    }

    /// The facts it names.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        [&self.left, &self.right].into_iter().filter_map(|term| match term {
            Term::Fact(name) => Some(name.as_str()),
            Term::Number(_) => None,
        })
    }
}

impl FromStr for Check {
    type Err = String;

    /// `fact relation value`, then perhaps `within` and a number, then perhaps `|` and what is to be done.
    fn from_str(text: &str) -> Result<Self, String> {
        let (text, part) = text.split_once('|').unwrap_or((text, ""));
        let words: Vec<&str> = text.split_whitespace().collect();
        let (left, relation, right, within) = match words[..] {
            [left, relation, right] => (left, relation, right, 0.0),
            [left, relation, right, "within", within] => {
                let within = within.parse();
                (left, relation, right, within.map_err(|_| format!("{text:?}: within what?"))?)
            }
            _ => return Err(format!("{text:?} is no comparison; write it as `distance <= 3`")),
        };
        let relation = match relation {
            "=" => Relation::Equal,
            "!=" => Relation::Unequal,
            "<" => Relation::Less,
            "<=" => Relation::AtMost,
            ">" => Relation::More,
            ">=" => Relation::AtLeast,
            other => return Err(format!("{other:?} is no relation; choose = != < <= > >=")),
        };
        let term =
            |word: &str| word.parse().map_or_else(|_| Term::Fact(word.to_owned()), Term::Number);
        let (left, right, part) = (term(left), term(right), part.trim().to_owned());
        Ok(Self { left, relation, right, within, part })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::Equal => "=",
            Relation::Unequal => "!=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::More => ">",
            Relation::AtLeast => ">=",
        };
        let term = |term: &Term| match term {
            Term::Fact(name) => name.clone(),
            Term::Number(number) => number.to_string(),
        };
        write!(f, "{} {relation} {}", term(&self.left), term(&self.right))
    }
}

impl Lesson {
    /// The tasks to do one after the other, with their conditions.
    pub fn parts(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.part.is_empty())
    }

    /// The check of the number it asks for, if it asks for one.
    pub fn question(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.facts().any(|fact| fact == "answer"))
    }
}

impl FromStr for Lesson {
    type Err = LessonError;

    fn from_str(text: &str) -> Result<Self, LessonError> {
        let mut lesson = Self {
            title: String::new(),
            view: ViewId::Playground,
            texts: [String::new(), String::new()],
            recipe: Recipe::default(),
            layout: None,
            checks: Vec::new(),
            paragraphs: Vec::new(),
            task: String::new(),
        };
        let mut lines = text.lines().enumerate();
        for (at, line) in lines.by_ref().take_while(|(_, line)| !line.trim().is_empty()) {
            let error = |problem: String| LessonError { line: at + 1, problem };
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| error(format!("{line:?} has no colon; write `title: ..`")))?;
            let value = value.trim();
            match name.trim() {
                "title" => value.clone_into(&mut lesson.title),
                "view" => {
                    let views = || ViewId::of(Screen::Learn);
                    let names: Vec<_> = views().map(ViewId::name).collect();
                    let names = names.join(", ");
                    let unknown = || error(format!("no view {value:?}; choose one of {names}"));
                    lesson.view = views().find(|view| view.name() == value).ok_or_else(unknown)?;
                }
                "left" => value.clone_into(&mut lesson.texts[0]),
                "right" => value.clone_into(&mut lesson.texts[1]),
                "recipe" => lesson.recipe = value.parse().map_err(|e| error(format!("{e}")))?,
                "layout" => {
                    let kind = game::LAYOUTS.iter().find(|kind| game::name(**kind) == value);
                    let names = game::LAYOUTS.map(game::name).join(", ");
                    let unknown = || error(format!("no layout {value:?}; choose {names}"));
                    lesson.layout = Some(*kind.ok_or_else(unknown)?);
                }
                "check" => lesson.checks.push(value.parse().map_err(error)?),
                other => {
                    return Err(error(format!(
                        "{other:?} is unknown; choose title, view, left, right, recipe, layout or check"
                    )));
                }
            }
        }
        let mut open = false;
        for (_, line) in lines {
            let line = line.trim();
            if let Some(task) = line.strip_prefix('>') {
                let gap = if lesson.task.is_empty() { "" } else { " " };
                lesson.task += &format!("{gap}{}", task.trim());
                open = false;
            } else if line.is_empty() {
                open = false;
            } else if let Some(paragraph) = lesson.paragraphs.last_mut().filter(|_| open) {
                *paragraph += &format!(" {line}");
            } else {
                lesson.paragraphs.push(line.to_owned());
                open = true;
            }
        }
        let missing = [
            (lesson.title.is_empty(), "title"),
            (lesson.checks.is_empty(), "check"),
            (lesson.task.is_empty(), "task (a line that begins with >)"),
        ];
        match missing.into_iter().find(|(is_missing, _)| *is_missing) {
            Some((_, what)) => {
                Err(LessonError { line: 1, problem: format!("there is no {what}; add one") })
            }
            None => Ok(lesson),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_read_as_it_is_written() {
        let text = "title: Ties\nview: Step\nleft: a b\nrecipe: words:1 bits=8\ncheck: ties.a = 0\n\
                    layout: 3x18\ncheck: answer = 0.5 within 0.01 | Type it.\n\nOne\nline.\n\nTwo.\n\n> Do this\n> now.\n";
        let lesson: Lesson = text.parse().unwrap();
        assert_eq!((lesson.title.as_str(), lesson.view), ("Ties", ViewId::Step));
        assert_eq!(lesson.paragraphs, ["One line.", "Two."]);
        assert_eq!((lesson.task.as_str(), lesson.recipe.bits), ("Do this now.", 8));
        assert_eq!(lesson.checks[0].to_string(), "ties.a = 0");
        assert_eq!(lesson.layout, Some(LayoutKind::Bands { bands: 3, bits: 18 }));
        assert_eq!(lesson.parts().map(|part| part.part.as_str()).collect::<Vec<_>>(), ["Type it."]);
        assert_eq!(lesson.question(), Some(&lesson.checks[1]));
        let answer = |answer: f64| move |_: &str| Some(answer);
        assert!(lesson.checks[1].holds(&answer(0.505)));
        assert!(!lesson.checks[1].holds(&answer(0.52)));
        assert!(!lesson.checks[1].holds(&|_| None));
    }

    #[test]
    fn relations_mean_what_they_say() {
        for (text, holds) in [
            ("k = 3", true),
            ("k != 3", false),
            ("k < 4", true),
            ("k <= 3", true),
            ("k > 3", false),
            ("k >= 3", true),
            ("4 > k", true),
        ] {
            let check: Check = text.parse().unwrap();
            assert_eq!(check.holds(&|_| Some(3.0)), holds, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line, says) in [
            ("title: x\nvow: Step\n", 2, "choose title"),
            ("title x\n", 1, "no colon"),
            ("title: x\ncheck: k about 3\n", 2, "no relation"),
            ("title: x\ncheck: k\n", 2, "no comparison"),
            ("title: x\nlayout: 9x9\n", 2, "choose 3, 4"),
            ("title: x\nview: Nowhere\n", 2, "choose one of"),
            ("title: x\ncheck: k = 3\n\ntext\n", 1, "no task"),
        ] {
            let error = text.parse::<Lesson>().unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.problem.contains(says), "{error}");
        }
    }
}
