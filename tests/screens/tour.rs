//! The tour: each card goes when its key was pressed, and Esc leaves at any time.

use simscope::app::Screen;
use simscope::app::screen::ViewId;

use super::driver::Driver;

fn tour() -> Driver {
    let mut driver = Driver::groups(80, 24);
    driver.app.begin_tour();
    driver
}

fn title(driver: &Driver) -> String {
    driver.app.tour_card().expect("a card").title
}

#[test]
fn seven_cards_follow_the_real_keys() {
    let mut driver = tour();
    let steps = [
        ("jj", "pick a text"),
        ("b", "see its bits"),
        ("<enter>", "find its near-duplicates"),
        ("<enter>", "look into the tables"),
        ("4", "choose the threshold"),
        ("l", "move the threshold"),
        ("X", "take it with you"),
    ];
    for (n, (keys, name)) in steps.into_iter().enumerate() {
        assert_eq!(title(&driver), format!("tour {} of 7: {name}", n + 1));
        let first: String = keys.parse::<simscope::app::Keys>().unwrap().0[0].to_string();
        let text = driver.app.tour_card().unwrap().text;
        assert!(text.contains(&format!(" {first}")), "{first}: {text}");
        driver = driver.keys(keys);
    }
    assert_eq!((title(&driver), driver.app.settings.k), ("tour: done".to_owned(), 4));
    // Esc ends the line that asks for a file, then the tour; nothing else is undone.
    let driver = driver.keys("<esc><esc>");
    assert!(driver.app.tour_card().is_none() && driver.app.screen == Screen::Tune);
}

#[test]
fn escape_leaves_it_at_any_card_and_does_nothing_else() {
    let driver = tour().keys("jjb<esc>");
    assert!(driver.app.tour_card().is_none());
    assert_eq!(driver.app.view(), ViewId::Bits);
    assert!(!driver.keys("<esc>").screen().contains("tour"));
}

#[test]
fn other_keys_do_what_they_always_do_and_the_card_waits() {
    let driver = tour().keys("4");
    assert_eq!((driver.app.screen, &*title(&driver)), (Screen::Tune, "tour 1 of 7: pick a text"));
    let driver = driver.keys("?");
    assert!(!driver.screen().contains("tour 1"), "a panel is not covered");
}

/// On the smallest screen the selected row stays in sight.
#[test]
fn a_card_does_not_cover_the_selected_row() {
    let mut driver = Driver::groups(40, 10);
    driver.app.begin_tour();
    for key in ["", "j", "j"] {
        driver = driver.keys(key);
        assert!(driver.screen().contains('▶'), "{}", driver.screen());
    }
}

#[test]
fn cards_are_drawn_at_two_sizes() {
    for (width, height) in [(80, 24), (120, 35)] {
        let mut driver = Driver::groups(width, height);
        driver.app.begin_tour();
        insta::assert_snapshot!(format!("tour-{width}x{height}"), driver.picture());
    }
}

#[test]
fn a_card_on_another_screen_names_the_way_to_its_own() {
    let driver = tour().keys("<enter>jj");
    assert_eq!(title(&driver), "tour 1 of 7: pick a text");
    let text = driver.app.tour_card().unwrap().text;
    assert!(text.contains("Press 1 for Docs, then j until"), "{text}");
    assert_eq!(title(&driver.keys("1jj")), "tour 2 of 7: see its bits");
}
