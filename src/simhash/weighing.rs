//! Turns counted features into a fingerprint: weights, votes, and the numbers stored with it.

use super::{Features, FingerprintRecord, Recipe, votes::VoteAccumulator};
use crate::{
    feature::{DocumentFrequencies, FixedWeight, Weighting},
    progress::{Cancelled, Progress},
};

/// Features, or repeated features, between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 16;
/// The number of features whose weights are computed before they vote.
const WEIGHED_AT_ONCE: usize = 128;

/// Adds the votes of every distinct feature. `frequencies` are those of the corpus under tf-idf, and `None` under
/// other weights; `votes` is a buffer.
pub(super) fn fingerprint(
    recipe: &Recipe,
    frequencies: Option<&DocumentFrequencies>,
    features: &Features,
    votes: &mut VoteAccumulator,
    progress: &Progress,
) -> Result<FingerprintRecord, Cancelled> {
    let (n_tokens, n_features) = (features.n_tokens, features.keys().len());
    votes.clear(recipe.bits);
    let (heaviest, n_features) = match frequencies {
        _ if n_features == 0 => (FixedWeight(0), 0),
        None => (vote(features, recipe.weights, votes, progress)?, n_features),
        Some(frequencies) => vote_tf_idf(features, frequencies, votes, progress)?,
    };
    Ok(FingerprintRecord { n_tokens, ..record(recipe, votes, n_features, heaviest) })
}

/// Lets features vote whose hashes and weights come from elsewhere: each hash with the sum of its weights. A hash that
/// weighs nothing is no feature.
pub(super) fn of_hashes(
    recipe: &Recipe,
    hashes: &[(u64, f64)],
    votes: &mut VoteAccumulator,
) -> FingerprintRecord {
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
    votes.clear(recipe.bits);
    for &(hash, weight) in &features {
        votes.add(u128::from(hash), FixedWeight(weight));
    }
    record(recipe, votes, features.len(), FixedWeight(heaviest))
}

/// The record that votes decide: no fingerprint where no feature weighs something, because there is none, or because
/// the frequency cut excludes them all.
fn record(
    recipe: &Recipe,
    votes: &VoteAccumulator,
    n_features: usize,
    heaviest: FixedWeight,
) -> FingerprintRecord {
    if heaviest.0 == 0 {
        return FingerprintRecord::carried(None);
    }
    let (fingerprint, n_ties) = votes.finish(recipe.tie);
    FingerprintRecord {
        fingerprint: Some(fingerprint),
        n_tokens: 0,
        n_features: n_features as u32,
        n_ties: n_ties as u8,
        dominated: heaviest.0 > votes.total() - heaviest.0,
        unreadable: false,
    }
}

/// Adds votes weighed by counts alone, and returns the heaviest weight. Nearly every count is 1.
fn vote(
    features: &Features,
    weights: Weighting,
    votes: &mut VoteAccumulator,
    progress: &Progress,
) -> Result<FixedWeight, Cancelled> {
    let hashes = features.hashes();
    // A feature that occurs once weighs 1 under each of these weightings.
    let mut heaviest = FixedWeight(FixedWeight::ONE);
    for hashes in hashes.chunks(CHECK_INTERVAL) {
        progress.check()?;
        votes.add_equal(hashes, heaviest);
    }
    for repeats in features.repeats.chunks(CHECK_INTERVAL) {
        progress.check()?;
        for repeat in repeats {
            let weight = weights.weigh(repeat.count, 1.0);
            let more = FixedWeight(weight.0 - FixedWeight::ONE);
            votes.add(hashes.get(repeat.number as usize), more);
            heaviest = heaviest.max(weight);
        }
    }
    Ok(heaviest)
}

/// Adds votes weighed by counts and document frequencies, and returns the heaviest weight and the number of features
/// that weigh something.
fn vote_tf_idf(
    features: &Features,
    frequencies: &DocumentFrequencies,
    votes: &mut VoteAccumulator,
    progress: &Progress,
) -> Result<(FixedWeight, usize), Cancelled> {
    let hashes = features.hashes();
    // First each feature votes as if it occurred once; then the features that occur more often vote with the rest
    // of their weight.
    let (mut heaviest, mut n_features, mut weights) = (0, 0, [0; WEIGHED_AT_ONCE]);
    for hashes in hashes.chunks(CHECK_INTERVAL) {
        progress.check()?;
        for hashes in hashes.chunks(WEIGHED_AT_ONCE) {
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
    let mut heaviest = FixedWeight(i64::from(heaviest));
    for repeats in features.repeats.chunks(CHECK_INTERVAL) {
        progress.check()?;
        for repeat in repeats {
            let hash = hashes.get(repeat.number as usize);
            let df = frequencies.of(hash as u64);
            let weight = frequencies.weight(df, repeat.count);
            votes.add(hash, FixedWeight(weight.0 - frequencies.weight(df, 1).0));
            heaviest = heaviest.max(weight);
        }
    }
    Ok((heaviest, n_features))
}
