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
    // The columns of every header, the others in the order in which they come with more room, and those that a frame
    // beside or below the list has instead on a wide screen.
    type List =
        (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);
    let lists: [List; 3] = [
        ("<esc>", &["near"], &["pattern", "words", "mark", "#", "title"], &["words", "#"]),
        ("<enter>", &["cosine"], &["title", "words", "tables"], &["title", "words", "tables"]),
        ("4", &["docs", "diameter"], &["distinct", "weakest"], &["distinct", "weakest"]),
    ];
    for (keys, always, others, elsewhere) in lists {
        let mut before = 0;
        for (width, height) in SIZES {
            let driver = Driver::sample(width, height).keys(keys);
            let header = header(&driver, always);
            let is_wide = (120..176).contains(&width);
            let has =
                |column: &&str| header.contains(*column) || is_wide && elsewhere.contains(column);
            let shown = others.iter().filter(|column| has(column)).count();
            assert!(
                others[..shown].iter().all(has),
                "{keys} at {width}x{height}: a column is there before one that is more useful: {header}"
            );
            assert!(shown >= before, "{keys} at {width}x{height} shows less: {header}");
            before = shown;
        }
        assert_eq!(before, others.len(), "{keys}: the largest screen has them all");
    }
}

#[test]
fn beside_a_list_stands_what_its_columns_leave_out() {
    let docs = Driver::sample(120, 35).keys("<esc>").screen();
    assert!(docs.contains("244 words, sample.jsonl:1 ─╮"), "{docs}");
    // A box of each block's bits, its hex digits, and a mark under the weak bit.
    assert!(docs.contains(" B ████··████······██████████····██ d8f9 │"), "{docs}");
    assert!(docs.contains("! bit 43 is weak"), "{docs}");
    assert!(docs.contains("├ same title"), "{docs}");
    // The group with its number, as a tree with its copies, all of it.
    assert!(docs.contains("─ group g0 ──"), "{docs}");
    assert!(docs.contains("● tide-log +2 copies") && !docs.contains("and 1 more"), "{docs}");
    let near = Driver::sample(120, 35).keys("<enter>jjj").screen();
    // All 64 bits on one line, with the votes of each bit that differs.
    assert!(
        near.contains("one ··██··████████·█│●█·██···█████··█│··○·██···███··██│··██······█··█·█")
    );
    assert!(near.contains("bit 47 one +2, most by \"it by shouting\"; two -2"), "{near}");
    assert!(near.contains("table  2 of 4 have equal keys: 01 (A)  04 (D)"), "{near}");
    assert!(near.contains("tide-log | tide-log-waving  Tide log, Quillhaven harb"), "{near}");
    let tables = Driver::sample(120, 35).keys("<enter>jjj<enter>").screen();
    assert!(tables.contains("▶01  A    ████ ··x· ··x· ···· HIT"), "{tables}");
    assert!(tables.contains("the first row behind the window:"), "{tables}");
    let rows = tables.lines().filter(|row| row.contains("█┃") || row.contains("·┃")).count();
    assert!(rows >= 20, "{tables}");
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
fn lists_have_titles_and_groups_from_100_columns_on() {
    for &(width, height) in &SIZES[3..] {
        let docs = Driver::sample(width, height).keys("<esc>");
        // Beside a list of less room stands the group with its number.
        let group = if (120..160).contains(&width) { "d≤3" } else { "group" };
        let group = format!(" {group} ");
        assert!(header(&docs, &["title", "pattern"]).contains(&group), "{}", docs.screen());
        // Between, the boxes beside a list say more than its titles.
        let title = if width == 120 { "Tide log, Quill" } else { "Tide log, Quillhav" };
        assert!(docs.screen().contains(title), "{}", docs.screen());
        let groups = Driver::sample(width, height).keys("4").screen();
        assert!(groups.contains("Tide log, Qu") && groups.contains("chain"), "{groups}");
        let near = Driver::sample(width, height).keys("<enter>").screen();
        let tables = Driver::sample(width, height).keys("<enter>jjj<enter>").screen();
        if width != 120 {
            assert!(near.matches("Tide log, Quillhav").count() >= 5, "{width}x{height}:\n{near}");
            let named =
                tables.lines().any(|it| it.contains("┃◆") && it.contains("tide-log-waving"));
            assert!(named, "{width}x{height}:\n{tables}");
        }
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

#[test]
fn documents_can_be_ordered_by_their_groups() {
    for (width, height) in [(80, 24), (120, 35)] {
        let driver = Driver::sample(width, height).keys("ssss");
        let screen = driver.screen();
        assert!(screen.contains("by group"), "{screen}");
        let groups = driver.app.linked_groups().unwrap();
        let group = |row| groups.group_of(driver.app.docs.document(row).unwrap());
        let order: Vec<_> = (0..100).map(|row| group(row).unwrap_or(u32::MAX)).collect();
        assert!(order.is_sorted() && order[0] == 0 && order[99] == u32::MAX, "{order:?}");
    }
}
