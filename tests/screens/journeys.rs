//! Effects of keys: moving, finding, filtering, changing k and the recipe.

use simscope::app::{Message, Screen};
use simscope::id::DocId;

use super::driver::Driver;

fn selected(driver: &Driver) -> String {
    driver.app.analysis.corpus.id(driver.app.query().expect("a document is selected")).to_owned()
}

#[test]
fn one_selection_runs_through_all_screens() {
    let driver = Driver::sample(80, 24).keys("j2j3");
    assert_eq!(driver.app.screen, Screen::Tables);
    assert_eq!(selected(&driver), "tide-log-copy");
    let (query, other) = driver.app.tables.pair.unwrap();
    assert_eq!((query, other), (DocId(1), driver.app.near.selected().map(|near| near.document)));
    let driver = driver.keys("l");
    assert_ne!(driver.app.tables.pair, Some((query, other)));
    let driver = driver.keys("<esc>.");
    assert_eq!(driver.app.near.query, driver.app.tables.pair.unwrap().1);
}

#[test]
fn escape_is_always_one_step_back() {
    let driver = Driver::sample(80, 24).keys("<enter><enter>?<esc>");
    assert_eq!((driver.app.screen, driver.app.overlay.is_none()), (Screen::Tables, true));
    let driver = driver.keys("<esc>");
    assert_eq!(driver.app.screen, Screen::Pair);
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.screen, driver.left), (Screen::Docs, false));
    assert!(driver.keys("q").left);
}

#[test]
fn find_goes_round_and_says_when_there_is_nothing() {
    let driver = Driver::sample(80, 24).keys("/RUMOUR<enter>");
    assert_eq!(selected(&driver), "rumour-1");
    let driver = driver.keys("nnnn");
    assert_eq!(selected(&driver), "rumour-5");
    let driver = driver.keys("n");
    assert_eq!(selected(&driver), "rumour-1");
    let driver = driver.keys("N");
    assert_eq!(selected(&driver), "rumour-5");
    assert!(driver.keys("/zebra<enter>").screen().contains("no id, title or text holds \"zebra\""));
}

#[test]
fn a_filter_keeps_the_selection_and_escape_lifts_it() {
    let driver = Driver::sample(80, 24).keys("/rumour-3<enter>fis:near<enter>");
    assert_eq!(selected(&driver), "rumour-3");
    let shown = driver.app.docs.len();
    assert!(shown < 100 && shown > 20, "{shown}");
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.docs.len(), selected(&driver).as_str()), (100, "rumour-3"));
    let wrong = driver.keys("fis:nere<enter>").screen();
    assert!(wrong.contains("choose one of near"), "{wrong}");
}

#[test]
fn k_follows_the_keys_everywhere() {
    let driver = Driver::sample(80, 24);
    let pairs = |driver: &Driver| driver.app.analysis.totals().unwrap().pairs;
    assert_eq!(pairs(&driver), 34);
    let driver = driver.keys("+++");
    assert_eq!((driver.app.settings.k, pairs(&driver)), (6, 58));
    let driver = driver.keys("++");
    assert_eq!((driver.app.settings.k, pairs(&driver)), (8, 60));
    let driver = driver.keys("----------");
    assert_eq!((driver.app.settings.k, pairs(&driver)), (0, 10));
}

#[test]
fn a_new_recipe_changes_every_screen() {
    let driver = Driver::sample(80, 24).keys("2rj1<enter>");
    assert_eq!(driver.app.settings.recipe.to_string().split(' ').next(), Some("words:1"));
    assert_eq!(driver.app.analysis.settings.recipe, driver.app.settings.recipe);
    let near: Vec<u32> = driver.app.near.neighbours.iter().map(|near| near.distance).collect();
    assert!(!near.is_empty() && near.is_sorted(), "{near:?}");
    // An impossible value is refused in place: the form stays open.
    let driver = driver.keys("rkkkkk999<enter>");
    assert!(driver.screen().contains("1 to 128"), "{}", driver.screen());
}

#[test]
fn another_width_never_shows_votes_of_the_one_before() {
    let driver = Driver::sample(80, 24).keys("rjjjjjjjj128<enter>");
    let votes = driver.app.open_votes().expect("the document is laid open");
    assert_eq!((votes.width(), driver.app.analysis.settings.recipe.bits), (128, 128));
    let driver = driver.keys("rjjjjjjjj17<enter>");
    assert_eq!(driver.app.open_votes().map(simscope::simhash::Votes::width), Some(17));
}

#[test]
fn a_stopped_reading_goes_on_with_what_is_there_and_says_so() {
    let mut driver = Driver::idle(80, 24);
    let partial = Driver::snapshot(40);
    driver.send(Message::Analysed { number: 1, analysis: partial, finished: false });
    let mut driver = driver.keys("+<c-c>");
    driver.send(Message::AnalysisFailed { number: 1, problem: "stopped".into() });
    assert!(driver.app.analysis.is_complete(), "what was read is paired");
    assert_eq!((driver.app.settings.k, driver.app.analysis.settings.k), (4, 4));
    let driver = driver.keys("j");
    assert!(driver.screen().contains("texts so far"), "{}", driver.screen());
    assert!(driver.keys("!").screen().contains("reading was stopped"));
}

#[test]
fn a_stopped_change_leaves_the_settings_as_they_were() {
    let mut driver = Driver::sample(80, 24);
    driver.hold = true;
    let mut driver = driver.keys("rjjl<enter><c-c>");
    let number = driver.app.running.as_ref().unwrap().number;
    driver.send(Message::AnalysisFailed { number, problem: "stopped".into() });
    assert_eq!(driver.app.settings.recipe, driver.app.analysis.settings.recipe);
    assert!(!driver.screen().contains("so far"));
}

#[test]
fn the_second_interrupt_leaves_whatever_runs() {
    let mut driver = Driver::sample(80, 24);
    driver.hold = true;
    let driver = driver.keys("+<c-c>");
    assert!(!driver.left);
    assert!(driver.keys("<c-c>").left);
    let driver = Driver::sample(80, 24).keys("<c-c>");
    assert!(!driver.left);
    assert!(!Driver::sample(80, 24).keys("<c-c>j<c-c>").left);
    assert!(Driver::sample(80, 24).keys("<c-c><c-c>").left);
}

#[test]
fn an_empty_list_and_back_keeps_every_screen_whole() {
    let driver = Driver::sample(80, 24).keys("31fzzzz<enter>31<esc>3");
    assert!(driver.app.tables.window.is_some());
    assert!(
        Driver::sample(80, 24)
            .keys("fzzzz<enter><enter>")
            .screen()
            .contains("no document is selected")
    );
}

#[test]
fn the_text_scrolls_by_rows_and_the_hint_tells_how_far() {
    let more = |driver: &Driver| {
        let screen = driver.screen();
        let hint =
            screen.lines().find(|line| line.contains(" more, J")).unwrap_or("0 more, J").to_owned();
        hint.split(" more, J").next().unwrap().rsplit(' ').next().unwrap().parse::<usize>().unwrap()
    };
    let driver = Driver::sample(80, 24);
    let at_first = more(&driver);
    let driver = driver.keys("JJJ");
    assert_eq!(more(&driver), at_first - 3);
    let driver = driver.keys(&"J".repeat(100));
    assert!(driver.screen().contains("above, K"), "{}", driver.screen());
}

#[test]
fn a_click_on_any_row_selects_what_it_shows() {
    use simscope::app::key::{Mouse, MouseAction};
    for (width, height, first) in [(80, 24, 3), (140, 40, 4), (60, 16, 3), (40, 12, 1)] {
        let mut driver = Driver::sample(width, height).keys("2");
        let names: Vec<[String; 2]> = driver
            .app
            .near
            .neighbours
            .iter()
            .map(|near| {
                let title = driver.app.titles.get(near.document).unwrap_or("no title");
                let title = title.chars().take(12).collect();
                [title, driver.app.analysis.corpus.id(near.document).to_owned()]
            })
            .collect();
        let mut clicked = 0;
        let last = (first + 2 + driver.app.page_rows() as u16).min(height - 2);
        for y in first..=last {
            let before = driver.app.near.cursor.selected;
            let screen = driver.screen();
            let row = screen.lines().nth(usize::from(y)).unwrap_or_default();
            // Beside the list stands the outcome.
            let row: String = row.chars().take(if width > 110 { 70 } else { 200 }).collect();
            let has_id = |it: &[String; 2]| row.split([' ', '│', '▶']).any(|word| word == it[1]);
            let has_title = |it: &[String; 2]| row.contains(&it[0]);
            let shown = names.iter().position(has_id);
            let shown = shown.or_else(|| names.iter().position(has_title));
            driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column: 5, row: y }));
            let expected = if row.contains("below") { None } else { shown };
            assert_eq!(driver.app.near.cursor.selected, expected.unwrap_or(before), "{row:?}");
            // A click on the selected row opens it.
            let is_opened = expected == Some(before);
            assert_eq!(driver.app.screen == Screen::Tables, is_opened, "{row:?}");
            if is_opened {
                driver = driver.keys("<esc>");
            }
            clicked += usize::from(expected.is_some());
        }
        assert!(clicked >= 3, "{clicked} rows of {width}x{height} show a neighbour");
    }
}

#[test]
fn a_click_selects_and_the_wheel_moves() {
    use simscope::app::key::{Mouse, MouseAction};
    let mut driver = Driver::sample(80, 24);
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column: 12, row: 9 }));
    assert_eq!(selected(&driver), "tide-log-waving");
    driver.send(Message::Mouse(Mouse { action: MouseAction::Wheel(1), column: 0, row: 0 }));
    assert_eq!(driver.app.docs.cursor.selected, 7);
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column: 23, row: 0 }));
    assert_eq!(driver.app.screen, Screen::Pair);
}

/// Clicks where a text begins in a row of the screen.
fn click_on(driver: &mut Driver, row: usize, text: &str) {
    use simscope::app::key::{Mouse, MouseAction};
    let screen = driver.screen();
    let line = screen.lines().nth(row).unwrap();
    let before = &line[..line.find(text).unwrap_or_else(|| panic!("{text} in {line}"))];
    let (column, row) = (before.chars().count() as u16, row as u16);
    driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column, row }));
}

#[test]
fn tabs_views_headers_and_the_keys_of_the_footer_can_be_clicked() {
    use simscope::analysis::arrangement::ListOrder;
    use simscope::app::key::{Mouse, MouseAction};
    use simscope::app::overlay::Overlay;
    use simscope::app::screen::ViewId;
    for (width, height, about, header) in [(80, 24, 1, 4), (140, 40, 1, 4)] {
        let mut driver = Driver::sample(width, height);
        click_on(&mut driver, about, "Bits");
        assert_eq!(driver.app.view(), ViewId::Bits);
        click_on(&mut driver, about, "Docs");
        let mut driver = driver.keys("jjj");
        click_on(&mut driver, header, "near");
        assert_eq!((driver.app.docs.order, driver.app.docs.reversed), (ListOrder::Near, false));
        assert_eq!(driver.app.docs.cursor.selected, 0, "the largest are seen, as after s");
        click_on(&mut driver, header, "near");
        assert!(driver.app.docs.reversed);
        click_on(&mut driver, header, "words");
        assert_eq!((driver.app.docs.order, driver.app.docs.reversed), (ListOrder::Words, false));
        click_on(&mut driver, usize::from(height) - 1, "help");
        assert!(driver.app.overlay.is_some());
        // A place that a panel covers does not answer, and the panel's own keys do.
        let under = Mouse { action: MouseAction::Click, column: 24, row: 0 };
        driver.send(Message::Mouse(under));
        assert_eq!(driver.app.screen, Screen::Docs);
        click_on(&mut driver, usize::from(height) - 1, "Esc");
        assert!(driver.app.overlay.is_none());
        click_on(&mut driver, 0, "4 Tune");
        assert_eq!(driver.app.screen, Screen::Tune);
    }
    let mut driver = Driver::sample(80, 24).keys(":lay");
    let row = driver.screen().lines().position(|row| row.contains("Tune: Layouts")).unwrap();
    click_on(&mut driver, row, "Tune: Layouts");
    assert_eq!(driver.app.view(), ViewId::Layouts);
    // The wheel moves in a panel, too, and what is below it stays.
    let mut driver = Driver::sample(80, 24).keys("?");
    for _ in 0..3 {
        driver.send(Message::Mouse(Mouse { action: MouseAction::Wheel(1), column: 9, row: 9 }));
    }
    let Some(Overlay::Menu(help)) = &driver.app.overlay else { panic!("no help") };
    assert_eq!((help.cursor.selected, driver.app.docs.cursor.selected), (3, 0));
}

#[test]
fn answers_to_old_questions_are_dropped() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("j");
    let old = driver.take_held("inspect");
    driver.mute = false;
    let mut driver = driver.keys("jj");
    let before = driver.screen();
    let stale = driver.app.analysis.clone();
    driver.send(Message::Analysed { number: 1, analysis: stale, finished: true });
    driver.fail(&old, "old");
    driver.send(Message::AnalysisFailed { number: 1, problem: "old".into() });
    assert_eq!(driver.screen(), before);
}
