//! The distances of all pairs of documents, including copies: exactly, or in a sample of pairs.
//!
//! ```text
//! documents   a a a a a b b c d e f ..     five copies of a, two of b
//! heavy       a x 5                        scanned once, each hit counted 5 times
//! light       b b c d e f ..               unfolded, and counted everything with everything
//! ```
//!
//! The fast scan counts every pair once and cannot weigh pairs. So entries with few copies are repeated for each
//! copy, and the pairs of entries with many copies are weighed in a slower scan. The limit between few and many
//! is chosen so that both scans together cost least: a corpus without copies costs one fast scan, and a page with
//! a million copies costs one row.
//!
//! A sample draws pairs of documents uniformly, with replacement. Each draw is a hash of the seed and the number
//! of the draw, so the sample does not depend on the number of threads.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::block::n_pairs;
use super::scan::summed;
use super::{Distinct, distance_histogram};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The cost of a weighed comparison, in fast comparisons.
const WEIGHED: f64 = 10.0;
/// The cost of a fast comparison beyond 64 bits, in comparisons up to 64 bits.
const WIDE: f64 = 10.0;
/// Comparisons, or draws, between two checks for cancellation: under a millisecond.
const STRIDE: usize = 1 << 16;

/// The number of pairs of documents at each distance: element d is the number at distance d, from 0 to the bits
/// of the word.
///
/// Exact, from all pairs; pairs of copies have distance 0. [`document_comparisons`] is its cost.
///
/// # Errors
/// [`Cancelled`] if cancelled; noticed within milliseconds.
pub fn document_histogram<B: Bits>(
    distinct: &Distinct<B>,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    let split = Split::new(distinct);
    progress.check()?;
    let mut counts = split.weighed(distinct, progress)?;
    for &entry in split.heavy() {
        counts[0] += n_pairs(distinct.documents(entry).len());
    }
    let mut unfolded: Vec<B> = Vec::with_capacity(split.n_light);
    for entry in split.light(distinct) {
        let n = distinct.documents(entry).len();
        unfolded.extend(std::iter::repeat_n(distinct.value(entry), n));
    }
    for (count, found) in counts.iter_mut().zip(distance_histogram(&unfolded, progress)?) {
        *count += found;
    }
    Ok(counts)
}

/// The cost of [`document_histogram`], in comparisons of 64-bit words; a core makes about 10^10 comparisons a
/// second.
pub fn document_comparisons<B: Bits>(distinct: &Distinct<B>) -> f64 {
    let wide = if B::CAPACITY > u64::BITS { WIDE } else { 1.0 };
    Split::new(distinct).cost * wide
}

/// The number of pairs at each distance among `draws` pairs of documents, drawn with replacement; with a reference,
/// of one document of each corpus.
///
/// All 0 if there is no pair. Costs about 20 ns for each draw on one core, and 4 bytes for each document.
///
/// # Errors
/// [`Cancelled`] if cancelled; noticed within milliseconds.
pub fn sampled_histogram<B: Bits>(
    distinct: &Distinct<B>,
    draws: u32,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<u64>, Cancelled> {
    // The entry of each document of a side.
    let entries = |side: usize| -> Vec<u32> {
        let copies = |entry| distinct.documents_by_side(entry)[side].len();
        let entries = 0..distinct.len() as u32;
        entries.flat_map(|entry| std::iter::repeat_n(entry, copies(entry))).collect()
    };
    let (first, reference) = (entries(0), distinct.sides().map(|_| entries(1)));
    let n = first.len() as u64;
    let n_others = reference.as_ref().map_or(n.saturating_sub(1), |it| it.len() as u64);
    if n == 0 || n_others == 0 {
        return Ok(vec![0; B::CAPACITY as usize + 1]);
    }
    progress.begin(u64::from(draws));
    let strides = (0..draws as usize).into_par_iter().step_by(STRIDE);
    summed(B::CAPACITY, strides, |counts, from| {
        progress.check()?;
        let to = (draws as usize).min(from + STRIDE);
        for draw in from as u64..to as u64 {
            let a = below(n, random(seed, 2 * draw));
            let other = below(n_others, random(seed, 2 * draw + 1));
            let b = match &reference {
                None => first[(other + u64::from(other >= a)) as usize],
                Some(reference) => reference[other as usize],
            };
            let distance = distinct.value(first[a as usize]).distance(distinct.value(b));
            counts[distance as usize] += 1;
        }
        progress.add((to - from) as u64);
        Ok(())
    })
}

/// The entries split into heavy ones, with many copies, and light ones.
struct Split {
    /// The entries with copies, most copies first: the heavy ones, then the light ones with copies.
    copied: Vec<u32>,
    /// The number of heavy entries.
    n_heavy: usize,
    /// The number of documents of light entries.
    n_light: usize,
    cost: f64,
}

impl Split {
    fn new<B: Bits>(distinct: &Distinct<B>) -> Self {
        let copies = |entry: u32| distinct.documents(entry).len();
        let mut copied: Vec<u32> = distinct.copied().collect();
        copied.sort_by_key(|&entry| (Reverse(copies(entry)), entry));
        let all = distinct.n_fingerprinted();
        let mut split = Self { copied, n_heavy: 0, n_light: all, cost: n_pairs(all) as f64 };
        let (mut weighed, mut n_light) = (0.0, all);
        for (rank, &entry) in split.copied.iter().enumerate() {
            n_light -= copies(entry);
            weighed += WEIGHED * (distinct.len() - rank) as f64;
            let cost = weighed + n_pairs(n_light) as f64;
            if cost < split.cost {
                (split.cost, split.n_heavy, split.n_light) = (cost, rank + 1, n_light);
            }
        }
        split
    }

    /// The heavy entries, most copies first.
    fn heavy(&self) -> &[u32] {
        &self.copied[..self.n_heavy]
    }

    /// The light entries, those with copies first.
    fn light<B: Bits>(&self, distinct: &Distinct<B>) -> impl Iterator<Item = u32> {
        let is_single = |&entry: &u32| distinct.documents(entry).len() == 1;
        let singles = (0..distinct.len() as u32).filter(is_single);
        self.copied[self.n_heavy..].iter().copied().chain(singles)
    }

    /// The pairs of heavy entries with light entries and with each other, weighed by their copies.
    fn weighed<B: Bits>(
        &self,
        distinct: &Distinct<B>,
        progress: &Progress,
    ) -> Result<Vec<u64>, Cancelled> {
        let copies = |entry: u32| distinct.documents(entry).len() as u64;
        let heavy = self.heavy();
        let light: Vec<u32> =
            if heavy.is_empty() { Vec::new() } else { self.light(distinct).collect() };
        progress.begin(heavy.len() as u64);
        summed(B::CAPACITY, (0..heavy.len()).into_par_iter(), |counts, row| {
            let (value, weight) = (distinct.value(heavy[row]), copies(heavy[row]));
            for others in [&heavy[row + 1..], &light] {
                for stride in others.chunks(STRIDE) {
                    progress.check()?;
                    for &other in stride {
                        let distance = value.distance(distinct.value(other));
                        counts[distance as usize] += weight * copies(other);
                    }
                }
            }
            progress.add(1);
            Ok(())
        })
    }
}

/// The `number`th random word of a seed by `SplitMix64`, which is a hash of a counter.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), figure 16.
fn random(seed: u64, number: u64) -> u64 {
    let mixed = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Maps a random word to a number below `n`; the bias is less than n / 2^64.
fn below(n: u64, word: u64) -> u64 {
    ((u128::from(n) * u128::from(word)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapsed(words: &[u64]) -> Distinct<u64> {
        let words: Vec<Option<u64>> = words.iter().copied().map(Some).collect();
        Distinct::collapse(&words, &Progress::new()).unwrap()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first words of seed 1234567.
        let words: Vec<u64> = (0..3).map(|number| random(1_234_567, number)).collect();
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(words, expected);
    }

    #[test]
    fn many_copies_are_weighed_and_few_unfolded() {
        // 3000 copies of one word among a thousand singles, and one of them twice.
        let singles = (1..1000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let words: Vec<u64> = std::iter::repeat_n(0, 3000).chain(singles).chain([1]).collect();
        let split = Split::new(&collapsed(&words));
        assert_eq!((split.heavy(), split.n_light), (&[0][..], 1000));
        assert!(split.cost < n_pairs(1001) as f64 + WEIGHED * 1001.0 + 1.0);
    }

    #[test]
    fn a_sample_is_reproducible_and_fair() {
        let words: Vec<u64> = (0..64).map(|n| if n < 16 { 0 } else { u64::MAX }).collect();
        let distinct = collapsed(&words);
        let draw = |seed| sampled_histogram(&distinct, 100_000, seed, &Progress::new()).unwrap();
        let counts = draw(0);
        assert_eq!((&counts, counts.iter().sum::<u64>()), (&draw(0), 100_000));
        assert_ne!(counts, draw(1));
        // 16 * 48 of 64 * 63 / 2 pairs are 64 apart; four standard deviations are 0.6 %.
        let share = counts[64] as f64 / 1e5;
        assert!((share - 768.0 / 2016.0).abs() < 0.0062, "{share}");
        let none = sampled_histogram(&collapsed(&[7]), 10, 0, &Progress::new()).unwrap();
        assert_eq!(none.iter().sum::<u64>(), 0);
    }
}
