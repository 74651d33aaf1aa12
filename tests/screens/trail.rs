//! Esc goes back along the way that was taken, which the rule below the tabs shows.

use simscope::app::Screen;
use simscope::app::screen::ViewId;

use super::driver::Driver;

fn query(driver: &Driver) -> &str {
    driver.app.query().map_or("", |it| driver.app.analysis.corpus.id(it))
}

/// The second row: the way, and what the screen is about.
fn rule(driver: &Driver) -> String {
    driver.screen().lines().nth(1).unwrap().to_owned()
}

#[test]
fn the_way_shows_and_esc_goes_back_along_it() {
    let driver = Driver::sample(80, 24).keys("jjj<enter><enter>");
    assert_eq!(driver.app.places(), ["Docs", "tide-log-geese", "Tables"]);
    assert!(rule(&driver).contains("Docs › tide-log-geese › Tables"), "{}", rule(&driver));
    let driver = driver.keys("<esc>");
    assert_eq!(driver.app.view(), ViewId::Pair);
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.view(), driver.app.places()), (ViewId::Docs, Vec::new()));
    // All texts lead back to the groups, which the program opens on.
    let driver = driver.keys("<esc><esc>");
    assert_eq!(driver.app.notice.as_deref(), Some("q leaves"));
}

#[test]
fn a_followed_neighbour_leads_back_to_the_document_before() {
    let driver = Driver::sample(80, 24).keys("<enter>jj.");
    let followed = query(&driver).to_owned();
    assert_eq!(driver.app.places(), ["Docs", "tide-log", &*followed]);
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.screen, query(&driver)), (Screen::Pair, "tide-log"));
    let selected = driver.app.near.selected().unwrap().document;
    assert_eq!(driver.app.analysis.corpus.id(selected), followed);
}

#[test]
fn a_text_of_a_group_leads_to_its_neighbours_and_back() {
    let driver = Driver::groups(80, 24).keys("jj<enter>");
    let member = query(&driver).to_owned();
    assert_eq!(driver.app.screen, Screen::Pair);
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.screen, query(&driver)), (Screen::Docs, &*member));
    assert!(driver.app.lists_groups());
}

#[test]
fn a_place_that_is_come_to_again_ends_the_way_there() {
    let driver = Driver::sample(80, 24).keys("123456123");
    assert_eq!(driver.app.places(), ["Docs", "tide-log", "Tables"]);
    let driver = Driver::sample(80, 24).keys("b");
    let driver = driver.keys("2<esc>");
    assert_eq!(driver.app.view(), ViewId::Bits);
    assert_eq!(driver.keys("<esc>").app.view(), ViewId::Docs);
}

#[test]
fn esc_does_what_a_view_has_to_undo_first() {
    let driver = Driver::sample(80, 24).keys("2<esc>ftide<enter>2<esc>");
    assert!(!driver.app.docs.filter.is_empty());
    let driver = driver.keys("<esc>");
    assert!(driver.app.docs.filter.is_empty() && driver.app.screen == Screen::Docs);
}

/// Where the row has no room for both, the words about the neighbours give way to the way.
#[test]
fn the_way_shows_beside_long_words_on_a_narrow_screen() {
    let keys = "jjjjjjjj<enter>";
    let narrow = rule(&Driver::sample(60, 16).keys(keys));
    assert!(narrow.contains("─ Docs › ") && narrow.contains("beyond"), "{narrow}");
    let wide = rule(&Driver::sample(100, 30).keys(keys));
    assert!(
        wide.contains("Docs › tide-log-retold ") && wide.contains(", the nearest 20 beyond"),
        "{wide}"
    );
}

#[test]
fn a_long_way_shows_its_end() {
    let driver = Driver::sample(80, 24).keys("<enter>.j.j.j.3");
    let rule = rule(&driver);
    assert!(rule.contains("› Tables") && rule.chars().count() <= 80, "{rule}");
}
