//! The views of the Learn screen, and what they share: two texts, and lessons that check what is done.

pub(in crate::app) mod angle;
pub(in crate::app) mod blocks;
pub(in crate::app) mod lessons;
pub(in crate::app) mod playground;
pub(in crate::app) mod step;
pub(in crate::app) mod typing;
pub(in crate::app) mod wear;

use super::go::prompt;
use crate::app::{
    App, Screen,
    keymap::{Action, LearnAction},
    overlay::Purpose,
    screen::ViewId,
};

/// Does an action that all views of Learn do alike; false if it is another.
fn act(app: &mut App, action: Action) -> bool {
    let learn = &mut app.learn;
    match action {
        Action::Enter => match learn.lessons.next().filter(|_| learn.lessons.passed) {
            Some(next) => {
                learn.lessons.cursor.selected = next;
                lessons::begin(app);
            }
            None => app.show(ViewId::Lessons),
        },
        Action::Scroll(rows) => {
            learn.lessons.top = learn.lessons.top.saturating_add_signed(rows);
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
        LearnAction::Answer => match learn.lessons.active() {
            Some(lesson) if lesson.question().is_some() => {
                prompt(app, Purpose::Answer, String::new());
            }
            Some(_) => app.notice = Some("this lesson has no question".to_owned()),
            None => {
                app.notice =
                    Some("no lesson is open: choose one in Lessons and press Enter".to_owned());
            }
        },
        LearnAction::Take => take_text(app),
        LearnAction::Layout(_) | LearnAction::Play | LearnAction::Reset | LearnAction::Walk(_) => {}
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
        None => app.notice = Some("the document selected in Docs has no text here".to_owned()),
    }
}

/// Keeps the count inside a text that may have become shorter.
fn clamp(app: &mut App) {
    let learn = &mut app.learn;
    learn.step.step(0, &learn.playground);
}

/// Goes on by itself where something plays.
pub(in crate::app) fn tick(app: &mut App) {
    let view = app.view();
    let learn = &mut app.learn;
    // A feature every few ticks can be followed.
    let is_step = app.ticks.is_multiple_of(4);
    match view {
        ViewId::Step if learn.step.playing && is_step => learn.step.step(1, &learn.playground),
        ViewId::Angle if learn.angle.playing => learn.angle.draw(1),
        _ => {}
    }
}
