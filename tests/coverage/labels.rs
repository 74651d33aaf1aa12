//! Intervals from judged pairs: of one distance, of all within k, and of the share kept.

use rand::RngExt;
use simscope::evaluate::labels::Stratum;
use simscope::evaluate::precision::precision;
use simscope::evaluate::sample::draw;
use simscope::verdict::Verdict;

use super::{Held, random};

/// Judges `n` of the pairs, drawn without replacement.
fn judge(truth: &[bool], distance: u32, n: usize, seed: u64) -> Stratum {
    let mut stratum = Stratum::new(distance, truth.len() as u64, 0);
    for number in draw(n, truth.len() as u64, seed) {
        let verdict = if truth[number as usize] { Verdict::Yes } else { Verdict::No };
        stratum.judge(verdict, 1);
    }
    stratum
}

fn share(truth: &[bool]) -> f64 {
    truth.iter().filter(|is_true| **is_true).count() as f64 / truth.len() as f64
}

/// Over all shares of true pairs alike, in strata of several sizes of which some or most are judged.
#[test]
#[ignore = "thousands of simulations"]
fn coverage_of_a_stratum() {
    for (pairs, labels) in [(30, 10), (30, 25), (200, 20), (200, 100), (5000, 40)] {
        let (mut held, mut random) = (Held::default(), random(pairs as u64));
        for seed in 0..4000 {
            let p = random.random::<f64>();
            let truth: Vec<bool> = (0..pairs).map(|_| random.random_bool(p)).collect();
            let found = judge(&truth, 1, labels, seed).interval();
            held.note((found.low, found.high), share(&truth));
        }
        held.is_near(&format!("one distance, {labels} of {pairs} pairs judged"));
    }
}

/// Seven distances with shares that fall, each with labels of its own.
#[test]
#[ignore = "thousands of simulations"]
fn coverage_within_k() {
    let mut within = [(); 7].map(|()| Held::default());
    let mut kept = [(); 6].map(|()| Held::default());
    let mut bounds = Held::default();
    for seed in 0..600 {
        let mut random = random(seed);
        let fall = random.random_range(0.5..4.0);
        let middle = random.random_range(1.0..6.0);
        let truth: Vec<Vec<bool>> = (0..7)
            .map(|distance| {
                let p = 1.0 / (1.0 + (fall * (f64::from(distance) - middle)).exp());
                let n = random.random_range(50..2000);
                (0..n).map(|_| random.random_bool(p)).collect()
            })
            .collect();
        let strata: Vec<Stratum> = (0..)
            .zip(&truth)
            .map(|(distance, truth)| {
                judge(truth, distance, random.random_range(10..40), seed * 7 + u64::from(distance))
            })
            .collect();
        let n_true =
            |k: usize| truth[..=k].iter().flatten().filter(|is_true| **is_true).count() as f64;
        let rows = precision(&strata);
        let mut holds = true;
        for (k, row) in rows.iter().enumerate() {
            let share = n_true(k) / truth[..=k].iter().flatten().count() as f64;
            within[k].note((row.cumulative.low, row.cumulative.high), share);
            holds &= row.bound <= share;
            if k < 6 {
                let found = row.window_recall;
                kept[k].note((found.low, found.high), n_true(k) / n_true(6));
            }
        }
        // The bounds hold together, so that the largest k that passes is no better by luck.
        bounds.note((0.0, 1.0), if holds { 0.5 } else { 2.0 });
    }
    for (k, held) in within.iter().enumerate() {
        held.is_enough(&format!("precision within k = {k}"));
    }
    for (k, held) in kept.iter().enumerate() {
        held.is_enough(&format!("share kept within k = {k}"));
    }
    bounds.is_enough("all bounds of the precision at once");
}
