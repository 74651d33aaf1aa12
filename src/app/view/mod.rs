//! The views: the effects of their keys, their queries and their numbers.
//!
//! ```text
//! ViewId --view()--> &dyn View
//!   act, step, back          a key or the mouse: changes App, asks for work
//!   refresh                  after every message: asks for what shows and is not known, lays out what is
//!   page, sections           the view as blocks for a size of the screen, and the text of the block that scrolls
//!   documents, numbers       the documents under the cursor; the numbers that `?` explains
//! ```
//!
//! The state of a view is in [`App`], its keys in `keymap`; `tui` draws the blocks of its page. To add a view, add a line
//! in `screen` and a file here with a line in [`view()`]; if it has keys, add rows in `keymap`.

mod answers;
mod contract;
pub(super) mod docs;
pub(super) mod go;
pub(super) mod learn;
pub(super) mod listed;
pub(super) mod pair;
pub(super) mod review;
pub(super) mod tables;
pub(super) mod tune {
    //! The views of the Tune screen.

    pub(in crate::app) mod changes;
    pub(in crate::app) mod distances;
    pub(in crate::app) mod label;
    pub(in crate::app) mod layouts;
    pub(in crate::app) mod recipes;
}

use self::contract::View;
use super::keymap::FooterCondition;
use super::page::Page;
use super::screen::learn::lesson::Picture;
use super::{App, Screen, Size, ViewId};
use crate::present::lines::rows;

/// The behaviour of a view.
pub(super) fn view(id: ViewId) -> &'static dyn View {
    match id {
        ViewId::Docs => &docs::list::DocsView,
        ViewId::Bits => &docs::bits::BitsView,
        ViewId::Check => &docs::check::CheckView,
        ViewId::Pair => &pair::PairView,
        ViewId::Tables => &tables::TablesView,
        ViewId::Tune => &tune::distances::TuneView,
        ViewId::Layouts => &tune::layouts::LayoutsView,
        ViewId::Judging => &tune::label::JudgingView,
        ViewId::Recipes => &tune::recipes::RecipesView,
        ViewId::Lessons => &learn::lessons::LessonsView,
        ViewId::Playground => &learn::playground::PlaygroundView,
        ViewId::Angle => &learn::angle::AngleView,
    }
}

/// Lays out the shown view, if it is a page.
pub(super) fn lay_out_page(app: &mut App) {
    let sections = if app.shows_lesson() {
        learn::lessons::words(app)
    } else {
        view(app.view()).sections(app)
    };
    let cut = app.page_for(app.size).text_cut(app.size);
    app.page.show(rows(&sections, cut.width), cut.height);
}

impl App {
    /// The shown view as a page, with the words of the open lesson.
    pub(crate) fn page_for(&self, size: Size) -> Page<'_> {
        let view = view(self.view());
        if self.shows_lesson() {
            return learn::lessons::page(self, view, size);
        }
        view.page(self, size)
    }

    /// Whether the open lesson shows, and not the list of lessons or another screen.
    fn shows_lesson(&self) -> bool {
        let is_list = self.view() == ViewId::Lessons && self.lesson_picture().is_none();
        self.screen == Screen::Learn && self.learn.lessons.active().is_some() && !is_list
    }

    /// The picture of the open lesson that shows, if it is none of a view.
    pub(crate) fn lesson_picture(&self) -> Option<Picture> {
        self.learn.lessons.picture().filter(|_| self.view() == ViewId::Lessons)
    }

    /// Rows of the list of the shown page.
    pub fn page_rows(&self) -> usize {
        self.page_for(self.size).list_rows(self.size)
    }

    /// Whether the footer shows a binding now.
    pub fn shows(&self, when: FooterCondition) -> bool {
        match when {
            FooterCondition::Always => true,
            FooterCondition::LessonAsks => self.learn.lessons.asks(),
            FooterCondition::LessonOpen => self.learn.lessons.is_open,
            FooterCondition::HasList => self.lesson_picture().is_none(),
            FooterCondition::LessonHasBits => self.lesson_picture() == Some(Picture::Tables),
            FooterCondition::OnRow => match self.screen {
                Screen::Pair | Screen::Tables => self.near.pair().is_some(),
                _ => !view(self.view()).documents(self).is_empty(),
            },
        }
    }
}
