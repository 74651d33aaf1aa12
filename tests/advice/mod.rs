//! The verdict on k beside its slow twin: made corpora, every cosine of every pair of texts computed here.

mod corpora;

use std::collections::HashMap;
use std::sync::Arc;

use simscope::analysis::{
    Advice, Alike, AlikeBy, Analysis, AnalysisDepth, AnalysisInput, Basis, Job, Settings, run_to,
};
use simscope::corpus::{Input, LoadOptions};
use simscope::evaluate::precision::ThresholdRow;
use simscope::evaluate::recommend::PrecisionGoal;
use simscope::id::DocId;

use self::corpora::{KINDS, Kind, families};

const TARGET: f64 = 0.9;

/// A row a text, for the rest of the run.
fn rows(texts: &[String]) -> &'static [u8] {
    let rows: Vec<String> =
        texts.iter().map(|text| serde_json::json!({ "text": text }).to_string()).collect();
    Box::leak(rows.join("\n").into_bytes().into_boxed_slice())
}

fn analysed(texts: &[String]) -> Arc<Analysis> {
    let bytes = rows(texts);
    let work = AnalysisInput::Load(
        vec![Input::Bundled { name: "made.jsonl", bytes }],
        LoadOptions::default(),
        None,
    );
    run_to(AnalysisDepth::PairsByDistance, work, Settings::default(), &Job::new(), &mut |_| {})
        .unwrap()
}

fn advised(analysis: &Analysis) -> Advice {
    let job = Job::new();
    let index = analysis.index.as_deref().unwrap();
    let distances = index.distances(&job.progress).unwrap();
    analysis.advise(&distances, PrecisionGoal::default(), &job).unwrap()
}

/// Every three words in a row, as a number, ascending, once each.
fn shingles<'a>(text: &'a str, numbers: &mut HashMap<Vec<&'a str>, usize>) -> Vec<usize> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut number = |shingle: &[&'a str]| {
        let next = numbers.len();
        *numbers.entry(shingle.to_vec()).or_insert(next)
    };
    let mut shingles: Vec<usize> = words.windows(3).map(&mut number).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

/// The number of shingles that both texts have.
fn dot(a: &[usize], b: &[usize]) -> u64 {
    a.iter().filter(|it| b.binary_search(it).is_ok()).count() as u64
}

/// The truth by going through all pairs of different texts.
struct Oracle {
    /// For each k: pairs, and the true ones among them.
    within: Vec<(u64, u64)>,
    n_true: u64,
}

impl Oracle {
    fn new(analysis: &Analysis, texts: &[String]) -> Self {
        let mut first: HashMap<&str, usize> = HashMap::new();
        for at in (0..texts.len()).rev() {
            first.insert(&texts[at], at);
        }
        let mut places: Vec<usize> = first.into_values().collect();
        places.sort_unstable();
        let mut numbers = HashMap::new();
        let vectors: Vec<_> = places.iter().map(|&at| shingles(&texts[at], &mut numbers)).collect();
        let norms: Vec<u64> = vectors.iter().map(|it| dot(it, it)).collect();
        let mut at = vec![(0_u64, 0_u64); 65];
        for b in 0..places.len() {
            for a in 0..b {
                // A set cosine of 4/5 or more, without rounding.
                let dot = dot(&vectors[a], &vectors[b]);
                let is_true = 25 * dot * dot >= 16 * norms[a] * norms[b];
                let print = |at: usize| analysis.fingerprint(DocId::from(places[at])).unwrap();
                let here = &mut at[print(a).distance(print(b)) as usize];
                here.0 += 1;
                here.1 += u64::from(is_true);
            }
        }
        let n_true = at.iter().map(|at| at.1).sum();
        let sum = |sum: &mut (u64, u64), at: &(u64, u64)| {
            *sum = (sum.0 + at.0, sum.1 + at.1);
            Some(*sum)
        };
        Self { within: at.iter().scan((0, 0), sum).collect(), n_true }
    }

    fn precision(&self, k: u32) -> Option<f64> {
        let (pairs, found) = self.within[k as usize];
        (pairs > 0).then(|| found as f64 / pairs as f64)
    }

    fn f1(&self, k: u32) -> f64 {
        let (pairs, found) = self.within[k as usize];
        2.0 * found as f64 / (pairs + self.n_true).max(1) as f64
    }

    fn precise(&self) -> Option<u32> {
        (0..33).rev().find(|&k| self.precision(k).is_some_and(|it| it >= TARGET))
    }
}

/// Whether two named k are within one step of each other, pairs counted: empty distances are no step.
fn is_near(oracle: &Oracle, expected: Option<u32>, found: Option<u32>) -> bool {
    match (expected, found) {
        (None, None) => true,
        (Some(expected), Some(found)) => {
            let (low, high) = (expected.min(found), expected.max(found));
            let steps = (low + 1..=high)
                .filter(|&k| oracle.within[k as usize].0 > oracle.within[k as usize - 1].0);
            steps.count() <= 1
        }
        _ => false,
    }
}

#[test]
fn both_named_k_are_those_of_all_cosines() {
    for kind in KINDS {
        for seed in 0..20 {
            let texts = kind.texts(seed);
            let analysis = analysed(&texts);
            let (oracle, advice) = (Oracle::new(&analysis, &texts), advised(&analysis));
            let what = format!("{kind:?} {seed}: {:?}", advice.sentences());
            let found = advice.recommendation.precise;
            assert!(is_near(&oracle, oracle.precise(), found), "{:?} {what}", oracle.precise());
            for row in &advice.evidence.rows {
                assert_eq!(row.different, oracle.within[row.k as usize].0, "{what}");
                assert_eq!(row.cumulative.value, oracle.precision(row.k), "{what}");
            }
            let best = (0..65).map(|k| oracle.f1(k)).fold(0.0, f64::max);
            // A k of which a third is false or by chance is not named; then the next best may be, or none.
            let may_be = |k: &u32| {
                let third = oracle.within[*k as usize].0 as f64 / 3.0;
                advice.by_chance[*k as usize] <= third
                    && (found.is_none() || oracle.precision(*k).is_some_and(|it| it >= 2.0 / 3.0))
            };
            if let Some(k) = advice.recommendation.balanced {
                let best = (0..33).filter(may_be).map(|k| oracle.f1(k)).fold(0.0, f64::max);
                assert!(may_be(&k) && oracle.f1(k) >= 0.97 * best, "{k} {what}");
            } else {
                let mut of_best = (0..65).filter(|&k| oracle.f1(k) == best);
                assert!(best == 0.0 || of_best.any(|k| k > 32 || !may_be(&k)), "{what}");
            }
            assert!(matches!(advice.evidence.basis, Basis::Exact { .. }), "{what}");
        }
    }
}

#[test]
fn a_sample_that_has_every_pair_says_the_same() {
    for kind in KINDS {
        let texts = kind.texts(3);
        let analysis = analysed(&texts);
        let oracle = Oracle::new(&analysis, &texts);
        let evidence = analysis.sampled_evidence(5, &Job::new()).unwrap();
        let rows: Vec<&ThresholdRow> =
            evidence.rows.iter().filter(|row| row.different < 300).collect();
        assert!(!rows.is_empty(), "{kind:?}");
        for row in rows {
            assert_eq!(row.different, oracle.within[row.k as usize].0, "{kind:?} {}", row.k);
            let (found, expected) = (row.cumulative, oracle.precision(row.k));
            assert!(
                found.value.zip(expected).is_none_or(|(a, b)| (a - b).abs() < 1e-9),
                "{kind:?} {row:?} {expected:?}"
            );
        }
    }
}

#[test]
fn edits_after_copies_are_not_cut_off() {
    // Copies at d = 0, then edits at every distance: once taken for a valley, "take k = 0".
    for seed in 0..20 {
        let texts = Kind::CopiesAndEdits.texts(seed);
        let advice = advised(&analysed(&texts));
        let (precise, balanced) =
            (advice.recommendation.precise.unwrap(), advice.recommendation.balanced.unwrap());
        assert!(precise >= 5 && balanced >= 5, "{:?}", advice.sentences());
    }
}

#[test]
fn templates_make_no_precise_k() {
    for seed in 0..20 {
        let texts = Kind::Templates.texts(seed);
        let advice = advised(&analysed(&texts));
        assert_eq!(advice.recommendation.precise, None, "{:?}", advice.sentences());
        let said = advice.choice();
        assert!(said[0].starts_with("most texts here are boilerplate: "), "{said:?}");
        assert!(
            said[1].starts_with("no k is precise: even at k = ") || said[1].starts_with("no pair"),
            "{said:?}"
        );
    }
}

#[test]
fn the_seed_of_the_hash_moves_the_advice_little() {
    let texts = Kind::Short.texts(1);
    let bytes = rows(&texts);
    let mut f1s = Vec::new();
    for seed in 0..8 {
        let recipe = format!("words:1 seed={seed}").parse().unwrap();
        let alike = Alike { by: AlikeBy::Recipe, ..Alike::default() };
        let settings = Settings { recipe, alike, ..Settings::default() };
        let input = vec![Input::Bundled { name: "short.jsonl", bytes }];
        let work = AnalysisInput::Load(input, LoadOptions::default(), None);
        let analysis =
            run_to(AnalysisDepth::PairsByDistance, work, settings, &Job::new(), &mut |_| {})
                .unwrap();
        let advice = advised(&analysis);
        let k = advice.recommendation.balanced.unwrap();
        f1s.push((k, advice.evidence.rows[k as usize].f1().unwrap()));
    }
    let ks = f1s.iter().map(|it| it.0);
    let (least, most) = (ks.clone().min().unwrap(), ks.max().unwrap());
    assert!(least >= 3 && most - least <= 6, "{f1s:?}");
}

/// In how many of 200 seeds the interval of each k holds the share that all pairs have.
#[test]
#[ignore = "the deeper run: 200 samples"]
fn coverage_of_sampled_precision() {
    let texts = families(7, 40, 22, 0.02, 120);
    let analysis = analysed(&texts);
    let oracle = Oracle::new(&analysis, &texts);
    let (mut held, mut n, mut bounds_failed) = (0, 0, 0);
    for seed in 0..200 {
        let evidence = analysis.sampled_evidence(seed, &Job::new()).unwrap();
        let truth = |row: &ThresholdRow| oracle.precision(row.k).unwrap();
        let sampled = || evidence.rows.iter().filter(|row| row.different > 1500);
        for row in sampled() {
            n += 1;
            let (low, high) = (row.cumulative.low, row.cumulative.high);
            held += u32::from(low <= truth(row) && truth(row) <= high);
        }
        bounds_failed += u32::from(sampled().any(|row| row.bound > truth(row)));
    }
    let share = f64::from(held) / f64::from(n);
    println!(
        "intervals of sampled precision: {share:.3} of {n}; all bounds at once fail in {bounds_failed} of 200"
    );
    assert!(n > 1000 && (0.93..=0.985).contains(&share), "{share} of {n}");
    assert!(bounds_failed <= 14, "{bounds_failed} of 200");
}
