//! Counts before motions, and the way to a screen where digits are counts.

use simscope::app::{Screen, custom_keys::Keymap, screen::ViewId};

use super::driver::Driver;

/// The sample under a preset of keys.
fn under(preset: &str, width: u16, height: u16) -> Driver {
    let mut driver = Driver::sample(width, height);
    driver.app.keymap = Keymap::preset(preset).unwrap();
    driver
}

fn selected(driver: &Driver) -> usize {
    driver.app.docs.cursor.selected
}

#[test]
fn a_digit_is_a_screen_and_a_count_follows_its_key() {
    for preset in ["default", "emacs"] {
        let driver = under(preset, 80, 24).keys("#12<down>");
        assert_eq!((selected(&driver), driver.app.screen), (12, Screen::Docs));
        let driver = driver.keys("#5<up>#30G");
        assert_eq!(selected(&driver), 29);
        let driver = driver.keys("5");
        assert_eq!((driver.app.screen, driver.app.settings.k), (Screen::Tune, 3));
    }
}

#[test]
fn under_vim_digits_count_and_g_goes_to_screens() {
    let driver = under("vim", 80, 24).keys("12j");
    assert_eq!((selected(&driver), driver.app.screen), (12, Screen::Docs));
    for (keys, row) in [("10G", 9), ("5gg", 4), ("gg", 0), ("G", 99), ("3k", 96), ("0", 99)] {
        let driver = under("vim", 80, 24).keys("G").keys(keys);
        assert_eq!((selected(&driver), driver.app.screen), (row, Screen::Docs), "{keys}");
    }
    for (keys, screen) in [("g5", Screen::Tune), ("<a-4>", Screen::Groups), ("g2", Screen::Near)] {
        assert_eq!(under("vim", 80, 24).keys(keys).app.screen, screen, "{keys}");
    }
    assert_eq!(under("default", 80, 24).keys("<a-4>").app.screen, Screen::Groups);
    assert_eq!(under("default", 80, 24).keys("<a-g>5").app.screen, Screen::Tune);
}

#[test]
fn a_count_is_dropped_by_escape_and_by_a_key_that_means_nothing() {
    for keys in ["5<esc>j", "5<f7>j", "g<esc>j", "gxj", "#<esc>j", "#j"] {
        let driver = under("vim", 80, 24).keys("<enter><esc>").keys(keys);
        assert_eq!((selected(&driver), driver.app.screen), (1, Screen::Docs), "{keys}");
    }
    // A panel has the digits for itself.
    let driver = under("vim", 80, 24).keys("3/44<esc>j");
    assert_eq!(selected(&driver), 1);
}

#[test]
fn every_motion_takes_a_count() {
    let driver = under("vim", 80, 24).keys("/tide<enter>");
    let [once, twice, thrice] = ["n", "nn", "nnn"]
        .map(|keys| selected(&under("vim", 80, 24).keys("/tide<enter>").keys(keys)));
    assert!(once < twice && twice < thrice);
    assert_eq!(selected(&driver.keys("3n")), thrice);
    // k is moved so many steps, and no farther than pairs are known by a motion of rows.
    assert_eq!(under("vim", 80, 24).keys("4+").app.settings.k, 7);
    assert_eq!(under("vim", 80, 24).keys("g55j").app.settings.k, 8);
    assert_eq!(under("vim", 80, 24).keys("g56G").app.settings.k, 6);
    let bit = |keys| under("vim", 120, 35).keys("g1v").keys(keys).app.docs.votes.bit(64);
    assert!(bit("5l") == bit("lllll") && bit("5l") != bit("l"));
    let chain = |keys| under("vim", 80, 24).keys("g4").keys(keys).app.groups.cursor.selected;
    assert!(chain("2n") == chain("nn") && chain("2n") != chain("n"));
    let table = |keys| under("vim", 80, 24).keys("g3").keys(keys).app.tables.probes;
    assert!(table("2b") == table("bb") && table("2b") != table("b"));
    assert_eq!(table("bbb99<space>"), table(""));
    let page = |keys| under("vim", 80, 24).keys("g1vv").keys(keys).app.docs.health.pane.top;
    assert!(page("2n") == page("nn") && page("2n") != page("n"));
}

#[test]
fn what_waits_is_told_in_the_status_row() {
    for (width, height) in [(80, 24), (120, 35), (40, 12)] {
        let driver = under("vim", width, height).keys("12");
        insta::assert_snapshot!(format!("count-{width}x{height}"), driver.screen());
    }
    let told = |keys: &str| under("vim", 80, 24).keys(keys).app.notice.unwrap_or_default();
    assert!(told("g").starts_with("go to"), "{}", told("g"));
    assert_eq!(told("g<esc>"), "");
    // Help lists the keys of the preset in use.
    let help = under("vim", 120, 35).keys("?a count").screen();
    assert!(help.contains("# 1 2") && help.contains("g Alt-g"), "{help}");
}

#[test]
fn a_tab_is_clicked_whatever_the_digits_mean() {
    use simscope::app::{
        Message,
        key::{Mouse, MouseAction},
    };
    let mut driver = under("vim", 80, 24).keys("7");
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column: 48, row: 0 }));
    assert_eq!((driver.app.screen, driver.app.settings.k), (Screen::Tune, 3));
    assert_eq!(driver.app.view(), ViewId::Distances);
}
