//! Why: the votes behind a document's bits, and what makes a pair.

use simscope::analysis::Settings;
use simscope::app::screen::ViewId;
use simscope::corpus::Input;
use simscope::id::DocId;
use simscope::present::{lines, pair};

use super::driver::{Driver, sample, settings};

/// The views' keys from a fresh start, each with its name.
const VIEWS: [(&str, &str); 2] = [("bits", "jjv"), ("bits-weak", "/tide-log-draft<enter>vnccJJ")];

#[test]
fn every_view_at_three_sizes() {
    for (name, keys) in VIEWS {
        let is_first = name == "bits";
        for (width, height) in [(80, 24), (140, 40), (40, 12)] {
            if width == 80 || is_first {
                let driver = Driver::sample(width, height).keys(keys);
                insta::assert_snapshot!(format!("{name}-{width}x{height}"), driver.picture());
            }
        }
        if is_first {
            let screen = Driver::sample(80, 24).keys(keys).ascii().picture();
            insta::assert_snapshot!(format!("{name}-ascii"), screen);
        }
        for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
            let screen = Driver::sample(width, height).keys(keys).ascii().picture();
            assert!(screen.is_ascii(), "{name} at {width}x{height}:\n{screen}");
        }
    }
}

#[test]
fn bits_hold_at_every_width() {
    for bits in ["8", "17", "128"] {
        let recipe = format!("bits={bits}").parse().unwrap();
        let settings = simscope::analysis::Settings { recipe, ..settings() };
        let driver = Driver::open(sample(), settings, 80, 24).keys("bll");
        insta::assert_snapshot!(format!("bits-of-{bits}"), driver.picture());
    }
}

#[test]
fn the_cursor_over_bits_stays_while_documents_pass() {
    let driver = Driver::sample(80, 24).keys("blllj");
    assert_eq!(driver.app.docs.votes.bit(64), 60);
    assert_eq!(driver.app.query(), Some(DocId(1)));
    let titles = |driver: &Driver| {
        let rows = &driver.app.page.rows;
        rows.iter().filter(|row| row.is_title).map(|row| row.text.clone()).collect::<Vec<_>>()
    };
    assert!(titles(&driver)[0].starts_with("bit 60 is 1: V = +"), "{:?}", titles(&driver));
    // Another width keeps the cursor inside.
    let driver = Driver::sample(80, 24).keys("bllllllllllllllllllrjjjjjjjj17<enter>");
    assert!(titles(&driver)[0].starts_with("bit 0 is"), "{}", driver.screen());
}

#[test]
fn weak_bits_come_weakest_first() {
    let driver = Driver::sample(80, 24).keys("/tide-log-draft<enter>b");
    let weak = driver.app.open_bits().unwrap().margins.as_ref().unwrap().weak();
    let mut driver = driver;
    for bit in weak.iter().chain(&weak[..1]) {
        driver = driver.keys("n");
        assert_eq!(driver.app.docs.votes.bit(64), bit.bit);
    }
}

#[test]
fn views_turn_both_ways_and_keep_the_selection() {
    let driver = Driver::sample(80, 24).keys("jjvV");
    assert_eq!((driver.app.view(), driver.app.query()), (ViewId::Docs, Some(DocId(2))));
}

#[test]
fn what_has_no_votes_says_why() {
    let screen = Driver::sample(80, 24).keys("/only-marks<enter>b").screen();
    assert!(screen.contains("! empty: no features"), "{screen}");
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00\"}\n{\"id\":\"b\",\"fingerprint\":\"03\"}\n";
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: rows.as_bytes() }];
    let settings =
        simscope::analysis::Settings { recipe: "bits=8".parse().unwrap(), k: 1, ..settings() };
    let driver = Driver::open(inputs, settings, 120, 35).keys("b");
    assert!(driver.screen().contains("this row has no text"), "{}", driver.screen());
    let screen = driver.keys("2").screen();
    assert!(screen.contains("A candidate, but rejected: d = 2 > 1."), "{screen}");
    assert!(screen.contains("the corpus does not hold both texts"), "{screen}");
    assert!(screen.contains("a fingerprint without its text cannot be compared"), "{screen}");
}

#[test]
fn an_old_answer_never_shows_for_another_pair_or_k() {
    let mut driver = Driver::sample(120, 35).keys("<enter>jjjjj");
    let screen = driver.screen();
    assert!(screen.contains("A candidate, but rejected: d = 5 > 3."), "{screen}");
    assert!(screen.contains("▲ bit "), "{screen}");
    driver.mute = true;
    let mut driver = driver.keys("k");
    assert!(driver.screen().contains("Found. 3 differing bits"), "{}", driver.screen());
    assert!(!driver.screen().contains("▲ bit "), "{}", driver.screen());
    driver.speak();
    assert!(driver.screen().contains("▲ bit "), "{}", driver.screen());
    let driver = driver.keys("-");
    assert!(driver.screen().contains("rejected: d = 3 > 2."), "{}", driver.screen());
}

#[test]
fn bits_whose_words_have_no_room_are_counted() {
    for (size, is_cut) in [((120, 35), true), ((200, 60), false)] {
        let screen = Driver::sample(size.0, size.1).keys("<enter>jjjj").screen();
        let frame = screen.lines().find(|line| line.contains(" of 64 bits apart ")).unwrap();
        assert_eq!(frame.contains(", 2 of 3 explained"), is_cut, "{screen}");
        assert_eq!(screen.matches("▲ bit ").count(), if is_cut { 2 } else { 3 }, "{screen}");
    }
}

/// The line at k takes the place of a row, and the frame counts the rows that are below.
#[test]
fn neighbours_below_are_counted() {
    for (width, height) in (24..40).flat_map(|height| [(80, height), (120, height)]) {
        for (keys, is_at_end) in [("<enter>", false), ("<enter>G", true)] {
            let settings = Settings { k: 22, ..settings() };
            let driver = Driver::open(sample(), settings, width, height).keys(keys);
            let screen = driver.screen();
            let mut list = screen.lines().skip_while(|line| !line.contains(" neighbours of "));
            let frame = list.next().unwrap().split('╮').next().unwrap();
            let rows = list.skip(1).take_while(|line| !line.starts_with(['╰', '─']));
            let n_shown = rows.filter(|row| !row.contains("┄ k = ")).count();
            let below = driver.app.near.neighbours.len() - n_shown;
            assert!(below > 0, "{screen}");
            let told = frame.split("▼ ").nth(1).map(|more| more.split(' ').next().unwrap());
            assert_eq!(told, (!is_at_end).then(|| below.to_string()).as_deref(), "{screen}");
        }
    }
}

/// The row of a neighbour and the outcome tell one share of a pair, that of the text that goes, from either text: here the
/// other one has all of its 58 shingles in it.
#[test]
fn a_pair_has_one_share() {
    let words = |n| (0..n).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ");
    let row = |n| format!("{{\"id\":\"first-{n}\",\"text\":\"{}\"}}\n", words(n));
    let bytes = [60, 80].map(row).concat().into_bytes().leak();
    for keys in ["<enter>", "j<enter>"] {
        let inputs = vec![Input::Bundled { name: "two.jsonl", bytes }];
        let driver = Driver::open(inputs, Settings { k: 24, ..settings() }, 200, 60).keys(keys);
        let screen = driver.screen();
        let outcome = "first-80 goes; first-60 stays for it and has 74 % of its text.";
        assert!(screen.contains(outcome), "{screen}");
        let row = screen.lines().find(|line| line.contains("▶")).unwrap();
        assert!(row.split("││").next().unwrap().contains("  74 % "), "{screen}");
    }
}

#[test]
fn a_pair_that_is_missed_says_how_it_would_be_found() {
    let screen = Driver::sample(200, 60).keys("/tide-log-draft<enter><enter>").screen();
    assert!(screen.contains("Tables: none of 4: every key contains a differing bit"), "{screen}");
    assert!(screen.contains("To get within k = 3, change at most 7 features"), "{screen}");
}

#[test]
fn the_pair_at_two_sizes() {
    for (width, height) in [(80, 24), (120, 35)] {
        let driver = Driver::sample(width, height).keys("<enter>jjj");
        insta::assert_snapshot!(format!("pair-{width}x{height}"), driver.picture());
        let screen = Driver::sample(width, height).keys("<enter>jjj").ascii().picture();
        assert!(screen.is_ascii(), "{screen}");
    }
}

/// The screen says what the command prints.
#[test]
fn the_figures_are_those_of_the_commands() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.jsonl");
    let command = |arguments: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_simscope"));
        command.args(arguments.split_whitespace()).args([
            corpus,
            "-f",
            "table",
            "-k",
            "3",
            "--weights",
            "tf",
        ]);
        let out = command.output().expect("the program runs");
        let text = String::from_utf8(out.stdout).expect("text");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let has = |printed: &str, said: &str| {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.contains(&said), "{said:?} is not in\n{printed}");
    };
    for (keys, pair) in [
        ("<enter>jjj", "tide-log tide-log-waving"),
        ("/tide-log-draft<enter><enter>", "tide-log-draft tide-log"),
    ] {
        let driver = Driver::sample(200, 60).keys(keys);
        let printed = command(&format!("explain {pair} --top 20"));
        let found = driver.app.near.why.answer().cloned().unwrap();
        let said = [pair::candidacy(&found), pair::texts(&found, 20)].concat();
        for line in lines::text(&said).lines() {
            has(&printed, line);
        }
        let verdict = pair::verdict(&found.bits, &found.layout, found.k);
        has(&printed, &verdict);
        let begin = verdict.split('.').next().unwrap();
        assert!(driver.screen().contains(begin), "{}", driver.screen());
        let cosine = format!("{:.3}", found.texts.as_ref().unwrap().overlap.cosine.unwrap());
        assert!(driver.screen().contains(&format!("cosine {cosine}")), "{}", driver.screen());
    }
    let driver = Driver::sample(140, 40).keys("/tide-log-draft<enter>vn");
    let bit = driver.app.docs.votes.bit(64);
    let printed = command(&format!("explain tide-log-draft --bit {bit} --top 200"));
    let rows = &driver.app.page.rows;
    for row in rows.iter().filter(|row| row.text.starts_with(" +") || row.text.starts_with(" -")) {
        has(&printed, &row.text);
    }
}
