//! Recall from the true pairs of texts drawn at random: short texts and long ones, copies and edits.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use simscope::evaluate::cosine::{Bag, Bags};
use simscope::evaluate::recall;
use simscope::evaluate::sample::draw;
use simscope::evaluate::truth::{Join, TruePair};
use simscope::evaluate::vectors::TextVectors;
use simscope::feature::Weighting;
use simscope::progress::Progress;
use simscope::simhash::{Fingerprint, Fingerprinter, Recipe, Scratch};

use super::{Held, random};

/// Different texts of a made corpus, and its true pairs.
struct Corpus {
    texts: Vec<String>,
    pairs: Vec<TruePair>,
}

/// Words by Zipf's law.
fn word(random: &mut Xoshiro256PlusPlus) -> String {
    format!("w{}", (5000_f64.powf(random.random::<f64>())) as u32)
}

impl Corpus {
    /// Texts of `length` words; of every five, one was edited once or more, in families of several sizes.
    fn new(length: usize, seed: u64) -> Self {
        let mut random = random(seed);
        let mut texts = Vec::new();
        while texts.len() < 2000 {
            let fresh: Vec<String> = (0..length).map(|_| word(&mut random)).collect();
            texts.push(fresh.join(" "));
            if random.random_bool(0.15) {
                // One edited text, or up to thirty.
                let n = (1.0 / random.random_range(0.033..1.0_f64)) as u32;
                let mut last = fresh;
                for _ in 0..n {
                    let edits = random.random_range(1..=(length / 15).max(1));
                    for _ in 0..edits {
                        let at = random.random_range(0..length);
                        last[at] = word(&mut random);
                    }
                    texts.push(last.join(" "));
                }
            }
        }
        let fingerprinter = fingerprinter(0);
        let texts: Vec<String> =
            texts.into_iter().collect::<BTreeSet<String>>().into_iter().collect();
        let mut bags = Bags::new();
        let mut scratch = Scratch::default();
        for text in &texts {
            let features =
                fingerprinter.try_features(text, &mut scratch, &Progress::new()).unwrap();
            bags.push(Some(&Bag::new(features.counted())));
        }
        let vectors = TextVectors::new(&bags, [Weighting::Tf], &Progress::new()).unwrap();
        assert_eq!(vectors.distinct.len(), texts.len(), "texts differ in their features");
        let join = Join::new(&vectors.vectors[0], 0.7, &Progress::new()).unwrap();
        let pairs = join.pairs(usize::MAX, &Progress::new()).unwrap();
        Self { texts, pairs }
    }

    fn fingerprints(&self, seed: u64) -> Vec<Fingerprint> {
        let fingerprinter = fingerprinter(seed);
        self.texts.iter().map(|text| fingerprinter.fingerprint(text).unwrap()).collect()
    }
}

fn fingerprinter(seed: u64) -> Fingerprinter {
    let recipe = Recipe { seed, ..Recipe::default() };
    Fingerprinter::new(&recipe).unwrap()
}

/// A search of fingerprints: within k, or by bands.
type Search = (&'static str, fn(Fingerprint, Fingerprint) -> bool);

const SEARCHES: [Search; 3] = [
    ("k = 3", |a, b| a.distance(b) <= 3),
    ("k = 12", |a, b| a.distance(b) <= 12),
    ("8x8 bands", |a, b| {
        let xor = a.bits() ^ b.bits();
        (0..8).any(|band| (xor >> (8 * band)).trailing_zeros() >= 8)
    }),
];

#[test]
#[ignore = "thousands of samples of twelve corpora"]
fn coverage_of_sampled_recall() {
    for length in [20, 60, 300] {
        for (search, is_found) in SEARCHES {
            let mut held = Held::default();
            for number in 0..8 {
                let corpus = Corpus::new(length, number);
                let bits = corpus.fingerprints(number);
                let n = corpus.texts.len();
                let met = |&TruePair { a, b, .. }: &TruePair| {
                    ([a, b], is_found(bits[a as usize], bits[b as usize]))
                };
                let all: Vec<([u32; 2], bool)> = corpus.pairs.iter().map(met).collect();
                let found = all.iter().filter(|(_, is_found)| *is_found).count();
                for draw_number in 0..150 {
                    let drawn = draw(n / 5, n as u64, draw_number);
                    let drawn: Vec<u32> = drawn.into_iter().map(|text| text as u32).collect();
                    let is_of = |text: &u32| drawn.binary_search(text).is_ok();
                    let some = all.iter().filter(|(pair, _)| pair.iter().any(is_of)).copied();
                    let recall = recall::of_drawn(some, &drawn, n).unwrap();
                    held.note((recall.low, recall.high), found as f64 / all.len() as f64);
                }
            }
            held.is_near(&format!("sampled recall, {length} words, {search}"));
        }
    }
}
