//! Turns counted features into a fingerprint: weights, votes, and the numbers stored with it.

use super::count::HashColumns;
use super::votes::{AT_ONCE, Votes};
use super::{Features, FingerprintRecord, Recipe};
use crate::feature::{DocumentFrequencies, FixedWeight};
use crate::progress::{Cancelled, Progress};

/// Features, or repeated features, between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 16;

/// Adds the votes of every distinct feature: first each votes as if it occurred once, then those that occur more often
/// vote with the rest of their weight. `frequencies` are those of the corpus under tf-idf, and `None` under other
/// weights.
pub(super) fn fingerprint(
    recipe: &Recipe,
    frequencies: Option<&DocumentFrequencies>,
    features: &Features,
    progress: &Progress,
) -> Result<FingerprintRecord, Cancelled> {
    let (hashes, one) = (features.hashes(), FixedWeight(FixedWeight::ONE));
    let mut votes = Votes::new(recipe.bits);
    let (mut heaviest, n_features) = match frequencies {
        _ if hashes.len() == 0 => (FixedWeight(0), 0),
        None => {
            for hashes in hashes.chunks(CHECK_INTERVAL) {
                progress.check()?;
                votes.add_equal(hashes, one);
            }
            (one, hashes.len())
        }
        Some(frequencies) => vote_by_frequency(hashes, frequencies, &mut votes, progress)?,
    };
    for repeats in features.repeats.chunks(CHECK_INTERVAL) {
        progress.check()?;
        for repeat in repeats {
            let hash = hashes.get(repeat.number as usize);
            let (once, weight) = match frequencies {
                None => (one, recipe.weights.weigh(repeat.count, 1.0)),
                Some(frequencies) => {
                    let df = frequencies.of(hash as u64);
                    (frequencies.weight(df, 1), frequencies.weight(df, repeat.count))
                }
            };
            votes.add(hash, FixedWeight(weight.0 - once.0));
            heaviest = heaviest.max(weight);
        }
    }
    let record = record(recipe, &votes, n_features, heaviest);
    Ok(FingerprintRecord { n_tokens: features.n_tokens, ..record })
}

/// Lets features vote whose hashes and weights come from elsewhere: each hash with the sum of its weights. A hash that
/// weighs nothing is no feature.
pub(super) fn of_hashes(recipe: &Recipe, hashes: &[(u64, f64)]) -> FingerprintRecord {
    let fixed = |&(hash, weight): &(u64, f64)| (hash, FixedWeight::from_f64(weight).0);
    let mut features: Vec<(u64, i64)> = hashes.iter().map(fixed).collect();
    features.sort_unstable();
    features.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    features.retain(|&(_, weight)| weight > 0);
    let heaviest = features.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
    let weighed = features.iter().map(|&(hash, weight)| (u128::from(hash), FixedWeight(weight)));
    record(recipe, &Votes::of(recipe.bits, weighed), features.len(), FixedWeight(heaviest))
}

/// The record that votes decide: no fingerprint where no feature weighs something, because there is none, or because
/// the frequency cut excludes them all.
fn record(
    recipe: &Recipe,
    votes: &Votes,
    n_features: usize,
    heaviest: FixedWeight,
) -> FingerprintRecord {
    if heaviest.0 == 0 {
        return FingerprintRecord::carried(None);
    }
    FingerprintRecord {
        fingerprint: Some(votes.fingerprint(recipe.tie)),
        n_tokens: 0,
        n_features: n_features as u32,
        n_ties: votes.ties() as u8,
        dominated: heaviest.0 > votes.total() - heaviest.0,
        unreadable: false,
    }
}

/// Adds votes weighed by document frequencies, and returns the heaviest weight and the number of features that weigh
/// something.
fn vote_by_frequency(
    hashes: HashColumns<'_>,
    frequencies: &DocumentFrequencies,
    votes: &mut Votes,
    progress: &Progress,
) -> Result<(FixedWeight, usize), Cancelled> {
    let (mut heaviest, mut n_features, mut weights) = (0, 0, [0; AT_ONCE]);
    for hashes in hashes.chunks(CHECK_INTERVAL) {
        progress.check()?;
        for hashes in hashes.chunks(AT_ONCE) {
            let weights = &mut weights[..hashes.len()];
            let mut n = 0;
            frequencies.for_each(hashes.low, |df| {
                weights[n] = frequencies.weight(df, 1).0 as u32;
                heaviest = heaviest.max(weights[n]);
                n_features += usize::from(weights[n] > 0);
                n += 1;
            });
            votes.add_light(hashes, weights);
        }
    }
    Ok((FixedWeight(i64::from(heaviest)), n_features))
}
