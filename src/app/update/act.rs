//! Actions with the same effect in every view. A key that would throw long work or judgements away asks first; pressed
//! again, it does so.

use std::time::Duration;

use crate::app::menu::{Menu, MenuOf};
use crate::app::recipe_form::RecipeForm;
use crate::app::update::{jobs, trail, undo};
use crate::app::view::go::prompt;
use crate::app::view::{docs, learn, pair, review, view};
use crate::app::{Action, App, Effect, Overlay, Purpose, Screen, change_k};
use crate::id::DocId;
use crate::number::{counted, grouped};
use crate::text::visible;

/// Does an action: as the view does it, or else as all views do.
pub(super) fn act(app: &mut App, action: Action) {
    learn::lessons::make_visible(app, action);
    let view = view(app.view());
    if view.act(app, action) {
        return;
    }
    // A page key moves by the height of the list.
    let page = view.list(app).map_or(8, |list| list.height).max(1) as isize;
    match action {
        Action::Step(rows) => view.step(app, rows),
        Action::HalfPage(halves) => view.step(app, halves * (page / 2).max(1)),
        Action::Page(pages) => view.step(app, pages * page),
        Action::First => view.step(app, isize::MIN / 2),
        Action::Last => view.step(app, isize::MAX / 2),
        Action::Scroll(rows) => app.page.scroll(rows),
        Action::Back if view.back(app) => {}
        Action::Back if app.screen == Screen::Docs && docs::documents::back(app) => {}
        Action::Back => trail::back(app),
        Action::View(by) => turn_view(app, by),
        Action::Copy => copy(app),
        Action::Hold => pair::hold(app),
        Action::K(step) => change_k(app, step),
        Action::Bits => app.docs.has_digits ^= true,
        Action::Help => app.overlay = Some(Overlay::Menu(Menu::new(app, MenuOf::Keys))),
        Action::Menu => app.overlay = Some(Overlay::Menu(Menu::new(app, MenuOf::All))),
        Action::CopyMore => choose_copy(app),
        Action::Editor => with_document(app, Effect::Edit),
        Action::Pager => with_document(app, Effect::Page),
        Action::Export => {
            let name = app.view().name().to_lowercase();
            prompt(app, Purpose::ViewFile, format!("{name}.txt"));
        }
        Action::Problems => docs::check::show_problems(app),
        Action::Recipe => {
            app.overlay = Some(Overlay::Recipe(Box::new(RecipeForm::new(&app.settings))));
        }
        Action::Undo => undo::undo(app, false),
        Action::Redo => undo::undo(app, true),
        Action::Find => prompt(app, Purpose::Find, String::new()),
        Action::Filter => docs::documents::open_filter(app),
        Action::Go(screen) => app.screen = screen,
        Action::Quit => quit(app),
        Action::Stop => cancel(app),
        Action::Suspend => app.effects.push(Effect::Suspend),
        Action::Redraw => app.effects.push(Effect::Redraw),
        Action::Mouse => toggle_mouse(app),
        // The views that have keys for these do them.
        _ => {}
    }
}

/// Opens the menu of what can be copied.
fn choose_copy(app: &mut App) {
    match Menu::new(app, MenuOf::Copies) {
        menu if menu.found.is_empty() => app.say("nothing to copy here"),
        menu => app.overlay = Some(Overlay::Menu(menu)),
    }
}

/// Shows the view of the screen that is `by` places on; after the last comes the first.
fn turn_view(app: &mut App, by: isize) {
    app.show(app.shown(app.screen).cycled(by));
    app.learn.playground.editing &= app.screen != Screen::Learn;
    trail::turn(app);
}

/// Copies the id of the document under the cursor; of a pair, both ids with a tab between.
fn copy(app: &mut App) {
    let documents = view(app.view()).documents(app).into_iter();
    let ids: Vec<&str> = documents.map(|document| app.analysis.corpus.id(document)).collect();
    if ids.is_empty() {
        return app.say("no document is under the cursor");
    }
    let shown: Vec<_> = ids.iter().map(|id| visible(id)).collect();
    let (text, notice) = (ids.join("\t"), format!("copied: {}", shown.join("  ")));
    app.say(notice);
    app.effects.push(Effect::Copy(text));
}

/// Makes an effect with the document under the cursor; of a pair, the first.
fn with_document(app: &mut App, effect: fn(DocId) -> Effect) {
    match view(app.view()).documents(app).first() {
        Some(&document) => app.effects.push(effect(document)),
        None => app.say("no document is under the cursor"),
    }
}

fn toggle_mouse(app: &mut App) {
    app.mouse = !app.mouse;
    app.effects.push(Effect::CaptureMouse(app.mouse));
    let word = if app.mouse { "on" } else { "off: the terminal selects text" };
    app.say(format!("mouse {word}"));
}

/// The first `^C` stops the job and every running query; a second `^C` right after leaves even if something runs,
/// because a job that waits for a silent pipe cannot stop.
fn cancel(app: &mut App) {
    if app.leaving {
        app.effects.push(Effect::Quit);
        return;
    }
    app.leaving = true;
    let is_exporting = app.exporting.take().is_some();
    let stopped = jobs::stop_all(app);
    let state = match (&app.running, stopped) {
        _ if is_exporting => "stopped, nothing was written;".to_owned(),
        (Some(running), _) => {
            running.job.progress.cancel();
            let when = if running.loads { "at the next row that comes;" } else { ".." };
            format!("stopping {when}")
        }
        (None, Some(name)) => format!("stopping the {name};"),
        (None, None) => "there is no work to stop;".to_owned(),
    };
    let key = app.keymap.key_of(app.view(), Action::Stop);
    // Terminals and manuals write the key like this.
    let key = if key.starts_with('^') { key.to_uppercase() } else { key };
    app.say(format!("{state} press {key} again to leave"));
}

/// Shorter work is not worth a question.
const LONG: Duration = Duration::from_secs(10);

/// Leaves the program; if that would lose long work, asks first.
fn quit(app: &mut App) {
    let lost = all_at_stake(app);
    if lost.is_empty() || std::mem::replace(&mut app.asks_to_quit, true) {
        app.effects.push(Effect::Quit);
    } else {
        let key = app.keymap.key_of(app.view(), Action::Quit);
        app.say(format!("press {key} again to leave and lose {}", lost.join(", ")));
    }
}

/// Leaves if that was asked for and nothing would be lost any more: the marks were being saved when the key came.
pub(super) fn quit_if_saved(app: &mut App) {
    if app.asks_to_quit && all_at_stake(app).is_empty() {
        app.effects.push(Effect::Quit);
    }
}

/// All that would be lost on leaving, in words.
fn all_at_stake(app: &App) -> Vec<String> {
    let labels = app.lost_labels.len();
    let labels = (labels > 0)
        .then(|| format!("{} that could not be saved", counted(labels as u64, "label")));
    let (sweep, lab) = (&app.tune.sweep, &app.tune.layouts);
    let swept = sweep.running.as_ref().map(|it| it.took + sweep.step.ran_for(app.now));
    let swept = swept.and_then(|took| at_stake("the sweep", took));
    let measured = at_stake("the measured layouts", lab.took + lab.evaluation.ran_for(app.now));
    [swept, measured, review::at_stake(app), labels].into_iter().flatten().collect()
}

fn at_stake(name: &str, took: Duration) -> Option<String> {
    (took > LONG).then(|| format!("{name} ({} s of work)", grouped(took.as_secs())))
}
