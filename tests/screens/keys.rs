//! Help and footer list a key only where it does something.

use simscope::app::{
    Effect, Message,
    keymap::{Action, Binding, bindings},
    screen::ViewId,
    update,
};

use super::driver::Driver;

/// The keys that lead to a view.
fn way(view: ViewId) -> String {
    let (screen, at) = match view {
        ViewId::Documents => ("1", 0),
        ViewId::Bits => ("1", 1),
        ViewId::Health => ("1", 2),
        ViewId::Disagreements => ("1", 3),
        ViewId::Texts => ("2", 0),
        ViewId::Why => ("2", 1),
        ViewId::Tables => ("3", 0),
        ViewId::Groups => ("4", 0),
        ViewId::Distances => ("5", 0),
        ViewId::Layouts => ("5", 1),
        ViewId::Label => ("5", 2),
        ViewId::Judging => return "5vv<enter>".into(),
        ViewId::Lab => ("5", 3),
        ViewId::Sweep => ("5", 4),
        // Something has to be compared with.
        ViewId::Compare => return "rj1<enter>5vvvvv".into(),
        ViewId::Lessons => ("6", 0),
        ViewId::Playground => ("6", 1),
        ViewId::Step => ("6", 2),
        ViewId::Blocks => ("6", 3),
        ViewId::Angle => ("6", 4),
        ViewId::Wear => ("6", 5),
    };
    format!("{screen}{}", "v".repeat(at))
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
        Action::Enter => matches!(view, ViewId::Health | ViewId::Distances),
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
    ];
    let open = |view, before: &str| Driver::sample(80, 24).keys(&way(view)).keys(before);
    let mut idle = Vec::new();
    for &view in ViewId::ALL {
        let is_new = |it: &&Binding| it.views != ViewId::ALL || view == ViewId::Documents;
        let listed = bindings(view).filter(is_new);
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
    let driver = Driver::sample(80, 24).keys(&way(ViewId::Judging));
    let (k, screen) = (driver.app.settings.k, driver.screen());
    let driver = driver.keys("<pgdn>G+r");
    assert_eq!((driver.app.settings.k, driver.screen()), (k, screen));
}
