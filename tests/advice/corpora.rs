//! Made corpora: texts of random words, with near-duplicates planted at known rates.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Words there are.
const WORDS: u32 = 2000;

/// The planted pairs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Texts with some of their words replaced.
    Edits,
    /// The same, and many copies of some of them.
    CopiesAndEdits,
    /// Texts that share two thirds of their words with all others.
    Templates,
    /// Each text is the one before with two words replaced.
    Chain,
    /// Nothing.
    Unrelated,
    /// Edits of texts of a dozen words.
    Short,
}

pub(super) const KINDS: [Kind; 6] =
    [Kind::Edits, Kind::CopiesAndEdits, Kind::Templates, Kind::Chain, Kind::Unrelated, Kind::Short];

impl Kind {
    pub(super) fn texts(self, seed: u64) -> Vec<String> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ (self as u64) << 40);
        match self {
            Self::Edits => families(seed, 40, 4, 0.03, 150),
            Self::CopiesAndEdits => {
                let mut texts = families(seed, 30, 4, 0.03, 150);
                let copied: Vec<String> =
                    texts.iter().step_by(3).flat_map(|text| vec![text.clone(); 8]).collect();
                texts.extend(copied);
                texts
            }
            Self::Templates => {
                let shared = words(&mut rng, 100);
                let own = |rng: &mut _| [shared.clone(), words(rng, 50)].concat();
                (0..120).map(|_| own(&mut rng).join(" ")).collect()
            }
            Self::Chain => {
                let mut text = words(&mut rng, 150);
                let mut texts = Vec::new();
                for _ in 0..60 {
                    texts.push(text.join(" "));
                    for _ in 0..2 {
                        let at = rng.random_range(0..text.len());
                        text[at] = word(&mut rng);
                    }
                }
                texts
            }
            Self::Unrelated => (0..150).map(|_| words(&mut rng, 150).join(" ")).collect(),
            Self::Short => families(seed, 40, 4, 0.05, 12),
        }
    }
}

/// So many texts of `length` words, each followed by versions of it, in which a share of the words is
/// replaced, up to twice `rate`.
pub(super) fn families(
    seed: u64,
    n: usize,
    versions: usize,
    rate: f64,
    length: usize,
) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut texts = Vec::new();
    for _ in 0..n {
        let text = words(&mut rng, length);
        texts.push(text.join(" "));
        for version in 1..=versions {
            let rate = 2.0 * rate * version as f64 / versions as f64;
            let edited = text
                .iter()
                .map(|kept| if rng.random_bool(rate) { word(&mut rng) } else { kept.clone() });
            let edited: Vec<String> = edited.collect();
            texts.push(edited.join(" "));
        }
    }
    texts
}

fn words(rng: &mut Xoshiro256PlusPlus, n: usize) -> Vec<String> {
    (0..n).map(|_| word(rng)).collect()
}

fn word(rng: &mut Xoshiro256PlusPlus) -> String {
    format!("w{}", rng.random_range(0..WORDS))
}
