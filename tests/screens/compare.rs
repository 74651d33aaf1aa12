//! The changes in Recipes: what a change of recipe gains and loses, and the pair that Enter opens.

use simscope::app::Screen;
use simscope::app::screen::ViewId;

use super::driver::{Driver, sample, settings};

fn on_view(driver: Driver) -> Driver {
    let driver = driver.show(ViewId::Recipes);
    if driver.app.tune.compare.leads { driver } else { driver.keys("<tab>") }
}

/// The recipe form, from words:3 to words:2 and from k = 3 to 4.
const CHANGE: &str = "rj<left>jjjjjjjjj<right><enter>";

/// The sample under another recipe than it was opened with.
fn changed(width: u16, height: u16) -> Driver {
    on_view(Driver::sample(width, height).keys(CHANGE))
}

#[test]
fn the_view_at_every_size() {
    for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
        let before = on_view(Driver::sample(width, height));
        assert!(before.screen().contains("r changes the recipe"), "{}", before.screen());
        let driver = changed(width, height).keys("j");
        insta::assert_snapshot!(format!("compare-{width}x{height}"), driver.picture());
        let screen = driver.ascii().picture();
        assert!(screen.is_ascii(), "{width}x{height}:\n{screen}");
        if (width, height) == (80, 24) {
            insta::assert_snapshot!("compare-ascii", screen);
            insta::assert_snapshot!("compare-before", before.picture());
        }
    }
}

#[test]
fn gained_and_lost_follow_every_step_of_k() {
    let driver = changed(80, 24);
    let found = driver.app.tune.compare.found.answer().cloned().unwrap();
    let pairs = |driver: &Driver| driver.app.analysis.totals().unwrap().pairs;
    let at_first = Driver::sample(80, 24);
    assert_eq!((found.before.recipe.short(), found.before.k), ("words:3 tf".into(), 3));
    assert_eq!((found.after.recipe.short(), found.after.k), ("words:2 tf".into(), 4));
    assert_eq!(found.lost.n_found, pairs(&at_first));
    assert_eq!(found.gained.n_found, pairs(&driver));
    let both = found.n_both().unwrap();
    assert_eq!(both + found.gained.n_pairs, pairs(&driver));
    let driver = driver.keys("+");
    let wider = driver.app.tune.compare.found.answer().cloned().unwrap();
    assert_eq!((wider.before.k, wider.after.k), (3, 5));
    assert!(wider.gained.n_pairs > found.gained.n_pairs);
    assert_eq!(wider.gained.n_found, pairs(&driver));
}

#[test]
fn enter_opens_the_selected_pair_however_far_it_is_now() {
    for keys in ["", "G"] {
        let driver = changed(80, 24).keys(keys);
        let found = driver.app.tune.compare.found.answer().cloned().unwrap();
        let at = driver.app.tune.compare.cursor.selected;
        let (change, _) = found.row(at).unwrap();
        let (a, b) = found.first(change);
        let driver = driver.keys("<enter>");
        assert_eq!(driver.app.screen, Screen::Pair);
        let (query, neighbour) = driver.app.near.pair().unwrap();
        assert_eq!((query, neighbour.document), (a, b));
        assert_eq!(Some(neighbour.distance), change.after);
        let driver = driver.keys("<esc>");
        assert_eq!(driver.app.view(), ViewId::Recipes);
    }
}

#[test]
fn nothing_is_searched_before_the_view_is_looked_at() {
    let mut driver = Driver::sample(80, 24);
    driver = driver.keys(CHANGE);
    assert!(
        driver.app.tune.compare.before.is_some()
            && driver.app.tune.compare.found.answer().is_none()
    );
    // A form that changes nothing leaves what was put aside.
    let before = driver.app.tune.compare.before.clone().unwrap();
    driver = driver.keys("r<enter>");
    assert!(std::sync::Arc::ptr_eq(&before, driver.app.tune.compare.before.as_ref().unwrap()));
    driver.mute = true;
    let mut driver = on_view(driver);
    assert!(driver.app.tune.compare.found.is_running());
    assert!(driver.screen().contains("searching for pairs that only one"), "{}", driver.screen());
    driver.speak();
    assert!(driver.screen().contains("found by both"), "{}", driver.screen());
    // A recipe used from the sweep is compared with the one before it.
    let driver = Driver::open(sample(), settings(), 80, 24).show(ViewId::Recipes);
    let driver = on_view(driver.keys("<enter>G<enter>"));
    let found = driver.app.tune.compare.found.answer().cloned().unwrap();
    assert_eq!(found.after.recipe, driver.app.tune.sweep.selected().unwrap().settings.recipe);
    assert_eq!(found.before.recipe.short(), "words:3 tf");
}
