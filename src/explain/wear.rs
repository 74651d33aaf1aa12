//! How far a text moves when some of its words change: distances, many times over.
//!
//! Words drawn at random are replaced by words the text does not have, as typing errors, edits and
//! scanning do. Theory expects a cosine near 1 - s r for a share r of changed words and shingles of s,
//! and so a distance near f/pi arccos of it; a text with repeated words or few of them goes its own way,
//! which is why its own distances are counted here. Costs one fingerprint a trial.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::SliceRandom};
use unicode_segmentation::UnicodeSegmentation;

use crate::simhash::{Fingerprint, Fingerprinter, Scratch};

/// What came of changing one share of the words.
#[derive(Clone, Debug, PartialEq)]
pub struct Wear {
    /// The share of words changed, 0 to 1.
    pub share: f64,
    /// Words changed in each trial: at least one.
    pub n_changed: usize,
    /// Trials that ended at each distance, from 0 to the width.
    pub counts: Vec<u32>,
}

impl Wear {
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

/// Changes each share of the words of `text` so many times over; one [`Wear`] a share, in order.
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
    let whole = fingerprinter.sketch(text, &mut scratch).fingerprint?;
    let n_words = words.len();
    if n_words == 0 {
        return None;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut changed = String::with_capacity(text.len() + 64);
    let mut trial = |n_changed: usize| -> Option<Fingerprint> {
        let mut fresh = pieces.clone();
        let new: Vec<String> = (0..n_changed).map(|_| word(random.random())).collect();
        let (chosen, _) = words.partial_shuffle(&mut random, n_changed);
        for (&mut place, new) in chosen.iter_mut().zip(&new) {
            fresh[place] = new;
        }
        changed.clear();
        changed.extend(fresh);
        fingerprinter.sketch(&changed, &mut scratch).fingerprint
    };
    let wear = shares.iter().map(|&share| {
        let n_changed = ((share * n_words as f64).round() as usize).clamp(1, n_words);
        let mut counts = vec![0; whole.width() as usize + 1];
        for _ in 0..n_trials {
            if stop() {
                return None;
            }
            counts[whole.distance(trial(n_changed)?) as usize] += 1;
        }
        Some(Wear { share, n_changed, counts })
    });
    wear.collect()
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
    use super::*;
    use crate::text::StopWords;

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
            let mean = |number: u32| {
                let text: Vec<String> = (0..n_words).map(|n| format!("w{number}x{n}")).collect();
                let found =
                    wear(&text.join(" "), &fingerprinter, &[share], 50, 1, &|| false).unwrap();
                assert_eq!((found[0].n_changed, found[0].n_trials()), (1, 50));
                found[0].mean()
            };
            let mean = (0..12).map(mean).sum::<f64>() / 12.0;
            assert!((mean - expected).abs() < 0.7, "{n_words} words: {mean}");
        }
    }

    #[test]
    fn the_interval_of_the_mean_is_the_standard_error_s() {
        // Distances 1, 2, 2, 3: mean 2, variance 2/3, error sqrt(1/6).
        let wear = Wear { share: 0.1, n_changed: 1, counts: vec![0, 1, 2, 1] };
        let (low, high) = wear.mean_interval();
        assert!((low - 1.2).abs() < 1e-3 && (high - 2.8).abs() < 1e-3, "{low} to {high}");
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
