//! Why: the votes behind a document's bits, and what makes a pair.

use simscope::{
    app::screen::ViewId,
    corpus::Input,
    id::DocId,
    present::{lines, pair},
};

use super::driver::{Driver, sample, settings};

/// The views' keys from a fresh start, each with its name.
const VIEWS: [(&str, &str); 5] = [
    ("bits", "jjv"),
    ("bits-weak", "/tide-log-draft<enter>vwccJJ"),
    ("why-near", "<enter>jjjv"),
    ("why-far", "<enter>Gvnn"),
    ("why-miss", "/tide-log-draft<enter><enter>v"),
];

#[test]
fn every_view_at_three_sizes() {
    for (name, keys) in VIEWS {
        // The other three are the same views of another document or pair.
        let is_first = ["bits", "why-near"].contains(&name);
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
        let driver = Driver::open(sample(), settings, 80, 24).keys("vll");
        insta::assert_snapshot!(format!("bits-of-{bits}"), driver.picture());
    }
}

#[test]
fn the_cursor_over_bits_stays_while_documents_pass() {
    let driver = Driver::sample(80, 24).keys("vlllj");
    assert_eq!(driver.app.docs.votes.bit(64), 60);
    assert_eq!(driver.app.query(), Some(DocId(1)));
    let titles = |driver: &Driver| {
        let rows = &driver.app.docs.votes.pane.rows;
        rows.iter().filter(|row| row.is_title).map(|row| row.text.clone()).collect::<Vec<_>>()
    };
    assert!(titles(&driver)[0].starts_with("bit 60 is 1: V = +"), "{:?}", titles(&driver));
    // Another cosine moves the chance and nothing else.
    let before = titles(&driver);
    let driver = driver.keys("c");
    assert!(titles(&driver)[0].ends_with("at cosine 0.9"), "{:?}", titles(&driver));
    assert_eq!(titles(&driver.keys("C")), before);
    // Another width keeps the cursor inside.
    let driver = Driver::sample(80, 24).keys("vllllllllllllllllllrjjjjjjjj17<enter>");
    assert!(titles(&driver)[0].starts_with("bit 0 is"), "{}", driver.screen());
}

#[test]
fn weak_bits_come_weakest_first() {
    let driver = Driver::sample(80, 24).keys("/tide-log-draft<enter>v");
    let weak = driver.app.open_bits().unwrap().margins.as_ref().unwrap().weak();
    let mut driver = driver;
    for bit in weak.iter().chain(&weak[..1]) {
        driver = driver.keys("w");
        assert_eq!(driver.app.docs.votes.bit(64), bit.bit);
    }
}

#[test]
fn views_turn_both_ways_and_keep_the_selection() {
    let driver = Driver::sample(80, 24).keys("jjvV");
    assert_eq!((driver.app.view(), driver.app.query()), (ViewId::Docs, Some(DocId(2))));
    let driver = driver.keys("2vV");
    assert_eq!(driver.app.view(), ViewId::Texts);
    let screen = driver.keys("V").screen();
    assert!(screen.contains("Texts [Why]"), "{screen}");
}

#[test]
fn what_has_no_votes_says_why() {
    let screen = Driver::sample(80, 24).keys("/only-marks<enter>v").screen();
    assert!(screen.contains("! empty: no features"), "{screen}");
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00\"}\n{\"id\":\"b\",\"fingerprint\":\"03\"}\n";
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: rows.as_bytes() }];
    let settings =
        simscope::analysis::Settings { recipe: "bits=8".parse().unwrap(), k: 1, ..settings() };
    let driver = Driver::open(inputs, settings, 80, 24).keys("v");
    assert!(driver.screen().contains("this row has no text"), "{}", driver.screen());
    let screen = driver.keys("2v").screen();
    assert!(screen.contains("not near at k = 1"), "{screen}");
    assert!(screen.contains("The corpus does not hold both texts"), "{screen}");
}

#[test]
fn why_follows_the_pair_and_k_and_an_old_answer_never_shows() {
    let said = |driver: &Driver| {
        let found = driver.app.near.why.answer.answer().cloned().unwrap();
        (found.documents, pair::candidacy(&found)[0].title.plain())
    };
    let mut driver = Driver::sample(80, 24).keys("<enter>Gv");
    let (pair, title) = said(&driver);
    assert_eq!((pair[0], title.as_str()), (DocId(0), "distance 5 of 64 bits: not near at k = 3"));
    driver.mute = true;
    let mut driver = driver.keys("k");
    assert!(driver.screen().contains("reading both texts"), "{}", driver.screen());
    driver.speak();
    assert_eq!(said(&driver).1, "distance 3 of 64 bits: near at k = 3");
    let driver = driver.keys("-");
    assert_eq!(said(&driver).1, "distance 3 of 64 bits: not near at k = 2");
}

#[test]
fn the_next_reason_is_a_key_away() {
    let mut driver = Driver::sample(80, 24).keys("/tide-log-draft<enter><enter>v");
    let top = |driver: &Driver| {
        let pane = &driver.app.near.why.pane;
        pane.rows[pane.top].text.clone()
    };
    let mut titles = vec![top(&driver)];
    for _ in 0..7 {
        driver = driver.keys("n");
        titles.push(top(&driver));
    }
    let begins = [
        "distance 13 of 64",
        "a candidate in 0 of 4 tables",
        "layouts in which it would be a candidate",
        "to get within k = 3, change at most 7",
        "differing bits",
        "12 features in document one only",
        "12 features in document two only",
        "229 features shared",
    ];
    for (title, begin) in titles.iter().zip(begins) {
        assert!(title.starts_with(begin), "{titles:#?}");
    }
    let driver = driver.keys("NNNNNNN");
    assert_eq!(top(&driver), titles[0]);
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
        ("<enter>jjjv", "tide-log tide-log-waving"),
        ("/tide-log-draft<enter><enter>v", "tide-log-draft tide-log"),
    ] {
        let driver = Driver::sample(140, 40).keys(keys);
        let printed = command(&format!("explain {pair} --top 20"));
        let found = driver.app.near.why.answer.answer().cloned().unwrap();
        let said = [pair::candidacy(&found), pair::texts(&found, 20)].concat();
        for line in lines::text(&said, false).lines() {
            has(&printed, line);
        }
        // Nothing else is laid out.
        let laid_out = driver.app.near.why.pane.rows.iter();
        let titles = laid_out.filter(|row| row.is_title).count();
        assert!(titles >= said.len(), "{titles} of {}", said.len());
    }
    let driver = Driver::sample(140, 40).keys("/tide-log-draft<enter>vw");
    let bit = driver.app.docs.votes.bit(64);
    let printed = command(&format!("explain tide-log-draft --bit {bit} --top 200"));
    let rows = &driver.app.docs.votes.pane.rows;
    for row in rows.iter().filter(|row| row.text.starts_with(" +") || row.text.starts_with(" -")) {
        has(&printed, &row.text);
    }
}
