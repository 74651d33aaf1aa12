//! The review of groups on the screen: what goes, what stays, by a policy and by hand.

use simscope::analysis::dedup::Mark;
use simscope::app::{App, ClickTarget, Message, query};

use super::driver::Driver;

/// The marks of a file that is known to be of this corpus.
fn own_marks(text: &str) -> query::MarksQuery {
    query::MarksQuery::Own(query::ReviewFile { name: "review".to_owned(), text: text.to_owned() })
}

fn words(app: &App) -> String {
    app.review_in_words().expect("decisions have come")
}

#[test]
fn groups_say_what_goes_and_a_policy_changes_it() {
    let driver = Driver::sample(120, 35).keys("<tab>");
    assert_eq!(words(&driver.app), "drops 19 of 100 (19.0 %), keeps first, 1 spared");
    let driver = driver.keys("p");
    assert!(words(&driver.app).ends_with("keeps longest, 1 spared"), "{}", words(&driver.app));
    let driver = driver.keys("u");
    assert!(words(&driver.app).ends_with("keeps first, 1 spared"), "{}", words(&driver.app));
    let driver = driver.keys("u");
    assert_eq!(driver.app.notice.as_deref(), Some("nothing to undo"));
    let driver = driver.keys("Psource:x,longest<enter>");
    assert!(
        words(&driver.app).ends_with("keeps source:x,longest (source:x decides nothing), 1 spared"),
        "{}",
        words(&driver.app)
    );
    let driver = driver.keys("Pbiggest<enter>");
    assert!(driver.screen().contains("\"biggest\" is not a preference"), "{}", driver.screen());
}

#[test]
fn a_document_is_kept_or_dropped_by_hand() {
    let driver = Driver::sample(120, 35).keys("<tab>jj");
    let document = driver.app.query().unwrap();
    let is_kept = |driver: &Driver| driver.app.decisions().unwrap().is_kept(document);
    assert!(!is_kept(&driver));
    let driver = driver.keys("<space>");
    assert!(is_kept(&driver), "{}", driver.screen());
    assert!(driver.screen().contains("keep*"), "{}", driver.screen());
    assert!(words(&driver.app).contains(", 1 by hand"), "{}", words(&driver.app));
    let driver = driver.keys("<space>");
    assert!(!is_kept(&driver) && driver.screen().contains("goes*"), "{}", driver.screen());
    let driver = driver.keys("uu");
    assert!(!is_kept(&driver) && !driver.screen().contains("goes*"), "{}", driver.screen());
}

#[test]
fn leaving_asks_while_marks_are_not_written() {
    let driver = Driver::sample(120, 35).keys("<tab>jj<space>q");
    let asked = driver.app.notice.clone().unwrap_or_default();
    assert_eq!(asked, "press q again to leave and lose 1 mark (w writes)");
    let asked = Driver::sample(120, 35).keys("<enter>jj<space>jxq").app.notice.unwrap_or_default();
    assert_eq!(
        asked,
        "press q again to leave and lose 1 mark and 1 pair marked as no duplicates (1 and then w writes)"
    );
}

/// Marks that are being saved when the key comes are no reason to stay: the program leaves when they are saved.
#[test]
fn leaving_follows_marks_that_are_being_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut driver = Driver::sample(120, 35);
    driver.app.review.place = Some(folder.path().join("review"));
    driver.mute = true;
    let mut driver = driver.keys("<tab>jj<space>q");
    assert!(!driver.left);
    driver.speak();
    assert!(driver.left);
    // A key in between takes the wish back.
    let mut driver = Driver::sample(120, 35);
    driver.app.review.place = Some(folder.path().join("another"));
    driver.mute = true;
    let mut driver = driver.keys("<tab>jj<space>qj");
    driver.speak();
    assert!(!driver.left);
    // So does a click.
    let mut driver = Driver::sample(120, 35);
    driver.app.review.place = Some(folder.path().join("third"));
    driver.mute = true;
    let mut driver = driver.keys("<tab>jj<space>q");
    driver.send(Message::Click(ClickTarget::Select(1, 0)));
    driver.speak();
    assert!(!driver.left);
}

#[test]
fn another_linkage_decides_anew() {
    let driver = Driver::sample(120, 35).keys("<tab>c");
    assert!(words(&driver.app).starts_with("drops "), "{}", driver.screen());
    assert!(words(&driver.keys("c").app).starts_with("drops 19 of 100"));
}

/// Space decides alike on every screen: what would go is kept at the first press.
#[test]
fn space_keeps_what_would_go_on_every_screen() {
    for keys in ["jjj<space>", "<tab>jjj<space>", "<enter>j<space>"] {
        let before = Driver::sample(120, 35).keys(keys.trim_end_matches("<space>"));
        let document = match before.app.near.pair() {
            Some((_, neighbour)) => neighbour.document,
            None => before.app.query().unwrap(),
        };
        assert!(!before.app.decisions().unwrap().is_kept(document), "{}", before.screen());
        let fate = |driver: &Driver| {
            let mark = driver.app.review.rule.marks.get(document).unwrap();
            (mark, driver.app.decisions().unwrap().is_kept(document))
        };
        let driver = Driver::sample(120, 35).keys(keys);
        assert_eq!(fate(&driver), (Mark::Keep, true), "{keys}: {}", driver.screen());
        let driver = driver.keys("<space>");
        assert_eq!(fate(&driver), (Mark::Drop, false), "{keys}: {}", driver.screen());
        let driver = driver.keys("uu");
        assert_eq!(driver.app.review.rule.marks.get(document), None);
    }
    // A text that nothing may replace stays, and the second press takes the mark for going back.
    let alone = Driver::sample(120, 35).keys("G<space>");
    let document = alone.app.query().unwrap();
    assert!(alone.app.decisions().unwrap().is_kept(document));
    assert_eq!(alone.app.review.rule.marks.get(document), Some(Mark::Drop));
    assert_eq!(alone.keys("<space>").app.review.rule.marks.get(document), Some(Mark::Keep));
}

/// A folder that cannot be written is asked for again, with the reason.
#[test]
fn a_refused_folder_is_asked_for_again() {
    let mut driver = Driver::sample(120, 35);
    driver.refused = &["export"];
    let driver = driver.keys("wsome/where<enter>");
    let screen = driver.screen();
    assert!(
        screen.contains("write to folder: some/where") && screen.contains(" refused"),
        "{screen}"
    );
}

/// In Docs several documents are marked, one after the other, and listed alone.
#[test]
fn documents_are_marked_in_docs_and_listed_by_their_marks() {
    let driver = Driver::sample(120, 35).keys("fis:marked<enter>");
    let screen = driver.screen();
    assert!(screen.contains("none is marked, Space marks one"), "{screen}");
    let driver = driver.keys("<esc><space>jj<space>");
    let marks = &driver.app.review.rule.marks.documents;
    assert_eq!(marks.values().collect::<Vec<_>>(), [&Mark::Drop, &Mark::Keep]);
    let screen = driver.screen();
    assert!(screen.contains("drop* tide-log") && screen.contains("keep* tide-"), "{screen}");
    let driver = driver.keys("fis:marked<enter>");
    assert_eq!(driver.app.docs.len(), 2, "{}", driver.screen());
    // The list follows the marks: one more comes, and goes with undo.
    let driver = driver.keys("<esc>G<space>fis:marked<enter>");
    assert_eq!(driver.app.docs.len(), 3, "{}", driver.screen());
    let driver = driver.keys("uu").keys("fis:marked<enter>");
    assert_eq!(driver.app.docs.len(), 2, "{}", driver.screen());
    let driver = driver.keys("f<c-u>-is:marked<enter>");
    assert_eq!(driver.app.docs.len(), 98, "{}", driver.screen());
    // The row stays when the text in it goes.
    let driver = driver.keys("gjjjjj<space>");
    assert_eq!((driver.app.docs.len(), driver.app.docs.cursor.selected), (97, 5));
    let driver = driver.keys("u");
    let driver = driver.keys("u");
    assert_eq!((driver.app.docs.len(), &*driver.app.docs.filter_text), (2, "is:marked"));
}

#[test]
fn a_mark_that_is_not_followed_is_said() {
    // Both of a group are to go; one stays, for no other may replace it.
    let driver = Driver::groups(120, 35);
    let groups = &driver.app.groups.listing.as_ref().unwrap().groups;
    let last = groups.documents(groups.len() as u32 - 1).to_vec();
    let [one, other] = [last[0], last[1]].map(|it| driver.app.analysis.corpus.id(it).to_owned());
    let driver = driver.keys(&format!("/{one}<enter><space>/{other}<enter><space><tab>"));
    assert_eq!(driver.app.review.rule.marks.len(), 2);
    let screen = driver.screen();
    assert!(screen.contains("keep*") && screen.contains("goes*"), "{screen}");
}

/// While the marks that are kept were not read, nothing is written over them.
#[test]
fn a_stopped_restoring_leaves_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("review.jsonl");
    let kept = "{\"id\":\"gone\",\"file\":\"gone.jsonl\",\"line\":1,\"mark\":\"keep\"}\n";
    std::fs::write(&place, kept).unwrap();
    let mut driver = Driver::sample(120, 35).keys("<tab>");
    let marks = own_marks(kept);
    (driver.app.review.place, driver.app.review.restore) = (Some(place.clone()), Some(marks));
    driver.mute = true;
    let mut driver = driver.keys("j<c-c>ljj<space>");
    assert_eq!(driver.app.review.rule.marks.len(), 1);
    assert!(!driver.held_names().contains(&"keep"), "{:?}", driver.held_names());
    driver.speak();
    let now = std::fs::read_to_string(&place).unwrap();
    assert!(now.lines().count() == 3 && now.ends_with(kept), "{now}");
}

#[test]
fn an_order_that_is_restored_shows_from_its_first_row() {
    let mut driver = Driver::sample(80, 24);
    let choices = "{\"policy\":\"first\",\"choices\":{\"order\":\"id\"}}\n";
    driver.app.review.restore = Some(own_marks(choices));
    let driver = driver.keys("K");
    assert!(driver.app.notice.as_deref().is_some_and(|it| it.contains("by id")));
    assert_eq!((driver.app.docs.cursor.selected, driver.app.docs.cursor.top), (0, 0));
    assert_ne!(driver.app.docs.selected().unwrap().0, 0, "{}", driver.screen());
}

/// Marks of documents that are gone are said, and stay in the file.
#[test]
fn marks_of_documents_that_are_gone_stay_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("review.jsonl");
    let kept = "{\"id\":\"gone\",\"file\":\"gone.jsonl\",\"line\":1,\"mark\":\"keep\"}\n";
    let mut driver = Driver::sample(120, 35);
    let marks = own_marks(kept);
    (driver.app.review.place, driver.app.review.restore) = (Some(place.clone()), Some(marks));
    let driver = driver.keys("<tab>");
    let notice = driver.app.notice.clone().unwrap_or_default();
    assert_eq!(
        notice,
        "1 mark of documents that this corpus does not have: gone.jsonl:1 has no document with the id \"gone\""
    );
    driver.keys("ljj<space>");
    let now = std::fs::read_to_string(&place).unwrap();
    assert!(now.lines().count() == 3 && now.ends_with(kept), "{now}");
}

/// In Groups a document parts from the one that is kept for it; in Pair the two texts part.
#[test]
fn no_document_goes_for_one_that_is_no_duplicate() {
    let driver = Driver::sample(120, 35).keys("<tab>jj");
    let document = driver.app.query().unwrap();
    let kept_for =
        |driver: &Driver| driver.app.decisions().unwrap().of(document).map(|dropped| dropped.kept);
    let kept = kept_for(&driver).unwrap();
    let driver = driver.keys("x");
    assert_ne!(kept_for(&driver), Some(kept), "{}", driver.screen());
    assert!(driver.app.review.rule.marks.are_not_duplicates(kept, document));
    assert!(words(&driver.app).contains(", 1 by hand"), "{}", words(&driver.app));
    let driver = driver.keys("u");
    assert_eq!(kept_for(&driver), Some(kept));
    // The first of a group is kept for no other.
    let driver = driver.keys("kkx");
    let notice = driver.app.notice.clone().unwrap_or_default();
    assert!(notice.contains(" is kept; x marks a dropped document"), "{notice}");
    assert!(driver.app.review.rule.marks.is_empty());
    // In Pair, and seen in Groups.
    let driver = Driver::sample(120, 35).keys("<enter>jjx");
    let (query, neighbour) = driver.app.near.pair().unwrap();
    assert!(driver.app.review.rule.marks.are_not_duplicates(query, neighbour.document));
    assert!(driver.screen().contains(" ≠"), "{}", driver.screen());
    let driver = driver.keys("1");
    let dropped = driver.app.decisions().unwrap().of(neighbour.document).copied();
    assert!(dropped.is_none_or(|dropped| dropped.kept != query));
    let driver = driver.keys("2x");
    assert!(driver.app.review.rule.marks.is_empty(), "{}", driver.screen());
}

/// A pair that is no duplicate makes no group, on any screen; `u` and `--all-pairs` bring it back.
#[test]
fn a_pair_that_is_no_duplicate_leaves_the_groups() {
    let group_of = |driver: &Driver, document| driver.app.linked_groups()?.group_of(document);
    let driver = Driver::groups(160, 40);
    // A group of two with two fingerprints.
    let (document, first) = {
        let groups = &driver.app.groups.listing.as_ref().unwrap().groups;
        let is_pair = |document| groups.documents(groups.group_of(document).unwrap()).len() == 2;
        let dropped = &driver.app.decisions().unwrap().dropped;
        let found = dropped.iter().find(|it| it.distance > 0 && is_pair(it.document));
        found.map(|it| (it.document, it.kept)).expect("a pair")
    };
    let id = driver.app.analysis.corpus.id(document).to_owned();
    let driver = driver.keys(&format!("/{id}<enter><esc><tab>"));
    let groups = driver.app.group_totals().unwrap().groups;
    assert_eq!(driver.app.query(), Some(document), "{}", driver.screen());
    let driver = driver.keys("x");
    assert_eq!(driver.app.group_totals().unwrap().groups, groups - 1, "{}", driver.screen());
    assert!([first, document].iter().all(|&it| group_of(&driver, it).is_none()));
    let driver = driver.keys("k");
    assert!(driver.screen().contains("1 pair marked as no duplicates"), "{}", driver.screen());
    assert!(driver.app.decisions().unwrap().is_kept(document));
    let driver = driver.keys("<tab>");
    assert!(driver.screen().contains("1 pair marked as no duplicates"), "{}", driver.screen());
    let driver = driver.keys("c");
    assert!([first, document].iter().all(|&it| group_of(&driver, it).is_none()));
    let mut driver = driver.keys("c");
    driver.app.review.all_pairs = true;
    let driver = driver.keys("j");
    assert_eq!(driver.app.group_totals().unwrap().groups, groups);
    assert!(driver.app.decisions().unwrap().is_kept(document), "it stays all the same");
    assert!(!driver.screen().contains("marked as no duplicates"), "{}", driver.screen());
    // Both changes of the linkage are taken back first.
    let mut driver = driver.keys("uuu");
    driver.app.review.all_pairs = false;
    let driver = driver.keys("j");
    assert!(
        group_of(&driver, document).is_some()
            && group_of(&driver, document) == group_of(&driver, first)
    );
}

/// A document whose only neighbour is marked as no duplicate is in no group.
#[test]
fn a_pair_apart_by_hand_is_in_no_group() {
    let driver = Driver::sample(120, 35).keys("/letter-ps<enter><enter>x1<tab>");
    let screen = driver.screen();
    assert!(screen.contains("\"letter-ps\" is in no group at k=3"), "{screen}");
}
