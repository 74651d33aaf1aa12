//! Counted features to a fingerprint: weights, votes, and what a sketch tells beside it.

use super::{count::Repeat, fingerprint::Bits, poll::Poll, recipe::Recipe, sketch::Sketch};
use crate::feature::{DocumentFrequencies, FixedWeight, Weighting};

/// Features, or repeats, between two questions whether to stop.
const AT_ONCE: usize = 1 << 16;

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub(super) struct Weighing {
    poll: Option<Poll>,
    /// In how many documents each feature stands.
    pub(super) frequencies: Vec<u32>,
    /// What each feature would weigh if it occurred once.
    single: Vec<u32>,
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
        let Some(table) = table else {
            return self.close(recipe, counted, |counted, _, poll| {
                vote(counted, recipe.weights, poll, stop)
            });
        };
        self.frequencies.clear();
        for hashes in chunks_unless(counted.hashes, stop) {
            let keys = hashes?.iter().map(|hash| hash.to_wide() as u64);
            table.of_all(keys, &mut self.frequencies);
        }
        self.sketch_found(recipe, table, counted, stop)
    }

    /// The same with document frequencies found before: they stand in `frequencies`.
    pub(super) fn sketch_found<H: Bits>(
        &mut self,
        recipe: &Recipe,
        table: &DocumentFrequencies,
        counted: Counted<'_, H>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Sketch> {
        self.single.clear();
        for frequencies in chunks_unless(&self.frequencies, stop) {
            let single = frequencies?.iter().map(|&df| table.weight(df, 1).0 as u32);
            self.single.extend(single);
        }
        self.close(recipe, counted, |counted, weighing, poll| {
            vote_tf_idf(counted, weighing, table, poll, stop)
        })
    }

    /// Has a vote and tells its outcome; `vote` returns the heaviest weight, if it came to an end.
    fn close<H: Bits>(
        &mut self,
        recipe: &Recipe,
        counted: Counted<'_, H>,
        vote: impl FnOnce(Counted<'_, H>, &Self, &mut Poll) -> Option<FixedWeight>,
    ) -> Option<Sketch> {
        let Counted { n_tokens, hashes, .. } = counted;
        if hashes.is_empty() {
            return Some(Sketch { n_tokens, ..Sketch::carried(None) });
        }
        let mut poll = match self.poll.take() {
            Some(poll) if poll.width() == recipe.bits => poll,
            _ => Poll::new(recipe.bits),
        };
        poll.clear();
        let heaviest = vote(counted, self, &mut poll)?;
        let (fingerprint, n_ties) = poll.close(recipe.tie);
        let dominated = hashes.len() > 1 && heaviest.0 > poll.total() - heaviest.0;
        self.poll = Some(poll);
        Some(Sketch {
            fingerprint: Some(fingerprint),
            n_tokens,
            n_features: hashes.len() as u32,
            n_ties: n_ties as u8,
            dominated,
            unreadable: false,
        })
    }
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
        poll.add_ones(hashes?);
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
    weighing: &Weighing,
    table: &DocumentFrequencies,
    poll: &mut Poll,
    stop: &dyn Fn() -> bool,
) -> Option<FixedWeight> {
    let Weighing { frequencies, single, .. } = weighing;
    let Counted { hashes, repeats, .. } = counted;
    // As if each occurred once; then what the others weigh more.
    for (hashes, single) in chunks_unless(hashes, stop).zip(single.chunks(AT_ONCE)) {
        poll.add_light(hashes?, single);
    }
    let heaviest = single.iter().max().map_or(0, |weight| i64::from(*weight));
    let mut heaviest = FixedWeight(heaviest);
    for repeats in chunks_unless(repeats, stop) {
        for repeat in repeats? {
            let number = repeat.number as usize;
            let weight = table.weight(frequencies[number], repeat.count);
            poll.add(hashes[number], FixedWeight(weight.0 - i64::from(single[number])));
            heaviest = heaviest.max(weight);
        }
    }
    Some(heaviest)
}
