//! The Lessons view: what to do, one after another, and the check of what was done.

use super::super::contract::View;
use crate::app::{
    App, Effect, Screen,
    keymap::{Action, LearnAction},
    layout::learn_text,
    screen::{
        ViewId,
        learn::{
            AngleState, GameState, LessonsState, Playground, StepState,
            facts::{holds, parts_done, passes},
            lesson::Check,
            lessons::FILES,
        },
    },
};

/// The Lessons view.
pub(in crate::app) struct LessonsView;

impl View for LessonsView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => begin(app),
            Action::Learn(LearnAction::Reset) => {
                let lessons = &mut app.learn.lessons;
                (lessons.active, lessons.answer) = (None, None);
                lessons.passed = false;
            }
            _ => return super::act(app, action),
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        let height = learn_text(app.size);
        let LessonsState { cursor, all, top, .. } = &mut app.learn.lessons;
        cursor.step(rows, all.len(), height);
        *top = 0;
    }
}

/// Begins the selected lesson: its texts, its view.
pub(in crate::app) fn begin(app: &mut App) {
    let learn = &mut app.learn;
    let number = learn.lessons.cursor.selected;
    let Some(lesson) = learn.lessons.all.get(number).cloned() else { return };
    let [left, right] = &lesson.texts;
    learn.playground = Playground::new(left, right, lesson.recipe.clone());
    (learn.step, learn.game) = (StepState::default(), GameState::default());
    learn.angle = AngleState::default();
    if let Some(kind) = lesson.layout {
        learn.game.kind = kind;
        learn.angle.show(kind);
    }
    // The trials are run again, so that the lesson starts unfinished.
    learn.wear.worn.clear();
    (learn.lessons.active, learn.lessons.answer) = (Some(number), None);
    (learn.lessons.passed, learn.lessons.top) = (false, 0);
    app.show(lesson.view);
    app.learn.lessons.n_parts = parts_done(app);
    if lesson.view == ViewId::Lessons {
        let first = lesson.parts().next().map_or(&lesson.task, |part| &part.part);
        app.notice = Some(format!("begun: {first}"));
    }
}

/// Takes a number as the answer, if it is right and the earlier parts are finished; else shows why not.
pub(in crate::app) fn answer(app: &mut App, number: f64) {
    app.learn.lessons.answer = Some(number);
    let Some(lesson) = app.learn.lessons.active() else { return };
    let Some(question) = lesson.question() else { return };
    let before = |part: &&Check| *part != question;
    let missing = lesson.parts().take_while(before).find(|part| !holds(app, part));
    let problem = match missing {
        Some(first) => format!("not yet; first {}", first.part),
        None if !holds(app, question) => format!("{number} is not right; {}", question.part),
        None => return,
    };
    app.learn.lessons.answer = None;
    app.notice = Some(problem);
}

/// Notes a lesson or a part of it that is done, on whatever screen.
pub(in crate::app) fn check(app: &mut App, effects: &mut Vec<Effect>) {
    if app.learn.lessons.active.is_none() || app.learn.lessons.passed {
        return;
    }
    if passes(app) {
        pass(app, effects);
        return;
    }
    // Announces a part that was just finished, with the next task.
    let n_parts = parts_done(app);
    let before = std::mem::replace(&mut app.learn.lessons.n_parts, n_parts);
    let part = app.learn.lessons.active().and_then(|lesson| lesson.parts().nth(n_parts));
    if n_parts > before
        && let Some(part) = part
    {
        app.notice = Some(format!("good; now {}", part.part));
    }
}

/// Marks the lesson as finished, and shows the next step.
fn pass(app: &mut App, effects: &mut Vec<Effect>) {
    let on_learn = app.screen == Screen::Learn;
    let lessons = &mut app.learn.lessons;
    let Some((name, _)) = lessons.active.and_then(|number| FILES.get(number)) else { return };
    lessons.passed = true;
    if lessons.done.insert((*name).to_owned()) {
        effects.push(Effect::Remember(lessons.done.iter().cloned().collect()));
    }
    let so_far = format!("done: {} of {} lessons", lessons.done.len(), FILES.len());
    let goes_on = match lessons.next() {
        None => String::new(),
        Some(next) => {
            lessons.cursor.selected = next;
            let number = next + 1;
            if on_learn {
                format!("; Enter goes on to lesson {number}")
            } else {
                format!("; 6 and Enter go on to lesson {number}")
            }
        }
    };
    app.notice = Some(so_far + &goes_on);
}
