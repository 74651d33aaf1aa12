//! Every screen at three sizes, in Unicode and ASCII, and what marks the selection without colour.

use super::driver::{Driver, has_ascii_signs, sample, settings};

/// The screens' keys from a fresh start, each with its name.
const SCREENS: [(&str, &str); 9] = [
    ("docs", "jj"),
    (PAIR, "<enter>jjj"),
    ("tables", "<enter>jjj<enter>"),
    ("help", "2?near"),
    ("recipe", "rjjl"),
    ("search", "<enter>jjj<enter>bbbbb"),
    ("no-features", "/only-marks<enter><enter>"),
    ("filter", "fis:tied -tide<enter>s"),
    ("problems", "!"),
];

/// Pair has its two snapshots in `why`.
const PAIR: &str = "pair";

#[test]
fn every_screen_at_three_sizes() {
    for (name, keys) in SCREENS.into_iter().filter(|(name, _)| *name != PAIR) {
        // The last four are the first ones in another state.
        let is_first = ["tables", "help", "recipe"].contains(&name);
        let sizes: &[(u16, u16)] = match name {
            "docs" => &[(80, 24), (120, 35)],
            _ if is_first => &[(80, 24), (140, 40), (40, 12)],
            _ => &[(80, 24)],
        };
        for &(width, height) in sizes {
            let driver = Driver::sample(width, height).keys(keys);
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), driver.picture());
        }
    }
}

#[test]
fn the_same_in_ascii() {
    for (name, keys) in [SCREENS[0], SCREENS[2]] {
        let screen = Driver::sample(80, 24).keys(keys).ascii().picture();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
        insta::assert_snapshot!(format!("{name}-ascii"), screen);
    }
}

#[test]
fn ascii_holds_at_every_size() {
    for (name, keys) in SCREENS {
        for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
            let screen = Driver::sample(width, height).keys(keys).ascii().picture();
            assert!(has_ascii_signs(&screen), "{name} at {width}x{height}:\n{screen}");
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
    for (name, keys) in [SCREENS[0], SCREENS[2]] {
        let screen = Driver::open(sample(), settings(), 80, 24).keys(keys).screen();
        insta::assert_snapshot!(format!("{name}-128-bits"), screen);
    }
}

#[test]
fn without_colour_the_selected_row_is_bold() {
    let driver = Driver::sample(80, 24).without_colour().keys("jj");
    let screen = driver.screen();
    let row = screen.lines().position(|row| row.starts_with('▶')).unwrap();
    assert_eq!(row, 7, "{screen}");
    let styles = driver.styles();
    let bold = styles.lines().nth(row).unwrap();
    assert!(bold.chars().all(|it| it == 'B'), "{bold}");
}

#[test]
fn nothing_is_drawn_as_its_opposite() {
    for (width, height) in [(40, 12), (80, 24), (120, 35), (140, 40)] {
        for (name, keys) in SCREENS {
            for is_ascii in [false, true] {
                let driver = Driver::sample(width, height).keys(keys);
                let driver = if is_ascii { driver.ascii() } else { driver };
                // A full block reversed is a hole. Only the cell that is typed into may be reversed.
                let is_typed = driver.app.overlay.is_some() || driver.app.learn.playground.editing;
                let n_reversed = driver.styles().matches('R').count();
                assert!(n_reversed <= usize::from(is_typed), "{name} {width}x{height}");
            }
        }
    }
}

#[test]
fn without_colour_differing_bits_show_by_their_glyphs() {
    let driver = Driver::sample(120, 35).without_colour().keys("jjj2jj");
    let screen = driver.screen();
    let (query, neighbour) = driver.app.near.pair().unwrap();
    let bits = |document| {
        let print = driver.app.analysis.fingerprint(document).unwrap().to_string();
        let row = screen.lines().find(|row| row.contains(&print)).unwrap();
        row.chars().filter(|it| ['█', '·', '●', '○'].contains(it)).collect::<Vec<_>>()
    };
    let (one, two) = (bits(query), bits(neighbour.document));
    let n_marks = neighbour.distance as usize;
    assert!(n_marks > 0 && screen.contains("▲ bit "), "{screen}");
    let differs = |bits: &[char]| bits.iter().filter(|it| ['●', '○'].contains(it)).count();
    assert_eq!((differs(&one), differs(&two)), (n_marks, n_marks), "{screen}");
    let opposite = one.iter().zip(&two).filter(|pair| matches!(pair, ('●', '○') | ('○', '●')));
    assert_eq!(opposite.count(), n_marks, "{screen}");
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
