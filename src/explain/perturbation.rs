//! The distances that a text moves when some of its words change, in many trials.
//!
//! Words drawn at random are replaced by words that the text does not have, as typing errors, edits and
//! scanning errors do: first one word in each of several beginnings of the text, then shares of all its words.
//!
//! One hash function gives one random set of bits for a text, and this choice affects all edits: mean distances
//! under single functions vary by 1.0 to 1.5 bits. So every trial has its own random hash function, and trials
//! are independent: the mean is over hash functions and edits, and its interval is valid. Only the keys of the
//! features are hashed again, so that they keep their weights.
//!
//! The theory is computed for comparison: the exact cosine of each changed text with the original, and f/pi
//! times the arccosine of it, which is the expected distance with random hyperplanes. This cosine includes the
//! effect of shingles that overlap or repeat, and of frequent words. Votes of features of equal weight are
//! integers, and where few of them change a text of any length moves less than the theory: for c changed features
//! by a share of about 1 / 8c, a ninth for one and 4 % for three. Ties of short texts take more. Each trial
//! costs one pass over the text and two sums of its votes.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use unicode_segmentation::UnicodeSegmentation;

use super::overlap::FeatureVector;
use crate::evaluate::angle;
use crate::progress::{Cancelled, Progress};
use crate::simhash::hash::FeatureHash;
use crate::simhash::{Fingerprint, Fingerprinter, Scratch, Votes};

/// The distances after changing a number of words.
#[derive(Clone, Debug, PartialEq)]
pub struct PerturbationRow {
    /// The number of words of the text, or of its beginning.
    pub n_words: usize,
    /// The number of words changed in each trial, at least one.
    pub n_changed: usize,
    /// The number of trials that ended at each distance, from 0 to the width.
    pub counts: Vec<u32>,
    /// The mean over the trials of the exact cosine with the unchanged text, -1 to 1.
    pub cosine: f64,
    /// The mean over the trials of the expected distance at their exact cosine, in bits.
    pub expected: f64,
}

impl PerturbationRow {
    /// The number of trials.
    pub fn n_trials(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The mean distance.
    pub fn mean(&self) -> f64 {
        let sum: u64 = (0..).zip(&self.counts).map(|(d, &n)| d * u64::from(n)).sum();
        sum as f64 / f64::from(self.n_trials().max(1))
    }

    /// The 95 % interval of the mean over all hash functions and edits: 1.96 standard errors on both sides. It
    /// needs dozens of trials or more.
    pub fn mean_interval(&self) -> (f64, f64) {
        let (n, mean) = (f64::from(self.n_trials().max(2)), self.mean());
        let squares = (0..)
            .zip(&self.counts)
            .map(|(d, &count): (u32, _)| f64::from(count) * (f64::from(d) - mean).powi(2));
        let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
        ((mean - 1.96 * error).max(0.0), mean + 1.96 * error)
    }

    /// The number of trials that stayed within `k`.
    pub fn within(&self, k: u32) -> u32 {
        self.counts.iter().take(k as usize + 1).sum()
    }
}

/// The changes to try: one word in each beginning of the text, then shares of all its words.
#[derive(Clone, Copy, Debug)]
pub struct PerturbationPlan<'a> {
    /// Numbers of words of the beginnings, ascending. Beginnings longer than half of the text are left out; the
    /// whole text comes last.
    pub lengths: &'a [usize],
    /// Shares of the words of the whole text, ascending, 0 to 1.
    pub shares: &'a [f64],
    /// The number of trials of each change.
    pub n_trials: u32,
}

/// Changes words of `text` according to the plan. Returns one [`PerturbationRow`] for each beginning and share,
/// in order. If two shares of a short text are the same number of words, they are tried once.
///
/// Equal seeds give equal trials. `None` if the text has no words or no features.
///
/// # Errors
/// [`Cancelled`] if cancelled, which is checked before each trial.
pub fn perturb(
    text: &str,
    fingerprinter: &Fingerprinter,
    plan: PerturbationPlan<'_>,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Vec<PerturbationRow>>, Cancelled> {
    let pieces: Vec<&str> = text.split_word_bounds().collect();
    let is_word = |piece: &str| piece.contains(char::is_alphanumeric);
    let words: Vec<usize> = (0..pieces.len()).filter(|&at| is_word(pieces[at])).collect();
    let n_words = words.len();
    if n_words == 0 {
        return Ok(None);
    }
    let mut bench = Bench {
        fingerprinter,
        progress,
        scratch: Scratch::default(),
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
    };
    let mut found = Vec::new();
    for &length in plan.lengths.iter().filter(|&&length| 0 < length && 2 * length <= n_words) {
        let beginning = &pieces[..=words[length - 1]];
        // A beginning without features, such as one of stop words only, is left out.
        if let Some(mut part) = bench.text(beginning, &words[..length], plan.n_trials)? {
            let Some(row) = bench.change(&mut part, 1)? else { return Ok(None) };
            found.push(row);
        }
    }
    let Some(mut whole) = bench.text(&pieces, &words, plan.n_trials)? else { return Ok(None) };
    let number = |share: f64| ((share * n_words as f64).round() as usize).clamp(1, n_words);
    let mut numbers: Vec<usize> = plan.shares.iter().map(|&share| number(share)).collect();
    if !plan.lengths.is_empty() {
        numbers.insert(0, 1);
    }
    numbers.dedup();
    for n_changed in numbers {
        let Some(row) = bench.change(&mut whole, n_changed)? else { return Ok(None) };
        found.push(row);
    }
    Ok(Some(found))
}

/// The data that all trials share.
struct Bench<'a> {
    fingerprinter: &'a Fingerprinter,
    progress: &'a Progress,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
}

/// A text to change.
struct Subject<'a> {
    pieces: &'a [&'a str],
    /// The indices of the pieces that are words, in any order.
    words: Vec<usize>,
    vector: FeatureVector,
    /// The seed of the hash function of each trial, and the fingerprint of the text under it.
    hashes: Vec<(u64, Fingerprint)>,
}

impl Bench<'_> {
    /// A text of these pieces, with a hash function for each trial; `None` if it has no features.
    fn text<'p>(
        &mut self,
        pieces: &'p [&'p str],
        words: &[usize],
        n_trials: u32,
    ) -> Result<Option<Subject<'p>>, Cancelled> {
        let vector = self.vector(&pieces.concat())?;
        let mut hashes = Vec::new();
        for _ in 0..n_trials {
            let seed = self.random.random();
            self.progress.check()?;
            hashes.push((seed, self.fingerprint(&vector, seed)));
        }
        let has_features = !vector.0.is_empty();
        let subject = Subject { pieces, words: words.to_vec(), vector, hashes };
        Ok(has_features.then_some(subject))
    }

    /// Changes a number of words, once for each hash function; `None` if a changed text has no features.
    fn change(
        &mut self,
        subject: &mut Subject<'_>,
        n_changed: usize,
    ) -> Result<Option<PerturbationRow>, Cancelled> {
        let width = self.fingerprinter.recipe().bits;
        let mut counts = vec![0; width as usize + 1];
        let (mut cosines, mut expected) = (0.0, 0.0);
        for &(seed, whole) in &subject.hashes {
            let new: Vec<String> = (0..n_changed).map(|_| word(self.random.random())).collect();
            let mut fresh = subject.pieces.to_vec();
            let (chosen, _) = subject.words.partial_shuffle(&mut self.random, n_changed);
            for (&mut place, new) in chosen.iter_mut().zip(&new) {
                fresh[place] = new;
            }
            let changed = self.vector(&fresh.concat())?;
            if changed.0.is_empty() {
                return Ok(None);
            }
            counts[whole.distance(self.fingerprint(&changed, seed)) as usize] += 1;
            // Texts whose features all have no weight count as equal.
            let cosine = subject.vector.similarity(&changed).map_or(1.0, |it| it.cosine);
            cosines += cosine;
            expected += angle::expected_distance(cosine, width);
        }
        let n = (subject.hashes.len() as f64).max(1.0);
        let (n_words, cosine, expected) = (subject.words.len(), cosines / n, expected / n);
        Ok(Some(PerturbationRow { n_words, n_changed, counts, cosine, expected }))
    }

    fn vector(&mut self, text: &str) -> Result<FeatureVector, Cancelled> {
        self.progress.check()?;
        FeatureVector::new(text, self.fingerprinter, &mut self.scratch, self.progress)
    }

    /// The fingerprint under the hash function of this seed.
    fn fingerprint(&self, vector: &FeatureVector, seed: u64) -> Fingerprint {
        let recipe = self.fingerprinter.recipe();
        let hash = FeatureHash::new(recipe.hash.for_many_seeds(), seed, recipe.bits);
        let hashed = vector.0.iter().map(|&(key, weight)| (hash.hash(&key.to_le_bytes()), weight));
        Votes::of(recipe.bits, hashed).fingerprint(recipe.tie)
    }
}

/// A word that no text has: consonants chosen by a random number.
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
    use crate::explain::Overlap;
    use crate::explain::overlap::align;

    fn fingerprinter(line: &str) -> Fingerprinter {
        Fingerprinter::new(&line.parse().unwrap()).unwrap()
    }

    fn words(n: u32) -> String {
        (0..n).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ")
    }

    fn plan<'a>(lengths: &'a [usize], shares: &'a [f64], n_trials: u32) -> PerturbationPlan<'a> {
        PerturbationPlan { lengths, shares, n_trials }
    }

    /// The mean distance, in bits of 64, after replacing one of an odd number of words of equal weight. A bit
    /// flips if its votes are 1 or -1, the word is in the majority, and the new word votes against it.
    fn exactly(n_words: u32) -> f64 {
        let half = n_words / 2;
        // C(n, n/2) / 2^n as a product, so that nothing overflows.
        let at_one: f64 =
            (1..=half).map(|i| f64::from(half + 1 + i) / (4.0 * f64::from(i))).product();
        64.0 * at_one * f64::from(half + 1) / f64::from(n_words) * 0.5
    }

    #[test]
    fn the_mean_distance_of_equal_words_is_that_of_their_votes() {
        assert!((exactly(3) - 64.0 * 0.75 * 2.0 / 3.0 * 0.5).abs() < 1e-9);
        for n_words in [21, 101, 501] {
            let shares = [1.0 / f64::from(n_words)];
            let fingerprinter = fingerprinter("words:1 binary");
            let (text, plan) = (words(n_words), plan(&[], &shares, 100));
            let held = (0..100).filter(|&seed| {
                let found =
                    perturb(&text, &fingerprinter, plan, seed, &Progress::new()).unwrap().unwrap();
                assert_eq!((found[0].n_changed, found[0].n_trials()), (1, 100));
                let (low, high) = found[0].mean_interval();
                low <= exactly(n_words) && exactly(n_words) <= high
            });
            let held = held.count();
            assert!(held >= 90, "{n_words} words: {held} of 100 intervals hold the mean");
            // Votes are integers: texts move less than with random hyperplanes, most of all texts of few words.
            let theory = angle::expected_distance(1.0 - 1.0 / f64::from(n_words), 64);
            assert!((0.8..0.96).contains(&(exactly(n_words) / theory)), "{theory}");
        }
    }

    #[test]
    fn the_interval_of_the_mean_is_the_standard_error_s() {
        // Distances 1, 2, 2, 3: mean 2, variance 2/3, error sqrt(1/6).
        let counts = vec![0, 1, 2, 1];
        let row = PerturbationRow { n_words: 10, n_changed: 1, counts, cosine: 0.9, expected: 2.0 };
        let (low, high) = row.mean_interval();
        assert!((low - 1.2).abs() < 1e-3 && (high - 2.8).abs() < 1e-3, "{low} to {high}");
    }

    #[test]
    fn shares_with_the_same_number_of_words_are_one_row() {
        let fingerprinter = fingerprinter("words:2");
        let run = |n, lengths| {
            let plan = plan(lengths, &[0.01, 0.02, 0.05], 5);
            perturb(&words(n), &fingerprinter, plan, 1, &Progress::new()).unwrap().unwrap()
        };
        let done = |n, lengths| -> Vec<(usize, usize)> {
            run(n, lengths).iter().map(|row| (row.n_changed, row.n_words)).collect()
        };
        assert_eq!(done(74, &[]), [(1, 74), (4, 74)]);
        assert_eq!(done(300, &[]), [(3, 300), (6, 300), (15, 300)]);
        assert_eq!((run(74, &[])[0].n_changed, run(74, &[])[0].n_words), (1, 74));
        assert_eq!(done(74, &[20, 80, 240]), [(1, 20), (1, 74), (4, 74)]);
        assert_eq!(done(30, &[20, 80, 240]), [(1, 30), (2, 30)]);
        let long = [(1, 20), (1, 80), (1, 240), (1, 500), (5, 500), (10, 500), (25, 500)];
        assert_eq!(done(500, &[20, 80, 240]), long);
    }

    #[test]
    fn one_word_moves_a_short_text_far_and_a_long_one_hardly() {
        let plan = plan(&[20, 80, 240], &[], 200);
        let found = perturb(&words(720), &fingerprinter("words:3"), plan, 1, &Progress::new())
            .unwrap()
            .unwrap();
        let means: Vec<f64> = found.iter().map(PerturbationRow::mean).collect();
        // 64/pi arccos(1 - 3/(W - 2)) for 20, 80, 240 and 720 words.
        for (mean, expected) in means.iter().zip([11.9, 5.7, 3.2, 1.9]) {
            assert!((0.8..1.1).contains(&(mean / expected)), "{means:?}");
        }
    }

    proptest! {
        /// Words repeat, as in real text, and a few of them are more frequent than all others.
        #[test]
        fn the_exact_cosine_equals_that_of_the_feature_votes(
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
            let [one, other] = [&whole, &changed].map(|text| {
                let scratch = &mut Scratch::default();
                FeatureVector::new(text, &fingerprinter, scratch, &Progress::new()).unwrap()
            });
            let found = one.similarity(&other).unwrap().cosine;
            let [a, b] = [&whole, &changed].map(|text| fingerprinter.feature_votes(text));
            let exact = Overlap::new(&align(&a, &b)).cosine.unwrap();
            prop_assert!((found - exact).abs() < 1e-12, "{found} is not {exact}");
        }
    }

    #[test]
    fn more_change_moves_farther_and_a_seed_repeats() {
        let text = "the tide came in over the flat sand and the boats along the wall rose with it, \
                    slowly at first, until every rope had gone slack and every keel was free again";
        let fingerprinter = fingerprinter("words:1 tf");
        let plan = plan(&[], &[0.02, 0.1, 0.5], 100);
        let run = || perturb(text, &fingerprinter, plan, 7, &Progress::new()).unwrap().unwrap();
        let found = run();
        assert!(found[0].mean() < found[1].mean() && found[1].mean() < found[2].mean());
        assert_eq!(found, run());
        assert_eq!(found[2].within(64), 100);
    }

    #[test]
    fn a_text_without_words_and_a_cancel_give_no_rows() {
        let fingerprinter = fingerprinter("words:1 tf");
        let plan = plan(&[20], &[0.1], 3);
        for text in ["", "  ", "?!"] {
            assert_eq!(perturb(text, &fingerprinter, plan, 1, &Progress::new()), Ok(None));
        }
        let progress = Progress::cancelled_at_check(1);
        assert_eq!(perturb("the tide", &fingerprinter, plan, 1, &progress), Err(Cancelled));
    }
}
