//! Problems by kind.

use std::io::Write;

use simscope::corpus::Input;

use super::driver::{Driver, settings};

#[test]
fn equal_problems_are_one_row_that_opens_into_places() {
    let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    writeln!(file, "{{\"text\":\"low tide\"}}").unwrap();
    for _ in 0..5 {
        writeln!(file, "{{\"body\":\"no text here\"}}").unwrap();
    }
    writeln!(file, "no JSON").unwrap();
    let driver = Driver::open(vec![Input::Path(file.path().to_owned())], settings(), 100, 30);
    let driver = driver.keys("!");
    let rows = |driver: &Driver| {
        let screen = driver.screen();
        let name = file.path().file_name().unwrap().to_string_lossy().into_owned();
        let count = screen.lines().filter(|row| row.contains(&name)).count();
        (count, screen)
    };
    let (n_closed, screen) = rows(&driver);
    assert!(screen.lines().any(|row| row.contains("▶       5  ")), "{screen}");
    let driver = driver.keys("<enter>");
    let (n_open, screen) = rows(&driver);
    assert_eq!(n_open, n_closed + 5, "{screen}");
    assert!(screen.contains(".jsonl:2") && screen.contains(".jsonl:6"), "{screen}");
    let driver = driver.keys("jj<enter>");
    assert_eq!(rows(&driver).0, n_closed, "a place closes its kind");
    assert!(driver.keys("<esc>").app.overlay.is_none());
}

/// On the smallest screen the list has rows beside the selected problem.
#[test]
fn a_low_screen_shows_rows_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tides.jsonl");
    std::fs::write(&path, "{\"id\":\"1\"}\n{\"id\":\"2\"}\n{\"text\":\"low tide\"}\n").unwrap();
    let driver = Driver::open(vec![Input::Path(path)], settings(), 40, 10).keys("!");
    let screen = driver.screen();
    assert!(screen.contains("2  no field \"text\""), "{screen}");
}
