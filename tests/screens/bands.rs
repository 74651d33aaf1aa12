//! The Bands view: series of layouts, the same as the command's rows, tried once.

use simscope::{
    app::screen::ViewId,
    number::grouped,
    present::lab::{Series, Varied, series},
};

use super::driver::Driver;
use crate::cli::shell::Shell;

/// The layouts of the view, as the option takes them.
const LAYOUTS: &str = "3x12,3x14,3x16,3x18,3x20,3x22,3x24,1x18,2x18,4x18,5x18";

fn open(width: u16, height: u16) -> Driver {
    Driver::sample(width, height).show(ViewId::Bands)
}

/// The difference between the layouts of the series, their common part, and each one's own.
fn shape(driver: &Driver) -> Vec<(Varied, u32, Vec<u32>)> {
    let evaluations: Vec<_> = driver.app.tune.lab.rows.iter().map(|row| &*row.evaluation).collect();
    let of =
        |it: Series| (it.varied, it.fixed, it.evaluations.into_iter().map(|it| it.0).collect());
    series(&evaluations).into_iter().map(of).collect()
}

/// The numbers of a line, bars left out.
fn numbers(line: &str) -> Vec<&str> {
    line.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn series_are_the_longest_that_share_all_but_one_thing() {
    let driver = open(80, 24).keys("a3x12<enter>a4x14<enter>a6<enter>");
    assert_eq!(shape(&driver), []);
    // Of 3x12 and 3x9, and of 4x14 and 4x16, those of fewer bands.
    let driver = driver.keys("a3x9<enter>a4x16<enter>");
    assert_eq!(shape(&driver), [(Varied::Bits, 3, vec![9, 12])]);
    let driver = driver.keys("a4x15<enter>a1x12<enter>a2x12<enter>");
    let expected = [(Varied::Bits, 4, vec![14, 15, 16]), (Varied::Bands, 12, vec![1, 2, 3])];
    assert_eq!(shape(&driver), expected);
    // Twice the same is one point.
    assert_eq!(shape(&driver.keys("a2x12<enter>")), expected);
}

#[test]
fn the_numbers_are_those_of_the_rows_of_the_command() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.jsonl");
    let done = Shell::with(&[])
        .run(&format!("tune --layouts --measure {sample} --weights tf --bands {LAYOUTS} -f csv"));
    let rows = done.rows();
    let cells: Vec<Vec<&str>> = rows.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(cells.len(), 11);
    let screen = open(140, 40).keys("<enter>").screen();
    let shown: Vec<Vec<&str>> = screen.lines().map(numbers).collect();
    let count = |cell: &str| grouped(cell.parse().unwrap());
    // Three places of a share, and four.
    let is_near = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|cell| cell.parse::<f64>().unwrap());
        (one - other).abs() < 6e-4
    };
    let mut n_found = 0;
    for row in &cells {
        let (bands, bits) = row[0].split_once('x').unwrap();
        let shares = [row[7], row[14], row[8]];
        for point in [(bands == "3").then_some(bits), (bits == "18").then_some(bands)] {
            let Some(point) = point else { continue };
            let is_it = |line: &&Vec<&str>| match line[..] {
                [at, candidates, precision, distinct, recall, found, _] => {
                    (at, candidates, found) == (point, &count(row[2]), &count(row[4]))
                        && is_near(precision, shares[0])
                        && is_near(distinct, shares[1])
                        && is_near(recall, shares[2])
                }
                _ => false,
            };
            assert!(shown.iter().any(|line| is_it(&line)), "{row:?}\n{screen}");
            n_found += 1;
        }
    }
    assert_eq!(n_found, 12);
    assert!(screen.contains("recall is exact"), "{screen}");
}

#[test]
fn what_the_lab_has_tried_is_not_tried_again() {
    let names = |driver: &Driver| -> Vec<String> {
        driver.app.tune.lab.rows.iter().map(|row| row.evaluation.layout.clone()).collect()
    };
    let driver = Driver::sample(80, 24).show(ViewId::Lab).keys("<enter>").show(ViewId::Bands);
    assert_eq!(shape(&driver).len(), 2);
    let driver = driver.keys("<enter>");
    let all = names(&driver);
    assert_eq!(all.len(), 6 + 6);
    assert_eq!(all[6..], ["3x14", "3x16", "3x20", "3x24", "1x18", "2x18"]);
    assert_eq!(names(&driver.keys("<enter>")), all);
    // On narrower fingerprints a layout is another one.
    let driver = open(80, 24).keys("a3x12<enter><enter>");
    assert_eq!(driver.app.tune.lab.rows.len(), 12);
    let points = shape(&driver);
    assert_eq!((points[0].2.len(), points[1].2.len()), (7, 5));
    assert_eq!(shape(&driver.keys("t")), points);
}

#[test]
fn it_is_stopped_and_gone_on_with() {
    let mut driver = open(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("<enter>");
    assert!(driver.screen().contains("11 to go"), "{}", driver.screen());
    driver = driver.keys("<c-c>");
    driver.speak();
    assert!(driver.screen().contains("stopped; Enter resumes"), "{}", driver.screen());
    assert_eq!(driver.keys("<enter>").app.tune.lab.rows.len(), 11);
}

#[test]
fn a_page_scrolls_to_its_ends_and_from_part_to_part() {
    for (width, height) in [(80, 24), (60, 16), (40, 12)] {
        let driver = open(width, height).keys("<enter>");
        assert!(driver.screen().contains("3 bands, over"), "{}", driver.screen());
        let at_end = driver.keys("G");
        assert!(at_end.screen().contains("different features"), "{}", at_end.screen());
        let top = at_end.app.page.top;
        assert_eq!(at_end.keys("jJ").app.page.top, top);
        let part = open(width, height).keys("<enter>n");
        assert!(part.screen().contains("bands of 18 bits, over their number"), "{}", part.screen());
        // Another view begins at its top, and so does this one when it comes again.
        assert_eq!(part.keys("vV").app.page.top, 0);
    }
    let standard = open(120, 35).keys("<enter>").screen();
    assert!(standard.contains("3 bands, over") && standard.contains("bands of 18 bits"));
    assert!(standard.contains("texts, each text once"), "{standard}");
}
