//! Labelling by eye: blind, one key a pair, kept at once, undone, gone on with in another session.

use std::collections::HashSet;
use std::sync::Arc;

use simscope::analysis::{Basis, Settings};
use simscope::app::Message;
use simscope::app::screen::ViewId;
use simscope::corpus::{Input, LabelEntry, Labels};
use simscope::id::DocId;
use simscope::verdict::Verdict;

use super::driver::{Driver, sample, settings};

/// The pair that is up.
fn up(driver: &Driver) -> [DocId; 2] {
    driver.app.pair_to_judge().unwrap().documents
}

/// How far it is apart, which its judge is not told.
fn distance(driver: &Driver) -> u32 {
    let [a, b] = up(driver).map(|document| driver.app.analysis.fingerprint(document).unwrap());
    a.distance(b)
}

fn is_judging(driver: &Driver) -> bool {
    driver.app.view() == ViewId::Judging
}

/// Judges batches by a rule until no pair is left.
fn judge_all(mut driver: Driver, is_near: impl Fn(&Driver) -> bool) -> Driver {
    for _ in 0..60 {
        driver = driver.keys("b");
        if !is_judging(&driver) {
            return driver;
        }
        while is_judging(&driver) {
            let key = if is_near(&driver) { "y" } else { "x" };
            driver = driver.keys(key);
        }
    }
    panic!("the sample has a hundred documents");
}

#[test]
fn a_judge_who_draws_a_line_is_told_where_it_is() {
    for line in [3, 5] {
        let driver = judge_all(Driver::sample(140, 40).keys("4tt"), |it| distance(it) <= line);
        let state = &driver.app.tune.label;
        let assessment = state.assessed.answer().unwrap();
        assert_eq!(assessment.counts.judgements, driver.labels.count());
        for row in &assessment.advice.evidence.rows {
            assert!(row.at.no.labels == 0 || row.k > line, "{row:?}");
            assert!(row.at.yes.labels == 0 || row.k <= line, "{row:?}");
        }
        // All pairs are judged, so precision within k is known to the last pair.
        let known: Vec<bool> =
            assessment.advice.evidence.rows.iter().map(|row| row.cumulative.low >= 0.9).collect();
        assert!(known[line as usize] && known[0], "{:?}", assessment.advice.evidence.rows);
        let screen = driver.keys("a").screen();
        assert!(screen.contains("each k by "), "{screen}");
    }
}

#[test]
fn nothing_on_the_screen_tells_a_distance() {
    let mut driver = Driver::sample(140, 40).keys("4b");
    while is_judging(&driver) {
        let screen = driver.screen();
        assert!(!screen.contains("d=") && !screen.contains("distance"), "{screen}");
        driver = driver.keys("u");
    }
}

#[test]
fn left_and_right_follow_no_order_of_the_corpus() {
    let mut driver = Driver::sample(80, 24).keys("4b");
    let mut orders = HashSet::new();
    while is_judging(&driver) {
        let [left, right] = up(&driver);
        orders.insert(left < right);
        driver = driver.keys("s");
    }
    assert_eq!(orders.len(), 2);
}

#[test]
fn a_label_is_kept_at_once_and_taken_back() {
    let driver = Driver::sample(80, 24).keys("4b");
    let first = up(&driver);
    let driver = driver.keys("y");
    assert_eq!(driver.labels.count(), 1);
    assert_eq!(driver.labels.iter().next().unwrap().verdict, Verdict::Yes);
    let driver = driver.keys("z");
    assert_eq!((driver.labels.count(), up(&driver)), (0, first));
    let driver = driver.keys("x");
    assert_eq!(driver.labels.iter().next().unwrap().verdict, Verdict::No);
    // A pair that is judged so makes no group, until that is taken back.
    assert_eq!(driver.app.ignored().len(), 1);
    assert_eq!(driver.keys("z").app.ignored().len(), 0);
    let driver = Driver::sample(80, 24).keys("4bx");
    // Stopped in the middle of the batch, what was said counts.
    let driver = driver.keys("<esc>");
    assert!(driver.screen().contains("1 judgement"), "{}", driver.screen());
}

#[test]
fn another_session_goes_on_where_this_one_stopped() {
    let mut driver = Driver::sample(80, 24).keys("4b");
    let mut seen = HashSet::new();
    while is_judging(&driver) {
        let [a, b] = up(&driver);
        seen.insert((a.min(b), a.max(b)));
        driver = driver.keys("y");
    }
    let labels: Labels = driver.labels.clone();
    let mut again = Driver::open(sample(), settings(), 80, 24);
    again.labels = labels;
    again = again.keys("4tt");
    assert!(again.screen().contains(" judgements"), "{}", again.screen());
    again = again.keys("b");
    while is_judging(&again) {
        let [a, b] = up(&again);
        let batch = &again.app.tune.label.judging.as_ref().unwrap();
        assert!(batch.batch[batch.at].is_repeat || !seen.contains(&(a.min(b), a.max(b))));
        again = again.keys("s");
    }
}

#[test]
fn a_pair_that_does_not_show_yet_cannot_be_judged() {
    let mut driver = Driver::sample(80, 24).keys("4tt");
    driver.mute = true;
    let driver = driver.keys("byyx");
    assert_eq!(driver.labels.count(), 0);
    let mut driver = driver;
    driver.speak();
    assert!(is_judging(&driver));
    assert_eq!(driver.keys("y").labels.count(), 1);
}

#[test]
fn what_the_disk_does_not_take_is_said() {
    let mut driver = Driver::sample(80, 24).keys("4byy");
    let entry = LabelEntry::Added(driver.labels.iter().last().unwrap().clone());
    let problem = "the label was not saved: labels.jsonl: no space left".to_owned();
    driver.send(Message::LabelLost { entry, problem });
    // Said at once, in the middle of the batch, and it stays there.
    assert!(is_judging(&driver));
    assert_eq!(driver.app.lost_labels.len(), 1, "leaving says it once more");
    let driver = driver.keys("y");
    assert!(driver.screen().contains("no space left"), "{}", driver.screen());
    // It does not count, and z does not take back what is not there: two words are, of three.
    let known = |driver: &Driver| driver.app.tune.label.labels.as_ref().unwrap().count();
    assert_eq!(known(&driver), 2);
    let driver = driver.keys("zz");
    assert_eq!((known(&driver), driver.labels.count()), (1, 2));
    let mut driver = Driver::sample(80, 24);
    driver.labels_problem = Some("labels.jsonl: has lines, but no label".to_owned());
    let driver = driver.keys("4tt");
    assert!(driver.screen().contains("but no label"));
    // Enter does not promise pairs that will never come.
    let driver = driver.keys("b");
    assert_eq!(driver.app.notice.as_deref(), Some("labels.jsonl: has lines, but no label"));
}

#[test]
fn making_ready_is_stopped_and_goes_on() {
    let mut driver = Driver::sample(120, 35);
    driver.mute = true;
    let mut driver = driver.keys("4tt");
    assert!(driver.screen().contains("reading the texts"), "{}", driver.screen());
    driver = driver.keys("<c-c>");
    assert!(driver.screen().contains("Enter reads the texts again"), "{}", driver.screen());
    let asked = driver.held.len();
    driver = driver.keys("<enter>");
    let again = driver.held_names().split_off(asked);
    assert!(again.contains(&"pairs to judge"), "{again:?}");
    driver.speak();
    assert!(driver.screen().contains("No pair is judged yet"), "{}", driver.screen());
}

#[test]
fn keys_after_the_last_pair_say_nothing_of_any_pair() {
    let mut driver = Driver::sample(80, 24).keys("4b");
    while is_judging(&driver) {
        driver = driver.keys("y");
    }
    let n = driver.labels.count();
    let driver = driver.keys("yx");
    assert_eq!((driver.labels.count(), is_judging(&driver)), (n, false));
    assert!(driver.screen().contains("no pair is shown"), "{}", driver.screen());
}

#[test]
fn distances_show_what_was_judged_of_these_pairs_alone() {
    // A few labels do not take the place of the cosines.
    let driver = Driver::sample(140, 40).keys("4byyyyy<esc>tt");
    let screen = driver.screen();
    assert!(screen.contains("precision") && screen.contains("all texts compared"), "{screen}");
    assert!(!screen.contains("judged"), "{screen}");
    // Forty do, and the same k is named in both views.
    let settings = Settings { k: 20, ..settings() };
    let mut driver = Driver::open(sample(), settings, 140, 40).keys("4tt");
    while driver.labels.count() < 40 {
        driver = driver.keys("b");
        assert!(is_judging(&driver), "{}", driver.screen());
        while is_judging(&driver) {
            driver = driver.keys("y");
        }
    }
    let (label, distances) = (driver.screen(), driver.keys("tt"));
    let advice = distances.app.tune.distances.tuning.as_ref().unwrap().advice.clone().unwrap();
    assert!(matches!(advice.evidence.basis, Basis::Judged { .. }));
    let named: String = advice.lead().chars().take(60).collect();
    assert!(label.contains(&named), "{named} {label}");
    assert!(distances.screen().contains(&named), "{named} {}", distances.screen());
    let screen = distances.keys("rh<enter>").screen();
    assert!(screen.contains(" judged"), "labels hold for these, too:\n{screen}");
}

#[test]
fn pairs_of_another_recipe_are_let_go_wherever_one_is() {
    let driver = Driver::sample(80, 24).keys("4byyy<esc>1rh<enter>");
    let state = &driver.app.tune.label;
    assert!(state.pairs.is_none() && state.assessed.answer().is_none() && state.judging.is_none());
}

#[test]
fn labels_hold_under_another_recipe() {
    let driver = Driver::sample(80, 24).keys("4byyyyy<esc>");
    let labels = Arc::new(driver.labels.clone());
    assert_eq!(labels.count(), 5);
    // Single words in place of shingles: other fingerprints, other distances, the same texts.
    let driver = driver.keys("rh<enter>");
    let screen = driver.screen();
    assert!(screen.contains("5 judgements"), "{screen}");
}

/// Undo takes back k, filters and marks; a judgement is in the file of labels, and only Label takes it back there.
#[test]
fn undo_brings_no_judgement_back_that_was_taken_back() {
    let driver = Driver::sample(120, 35).keys("<space>4bxx");
    let marked = |driver: &Driver| driver.app.review.rule.marks.not_duplicates.len();
    assert_eq!(marked(&driver), 2);
    let driver = driver.keys("z<esc>1u");
    assert_eq!(marked(&driver), 1, "{}", driver.screen());
    assert_eq!(driver.app.notice.as_deref(), Some("back to 0 marks"));
    let driver = driver.keys("<c-r>");
    assert_eq!(marked(&driver), 1);
    let driver = driver.keys("q");
    let asked = driver.app.notice.clone().unwrap_or_default();
    let lost = "1 mark and 1 pair marked as no duplicates (w writes)";
    assert_eq!(asked, format!("press q again to leave and lose {lost}"));
}

/// A mark of the user that a judgement repeats is no choice of its own any more.
#[test]
fn undo_has_no_step_without_a_difference() {
    let driver = Driver::sample(120, 35).keys("+4b");
    let [a, b] = up(&driver);
    let mut driver = driver.keys("x<esc>1");
    let marks = &mut driver.app.review.rule.marks;
    assert!(marks.are_not_duplicates(a, b));
    let driver = driver.keys("u");
    assert_eq!(driver.app.notice.as_deref(), Some("back to k=3"));
    assert_eq!(driver.keys("u").app.notice.as_deref(), Some("nothing to undo"));
}

/// Without pairs nothing is said of labels or of judging.
#[test]
fn a_corpus_without_pairs_has_none_to_judge() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.txt");
    std::fs::write(&path, "the tide came in over the sand").unwrap();
    let driver = Driver::open(vec![Input::Path(path)], settings(), 80, 24).keys("4tt");
    assert!(driver.screen().contains("Tune needs two documents"), "{}", driver.screen());
    let driver = driver.keys("b");
    assert_eq!(driver.app.notice.as_deref(), Some("there is no pair to judge"));
}

/// Below the histogram stand the pairs that the next bit adds: they are judged there, passed over, taken back, opened.
#[test]
fn the_next_bit_is_judged_on_the_spot() {
    let driver = Driver::sample(120, 35).keys("4");
    let (first, k) = (up(&driver), driver.app.settings.k);
    assert_eq!(distance(&driver), k + 1);
    assert!(driver.screen().contains("The next bit, 4, adds 9 pairs."), "{}", driver.screen());
    // Passed over and back, without an answer.
    let driver = driver.keys("n");
    assert!(up(&driver) != first && distance(&driver) == k + 1);
    let driver = driver.keys("N");
    assert_eq!((up(&driver), driver.labels.count()), (first, 0));
    let driver = driver.keys("x");
    assert_eq!((driver.labels.count(), driver.app.ignored().len()), (1, 1));
    assert!(driver.screen().contains("1 answer so far"), "{}", driver.screen());
    let driver = driver.keys("<bs>");
    assert_eq!((up(&driver), driver.labels.count(), driver.app.ignored().len()), (first, 0, 0));
    // Another k has other pairs.
    let driver = driver.keys("+");
    assert_eq!(distance(&driver), k + 2);
    let pair = up(&driver);
    let driver = driver.keys("<enter>");
    let (query, neighbour) = driver.app.near.pair().unwrap();
    assert_eq!([query, neighbour.document], pair);
    // Where each k shows instead, no pair is judged that nobody sees.
    let driver = driver.keys("4ty");
    assert_eq!(driver.labels.count(), 0);
}

/// Many answers at one distance leave the choice of k to the texts, and answers about another corpus are not counted.
#[test]
fn answers_at_one_distance_do_not_choose_k() {
    let settings = Settings { k: 24, ..settings() };
    let mut driver = Driver::open(sample(), settings, 120, 35).keys("4");
    let precise = |driver: &Driver| driver.app.tune.distances.tuning.as_ref().unwrap().precise();
    let by_texts = precise(&driver);
    for _ in 0..41 {
        driver = driver.keys("y");
    }
    assert!(driver.labels.count() >= 40, "{}", driver.labels.count());
    assert_eq!(precise(&driver), by_texts);
    let mut elsewhere = Driver::open(
        vec![Input::Bundled {
            name: "other.jsonl",
            bytes: b"{\"text\": \"the tide came in over the sand\"}\n{\"text\": \"the tide came in over the rocks\"}\n",
        }],
        Settings { k: 20, ..self::settings() },
        120,
        35,
    );
    elsewhere.labels = driver.labels;
    let screen = elsewhere.keys("4").screen();
    assert!(!screen.contains("answers so far") || screen.contains("0 answers so far"), "{screen}");
}
