//! Features typed with their weights, and optionally their hashes: `coin:1.2=1001 bit:0.4=1111`.
//!
//! A text is such a list if each of its words is `feature:weight` or `feature:weight=bits`. Any other text is words.

use crate::feature::FixedWeight;
use crate::simhash::WeightedFeature;

/// A typed feature: its name, its weight and, if typed, its hash.
type Entry<'a> = (&'a str, f64, Option<&'a str>);

/// Whether a text is a list of typed features.
pub fn is_list(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| entry(word).is_some())
}

/// The features of a text for fingerprints of `bits` bits, if it is a list of typed features. A name that occurs twice
/// is one feature with both weights. `hash` gives the hash of a name; a typed hash is cut at its left, or filled with
/// zeros.
pub fn features(
    text: &str,
    bits: u32,
    hash: &dyn Fn(&str) -> Option<u128>,
) -> Option<Vec<WeightedFeature>> {
    if !is_list(text) {
        return None;
    }
    let mask = u128::MAX >> (128 - bits.clamp(1, 128));
    let mut features: Vec<WeightedFeature> = Vec::new();
    for (name, weight, typed) in text.split_whitespace().filter_map(entry) {
        let weight = FixedWeight::from_f64(weight);
        if let Some(known) = features.iter_mut().find(|known| known.shingle == name) {
            known.weight.0 += weight.0;
            known.count += 1;
            continue;
        }
        let typed = typed.and_then(|typed| u128::from_str_radix(typed, 2).ok());
        let hash = typed.or_else(|| hash(name)).unwrap_or(0) & mask;
        features.push(WeightedFeature { shingle: name.to_owned(), count: 1, hash, weight });
    }
    Some(features)
}

/// A word as a typed feature, if it is one: a weight above 0 and at most 1,000, a hash of 0 and 1.
fn entry(word: &str) -> Option<Entry<'_>> {
    let (name, rest) = word.rsplit_once(':')?;
    let (weight, hash) = match rest.split_once('=') {
        Some((weight, hash)) => (weight, Some(hash)),
        None => (rest, None),
    };
    let is_hash = |hash: &str| {
        (1..=128).contains(&hash.len()) && hash.bytes().all(|byte| matches!(byte, b'0' | b'1'))
    };
    let weight: f64 = weight.parse().ok()?;
    let is_sound = !name.is_empty() && weight > 0.0 && weight <= 1000.0 && hash.is_none_or(is_hash);
    is_sound.then_some((name, weight, hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::{FeatureVotes, TieRule};

    #[test]
    fn the_exercise_of_the_students_is_typed_as_it_is_set() {
        let list = features("coin:1.2=1001 bit:0.4=1111", 4, &|_| None).unwrap();
        let votes = FeatureVotes::of(list, 4).votes;
        let sums: Vec<f64> = (0..4).rev().map(|bit| votes.value(bit)).collect();
        for (sum, expected) in sums.iter().zip([1.6, -0.8, -0.8, 1.6]) {
            assert!((sum - expected).abs() < 1e-5, "{sums:?}");
        }
        assert_eq!(votes.fingerprint(TieRule::One).bits(), 0b1001);
    }

    #[test]
    fn only_a_list_of_features_is_one() {
        for text in
            ["", "the tide", "coin:1.2 bit", "a:0", "a:-1", "a:1=012", ":1", "a:nan", "a:1="]
        {
            assert!(features(text, 8, &|_| Some(1)).is_none(), "{text}");
        }
        let list = features("a:1 b:2=111111111 a:0.5", 8, &|_| Some(0x1ff)).unwrap();
        let found: Vec<_> =
            list.iter().map(|it| (&*it.shingle, it.hash, it.weight.to_f64())).collect();
        assert_eq!(found, [("a", 255, 1.5), ("b", 255, 2.0)]);
    }
}
