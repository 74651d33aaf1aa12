//! Lists on screens of growing sizes: with more room a list never shows less.

use simscope::{
    app::{
        Message,
        key::{Mouse, MouseAction},
        screen::ViewId,
    },
    corpus::Input,
};

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

/// The rows below the tabs that are blank but for frames.
fn blank_rows(driver: &Driver) -> usize {
    let screen = driver.screen();
    let rows: Vec<&str> = screen.lines().collect();
    let is_blank = |row: &&&str| row.chars().all(|it| matches!(it, ' ' | '│'));
    rows[2..rows.len() - 2].iter().filter(is_blank).count()
}

#[test]
fn a_large_screen_is_used() {
    // The keys of a view, and the most blank rows among 56.
    let views = [
        ("6", 16),
        ("6v", 18),
        ("6vv", 16),
        ("6vvv", 23),
        ("6vvvv", 17),
        ("6vvvvvv", 4),
        ("5v", 6),
        ("5vvvv", 6),
        ("5vvvvv", 6),
    ];
    for (keys, most) in views {
        let driver = Driver::sample(200, 60).keys(keys);
        let blank = blank_rows(&driver);
        assert!(blank <= most, "{keys}: {blank} blank rows\n{}", driver.screen());
    }
}

#[test]
fn a_large_screen_has_other_views_of_the_same_texts() {
    for (keys, view, others) in [
        ("6", "lessons", ["Playground", "Hashes", "Tables"]),
        ("6v", "Hashes", ["Playground", "Tables", "Step"]),
        ("6vv", "Playground", ["Hashes", "Tables", "Step"]),
        ("6vvv", "Step", ["Playground", "Hashes", "Tables"]),
        ("6vvvv", "Tables", ["Playground", "Hashes", "Step"]),
    ] {
        for (width, n) in [(150, 1), (200, 2), (300, 3)] {
            let screen = Driver::sample(width, 60).keys(keys).screen();
            let has = |name: &str| screen.contains(&format!("╭─ {name} ─"));
            assert!(has(view), "{keys}:\n{screen}");
            let shown: Vec<bool> = others.iter().map(|name| has(name)).collect();
            assert_eq!(shown.iter().filter(|it| **it).count(), n, "{keys} at {width}:\n{screen}");
            assert!(shown[..n].iter().all(|it| *it), "{keys} at {width}:\n{screen}");
        }
    }
    // A view below another one has no keys, so it names none.
    let screen = Driver::sample(300, 80).keys("6v").screen();
    for key in ["Space flips", "Space casts", "n next", "p stops"] {
        assert!(!screen.contains(key), "{key}:\n{screen}");
    }
    assert!(Driver::sample(300, 80).keys("6vvvv").screen().contains("Space flips"));
    // What is typed changes all of them.
    let screen = Driver::sample(200, 60).keys("6vve, too<esc>").screen();
    assert_eq!(screen.matches("one  the tide came in over the sand, too").count(), 2, "{screen}");
}

#[test]
fn an_open_lesson_shows_no_other_view() {
    for lesson in ["", "j", "jjjj"] {
        for turns in 0..6 {
            let keys = format!("6{lesson}<enter>{}", "v".repeat(turns));
            let driver = Driver::sample(300, 80).keys(&keys);
            assert_eq!(driver.app.learn_others(), 0);
            let screen = driver.screen();
            let names = ["Hashes", "Playground", "Step", "Tables"];
            let shown = names.iter().filter(|name| screen.contains(&format!("╭─ {name} ─")));
            assert!(shown.count() <= 1, "{keys}:\n{screen}");
        }
    }
}

#[test]
fn a_click_on_another_view_shows_it_and_moves_nothing_else() {
    let mut driver = Driver::sample(200, 60).keys("6vvvv");
    let before = driver.app.learn.game.fingerprint;
    // A bit of the Playground, which is below Tables at the left.
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column: 20, row: 45 }));
    assert_eq!(driver.app.view(), ViewId::Playground);
    assert_eq!(driver.app.learn.game.fingerprint, before);
}

#[test]
fn disagreements_show_the_bits_and_the_texts_of_the_selected_pair() {
    for (width, height) in [(120, 35), (200, 60), (300, 80)] {
        let mut driver = Driver::sample(width, height).keys("vvv");
        for (keys, ids) in [("", "tide-log | tide-log-twenty"), ("jj", "tide-log | tide-log-draft")]
        {
            driver = driver.keys(keys);
            let screen = driver.screen();
            assert!(screen.contains(&format!("╭─ {ids} ─")), "{screen}");
            assert!(screen.contains(" of 64, at cosine 0.9"), "{screen}");
        }
        let screen = driver.screen();
        assert_eq!(screen.matches('▲').count(), 13, "each bit that differs is marked:\n{screen}");
        assert!(screen.contains("≠"), "{screen}");
        // Enter opens the same pair.
        let near = driver.keys("<enter>");
        assert_eq!(near.app.view(), ViewId::Why);
    }
}

#[test]
fn curves_of_bands_have_names_and_an_axis_of_true_numbers() {
    let screen = Driver::sample(200, 60).keys("5vvvv").screen();
    let axis = screen.lines().rev().find(|row| row.contains("cosine 0.75")).unwrap();
    let values = axis.split(|it: char| !it.is_ascii_digit() && it != '.');
    let values: Vec<&str> = values.filter(|it| it.contains('.')).collect();
    let half = ["0.75", "0.80", "0.85", "0.90", "0.95", "1.00"];
    assert_eq!(values, [half, half].concat(), "{screen}");
    let below: String = screen.split("3 bands, by their bits").last().unwrap().to_owned();
    for name in ["12", "14", "16", "18", "20", "22", "24", "1", "2", "3", "4", "5"] {
        assert!(below.contains(&format!(" {name} ")), "{name}:\n{screen}");
    }
}

#[test]
fn large_screens_are_as_they_were() {
    for (name, keys) in [
        ("lessons", "6"),
        ("playground", "6vv"),
        ("lesson", "6<enter>"),
        ("bands", "5vvvv"),
        ("sweep", "5vvvvv"),
        ("disagreements", "vvvjj"),
    ] {
        let driver = Driver::sample(200, 60).keys(keys);
        insta::assert_snapshot!(format!("large-{name}-200x60"), driver.picture());
        let ascii = Driver::sample(200, 60).ascii().keys(keys).picture();
        assert!(ascii.is_ascii(), "{name}:\n{ascii}");
    }
}
