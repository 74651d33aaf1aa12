//! The rows around every screen: keys, notices, the names of the views; and clicks on its lists.

use simscope::app::key::{Mouse, MouseAction};
use simscope::app::page::Tone;
use simscope::app::screen::ViewId;
use simscope::app::{Message, Screen};

use super::driver::Driver;

const SIZES: [(u16, u16); 7] =
    [(40, 12), (60, 16), (80, 24), (100, 30), (120, 35), (140, 40), (200, 60)];

fn last_row(driver: &Driver) -> String {
    driver.screen().lines().last().unwrap_or_default().to_owned()
}

/// Clicks on the first row of the screen that holds a text, where it begins.
fn click(driver: &mut Driver, text: &str) {
    let screen = driver.screen();
    let place = screen.lines().enumerate().find_map(|(row, line)| Some((row, line.find(text)?)));
    let (row, byte) = place.unwrap_or_else(|| panic!("{text} in\n{screen}"));
    let column = screen.lines().nth(row).unwrap()[..byte].chars().count() as u16;
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column, row: row as u16 }));
}

#[test]
fn the_way_back_and_help_are_in_the_last_row_of_every_view_at_every_size() {
    for (width, height) in SIZES {
        for &view in ViewId::ALL.iter().filter(|view| view.is_listed()) {
            let driver = Driver::sample(width, height).show(view);
            let row = last_row(&driver);
            let has = |hint: &str| format!("{row}  ").contains(&format!(" {hint}  "));
            assert!(has("? help") && has("q quit"), "{view}: {row}");
            assert!(has("Esc back") || view.screen() == Screen::Docs, "{view}: {row}");
            let bindings = driver.app.keymap.bindings(view);
            let enter = bindings.filter(|it| it.footer.is_some_and(|(keys, _)| keys == "Enter"));
            for binding in enter.filter(|it| driver.app.shows(it.when)) {
                assert!(row.contains("Enter "), "{view} at {width}: {row}, {binding:?}");
            }
            let words: Vec<&str> =
                row.trim().split("  ").map(|hint| hint.split_once(' ').unwrap().1).collect();
            assert!(words.len() <= 8, "{view} at {width}: {row}");
            let n_of = |word| words.iter().filter(|it| **it == word).count();
            assert!(words.iter().all(|word| n_of(*word) == 1), "{view} at {width}: {row}");
        }
    }
}

#[test]
fn the_last_row_names_nothing_that_does_nothing_here() {
    let featureless = Driver::sample(140, 40).keys("/only-marks<enter><enter>");
    let row = last_row(&featureless);
    assert!(!row.contains("follow") && !row.contains("tables") && !row.contains("next"), "{row}");
    assert!(row.contains("Esc back"), "{row}");
    let lab = Driver::sample(140, 40).show(ViewId::Layouts);
    assert!(last_row(&lab).contains("Enter measure"), "{}", last_row(&lab));
}

#[test]
fn a_notice_leaves_help_and_facts_in_their_rows() {
    for (width, height) in [(40, 10), (40, 12)] {
        let mut driver = Driver::sample(width, height).keys("jjy");
        let screen = driver.screen();
        let row = |at: u16| screen.lines().nth(usize::from(at)).unwrap();
        assert!(row(height - 2).contains("copied: tide-log-twenty"), "{screen}");
        assert!(row(0).contains("can go"), "{screen}");
        assert!(last_row(&driver).contains("? help"), "{screen}");
        driver.send(Message::NoticeOver);
        assert!(!driver.screen().contains("copied"), "{}", driver.screen());
    }
    let driver = Driver::sample(120, 35).keys("jjy");
    let screen = driver.screen();
    let [found, notice] = [2, 33].map(|row| screen.lines().nth(row).unwrap());
    assert!(notice.contains("copied: tide-log-twenty") && found.contains("can go"), "{screen}");
    // A long one goes on behind `?`.
    let driver = Driver::sample(80, 24).keys("3v");
    assert!(last_row(&driver).contains("? help"), "{}", driver.screen());
}

#[test]
fn a_notice_ends_by_itself_unless_it_asks_or_is_a_problem() {
    let ends = |driver: &Driver| driver.app.notice_ends.map(|end| end.as_secs());
    assert_eq!(ends(&Driver::sample(80, 24)), None);
    let mut driver = Driver::sample(80, 24).keys("y");
    assert_eq!(ends(&driver), Some(10));
    driver.app.now += std::time::Duration::from_secs(5);
    // Work that goes on does not prolong it; the same key does.
    driver.send(Message::Tick);
    assert_eq!(ends(&driver), Some(10));
    let mut driver = driver.keys("y");
    assert_eq!(ends(&driver), Some(15));
    driver.send(Message::Notice("a disk is full".to_owned()));
    assert_eq!(ends(&driver), None);
    assert_eq!(ends(&driver.keys("<c-c>")), None);
}

#[test]
fn an_order_or_a_filter_leaves_the_names_of_the_views() {
    for (width, height) in [(60, 16), (80, 24), (140, 40)] {
        for keys in ["s", "ftide<enter>", "ftide<enter>s"] {
            let mut driver = Driver::sample(width, height).keys(keys);
            let screen = driver.screen();
            let top = screen.lines().take(2).collect::<String>();
            assert!(top.contains("[Docs]") && top.contains("Bits"), "{screen}");
            click(&mut driver, "Bits");
            assert_eq!(driver.app.view(), ViewId::Bits);
        }
    }
}

#[test]
fn views_are_one_step_of_the_way_and_long_ids_are_cut() {
    let driver = Driver::sample(80, 24).keys("4v6v<esc>");
    assert_eq!((driver.app.view(), driver.app.places().len()), (ViewId::Layouts, 2));
    assert_eq!(driver.keys("<esc>").app.view(), ViewId::Docs);
    let driver = Driver::sample(80, 24).keys("<enter>");
    assert_eq!(driver.app.places(), ["Docs", "tide-log"]);
    let rows = "{\"id\":\"0a1b2c3d-4e5f-6789-abcd-ef0123456789-and-more\",\"text\":\"low tide at noon\"}\n"
        .repeat(2);
    let bytes: &'static [u8] = rows.into_bytes().leak();
    let inputs = vec![simscope::corpus::Input::Bundled { name: "ids.jsonl", bytes }];
    for (width, height) in [(80, 24), (60, 16)] {
        let driver = Driver::open(inputs.clone(), super::driver::settings(), width, height);
        let driver = driver.keys("<enter>");
        let screen = driver.screen();
        // An id is cut in the middle.
        assert!(screen.lines().nth(1).unwrap().contains("0a1"), "{screen}");
    }
}

#[test]
fn a_click_selects_a_row_and_a_second_one_opens_it() {
    let mut driver = Driver::sample(120, 35);
    click(&mut driver, " 4  tide-log-geese");
    assert_eq!((driver.app.docs.cursor.selected, driver.app.screen), (3, Screen::Docs));
    click(&mut driver, " 4  tide-log-geese");
    assert_eq!(driver.app.screen, Screen::Pair);

    let mut driver = Driver::sample(120, 35).show(ViewId::Layouts);
    let name = driver.app.tune.layouts.offers[2].layout.name();
    click(&mut driver, &name);
    assert_eq!(driver.app.tune.layouts.cursor.selected, 2);

    let mut driver = Driver::sample(120, 35).keys("4t");
    click(&mut driver, "5           52");
    assert_eq!(driver.app.settings.k, 5, "{}", driver.screen());

    let mut driver = Driver::sample(120, 35).show(ViewId::Lessons);
    let title = driver.app.learn.lessons.all[2].title.clone();
    let title: String = format!("3  {title}").chars().take(20).collect();
    click(&mut driver, &title);
    assert_eq!(driver.app.learn.lessons.cursor.selected, 2);
    click(&mut driver, &title);
    assert_eq!(driver.app.learn.lessons.active, Some(2));

    for (width, height) in [(80, 24), (140, 40)] {
        let mut driver = Driver::sample(width, height).keys("3");
        click(&mut driver, "03 ");
        assert_eq!(driver.app.tables.table.selected, 2, "{}", driver.screen());
    }

    let mut driver = Driver::sample(140, 40).show(ViewId::Recipes).keys("<enter>ggl");
    let screen = driver.screen();
    click(&mut driver, "chars:5");
    let cell = screen.lines().find(|line| line.contains("chars:5")).unwrap();
    let shade = cell.char_indices().filter(|(_, c)| "·░▒▓█".contains(*c)).nth(2).unwrap().0;
    let column = cell[..shade].chars().count() as u16;
    let row = screen.lines().position(|line| line == cell).unwrap() as u16;
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column, row }));
    let sweep = &driver.app.tune.sweep;
    assert_eq!((sweep.grid.features[sweep.row].to_string().as_str(), sweep.column), ("chars:5", 2));
}

#[test]
fn a_click_in_the_menu_runs() {
    let mut driver = Driver::sample(80, 24).keys("Y");
    let screen = driver.screen();
    assert!(screen.contains("╭─ copy ") && !screen.contains("undo"), "{screen}");
    click(&mut driver, "copy the fingerprint");
    assert!(driver.app.notice.as_ref().is_some_and(|it| it.starts_with("copied 16")));
}

#[test]
fn words_that_are_found_are_set_off_in_the_text_which_scrolls_to_them() {
    let driver = Driver::sample(80, 24).keys("/TIDE LOG, Quillhaven<enter>");
    let found = |driver: &Driver| -> Vec<String> {
        let words = driver.app.docs.preview.iter().flat_map(|row| &row.0);
        words.filter(|(_, tone)| *tone == Tone::Good).map(|(words, _)| words.clone()).collect()
    };
    assert_eq!(found(&driver), ["Tide log, Quillhaven"]);
    let screen = driver.screen();
    let row = screen.lines().take(22).collect::<Vec<_>>();
    let row = row.iter().rposition(|row| row.contains("Tide log, Quill")).unwrap();
    let styles = driver.styles();
    assert!(styles.lines().nth(row).unwrap().starts_with(" BBBBBBBBBBBBBBBBBBBB"), "{styles}");
    // The words may go on in the next row, and stand below those that show.
    let long = "the tide came in ".repeat(200) + "with a kernel\\nbanach and more";
    let row =
        format!("{{\"id\":\"a\",\"text\":\"{long}\"}}\n{{\"id\":\"b\",\"text\":\"{long}\"}}\n");
    let bytes: &'static [u8] = row.into_bytes().leak();
    let inputs = vec![simscope::corpus::Input::Bundled { name: "ids.jsonl", bytes }];
    let driver = Driver::open(inputs, super::driver::settings(), 80, 24);
    let driver = driver.keys("/kernel banach<enter>");
    let screen = driver.screen();
    assert!(screen.contains("kernel") && screen.contains("banach"), "{screen}");
    assert_eq!(found(&driver).len(), 2);
    let driver = driver.keys("<esc>");
    assert!(found(&driver).is_empty());
}

#[test]
fn marks_are_explained_under_help() {
    for (keys, mark) in [("1", "t tied"), ("2", "no duplicates"), ("3", "three with that")] {
        let driver = Driver::sample(120, 35).keys(keys).keys("?<tab>marks");
        assert!(driver.screen().contains(mark), "{}", driver.screen());
    }
    let near = Driver::sample(120, 35).ascii().keys("2").keys("?<tab>marks");
    assert!(near.screen().contains("c same fingerprint"), "{}", near.screen());
}

/// On the picture of a lesson a click moves the cursor to a bit, and a second click flips it.
#[test]
fn a_click_on_a_bit_of_a_lesson_moves_the_cursor_to_it() {
    let mut driver = Driver::sample(120, 35).keys("6jjjjj<enter>a2<enter><enter>");
    click(&mut driver, "A┄┄┄");
    assert_eq!(driver.app.learn.game.bit, 63, "the ruler is no bit");
    let at = |driver: &Driver, text: &str, cells: u16| {
        let screen = driver.screen();
        let place = screen.lines().position(|line| line.contains(text)).expect("a row of bits");
        let line = screen.lines().nth(place).unwrap();
        let column = line[..line.find(text).unwrap()].chars().count() as u16 + cells;
        Message::Mouse(Mouse { action: MouseAction::Click, column, row: place as u16 })
    };
    driver.send(at(&driver, " two  ", 6 + 3));
    let bit = driver.app.learn.game.bit;
    assert_eq!((bit, driver.app.learn.game.damage), (60, 0), "{}", driver.screen());
    driver.send(at(&driver, " two  ", 6 + 3));
    assert_eq!(driver.app.learn.game.damage, 1 << 60, "{}", driver.screen());
}

fn wheel(driver: &mut Driver, column: u16, row: u16) {
    driver.send(Message::Mouse(Mouse { action: MouseAction::Wheel(1), column, row }));
}

#[test]
fn the_wheel_scrolls_the_text_that_it_is_over() {
    let mut docs = Driver::sample(120, 35);
    wheel(&mut docs, 110, 12);
    assert_eq!((docs.app.docs.cursor.selected, docs.app.docs.preview_top), (0, 3));
    wheel(&mut docs, 10, 10);
    assert_eq!(docs.app.docs.cursor.selected, 3);
    let mut near = Driver::sample(120, 35).keys("<enter>jj");
    let before = near.app.near.cursor.selected;
    wheel(&mut near, 40, 20);
    assert_eq!(near.app.near.cursor.selected, before);
    assert!(near.app.near.shown.top > 0);
    let mut groups = Driver::groups(120, 35);
    wheel(&mut groups, 110, 25);
    assert_eq!(groups.app.groups.cursor.selected, 0);
    wheel(&mut groups, 10, 10);
    assert_eq!(groups.app.groups.cursor.selected, 3);
}

#[test]
fn leaving_asks_while_labels_could_not_be_saved() {
    let mut driver = Driver::sample(80, 24);
    driver.app.lost_labels.push("no place for labels".to_owned());
    let driver = driver.keys("q");
    let asked = driver.app.notice.clone().unwrap_or_default();
    assert_eq!(asked, "press q again to leave and lose 1 label that could not be saved");
}

#[test]
fn enter_before_pairs_are_ready_says_so() {
    let driver = Driver::idle(80, 24).keys("4b");
    assert!(driver.screen().contains("not ready yet"), "{}", driver.screen());
}
