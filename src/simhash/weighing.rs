//! Counted features to a fingerprint: weights, votes, and what a sketch tells beside it.

use super::{count::Repeat, fingerprint::Bits, poll::Poll, recipe::Recipe, sketch::Sketch};
use crate::feature::{DocumentFrequencies, FixedWeight, Recurring, Weighting};

/// Features, or repeats, between two questions whether to stop.
const AT_ONCE: usize = 1 << 16;

/// Features that vote together.
const SOME: usize = 128;

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub(super) struct Weighing {
    poll: Option<Poll>,
    /// In how many documents each feature stands.
    frequencies: Vec<u32>,
}

/// The counted features of a document.
#[derive(Clone, Copy)]
pub(super) struct Counted<'a, H> {
    pub(super) n_tokens: u32,
    /// The distinct hashes.
    pub(super) hashes: &'a [H],
    /// Those that occur more than once.
    pub(super) repeats: &'a [Repeat],
}

/// What is told of a document whose features went to be counted.
#[derive(Clone, Copy)]
pub(super) struct Told<'a, H> {
    pub(super) n_tokens: u32,
    pub(super) n_features: u32,
    /// How many features have a 1 at each bit.
    pub(super) ones: &'a [u32; 128],
    /// At least the hashes that stand in other documents, too.
    pub(super) shared: &'a [H],
    /// In how many documents each of them stands.
    pub(super) frequencies: &'a [u32],
    /// Those that occur more than once, shared or not.
    pub(super) repeats: &'a [Recurring],
}

impl Weighing {
    /// Lets every distinct hash vote with its weight; `table` serves where document frequencies count.
    /// `None` where `stop` says so.
    pub(super) fn sketch<H: Bits>(
        &mut self,
        recipe: &Recipe,
        table: Option<&DocumentFrequencies>,
        counted: Counted<'_, H>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Sketch> {
        let n_features = counted.hashes.len() as u32;
        let Some(table) = table else {
            return self.close(recipe, counted.n_tokens, n_features, |_, poll| {
                vote(counted, recipe.weights, poll, stop)
            });
        };
        self.frequencies.clear();
        for hashes in chunks_unless(counted.hashes, stop) {
            let keys = hashes?.iter().map(|hash| hash.to_wide() as u64);
            table.of_all(keys, &mut self.frequencies);
        }
        self.close(recipe, counted.n_tokens, n_features, |frequencies, poll| {
            vote_tf_idf(counted, frequencies, table, poll, stop)
        })
    }

    /// The same from what was told of a document before its features went elsewhere, and from those that
    /// came back.
    pub(super) fn sketch_told<H: Bits>(
        &mut self,
        recipe: &Recipe,
        table: &DocumentFrequencies,
        told: Told<'_, H>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Sketch> {
        self.close(recipe, told.n_tokens, told.n_features, |_, poll| {
            vote_told(told, table, poll, stop)
        })
    }

    /// How many features have a 1 at each bit, in a poll of this width.
    pub(super) fn count_ones<H: Bits>(
        &mut self,
        width: u32,
        hashes: &[H],
        stop: &dyn Fn() -> bool,
    ) -> Option<&Poll> {
        let poll = cleared(&mut self.poll, width);
        for hashes in chunks_unless(hashes, stop) {
            let hashes = hashes?;
            poll.add_equal(hashes, hashes.len(), FixedWeight(1));
        }
        Some(poll)
    }

    /// Has a vote and tells its outcome; `vote` gets the document frequencies, and returns the heaviest
    /// weight, if it came to an end.
    fn close(
        &mut self,
        recipe: &Recipe,
        n_tokens: u32,
        n_features: u32,
        vote: impl FnOnce(&[u32], &mut Poll) -> Option<FixedWeight>,
    ) -> Option<Sketch> {
        if n_features == 0 {
            return Some(Sketch { n_tokens, ..Sketch::carried(None) });
        }
        let poll = cleared(&mut self.poll, recipe.bits);
        let heaviest = vote(&self.frequencies, poll)?;
        let (fingerprint, n_ties) = poll.close(recipe.tie);
        let dominated = heaviest.0 > poll.total() - heaviest.0;
        Some(Sketch {
            fingerprint: Some(fingerprint),
            n_tokens,
            n_features,
            n_ties: n_ties as u8,
            dominated,
            unreadable: false,
        })
    }
}

/// A poll of this width without votes, in place of another.
fn cleared(poll: &mut Option<Poll>, width: u32) -> &mut Poll {
    poll.take_if(|poll| poll.width() != width);
    let poll = poll.get_or_insert_with(|| Poll::new(width));
    poll.clear();
    poll
}

/// [`AT_ONCE`] of them at a time; a `None` where `stop` says so.
fn chunks_unless<'a, T>(
    all: &'a [T],
    stop: &'a dyn Fn() -> bool,
) -> impl Iterator<Item = Option<&'a [T]>> {
    all.chunks(AT_ONCE).map(|some| (!stop()).then_some(some))
}

/// Votes by counts alone, of which 1 is nearly every one; returns the heaviest weight.
fn vote<H: Bits>(
    counted: Counted<'_, H>,
    weights: Weighting,
    poll: &mut Poll,
    stop: &dyn Fn() -> bool,
) -> Option<FixedWeight> {
    let Counted { hashes, repeats, .. } = counted;
    // Under every weighting a feature that occurs once weighs 1.
    for hashes in chunks_unless(hashes, stop) {
        let hashes = hashes?;
        poll.add_equal(hashes, hashes.len(), FixedWeight(FixedWeight::ONE));
    }
    let mut heaviest = FixedWeight(FixedWeight::ONE);
    for repeats in chunks_unless(repeats, stop) {
        for repeat in repeats? {
            let weight = weights.weigh(repeat.count, 1.0);
            poll.add(hashes[repeat.number as usize], FixedWeight(weight.0 - FixedWeight::ONE));
            heaviest = heaviest.max(weight);
        }
    }
    Some(heaviest)
}

/// Votes by counts and document frequencies; returns the heaviest weight.
fn vote_tf_idf<H: Bits>(
    counted: Counted<'_, H>,
    frequencies: &[u32],
    table: &DocumentFrequencies,
    poll: &mut Poll,
    stop: &dyn Fn() -> bool,
) -> Option<FixedWeight> {
    let Counted { hashes, repeats, .. } = counted;
    // As if each occurred once; then what the others weigh more.
    let mut heaviest = 0;
    for (hashes, frequencies) in chunks_unless(hashes, stop).zip(frequencies.chunks(AT_ONCE)) {
        for (hashes, frequencies) in hashes?.chunks(SOME).zip(frequencies.chunks(SOME)) {
            heaviest = heaviest.max(vote_once(hashes, frequencies, table, poll));
        }
    }
    let mut heaviest = FixedWeight(heaviest);
    for repeats in chunks_unless(repeats, stop) {
        for repeat in repeats? {
            let number = repeat.number as usize;
            let (df, hash) = (frequencies[number], hashes[number]);
            let weight = table.weight(df, repeat.count);
            poll.add(hash, FixedWeight(weight.0 - table.weight(df, 1).0));
            heaviest = heaviest.max(weight);
        }
    }
    Some(heaviest)
}

/// At most [`SOME`] features vote as if each occurred once; returns the heaviest weight.
///
/// Most features stand in one document, and all those weigh the same.
#[inline]
fn vote_once<H: Bits>(
    hashes: &[H],
    frequencies: &[u32],
    table: &DocumentFrequencies,
    poll: &mut Poll,
) -> i64 {
    let rare = hashes
        .iter()
        .zip(frequencies)
        .map(|(&hash, &df)| if df == 1 { hash } else { H::from_wide(0) });
    let mut masked = [H::from_wide(0); SOME];
    masked.iter_mut().zip(rare).for_each(|(masked, rare)| *masked = rare);
    let n_rare = frequencies.iter().filter(|df| **df == 1).count();
    let rare = table.weight(1, 1);
    poll.add_equal(&masked[..hashes.len()], n_rare, rare);

    let (mut others, mut weights) = ([H::from_wide(0); SOME], [0; SOME]);
    let mut n = 0;
    for (&hash, &df) in hashes.iter().zip(frequencies) {
        // Written, and over it unless it is one of them: a branch would be guessed wrong.
        (others[n % SOME], weights[n % SOME]) = (hash, df);
        n += usize::from(df != 1);
    }
    let mut heaviest = if n_rare > 0 { rare.0 } else { 0 };
    for weight in &mut weights[..n] {
        let df = *weight;
        *weight = table.weight(df, 1).0 as u32;
        heaviest = heaviest.max(i64::from(*weight));
    }
    poll.add_light(&others[..n], &weights[..n]);
    heaviest
}

/// Votes as if every feature stood in one document and occurred once; then what the others weigh less or
/// more. Returns the heaviest weight.
fn vote_told<H: Bits>(
    told: Told<'_, H>,
    table: &DocumentFrequencies,
    poll: &mut Poll,
    stop: &dyn Fn() -> bool,
) -> Option<FixedWeight> {
    let Told { n_features, ones, shared, frequencies, repeats, .. } = told;
    let rare = table.weight(1, 1);
    let mut heaviest = if shared.len() < n_features as usize { rare.0 } else { 0 };
    let mut less = [0; SOME];
    for (shared, frequencies) in chunks_unless(shared, stop).zip(frequencies.chunks(AT_ONCE)) {
        for (shared, frequencies) in shared?.chunks(SOME).zip(frequencies.chunks(SOME)) {
            for ((less, &df), &hash) in less.iter_mut().zip(frequencies).zip(shared) {
                let weight = table.weight(df, 1).0;
                heaviest = heaviest.max(weight);
                *less = (rare.0 - weight).max(0) as u32;
                if weight > rare.0 {
                    // In no document that was counted.
                    poll.add(hash, FixedWeight(rare.0 - weight));
                }
            }
            poll.add_light(shared, &less[..shared.len()]);
        }
    }
    poll.rest_of(ones, n_features, rare);
    let mut heaviest = FixedWeight(heaviest);
    for repeats in chunks_unless(repeats, stop) {
        for repeat in repeats? {
            let Recurring { key, high, n_documents, count } = *repeat;
            let weight = table.weight(n_documents, count);
            let more = FixedWeight(weight.0 - table.weight(n_documents, 1).0);
            poll.add(H::from_wide(u128::from(high) << 64 | u128::from(key)), more);
            heaviest = heaviest.max(weight);
        }
    }
    Some(heaviest)
}
