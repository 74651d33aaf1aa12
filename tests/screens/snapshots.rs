//! Every screen at three sizes, in Unicode and ASCII, and what marks the selection without colour.

use super::driver::{Driver, sample, settings};

/// The screens' keys from a fresh start, each with its name.
const SCREENS: [(&str, &str); 9] = [
    ("docs", "3<esc><esc>jj"),
    ("near", "<enter>jjj"),
    ("tables", "<enter>jjj<enter>"),
    ("search", "<enter>jjj<enter>bbbbb"),
    ("no-features", "/only-marks<enter><enter>"),
    ("help", "2?near"),
    ("recipe", "rjjl"),
    ("filter", "fis:tied -tide<enter>s"),
    ("problems", "!"),
];

#[test]
fn every_screen_at_three_sizes() {
    for (name, keys) in SCREENS {
        for (width, height) in [(80, 24), (140, 40), (40, 12)] {
            let driver = Driver::sample(width, height).keys(keys);
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), driver.picture());
        }
    }
}

#[test]
fn the_same_in_ascii() {
    for (name, keys) in &SCREENS[..3] {
        let screen = Driver::sample(80, 24).keys(keys).ascii().picture();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
        insta::assert_snapshot!(format!("{name}-ascii"), screen);
    }
}

#[test]
fn ascii_holds_at_every_size() {
    // Two of them show a text that is not ASCII itself.
    let own = |name: &str| !["no-features", "filter"].contains(&name);
    for (name, keys) in SCREENS.iter().filter(|(name, _)| own(name)) {
        for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
            let screen = Driver::sample(width, height).keys(keys).ascii().picture();
            assert!(screen.is_ascii(), "{name} at {width}x{height}:\n{screen}");
        }
    }
}

#[test]
fn twenty_tables_as_in_the_papers() {
    let six_blocks = simscope::analysis::LayoutChoice::Blocks(6);
    for (width, height) in [(80, 24), (140, 40)] {
        let settings = simscope::analysis::Settings { layout: six_blocks, ..settings() };
        let driver = Driver::open(sample(), settings, width, height).keys("<enter>jjjj<enter>");
        insta::assert_snapshot!(format!("twenty-tables-{width}x{height}"), driver.picture());
    }
}

#[test]
fn wide_fingerprints_wrap_at_their_blocks() {
    let settings =
        || simscope::analysis::Settings { recipe: "bits=128".parse().unwrap(), ..settings() };
    for (name, keys) in &SCREENS[..3] {
        let screen = Driver::open(sample(), settings(), 80, 24).keys(keys).screen();
        insta::assert_snapshot!(format!("{name}-128-bits"), screen);
    }
}

#[test]
fn without_colour_the_selected_row_is_reversed() {
    let driver = Driver::sample(80, 24).keys("jj");
    let reversed: Vec<usize> = driver
        .styles()
        .lines()
        .enumerate()
        .filter(|(_, row)| row.starts_with('R'))
        .map(|(y, _)| y)
        .collect();
    assert_eq!(reversed, [5]);
    assert!(driver.screen().lines().nth(5).unwrap().starts_with('▶'));
}

#[test]
fn the_filter_prompt_names_every_mark() {
    use simscope::analysis::filter::Mark;
    for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
        let screen = Driver::sample(width, height).keys("f").screen();
        let words: Vec<&str> = screen.split_whitespace().collect();
        for mark in Mark::ALL {
            let name = mark.name();
            assert!(
                words.iter().any(|word| word.trim_end_matches(';') == name),
                "{name}\n{screen}"
            );
        }
    }
}
