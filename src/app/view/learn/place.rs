//! Opens Learn at a place, and names the present place.

use super::lessons;
use crate::app::screen::ViewId;
use crate::app::screen::learn::Playground;
use crate::app::screen::learn::place::LearnPlace;
use crate::app::{App, Screen};

impl App {
    /// Opens Learn at a place.
    ///
    /// # Errors
    /// If there is no such place, with the reason.
    pub fn open_learn(&mut self, place: &LearnPlace) -> Result<(), String> {
        self.show(ViewId::Lessons);
        if let Some(name) = &place.lesson {
            let all = &self.learn.lessons.all;
            let by_name = || all.iter().position(|lesson| lesson.name == *name);
            // As the list numbers them, from 1 on.
            let by_number = name.parse().ok().filter(|number| (1..=all.len()).contains(number));
            let number = by_name().or(by_number.map(|number: usize| number - 1));
            let names = || all.iter().map(|lesson| &*lesson.name).collect::<Vec<_>>().join(", ");
            let unknown = || {
                format!(
                    "no lesson {name:?}; the lessons are {}, or 1 to {}; a view is view:angle",
                    names(),
                    all.len()
                )
            };
            self.learn.lessons.cursor.selected = number.ok_or_else(unknown)?;
            let page = place.page.unwrap_or(1);
            lessons::begin(self, page.saturating_sub(1));
            if self.learn.lessons.open_page().is_none() || page == 0 {
                let n_pages = self.learn.lessons.active().map_or(0, |lesson| lesson.pages.len());
                return Err(format!("the lesson has pages 1 to {n_pages}, not {page}"));
            }
        }
        if let Some(view) = place.view {
            self.show(view);
        }
        let learn = &mut self.learn;
        if place.texts.iter().any(Option::is_some) {
            let [one, two] = [0, 1].map(|side| {
                place.texts[side].as_deref().unwrap_or_else(|| learn.playground.texts[side].value())
            });
            learn.playground = Playground::new(one, two, learn.playground.recipe.clone());
        }
        if let Some(hundredths) = place.hundredths {
            learn.angle.hundredths = hundredths.clamp(-100, 100);
        }
        learn.angle.draw(place.step.unwrap_or(0) as isize);
        Ok(())
    }

    /// The present place, if Learn is shown.
    pub(in crate::app) fn learn_place(&self) -> LearnPlace {
        let learn = &self.learn;
        let view = self.shown(Screen::Learn);
        let lesson = learn.lessons.active();
        let mut place = LearnPlace {
            lesson: lesson.map(|lesson| lesson.name.clone()),
            page: lesson.map(|_| learn.lessons.page + 1),
            view: Some(view).filter(|view| *view != ViewId::Lessons),
            ..LearnPlace::default()
        };
        match view {
            ViewId::Playground => {
                let texts = learn.playground.texts.each_ref();
                place.texts = texts.map(|text| Some(text.value().to_owned()));
            }
            ViewId::Angle => {
                place.hundredths = Some(learn.angle.hundredths);
                place.step = Some(learn.angle.n_lines);
            }
            _ => {}
        }
        place
    }
}
