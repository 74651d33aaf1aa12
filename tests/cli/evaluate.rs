//! `evaluate`: its rows, its refusals, and the truth of real corpora.

use std::{
    fs,
    path::{Path, PathBuf},
};

use simscope::{
    analysis::{Depth, Job, LayoutChoice, Likeness, Prints, Settings, Truth, Work, run_to},
    corpus::{Input, LoadOptions},
    evaluate::recall::RecallMethod,
    feature::Shingling,
    feature::Weighting,
    simhash::Recipe,
};

use super::{arxiv, shell::Shell};

const FRUIT: &str = r#"{"id":"a","text":"apples pears plums cherries grapes melons"}
{"id":"b","text":"apples pears plums cherries grapes melons"}
{"id":"c","text":"apples pears plums cherries grapes lemons"}
{"id":"d","text":"an altogether different text about the sea"}
"#;

#[test]
fn rows_keep_the_contract() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    let line = "evaluate fruit.jsonl --features words --tau 0.7 --truth-weights binary --bands 2x16,1x40 --blocks 4 -f csv";
    let rows = shell.run(line).rows();
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

#[test]
fn the_usual_layouts_need_ninety_bits_and_say_so() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    let done = shell.run("evaluate fruit.jsonl -f csv");
    assert!(done.err.contains("fingerprints of 90 bits"), "{}", done.err);
    let rows = done.rows();
    let cell = |at: usize| -> Vec<String> {
        let cell = |line: &str| line.split(',').nth(at).unwrap().to_owned();
        rows.lines().skip(1).map(cell).collect()
    };
    assert_eq!(cell(0), ["3x12", "3x18", "3x22", "4x18", "5x18", "4c1k3"]);
    // Bands on fingerprints wide enough for all of them, blocks on those of the recipe.
    assert_eq!(cell(1), ["90", "90", "90", "90", "90", "64"]);
    let err = shell.run("evaluate fruit.jsonl --bits 64").refused(2);
    assert!(err.contains("need 90 bits and fingerprints have 64; use --bits 90"), "{err}");
    let err = shell.run("evaluate fruit.jsonl --bits 64 --bands 5x18").refused(2);
    assert!(err.contains("5 bands of 18 bits"), "{err}");
}

#[test]
fn several_layouts_are_for_evaluate_alone() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    for line in
        ["pairs --bands 2x16,3x16 fruit.jsonl", "pairs --bands 2x16 --bands 3x16 fruit.jsonl"]
    {
        let err = shell.run(line).refused(2);
        assert!(
            err.contains("--bands names 2 layouts; give one, or compare them with evaluate"),
            "{err}"
        );
    }
    let err = shell.run("groups --blocks 4,5,6 fruit.jsonl").refused(2);
    assert!(err.contains("--blocks names 3 layouts"), "{err}");
    for tau in ["0", "1.1", "-1", "x", "NaN"] {
        let err = shell.run(&format!("evaluate fruit.jsonl --tau={tau}")).refused(2);
        assert!(err.contains("write a cosine above 0, at most 1"), "{err}");
    }
}

#[test]
fn fingerprints_without_text_have_no_cosine() {
    let shell = Shell::with(&[("bits.jsonl", super::shell::BITS)]);
    let err = shell.run("evaluate bits.jsonl --bits 8 --bands 2x4").refused(2);
    assert!(err.contains("holds fingerprints and no text"), "{err}");
}

#[test]
fn a_sample_too_small_is_an_upper_bound() {
    let shell = Shell::with(&[("fruit.jsonl", FRUIT)]);
    let line =
        "evaluate fruit.jsonl --features words --tau 0.5 --truth sampled --bands 2x16 -f csv";
    let done = shell.run(line);
    assert!(done.err.contains("recall is only an upper bound"), "{}", done.err);
    // It tells what it does before it does it.
    let places =
        ["again and makes fingerprints under further seeds", "are sampled", "tries 2x16 (1 of 1)"]
            .map(|said| done.err.find(said).unwrap_or_else(|| panic!("{said}\n{}", done.err)));
    assert!(places.is_sorted(), "{}", done.err);
    let rows = done.rows();
    let row: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((row[6], row[9], row[10], row[12]), ("", "", "upper bound", "0.0000"));
}

/// The truth of a corpus and its prints under several seeds.
struct Lab {
    truth: Truth,
    prints: Vec<Prints>,
}

fn lab(corpus: PathBuf, bits: u32, likeness: Likeness, seeds: u64) -> Lab {
    let recipe = |seed| Recipe {
        features: Shingling::Words(1),
        weights: Weighting::TfIdf,
        bits,
        seed,
        ..Recipe::default()
    };
    let settings = |seed| Settings { recipe: recipe(seed), ..Settings::default() };
    let job = Job::new();
    let work = Work::Load(vec![Input::Path(corpus)], LoadOptions::default());
    let first = run_to(Depth::Sketches, work, settings(0), &job, &mut |_| {}).unwrap();
    let truth = Truth::prepare(&first.corpus, &settings(0), likeness, &job).unwrap();
    let mut prints = vec![truth.prints(&first, &job).unwrap()];
    for seed in 1..seeds {
        let work = Work::Refingerprint(first.corpus.clone());
        let other = run_to(Depth::Sketches, work, settings(seed), &job, &mut |_| {}).unwrap();
        prints.push(truth.prints(&other, &job).unwrap());
    }
    Lab { truth, prints }
}

/// True pairs of documents at tau .8, .9 and .95 as counted with tokens `\w\w+`, and how far words by
/// UAX #29 may be from that: they keep words of one letter, and take Han and Thai apart.
const COUNTED: [(&str, [u64; 3], f64); 7] = [
    ("arxiv-feeds-dev", [15_678, 15_465, 15_247], 0.002),
    ("license-texts", [7738, 3049, 1572], 0.03),
    ("udhr-articles", [822, 517, 444], 3.0),
    ("minhash-articles-2500", [20, 20, 20], 0.0),
    ("minhash-articles-1000", [10, 10, 10], 0.0),
    ("terms-versions-pga", [12_245, 7491, 6057], 0.13),
    ("er-dblp-acm", [2213, 1709, 1306], 0.03),
];

#[test]
fn true_pairs_of_real_corpora_are_as_many_as_counted_elsewhere() {
    for (name, counted, tolerance) in COUNTED {
        let Some(corpus) = arxiv::shared(name) else { return };
        for (tau, expected) in [0.8, 0.9, 0.95].into_iter().zip(counted) {
            let likeness = Likeness { tau, ..Likeness::default() };
            let Lab { truth, .. } = lab(corpus.clone(), 64, likeness, 1);
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

/// The first documents of a corpus, enough to estimate from and few enough for twenty seeds.
fn beginning(corpus: &Path, folder: &Path) -> PathBuf {
    let text = fs::read_to_string(corpus).unwrap();
    let end = text.match_indices('\n').nth(12_000).map_or(text.len(), |(at, _)| at + 1);
    let file = folder.join("beginning.jsonl");
    fs::write(&file, &text[..end]).unwrap();
    file
}

/// Five seeds a time, as the command takes them; where the estimate is told, it must hold.
#[test]
fn estimated_recall_holds_the_exact_one() {
    // Each layout with how many seeds apart two trials begin: arXiv's take long.
    let table =
        [("er-dblp-acm", (3, 12), 1), ("er-dblp-acm", (8, 8), 1), ("arxiv-feeds-dev", (8, 8), 5)];
    for (name, (bands, bits), step) in table {
        let Some(corpus) = arxiv::shared(name) else { return };
        let folder = tempfile::tempdir().unwrap();
        let corpus = beginning(&corpus, folder.path());
        let Lab { truth, mut prints } = lab(corpus, 64, Likeness::default(), 20);
        let (job, layout) = (Job::new(), LayoutChoice::Bands { bands, bits });
        let (mut valid, mut hits) = (0, 0);
        for _ in (0..20).step_by(step) {
            let exact = truth.trial(&prints[..1], layout, 3, &job).unwrap().recall.unwrap();
            let estimated = truth.estimate(&prints[..5], layout, 3, &job).unwrap();
            let recall = estimated.recall.unwrap();
            if estimated.method == RecallMethod::HorvitzThompson {
                valid += 1;
                hits += u32::from((recall.low..=recall.high).contains(&exact.recall));
            } else {
                assert!(recall.high >= exact.recall, "{name}: an upper bound is one");
            }
            prints.rotate_left(step);
        }
        eprintln!("{name} {bands}x{bits}: {hits} of {valid} intervals hold the exact recall");
        assert!(hits >= (valid * 9_u32).div_ceil(10), "{name} {bands}x{bits}: {hits} of {valid}");
    }
}
