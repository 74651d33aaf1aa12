//! Work in the background: stopped by one key from any screen, left behind with its recipe, asked for again.

use simscope::app::Message;
use simscope::app::screen::ViewId;
use simscope::app::screen::tune::TuneState;

use super::driver::Driver;

/// Views turned until the query of this name is open, and left so.
fn asking(name: &str) -> Driver {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let screen = match name {
        "flags" | "disagreements" => "5",
        _ => "4",
    };
    driver = driver.keys(screen);
    for _ in ViewId::ALL {
        if !driver.app.awaits(name) {
            driver = driver.keys("v");
        }
        if matches!(driver.app.view(), ViewId::Recipes | ViewId::Layouts) {
            driver = driver.keys("<enter>");
        }
    }
    assert!(driver.app.awaits(name), "{name}");
    driver
}

const LONG: [&str; 6] =
    ["disagreements", "distances", "load", "pairs to judge", "layout to try", "sweep"];

#[test]
fn whatever_runs_stops_from_another_screen_at_the_first_key() {
    for name in LONG {
        let driver = asking(name).keys("3<c-c>");
        assert!(!driver.left, "{name}");
        assert!(driver.screen().contains("stopping the"), "{name}: {}", driver.screen());
        assert!(driver.app.tune.layouts.queue.is_empty());
        let mut driver = driver.keys("3<c-c>");
        assert!(
            driver.screen().contains("there is no work to stop"),
            "{name}: {}",
            driver.screen()
        );
        // The answers of what was stopped change nothing, and nothing begins again.
        driver.held.clear();
        let driver = driver.keys("3");
        assert!(driver.held.is_empty(), "{name}: {:?}", driver.held);
        assert!(driver.keys("<c-c><c-c>").left);
    }
}

#[test]
fn what_failed_says_why_and_can_be_asked_again() {
    let mut driver = asking("disagreements");
    driver.app.tune = TuneState::default();
    let task = driver.take_held("disagreements");
    driver.fail(&task, "no room");
    let driver = driver.keys("k");
    let screen = driver.screen();
    assert!(screen.contains("no room; Enter searches again"), "{screen}");
    assert!(!driver.app.awaits("disagreements"));
    let mut driver = driver.keys("<enter>");
    assert!(driver.app.awaits("disagreements"));
    driver.speak();
    assert!(driver.screen().contains("compared disagree"), "{}", driver.screen());
}

#[test]
fn another_recipe_lets_go_of_the_fingerprints_before() {
    let mut driver = Driver::sample(140, 40).keys("54v1");
    assert!(driver.app.docs.check.disagreements.answer().is_some());
    assert!(driver.app.tune.distances.measured.answer().is_some());
    let index = std::sync::Arc::downgrade(driver.app.analysis.index.as_ref().unwrap());
    driver.mute = true;
    let driver = driver.keys("rj2<enter>");
    assert!(driver.app.tune.distances.measured.answer().is_none());
    assert!(driver.app.docs.check.disagreements.answer().is_none());
    assert_eq!(index.strong_count(), 0);
}

#[test]
fn a_change_that_was_stopped_leaves_what_is_compared_with() {
    let mut driver = Driver::sample(80, 24).keys("rj2<enter>");
    let before = driver.app.tune.compare.before.clone().unwrap();
    driver.hold = true;
    let mut driver = driver.keys("rj4<enter>");
    let number = driver.app.running.as_ref().expect("it changes").number;
    driver = driver.keys("<c-c>");
    driver.send(Message::AnalysisFailed { number, problem: "stopped".into() });
    let now = driver.app.tune.compare.before.clone().unwrap();
    assert!(std::sync::Arc::ptr_eq(&before, &now));
    driver.hold = false;
    let driver = driver.keys("rj4<enter>");
    let before = driver.app.tune.compare.before.clone().unwrap();
    assert_eq!(before.settings.recipe.short(), "words:2 tf");
}

#[test]
fn a_stop_that_comes_too_late_for_a_step_of_the_sweep_holds_for_the_next() {
    let mut driver = asking("sweep");
    let task = driver.take_held("sweep");
    let answer = (task.work)();
    let mut driver = driver.keys("<c-c>");
    driver.send(Message::Answered(answer));
    assert!(driver.app.tune.sweep.running.as_ref().unwrap().reference.is_some(), "it is kept");
    assert!(!driver.app.awaits("sweep"));
    let driver = driver.keys("<enter>");
    assert!(driver.app.awaits("sweep"));
}
