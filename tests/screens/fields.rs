//! Fields of rows as columns of the list, and the order by them.

use proptest::prelude::*;
use simscope::corpus::Input;

use super::driver::{Driver, settings};

fn rows(values: &[Option<String>]) -> Vec<Input> {
    let row = |(at, value): (usize, &Option<String>)| {
        let field = value.as_ref().map_or_else(String::new, |value| format!(",\"v\":{value}"));
        format!("{{\"id\":\"d{at}\",\"text\":\"low tide at {at}\"{field}}}\n")
    };
    let rows: String = values.iter().enumerate().map(row).collect();
    vec![Input::Bundled { name: "rows.jsonl", bytes: rows.into_bytes().leak() }]
}

fn of(values: &[Option<&str>]) -> Driver {
    let values: Vec<_> = values.iter().map(|value| value.map(ToOwned::to_owned)).collect();
    Driver::open(rows(&values), settings(), 120, 35)
}

/// The ids in the order of the list.
fn ids(driver: &Driver) -> Vec<String> {
    let docs = &driver.app.docs;
    let id = |row| driver.app.analysis.corpus.id(docs.document(row).unwrap()).to_owned();
    (0..docs.len()).map(id).collect()
}

#[test]
fn fields_are_columns_and_an_order() {
    let driver = of(&[Some("\"b\""), None, Some("10"), Some("9"), Some("\"\\u001b[31ma\"")]);
    let driver = driver.keys("o");
    assert!(driver.screen().contains("the fields are: id, text, v"), "{}", driver.screen());
    let driver = driver.keys("v<enter>");
    assert_eq!(ids(&driver), ["d0", "d1", "d2", "d3", "d4"]);
    let screen = driver.screen();
    assert!(screen.contains(" v ") && screen.contains(" 10 "), "{screen}");
    assert!(!screen.contains('\u{1b}') && screen.contains("[31ma"), "{screen}");
    let driver = driver.keys("ssss");
    assert!(driver.screen().contains("by field"), "{}", driver.screen());
    assert_eq!(ids(&driver), ["d3", "d2", "d4", "d0", "d1"]);
    let driver = driver.keys("S");
    assert_eq!(ids(&driver), ["d0", "d4", "d2", "d3", "d1"], "none is last in both");
    // Without columns the order by them goes, too.
    let driver = driver.keys("o<c-u><enter>");
    assert_eq!(ids(&driver), ["d0", "d1", "d2", "d3", "d4"]);
    assert!(!driver.keys("ssss").screen().contains("by field"));
}

/// They come before the columns that nobody asked for.
#[test]
fn fields_are_shown_on_a_narrow_screen_too() {
    let values: Vec<_> = ["1", "2"].map(|value| Some(value.to_owned())).to_vec();
    let driver = Driver::open(rows(&values), settings(), 80, 24).keys("ov,text<enter>");
    let screen = driver.screen();
    let header = screen.lines().nth(4).unwrap();
    assert!(header.contains(" v ") && header.contains(" text"), "{screen}");
    assert!(screen.contains("low tide at 1"), "{screen}");
}

#[test]
fn a_field_that_is_not_there_is_told() {
    let driver = of(&[Some("1")]).keys("oyear<enter>");
    assert_eq!(driver.app.notice.as_deref(), Some("the first documents have no field \"year\""));
    let driver = driver.keys("o<c-u>a,b,c,d,e,f,g<enter>");
    assert!(
        driver.screen().contains("7 fields are too many; name at most 6"),
        "{}",
        driver.screen()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Against a plain sort of what the rows hold.
    #[test]
    fn the_order_is_that_of_the_values(values in prop::collection::vec(prop::option::of(-20_i32..20), 1..30)) {
        let texts: Vec<_> = values.iter().map(|value| value.map(|it| it.to_string())).collect();
        let driver = Driver::open(rows(&texts), settings(), 120, 35).keys("ov<enter>ssss");
        let mut expected: Vec<usize> = (0..values.len()).collect();
        expected.sort_by_key(|&at| (values[at].is_none(), values[at]));
        let expected: Vec<String> = expected.iter().map(|at| format!("d{at}")).collect();
        prop_assert_eq!(ids(&driver), expected);
    }
}
