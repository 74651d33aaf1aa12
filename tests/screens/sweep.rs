//! The map of Recipes: its map at three sizes, begun, stopped, gone on with, and used.

use std::time::Duration;

use simscope::analysis::sweep::sweep;
use simscope::analysis::{Job, Reference, Settings, SweepGrid};
use simscope::app::Effect;
use simscope::app::screen::ViewId;
use simscope::corpus::Input;

use super::driver::{Driver, sample, settings};

/// The view, over the sample.
fn view(width: u16, height: u16) -> Driver {
    on_view(Driver::sample(width, height))
}

fn on_view(driver: Driver) -> Driver {
    driver.show(ViewId::Recipes)
}

#[test]
fn the_map_at_every_size() {
    for (name, keys) in [("before", ""), ("done", "<enter>jjlll")] {
        for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
            let driver = view(width, height).keys(keys);
            if name == "done" || width == 80 {
                insta::assert_snapshot!(format!("sweep-{name}-{width}x{height}"), driver.picture());
            }
            let screen = driver.ascii().picture();
            assert!(screen.is_ascii(), "{name} at {width}x{height}:\n{screen}");
            if name == "done" && width == 80 {
                insta::assert_snapshot!(format!("sweep-{name}-ascii"), screen);
            }
        }
    }
}

#[test]
fn the_screen_has_the_numbers_of_the_command() {
    let driver = view(80, 24).keys("<enter>");
    let (grid, base) = (SweepGrid::default(), settings());
    let corpus = &driver.app.analysis.corpus;
    let job = Job::new();
    let reference = Reference::of_corpus(corpus, &base, &job).unwrap();
    for (row, settings) in grid.settings(&base).iter().enumerate() {
        let expected = sweep(corpus, settings, &grid.widths, &reference, &job).unwrap();
        for (at, expected) in expected.iter().enumerate() {
            let (row, column) = (row / 4, row % 4 * 3 + at);
            let shown = driver.app.tune.sweep.cell(row, column).unwrap();
            assert_eq!((shown.k(), &shown.curve), (expected.k(), &expected.curve));
            assert_eq!(shown.settings.recipe, expected.settings.recipe);
        }
    }
}

/// Answers the questions left open, one step of the sweep and no more.
fn one_step(driver: &mut Driver) {
    let held = std::mem::take(&mut driver.held);
    for effect in held {
        let Effect::Run(task) = effect else { continue };
        driver.run(task);
    }
}

#[test]
fn it_goes_on_behind_other_screens_and_stops_when_told() {
    let mut driver = view(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("<enter>");
    assert!(driver.screen().contains("step 1 of 25: counting; ^C stops"), "{}", driver.screen());
    let mut driver = {
        driver = driver.keys("1");
        one_step(&mut driver);
        one_step(&mut driver);
        driver
    };
    assert_eq!(driver.app.tune.sweep.steps(), (2, 25));
    assert!(driver.screen().contains("sweep 3/25 fingerprinting"), "{}", driver.screen());
    assert!(driver.app.moves(), "its progress shows");
    driver = driver.keys("<c-c>");
    assert!(!driver.left && driver.screen().contains("stopping the sweep"), "{}", driver.screen());
    one_step(&mut driver);
    assert!(!driver.app.tune.sweep.step.is_running() && !driver.app.moves());
    let mut driver = on_view(driver.keys("4")).keys("j");
    let screen = driver.screen();
    assert!(screen.contains("stopped at step 3 of 25; Enter resumes"), "{screen}");
    assert!(screen.contains("best so far") && screen.contains("not tried yet"), "{screen}");
    // A recipe that was tried can be used meanwhile.
    driver.mute = false;
    driver = driver.keys("k<enter>");
    assert_eq!(driver.app.settings.recipe.bits, 32);
    let driver = driver.keys("j<enter>");
    assert!(driver.app.tune.sweep.is_done());
    // Begun under words:3, it stays held against that.
    let running = driver.app.tune.sweep.running.as_ref().unwrap();
    assert!(running.reference.as_ref().unwrap().title.contains("words:3"));
    // After a change beside what the map varies it begins again.
    let driver = driver.keys("rjjjjl<enter>");
    assert!(driver.screen().contains("Enter begins again"), "{}", driver.screen());
    let driver = driver.keys("<enter>");
    let running = driver.app.tune.sweep.running.as_ref().unwrap();
    assert_eq!(running.base.recipe, driver.app.settings.recipe);
}

#[test]
fn enter_uses_the_selected_recipe_at_its_best_k() {
    // Done, the best one is selected, here words:2; one to the right is another.
    let driver = view(80, 24).keys("<enter>");
    let selected = |driver: &Driver| driver.app.tune.sweep.selected().unwrap().settings.clone();
    assert_eq!(selected(&driver).recipe.short(), "words:2 binary bits=32");
    let driver = driver.keys("l");
    assert_eq!(selected(&driver).recipe.short(), "words:2 binary");
    let driver = driver.keys("h");
    let selected = selected(&driver);
    assert_eq!(selected.recipe.short(), "words:2 binary bits=32");
    let driver = driver.keys("<enter>");
    let (now, shown) = (&driver.app.settings, &driver.app.analysis.settings);
    assert_eq!((&now.recipe, now.k), (&selected.recipe, selected.k));
    assert_eq!((&shown.recipe, shown.k), (&selected.recipe, selected.k));
    let pairs = driver.app.analysis.totals().unwrap().pairs;
    assert_eq!(Some(pairs), driver.app.tune.sweep.selected().unwrap().pairs);
}

#[test]
fn what_cannot_be_swept_says_why_and_is_asked_again_by_a_key_alone() {
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00\"}\n{\"id\":\"b\",\"fingerprint\":\"01\"}\n";
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: rows.as_bytes() }];
    let narrow = Settings { recipe: "bits=8".parse().unwrap(), ..settings() };
    for (width, height) in [(80, 24), (140, 40), (40, 12)] {
        let driver = Driver::open(inputs.clone(), narrow.clone(), width, height).keys("4");
        let driver = on_view(driver).keys("<enter>");
        let screen = driver.screen();
        assert!(screen.contains("holds no text"), "{screen}");
        assert!(!driver.app.tune.sweep.step.is_running());
    }
    // While a corpus is read there is nothing to sweep yet.
    let driver = on_view(Driver::idle(80, 24).keys("4")).keys("<enter>");
    assert!(driver.screen().contains("when the corpus is read"), "{}", driver.screen());
    // Nothing is asked for again before a key asks.
    let mut driver = on_view(Driver::open(sample(), settings(), 80, 24).keys("4"));
    driver.mute = true;
    driver = driver.keys("<enter>");
    let task = driver.take_held("sweep");
    driver.fail(&task, "out of reach");
    let screen = driver.screen();
    assert!(screen.contains("out of reach") && screen.contains("Enter resumes"), "{screen}");
    let driver = driver.keys("j");
    assert!(!driver.app.tune.sweep.step.is_running());
    assert!(driver.keys("<enter>").app.tune.sweep.step.is_running());
    // A fault is told once.
    let mut driver = on_view(Driver::open(sample(), settings(), 80, 24).keys("4"));
    driver.mute = true;
    driver = driver.keys("<enter>");
    let task = driver.take_held("sweep");
    driver.fail(&task, "a fault");
    assert!(driver.screen().contains("a fault") && driver.held.is_empty(), "{}", driver.screen());
}

#[test]
fn long_work_is_lost_only_after_a_second_key() {
    let long = Duration::from_secs(42);
    let begin = |took| {
        let mut driver = view(80, 24).keys("<enter>");
        driver.app.tune.sweep.running.as_mut().expect("a sweep").took = took;
        driver
    };
    // Work that is done again in no time is not asked about.
    assert!(begin(Duration::from_secs(10)).keys("q").left);
    let mut driver = begin(long);
    driver.app.tune.layouts.took = Duration::from_secs(1234);
    let driver = driver.keys("q");
    let said = "press q again to leave and lose the sweep (42 s of work), the measured layouts (1,234 s of work)";
    assert_eq!((driver.left, driver.app.notice.as_deref()), (false, Some(said)));
    // On whatever screen; any other key answers no.
    let driver = driver.keys("1q");
    assert!(!driver.left);
    assert!(driver.keys("q").left);
}

/// A step that has run for long is lost, too, though no step was finished.
#[test]
fn the_step_under_way_is_long_work() {
    let mut driver = Driver::open(sample(), settings(), 80, 24).keys("4");
    driver.mute = true;
    driver = on_view(driver).keys("<enter>");
    driver.app.now += Duration::from_secs(11);
    let driver = driver.keys("q");
    let said = "press q again to leave and lose the sweep (11 s of work)";
    assert_eq!((driver.left, driver.app.notice.as_deref()), (false, Some(said)));
}
