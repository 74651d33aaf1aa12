//! Neighbours of one fingerprint, for any distance: a few blocks, and the buckets around the query's.
//!
//! One index answers for every k. Its blocks are disjoint and as wide as the number of entries can
//! fill; for a distance k each gets a reach, so that nothing within k escapes all of them, and the
//! query looks into every bucket within reach. Four blocks of 16 bits take four looks for k = 3, 52
//! for k = 6, 428 for k = 10. Where looks would cost more than comparing everything, everything is
//! compared.
//!
//! The tables of [`HammingIndex`](super::HammingIndex) can be looked at and guarantee one distance;
//! this is what to use for many queries. Memory: 12 bytes a block and entry, and the word.
//!
//! Source: Norouzi, Punjani and Fleet (TPAMI 2014, arXiv 1307.2982).

use rayon::prelude::*;

use super::{
    block::{Block, Cut},
    buckets::Buckets,
    naive,
    pigeonhole::{Hole, Pigeonholes, around},
    query::Match,
    runs::WIDEST,
};
use crate::{
    kernel::hamming::{self, Keyed},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Bits a block should have: its buckets' borders then stay in the second-level cache.
const BLOCK_BITS: u32 = 16;
/// Looks that cost as much as comparing this many entries in a row.
const LOOK: usize = 40;
/// The farthest reach whose buckets are listed beforehand.
const MOST_REACH: u32 = 4;

/// Entries by the bits of each of some blocks.
#[derive(Clone, Debug)]
pub struct MultiIndex<B> {
    values: Vec<B>,
    tables: Vec<BlockTable>,
}

/// Entries grouped by one block.
#[derive(Clone, Debug)]
struct BlockTable {
    block: Block,
    /// The low 64 bits of each row's value.
    words: Vec<u64>,
    entries: Vec<u32>,
    starts: Vec<u32>,
    /// Changes of a key, fewest bits first.
    masks: Vec<u32>,
}

impl<B: Bits> MultiIndex<B> {
    /// Groups `values` of `width` bits; entry numbers are positions. About 10 ns an entry and block.
    ///
    /// `progress` counts blocks times entries.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    ///
    /// # Panics
    /// If there are 2^32 values or more, or if the width is not 1 to that of the word.
    pub fn build(values: &[B], width: u32, progress: &Progress) -> Result<Self, Cancelled> {
        assert!((1..=B::CAPACITY).contains(&width), "a width that the word holds");
        let blocks = Cut::WideFirst.blocks(width, width.div_ceil(BLOCK_BITS));
        progress.begin((blocks.len() * values.len()) as u64);
        let group = |block: Block| {
            let spare = block.width.saturating_sub(WIDEST);
            let block = Block { low: block.low + spare, width: block.width - spare };
            let mut buckets = Buckets::new();
            buckets.group(values, block, progress)?;
            progress.add(values.len() as u64);
            let (rows, entries, starts) = buckets.into_columns();
            let mut buffer = Vec::new();
            let words = B::low_words(&rows, &mut buffer).to_vec();
            let masks = [0].into_iter().chain(around(block.width, MOST_REACH)).collect();
            Ok(BlockTable { block, words, entries, starts, masks })
        };
        let tables = blocks.into_par_iter().map(group).collect::<Result<_, _>>()?;
        Ok(Self { values: values.to_vec(), tables })
    }

    /// The fingerprints, one an entry.
    pub fn values(&self) -> &[B] {
        &self.values
    }

    /// The blocks, and how far around each a query within `k` looks; none where it compares
    /// everything.
    pub fn holes(&self, k: u32) -> Option<Pigeonholes> {
        let m = self.tables.len() as u32;
        let k = k.min(B::CAPACITY);
        let share = |at: u32| (k + 1) / m + u32::from(at < (k + 1) % m);
        let holes: Vec<Hole> = (0..)
            .zip(&self.tables)
            .filter(|&(at, _)| share(at) > 0)
            .map(|(at, table)| Hole { block: table.block, reach: share(at) - 1 })
            .collect();
        let looks: usize = holes
            .iter()
            .map(|hole| if hole.reach > MOST_REACH { usize::MAX >> 8 } else { n_masks(*hole) })
            .sum();
        (looks.saturating_mul(LOOK) <= self.values.len()).then(|| Pigeonholes::new(holes))
    }

    /// The entries within `k` bits of `value`, each once, nearest first, then by entry. Exact for any k.
    pub fn query(&self, value: B, k: u32) -> Vec<Match> {
        let Some(holes) = self.holes(k) else {
            return naive::query(&self.values, value, k);
        };
        let word = value.to_wide() as u64;
        let mut matches = Vec::new();
        let mut hits = Vec::new();
        for (number, (hole, table)) in holes.holes().iter().zip(&self.tables).enumerate() {
            let Block { low, width } = hole.block;
            let key = value.shifted(low) & ((1 << width) - 1);
            let runs = Keyed { words: &table.words, starts: &table.starts };
            hits.clear();
            hamming::probe(word, runs, key, &table.masks[..n_masks(*hole)], k, &mut hits);
            for &row in &hits {
                let entry = table.entries[row as usize];
                let other = self.values[entry as usize];
                let distance = value.distance(other);
                // The first hole that has it reports it.
                if distance <= k && holes.escapes_until(value.xor(other), number) {
                    matches.push(Match { distance, entry });
                }
            }
        }
        matches.sort_unstable();
        matches
    }
}

/// How many keys lie within a hole's reach, the query's own among them.
fn n_masks(Hole { block, reach }: Hole) -> usize {
    let mut choices = 1;
    let mut sum = 1;
    for bits in 0..reach.min(block.width) as usize {
        choices = choices * (block.width as usize - bits) / (bits + 1);
        sum += choices;
    }
    sum
}
