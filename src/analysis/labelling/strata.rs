//! The pairs of a corpus as strata to sample from. Pairs of documents are counted exactly and drawn by number, and
//! never listed.
//!
//! ```text
//! d=0   entries with several texts   the pair of each number follows from the sizes of the texts
//! d>0   pairs of entries             in blocks of 1,024: a number is looked up among the sums, then
//!                                    found by going through one block
//! ```
//!
//! A group with at least a fifth of the pairs at a distance is a stratum of its own. Otherwise that group would
//! fill the sample. Building goes once through the pairs and groups them at each distance. Memory: 8 bytes for each
//! thousand pairs, and a byte for each pair of a distance with such a group. Drawing takes microseconds.

use super::Labelling;
use crate::analysis::{EqualTexts, FingerprintIndex, PairsByDistance};
use crate::evaluate::labels::Stratum;
use crate::evaluate::sample::Pick;
use crate::index::{DocumentPair, Pair};
use crate::progress::{Cancelled, Progress};

/// Pairs of a block, for which one sum is kept.
const BLOCK: usize = 1 << 10;
/// A group with at least 1 / `LARGE` of the pairs at a distance is a stratum of its own ..
const LARGE: u64 = 5;
/// .. unless there are so few that they may all be judged.
const FEW_PAIRS: u64 = 100;
/// The part number of pairs that are in no large group.
const REST: u8 = 0;

/// The strata of a corpus under one recipe.
#[derive(Clone, Debug, Default)]
pub(super) struct Strata {
    /// The strata without judgements.
    pub(super) list: Vec<Stratum>,
    places: Vec<StratumSource>,
    /// For each distance: the part number of each pair. Empty if the distance has only one part.
    parts: Vec<Vec<u8>>,
}

/// The place where the pairs of a stratum are found.
#[derive(Clone, Debug)]
enum StratumSource {
    /// Pairs of different texts of these entries, each by its position, with the number of pairs before it.
    Mixed(Vec<(usize, u64)>),
    /// The pairs of a part at a distance, with the number of document pairs before each block.
    Pairs { distance: u32, part: u8, before: Vec<u64> },
}

impl Strata {
    /// Counts the strata of all pairs that are kept.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn new(
        index: &FingerprintIndex,
        near: &PairsByDistance,
        equal: &EqualTexts,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut strata = Self::default();
        strata.copies(near, equal);
        for distance in 1..=near.reach() {
            strata.pairs(index, near, distance, progress)?;
        }
        Ok(strata)
    }

    /// The strata of pairs with one fingerprint.
    fn copies(&mut self, near: &PairsByDistance, equal: &EqualTexts) {
        let pairs = near.totals(0).map_or(0, |totals| totals.pairs);
        let asked = pairs - equal.n_pairs;
        let is_large = |pairs: u64| asked > FEW_PAIRS && pairs * LARGE >= asked && pairs < asked;
        let (mut rest, mut n_rest) = (Vec::new(), 0);
        for (place, mixed) in equal.mixed.iter().enumerate() {
            if is_large(mixed.pairs) {
                let stratum = Stratum { one_group: true, ..Stratum::new(0, mixed.pairs, 0) };
                self.list.push(stratum);
                self.places.push(StratumSource::Mixed(vec![(place, 0)]));
            } else {
                rest.push((place, n_rest));
                n_rest += mixed.pairs;
            }
        }
        if n_rest + equal.n_pairs > 0 || self.list.is_empty() {
            self.list.push(Stratum::new(0, n_rest + equal.n_pairs, equal.n_pairs));
            self.places.push(StratumSource::Mixed(rest));
        }
        self.parts.push(Vec::new());
    }

    /// The strata of pairs at a distance above 0.
    fn pairs(
        &mut self,
        index: &FingerprintIndex,
        near: &PairsByDistance,
        distance: u32,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let pairs = near.pairs_at(distance);
        let (parts, n_parts) = parts(index, near, distance, progress)?;
        let mut sums = vec![0; n_parts];
        let mut before = vec![Vec::with_capacity(pairs.len().div_ceil(BLOCK)); n_parts];
        for (block, from) in pairs.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            progress.check()?;
            for (before, sum) in before.iter_mut().zip(&sums) {
                before.push(*sum);
            }
            for (place, pair) in (from..).zip(block) {
                sums[usize::from(part_of(&parts, place))] += index.n_document_pairs(pair);
            }
        }
        for (part, (before, sum)) in (0_u8..).zip(before.into_iter().zip(sums)) {
            if sum > 0 || n_parts == 1 {
                let one_group = part != REST;
                self.list.push(Stratum { one_group, ..Stratum::new(distance, sum, 0) });
                self.places.push(StratumSource::Pairs { distance, part, before });
            }
        }
        self.parts.push(parts);
        Ok(())
    }
}

impl Labelling {
    /// The documents of a pick.
    ///
    /// # Panics
    /// If its stratum has fewer pairs.
    pub fn pair(&self, Pick { stratum, number, .. }: Pick) -> DocumentPair {
        let (index, near) = (&*self.index, &*self.near);
        let (one, other) = match &self.strata.places[stratum] {
            StratumSource::Mixed(entries) => {
                let (place, before) = entries[entries.partition_point(|e| e.1 <= number) - 1];
                self.texts.equal.pair(place, number - before)
            }
            StratumSource::Pairs { distance, part, before } => {
                let block = before.partition_point(|&before| before <= number) - 1;
                let mut number = number - before[block];
                let parts = &self.strata.parts[*distance as usize];
                let pairs = (block * BLOCK..).zip(&near.pairs_at(*distance)[block * BLOCK..]);
                let mut ours = pairs.filter(|&(place, _)| part_of(parts, place) == *part);
                let pair = ours.find(|(_, pair)| {
                    let n = index.n_document_pairs(pair);
                    let is_here = number < n;
                    number -= if is_here { 0 } else { n };
                    is_here
                });
                let (_, pair) = pair.expect("a number below the number of pairs");
                let (left, right) = (index.documents(pair.a), index.documents(pair.b));
                self.sides().pair(left, right, number)
            }
        };
        let distance = self.strata.list[stratum].distance;
        DocumentPair { a: one.min(other), b: one.max(other), distance }
    }

    /// The stratum of the pairs between two entries at a distance, or between the texts of one entry.
    pub(super) fn stratum_of(&self, entries: (u32, u32), distance: u32) -> Option<usize> {
        let (a, b) = (entries.0.min(entries.1), entries.0.max(entries.1));
        let is_ours = |place: &StratumSource| match place {
            StratumSource::Mixed(entries) => {
                let is_among =
                    |place| entries.binary_search_by_key(&place, |&(place, _)| place).is_ok();
                a == b && self.texts.equal.place(a).is_some_and(is_among)
            }
            StratumSource::Pairs { distance: ours, part, .. } => {
                let found =
                    || self.near.pairs_at(distance).binary_search(&Pair { distance, a, b }).ok();
                *ours == distance
                    && a < b
                    && found().is_some_and(|at| {
                        part_of(&self.strata.parts[distance as usize], at) == *part
                    })
            }
        };
        self.strata.places.iter().position(is_ours)
    }
}

fn part_of(parts: &[u8], place: usize) -> u8 {
    parts.get(place).copied().unwrap_or(REST)
}

/// The part of each pair at a distance, and the number of parts: [`REST`], and one part for each large group. Empty
/// if there is no large group.
fn parts(
    index: &FingerprintIndex,
    near: &PairsByDistance,
    distance: u32,
    progress: &Progress,
) -> Result<(Vec<u8>, usize), Cancelled> {
    let pairs = near.pairs_at(distance);
    let n_pairs: u64 = pairs.iter().map(|pair| index.n_document_pairs(pair)).sum();
    if n_pairs <= FEW_PAIRS {
        return Ok((Vec::new(), 1));
    }
    let groups = index.groups(near, distance);
    let group_of = |pair: &Pair| {
        groups.group_of(index.documents(pair.a)[0]).expect("a pair is in a group") as usize
    };
    let mut sizes = vec![0; groups.len()];
    for block in pairs.chunks(BLOCK) {
        progress.check()?;
        for pair in block {
            sizes[group_of(pair)] += index.n_document_pairs(pair);
        }
    }
    let mut part = vec![REST; groups.len()];
    let mut n_parts = 1;
    for (part, size) in part.iter_mut().zip(sizes) {
        if size * LARGE >= n_pairs && size < n_pairs {
            *part = n_parts;
            n_parts += 1;
        }
    }
    if n_parts == 1 {
        return Ok((Vec::new(), 1));
    }
    Ok((pairs.iter().map(|pair| part[group_of(pair)]).collect(), usize::from(n_parts)))
}
