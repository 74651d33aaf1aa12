//! Lists on screens of growing sizes: with more room a list never shows less.

use simscope::corpus::Input;

use super::driver::{Driver, settings};

/// From the smallest size to the largest.
const SIZES: [(u16, u16); 8] =
    [(40, 12), (60, 16), (80, 24), (100, 30), (120, 35), (140, 40), (200, 60), (300, 80)];

/// The first row that holds all of these words.
fn header(driver: &Driver, of: &[&str]) -> String {
    let screen = driver.screen();
    let row = screen.lines().find(|row| of.iter().all(|word| row.contains(word)));
    row.unwrap_or_else(|| panic!("no header with {of:?}:\n{screen}")).to_owned()
}

#[test]
fn a_larger_list_has_the_columns_of_a_smaller_one() {
    // What is in every header, and the others in the order in which they come with more room.
    let lists: [(&str, &[&str], &[&str]); 3] = [
        (
            "<esc>",
            &["near"],
            // What else there is of a document stands beside a list that has no room for it.
            &["pattern", "words", "mark", "#", "title"],
        ),
        ("<enter>", &["cosine"], &["title", "words", "tables"]),
        ("4", &["docs", "diameter"], &["distinct", "weakest"]),
    ];
    for (keys, always, others) in lists {
        let mut before = 0;
        for (width, height) in SIZES {
            let driver = Driver::sample(width, height).keys(keys);
            let header = header(&driver, always);
            let shown = others.iter().filter(|column| header.contains(**column)).count();
            assert!(
                others[..shown].iter().all(|column| header.contains(column)),
                "{keys} at {width}x{height}: a column is there before one that is more useful: {header}"
            );
            assert!(shown >= before, "{keys} at {width}x{height} shows less: {header}");
            before = shown;
        }
        assert_eq!(before, others.len(), "{keys}: the largest screen has them all");
    }
}

#[test]
fn titles_are_on_every_screen_from_80_columns_on() {
    for &(width, height) in &SIZES[2..] {
        for (keys, title) in
            [("<esc>", "Hester wro"), ("<enter>", "Tide log, Q"), ("4", "Have you")]
        {
            let screen = Driver::sample(width, height).keys(keys).screen();
            assert!(screen.contains(title), "{keys} at {width}x{height}:\n{screen}");
        }
    }
}

#[test]
fn side_by_side_a_list_keeps_the_titles_and_the_groups_it_has_at_100_columns() {
    for &(width, height) in &SIZES[3..] {
        let docs = Driver::sample(width, height).keys("<esc>");
        assert!(header(&docs, &["title", "pattern"]).contains(" group "), "{}", docs.screen());
        for keys in ["<esc>", "<enter>"] {
            let screen = Driver::sample(width, height).keys(keys).screen();
            let titles = screen.matches("Tide log, Quillhaven harb").count();
            assert!(titles >= 5, "{keys} at {width}x{height}:\n{screen}");
        }
        let groups = Driver::sample(width, height).keys("4").screen();
        assert!(groups.contains("Tide log, Qu") && groups.contains("chain"), "{groups}");
        let tables = Driver::sample(width, height).keys("<enter>jjj<enter>").screen();
        let named = tables.lines().any(|it| it.contains("┃◆") && it.contains("tide-log-waving"));
        assert!(named, "{width}x{height}:\n{tables}");
    }
}

#[test]
fn a_group_without_a_remark_has_all_cells_for_its_title() {
    let screen = Driver::sample(120, 35).keys("4").screen();
    assert!(screen.contains("The Great Lens. This lens "), "{screen}");
    let both = Driver::sample(80, 24).keys("4#9+").screen();
    assert!(!both.contains("chain dom"), "{both}");
}

#[test]
fn a_table_names_its_rows_where_there_is_room() {
    let screen = Driver::sample(200, 60).keys("<enter>jjj<enter>").screen();
    let pair = screen.lines().find(|row| row.contains('◆') && row.contains("tide-log-waving"));
    assert!(pair.is_some_and(|row| row.contains("Tide log, Quill")), "{screen}");
}

#[test]
fn without_groups_the_screen_says_why_and_what_to_do() {
    let bytes = b"the tide came in at noon over the sand\na recipe for soup with onions and salt\n";
    for (width, height) in SIZES {
        let inputs = vec![Input::Bundled { name: "two.txt", bytes }];
        let screen = Driver::open(inputs, settings(), width, height).keys("4").screen();
        let words = screen.replace(['│', '\n'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert!(words.join(" ").contains("Press + to raise k"), "{screen}");
        assert!(!screen.contains("0-0 of 0"), "{screen}");
    }
}
