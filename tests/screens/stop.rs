//! Work in the background: stopped by one key from any screen, left behind with its recipe, asked for again.

use simscope::app::{
    Answer, Message,
    question::Kind,
    screen::{docs, tune},
};

use super::driver::Driver;

/// Views turned until the question of this kind is open, and left so.
fn asking(kind: Kind) -> Driver {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let screen = match kind {
        Kind::Flags | Kind::Health | Kind::Disagreements => "1",
        _ => "5",
    };
    driver = driver.keys(screen);
    for _ in 0..docs::View::ALL.len().max(tune::View::ALL.len()) {
        if !driver.app.asked.awaits(kind) {
            driver = driver.keys("v");
        }
        if matches!(driver.app.tune.view, tune::View::Sweep | tune::View::Lab) && screen == "5" {
            driver = driver.keys("<enter>");
        }
    }
    assert!(driver.app.asked.awaits(kind), "{kind}");
    driver
}

const LONG: [Kind; 7] = [
    Kind::Health,
    Kind::Disagreements,
    Kind::Distances,
    Kind::Load,
    Kind::Prepare,
    Kind::Try,
    Kind::Sweep,
];

#[test]
fn whatever_runs_stops_from_another_screen_at_the_first_key() {
    for kind in LONG {
        let driver = asking(kind).keys("3<c-c>");
        assert!(!driver.left, "{kind}");
        assert!(driver.screen().contains("stopping the"), "{kind}: {}", driver.screen());
        assert!(driver.app.tune.lab.queue.is_empty());
        let mut driver = driver.keys("3<c-c>");
        assert!(driver.screen().contains("nothing runs"), "{kind}: {}", driver.screen());
        // The answers of what was stopped change nothing, and nothing begins again.
        driver.held.clear();
        let driver = driver.keys("3");
        assert!(driver.held.is_empty(), "{kind}: {:?}", driver.held);
        assert!(driver.keys("<c-c><c-c>").left);
    }
}

#[test]
fn what_failed_says_why_and_can_be_asked_again() {
    let mut driver = asking(Kind::Disagreements);
    driver.app.tune = tune::TuneState::default();
    let number = driver.held.iter().rev().find_map(|effect| match effect {
        simscope::app::Effect::Ask { number, question, .. } => {
            (question.kind() == Kind::Disagreements).then_some(*number)
        }
        _ => None,
    });
    let result = Ok(Answer::Disagreements(Err("no room".into())));
    let number = number.unwrap();
    driver.send(Message::Answered { number, kind: Kind::Disagreements, result });
    let driver = driver.keys("k");
    let screen = driver.screen();
    assert!(screen.contains("no room: failed; Enter looks again"), "{screen}");
    assert!(!driver.app.asked.awaits(Kind::Disagreements));
    let mut driver = driver.keys("<enter>");
    assert!(driver.app.asked.awaits(Kind::Disagreements));
    driver.speak();
    assert!(driver.screen().contains("compared disagree"), "{}", driver.screen());
}

#[test]
fn another_recipe_lets_go_of_the_fingerprints_before() {
    let mut driver = Driver::sample(140, 40).keys("vvv5v1");
    assert!(
        driver.app.docs.disagreements.found.is_some() && driver.app.docs.health.found.is_some()
    );
    assert!(driver.app.tune.distances.measured.is_some());
    let shelf = std::sync::Arc::downgrade(driver.app.analysis.shelf.as_ref().unwrap());
    driver.mute = true;
    let driver = driver.keys("rj2<enter>");
    assert!(driver.app.tune.distances.measured.is_none() && driver.app.docs.health.found.is_none());
    assert_eq!(shelf.strong_count(), 0);
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
    assert_eq!(before.settings.recipe.short(), "words:2");
}

#[test]
fn a_stop_that_comes_too_late_for_a_step_of_the_sweep_holds_for_the_next() {
    let mut driver = asking(Kind::Sweep);
    let held = std::mem::take(&mut driver.held);
    let step = held.into_iter().find_map(|effect| match effect {
        simscope::app::Effect::Ask { number, analysis, question } => {
            (question.kind() == Kind::Sweep).then(|| (number, question.answer(&analysis)))
        }
        _ => None,
    });
    let (number, answer) = step.unwrap();
    let mut driver = driver.keys("<c-c>");
    driver.send(Message::Answered { number, kind: Kind::Sweep, result: Ok(answer) });
    assert!(driver.app.tune.sweep.begun.as_ref().unwrap().reference.is_some(), "it is kept");
    assert!(!driver.app.asked.awaits(Kind::Sweep));
    let driver = driver.keys("<enter>");
    assert!(driver.app.asked.awaits(Kind::Sweep));
}
