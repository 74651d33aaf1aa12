//! Misleading documents: flags in the list, pairs that disagree, any two documents.

use simscope::analysis::Settings;
use simscope::analysis::disagreement::DisagreementKind;
use simscope::app::screen::ViewId;
use simscope::corpus::Input;
use simscope::explain::triage::Flag;
use simscope::id::DocId;

use super::driver::{Driver, settings};

/// The views' keys from a fresh start, each with its name.
const VIEWS: [(&str, &str); 3] =
    [("flagged", "fis:flagged<enter>G"), ("check", "5"), ("check-pairs", "5<enter>j")];

#[test]
fn every_view_at_three_sizes() {
    for (name, keys) in VIEWS {
        for (width, height) in [(80, 24), (140, 40), (40, 12)] {
            if width == 80 || ["check", "check-pairs"].contains(&name) {
                let driver = Driver::sample(width, height).keys(keys);
                insta::assert_snapshot!(format!("{name}-{width}x{height}"), driver.picture());
            }
        }
    }
    for (name, keys) in &VIEWS[1..] {
        // A screen is laid out for its glyphs.
        let ascii = |width, height| Driver::sample(width, height).ascii().keys(keys).picture();
        if ["check", "check-pairs"].contains(name) {
            insta::assert_snapshot!(format!("{name}-ascii"), ascii(80, 24));
        }
        for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
            let screen = ascii(width, height);
            assert!(screen.is_ascii(), "{name} at {width}x{height}:\n{screen}");
        }
    }
}

#[test]
fn flags_come_by_themselves_and_a_filter_by_them_says_so_far_until_then() {
    let driver = Driver::sample(80, 24);
    let flags = driver.app.analysis.flags.clone().expect("a small corpus is flagged unasked");
    assert!(flags.n_flagged > 0);
    let driver = driver.keys("fis:flagged<enter>");
    assert_eq!(driver.app.docs.len() as u64, flags.n_flagged);
    for flag in Flag::ALL.iter().filter(|flag| flags.count(**flag) > 0) {
        let driver = Driver::sample(80, 24).keys(&format!("fis:{flag}<enter>"));
        assert_eq!(driver.app.docs.len() as u64, flags.count(*flag), "{flag}");
    }
    // Before they are known, what the records tell.
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let recipe = "rj1<enter>";
    let mut driver = driver.keys(recipe).keys("fis:boilerplate<enter>");
    assert!(driver.app.analysis.flags.is_none());
    assert!(driver.app.awaits("flags"));
    driver.speak();
    assert!(driver.app.analysis.flags.is_some());
    let n = driver.app.analysis.flags.as_ref().unwrap().count(Flag::Boilerplate);
    assert_eq!(driver.app.docs.len() as u64, n);
    assert!(!driver.screen().contains("so far"), "{}", driver.screen());
}

#[test]
fn a_flag_outlives_a_step_of_k_and_not_another_recipe() {
    let driver = Driver::sample(80, 24);
    let before = driver.app.analysis.flags.clone().unwrap();
    let mut driver = driver.keys("+++++++");
    assert_eq!(driver.app.analysis.flags.as_deref(), Some(&*before));
    driver.mute = true;
    let driver = driver.keys("rj1<enter>");
    assert!(driver.app.analysis.flags.is_none());
}

#[test]
fn the_preview_says_what_misleads() {
    let driver = Driver::sample(80, 24).keys("/only-marks<enter>");
    assert!(driver.screen().contains("! empty: no features"), "{}", driver.screen());
    let flags = driver.app.analysis.flags.clone().unwrap();
    let tied =
        (0..driver.app.analysis.len()).map(DocId::from).find(|it| flags.has(*it, Flag::Tied));
    let id = driver.app.analysis.corpus.id(tied.unwrap()).to_owned();
    let screen = driver.keys(&format!("/{id}<enter>")).screen();
    assert!(screen.contains("bits are ties: the tie rule decided"), "{screen}");
}

#[test]
fn what_counts_can_be_stopped_and_goes_on() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("5");
    assert!(driver.app.awaits("disagreements") && driver.app.moves());
    driver = driver.keys("<c-c>");
    assert!(driver.screen().contains("press ^C again to leave"), "{}", driver.screen());
    driver.speak();
    assert!(!driver.app.awaits("disagreements"));
    assert!(driver.screen().contains("stopped; Enter"), "{}", driver.screen());
    let driver = driver.keys("<enter>");
    assert!(!driver.screen().contains("stopped"), "{}", driver.screen());
}

#[test]
fn a_disagreement_opens_in_near_even_far_beyond_the_list() {
    let mut driver = Driver::sample(80, 24).keys("5<enter>G");
    let pair = driver.app.docs.check.selected().expect("some disagree").pair;
    driver = driver.keys("<enter>");
    assert_eq!(driver.app.view(), ViewId::Pair);
    let (query, neighbour) = driver.app.near.pair().unwrap();
    assert_eq!((query, neighbour.document, neighbour.distance), (pair.a, pair.b, pair.distance));
    let found = driver.app.near.why.answer().cloned().unwrap();
    assert_eq!(found.documents, [pair.a, pair.b]);
    let driver = driver.keys("<esc>");
    assert_eq!(driver.app.view(), ViewId::Check);
}

#[test]
fn each_kind_opens_into_its_rows() {
    // Under single words the sample has pairs of both kinds.
    let driver = Driver::sample(80, 24).keys("rj1<enter>5");
    let found = driver.app.docs.check.disagreements.answer().unwrap().found.clone();
    let n_of = |kind| found.iter().filter(|it| it.kind == kind).count();
    let mut driver = driver;
    for (at, kind) in DisagreementKind::ALL.iter().enumerate() {
        driver = driver.keys("<enter>");
        let n = n_of(*kind);
        if n == 0 {
            assert!(driver.screen().contains("there is none of this kind"), "{}", driver.screen());
        } else {
            assert_eq!(driver.app.docs.check.selected().unwrap().kind, *kind);
            let last = driver.keys("G");
            assert_eq!(last.app.docs.check.opened_cursor.selected, n - 1, "{at}");
            driver = last.keys("<esc>");
        }
        driver = driver.keys("j");
    }
    // A flag opens into the documents that have it.
    let driver = driver.keys("<enter>");
    assert_eq!(driver.app.view(), ViewId::Docs);
    let n_short = driver.app.analysis.flags.as_ref().unwrap().count(Flag::Short);
    assert_eq!(
        (driver.app.docs.len() as u64, &*driver.app.docs.filter_text),
        (n_short, "is:short")
    );
}

/// A kind that Check lists on Docs begins at its first text, and Esc leads back to Check and leaves no filter.
#[test]
fn esc_leads_from_the_texts_of_a_kind_to_check() {
    let driver = Driver::groups(120, 35).keys("jjjj5gjj<enter>");
    assert_eq!(driver.app.docs.filter_text, "is:short");
    assert!(
        driver.app.docs.len() > 1 && driver.app.docs.cursor.selected == 0,
        "{}",
        driver.screen()
    );
    let driver = driver.keys("j<esc>");
    assert_eq!((driver.app.view(), &*driver.app.docs.filter_text), (ViewId::Check, ""));
    let driver = driver.keys("<esc>");
    assert!(driver.app.view() == ViewId::Docs && driver.app.lists_groups(), "{}", driver.screen());
    // A kind that is opened twice leads back to the groups as well.
    let driver = Driver::groups(120, 35).keys("5gjj<enter>5<enter><esc>1");
    assert!(driver.app.lists_groups() && driver.app.docs.filter_text.is_empty());
    // A filter of one's own is lifted where it is.
    let driver = Driver::sample(120, 35).keys("51fis:short<enter><esc>");
    assert_eq!((driver.app.view(), &*driver.app.docs.filter_text), (ViewId::Docs, ""));
}

/// The pair that a list opened is listed beside its own text only.
#[test]
fn an_opened_pair_is_forgotten_with_its_text() {
    let driver = Driver::sample(120, 35).keys("5<enter>G<enter>");
    let [_, other] = driver.app.near.opened.expect("it was opened");
    let lists = |driver: &Driver| driver.app.near.neighbours.iter().any(|it| it.document == other);
    assert!(lists(&driver), "{}", driver.screen());
    let driver = driver.keys("1<tab>G2");
    assert!(driver.app.near.guest.is_none() && !lists(&driver), "{}", driver.screen());
    // What is held then is listed beside the first text of the pair, too.
    let driver = Driver::sample(120, 35).keys("5<enter>G<enter>1");
    let first = driver.app.analysis.corpus.id(driver.app.query().unwrap()).to_owned();
    let driver = driver.keys(&format!("gm/{first}<enter>2"));
    let held = driver.app.near.held.expect("the first of all texts");
    assert!(driver.app.near.neighbours.iter().any(|it| it.document == held), "{}", driver.screen());
}

#[test]
fn numbers_of_another_k_do_not_show() {
    let mut driver = Driver::sample(120, 35).keys("5");
    driver.mute = true;
    let screen = driver.keys("+").screen();
    let number = |kind: &str| screen.lines().find(|row| row.contains(kind)).unwrap().contains("..");
    assert!(number("bits too near") && number("bits too far") && !number("too short"), "{screen}");
}

#[test]
fn another_k_looks_for_disagreements_again() {
    let mut driver = Driver::sample(80, 24).keys("5");
    assert!(driver.screen().contains("within k = 3"), "{}", driver.screen());
    driver.mute = true;
    let driver = driver.keys("+");
    assert!(driver.app.awaits("disagreements"));
    assert!(driver.screen().contains("within k = 3"), "the list stays until the other comes");
}

#[test]
fn any_two_documents_can_be_held_together() {
    let driver = Driver::sample(80, 24).keys("/goose-rules<enter>m");
    let held = driver.app.query().unwrap();
    let driver = driver.keys("g2G");
    let last = driver.app.near.selected().unwrap();
    assert_eq!(last.document, held);
    let distance = |driver: &Driver, a, b| {
        let of = |document| driver.app.analysis.fingerprint(document).unwrap();
        of(a).distance(of(b))
    };
    assert_eq!(last.distance, distance(&driver, DocId(0), held));
    // It is no neighbour to be counted.
    assert!(
        driver.screen().contains("5 within 3 bits, the nearest 15 and ◆ beyond"),
        "{}",
        driver.screen()
    );
    let driver = driver.keys("m");
    assert!(driver.app.near.neighbours.iter().all(|neighbour| neighbour.document != held));
}

#[test]
fn many_documents_are_flagged_when_that_is_wanted() {
    let row = |n: u32| format!("{{\"id\":\"d{n}\",\"text\":\"w{n}\"}}\n").into_bytes();
    let bytes: Vec<u8> = (0..20_001).flat_map(row).collect();
    let bytes = Box::leak(bytes.into_boxed_slice());
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
    let settings = Settings { k: 0, ..settings() };
    let mut driver = Driver::open(inputs, settings, 80, 24);
    assert!(driver.app.analysis.flags.is_none());
    driver.mute = true;
    let driver = driver.keys("5");
    let is_asked = driver.held_names().contains(&"flags");
    assert!(is_asked);
}

#[test]
fn the_preview_says_what_flags_add_when_they_come() {
    let recipe = "rj1<enter>";
    let known = Driver::sample(80, 24).keys(recipe);
    let flags = known.app.analysis.flags.clone().unwrap();
    let mut documents = (0..known.app.analysis.len()).map(DocId::from);
    let flagged = documents.find(|it| flags.has(*it, Flag::Boilerplate)).expect("one is");
    let id = known.app.analysis.corpus.id(flagged).to_owned();
    let mut driver = Driver::sample(80, 24).keys(&format!("/{id}<enter>"));
    driver.mute = true;
    let mut driver = driver.keys(recipe);
    let says = |driver: &Driver| {
        let mut words = driver.app.docs.preview.iter().flat_map(|row| &row.0);
        words.any(|(words, _)| words.contains("boilerplate"))
    };
    let inspect = driver.take_held("inspect");
    driver.run(inspect);
    assert!(!driver.app.docs.preview.is_empty() && !says(&driver));
    let flags = driver.take_held("flags");
    driver.run(flags);
    assert!(says(&driver), "{}", driver.screen());
}
