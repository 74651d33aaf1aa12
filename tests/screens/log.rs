//! The log: notices can be read again.

use simscope::app::{Effect, Keys, Message, overlay::Overlay, update};

use super::driver::Driver;

fn texts(driver: &Driver) -> Vec<String> {
    driver.app.log.entries().map(|entry| entry.text.clone()).collect()
}

#[test]
fn each_notice_is_kept_once_and_in_order() {
    let mut driver = Driver::sample(80, 24).keys("yjyMM");
    driver.send(Message::Tick);
    driver.send(Message::Notice("the disk is full".to_owned()));
    driver.send(Message::Tick);
    let texts = texts(&driver);
    let end = &texts[texts.len() - 5..];
    assert_eq!(end[0], "copied: tide-log");
    assert_eq!(end[1], "copied: tide-log-copy");
    assert!(end[2].starts_with("mouse off") && end[3] == "mouse on");
    assert_eq!(end[4], "the disk is full");
}

#[test]
fn the_keys_of_a_count_are_no_notice() {
    let driver = Driver::sample(80, 24).keys("y#2jy");
    let texts = texts(&driver);
    assert_eq!(texts[texts.len() - 2..], ["copied: tide-log", "copied: tide-log-twenty"]);
}

#[test]
fn the_log_opens_on_the_newest_notice_and_can_be_copied() {
    for keys in ["@", ":log of<enter>"] {
        let driver = Driver::sample(80, 24).keys("yjy").keys(keys);
        let Some(Overlay::Log(cursor)) = driver.app.overlay else { panic!("{keys}") };
        assert_eq!(cursor.selected + 1, driver.app.log.entries().len());
    }
    let mut driver = Driver::sample(80, 24).keys("yjy@k");
    let mut copied = |key: &str| {
        let key = key.parse::<Keys>().unwrap().0[0];
        let effects = update(&mut driver.app, Message::Key(key));
        effects.into_iter().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        })
    };
    assert_eq!(copied("y").as_deref(), Some("copied: tide-log"));
    assert!(copied("Y").unwrap().contains("0:00\tcopied: tide-log-copy\n"));
}

#[test]
fn the_log_is_drawn_at_three_sizes() {
    for (width, height) in [(80, 24), (120, 35), (40, 12)] {
        let driver = Driver::sample(width, height).keys("yjy@");
        insta::assert_snapshot!(format!("log-{width}x{height}"), driver.picture());
    }
}
