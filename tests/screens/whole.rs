//! Words on the screen are whole, and true of what else is on it, at every size.

use simscope::app::key::{Mouse, MouseAction};
use simscope::app::screen::ViewId;
use simscope::app::{Message, Screen};

use super::driver::Driver;

const SIZES: [(u16, u16); 7] =
    [(40, 12), (60, 16), (80, 24), (100, 30), (120, 35), (140, 40), (200, 60)];

/// The words of a screen, without the lines around them.
fn words(screen: &str) -> String {
    let plain = screen.replace(['│', '\n', '▶'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mouse(driver: &mut Driver, action: MouseAction, (column, row): (u16, u16)) {
    driver.send(Message::Mouse(Mouse { action, column, row }));
}

/// The first cell of a text on the screen.
fn place(driver: &Driver, text: &str) -> (u16, u16) {
    let screen = driver.screen();
    let found = screen.lines().zip(0..).find_map(|(line, row)| Some((line, row, line.find(text)?)));
    let (line, row, byte) = found.unwrap_or_else(|| panic!("no {text} in\n{screen}"));
    (line[..byte].chars().count() as u16, row)
}

#[test]
fn a_lesson_shows_the_texts_it_speaks_of() {
    for (width, height) in SIZES {
        let lesson = |keys: &str| Driver::sample(width, height).keys(keys).screen();
        let order = words(&lesson("6jjjj<enter>"));
        assert!(order.contains("man bites dog") && order.contains("dog bites man"), "{order}");
        // The smallest screen scrolls.
        let comma = words(&(lesson("6<enter>") + &lesson("6<enter>JJJJ")));
        assert!(comma.contains("sand, and left"), "{comma}");
        let heavy = words(&lesson("6jj<enter>"));
        assert!(heavy.contains("\"coin\"") && heavy.contains("weighs 3"), "{heavy}");
        // The picture is beside the text, or below it where there are rows for it.
        if (width, height) >= (80, 24) {
            assert!(order.contains("two dog bites man"), "{width}x{height}: {order}");
            assert!(comma.contains(" the tide came in over the sand, and left a line"), "{comma}");
        }
    }
    let to_ties = "6jj<enter>a1001<enter><enter><enter>a0<enter><enter><enter>ww<enter>";
    let ties = words(&Driver::sample(60, 16).keys(to_ties).screen());
    assert!(ties.contains("one bit coin 2 features two bit coin"), "{ties}");
}

#[test]
fn a_key_that_does_nothing_leaves_the_keys_in_the_last_row() {
    for (width, height) in SIZES {
        for keys in ["5v", "3v"] {
            let driver = Driver::sample(width, height).keys(keys);
            let notice = driver.app.notice.clone().unwrap();
            assert!(notice.len() + 2 <= usize::from(width), "{notice}");
            let screen = driver.screen();
            let last = screen.lines().last().unwrap();
            assert!(last.contains("? help") && last.contains("q quit"), "{screen}");
        }
    }
}

#[test]
fn the_recommended_k_are_told_whole() {
    for &(width, height) in &SIZES[1..] {
        let screen = words(&Driver::sample(width, height).keys("4t").screen());
        // The beginning of the line is the most important.
        assert!(screen.contains(" At 19 bits (press a) 56 of them"), "{width}x{height}: {screen}");
        let whole = screen.contains("drops 34, largest group 8");
        let whole = whole && screen.contains("precise k = 19 (");
        let balanced = screen.contains("balanced k = 14: 59 pairs, 95 in 100 alike");
        assert!((whole || width < 120) && (balanced || width < 200), "{width}x{height}: {screen}");
    }
}

#[test]
fn the_row_of_a_recommended_k_tells_what_it_drops() {
    let driver = Driver::sample(140, 40).keys("4ta");
    let screen = driver.screen();
    let row = screen.lines().find(|row| row.contains("▶  19")).unwrap_or_default();
    assert!(row.contains(" 34 ") && row.contains("precise"), "{screen}");
}

#[test]
fn a_click_on_the_way_goes_back_to_the_place() {
    let mut driver = Driver::sample(100, 30).keys("<enter>jjj<enter>");
    let (column, row) = place(&driver, "tide-log › Tables");
    mouse(&mut driver, MouseAction::Click, (column + 3, row));
    assert_eq!(driver.app.view(), ViewId::Pair);
    let mut driver = driver.keys("<enter>");
    let docs = place(&driver, "Docs › tide-log");
    mouse(&mut driver, MouseAction::Click, docs);
    assert_eq!((driver.app.screen, driver.app.places().len()), (Screen::Docs, 0));
}

#[test]
fn a_panel_leaves_no_part_of_the_list_at_its_sides() {
    for (keys, size) in [("?", (80, 24)), ("r", (80, 24))] {
        let screen = Driver::sample(size.0, size.1).keys(keys).screen();
        let rows = screen.lines().skip_while(|row| !row.starts_with('╭'));
        let rows: Vec<&str> = rows.take_while(|row| row.ends_with(['╮', '│', '╯'])).collect();
        assert!(rows.last().is_some_and(|row| row.starts_with('╰')), "{screen}");
        assert!(rows.len() + 1 == usize::from(size.1) || keys == "r", "{screen}");
    }
    let help = Driver::sample(80, 24).keys("?").screen();
    assert!(help.lines().next().unwrap().contains("1-18 of "), "{help}");
}

#[test]
fn the_pair_has_the_mark_that_the_legend_names() {
    for (keys, mark) in [("3", "┃Q"), ("<enter>jjj<enter>", "┃◆"), ("<enter>jjjjj<enter>", "┃◆")]
    {
        let screen = Driver::sample(80, 24).keys(keys).screen();
        let sign = mark.chars().last().unwrap();
        assert!(screen.contains(&format!("{sign} the pair")), "{screen}");
        assert!(screen.lines().any(|row| row.starts_with(mark)), "{screen}");
    }
}

#[test]
fn blocks_that_do_not_show_are_signed() {
    for (keys, size) in [("b", (60, 16)), ("b", (40, 12))] {
        let ruler = |driver: &Driver| {
            let screen = driver.screen();
            screen.lines().find(|row| row.contains("┄┄┄┄┄")).unwrap_or_default().to_owned()
        };
        let driver = Driver::sample(size.0, size.1).keys(keys);
        assert!(ruler(&driver).ends_with('>') && !ruler(&driver).contains('<'), "{keys}");
        let driver = driver.keys(&"l".repeat(63));
        assert!(!ruler(&driver).contains('>') && ruler(&driver).contains('<'), "{keys}");
    }
}

#[test]
fn a_text_does_not_touch_the_line_beside_it() {
    for keys in ["4b", "<enter>jjj"] {
        let screen = Driver::sample(80, 24).keys(keys).screen();
        let rows = screen.lines().filter(|row| row.starts_with("~ ") && row.contains('≠'));
        let touching = rows.filter(|row| !row.contains(" ≠")).count();
        assert_eq!(touching, 0, "{screen}");
    }
}

#[test]
fn columns_of_the_map_at_the_left_are_signed() {
    let screen = Driver::sample(40, 12).keys("4vv<enter>").screen();
    assert!(screen.contains("128>"), "{screen}");
}

#[test]
fn a_shown_view_is_named_whole() {
    let screen = Driver::sample(60, 16).keys("6vv").screen();
    assert!(screen.contains("[Angle]"), "{screen}");
}

#[test]
fn a_long_notice_leaves_the_keys_and_is_told_whole() {
    for (width, height) in SIZES {
        let mut driver = Driver::sample(width, height).keys("6<enter>a3<enter>");
        let screen = driver.screen();
        let last = screen.lines().last().unwrap_or_default();
        assert!(last.contains("? help") && last.contains("Esc"), "{width}x{height}:\n{screen}");
        let words: Vec<&str> = screen.split_whitespace().collect();
        let told = "each bit falls anew, like a coin";
        assert!(words.join(" ").contains(told), "{width}x{height}:\n{screen}");
        // The next key takes it away, and the view is whole again.
        driver = driver.keys("j");
        assert!(!driver.screen().contains("3 is not right"), "{}", driver.screen());
    }
}
