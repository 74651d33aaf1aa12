//! Counted features to a fingerprint: weights, votes, and what a sketch tells beside it.

use super::{count::Repeat, fingerprint::Bits, poll::Poll, recipe::Recipe, sketch::Sketch};
use crate::feature::{DocumentFrequencies, FixedWeight, Weighting};

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub(super) struct Weighing {
    poll: Option<Poll>,
    /// In how many documents each feature stands.
    frequencies: Vec<u32>,
}

impl Weighing {
    /// Lets every distinct hash vote with its weight; `table` serves where document frequencies count.
    pub(super) fn sketch<H: Bits>(
        &mut self,
        recipe: &Recipe,
        table: Option<&DocumentFrequencies>,
        n_tokens: u32,
        hashes: &[H],
        repeats: &[Repeat],
    ) -> Sketch {
        if hashes.is_empty() {
            return Sketch { n_tokens, ..Sketch::carried(None) };
        }
        let Self { poll, frequencies } = self;
        let poll = match poll {
            Some(poll) if poll.width() == recipe.bits => poll,
            other => other.insert(Poll::new(recipe.bits)),
        };
        poll.clear();
        let heaviest = match table {
            None => vote(hashes, repeats, recipe.weights, poll),
            Some(table) => {
                frequencies.clear();
                table.of_all(hashes.iter().map(|hash| hash.to_wide() as u64), frequencies);
                vote_tf_idf(hashes, repeats, frequencies, table, poll)
            }
        };
        let (fingerprint, n_ties) = poll.close(recipe.tie);
        Sketch {
            fingerprint: Some(fingerprint),
            n_tokens,
            n_features: hashes.len() as u32,
            n_ties: n_ties as u8,
            dominated: hashes.len() > 1 && heaviest.0 > poll.total() - heaviest.0,
            unreadable: false,
        }
    }
}

/// Votes by counts alone, of which 1 is nearly every one; returns the heaviest weight.
fn vote<H: Bits>(
    hashes: &[H],
    repeats: &[Repeat],
    weights: Weighting,
    poll: &mut Poll,
) -> FixedWeight {
    // Under every weighting a feature that occurs once weighs 1.
    poll.add_ones(hashes);
    let mut heaviest = FixedWeight(FixedWeight::ONE);
    for repeat in repeats {
        let weight = weights.weigh(repeat.count, 1.0);
        poll.add(hashes[repeat.number as usize], FixedWeight(weight.0 - FixedWeight::ONE));
        heaviest = heaviest.max(weight);
    }
    heaviest
}

/// Votes by counts and document frequencies; returns the heaviest weight.
fn vote_tf_idf<H: Bits>(
    hashes: &[H],
    mut repeats: &[Repeat],
    frequencies: &[u32],
    table: &DocumentFrequencies,
    poll: &mut Poll,
) -> FixedWeight {
    let mut heaviest = FixedWeight::default();
    for (number, (&hash, &df)) in hashes.iter().zip(frequencies).enumerate() {
        let count = match repeats {
            [repeat, rest @ ..] if repeat.number as usize == number => {
                repeats = rest;
                repeat.count
            }
            _ => 1,
        };
        let weight = table.weight(df, count);
        poll.add(hash, weight);
        heaviest = heaviest.max(weight);
    }
    heaviest
}
