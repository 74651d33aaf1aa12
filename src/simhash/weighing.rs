//! Turns counted features into a fingerprint: weights, votes, and the numbers stored with it.
//!
//! A document between two passes: its features are counted, but not yet weighed.

use super::{
    FingerprintRecord, Recipe,
    count::{HashColumns, RepeatedFeature},
    votes::VoteAccumulator,
};
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
    counted: CountedFeatures<'_>,
    votes: &mut VoteAccumulator,
    progress: &Progress,
) -> Result<FingerprintRecord, Cancelled> {
    let CountedFeatures { n_tokens, hashes, .. } = counted;
    if hashes.len() == 0 {
        return Ok(FingerprintRecord { n_tokens, ..FingerprintRecord::carried(None) });
    }
    votes.clear(recipe.bits);
    let (heaviest, n_features) = match frequencies {
        None => (vote(counted, recipe.weights, votes, progress)?, hashes.len()),
        Some(frequencies) => vote_tf_idf(counted, frequencies, votes, progress)?,
    };
    if heaviest.0 == 0 {
        // The frequency cut excludes every feature.
        return Ok(FingerprintRecord { n_tokens, ..FingerprintRecord::carried(None) });
    }
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
    let Some(heaviest) = features.iter().map(|&(_, weight)| weight).max() else {
        return FingerprintRecord::carried(None);
    };
    votes.clear(recipe.bits);
    for &(hash, weight) in &features {
        votes.add(u128::from(hash), FixedWeight(weight));
    }
    record(recipe, votes, features.len(), FixedWeight(heaviest))
}

/// The record that votes decide.
fn record(
    recipe: &Recipe,
    votes: &VoteAccumulator,
    n_features: usize,
    heaviest: FixedWeight,
) -> FingerprintRecord {
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
    counted: CountedFeatures<'_>,
    weights: Weighting,
    votes: &mut VoteAccumulator,
    progress: &Progress,
) -> Result<FixedWeight, Cancelled> {
    let CountedFeatures { hashes, repeats, .. } = counted;
    // A feature that occurs once weighs 1 under each of these weightings.
    let mut heaviest = FixedWeight(FixedWeight::ONE);
    for hashes in hashes.chunks(CHECK_INTERVAL) {
        progress.check()?;
        votes.add_equal(hashes, heaviest);
    }
    for repeats in repeats.chunks(CHECK_INTERVAL) {
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
    counted: CountedFeatures<'_>,
    frequencies: &DocumentFrequencies,
    votes: &mut VoteAccumulator,
    progress: &Progress,
) -> Result<(FixedWeight, usize), Cancelled> {
    let CountedFeatures { hashes, repeats, .. } = counted;
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
    for repeats in repeats.chunks(CHECK_INTERVAL) {
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

/// The distinct features of one document, counted but not yet weighed. Costs 8 bytes for each feature up to 64
/// bits, 16 bytes above, and 8 more for each feature that occurs more than once.
#[derive(Clone, Debug)]
pub struct Features {
    pub(super) n_tokens: u32,
    low: Box<[u64]>,
    high: Box<[u64]>,
    repeats: Box<[RepeatedFeature]>,
}

/// Borrowed [`Features`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedFeatures<'a> {
    /// Tokens after stop words.
    pub(super) n_tokens: u32,
    /// The distinct hashes, in order of first occurrence.
    pub(super) hashes: HashColumns<'a>,
    /// The features that occur more than once, in order of their numbers.
    pub(super) repeats: &'a [RepeatedFeature],
}

impl From<CountedFeatures<'_>> for Features {
    fn from(counted: CountedFeatures<'_>) -> Self {
        let CountedFeatures { n_tokens, hashes, repeats } = counted;
        Self { n_tokens, low: hashes.low.into(), high: hashes.high.into(), repeats: repeats.into() }
    }
}

impl Features {
    /// The same features, borrowed.
    pub(super) fn as_counted(&self) -> CountedFeatures<'_> {
        let Self { n_tokens, low, high, repeats } = self;
        CountedFeatures { n_tokens: *n_tokens, hashes: HashColumns { low, high }, repeats }
    }

    /// The keys of document frequencies, one for each feature.
    pub fn keys(&self) -> &[u64] {
        &self.low
    }

    /// The key of every feature and its number of occurrences in the document.
    pub fn counted(&self) -> impl Iterator<Item = (u64, u32)> {
        let mut repeats = self.repeats.iter().peekable();
        self.low.iter().enumerate().map(move |(number, &key)| {
            let repeat = repeats.next_if(|repeat| repeat.number as usize == number);
            (key, repeat.map_or(1, |repeat| repeat.count))
        })
    }

    /// The bytes that these features take on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.low) + size_of_val(&*self.high) + size_of_val(&*self.repeats)
    }
}
