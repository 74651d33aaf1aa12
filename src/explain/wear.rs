//! How far a text moves when some of its words change: distances, many times over.
//!
//! Words drawn at random are replaced by words the text does not have, as typing errors, edits and
//! scanning do. What theory says of the very same trials stands beside what they came to: the exact cosine
//! of each changed text with the whole one, and f/pi arccos of it, the distance to expect of random
//! hyperplanes. Shingles that overlap or repeat, and words that occur often, are in that cosine. One text is
//! one draw of its bits, so a difference between the two means is its own. Costs one fingerprint a trial,
//! and a look-up a feature for the cosine.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::SliceRandom};
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    evaluate::angle,
    feature::FixedWeight,
    simhash::{Features, Fingerprint, Fingerprinter, Scratch},
};

/// What came of changing so many of the words.
#[derive(Clone, Debug, PartialEq)]
pub struct Wear {
    /// Words there are.
    pub n_words: usize,
    /// Words changed in each trial: at least one.
    pub n_changed: usize,
    /// Trials that ended at each distance, from 0 to the width.
    pub counts: Vec<u32>,
    /// The mean over the trials of the exact cosine with the whole text, -1 to 1.
    pub cosine: f64,
    /// The mean over the trials of the distance to expect at their exact cosine, in bits.
    pub expected: f64,
}

impl Wear {
    /// The share of the words that was changed, 0 to 1.
    pub fn share(&self) -> f64 {
        self.n_changed as f64 / self.n_words as f64
    }

    /// How many trials there were.
    pub fn n_trials(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The mean distance.
    pub fn mean(&self) -> f64 {
        let sum: u64 = (0..).zip(&self.counts).map(|(d, &n)| d * u64::from(n)).sum();
        sum as f64 / f64::from(self.n_trials().max(1))
    }

    /// The 95 % interval of the mean over all trials that could be made: 1.96 standard errors both ways.
    /// For the dozens of trials and more that this is for.
    pub fn mean_interval(&self) -> (f64, f64) {
        let (n, mean) = (f64::from(self.n_trials().max(2)), self.mean());
        let squares = (0..)
            .zip(&self.counts)
            .map(|(d, &count): (u32, _)| f64::from(count) * (f64::from(d) - mean).powi(2));
        let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
        ((mean - 1.96 * error).max(0.0), mean + 1.96 * error)
    }

    /// Trials that stayed within `k`.
    pub fn within(&self, k: u32) -> u32 {
        self.counts.iter().take(k as usize + 1).sum()
    }
}

/// Changes each share of the words of `text` so many times over; one [`Wear`] for each number of words that
/// these shares come to, in order: in a short text two shares may be the same word, and are told once.
///
/// The same seed gives the same trials. `None` where the text has no words or no features, or if `stop`
/// says so, which is asked before each trial.
pub fn wear(
    text: &str,
    fingerprinter: &Fingerprinter,
    shares: &[f64],
    n_trials: u32,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Wear>> {
    let mut scratch = Scratch::default();
    let pieces: Vec<&str> = text.split_word_bounds().collect();
    let is_word = |piece: &str| piece.contains(char::is_alphanumeric);
    let mut words: Vec<usize> = (0..pieces.len()).filter(|&at| is_word(pieces[at])).collect();
    let whole = fingerprinter.features_unless(text, &mut scratch, stop)?;
    let fingerprint = fingerprinter.sketch_features(&whole, &mut scratch).fingerprint?;
    let whole = Vector::new(&whole, fingerprinter);
    let n_words = words.len();
    if n_words == 0 {
        return None;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut changed = String::with_capacity(text.len() + 64);
    let mut trial = |n_changed: usize| -> Option<(Fingerprint, f64)> {
        let mut fresh = pieces.clone();
        let new: Vec<String> = (0..n_changed).map(|_| word(random.random())).collect();
        let (chosen, _) = words.partial_shuffle(&mut random, n_changed);
        for (&mut place, new) in chosen.iter_mut().zip(&new) {
            fresh[place] = new;
        }
        changed.clear();
        changed.extend(fresh);
        let features = fingerprinter.features_unless(&changed, &mut scratch, stop)?;
        let fingerprint = fingerprinter.sketch_features(&features, &mut scratch).fingerprint?;
        Some((fingerprint, whole.cosine(&features, fingerprinter)))
    };
    let number = |share: f64| ((share * n_words as f64).round() as usize).clamp(1, n_words);
    let mut numbers: Vec<usize> = shares.iter().map(|&share| number(share)).collect();
    numbers.dedup();
    let wear = numbers.into_iter().map(|n_changed| {
        let mut counts = vec![0; fingerprint.width() as usize + 1];
        let (mut cosines, mut expected) = (0.0, 0.0);
        for _ in 0..n_trials {
            if stop() {
                return None;
            }
            let (moved, cosine) = trial(n_changed)?;
            counts[fingerprint.distance(moved) as usize] += 1;
            cosines += cosine;
            expected += angle::expected_distance(cosine, fingerprint.width());
        }
        let n = f64::from(n_trials.max(1));
        let (cosine, expected) = (cosines / n, expected / n);
        Some(Wear { n_words, n_changed, counts, cosine, expected })
    });
    wear.collect()
}

/// The whole text as a vector: the weight of each feature by its key.
struct Vector {
    weights: HashMap<u64, FixedWeight>,
    square: i128,
}

impl Vector {
    fn new(features: &Features, fingerprinter: &Fingerprinter) -> Self {
        let weights: HashMap<u64, FixedWeight> = weighed(features, fingerprinter).collect();
        let square = weights.values().map(|weight| i128::from(weight.0).pow(2)).sum();
        Self { weights, square }
    }

    /// The exact cosine with a text that has features.
    fn cosine(&self, other: &Features, fingerprinter: &Fingerprinter) -> f64 {
        let (mut product, mut square) = (0, 0);
        for (key, weight) in weighed(other, fingerprinter) {
            let mine = self.weights.get(&key).map_or(0, |weight| weight.0);
            product += i128::from(mine) * i128::from(weight.0);
            square += i128::from(weight.0).pow(2);
        }
        (product as f64 / (self.square as f64 * square as f64).sqrt()).min(1.0)
    }
}

/// Every feature's key and weight.
fn weighed(
    features: &Features,
    fingerprinter: &Fingerprinter,
) -> impl Iterator<Item = (u64, FixedWeight)> {
    let weights = fingerprinter.recipe().weights;
    let table = fingerprinter.frequencies().filter(|_| weights.needs_frequencies());
    features.counted().map(move |(key, count)| {
        let idf = table.map_or(1.0, |table| table.inverse(key));
        (key, weights.weigh(count, idf))
    })
}

/// A word no text has: consonants of a random number.
fn word(mut number: u64) -> String {
    let consonant = || {
        let letters = b"bcdfghjklmnpqrst";
        let letter = letters[(number % 16) as usize];
        number /= 16;
        char::from(letter)
    };
    std::iter::repeat_with(consonant).take(12).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        explain::{Overlap, matched::matched},
        text::StopWords,
    };

    fn fingerprinter(line: &str) -> Fingerprinter {
        Fingerprinter::new(&line.parse().unwrap(), StopWords::none(), None).unwrap()
    }

    #[test]
    fn the_mean_distance_is_what_theory_expects_of_distinct_words() {
        // theory: W words, one replaced, s = 1: E[d] = 64/pi arccos(1 - 1/W). One text is one draw of its
        // bits, with margins of its own: the mean over several comes near it.
        for (n_words, expected) in [(101_u32, 2.9), (501, 1.3)] {
            let share = 1.0 / f64::from(n_words);
            let fingerprinter = fingerprinter("words:1 binary");
            let means = |number: u32| {
                let text: Vec<String> = (0..n_words).map(|n| format!("w{number}x{n}")).collect();
                let found =
                    wear(&text.join(" "), &fingerprinter, &[share], 50, 1, &|| false).unwrap();
                assert_eq!((found[0].n_changed, found[0].n_trials()), (1, 50));
                (found[0].mean(), found[0].expected)
            };
            let (found, said): (Vec<f64>, Vec<f64>) = (0..12).map(means).unzip();
            let mean = found.iter().sum::<f64>() / 12.0;
            assert!((mean - expected).abs() < 0.7, "{n_words} words: {mean}");
            assert!(said.iter().all(|said| (said - expected).abs() < 0.05), "{said:?}");
        }
    }

    #[test]
    fn the_interval_of_the_mean_is_the_standard_error_s() {
        // Distances 1, 2, 2, 3: mean 2, variance 2/3, error sqrt(1/6).
        let counts = vec![0, 1, 2, 1];
        let wear = Wear { n_words: 10, n_changed: 1, counts, cosine: 0.9, expected: 2.0 };
        let (low, high) = wear.mean_interval();
        assert!((low - 1.2).abs() < 1e-3 && (high - 2.8).abs() < 1e-3, "{low} to {high}");
    }

    #[test]
    fn the_same_words_changed_are_one_experiment() {
        let words = |n: u32| (0..n).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
        let fingerprinter = fingerprinter("words:2");
        let run = |n| wear(&words(n), &fingerprinter, &[0.01, 0.02, 0.05], 5, 1, &|| false);
        let changed = |n| run(n).unwrap().iter().map(|wear| wear.n_changed).collect::<Vec<_>>();
        assert_eq!(changed(74), [1, 4]);
        assert_eq!(changed(300), [3, 6, 15]);
        assert!((run(74).unwrap()[0].share() - 1.0 / 74.0).abs() < 1e-12);
    }

    proptest! {
        /// Words come again and again, as in real text, and a few of them more than all others.
        #[test]
        fn the_exact_cosine_is_that_of_the_ballots(
            words in proptest::collection::vec((0..6_u8, 0..40_u8), 1..80),
            changes in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
            recipe in prop_oneof![
                Just("words:1"), Just("words:3 binary"), Just("chars:4 log-tf"), Just("words:2 bits=100"),
            ],
        ) {
            let name = |&(kind, number): &(u8, u8)| match kind {
                0..3 => "tide".to_owned(),
                _ => format!("w{number}"),
            };
            let mut pieces: Vec<String> = words.iter().map(name).collect();
            let whole = pieces.join(" ");
            for (number, change) in changes.iter().enumerate() {
                *change.get_mut(&mut pieces) = word(number as u64 + 1);
            }
            let changed = pieces.join(" ");
            let fingerprinter = fingerprinter(recipe);
            let features = |text: &str| {
                fingerprinter.features_unless(text, &mut Scratch::default(), &|| false).unwrap()
            };
            let found = Vector::new(&features(&whole), &fingerprinter)
                .cosine(&features(&changed), &fingerprinter);
            let [a, b] = [&whole, &changed].map(|text| fingerprinter.ballot(text));
            let told = Overlap::new(&matched(&a, &b)).cosine.unwrap();
            prop_assert!((found - told).abs() < 1e-12, "{found} is not {told}");
        }
    }

    #[test]
    fn more_change_moves_farther_and_a_seed_repeats() {
        let text = "the tide came in over the flat sand and the boats along the wall rose with it, \
                    slowly at first, until every rope had gone slack and every keel was free again";
        let fingerprinter = fingerprinter("words:1 tf");
        let run = || wear(text, &fingerprinter, &[0.02, 0.1, 0.5], 100, 7, &|| false).unwrap();
        let found = run();
        assert!(found[0].mean() < found[1].mean() && found[1].mean() < found[2].mean());
        assert_eq!(found, run());
        assert_eq!(found[2].within(64), 100);
    }

    #[test]
    fn nothing_to_change_and_a_stop_give_nothing() {
        let fingerprinter = fingerprinter("words:1 tf");
        for text in ["", "  ", "?!"] {
            assert_eq!(wear(text, &fingerprinter, &[0.1], 3, 1, &|| false), None);
        }
        assert_eq!(wear("the tide", &fingerprinter, &[0.1], 3, 1, &|| true), None);
    }
}
