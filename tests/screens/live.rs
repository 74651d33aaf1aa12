//! Content that shows at once and content that follows: steps of k, lists on their way, answers that come too late.

use simscope::analysis::{self, AnalysisDepth, AnalysisInput, Settings};
use simscope::app::{Effect, Message, Screen};
use simscope::corpus::LoadOptions;
use simscope::id::DocId;

use super::driver::{Driver, has_ascii_signs, sample, settings};

/// The same corpus searched for one k and no farther, as the commands do.
fn searched(k: u32) -> analysis::Analysis {
    let work = AnalysisInput::Load(sample(), LoadOptions::default(), None);
    let settings = Settings { k, ..settings() };
    let result =
        analysis::run_to(AnalysisDepth::Pairs, work, settings, &analysis::Job::new(), &mut |_| {});
    (*result.unwrap()).clone()
}

#[test]
fn every_step_of_k_shows_what_a_search_for_it_finds_and_searches_nothing() {
    let mut driver = Driver::sample(140, 40).keys("---");
    driver.hold = true;
    for k in 0..=8 {
        let (stepped, alone) = (&driver.app.analysis, searched(k));
        assert!(driver.app.running.is_none(), "k = {k} is searched for");
        assert_eq!((driver.app.settings.k, stepped.settings.k), (k, k));
        assert_eq!(stepped.totals(), alone.totals());
        for document in (0..stepped.len()).map(DocId::from) {
            assert_eq!(stepped.near_count(document), alone.near_count(document));
            assert_eq!(stepped.group_of(document), alone.group_of(document));
        }
        let [index, other] = [stepped, &alone].map(|analysis| analysis.index.as_ref().unwrap());
        assert_eq!(index.layout(), other.layout());
        driver = driver.keys("+");
    }
}

#[test]
fn beyond_the_reach_the_list_stays_and_says_at_which_k() {
    let mut driver = Driver::sample(80, 24).keys("+++++");
    driver.hold = true;
    let driver = driver.keys("+");
    assert_eq!((driver.app.settings.k, driver.app.analysis.settings.k), (9, 8));
    let screen = driver.screen();
    assert!(screen.contains("list shows k=8") && screen.contains("k=9"), "{screen}");
    assert!(driver.app.running.is_some());
    // Back within reach there is nothing to wait for.
    let driver = driver.keys("-");
    assert!(!driver.screen().contains("list shows"), "{}", driver.screen());
    assert_eq!(driver.app.analysis.totals().unwrap().pairs, 60);
}

#[test]
fn a_list_on_its_way_leaves_the_old_one_on_the_screen_and_says_so() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let rows = |driver: &Driver| -> Vec<Option<DocId>> {
        (0..driver.app.docs.len()).map(|row| driver.app.docs.document(row)).collect()
    };
    let before = rows(&driver);
    let mut driver = driver.keys("s");
    let screen = driver.screen();
    assert!(rows(&driver) == before && screen.contains("by near .."), "{screen}");
    driver.speak();
    let by_near = rows(&driver);
    assert!(by_near != before && driver.screen().contains("by near"), "{}", driver.screen());
    assert!(!driver.screen().contains("by near .."));
    // The keys go on meanwhile, in the old list, and the selection is kept.
    driver.mute = true;
    let mut driver = driver.keys("fis:copy<enter>j/tide<esc>");
    assert!(driver.screen().contains("filter: is:copy .."), "{}", driver.screen());
    assert_eq!(driver.app.query(), by_near[1]);
    driver.speak();
    assert!(driver.app.docs.len() < 100);
}

#[test]
fn what_is_on_its_way_is_drawn_at_every_size() {
    for (width, height) in [(80, 24), (140, 40), (40, 12)] {
        let open = |keys: &str| {
            let mut driver = Driver::sample(width, height).keys(keys);
            (driver.mute, driver.hold) = (true, true);
            driver
        };
        for (name, before, keys) in [
            ("sorting", "", "s"),
            ("beyond-reach", "+++++", "+"),
            ("looking", "", "2"),
            ("other-tables", "3j", "-"),
        ] {
            let mut driver = open(before).keys(keys);
            if width == 80 {
                insta::assert_snapshot!(name, driver.picture());
            }
            driver = driver.ascii();
            assert!(has_ascii_signs(&driver.screen()), "{}", driver.screen());
        }
    }
}

#[test]
fn only_the_newest_question_is_answered() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("ss");
    assert_eq!(driver.held.len(), 2);
    let Effect::Run(task) = driver.held.remove(0) else { panic!() };
    driver.run(task);
    assert!(
        driver.app.docs.rows.is_running(),
        "the first answer is for an order no longer wished for"
    );
    driver.speak();
    assert!(driver.screen().contains("by words") && !driver.app.docs.rows.is_running());
}

#[test]
fn groups_follow_a_step_of_k_wherever_their_column_shows() {
    for (width, height) in [(90, 24), (100, 28), (140, 40), (200, 60)] {
        let driver = Driver::sample(width, height).keys("+");
        let shows = driver.screen().lines().any(|line| line.contains(" group "));
        assert_eq!(shows, driver.app.analysis.groups.is_some(), "{width}x{height}");
    }
}

#[test]
fn groups_of_a_k_that_was_left_are_dropped() {
    let mut driver = Driver::sample(140, 40);
    driver.mute = true;
    // Asked for at k = 4, answered when k is 5.
    let mut driver = driver.keys("+");
    let task = driver.take_held("groups");
    let mut driver = driver.keys("+");
    driver.run(task);
    assert!(driver.app.analysis.groups.is_none());
    driver.speak();
    let groups = driver.app.analysis.groups.as_ref().unwrap();
    assert_eq!(groups.len() as u32, driver.app.analysis.totals().unwrap().groups.groups);
}

#[test]
fn an_answer_that_fails_is_told_and_the_old_list_stays() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("s");
    let task = driver.take_held("rows");
    driver.fail(&task, "the answer failed");
    assert!(driver.screen().contains("the answer failed"));
    assert_eq!(driver.app.docs.document(7), Some(DocId(7)));
    assert!(driver.held.is_empty(), "what failed is not asked again by itself");
}

#[test]
fn a_search_for_a_word_can_be_given_up() {
    let mut driver = Driver::sample(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("/rumour<enter>");
    assert!(driver.screen().contains("searching for rumour .."), "{}", driver.screen());
    driver = driver.keys("<esc>");
    assert!(!driver.screen().contains("searching"));
    driver.speak();
    assert_eq!(driver.app.query(), Some(DocId(0)));
}

#[test]
fn the_table_of_another_k_is_shown_when_it_is_sorted() {
    for (width, height) in [(80, 24), (140, 40), (40, 12)] {
        let mut driver = Driver::sample(width, height).keys("3jjj");
        driver.mute = true;
        // Two blocks less: the old table's number is none of the new layout's.
        let mut driver = driver.keys("--");
        assert_eq!(driver.app.screen, Screen::Tables);
        assert!(driver.app.layout().tables().len() < 4);
        let shown = driver.app.tables.window.as_ref().unwrap();
        assert_eq!((shown.table, shown.index.layout().tables().len()), (3, 4));
        assert!(width < 80 || driver.screen().contains("reading table 01"), "{}", driver.screen());
        driver.speak();
        let shown = driver.app.tables.window.as_ref().unwrap();
        assert_eq!(shown.index.layout(), &*driver.app.layout());
        assert!(!driver.screen().contains("reading table"));
    }
}

#[test]
fn neighbours_on_their_way_are_not_taken_for_none() {
    for (width, height) in [(80, 24), (140, 40), (40, 12)] {
        let mut driver = Driver::sample(width, height);
        driver.mute = true;
        let mut driver = driver.keys("2");
        assert!(driver.screen().contains("searching .."), "{}", driver.screen());
        driver = driver.keys("3");
        assert!(driver.screen().contains("searching"), "{}", driver.screen());
        driver.speak();
        assert!(driver.app.tables.window.is_some() && driver.app.tables.pair.unwrap().1.is_some());
    }
}

#[test]
fn while_the_corpus_grows_the_rows_follow_in_growing_steps() {
    let mut driver = Driver::idle(80, 24);
    let mut asked = 0;
    let mut driver = {
        driver.mute = true;
        driver.keys("fid:e<enter>")
    };
    for n in 1..=100 {
        let analysis = Driver::snapshot_of(n);
        driver.send(Message::Analysed { number: 1, analysis, finished: false });
        asked += driver.held.len();
        driver.speak();
        driver.mute = true;
    }
    assert!((5..30).contains(&asked), "{asked} lists for 100 snapshots");
}

#[test]
fn stale_results_of_a_recipe_are_dropped() {
    let mut driver = Driver::sample(80, 24);
    driver.hold = true;
    let mut driver = driver.keys("rjl<enter>");
    let first = driver.app.running.as_ref().unwrap().number;
    driver = driver.keys("rjl<enter>");
    let second = driver.app.running.as_ref().unwrap().number;
    assert_ne!(first, second);
    let recipe = driver.app.analysis.settings.recipe.clone();
    let mut stale = searched(3);
    stale.settings.recipe = driver.app.settings.recipe.clone();
    let analysis = std::sync::Arc::new(stale);
    driver.send(Message::Analysed { number: first, analysis, finished: true });
    assert_eq!(driver.app.analysis.settings.recipe, recipe);
    assert!(driver.app.running.is_some());
}

/// A recipe of another width: the rows of the table before have other bits than the query.
#[test]
fn rows_of_a_table_are_not_drawn_beside_bits_of_another_width() {
    let driver = Driver::sample(120, 35).keys("3r<up>h<enter>");
    assert_eq!(driver.app.settings.recipe.bits, 90);
    assert!(driver.app.tables.window.is_some(), "{}", driver.screen());
}
