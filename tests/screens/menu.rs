//! The menu finds by some letters what can be done, and does it.

use simscope::app::key::{Mouse, MouseAction};
use simscope::app::overlay::Overlay;
use simscope::app::screen::ViewId;
use simscope::app::{Effect, Keys, Message, Screen, update};

use super::driver::Driver;

/// The entries that the menu shows.
fn found(driver: &Driver) -> Vec<String> {
    let Some(Overlay::Menu(menu)) = &driver.app.overlay else { panic!("no menu") };
    menu.found.iter().map(|it| it.text.clone()).collect()
}

#[test]
fn some_letters_find_a_view() {
    let driver = Driver::sample(80, 24).keys(":check");
    assert_eq!(found(&driver)[0], "Check");
    let driver = driver.keys("<enter>");
    assert_eq!((driver.app.view(), driver.app.overlay.is_none()), (ViewId::Check, true));
}

#[test]
fn lessons_are_there() {
    let driver = Driver::sample(80, 24).keys(":lesson 5<enter>");
    assert_eq!((driver.app.screen, driver.app.learn.lessons.active), (Screen::Learn, Some(4)));
}

#[test]
fn an_action_of_the_view_is_done() {
    let driver = Driver::sample(80, 24).keys(":raise k<enter>");
    assert_eq!(driver.app.settings.k, 4);
    // Words that name nothing are looked for in the texts.
    let driver = driver.keys(":quillhaven zzz");
    assert_eq!(found(&driver), ["find quillhaven zzz in ids, titles and texts"]);
    let driver = driver.keys("<enter>");
    assert!(driver.app.docs.find.is_some());
}

/// Words that people type, and the name of what each must find first, from every screen.
const WORDS: &[(&str, &str)] = &[
    ("again", "redo"),
    ("alike", "pair"),
    ("bands", "layouts"),
    ("boilerplate", "check"),
    ("browse", "docs"),
    ("cancel", "stop"),
    ("chance", "tune"),
    ("clipboard", "copy"),
    ("close", "quit"),
    ("clusters", "docs"),
    ("colors", "theme"),
    ("colours", "theme"),
    ("configuration", "recipe"),
    ("dedup", "write"),
    ("deduplicate", "write"),
    ("delete", "mark"),
    ("disagreements", "check"),
    ("distances", "tune"),
    ("download", "write"),
    ("drop", "mark"),
    ("duplicates", "docs"),
    ("empty", "check"),
    ("errors", "problems"),
    ("evaluate", "layouts"),
    ("exit", "quit"),
    ("explain", "pair"),
    ("fewer", "lower-k"),
    ("health", "check"),
    ("hide", "filter"),
    ("histogram", "tune"),
    ("judge", "judge"),
    ("label", "judge"),
    ("keep", "mark"),
    ("keyboard", "help"),
    ("keys", "help"),
    ("less", "lower-k"),
    ("limit", "raise-k"),
    ("looser", "raise-k"),
    ("misleading", "check"),
    ("more", "raise-k"),
    ("neighbours", "pair"),
    ("options", "recipe"),
    ("picture", "export"),
    ("preferences", "recipe"),
    ("print", "export"),
    ("quality", "check"),
    ("query", "find"),
    ("reason", "pair"),
    ("remove", "mark"),
    ("revert", "undo"),
    ("save", "write"),
    ("screenshot", "export"),
    ("search", "find"),
    ("settings", "recipe"),
    ("similar", "pair"),
    ("similarity", "pair"),
    ("stricter", "lower-k"),
    ("theme", "theme"),
    ("threshold", "raise-k"),
    ("tokens", "recipe"),
    ("tolerance", "raise-k"),
    ("tour", "lessons"),
    ("tutorial", "lessons"),
    ("warnings", "problems"),
    ("quit", "quit"),
    ("export", "export"),
    ("distance", "tune"),
    ("undo", "undo"),
    ("help", "help"),
    ("compare", "recipes"),
    ("sweep", "recipes"),
    ("thres", "raise-k"),
    ("filter", "filter"),
    ("sort", "sort"),
];

#[test]
fn words_of_other_programs_find_what_is_meant() {
    for screen in ["1", "3", "<tab>", "4", "4v", "5", "6"] {
        let mut app = Driver::sample(80, 24).keys(screen).app;
        for &(word, expected) in WORDS {
            for key in format!(":{word}").parse::<Keys>().unwrap().0 {
                update(&mut app, Message::Key(key));
            }
            let Some(Overlay::Menu(menu)) = app.overlay.take() else { panic!("no menu") };
            assert_eq!(menu.found[0].name, expected, "{screen}: {word}: {}", menu.found[0].text);
        }
    }
    let driver = Driver::sample(80, 24).keys(":theme<enter>");
    assert!(driver.screen().contains("start with --theme dark"), "{}", driver.screen());
}

#[test]
fn it_is_drawn_at_three_sizes() {
    for (width, height) in [(80, 24), (120, 35), (40, 12)] {
        let driver = Driver::sample(width, height).keys(":near");
        insta::assert_snapshot!(format!("menu-{width}x{height}"), driver.picture());
    }
}

#[test]
fn every_entry_can_be_chosen() {
    let n = found(&Driver::sample(80, 24).keys(":")).len();
    for at in (0..n).filter(|at| at % 5 == 0) {
        let mut driver = Driver::sample(80, 24).keys(":");
        for key in "<down>".repeat(at).parse::<Keys>().unwrap().0 {
            update(&mut driver.app, Message::Key(key));
        }
        assert!(!driver.keys("<enter>").screen().is_empty(), "entry {at}");
    }
}

#[test]
fn help_stands_under_four_headings() {
    for &view in ViewId::ALL.iter().filter(|it| **it != ViewId::Judging) {
        let screen = Driver::sample(120, 80).show(view).keys("?").screen();
        // The first column of each row, behind the cursor.
        let first = |row: &str| {
            let row: String = row.strip_prefix('│')?.chars().skip(1).take(8).collect();
            Some(row.trim().to_owned()).filter(|it| !it.is_empty() && it != "search:")
        };
        let found: Vec<String> = screen.lines().filter_map(first).collect();
        assert_eq!(found, ["move", "decide", "change", "leave"], "{view}: {screen}");
    }
}

#[test]
fn help_is_searched_by_letters_in_their_order() {
    let driver = Driver::sample(80, 24).keys("?fidn");
    let screen = driver.screen();
    assert!(screen.contains("find documents"), "{screen}");
    let driver = Driver::sample(80, 24).keys("?mouse<enter>");
    assert!(!driver.app.mouse);
}

/// The text that is copied when the entry of this name is chosen on a screen that these keys lead to.
fn copied(keys: &str, name: &str) -> Option<String> {
    let mut driver = Driver::sample(80, 24).keys(keys).keys("Y");
    let Some(Overlay::Menu(menu)) = &driver.app.overlay else { panic!("no menu") };
    let at = menu.found.iter().position(|it| it.text == format!("copy {name}"))?;
    for _ in 0..at {
        driver = driver.keys("<down>");
    }
    let effects = update(&mut driver.app, Message::Key("<enter>".parse::<Keys>().unwrap().0[0]));
    effects.into_iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text),
        _ => None,
    })
}

#[test]
fn more_than_the_id_can_be_copied() {
    assert_eq!(copied("jj", "the id").as_deref(), Some("tide-log-twenty"));
    assert_eq!(copied("jj", "the fingerprint").as_deref(), Some("33fdd8f90c733025"));
    assert_eq!(copied("jj", "the place").as_deref(), Some("sample.jsonl:3"));
    assert!(copied("jj", "the text as shown").unwrap().starts_with("Tide log, Quillhaven harbour"));
    let of_pair = |name| copied("<enter>jj", name).unwrap();
    assert_eq!(of_pair("both ids"), "tide-log\ttide-log-geese");
    assert_eq!(of_pair("both fingerprints"), "33fdd8f90c733025\t33fdd8f908733025");
    let command = of_pair("the command that explains the pair");
    assert!(command.starts_with("simscope explain --recipe "), "{command}");
    assert!(command.ends_with(" -k 3 tide-log tide-log-geese"), "{command}");
    let driver = Driver::sample(80, 24).keys("6Y");
    assert!(driver.app.overlay.is_none() && driver.screen().contains("nothing to copy here"));
}

#[test]
fn a_click_near_the_end_of_a_long_menu_does_the_row_that_is_drawn() {
    let at_the_end = || Driver::sample(80, 24).keys(&format!(":o{}", "<pgdn>".repeat(9)));
    let mut clicked = at_the_end();
    assert!(found(&clicked).len() > 24);
    let marked = clicked.screen().lines().position(|row| row.starts_with("│▶")).unwrap();
    let click = Mouse { action: MouseAction::Click, column: 20, row: marked as u16 };
    clicked.send(Message::Mouse(click));
    assert_eq!(clicked.screen(), at_the_end().keys("<enter>").screen());
}

#[test]
fn an_open_menu_begins_with_the_keys_of_the_view() {
    let driver = Driver::sample(120, 35).keys(":");
    let screen = driver.screen();
    let first = screen.lines().find(|row| row.contains("▶")).unwrap();
    assert!(first.contains("▶ key"), "{screen}");
}

/// A name that the column cuts off is whole at the bottom while its entry is selected.
#[test]
fn the_selected_entry_is_whole() {
    let driver = Driver::sample(80, 24).keys(":show fields of the rows");
    let screen = driver.screen();
    assert!(screen.contains("then s can sort by"), "{screen}");
}
