//! Laws: no size and no key panics, and nothing a document says reaches the terminal untamed.

use std::env;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use simscope::app::Message;
use simscope::app::key::{Key, KeyCode, Mouse, MouseAction};
use simscope::corpus::Input;

use super::driver::{Driver, WRITERS, settings};
use crate::corpus::hostile;
use crate::support::cases;

fn message() -> impl Strategy<Value = Message> {
    let code = prop_oneof![
        8 => proptest::sample::select("jkgGnNsSfbJKdt.hlm +-r123?!yM=/ :is0129vVwcmz<>#".chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
        1 => any::<char>().prop_map(KeyCode::Char),
        4 => proptest::sample::select(vec![
            KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::BackTab, KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right,
            KeyCode::Home, KeyCode::End, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Backspace, KeyCode::Delete, KeyCode::F(1),
        ]),
    ];
    let key = (code, proptest::bool::weighted(0.1), Just(false));
    prop_oneof![
        12 => key.prop_map(|(code, ctrl, alt)| Message::Key(Key { code, ctrl, alt })),
        2 => (0u16..=200, 0u16..=60).prop_map(|(width, height)| Message::Resize { width, height }),
        1 => (0u16..=200, 0u16..=60, 0..3usize).prop_map(|(column, row, action)| {
            let all = [MouseAction::Click, MouseAction::Wheel(-1), MouseAction::Wheel(1)];
            let action = all[action];
            Message::Mouse(Mouse { action, column, row })
        }),
        1 => ".{0,12}".prop_map(Message::Paste),
        1 => Just(()).prop_map(|()| Message::Tick),
    ]
}

/// Whether a terminal would obey it, or a reader not see it.
fn is_hostile(c: char) -> bool {
    let is_unseen = matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c != '\n' && (c.is_control() || is_unseen)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn no_screen_panics_at_any_size_under_any_keys(
        (width, height) in (0u16..=200, 0u16..=60),
        messages in proptest::collection::vec(message(), 0..60),
    ) {
        let mut driver = Driver::sample(width, height);
        driver.refused = WRITERS;
        for message in messages {
            driver.send(message);
            let n_rows = driver.screen().lines().count();
            prop_assert_eq!(n_rows, driver.app.size.height as usize * usize::from(driver.app.size.width > 0));
            if let Some(document) = driver.app.query() {
                prop_assert!(document.index() < driver.app.analysis.len());
            }
        }
    }

    #[test]
    fn nothing_a_document_says_is_obeyed(
        texts in proptest::collection::vec((".{0,40}|[\\x00-\\x1f\u{7f}-\u{9f}\u{202a}-\u{202e}\u{200b}a]{0,40}", "\\PC{0,8}|[\\x00-\\x1f\u{202e}]{1,8}"), 1..5),
        keys in proptest::sample::select(vec!["", "<enter>", "<enter><enter>", "<enter>d", "!", "bJ", "2", "2JJJJ", "5", "5JJJJ", "<tab>"]),
    ) {
        let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
        for (text, id) in &texts {
            let row = serde_json::json!({ "id": id, "text": text });
            writeln!(file, "{row}").unwrap();
        }
        let driver = Driver::open(vec![Input::Path(file.path().to_owned())], settings(), 80, 24).keys(keys);
        let screen = driver.screen();
        prop_assert!(!screen.contains(is_hostile), "{screen:?}");
    }
}

/// Presses up to 200 keys on one of these inputs; what was pressed is printed if something fails.
fn press_at_random(inputs: &[&Path], runner: &mut TestRunner) {
    let size = (1u16..=200, 1u16..=60);
    let messages = proptest::collection::vec(message(), 0..200);
    let case = (0..inputs.len(), size, messages).new_tree(runner).unwrap();
    let (input, (width, height), messages) = case.current();
    let run = AssertUnwindSafe(|| {
        let inputs = vec![Input::Path(inputs[input].to_owned())];
        let mut driver = Driver::open(inputs, settings(), width, height);
        driver.refused = WRITERS;
        for message in messages {
            driver.send(message);
            let screen = driver.screen();
            assert!(!screen.contains(is_hostile), "{screen:?}");
        }
    });
    if let Err(panic) = catch_unwind(run) {
        eprintln!("{}: {:?}", inputs[input].display(), case.current());
        resume_unwind(panic);
    }
}

/// The soak: `SIMSCOPE_SOAK=600 cargo test --release -- --ignored --nocapture soak` runs it for ten minutes.
#[test]
#[ignore = "takes SIMSCOPE_SOAK seconds, by default a minute"]
fn soak_of_random_keys_on_hostile_corpora() {
    let seconds = env::var("SIMSCOPE_SOAK").ok().and_then(|seconds| seconds.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(60));
    let Some(folder) = hostile::made() else { return };
    let groups = hostile::GROUPS.map(|group| folder.path().join(group));
    let groups = groups.each_ref().map(|group| &**group);
    let (mut runner, mut n_runs) = (TestRunner::default(), 0);
    while Instant::now() < end {
        press_at_random(&groups, &mut runner);
        n_runs += 1;
    }
    eprintln!("{n_runs} runs");
}
