//! The views of the Learn screen, and their common parts: two texts, and lessons that check tasks.

pub(in crate::app) mod angle;
pub(in crate::app) mod bench;
pub(in crate::app) mod blocks;
pub(in crate::app) mod hashes;
pub(in crate::app) mod lessons;
pub(in crate::app) mod place;
pub(in crate::app) mod playground;
pub(in crate::app) mod step;
pub(in crate::app) mod typing;
pub(in crate::app) mod wear;

use super::go::prompt;
use crate::app::{
    App, Screen,
    keymap::{Action, LearnAction},
    layout,
    overlay::{Overlay, Purpose},
    screen::ViewId,
};

impl App {
    /// Rows of the other views of the two texts that are below the shown view of Learn, if it leaves them. There are none
    /// while a lesson is open, because another view could give an answer away.
    pub fn learn_others(&self) -> usize {
        let others = layout::rows_of_others(self.size);
        if others == 0 || self.learn.lessons.active.is_some() {
            return 0;
        }
        let play = &self.learn.playground;
        let used = match self.view() {
            ViewId::Hashes => 28,
            ViewId::Playground => {
                let overlap = play.overlap();
                let only: usize = overlap.only.iter().map(Vec::len).sum();
                overlap.shared.len() + only + 16
            }
            ViewId::Step => self.learn.step.subject(play).0.features.len() + 16,
            _ => return 0,
        };
        if used + others <= self.size.body() { others } else { 0 }
    }
}

/// Does an action that all views of Learn share; false for other actions.
fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::Enter => lessons::go_on(app),
        // Goes from any picture of a lesson to the list.
        Action::Back if app.learn.lessons.active.is_some() && app.view() != ViewId::Lessons => {
            app.show(ViewId::Lessons);
        }
        Action::Scroll(rows) => {
            let height = if app.view() == ViewId::Lessons {
                layout::lesson_list_text(app.size, app.learn.lessons.all.len()).1
            } else {
                layout::lesson(app.size).height
            };
            app.learn.lessons.text.scroll(rows, height);
        }
        Action::Learn(action) => learn_action(app, action),
        _ => return false,
    }
    true
}

fn learn_action(app: &mut App, action: LearnAction) {
    let learn = &mut app.learn;
    match action {
        LearnAction::Edit => {
            learn.step.document = None;
            learn.playground.editing = true;
            if app.shown(Screen::Learn) != ViewId::Step {
                app.show(ViewId::Playground);
            }
        }
        LearnAction::Shingles => learn.playground.next_shingles(),
        LearnAction::Weights => learn.playground.next_weights(),
        LearnAction::Width => learn.playground.next_width(),
        LearnAction::Answer if learn.lessons.active.is_none() => {
            app.say("no lesson is open: choose one in Lessons and press Enter")
        }
        LearnAction::Answer => {
            let asks = learn.lessons.asks();
            prompt(app, Purpose::Answer, String::new());
            // The line opens even so, because otherwise the digits would be keys.
            if let Some(Overlay::Prompt(prompt)) = app.overlay.as_mut().filter(|_| !asks) {
                prompt.problem = Some("this page needs no typed answer; press Esc".to_owned());
            }
        }
        LearnAction::Speed(by) => learn.pace.change(by),
        LearnAction::LessonBack => lessons::back(app),
        LearnAction::Reset => lessons::set_up(app, app.view()),
        LearnAction::Take => take_text(app),
        // The other actions are those of single views.
        _ => {}
    }
    clamp(app);
}

/// Puts the text of the selected document into the Playground.
fn take_text(app: &mut App) {
    match app.open_document().and_then(|document| document.lines.clone()) {
        Some(lines) => {
            app.learn.playground.take(&lines.join(" "));
            app.show(ViewId::Playground);
        }
        None => app.say("the document selected in Docs has no text here"),
    }
}

/// Keeps the number of votes within a text that may have become shorter.
fn clamp(app: &mut App) {
    let learn = &mut app.learn;
    learn.step.step(0, &learn.playground);
}

/// Makes the next step of a picture that plays.
pub(in crate::app) fn tick(app: &mut App) {
    let (view, bits) = (app.view(), app.learn_bits() as usize);
    let learn = &mut app.learn;
    let is_step = app.ticks.is_multiple_of(learn.pace.0);
    match view {
        ViewId::Step if learn.step.playing && is_step => learn.step.step(1, &learn.playground),
        // Lines come four times as fast as features, which must be read one by one.
        ViewId::Angle
            if learn.angle.playing && app.ticks.is_multiple_of(learn.pace.0.div_ceil(4)) =>
        {
            learn.angle.draw((4 / learn.pace.0.max(1)).max(1) as isize);
            // Stops at as many lines as the fingerprint has bits; p goes on to twice as many.
            learn.angle.playing &= !learn.angle.n_lines.is_multiple_of(bits);
        }
        _ => {}
    }
}
