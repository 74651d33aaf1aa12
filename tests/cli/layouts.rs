//! `tune --layouts --measure`: its rows, its refusals, and the truth of real corpora.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use simscope::analysis::{
    Alike, AlikeBy, AnalysisDepth, AnalysisInput, Job, Settings, Truth, TruthChoice, run_to,
};
use simscope::corpus::{Input, LoadOptions};
use simscope::feature::{Shingling, Weighting};
use simscope::simhash::Recipe;

use super::arxiv;
use super::shell::Shell;

const FRUIT: &str = r#"{"id":"a","text":"apples pears plums cherries grapes melons"}
{"id":"b","text":"apples pears plums cherries grapes melons"}
{"id":"c","text":"apples pears plums cherries grapes lemons"}
{"id":"d","text":"an altogether different text about the sea"}
"#;

#[test]
fn rows_keep_the_contract() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    let line = "tune --layouts --measure fruit.jsonl --features words --tau 0.7 --truth-features words:1 --bands 2x16,1x40 --blocks 4 -f csv";
    let done = shell.run(line);
    assert!(done.err.contains("alike (set cosine 0.7 or more of words:1)"), "{}", done.err);
    let retired = shell.run("tune --layouts --measure fruit.jsonl --truth-weights tf").refused(2);
    assert!(retired.contains("it is now --alike set, tf-idf or recipe"), "{retired}");
    let rows = done.rows();
    let mut lines = rows.lines();
    let columns =
        "layout,bits,candidates,predicted,tp,fp,fn,precision,recall,f1,recall_method,seconds,";
    assert!(lines.next().unwrap().starts_with(columns));
    let cells: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let names: Vec<&str> = cells.iter().map(|row| row[0]).collect();
    assert_eq!(names, ["2x16", "1x40", "4c1k3"]);
    for row in &cells {
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        // a, b and c are true with each other: three pairs, of which one is of copies.
        assert_eq!((row[1], number(4) + number(6), row[10]), ("64", 3.0, "exact"));
        assert_eq!(number(2), number(4) + number(5));
        assert!((number(8) - number(4) / 3.0).abs() < 1e-4);
        assert_eq!((row[12], row[13]), (row[8], row[8]));
        assert!(number(3) >= 1.0, "the copies at least are expected");
    }
}

/// The rows of pairs are as many as the counts say, and of the right kind.
#[test]
fn the_pairs_behind_the_counts_can_be_had() {
    let shell = Shell::with(&[("t.jsonl", include_str!("../../assets/sample.jsonl"))]);
    let line = "tune --layouts --measure t.jsonl --bands 3x12,3x18,8x8 --blocks 4 -f csv";
    let counts = shell.run(line).rows();
    let counts: Vec<Vec<&str>> =
        counts.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut truths = BTreeMap::<String, BTreeSet<(String, String)>>::new();
    for (which, column) in [("true", 4), ("false", 5), ("missed", 6)] {
        let rows = shell.run(&format!("{line} --pairs {which}")).rows();
        let mut lines = rows.lines();
        assert_eq!(lines.next(), Some("layout,a,b,distance,cosine"));
        let mut found = BTreeMap::<&str, BTreeSet<(&str, &str)>>::new();
        for row in lines.map(|line| line.split(',').collect::<Vec<_>>()) {
            let [layout, a, b, _, cosine] = row[..] else { panic!("{row:?}") };
            assert_eq!(cosine.parse::<f64>().unwrap() >= 0.8, which != "false", "{row:?}");
            assert!(found.entry(layout).or_default().insert((a, b)), "{row:?} is there twice");
        }
        for row in &counts {
            let n = found.get(row[0]).map_or(0, BTreeSet::len);
            assert_eq!(n.to_string(), row[column], "{which} pairs of {}", row[0]);
        }
        for (layout, pairs) in found.into_iter().filter(|_| which != "false") {
            let pairs = pairs.into_iter().map(|(a, b)| (a.to_owned(), b.to_owned()));
            truths.entry(layout.to_owned()).or_default().extend(pairs);
        }
    }
    let mut truths = truths.into_values();
    let first = truths.next().unwrap();
    assert!(first.len() > 30 && truths.all(|truth| truth == first), "one truth for all layouts");
}

#[test]
fn the_usual_layouts_need_ninety_bits_and_say_so() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    let done = shell.run("tune --layouts --measure fruit.jsonl -f csv");
    assert!(done.err.contains("fingerprints of 90 bits"), "{}", done.err);
    let rows = done.rows();
    let cell = |at: usize| -> Vec<String> {
        let cell = |line: &str| line.split(',').nth(at).unwrap().to_owned();
        rows.lines().skip(1).map(cell).collect()
    };
    assert_eq!(cell(0), ["3x12", "3x18", "3x22", "4x18", "5x18", "4c1k3"]);
    // Bands on fingerprints wide enough for all of them, blocks on those of the recipe.
    assert_eq!(cell(1), ["90", "90", "90", "90", "90", "64"]);
    let err = shell.run("tune --layouts --measure fruit.jsonl --bits 64").refused(2);
    assert!(err.contains("need 90 bits and fingerprints have 64; use --bits 90"), "{err}");
    let err = shell.run("tune --layouts --measure fruit.jsonl --bits 64 --bands 5x18").refused(2);
    assert!(err.contains("5 bands of 18 bits"), "{err}");
}

#[test]
fn several_layouts_are_for_measuring_alone() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    for line in
        ["pairs --bands 2x16,3x16 fruit.jsonl", "pairs --bands 2x16 --bands 3x16 fruit.jsonl"]
    {
        let err = shell.run(line).refused(2);
        assert!(
            err.contains(
                "--bands names 2 layouts; give one, or compare them with tune --layouts --measure"
            ),
            "{err}"
        );
    }
    for line in ["tune --measure fruit.jsonl", "tune --layouts --truth exact fruit.jsonl"] {
        let err = shell.run(line).refused(2);
        assert!(err.contains("--layouts"), "{err}");
    }
    let err = shell.run("tune --layouts --measure fruit.jsonl -f html").refused(2);
    assert!(err.contains("--format html is for report"), "{err}");
    let err = shell.run("groups --blocks 4,5,6 fruit.jsonl").refused(2);
    assert!(err.contains("--blocks names 3 layouts"), "{err}");
    for tau in ["0", "1.1", "-1", "x", "NaN"] {
        let err =
            shell.run(&format!("tune --layouts --measure fruit.jsonl --tau={tau}")).refused(2);
        assert!(err.contains("write a cosine above 0, at most 1"), "{err}");
    }
}

#[test]
fn fingerprints_without_text_have_no_cosine() {
    let shell = Shell::with(&[("bits.jsonl", super::shell::BITS)]);
    let err = shell.run("tune --layouts --measure bits.jsonl --bits 8 --bands 2x4").refused(2);
    assert!(err.contains("holds no text"), "{err}");
}

/// Unrelated texts, and pairs of texts of which one has a word replaced.
fn made(n_unrelated: usize, n_pairs: usize) -> String {
    let mut number = 1_u64;
    let mut word = || {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("w{}", (number >> 33) % 50_000)
    };
    let mut rows = String::new();
    for at in 0..n_unrelated + n_pairs {
        let mut words: Vec<String> = (0..12).map(|_| word()).collect();
        rows += &format!("{{\"text\":\"{}\"}}\n", words.join(" "));
        if at < n_pairs {
            words[at % 12] = word();
            rows += &format!("{{\"text\":\"{}\"}}\n", words.join(" "));
        }
    }
    rows
}

#[test]
fn a_sampled_truth_counts_what_is_found_and_estimates_what_is_missed() {
    let shell = Shell::with(&[("made.jsonl", &made(10_500, 900)), ("fruit.jsonl", FRUIT)]);
    let row = |truth: &str| -> (Vec<String>, String) {
        let done = shell.run(&format!(
            "tune --layouts --measure={truth} made.jsonl --features words --tau 0.75 --bands 8x8 --blocks 4 -f csv"
        ));
        let notes = done.err.clone();
        let rows = done.rows();
        (rows.lines().nth(1).unwrap().split(',').map(str::to_owned).collect(), notes)
    };
    let ((exact, _), (sampled, notes)) = (row("exact"), row("sampled"));
    assert!(
        notes.contains("10,000 of 12,300 texts with different features drawn at random"),
        "{notes}"
    );
    assert!(notes.contains("recall_distinct is estimated from these"), "{notes}");
    // Candidates and those of them that are true are counted either way.
    assert_eq!((exact[10].as_str(), sampled[10].as_str()), ("exact", "sampled"));
    assert_eq!((&exact[2], &exact[4], &exact[7]), (&sampled[2], &sampled[4], &sampled[7]));
    let number = |row: &[String], at: usize| row[at].parse::<f64>().unwrap();
    let (recall, low, high) = (number(&exact, 14), number(&sampled, 18), number(&sampled, 19));
    assert!(low <= recall && recall <= high && high - low < 0.05, "{low} {recall} {high}");
    assert_eq!((number(&exact, 18), number(&exact, 19)), (recall, recall));
    // Copies are not estimated.
    assert_eq!([6, 8, 9, 12, 13].map(|at| sampled[at].as_str()), [""; 5]);
    // So few texts are all taken.
    let line = "tune --layouts --measure=sampled fruit.jsonl --features words --bands 2x16 -f csv";
    assert!(shell.run(line).rows().contains(",exact,"));
}

#[test]
fn a_sample_with_few_true_pairs_tells_no_recall() {
    let shell = Shell::with(&[("made.jsonl", &made(10_500, 3))]);
    let done = shell
        .run("tune --layouts --measure=sampled made.jsonl --features words --tau 0.75 --bands 8x8 -f csv");
    assert!(
        done.err.contains("recall_distinct is unknown, because it needs 10 texts"),
        "{}",
        done.err
    );
    // It says what it does before it does it.
    let places = ["finds the true pairs of some texts drawn at random", "tries 8x8 (1 of 1)"]
        .map(|said| done.err.find(said).unwrap_or_else(|| panic!("{said}\n{}", done.err)));
    assert!(places.is_sorted(), "{}", done.err);
    let rows = done.rows();
    let row: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((row[10], row[14], row[18], row[19]), ("sampled", "", "", ""));
}

/// The truth of a corpus.
fn truth(corpus: PathBuf, tau: f64) -> Truth {
    let recipe =
        Recipe { features: Shingling::Words(1), weights: Weighting::TfIdf, ..Recipe::default() };
    let alike = Alike { by: AlikeBy::TfIdf, tau, features: None };
    let settings = Settings { recipe, alike, ..Settings::default() };
    let job = Job::new();
    let work = AnalysisInput::Load(vec![Input::Path(corpus)], LoadOptions::default(), None);
    let first =
        run_to(AnalysisDepth::Fingerprints, work, settings.clone(), &job, &mut |_| {}).unwrap();
    Truth::prepare(&first.corpus, &settings, TruthChoice::Auto, &job).unwrap()
}

/// True pairs of documents at tau .8, .9 and .95 as counted with tokens `\w\w+`, and how far words by
/// UAX #29 may be from that: they keep words of one letter, and take Han and Thai apart.
type Counted = (&'static str, [u64; 3], f64);
const COUNTED: [Counted; 4] = [
    ("udhr-articles", [822, 517, 444], 3.0),
    ("minhash-articles-2500", [20, 20, 20], 0.0),
    ("minhash-articles-1000", [10, 10, 10], 0.0),
    ("er-dblp-acm", [2213, 1709, 1306], 0.03),
];
const COUNTED_OF_LARGE: [Counted; 3] = [
    ("arxiv-feeds-dev", [15_678, 15_465, 15_247], 0.002),
    ("license-texts", [7738, 3049, 1572], 0.03),
    ("terms-versions-pga", [12_245, 7491, 6057], 0.13),
];

#[test]
fn true_pairs_of_real_corpora_are_as_many_as_counted_elsewhere() {
    true_pairs_are_as_many(&COUNTED);
}

#[test]
#[ignore = "the deeper run: large corpora"]
fn true_pairs_of_large_real_corpora_are_as_many_as_counted_elsewhere() {
    true_pairs_are_as_many(&COUNTED_OF_LARGE);
}

fn true_pairs_are_as_many(counts: &[Counted]) {
    for &(name, counted, tolerance) in counts {
        let Some(corpus) = arxiv::shared(name) else { return };
        for (tau, expected) in [0.8, 0.9, 0.95].into_iter().zip(counted) {
            let truth = truth(corpus.clone(), tau);
            let found = truth.n_pairs().unwrap();
            let (meetings, took) = (truth.predicted_meetings, truth.join_took);
            eprintln!(
                "{name} {tau}: {found}, elsewhere {expected}; {meetings:.0} meetings, {took:.1?}"
            );
            let off = (found as f64 / expected as f64 - 1.0).abs();
            assert!(off <= tolerance, "{name} at {tau}: {found}, not {expected}");
        }
    }
}
