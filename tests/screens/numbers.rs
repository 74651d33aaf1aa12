//! `?` then Tab: every number of every view with its formula, the present values in it, and its meaning.

use simscope::app::Screen;
use simscope::app::numbers::ExplainedNumber;
use simscope::app::screen::ViewId;
use simscope::evaluate::distances;

use super::driver::Driver;

/// Keys to every view, once there is something in it.
const VIEWS: [(&str, &str); 14] = [
    ("check", "5"),
    ("disagreements", "rj1<enter>vv<enter>"),
    ("docs", ""),
    ("bits", "b"),
    ("near", "<enter>"),
    ("tables", "<enter><enter>"),
    ("groups", "<tab>"),
    ("distances", "4t"),
    ("layouts", "4v"),
    ("label", "4byyyyyxxxyyyyyyyyyyyyyyy"),
    ("lab", "4v<enter>"),
    ("playground", "6v"),
    ("angle", "6vv<space><space>"),
    ("lessons", "6"),
];

fn of(numbers: &[ExplainedNumber], name: &str) -> ExplainedNumber {
    let found = numbers.iter().find(|number| number.name == name);
    found.unwrap_or_else(|| panic!("no {name} among {numbers:#?}")).clone()
}

#[test]
fn every_view_explains_its_numbers_with_the_present_values() {
    let mut without = Vec::new();
    for (name, keys) in VIEWS {
        let driver = Driver::sample(140, 40).keys(keys);
        let found = driver.app.numbers();
        assert!(found.len() >= 5, "{name}: {found:#?}");
        for number in &found {
            let ExplainedNumber { name: of, value, formula, meaning } = number;
            assert!(meaning.ends_with('.') && !formula.is_empty(), "{name}, {of}");
            assert!(!formula.contains("NaN") && !formula.contains("inf"), "{name}: {number:?}");
            let figure: String = value.chars().filter(char::is_ascii_digit).collect();
            let within: String = formula.chars().filter(char::is_ascii_digit).collect();
            // Such as `.51-.98`, whose ends are rounded outwards.
            let is_interval = value.trim_start_matches('-').contains('-');
            let is_shown = within.contains(&figure) || is_interval || value.contains('/');
            if !is_shown {
                without.push((name, number.clone()));
            }
        }
    }
    assert!(without.is_empty(), "not with their values: {without:#?}");
}

#[test]
fn the_box_at_three_sizes() {
    for (name, keys) in [("docs", "?<tab>"), ("near", "<enter>?<tab><down>"), ("tune", "4?<tab>")] {
        for (width, height) in [(80, 24), (140, 40), (40, 12)] {
            if name == "docs" || width == 80 {
                let driver = Driver::sample(width, height).keys(keys);
                let name = format!("numbers-{name}-{width}x{height}");
                insta::assert_snapshot!(name, driver.picture());
            }
        }
        let screen = Driver::sample(80, 24).ascii().keys(keys).picture();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
    }
}

#[test]
fn each_view_explains_its_own_numbers() {
    let table = [
        (ViewId::Bits, "V of bit 63"),
        (ViewId::Pair, "exact cosine"),
        (ViewId::Tables, "tables that hit"),
        (ViewId::Tune, "ceiling"),
    ];
    for (view, name) in table {
        let driver = Driver::sample(140, 40).show(view);
        assert!(!of(&driver.app.numbers(), name).value.is_empty(), "{view}: {name}");
    }
    // Under single words the sample has pairs that disagree.
    let driver = Driver::sample(140, 40).keys("rj1<enter>").show(ViewId::Check).keys("<enter>");
    let found = driver.app.numbers();
    let selected = driver.app.docs.check.selected().unwrap();
    assert_eq!(of(&found, "cosine").value, format!("{:.3}", selected.cosine));
    assert!(found.iter().any(|number| number.name == "chance"));
    // The numbers of a document are not those of a view without one.
    assert!(found.iter().all(|number| number.name != "bits set"), "{found:#?}");
}

#[test]
fn a_number_is_the_one_the_screen_shows() {
    let driver = Driver::sample(120, 35).keys("<enter>jjj");
    let (query, other) = driver.app.near.pair().unwrap();
    let found = driver.app.numbers();
    assert_eq!(of(&found, "d").value, other.distance.to_string());
    let cosine = of(&found, "exact cosine").value;
    assert!(driver.screen().contains(&format!("cosine {cosine}, Jaccard ")), "{}", driver.screen());
    // The pair was picked by its bits, so they say nothing fair of it.
    assert!(found.iter().all(|number| number.name != "its interval"), "{found:#?}");
    let a = driver.app.analysis.fingerprint(query).unwrap().to_string();
    assert!(of(&found, "d").formula.contains(&a));

    let driver = Driver::sample(120, 35).keys("4");
    let found = driver.app.numbers();
    let index = driver.app.analysis.index.as_ref().unwrap();
    let n = index.n_distinct() as u64;
    let unlike = n * (n - 1) / 2;
    let chance = unlike as f64 * distances::accidental(3, 64);
    assert!(chance < 1e-4 && of(&found, "pairs by chance").value == format!("{chance:.1e}"));
    assert!(driver.screen().contains(&format!("{} pairs", of(&found, "pairs").value)));
}

/// The column leaves out pairs that are equal already, and so must the formula.
#[test]
fn pairs_by_chance_are_those_of_the_column() {
    let driver = Driver::sample(80, 24).keys("4t+++++++++++++++");
    let tuning = driver.app.tune.distances.tuning.as_ref().unwrap();
    let column = format!("{:.2}", tuning.rows[18].pairs_by_chance);
    assert!(
        driver.app.settings.k == 18 && driver.screen().contains(&column),
        "{}",
        driver.screen()
    );
    let told = of(&driver.app.numbers(), "pairs by chance").value;
    assert!(told.starts_with(&column), "{told} is not {column}");
    // One base for all: the sentence about the precise k, the column and the formula.
    let driver = driver.keys("+");
    let column = format!(
        "{:.2}",
        driver.app.tune.distances.tuning.as_ref().unwrap().rows[19].pairs_by_chance
    );
    let told = of(&driver.app.numbers(), "pairs by chance");
    assert!(told.value.starts_with(&column) && told.formula.contains("87 distinct fingerprints"));
}

#[test]
fn features_are_told_by_their_numbers_and_no_name_twice() {
    let driver = Driver::sample(140, 40).keys("<enter>");
    let cosine = of(&driver.app.numbers(), "exact cosine").value;
    assert!(driver.screen().contains(&format!("cosine {cosine}")));
    for (name, keys) in VIEWS {
        let found = Driver::sample(80, 24).keys(keys).app.numbers();
        let mut names: Vec<&str> = found.iter().map(|number| number.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), found.len(), "{name}: {found:#?}");
    }
}

#[test]
fn numbers_are_found_by_name_and_enter_only_closes() {
    let driver = Driver::sample(80, 24).keys("?<tab>dist");
    let screen = driver.screen();
    assert!(screen.contains("distinct") && !screen.contains("grouped  "), "{screen}");
    let driver = driver.keys("<enter>");
    assert!(driver.app.overlay.is_none() && driver.app.screen == Screen::Docs);
    let driver = driver.keys("?<tab>zzz");
    assert!(driver.screen().contains("no number matches"), "{}", driver.screen());
    assert!(driver.keys("<tab>").screen().contains("keys of Docs"));
}

#[test]
fn a_program_that_knows_nothing_yet_explains_what_it_can() {
    for keys in ["?<tab>", "2?<tab>", "3?<tab>", "4?<tab>", "5?<tab>", "6?<tab>"] {
        let screen = Driver::idle(80, 24).keys(keys).screen();
        assert!(screen.contains("numbers of"), "{screen}");
    }
}
