//! Help and footer list a key only where it does something.

use simscope::app::custom_keys::Keymap;
use simscope::app::keymap::{Action, Binding};
use simscope::app::screen::ViewId;
use simscope::app::{Effect, Message, update};

use super::driver::Driver;

/// The sample, on a view.
fn on(view: ViewId, driver: Driver) -> Driver {
    match view {
        ViewId::Judging => driver.show(ViewId::Tune).keys("b"),
        _ => driver.show(view),
    }
}

/// Whether a key changes the screen or asks for something.
fn does_something(driver: &mut Driver, binding: &Binding) -> bool {
    let looks = |driver: &Driver| (driver.screen(), driver.styles(), driver.app.moves());
    let (shown, view) = (looks(driver), driver.app.view());
    let mut asks = false;
    for effect in update(&mut driver.app, Message::Key(binding.keys[0])) {
        match effect {
            Effect::Run(task) => driver.run(task),
            _ => asks = true,
        }
    }
    asks || looks(driver) != shown || driver.app.view() != view
}

#[test]
fn every_key_that_help_lists_does_something_in_its_view() {
    // A text that fits cannot be scrolled, the screen that shows is there already, and only what was stopped
    // goes on.
    let is_for_another_state = |view, action: Action| match action {
        Action::Scroll(_) | Action::Go(_) => true,
        Action::Enter => matches!(view, ViewId::Check | ViewId::Tune),
        _ => false,
    };
    let states = [
        "",
        "j",
        "G",
        "jjj",
        "l",
        "n",
        "<space><space>",
        "/moon<enter>",
        "s",
        "e<esc>jj",
        "<enter>",
        "<enter>g",
        "<enter>jn",
        "<enter><esc>",
        "jjjjj<enter>a2<enter><enter>",
    ];
    let open = |view, before: &str| on(view, Driver::sample(80, 24)).keys(before);
    let mut idle = Vec::new();
    for &view in ViewId::ALL {
        let is_everywhere = |it: &Binding| ViewId::ALL.iter().all(|&one| it.views.contains(one));
        let is_new = |it: &&Binding| !is_everywhere(it) || view == ViewId::Docs;
        let listed = Keymap::default().bindings(view).filter(is_new);
        let mut driver = open(view, "");
        for binding in listed.filter(|it| !is_for_another_state(view, it.action)) {
            if driver.app.view() != view || driver.app.overlay.is_some() {
                driver = open(view, "");
            }
            let after = |before: &&str| {
                let mut driver = open(view, before);
                driver.app.view() == view && does_something(&mut driver, binding)
            };
            if !does_something(&mut driver, binding) && !states.iter().any(after) {
                idle.push(format!("{view}: {} {}", binding.keys[0], binding.help));
            }
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

#[test]
fn a_page_leaves_the_pair_that_is_judged_alone() {
    let driver = on(ViewId::Judging, Driver::sample(80, 24));
    let (k, screen) = (driver.app.settings.k, driver.screen());
    let mut driver = driver.keys("<pgdn>G+r");
    assert!(driver.app.notice.take().is_some_and(|it| it.starts_with("r does nothing here")));
    assert_eq!((driver.app.settings.k, driver.screen()), (k, screen));
}

/// The keys that a newcomer needs first stand first.
#[test]
fn help_begins_with_the_keys_of_the_view() {
    let screen = Driver::sample(120, 35).keys("?").screen();
    let at = |text: &str| screen.find(text).unwrap_or(usize::MAX);
    assert!(at("next row") < at("previous row"), "{screen}");
    assert!(at("next row") < at("hold this document"), "{screen}");
}
