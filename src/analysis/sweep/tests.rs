//! Every row of a sweep against a slow reference: each cell is fingerprinted at its own width, and distance and
//! cosine of each pair of documents are computed.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::Config;

use super::*;
use crate::analysis::{Alike, AlikeBy, AnalysisDepth, AnalysisInput, Truth, TruthChoice, run_to};
use crate::corpus::{Input, Judgement, LoadOptions};
use crate::evaluate::distances::CountMethod;
use crate::id::DocId;
use crate::simhash::Fingerprint;
use crate::verdict::Verdict;

/// Texts of few words. Many are copies of others, some of them with a word changed or moved.
fn texts() -> impl Strategy<Value = Vec<Vec<u32>>> {
    // The product of two numbers: small words occur nearly everywhere.
    let word = || (1..9_u32, 1..9_u32).prop_map(|(a, b)| a * b);
    let fresh = vec(vec(word(), 0..14), 1..8);
    let derived = vec((any::<Index>(), any::<Index>(), word(), 0..4), 0..16);
    (fresh, derived).prop_map(|(mut texts, derived)| {
        for (of, at, word, how) in derived {
            let mut text = of.get(&texts).clone();
            let at = if text.is_empty() { 0 } else { at.index(text.len()) };
            match how {
                1 if !text.is_empty() => text[at] = word,
                2 => text.rotate_left(at),
                3 => text.push(word),
                _ => {}
            }
            texts.push(text);
        }
        texts
    })
}

fn corpus(texts: &[Vec<u32>]) -> Corpus {
    let row = |(at, words): (usize, &Vec<u32>)| {
        let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        format!("{{\"id\":\"{at}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    // A document that carries a fingerprint does not count.
    let carried = "{\"id\":\"x\",\"fingerprint\":\"00\"}\n".to_owned();
    let rows: String = texts.iter().enumerate().map(row).chain([carried]).collect();
    let bytes = Box::leak(rows.into_bytes().into_boxed_slice());
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
    let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
    let settings = Settings { recipe: "bits=8".parse().unwrap(), ..Settings::default() };
    let found = run_to(AnalysisDepth::Fingerprints, work, settings, &Job::new(), &mut |_| {});
    found.unwrap().corpus.clone()
}

/// Fingerprints of each document with text, made at this very width.
fn fingerprints(corpus: &Corpus, settings: &Settings, width: u32) -> Vec<Option<u128>> {
    let mut settings = settings.clone();
    settings.recipe.bits = width;
    let found = refingerprinted(corpus, settings, &Job::new()).unwrap();
    let made = found.records.iter().take(corpus.len() - 1);
    made.map(|record| record.fingerprint.map(Fingerprint::bits)).collect()
}

/// Counts the pairs, each given with its distance and whether it is true. Pairs within k are found; pairs without a
/// distance are missed.
fn naive(pairs: &[(Option<u32>, bool)], k: u32) -> Confusion {
    let mut found = Confusion::default();
    for &(distance, is_true) in pairs {
        let is_near = distance.is_some_and(|distance| distance <= k);
        found.true_positives += u64::from(is_near && is_true);
        found.false_positives += u64::from(is_near && !is_true);
        found.false_negatives += u64::from(!is_near && is_true);
    }
    found
}

/// Compares a row with the counts of its pairs.
fn agree(swept: &SweptRecipe, pairs: &[(Option<u32>, bool)], all_near: impl Fn(u32) -> u64) {
    let width = swept.settings.recipe.bits;
    let mut best = (None, 0.0);
    for k in 0..=width {
        let expected = naive(pairs, k);
        assert_eq!(swept.curve.at(k), Some(expected), "{} k={k}", swept.settings.recipe);
        let f1 = expected.f1().unwrap_or(0.0);
        if f1 > best.1 {
            best = (Some(k), f1);
        }
    }
    assert_eq!(swept.k(), best.0);
    assert_eq!(swept.pairs, Some(all_near(swept.settings.k)));
}

/// Every pair of `n` documents.
fn every_two(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

proptest! {
    #![proptest_config(Config::with_cases(24))]
    #[test]
    fn rows_are_those_of_every_pair_looked_at(
        texts in texts(),
        tau in prop_oneof![Just(0.5), Just(0.8), Just(1.0)],
        reference in prop_oneof![Just("words:1"), Just("words:2")],
        by in prop::sample::select(AlikeBy::ALL),
    ) {
        let corpus = corpus(&texts);
        let base = Settings { recipe: reference.parse().unwrap(), ..Settings::default() };
        let alike = Alike { by, tau, ..Alike::default() };
        let base = Settings { alike, ..base };
        let truth = || Truth::prepare(&corpus, &base, TruthChoice::Auto, &Job::new()).unwrap();
        let (known, n) = (truth(), corpus.len() - 1);
        let entry = |document: usize| known.texts.entry_of(DocId::from(document));
        let is_first = |document: usize| {
            entry(document).is_some_and(|text| known.texts.documents(text)[0].index() == document)
        };
        let counted: Vec<(usize, usize)> =
            every_two(n).filter(|&(a, b)| is_first(a) && is_first(b)).collect();
        let is_true = |a, b| match (entry(a), entry(b)) {
            (Some(a), Some(b)) => a == b || known.vectors.reached(a, b, known.vectors.cosine(a, b), tau).is_some(),
            _ => false,
        };
        let reference = Reference::by_cosine(truth()).unwrap();
        prop_assert_eq!(
            reference.n_true(),
            counted.iter().filter(|&&(a, b)| is_true(a, b)).count() as u64
        );
        let grid = SweepGrid { widths: vec![64, 9, 128, 70], ..SweepGrid::default() };
        for settings in grid.settings(&base) {
            let rows = sweep(&corpus, &settings, &grid.widths, &reference, &Job::new()).unwrap();
            for (row, &width) in rows.iter().zip(&grid.widths) {
                prop_assert_eq!(row.settings.recipe.bits, width);
                let words = fingerprints(&corpus, &settings, width);
                let distance = |a: usize, b: usize| Some((words[a]? ^ words[b]?).count_ones());
                let pairs: Vec<_> =
                    counted.iter().map(|&(a, b)| (distance(a, b), is_true(a, b))).collect();
                agree(row, &pairs, |k| {
                    every_two(n).filter(|&(a, b)| distance(a, b) <= Some(k)
                        && distance(a, b).is_some()).count() as u64
                });
            }
        }
    }
}

#[test]
fn judged_pairs_alone_count_unless_they_are_all_there_are() {
    let texts = [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 9], [7, 7, 8, 8]].map(Vec::from);
    let corpus = corpus(&texts);
    let said = |a: &str, b: &str, verdict| Judgement { ids: [a.into(), b.into()], verdict };
    let judgements = [
        said("0", "2", Verdict::No),
        said("2", "0", Verdict::Yes),
        said("3", "0", Verdict::No),
        said("1", "2", Verdict::Unsure),
        said("1", "1", Verdict::Yes),
        said("0", "nobody", Verdict::Yes),
    ];
    let settings = Settings { recipe: "words:1".parse().unwrap(), ..Settings::default() };
    let words = fingerprints(&corpus, &settings, 32);
    let distance = |(a, b): (usize, usize)| Some((words[a]? ^ words[b]?).count_ones());
    for is_complete in [false, true] {
        let reference = Reference::by_judgement(&corpus, &judgements, is_complete).unwrap();
        let rows = sweep(&corpus, &settings, &[32], &reference, &Job::new()).unwrap();
        let judged: Vec<(usize, usize)> =
            if is_complete { every_two(4).collect() } else { vec![(0, 2), (0, 3)] };
        let pairs: Vec<_> = judged.iter().map(|&pair| (distance(pair), pair == (0, 2))).collect();
        agree(&rows[0], &pairs, |k| {
            every_two(4).filter(|&pair| distance(pair) <= Some(k)).count() as u64
        });
        let recall = reference.recall(rows[0].at_best()).unwrap();
        assert_eq!(recall.low < recall.high, !is_complete);
        let method = if is_complete { CountMethod::Exact } else { CountMethod::Judged };
        assert_eq!(reference.method(), method);
    }
    let none = Reference::by_judgement(&corpus, &judgements[2..], false);
    assert!(none.unwrap_err().to_string().contains("no pair of these documents is judged"));
}

#[test]
fn a_grid_is_told_apart_by_its_recipes_and_says_what_it_costs() {
    let base =
        Settings { recipe: "words:3 seed=7 stop=english".parse().unwrap(), ..Settings::default() };
    let grid = SweepGrid::default();
    let settings = grid.settings(&base);
    assert_eq!((grid.n_cells(), grid.fingerprintings(), settings.len()), (72, 48, 24));
    assert!(settings.iter().all(|one| one.check().is_ok() && one.recipe.seed == 7));
    let narrow = SweepGrid { widths: vec![16, 64], ..grid };
    assert_eq!((narrow.n_cells(), narrow.fingerprintings()), (48, 24));
}

#[test]
fn a_sweep_stops_when_told() {
    let corpus = corpus(&[vec![1, 2, 3], vec![1, 2, 4]]);
    let settings = Settings { recipe: "words:1".parse().unwrap(), ..Settings::default() };
    let reference = Reference::of_corpus(&corpus, &settings, &Job::new()).unwrap();
    let job = Job::new();
    job.progress.cancel();
    let stopped = sweep(&corpus, &settings, &[64], &reference, &job);
    assert!(matches!(stopped, Err(AnalysisError::Cancelled(_))), "{stopped:?}");
}
