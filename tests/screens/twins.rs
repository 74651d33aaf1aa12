//! Equal texts, equal features and equal fingerprints are three things, on every screen.

use simscope::analysis::Settings;
use simscope::corpus::Input;
use simscope::explain::Overlap;
use simscope::explain::figures::similarity;
use simscope::explain::overlap::align;
use simscope::id::DocId;

use super::driver::{Driver, settings};

/// A text three times (once in other case and white space), the same words in another order, two texts of
/// one heavy word, and two that are near nothing.
const ROWS: &[u8] = br#"{"id": "pool", "text": "the tide pool is cold and full of crab and kelp"}
{"id": "pool-again", "text": "The tide pool is cold  and full of crab and kelp"}
{"id": "pool-third", "text": "the tide pool is cold and full of crab and kelp"}
{"id": "pool-turned", "text": "kelp and crab: the cold tide pool is full of and"}
{"id": "gulls-law", "text": "gull gull gull gull gull gull statute on salt"}
{"id": "gulls-tax", "text": "gull gull gull gull gull gull levy for moons"}
{"id": "moon", "text": "a moon over the dunes and nobody awake to see it rise"}
{"id": "one-word", "text": "sand"}
"#;

fn driver(width: u16, height: u16) -> Driver {
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: ROWS }];
    let recipe = "words:1 tf".parse().expect("a recipe");
    Driver::open(inputs, Settings { recipe, ..settings() }, width, height)
}

/// The row of the screen that holds a word.
fn row<'a>(screen: &'a str, word: &str) -> &'a str {
    screen.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("{word}:\n{screen}"))
}

#[test]
fn docs_marks_equal_texts_and_equal_fingerprints_apart() {
    let screen = driver(120, 35).screen();
    for (id, mark) in [("2  The tide", '='), ("4  kelp", '≡'), ("5  gulls-law", '≡')] {
        assert!(row(&screen, &format!(" {id} ")).contains(mark), "{id}:\n{screen}");
    }
    let moon = row(&screen, " 7  a moon ");
    assert!(!moon.contains('=') && !moon.contains('≡'), "{moon}");
    let ascii = driver(120, 35).ascii().picture();
    assert!(row(&ascii, " 4  kelp ").contains(" cs"), "{ascii}");
}

#[test]
fn before_the_texts_are_compared_nothing_is_called_equal() {
    let mut driver = driver(120, 35);
    driver.app.analysis = std::sync::Arc::new(simscope::analysis::Analysis {
        equal_texts: None,
        ..(*driver.app.analysis).clone()
    });
    driver.mute = true;
    assert!(row(&driver.screen(), " 2  The tide ").contains('≡'));
    let screen = driver.keys("<tab>").screen();
    assert!(!screen.contains("equal texts") && !screen.contains("all texts are equal"), "{screen}");
}

#[test]
fn filters_tell_them_apart_too() {
    let shown = |filter: &str| {
        let driver = driver(80, 24).keys(&format!("f{filter}<enter>"));
        (0..driver.app.docs.len())
            .filter_map(|row| driver.app.docs.document(row))
            .map(|document| driver.app.analysis.corpus.id(document).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(shown("is:copy"), ["pool", "pool-again", "pool-third"]);
    assert_eq!(shown("is:samebits"), ["pool-turned", "gulls-law", "gulls-tax"]);
    // The only feature of a text decides its fingerprint.
    assert_eq!(shown("is:dominated"), ["gulls-law", "gulls-tax", "one-word"]);
}

#[test]
fn near_says_what_is_equal_and_the_exact_cosine_of_each() {
    let driver = driver(200, 40).keys("<enter>");
    let screen = driver.screen();
    assert!(screen.contains("─ 0 of 64 bits apart ─"), "{screen}");
    // The sentences of the outcome, which stands at the right, without their breaks.
    let said = |screen: &str| {
        let right = screen.lines().filter_map(|row| row.split_once("││"));
        let rows: Vec<&str> = right.map(|(_, row)| row.trim_matches(['│', ' '])).collect();
        rows.join(" ")
    };
    assert!(said(&screen).contains("the texts are equal after normalisation"), "{screen}");
    let turned = row(&screen, " kelp and crab: ");
    assert!(turned.contains(" 0 ≡ ") && turned.contains("   1.000 "), "{screen}");
    let turned = driver.keys("jj").screen();
    assert!(said(&turned).contains("the features are equal, the texts differ"), "{turned}");
    let screen = driver_at("gulls-law").screen();
    assert!(said(&screen).contains("cosine 0.923, Jaccard 0.143"), "{screen}");
    assert!(said(&screen).contains("only the fingerprints are equal"), "{screen}");
}

/// Pair of a document.
fn driver_at(id: &str) -> Driver {
    driver(200, 40).keys(&format!("/{id}<enter><enter>"))
}

/// Every cosine in the list is the one computed from both texts, also of the nearest documents of one that
/// has no neighbours; no interval stands beside it.
#[test]
fn listed_cosines_are_those_of_the_texts() {
    check_cosines(&driver_at("moon"));
    check_cosines(&Driver::sample(150, 40).keys("<enter>"));
}

fn check_cosines(driver: &Driver) {
    let analysis = driver.app.analysis.clone();
    let query = driver.app.near.query.expect("a document is selected");
    let feature_votes = |document: DocId| analysis.open(document).unwrap().1.unwrap();
    let screen = driver.screen();
    // Beside the list stands the outcome.
    let list: Vec<&str> = screen.lines().filter_map(|row| row.split("││").next()).collect();
    let list = list.join("\n");
    assert!(!driver.app.near.neighbours.is_empty());
    let near = &driver.app.near;
    for neighbour in
        &near.neighbours[near.cursor.window(near.neighbours.len(), driver.app.page_rows())]
    {
        let Some(known) = driver.app.similar.to(query, neighbour.document) else { continue };
        let (a, b) = (feature_votes(query), feature_votes(neighbour.document));
        let features = align(&a, &b);
        let overlap = Overlap::new(&features);
        let known = known.expect("both have features");
        assert_eq!(Some(known.cosine), overlap.cosine);
        assert_eq!(Some(known.jaccard), overlap.jaccard());
        // A row has the title, or the id where titles begin alike.
        let id = format!("{} ", analysis.corpus.id(neighbour.document));
        let title = driver.app.titles.get(neighbour.document).unwrap_or_default();
        let title: String = title.chars().take(20).collect();
        let is_it = |row: &str| row.contains(&id) || row.contains(&title);
        let has_cosine = |row: &str| row.contains(&similarity(known.cosine));
        assert!(list.lines().any(|row| is_it(row) && has_cosine(row)), "{id}:\n{list}");
    }
    assert!(!screen.contains("Guess by the bits") && !screen.contains(" to 1.00"), "{screen}");
}

#[test]
fn every_row_that_shows_has_its_cosine() {
    for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
        for keys in ["<enter>", "<enter>jjj", "<enter>G"] {
            let screen = Driver::sample(width, height).keys(keys).screen();
            assert!(!screen.contains("  .."), "{keys} at {width}x{height}:\n{screen}");
        }
    }
}

/// A document that is listed because it is held was not picked by its bits: there the interval is fair.
#[test]
fn a_held_document_alone_has_an_interval() {
    let held = Driver::sample(140, 40).keys("/goose-rules<enter>mg<enter>");
    let guest = held.app.near.guest.expect("it is far");
    let row = held.app.near.neighbours.iter().position(|it| it.document == guest);
    assert!(!held.screen().contains("Guess by the bits"), "{}", held.screen());
    let on_guest = held.keys(&"j".repeat(row.unwrap())).screen();
    assert!(
        on_guest.contains("Guess by the bits alone: cosine") && on_guest.contains("95 %"),
        "{on_guest}"
    );
}

/// A text near a kept one that has too little of its text is spared, and its group says so.
#[test]
fn groups_say_what_is_spared() {
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: ROWS }];
    let settings = Settings { recipe: "words:1 tf".parse().expect("a recipe"), ..settings() };
    let driver = Driver::open(inputs, settings, 140, 40).keys("/gulls-tax<enter><esc><tab>");
    let screen = driver.screen();
    let spared = row(&screen, "    gulls-tax ");
    assert!(spared.contains(" spared") && spared.contains("25 %"), "{screen}");
    assert!(screen.lines().any(|row| row.contains("▾ gulls-law") && row.contains('!')), "{screen}");
}
