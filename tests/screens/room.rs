//! Lists on screens of growing sizes: with more room a list never shows less.

use simscope::app::screen::learn::lessons::FILES;
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
        ("", &["  text ", "near"], &["bits", "mark", "words", "#", "group"], &[]),
        ("<enter>", &["share"], &["A B C D"], &[]),
        ("<tab>", &["  group ", " texts"], &["share", "bits apart"], &[]),
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
    let docs = Driver::sample(120, 35).screen();
    assert!(docs.contains(" 244 words"), "{docs}");
    let near = Driver::sample(120, 35).keys("<enter>jjj").screen();
    // All 64 bits on one line, with the words behind each bit that differs.
    let bits = " ··██··████████·█│●█·██···█████··█│··○·██···███··██│··██······█··█·█  ";
    assert!(near.contains(bits), "{near}");
    assert!(near.contains("▲ bit 47: \"it by shouting\" says 1, "), "{near}");
    assert!(near.contains("Tables: 2 of 4 have equal keys: 01 (A)  04 (D)"), "{near}");
    assert!(near.contains("─ tide-log | tide-log-waving ─"), "{near}");
    let tables = Driver::sample(120, 35).keys("<enter>jjj<enter>").screen();
    assert!(tables.contains("▶01  A    ████ ··x· ··x· ···· HIT"), "{tables}");
    assert!(tables.contains("the first row behind the window"), "{tables}");
    let rows = tables.lines().filter(|row| row.contains("█┃") || row.contains("·┃")).count();
    assert!(rows >= 20, "{tables}");
}

#[test]
fn titles_are_on_every_screen_from_80_columns_on() {
    for &(width, height) in &SIZES[2..] {
        for (keys, title) in [("", "Hester wro"), ("<enter>", "Tide log, Q"), ("<tab>G", "Ahoy!")] {
            let screen = Driver::sample(width, height).keys(keys).screen();
            assert!(screen.contains(title), "{keys} at {width}x{height}:\n{screen}");
        }
    }
}

#[test]
fn lists_have_titles_and_groups_from_100_columns_on() {
    for &(width, height) in &SIZES[3..] {
        let docs = Driver::sample(width, height);
        assert!(header(&docs, &["text", "bits"]).contains(" group "), "{}", docs.screen());
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
        let screen = Driver::open(inputs, settings(), width, height).screen();
        let words = screen.replace(['│', '\n'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let said = words.join(" ").contains("no two texts are within 3 bits");
        assert!(said || width < 80, "{screen}");
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
    let views = [("6", 36), ("6v", 36), ("4v", 6), ("4vv", 6), ("rj1<enter>4vv", 6)];
    for (keys, most) in views {
        let driver = Driver::sample(200, 60).keys(keys);
        let blank = blank_rows(&driver);
        assert!(blank <= most, "{keys}: {blank} blank rows\n{}", driver.screen());
    }
}

/// Whether the screen has a box with this title.
fn has_box(screen: &str, title: &str) -> bool {
    screen.contains(&format!("╭─ {title} ─"))
}

#[test]
fn an_open_lesson_shows_no_other_view() {
    for (lesson, number) in [("", 1), ("j", 2), ("jjjj", 5)] {
        for turns in 0..3 {
            let keys = format!("6{lesson}<enter>{}", "v".repeat(turns));
            let driver = Driver::sample(300, 80).keys(&keys);
            let screen = driver.screen();
            let names = ["Playground", "Angle"];
            let shown = names.iter().filter(|name| has_box(&screen, name));
            assert!(shown.count() <= 1, "{keys}:\n{screen}");
            if turns == 0 {
                assert!(screen.contains(&format!(" {number} ")), "{keys}:\n{screen}");
            }
        }
    }
}

#[test]
fn the_list_of_lessons_gives_no_task_away() {
    for lesson in 0..FILES.len() {
        let driver = Driver::sample(200, 60).keys(&format!("6{}", "j".repeat(lesson)));
        let screen = driver.screen();
        for page in &driver.app.learn.lessons.all[lesson].pages {
            let task: String = page.task.chars().take(30).collect();
            assert!(task.is_empty() || !screen.contains(&task), "{task}:\n{screen}");
        }
    }
}

#[test]
fn a_key_of_distances_is_not_named_elsewhere() {
    for keys in ["4v", "4vv"] {
        let mut driver = Driver::idle(200, 60).keys(keys);
        driver.speak();
        let screen = driver.keys("<c-c>").screen();
        assert!(!screen.contains("Enter compares"), "{screen}");
    }
}

#[test]
fn large_screens_are_as_they_were() {
    for (name, keys) in [
        ("lessons", "6"),
        ("playground", "6v"),
        ("lesson", "6<enter>"),
        ("layouts", "4v<enter>"),
        ("sweep", "4vv"),
        ("check", "5"),
    ] {
        let driver = Driver::sample(200, 60).keys(keys);
        insta::assert_snapshot!(format!("large-{name}-200x60"), driver.picture());
        let ascii = Driver::sample(200, 60).ascii().keys(keys).picture();
        assert!(ascii.is_ascii(), "{name}:\n{ascii}");
    }
}

#[test]
fn the_view_of_bits_uses_a_large_screen() {
    let of = |width, height| {
        let screen = Driver::sample(width, height).keys("b").screen();
        screen.lines().filter(|row| row.contains('█')).count()
    };
    assert!(of(120, 35) > 20 && of(200, 60) > 25, "{} {}", of(120, 35), of(200, 60));
    assert!(of(80, 24) > 5, "{}", of(80, 24));
}

/// The last row of the texts is at the bottom, not above blank rows.
#[test]
fn the_texts_scroll_no_farther_than_their_end() {
    let driver = Driver::sample(120, 35).keys("<enter>jjjjj");
    let last = driver.app.near.shown.rows.len().saturating_sub(driver.app.text_pane().rows());
    assert!(driver.app.near.shown.top <= last, "{}", driver.screen());
}

/// A list that becomes shorter leaves its rows to the texts, and they fill them.
#[test]
fn texts_fill_the_rows_that_a_shorter_list_leaves() {
    let driver = Driver::sample(80, 30).keys("/rumour-1<enter><enter>++++++++JJJJJJJJJ------");
    let last = driver.app.near.shown.rows.len().saturating_sub(driver.app.text_pane().rows());
    assert!(driver.app.near.shown.top <= last, "{}", driver.screen());
}
