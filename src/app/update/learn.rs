//! What keys and ticks do on the Learn screen; everything not named here is as on every screen.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen,
        key::{Code, Key},
        keymap::{Action, LearnAction},
        layout::learn_text,
        overlay::{Purpose, edit},
        question::{Kind, Question},
        screen::learn::{
            AngleState, GameState, LessonsState, Playground, StepState, View, facts::passes,
            lessons::FILES, playground::MOST_CHARACTERS,
        },
    },
    act::prompt,
};
use crate::text::visible;

/// Does an action the way this screen does it; false if it is one like on every screen.
pub(super) fn act(app: &mut App, action: Action) -> bool {
    let learn = &mut app.learn;
    match action {
        Action::View(by) => learn.turn(by),
        Action::Enter if learn.view == View::Lessons => begin(app),
        Action::Enter => learn.view = View::Lessons,
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
        LearnAction::Blocks => learn.game.next_blocks(),
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
                learn.lessons.active = None;
                learn.lessons.answer = None;
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
        LearnAction::Answer => match learn.lessons.active {
            Some(_) => prompt(app, Purpose::Answer, String::new()),
            None => app.notice = Some("no lesson asks; Enter in Lessons begins one".to_owned()),
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

/// Begins the selected lesson: its texts, its view.
fn begin(app: &mut App) {
    let learn = &mut app.learn;
    let number = learn.lessons.cursor.selected;
    let Some(lesson) = learn.lessons.all.get(number).cloned() else { return };
    let [left, right] = &lesson.texts;
    learn.playground = Playground::new(left, right, lesson.recipe);
    (learn.step, learn.game) = (StepState::default(), GameState::default());
    learn.angle = AngleState::default();
    learn.wear.worn = None;
    (learn.lessons.active, learn.lessons.answer) = (Some(number), None);
    learn.view = lesson.view;
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
            match pair.and_then(|(a, b)| Some((bits(a)?, bits(b.document)?))) {
                Some((one, other)) => learn.game.take(one, other),
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
                let text: String = lines.join(" ").chars().take(MOST_CHARACTERS).collect();
                let focus = learn.playground.focus;
                learn.playground.texts[focus] = text.into();
                learn.playground.recount();
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
    if app.learn.lessons.active.is_none() || !passes(app) {
        return;
    }
    let lessons = &mut app.learn.lessons;
    let Some((name, _)) = lessons.active.and_then(|number| FILES.get(number)) else { return };
    if lessons.done.insert((*name).to_owned()) {
        let n = lessons.done.len();
        app.notice =
            Some(format!("done: {n} of {} lessons; Esc goes back to the list", FILES.len()));
        effects.push(Effect::Remember(lessons.done.iter().cloned().collect()));
    }
}

/// Has the selected document worn, once for each document, recipe and seed.
fn wear(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(document) = app.query() else { return };
    let wanted = (document, app.learn.wear.seed, app.fingerprinted);
    if app.analysis.fingerprint(document).is_none() || app.learn.wear.asked == Some(wanted) {
        return;
    }
    app.learn.wear.asked = Some(wanted);
    app.learn.wear.worn = None;
    app.asked.forget(Kind::Wear);
    effects.push(app.ask(Question::Wear { document, seed: app.learn.wear.seed }));
}
