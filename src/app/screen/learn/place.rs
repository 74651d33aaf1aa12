//! A place in Learn: a lesson or a view, and the state of its picture. It is written as the options of the command
//! that opens it, so that a teacher can put it on a slide.

use crate::app::screen::{Screen, ViewId};

/// A lesson or a view of Learn, and the given parts of its state; pages are counted from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearnPlace {
    /// The lesson by its name or its number in the list; `None` for no lesson.
    pub lesson: Option<String>,
    /// The page of the lesson.
    pub page: Option<usize>,
    /// The view; `None` for the view of the lesson, or the list.
    pub view: Option<ViewId>,
    /// The texts of the Playground.
    pub texts: [Option<String>; 2],
    /// Lines that are drawn in Angle.
    pub step: Option<usize>,
    /// The cosine of the vectors, in hundredths.
    pub hundredths: Option<i32>,
}

impl LearnPlace {
    /// The arguments of `simscope learn` that open this place.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        match (&self.lesson, self.view) {
            (Some(lesson), _) => words.push(lesson.clone()),
            (None, Some(view)) => words.push(format!("view:{}", view.name().to_lowercase())),
            (None, None) => {}
        }
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
        };
        option("--page", self.page.map(|page| page.to_string()));
        let [one, two] = &self.texts;
        option("--one", one.clone());
        option("--two", two.clone());
        option("--step", self.step.map(|step| step.to_string()));
        option(
            "--cosine",
            self.hundredths.map(|cosine| format!("{:.2}", f64::from(cosine) / 100.0)),
        );
        words
    }
}

/// The view of Learn whose name begins with `name`, in upper or lower case.
pub fn view_named(name: &str) -> Option<ViewId> {
    let name = name.to_lowercase();
    let mut named =
        ViewId::of(Screen::Learn).filter(|view| view.name().to_lowercase().starts_with(&name));
    named.next().filter(|_| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_command() {
        let place = LearnPlace {
            view: Some(ViewId::Angle),
            step: Some(3),
            hundredths: Some(50),
            ..LearnPlace::default()
        };
        assert_eq!(place.words(), ["view:angle", "--step", "3", "--cosine", "0.50"]);
        assert_eq!(view_named("play"), Some(ViewId::Playground));
        assert_eq!((view_named("x"), view_named("")), (None, None));
    }
}
