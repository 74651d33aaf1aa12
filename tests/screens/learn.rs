//! The Learn screen: every lesson can be done from the keyboard, and only by doing it.

use simscope::app::{
    Effect, Message, keymap,
    screen::{Screen, learn::lessons::FILES},
    update,
};

use super::driver::{Driver, sample, settings};

/// Each lesson with keys that answer it wrong, and keys that do it.
const DONE_BY: [(&str, &str, &str); 10] = [
    ("eight-bits", "<space><space>b", "<space><space>"),
    ("order", "e<tab>x<esc>", "e<c-w><esc>"),
    ("domination", "a1111<enter>w", "a1001<enter>w"),
    ("ties", "e<bs>n<esc>", "e tide<esc>"),
    ("angle", "<space>a20<enter>", "G<space>a13<enter>"),
    ("three-bits", "a0.95<enter>", "a,989<enter>"),
    ("wear", "a1<enter>", "a3<enter>"),
    (
        "tables",
        "<space>l<space>l<space>l<space>",
        "xllllllllllllllll<space>llllllllllllllll<space>llllllllllllllll<space>hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh<space>",
    ),
    ("bands", "a0.5<enter>", "a0.17<enter>"),
    ("choose-k", "5-6", "5++6"),
];

fn lesson(number: usize) -> Driver {
    Driver::sample(80, 24).keys(&format!("6{}<enter>", "j".repeat(number)))
}

#[test]
fn every_lesson_is_done_by_doing_it() {
    for (number, ((name, wrong, right), (file, _))) in DONE_BY.iter().zip(FILES).enumerate() {
        assert_eq!(*name, file);
        let driver = lesson(number);
        let is_done = |driver: &Driver| driver.app.learn.lessons.is_done(number);
        assert!(!is_done(&driver), "{name} begins undone:\n{}", driver.screen());
        let driver = driver.keys(wrong);
        assert!(!is_done(&driver), "{name} is done by {wrong}:\n{}", driver.screen());
        let driver = driver.keys(right);
        assert!(is_done(&driver), "{name} is not done by {right}:\n{}", driver.screen());
    }
}

#[test]
fn what_is_done_is_asked_to_be_remembered_once() {
    let mut driver = lesson(5);
    let mut remembered = Vec::new();
    for key in "a0.989<enter>jjkk".parse::<simscope::app::Keys>().unwrap().0 {
        let effects = update(&mut driver.app, Message::Key(key));
        let names = effects.into_iter().filter_map(|effect| match effect {
            Effect::Remember(names) => Some(names),
            _ => None,
        });
        remembered.extend(names);
    }
    assert_eq!(remembered, [["three-bits".to_owned()]]);
}

#[test]
fn views_at_three_sizes() {
    let views = [
        ("lessons", "6j"),
        ("playground", "6vd"),
        ("playground-typing", "6ve and back<esc>ex"),
        ("step", "6vv<space><space><space>lll"),
        ("step-document", "6vvd<space><space>"),
        ("game", "6vvv<space>llllllllllllllllllll<space>nn"),
        ("angle", "6vvvv<space><space><space><space><space>hhhhh"),
        ("wear", "6vvvvv"),
        ("lesson-begun", "6<enter><space>"),
    ];
    for (name, keys) in views {
        for (width, height) in [(80, 24), (140, 40), (40, 12)] {
            let driver = Driver::sample(width, height).keys(keys);
            insta::assert_snapshot!(format!("learn-{name}-{width}x{height}"), driver.screen());
        }
        let screen = Driver::sample(80, 24).keys(keys).ascii().screen();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
    }
}

#[test]
fn every_key_on_every_view_and_size_is_no_trouble() {
    let keys: Vec<_> =
        keymap::bindings(Screen::Learn).flat_map(|binding| binding.keys.iter().copied()).collect();
    for (width, height) in [(0, 0), (39, 9), (40, 10), (60, 16), (80, 24), (200, 60)] {
        for view in 0..6 {
            let mut driver = Driver::sample(width, height).keys(&format!("6{}", "v".repeat(view)));
            for &key in keys.iter().filter(|key| !"1234".contains(&key.to_string())) {
                if driver.app.overlay.is_none() && !driver.left {
                    driver.send(Message::Key(key));
                }
                driver.app.overlay = None;
                driver.app.learn.playground.editing = false;
                driver.app.screen = Screen::Learn;
            }
        }
    }
}

#[test]
fn what_plays_moves_with_the_ticks_and_stops_at_the_end() {
    let mut driver = Driver::sample(80, 24).keys("6vvp");
    assert!(driver.app.moves());
    for _ in 0..200 {
        driver.send(Message::Tick);
    }
    let steps = driver.app.learn.step.len(&driver.app.learn.playground);
    assert_eq!(driver.app.learn.step.cast, steps);
    assert!(!driver.app.moves(), "nothing moves when all have voted");
}

#[test]
fn no_documents_and_other_widths_are_no_trouble() {
    let settings =
        simscope::analysis::Settings { recipe: "bits=128".parse().unwrap(), ..settings() };
    for keys in ["6vd", "6vvd<space>", "2j6vvvd", "6vvvv", "6vvvvv"] {
        Driver::open(sample(), settings.clone(), 80, 24).keys(keys);
        Driver::idle(80, 24).keys(keys);
    }
}
