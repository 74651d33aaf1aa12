//! The Tune screen: its views at three sizes, one k for the whole program, and what it says when there
//! is nothing to tune.

use std::sync::Arc;

use simscope::analysis::{LayoutChoice, Settings};
use simscope::app::key::{Mouse, MouseAction};
use simscope::app::screen::ViewId;
use simscope::app::{Message, Size};
use simscope::corpus::Input;
use simscope::evaluate::distances::Estimate;

use super::driver::{Driver, sample, settings};

/// The views' keys from a fresh start, each with its name.
const VIEWS: [(&str, &str); 5] = [
    ("next-bit", "4"),
    ("distances", "4t"),
    ("layouts", "4vj"),
    ("judged", "4byyyyxyyyyyxyyyuyyyyyy"),
    ("compared", "rj1<enter>4vv<tab>"),
];

/// Their other states.
const STATES: [(&str, &str); 6] = [
    ("label", "4tt"),
    ("judging", "4b"),
    ("precision", "4byyyyxyyyyyxyyyuyyyyyytt"),
    ("layouts-measured", "4v<enter>"),
    ("sweep", "4vv"),
    ("compare", "4vv<tab>"),
];

/// A corpus of these rows.
fn corpus(text: &'static str) -> Vec<Input> {
    vec![Input::Bundled { name: "rows.jsonl", bytes: text.as_bytes() }]
}

/// The same with no time spent on any layout: what a clock says differs from run to run.
fn without_times(mut driver: Driver) -> Driver {
    for row in &mut driver.app.tune.layouts.rows {
        let evaluation = Arc::make_mut(&mut row.evaluation);
        (evaluation.index_took, evaluation.verify_took) = Default::default();
    }
    let Size { width, height } = driver.app.size;
    driver.send(Message::Resize { width, height });
    driver
}

#[test]
fn every_view_at_three_sizes() {
    let snapshot = |name, keys, (width, height)| {
        let driver = without_times(Driver::sample(width, height).keys(keys));
        insta::assert_snapshot!(format!("{name}-{width}x{height}"), driver.picture());
    };
    let ascii = |name, keys, (width, height)| {
        let screen = without_times(Driver::sample(width, height).keys(keys).ascii()).picture();
        assert!(screen.is_ascii(), "{name} at {width}x{height}:\n{screen}");
        screen
    };
    for (name, keys) in VIEWS {
        snapshot(name, keys, (140, 40));
        snapshot(name, keys, (40, 12));
        insta::assert_snapshot!(format!("{name}-ascii"), ascii(name, keys, (80, 24)));
    }
    for (name, keys) in VIEWS.into_iter().chain(STATES) {
        snapshot(name, keys, (80, 24));
        for size in [(80, 24), (140, 40), (60, 16), (40, 12)] {
            ascii(name, keys, size);
        }
    }
}

#[test]
fn wide_fingerprints_share_cells() {
    let settings = Settings { recipe: "bits=128".parse().unwrap(), ..settings() };
    let driver = Driver::open(sample(), settings, 80, 24).keys("4");
    insta::assert_snapshot!("distances-128-bits", driver.picture());
    insta::assert_snapshot!("layouts-128-bits", driver.keys("v").picture());
}

#[test]
fn what_cannot_be_tuned_says_why() {
    for (name, size) in [("80x24", (80, 24)), ("140x40", (140, 40)), ("40x12", (40, 12))] {
        let reading = Driver::idle(size.0, size.1).keys("4").screen();
        assert!(reading.contains("is known when"), "{name}:\n{reading}");
        let one = "{\"id\":\"a\",\"text\":\"alone here\"}\n{\"id\":\"b\",\"text\":\"...\"}\n";
        for keys in ["4", "4v"] {
            let screen = Driver::open(corpus(one), settings(), size.0, size.1).keys(keys).screen();
            assert!(screen.contains("two documents with"), "{name}:\n{screen}");
        }
    }
}

#[test]
fn fingerprints_without_text_have_distances_and_layouts_but_nothing_to_read() {
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00\"}\n{\"id\":\"b\",\"fingerprint\":\"00\"}\n\
                {\"id\":\"c\",\"fingerprint\":\"01\"}\n{\"id\":\"d\",\"fingerprint\":\"ff\"}\n";
    let settings = Settings { recipe: "bits=8".parse().unwrap(), k: 1, ..settings() };
    let driver = Driver::open(corpus(rows), settings, 80, 50).keys("4");
    let tuning = driver.app.tune.distances.tuning.clone().unwrap();
    let pairs: Vec<Option<u64>> =
        tuning.rows.iter().map(|row| row.pairs.map(|pairs| pairs.pairs)).collect();
    assert_eq!(pairs, [1, 3, 3, 3, 3, 3, 3, 4, 6].map(Some));
    assert!(
        driver.screen().contains("no text to compare, so no k is known to be precise"),
        "{}",
        driver.screen()
    );
    let screen = driver.keys("v").screen();
    assert!(screen.contains("in use") && !screen.contains("read .."), "{screen}");
}

#[test]
fn there_is_one_k_and_every_way_to_move_it_moves_it_everywhere() {
    let mut driver = Driver::sample(80, 24).keys("4");
    driver.hold = true;
    // (keys, k)
    let steps = [
        ("+", 4),
        ("<down>", 5),
        ("-", 4),
        ("j", 5),
        ("k", 4),
        ("+", 5),
        ("g", 0),
        ("k", 0),
        ("G", 8),
    ];
    for (keys, k) in steps {
        driver = driver.keys(keys);
        assert_eq!((driver.app.settings.k, driver.app.analysis.settings.k), (k, k), "{keys}");
        // At the end of what is known the next bit is searched.
        assert_eq!(driver.app.running.is_some(), k == 8, "{keys}");
        assert!(driver.screen().contains(&format!("▲k={k}")), "{}", driver.screen());
        let totals = driver.app.analysis.totals().unwrap();
        let row = driver.app.tune.distances.tuning.as_ref().unwrap().rows[k as usize];
        assert_eq!(
            (row.pairs, row.groups),
            (Some(Estimate::exact(totals.pairs)), Some(totals.groups))
        );
    }
}

#[test]
fn a_click_on_a_distance_makes_it_k_and_the_wheel_leaves_it() {
    for (width, height) in [(80, 24), (140, 40)] {
        let mut driver = Driver::sample(width, height).keys("4z");
        let screen = driver.screen();
        // The number 8 below the axis stands below the bar of its distance.
        let row = screen.lines().position(|line| line.contains(" 8 ") && line.contains("k=3"));
        let row = row.unwrap_or_else(|| panic!("{screen}"));
        let line = screen.lines().nth(row).unwrap();
        let column = line[..line.find(" 8 ").unwrap()].chars().count() as u16 + 1;
        let row = row as u16 - 3;
        driver.send(Message::Mouse(Mouse { action: MouseAction::Click, column, row }));
        assert_eq!(driver.app.settings.k, 8, "{width}x{height}: {screen}");
        // A turn of the wheel by chance would change k on every screen.
        driver.send(Message::Mouse(Mouse { action: MouseAction::Wheel(1), column, row }));
        assert_eq!(driver.app.settings.k, 8);
    }
}

#[test]
fn every_view_names_the_same_k() {
    let driver = Driver::sample(140, 40).keys("4t");
    let advice = driver.app.tune.distances.tuning.as_ref().unwrap().advice.clone().unwrap();
    let (Some(precise), Some(balanced)) =
        (advice.recommendation.precise, advice.recommendation.balanced)
    else {
        panic!("{:?}", advice.sentences())
    };
    let begins = format!("precise k = {precise} (");
    assert!(advice.lead().starts_with(&begins) && driver.screen().contains(&begins));
    let label = driver.keys("t");
    assert!(label.screen().contains(&begins), "{}", label.screen());
    let sweep = label.keys("vv<enter>");
    let brief = format!("k: {precise} precise, {balanced} balanced");
    assert!(sweep.screen().contains(&brief), "{}", sweep.screen());
    let small = Driver::sample(40, 12).keys("4");
    assert!(small.screen().contains(&brief), "{}", small.screen());
}

#[test]
fn what_can_go_is_one_number_on_every_screen() {
    let row = |driver: &Driver| driver.screen().lines().nth(2).unwrap().to_owned();
    for steps in ["+", "++++", "++++++++-"] {
        let n = Driver::sample(120, 35).keys(steps).app.decisions().unwrap().dropped.len();
        assert!(n > 0);
        for keys in ["", "4", "4", "<enter>"] {
            for keys in [format!("{keys}{steps}"), format!("{steps}{keys}")] {
                let driver = Driver::sample(120, 35).keys(&keys);
                let said = row(&driver);
                assert!(said.starts_with(&format!(" {n} can go (")), "{keys}: {said}");
            }
        }
    }
    // Until the texts are compared it is a bound, and never the number of another k.
    let mut driver = Driver::sample(120, 35);
    driver.mute = true;
    let driver = driver.keys("++");
    assert!(row(&driver).starts_with(" up to "), "{}", row(&driver));
}

#[test]
fn until_all_pairs_are_compared_the_near_ones_show_so_far() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("4");
    let screen = driver.screen();
    assert!(screen.contains("near pairs so far; comparing all"), "{screen}");
    assert!(screen.contains("so far: 34 pairs within k = 3, less than 0.01 expected"), "{screen}");
    let known = |driver: &Driver, k: usize| {
        driver.app.tune.distances.tuning.as_ref().unwrap().rows[k].pairs
    };
    assert_eq!((known(&driver, 3), known(&driver, 9)), (Some(Estimate::exact(34)), None));
    driver = driver.keys("<c-c>");
    assert!(driver.screen().contains("stopped; Enter compares"), "{}", driver.screen());
    driver.speak();
    assert_eq!(known(&driver, 9), None);
    let driver = driver.keys("<enter>");
    assert_eq!(known(&driver, 9), Some(Estimate::exact(62)));
    // Another k asks for nothing again; another recipe does.
    let mut driver = driver.keys("l");
    driver.mute = true;
    let driver = driver.keys("lh");
    let is_asked = driver.held_names().contains(&"distances");
    assert!(!is_asked && known(&driver, 9).is_some());
}

#[test]
fn choosing_a_layout_rebuilds_with_it() {
    let driver = Driver::sample(80, 24).keys("4v");
    assert_eq!(driver.app.view(), ViewId::Layouts);
    let at = |driver: &Driver, choice| {
        driver.app.tune.layouts.offers.iter().position(|offer| offer.choice == choice).unwrap()
    };
    let two_level = LayoutChoice::TwoLevel { outer: 4, inner: 4 };
    for choice in [two_level, LayoutChoice::Blocks(6), LayoutChoice::Bands { bands: 4, bits: 16 }] {
        let mut keys = "g".to_owned() + &"j".repeat(at(&driver, choice));
        keys += "b";
        let driver = Driver::sample(80, 24).keys("4v").keys(&keys);
        assert_eq!(driver.app.settings.layout, choice);
        let offer = &driver.app.tune.layouts.offers[driver.app.tune.layouts.cursor.selected];
        assert_eq!((offer.choice, &offer.layout), (choice, &*driver.app.layout()));
        assert!(driver.app.tune.layouts.load_of(&offer.layout).is_some());
    }
}

#[test]
fn before_their_work_begins_views_show_its_plan_and_no_key_is_silent() {
    let open = |view| Driver::sample(120, 35).show(view);
    // (view, words of its plan, keys)
    let table = [
        (ViewId::Layouts, "Enter measures six usual layouts", "j"),
        (ViewId::Recipes, "Enter sweeps 72 recipes", "jl"),
    ];
    for (view, plan, keys) in table {
        let before = open(view);
        assert!(before.screen().contains(plan), "{}", before.screen());
        for key in keys.chars() {
            let after = open(view).keys(&key.to_string());
            assert_ne!(after.screen(), before.screen(), "{view}: {key}");
        }
    }
    // No key of a list changes k for all screens.
    for view in [ViewId::Layouts, ViewId::Recipes] {
        assert_eq!(open(view).keys("lh").keys("l").app.settings.k, 3, "{view}");
    }
}

#[test]
fn a_key_adopts_the_recommended_k_and_then_the_balanced_one() {
    for view in ["4", "4tt"] {
        let driver = Driver::sample(120, 35).keys(view).keys("a");
        assert_eq!(driver.app.settings.k, 19, "{view}");
        assert!(driver.screen().contains("k is now 19, the precise one"), "{}", driver.screen());
        let driver = driver.keys("a");
        assert_eq!(driver.app.settings.k, 14, "{view}");
        assert!(driver.screen().contains("k is now 14, the balanced one"), "{}", driver.screen());
        if view == "4" {
            assert_eq!(driver.keys("auuu").app.settings.k, 3, "each step is taken back");
        }
    }
    let two = || {
        let bytes =
            b"the tide came in at noon over the sand\na recipe for soup with onions and salt\n";
        vec![Input::Bundled { name: "two.txt", bytes }]
    };
    let driver = Driver::open(two(), settings(), 80, 24).keys("4a");
    assert_eq!(driver.app.settings.k, 3);
    assert!(driver.screen().contains("no k is recommended"), "{}", driver.screen());
}

/// Bars are two cells wide here, and a dot takes the first: the top of a bar is the same in both.
/// The meaning of the colours stands at every k that has room for it somewhere.
#[test]
fn the_legend_stays_at_every_k() {
    for (width, height) in [(120, 35), (80, 24)] {
        let mut driver = Driver::sample(width, height).keys("4kkk");
        for k in 0..20 {
            let screen = driver.screen();
            let missed = if width > 100 { "missed: like texts farther apart" } else { "missed" };
            assert!(screen.contains(missed), "{k} at {width}x{height}:\n{screen}");
            driver = driver.keys("j");
        }
    }
}

#[test]
fn a_dot_changes_no_bar() {
    let screen = Driver::sample(140, 40).keys("4").screen();
    let rows: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let (mut n_tops, mut n_dots) = (0, 0);
    for row in rows.iter().filter(|row| row.get(7) == Some(&'│')) {
        for cells in row[9..139].chunks(2) {
            let is_top = ('▁'..='▇').contains(&cells[1]);
            assert!(!is_top || cells[0] == cells[1], "{screen}");
            n_tops += usize::from(is_top);
            n_dots += usize::from(cells[0] == '•');
        }
    }
    assert!(n_tops > 20 && n_dots > 20, "{n_tops} {n_dots}\n{screen}");
}
