//! What keys and ticks do on the Learn screen; everything not named here is as on every screen.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen,
        key::{Code, Key},
        keymap::{Action, LearnAction},
        layout::learn_text,
        overlay::{Purpose, edit},
        query,
        screen::learn::{
            AngleState, GameState, LessonsState, Playground, StepState, View,
            facts::{holds, parts_done, passes},
            lesson::Check,
            lessons::FILES,
            playground::MOST_CHARACTERS,
        },
    },
    act::prompt,
    answers::want,
};
use crate::text::visible;

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action) -> bool {
    let learn = &mut app.learn;
    match action {
        Action::View(by) => learn.turn(by),
        Action::Enter if learn.view == View::Lessons => begin(app),
        Action::Enter => match learn.lessons.next().filter(|_| learn.lessons.passed) {
            Some(next) => {
                learn.lessons.cursor.selected = next;
                begin(app);
            }
            None => learn.view = View::Lessons,
        },
        Action::Back if learn.view != View::Lessons => learn.view = View::Lessons,
        Action::Step(rows) => step(app, rows),
        Action::HalfPage(halves) => step(app, 5 * halves),
        Action::Page(pages) => step(app, 10 * pages),
        Action::First => step(app, isize::MIN / 2),
        Action::Last => step(app, isize::MAX / 2),
        Action::Scroll(rows) => {
            learn.lessons.top = learn.lessons.top.saturating_add_signed(rows);
        }
        Action::Probe(by) => match learn.view {
            View::Step => learn.step.step(by, &learn.playground),
            View::Angle => learn.angle.draw(by),
            View::Tables if by > 0 => learn.game.toggle(),
            View::Tables => learn.game.walk(by),
            _ => {}
        },
        Action::Sideways(by) => match learn.view {
            View::Step => learn.step.sideways(by, &learn.playground),
            View::Tables => learn.game.sideways(by),
            View::Angle => learn.angle.turn(by),
            _ => {}
        },
        Action::Learn(action) => learn_action(app, action),
        _ => return false,
    }
    true
}

fn learn_action(app: &mut App, action: LearnAction) {
    let learn = &mut app.learn;
    match action {
        LearnAction::Edit => {
            if !matches!(learn.view, View::Playground | View::Step) {
                learn.view = View::Playground;
            }
            learn.step.document = None;
            learn.playground.editing = true;
        }
        LearnAction::Shingles => learn.playground.next_shingles(),
        LearnAction::Weights => learn.playground.next_weights(),
        LearnAction::Width => learn.playground.next_width(),
        LearnAction::Layout(by) => match learn.view {
            View::Tables => learn.game.next_layout(by),
            View::Angle => learn.angle.next_bands(by),
            _ => {}
        },
        LearnAction::Take => take(app),
        LearnAction::Play => match learn.view {
            View::Step => {
                learn.step.playing ^= true;
                if learn.step.cast == learn.step.len(&learn.playground) {
                    learn.step.cast = 0;
                }
            }
            View::Angle => learn.angle.playing ^= true,
            _ => {}
        },
        LearnAction::Reset => match learn.view {
            View::Lessons => {
                (learn.lessons.active, learn.lessons.answer) = (None, None);
                learn.lessons.passed = false;
            }
            View::Playground => learn.playground = Playground::default(),
            View::Step => learn.step = StepState::default(),
            View::Tables => learn.game = GameState::default(),
            View::Angle => {
                let seed = learn.angle.seed + 1;
                learn.angle = AngleState { seed, ..AngleState::default() };
            }
            View::Wear => learn.wear.seed += 1,
        },
        LearnAction::Answer => match learn.lessons.active() {
            Some(lesson) if lesson.question().is_some() => {
                prompt(app, Purpose::Answer, String::new());
            }
            Some(_) => app.notice = Some("this lesson has no question".to_owned()),
            None => {
                app.notice =
                    Some("no lesson is open: choose one in Lessons and press Enter".to_owned())
            }
        },
        LearnAction::Walk(by) => learn.game.walk(by),
    }
    clamp(app);
}

/// Keeps the count inside a text that may have become shorter.
fn clamp(app: &mut App) {
    let learn = &mut app.learn;
    learn.step.step(0, &learn.playground);
}

/// Takes a number as the answer, if it is right and what comes before it is done; says so if not.
pub(super) fn answer(app: &mut App, number: f64) {
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

/// Begins the selected lesson: its texts, its view.
fn begin(app: &mut App) {
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
    // Worn anew, so that the lesson begins undone.
    learn.wear.worn.clear();
    (learn.lessons.active, learn.lessons.answer) = (Some(number), None);
    (learn.lessons.passed, learn.lessons.top) = (false, 0);
    learn.view = lesson.view;
    app.learn.lessons.n_parts = parts_done(app);
    if lesson.view == View::Lessons {
        let first = lesson.parts().next().map_or(&lesson.task, |part| &part.part);
        app.notice = Some(format!("begun: {first}"));
    }
}

fn step(app: &mut App, rows: isize) {
    let height = learn_text(app.size);
    let learn = &mut app.learn;
    match learn.view {
        View::Lessons => {
            let LessonsState { cursor, all, top, .. } = &mut learn.lessons;
            cursor.step(rows, all.len(), height);
            *top = 0;
        }
        View::Step => learn.step.step(rows, &learn.playground),
        View::Tables => learn.game.step(rows),
        View::Playground if rows.abs() == 1 => learn.playground.focus = usize::from(rows > 0),
        View::Angle => learn.angle.draw(if rows.abs() > 100 { rows.signum() * 64 } else { rows }),
        View::Playground | View::Wear => {}
    }
}

/// Takes what is selected in the corpus: a document, or a pair.
fn take(app: &mut App) {
    let document = app.open_document().cloned();
    let pair = app.near.pair().filter(|(query, _)| Some(*query) == app.query());
    let learn = &mut app.learn;
    match learn.view {
        View::Tables => {
            let bits = |document| app.analysis.fingerprint(document);
            match pair.and_then(|(a, b)| Some(([a, b.document], bits(a)?, bits(b.document)?))) {
                Some((pair, one, other)) => learn.game.take(pair, one, other),
                None => app.notice = Some("choose a pair in Near first (2)".to_owned()),
            }
        }
        View::Wear => learn.wear.seed += 1,
        View::Step => match document {
            Some(document) if document.ballot.is_some() => {
                learn.step =
                    StepState { document: Some(Arc::new(document)), ..StepState::default() };
            }
            _ => {
                let why = "the document selected in Docs has no text, no features or too many here";
                app.notice = Some(why.to_owned());
            }
        },
        _ => match document.and_then(|document| document.lines) {
            Some(lines) => {
                learn.playground.take(&lines.join(" "));
                learn.view = View::Playground;
            }
            None => app.notice = Some("the document selected in Docs has no text here".to_owned()),
        },
    }
}

/// A key typed into the texts.
pub(super) fn on_edit_key(app: &mut App, key: Key) {
    let learn = &mut app.learn;
    let one_only = learn.view == View::Step;
    let play = &mut learn.playground;
    if one_only {
        play.focus = 0;
    }
    match key.code {
        Code::Esc | Code::Enter => play.editing = false,
        Code::Tab | Code::BackTab | Code::Up | Code::Down if !one_only => play.focus ^= 1,
        _ => {
            let line = &mut play.texts[play.focus];
            let full = line.value().chars().count() >= MOST_CHARACTERS;
            if matches!(key.code, Code::Char(_)) && !key.ctrl && full {
                app.notice = Some(format!("{MOST_CHARACTERS} characters are enough here"));
            } else if edit(line, key) {
                // With nothing left of it, it is no document's beginning any more.
                play.is_cut[play.focus] &= !line.value().is_empty();
                play.recount();
            }
        }
    }
    clamp(app);
}

/// Text pasted into the texts.
pub(super) fn paste(app: &mut App, text: &str) {
    if !app.learn.playground.editing {
        return;
    }
    let clean = visible(text).into_owned();
    if clean.chars().count() > MOST_CHARACTERS {
        app.notice = Some(format!("only the first {MOST_CHARACTERS} characters are taken"));
    }
    for c in clean.chars().filter(|c| !c.is_control()).take(MOST_CHARACTERS) {
        let play = &mut app.learn.playground;
        if play.texts[play.focus].value().chars().count() < MOST_CHARACTERS {
            edit(&mut play.texts[play.focus], Key::char(c));
        }
    }
    app.learn.playground.recount();
    clamp(app);
}

/// Goes on by itself where that is wished.
pub(super) fn tick(app: &mut App) {
    if app.screen != Screen::Learn {
        return;
    }
    let learn = &mut app.learn;
    if learn.view == View::Step && learn.step.playing {
        // A feature every few ticks can be followed.
        if app.ticks.is_multiple_of(4) {
            learn.step.step(1, &learn.playground);
        }
    } else if learn.view == View::Angle && learn.angle.playing {
        learn.angle.draw(1);
    }
}

/// Asks for what the view needs, and notes a lesson that is done.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen == Screen::Learn && app.learn.view == View::Wear {
        wear(app, effects);
    }
    if app.learn.lessons.active.is_none() || app.learn.lessons.passed {
        return;
    }
    if passes(app) {
        pass(app, effects);
        return;
    }
    // A part that was just done is told, with what is next.
    let n_parts = parts_done(app);
    let before = std::mem::replace(&mut app.learn.lessons.n_parts, n_parts);
    let part = app.learn.lessons.active().and_then(|lesson| lesson.parts().nth(n_parts));
    if n_parts > before
        && let Some(part) = part
    {
        app.notice = Some(format!("good; now {}", part.part));
    }
}

/// Notes that the lesson is done, and says where it goes on.
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

/// Has the selected document worn, once for each document, recipe and seed.
fn wear(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(document) = app.query() else { return };
    let query = query::Wear { document, seed: app.learn.wear.seed };
    if app.analysis.fingerprint(document).is_some() && want(app, query, effects) {
        app.learn.wear.worn.take();
    }
}
