//! The lab: rows like the command's, kept, told apart, and thrown away when they no longer hold.

use simscope::analysis::lab::{USUAL_LAYOUTS, width_of};
use simscope::analysis::{
    AnalysisDepth, AnalysisInput, Job, Lab, LayoutChoice, LayoutEvaluation, TruthChoice, run_to,
};
use simscope::corpus::LoadOptions;

use super::driver::{Driver, sample, settings};

/// A row: layout, bits, candidates, true, missed.
type Row = (String, u32, u64, u64, Option<u64>);

fn row(it: &LayoutEvaluation) -> Row {
    let (name, bits) = (it.layout.name(), it.layout.width());
    (name, bits, it.candidates, it.true_positives, it.false_negatives)
}

fn rows(driver: &Driver) -> Vec<Row> {
    driver.app.tune.layouts.rows.iter().map(|it| row(&it.evaluation)).collect()
}

#[test]
fn the_screen_has_the_rows_of_the_command() {
    let driver = Driver::sample(80, 24).keys("4v<enter>");
    let (job, settings) = (Job::new(), settings());
    let (k, own) = (settings.k, settings.recipe.bits);
    let work = AnalysisInput::Load(sample(), LoadOptions::default(), None);
    let analysis = run_to(AnalysisDepth::Fingerprints, work, settings, &job, &mut |_| {}).unwrap();
    let mut lab =
        Lab::prepare(&analysis, analysis.settings.alike, TruthChoice::Auto, &job).unwrap();
    for (layout, shown) in USUAL_LAYOUTS.into_iter().zip(rows(&driver)) {
        let bits = width_of(layout, &USUAL_LAYOUTS, own);
        lab.widen(bits, &job).unwrap();
        assert_eq!(shown, row(&lab.evaluation(layout, bits, k, &job).unwrap()));
    }
    // The program's own tables are tried on the fingerprints on the screen.
    let own = driver.app.tune.layouts.rows.last().unwrap();
    let pairs = driver.app.analysis.totals().unwrap().pairs;
    assert_eq!((own.evaluation.layout.width(), own.evaluation.candidates <= pairs), (64, true));
    assert_eq!(rows(&driver).len(), USUAL_LAYOUTS.len());
}

#[test]
fn a_layout_is_typed_and_joins_the_others() {
    let driver = Driver::sample(80, 24).keys("4vathree");
    let driver = driver.keys("<enter>");
    assert!(driver.screen().contains("bands x bits"), "{}", driver.screen());
    let driver = driver.keys("<esc>a4x16<enter>a6<enter>");
    let names: Vec<String> = rows(&driver).into_iter().map(|row| row.0).collect();
    assert_eq!(names, ["4x16", "6c3k3"]);
    assert!(rows(&driver).iter().all(|row| row.1 == 64));
    // Wider than the fingerprints: made anew for this row, the others stay.
    let driver = driver.keys("a5x18<enter>");
    assert_eq!(rows(&driver).iter().map(|row| row.1).collect::<Vec<_>>(), [64, 64, 90]);
    // As the rows call it, too, but not for another k.
    let driver = driver.keys("a5c2k3<enter>");
    assert_eq!(rows(&driver).last().unwrap().0, "5c2k3");
    let driver = driver.keys("a6c1k5<enter>");
    assert!(driver.screen().contains("a layout for k = 5"), "{}", driver.screen());
    let driver = driver.keys("<esc>");
    // An impossible layout is refused before anything is read, and the rows stay.
    let driver = driver.keys("a9x20<enter>");
    assert!(driver.screen().contains("180"), "{}", driver.screen());
    assert_eq!(rows(&driver.keys("<esc>")).len(), 4);
}

#[test]
fn another_tau_loses_no_layout_that_waits() {
    let mut driver = Driver::sample(80, 24).keys("4v");
    driver.mute = true;
    let mut driver = driver.keys("<enter>t");
    driver.speak();
    assert_eq!(rows(&driver).len(), USUAL_LAYOUTS.len());
    assert_eq!(driver.app.tune.layouts.tau, 0.9);
}

#[test]
fn a_layout_that_cannot_be_tried_leaves_the_others_and_the_truth() {
    let mut driver = Driver::sample(80, 24).keys("4va4x16<enter>");
    driver.mute = true;
    // Four blocks can be tried at k = 3; when their turn comes k is 4.
    driver = driver.keys("a4x15<enter>a4<enter>+");
    driver.speak();
    assert!(driver.screen().contains("4 blocks"), "{}", driver.screen());
    assert!(driver.app.tune.layouts.lab.is_some() && rows(&driver).len() == 2);
    let driver = driver.keys("a4x14<enter>");
    assert!(!driver.screen().contains("4 blocks") && rows(&driver).len() == 3);
}

#[test]
fn rows_go_with_the_recipe_they_were_made_under_and_come_again_under_another_tau() {
    let driver = Driver::sample(80, 24).keys("4va4x16<enter>a5x12<enter>");
    assert_eq!(rows(&driver).len(), 2);
    let driver = driver.keys("t");
    assert_eq!((rows(&driver).len(), driver.app.tune.layouts.tau), (2, 0.9));
    let driver = driver.keys("rh<enter>");
    assert!(rows(&driver).is_empty());
    assert!(driver.screen().contains("Enter measures six"), "{}", driver.screen());
}

#[test]
fn a_trial_is_stopped_and_nothing_is_left_of_it() {
    let mut driver = Driver::sample(80, 24).keys("4v");
    driver.mute = true;
    let mut driver = driver.keys("<enter>");
    assert!(driver.screen().contains("6 to go"), "{}", driver.screen());
    driver = driver.keys("<c-c>");
    driver.speak();
    assert!(rows(&driver).is_empty());
    assert!(driver.screen().contains("stopped; Enter starts again"), "{}", driver.screen());
    assert_eq!(rows(&driver.keys("<enter>")).len(), USUAL_LAYOUTS.len());
}

#[test]
fn layouts_are_written_as_the_options_write_them() {
    let table = [
        ("4x18", Some(LayoutChoice::Bands { bands: 4, bits: 18 })),
        ("6", Some(LayoutChoice::Blocks(6))),
        ("4/4", Some(LayoutChoice::TwoLevel { outer: 4, inner: 4 })),
        ("auto", Some(LayoutChoice::Auto)),
        ("0x4", None),
        ("129", None),
        ("4/", None),
        ("", None),
    ];
    for (text, layout) in table {
        assert_eq!(text.parse().ok(), layout, "{text}");
    }
}
