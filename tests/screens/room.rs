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
    assert!(tables.contains("the first row behind the window:"), "{tables}");
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
    let views = [
        ("6", 36),
        ("6v", 18),
        ("6vv", 16),
        ("6vvv", 23),
        ("6vvvv", 10),
        ("6vvvvvv", 4),
        ("4v", 6),
        ("4vvv", 6),
        ("4vvvv", 6),
    ];
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
fn a_large_screen_has_other_views_of_the_same_texts() {
    for (keys, view, others) in [
        ("6v", "Hashes", ["Playground", "Step"]),
        ("6vv", "Playground", ["Hashes", "Step"]),
        ("6vvv", "Step", ["Playground", "Hashes"]),
    ] {
        for (width, n) in [(150, 1), (200, 2), (420, 2)] {
            let screen = Driver::sample(width, 60).keys(keys).screen();
            assert!(has_box(&screen, view), "{keys}:\n{screen}");
            let shown: Vec<bool> = others.iter().map(|name| has_box(&screen, name)).collect();
            assert_eq!(shown, [true, n > 1], "{keys} at {width}:\n{screen}");
            // They share the whole width.
            let last = screen.lines().rev().find(|row| row.contains('╯')).unwrap();
            assert_eq!(last.chars().filter(|it| "╰─╯".contains(*it)).count(), usize::from(width));
        }
    }
    // A view below another one has no keys, so it names none.
    let screen = Driver::sample(300, 80).keys("6v").screen();
    assert!(!screen.contains("Space casts") && screen.contains("every total is 0"), "{screen}");
    // What is typed changes all of them.
    let screen = Driver::sample(200, 60).keys("6vve, too<esc>").screen();
    assert_eq!(screen.matches("the tide came in over the sand, too").count(), 3, "{screen}");
}

#[test]
fn a_text_of_many_words_has_the_whole_screen() {
    let words: Vec<String> = (0..30).map(|n| format!(" w{n}")).collect();
    let words = words.concat();
    let screen = Driver::sample(200, 60).keys(&format!("6vve{words}<esc>")).screen();
    assert!(screen.contains(" w29 ") && !has_box(&screen, "Hashes"), "{screen}");
}

#[test]
fn an_open_lesson_shows_no_other_view_and_its_place_among_all() {
    for (lesson, number) in [("", 1), ("j", 2), ("jjjj", 5)] {
        for turns in 0..6 {
            let keys = format!("6{lesson}<enter>{}", "v".repeat(turns));
            let driver = Driver::sample(300, 80).keys(&keys);
            assert_eq!(driver.app.learn_others(), 0);
            let screen = driver.screen();
            let names = ["Hashes", "Playground", "Step", "Tables"];
            let shown = names.iter().filter(|name| has_box(&screen, name));
            assert!(shown.count() <= 1, "{keys}:\n{screen}");
            assert!(screen.contains(&format!("▶{number:>3}  ")), "{keys}:\n{screen}");
            assert!(screen.matches("[permute]").count() <= 1 && !screen.contains(": sort"));
        }
    }
    // The list stays at the lesson that is open, also when the next one is selected.
    let keys = "6<enter>a30<enter><enter>a0<enter><enter>a12/13<enter>";
    let driver = Driver::sample(200, 60).keys(keys);
    assert_eq!(driver.app.learn.lessons.cursor.selected, 1);
    assert!(driver.screen().contains("▶  1  A hash"), "{}", driver.screen());
}

#[test]
fn the_list_of_lessons_gives_no_task_away() {
    for lesson in 0..13 {
        let driver = Driver::sample(200, 60).keys(&format!("6{}", "j".repeat(lesson)));
        let screen = driver.screen();
        for page in &driver.app.learn.lessons.all[lesson].pages {
            let task: String = page.task.chars().take(30).collect();
            assert!(task.is_empty() || !screen.contains(&task), "{task}:\n{screen}");
        }
        // A click on a picture shows it.
        let row = screen.lines().position(|row| row.starts_with("│ Angle ")).unwrap();
        let mut driver = driver;
        click(&mut driver, 5, row);
        assert_eq!(driver.app.view(), ViewId::Angle);
    }
}

fn click(driver: &mut Driver, column: u16, row: usize) {
    let mouse = Mouse { action: MouseAction::Click, column, row: row as u16 };
    driver.send(Message::Mouse(mouse));
}

#[test]
fn a_click_on_another_view_shows_it_and_moves_nothing_else() {
    let mut driver = Driver::sample(200, 60).keys("6v<space>");
    let bit = |driver: &Driver| driver.app.learn.step.bit(&driver.app.learn.playground);
    let before = bit(&driver);
    // A bit of Step, which is below Hashes at the right.
    let screen = driver.screen();
    let row = screen.lines().position(|row| row.contains("totals after")).unwrap();
    click(&mut driver, 140, row);
    assert_eq!(driver.app.view(), ViewId::Step);
    assert_eq!(bit(&driver), before);
}

#[test]
fn a_large_screen_has_all_steps_of_a_lookup() {
    for (width, height) in [(120, 60), (200, 60), (300, 80)] {
        for (keys, shown) in
            [("", "[permute]"), ("n", "[sort]"), ("nn", "[probe]"), ("nnn", "[verify]")]
        {
            let driver = Driver::sample(width, height).keys(&format!("6vvvv<space>{keys}"));
            let screen = driver.screen();
            assert_eq!(screen.matches("─ table 01: ").count(), 4, "{screen}");
            assert!(screen.contains(&format!("table 01: {shown}")), "{screen}");
            assert!(screen.contains("never compared here"), "{screen}");
            assert!(screen.contains("sorted: rows with equal keys"), "{screen}");
        }
    }
    let screen = Driver::sample(80, 24).keys("6vvvv").screen();
    assert!(screen.contains("table 01: [permute] sort probe verify"), "{screen}");
}

#[test]
fn a_key_of_distances_is_not_named_elsewhere() {
    for keys in ["4v", "4vvv"] {
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
        ("playground", "6vv"),
        ("tables", "6vvvv<space>"),
        ("lesson", "6<enter>"),
        ("layouts", "4v<enter>"),
        ("sweep", "4vvv"),
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
        let driver = Driver::sample(width, height).keys("b");
        let layout = driver.app.bits_layout();
        (layout.bars, layout.cut.columns)
    };
    assert_eq!([of(120, 35), of(140, 40)], [(4, 2), (4, 2)]);
    assert_eq!([of(200, 60), of(300, 80)], [(7, 3), (10, 4)]);
}

/// The last row of the texts is at the bottom, not above blank rows.
#[test]
fn the_texts_scroll_no_farther_than_their_end() {
    let driver = Driver::sample(120, 35).keys("<enter>jjjjj");
    let last = driver.app.near.rows.len().saturating_sub(driver.app.text_rows());
    assert!(driver.app.near.text_top <= last, "{}", driver.screen());
}

/// A list that becomes shorter leaves its rows to the texts, and they fill them.
#[test]
fn texts_fill_the_rows_that_a_shorter_list_leaves() {
    let driver = Driver::sample(80, 30).keys("/rumour-1<enter><enter>++++++++JJJJJJJJJ------");
    let last = driver.app.near.rows.len().saturating_sub(driver.app.text_rows());
    assert!(driver.app.near.text_top <= last, "{}", driver.screen());
}
