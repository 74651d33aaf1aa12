//! The pairs and groups of a corpus at each k, and the k that the distances suggest.
//!
//! ```text
//! distances  --- all pairs, or a sample ----.
//! near       --- pairs and groups, exact ----+--> a row for every k, and the advice
//! chance     --- fitted to the distances ----+
//! advice     --- cosines, or judgements -----'
//! ```
//!
//! The rows are made from sums that exist already. They do not depend on the present k; only [`KRow::guaranteed`]
//! depends on the tables. The distances are measured by [`FingerprintIndex::distances`], the advice is made by
//! [`super::Analysis::advise`], each in a job of its own.

use std::sync::Arc;

use super::fingerprint_index::{TypedIndex, each};
use super::{Advice, FingerprintIndex, PairsByDistance};
use crate::evaluate::distances::{Chance, CountMethod, Distances, Estimate};
use crate::evaluate::precision::ThresholdRow;
use crate::index::{
    GroupTotals, Layout, document_comparisons, document_histogram, sampled_histogram,
};
use crate::number::{counted, expected};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The most comparisons at which all pairs are compared: 155,000 different fingerprints of 64 bits, one to three
/// seconds on two cores.
const MOST_COMPARISONS: f64 = 1.2e10;
/// The number of pairs that are drawn if there are more. A bin with one pair in a thousand is then known to 1.5 %.
const DRAWS: u32 = 1 << 24;
/// The seed of the draws: a corpus shows the same numbers every time.
const SEED: u64 = 0;

/// The pairs and groups at one k, and the pairs expected by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KRow {
    /// The threshold.
    pub k: u32,
    /// Pairs of documents at exactly this distance; `None` if not known yet.
    pub at_k: Option<Estimate>,
    /// Pairs at exactly this distance that chance alone would bring.
    pub at_k_by_chance: f64,
    /// Pairs within k; `None` if not known yet.
    pub pairs: Option<Estimate>,
    /// Pairs within k that chance alone would bring.
    pub pairs_by_chance: f64,
    /// The groups of the pairs within k; `None` beyond the distance up to which pairs were searched, except at a
    /// recommended k.
    pub groups: Option<GroupTotals>,
    /// The number of documents that `dedup` drops at this k; known at a recommended k. At any other k they are at most
    /// [`KRow::most_drops`].
    pub dropped: Option<u64>,
    /// With a reference, the documents near one of it; known where the groups are.
    pub shared: Option<u64>,
    /// Texts without words that equal another one: they go at every k, and are in no group.
    pub wordless: u64,
    /// Whether the present tables find every pair within k.
    pub guaranteed: bool,
}

impl KRow {
    /// The number of documents that can go at this k: exact where each drop was checked, at most this many elsewhere.
    pub fn drops(&self) -> Option<(u64, bool)> {
        self.dropped.map(|n| (n, true)).or_else(|| self.most_drops().map(|n| (n, false)))
    }

    /// The largest number of documents that can go at this k, if its groups are known.
    pub fn most_drops(&self) -> Option<u64> {
        Some(self.shared.unwrap_or(self.groups?.redundant().into()) + self.wordless)
    }
}

/// A row for every k, and the advice that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// A row for each k from 0 to the width.
    pub rows: Vec<KRow>,
    /// The number of all pairs of documents.
    pub n_pairs: u64,
    /// The largest k at which chance is expected to bring less than one pair, if there is one.
    pub ceiling: Option<u32>,
    /// The distance up to which pairs were searched; `None` if they are not searched yet.
    pub reach: Option<u32>,
    /// How the distances beyond the reach were measured; `None` if they are not measured yet.
    pub method: Option<CountMethod>,
    /// The model of chance.
    pub chance: Chance,
    /// The recommended k; `None` until it is computed.
    pub advice: Option<Arc<Advice>>,
}

impl Tuning {
    /// Makes the rows from the given results. Takes some milliseconds if distances are sampled.
    pub fn new(
        index: &FingerprintIndex,
        near: Option<&PairsByDistance>,
        distances: Option<&Distances>,
        advice: Option<Arc<Advice>>,
    ) -> Self {
        let (layout, width) = (index.layout(), index.layout().width());
        // Bands do not find every pair.
        let is_exact = !layout.is_bands();
        let within: Vec<u64> = near.map_or_else(Vec::new, |near| {
            (0..=near.reach()).filter_map(|k| Some(near.totals(k)?.pairs)).collect()
        });
        let exact = if is_exact { &within[..] } else { &[] };
        let n_pairs = index.n_all_pairs();
        let unrelated = index.n_unlike_pairs() as f64;
        let chance = distances.map_or_else(|| Chance::coins(width), Distances::chance);
        let row = |k: u32| {
            let at = |k: usize| within.get(k).copied();
            let nearer = |k: usize| k.checked_sub(1).map_or(Some(0), at);
            let searched = at(k as usize).zip(nearer(k as usize)).filter(|_| is_exact);
            let (at_k, pairs) = match distances {
                Some(distances) => (Some(distances.at(k, exact)), Some(distances.within(k, exact))),
                None => searched
                    .map(|(pairs, nearer)| {
                        (Estimate::exact(pairs - nearer), Estimate::exact(pairs))
                    })
                    .unzip(),
            };
            let totals = near.and_then(|near| near.totals(k));
            let advised = advice.as_ref().and_then(|advice| advice.groups_at(k));
            KRow {
                k,
                at_k,
                at_k_by_chance: unrelated * chance.at(k),
                pairs,
                pairs_by_chance: unrelated * chance.within(k),
                groups: totals.map(|it| it.groups).or(advised.map(|it| it.groups)),
                dropped: advised.map(|it| it.dropped),
                shared: totals.and_then(|it| it.shared),
                wordless: advice.as_ref().map_or(0, |advice| advice.n_wordless),
                guaranteed: layout.guarantees(k),
            }
        };
        let rows: Vec<KRow> = (0..=width).map(row).collect();
        let ceiling = chance.largest_k(unrelated);
        let method = distances.map(|distances| match distances.draws {
            None => CountMethod::Exact,
            Some(_) => CountMethod::Sampled,
        });
        let reach = near.map(PairsByDistance::reach);
        Self { rows, n_pairs, ceiling, reach, method, chance, advice }
    }

    /// Updates which k is guaranteed after a change of the layout. Nothing else depends on the layout, unless it
    /// has bands.
    pub fn set_layout(&mut self, layout: &Layout) {
        for row in &mut self.rows {
            row.guaranteed = layout.guarantees(row.k);
        }
    }

    /// The precision and recall within a k among pairs of different texts.
    pub fn threshold_row(&self, k: u32) -> Option<&ThresholdRow> {
        self.advice.as_ref()?.evidence.rows.get(k as usize)
    }

    /// The precise k, if there is one and it is known.
    pub fn precise(&self) -> Option<u32> {
        self.advice.as_ref()?.recommendation.precise
    }

    /// The k with the largest F1, if it is known.
    pub fn balanced(&self) -> Option<u32> {
        self.advice.as_ref()?.recommendation.balanced
    }

    /// The conclusion as a list of sentences, the most important first. Without advice, one sentence about the
    /// pairs within `k`; empty if these are not known yet.
    pub fn conclusion(&self, k: u32) -> Vec<String> {
        if let Some(advice) = &self.advice {
            return advice.sentences();
        }
        self.so_far(k).into_iter().collect()
    }

    /// The conclusion in some forty characters; empty if nothing is known yet.
    pub fn brief(&self, k: u32) -> String {
        match &self.advice {
            Some(advice) => advice.brief(),
            None => self.so_far(k).unwrap_or_default(),
        }
    }

    fn so_far(&self, k: u32) -> Option<String> {
        let row = self.rows.get(k as usize)?;
        let pairs = row.pairs?;
        Some(format!(
            "so far: {} within k = {k}, {} expected by chance",
            counted(pairs.pairs, "pair"),
            expected(row.pairs_by_chance),
        ))
    }
}

impl FingerprintIndex {
    /// The distances of all pairs of documents. All pairs are counted if that takes seconds; otherwise, and with a
    /// reference, a sample of sixteen million pairs is used, the same every time.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn distances(&self, progress: &Progress) -> Result<Distances, Cancelled> {
        each!(self, index => index.distances(MOST_COMPARISONS, DRAWS, progress))
    }

    /// The number of documents with a fingerprint.
    pub fn n_fingerprinted(&self) -> usize {
        each!(self, index => index.distinct.n_fingerprinted())
    }

    /// With a reference, the number of documents with a fingerprint in the first corpus and in the reference.
    pub fn n_fingerprinted_by_side(&self) -> Option<[u64; 2]> {
        each!(self, index => index.n_by_side)
    }

    /// The number of pairs of documents with a fingerprint; with a reference, of the two corpora.
    pub fn n_all_pairs(&self) -> u64 {
        let n = self.n_fingerprinted() as u64;
        let sides = self.n_fingerprinted_by_side();
        sides.map_or(n * n.saturating_sub(1) / 2, |[first, reference]| first * reference)
    }

    /// The number of pairs of documents with equal fingerprints.
    pub fn n_copy_pairs(&self) -> u64 {
        each!(self, index => index.n_copy_pairs)
    }

    /// The number of pairs that can be near by chance, the base of all that is expected by chance: pairs of distinct
    /// fingerprints, because equal fingerprints are not an accident, and what many documents have is one. Across two
    /// corpora, pairs of documents with different fingerprints.
    pub fn n_unlike_pairs(&self) -> u64 {
        let n = self.n_distinct() as u64;
        match self.n_fingerprinted_by_side() {
            Some([first, reference]) => first * reference - self.n_copy_pairs(),
            None => n * n.saturating_sub(1) / 2,
        }
    }

    /// Whether both hold the fingerprints of one analysis, with any layout.
    pub fn is_over_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Narrow(one), Self::Narrow(other)) => Arc::ptr_eq(&one.distinct, &other.distinct),
            (Self::Wide(one), Self::Wide(other)) => Arc::ptr_eq(&one.distinct, &other.distinct),
            _ => false,
        }
    }
}

impl<B: Bits> TypedIndex<B> {
    fn distances(
        &self,
        most: f64,
        draws: u32,
        progress: &Progress,
    ) -> Result<Distances, Cancelled> {
        let distinct = &*self.distinct;
        let is_counted = self.n_by_side.is_none() && document_comparisons(distinct) <= most;
        let mut counts = if is_counted {
            document_histogram(distinct, progress)?
        } else {
            sampled_histogram(distinct, draws, SEED, progress)?
        };
        // A machine word may have more bits than the fingerprint, and no pair differs in them.
        counts.truncate(self.width as usize + 1);
        if is_counted {
            return Ok(Distances::counted(counts));
        }
        let n = distinct.n_fingerprinted() as u64;
        let n_pairs = self.n_by_side.map_or(n * n.saturating_sub(1) / 2, |[a, b]| a * b);
        Ok(Distances::drawn(counts, n_pairs, draws))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{FingerprintColumn, Job, Settings};
    use crate::simhash::{Fingerprint, FingerprintRecord};

    /// Three copies of one value, neighbours of it, and values far from all others.
    fn index() -> (FingerprintIndex, PairsByDistance) {
        let near = (0..20_u64).map(|n| 1 << n);
        let far = (1..200_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let record =
            |word: u64| FingerprintRecord::carried(Some(Fingerprint::new(u128::from(word), 64)));
        let mut records = FingerprintColumn::new();
        records.extend([0, 0, 0].into_iter().chain(near).chain(far).map(record));
        records.extend([FingerprintRecord::carried(None)]);
        let (settings, job) = (Settings::default(), Job::new());
        let index = FingerprintIndex::build(&records, None, &settings, &job).unwrap();
        let near = index.pairs_by_distance(&settings, &job).unwrap();
        (index, near)
    }

    fn distances(index: &FingerprintIndex, most: f64) -> Distances {
        let FingerprintIndex::Narrow(index) = index else { panic!("64 bits are narrow") };
        index.distances(most, 1 << 16, &Progress::new()).unwrap()
    }

    #[test]
    fn rows_agree_with_the_totals_however_distances_are_known() {
        let (index, near) = index();
        for most in [MOST_COMPARISONS, 0.0] {
            let distances = distances(&index, most);
            let tuning = Tuning::new(&index, Some(&near), Some(&distances), None);
            let before = Tuning::new(&index, Some(&near), None, None);
            assert_eq!((tuning.n_pairs, tuning.rows.len()), (222 * 221 / 2, 65));
            for k in 0..=near.reach() as usize {
                let totals = near.totals(k as u32).unwrap();
                let row = tuning.rows[k];
                assert_eq!(row.pairs, Some(Estimate::exact(totals.pairs)), "k = {k}");
                assert_eq!((row.groups, row.at_k), (Some(totals.groups), before.rows[k].at_k));
                assert_eq!(row.guaranteed, k <= 3);
            }
            let beyond = before.rows[near.reach() as usize + 1];
            assert_eq!((beyond.pairs, beyond.groups), (None, None));
            assert_eq!(tuning.rows[64].pairs, Some(Estimate::exact(tuning.n_pairs)));
            let sum: u64 = tuning.rows.iter().filter_map(|row| Some(row.at_k?.pairs)).sum();
            assert!(sum.abs_diff(tuning.n_pairs) < 30, "{sum}");
        }
    }

    #[test]
    fn a_sample_says_so_and_holds_the_truth() {
        let (index, near) = index();
        let (all, some) = (distances(&index, MOST_COMPARISONS), distances(&index, 0.0));
        let within = [near.totals(0).unwrap().pairs];
        let held = (0..=64).filter(|&d| {
            let (truth, guess) = (all.at(d, &within), some.at(d, &within));
            assert_eq!(truth.method, CountMethod::Exact);
            assert_eq!(guess.method == CountMethod::Exact, d == 0);
            (guess.low..=guess.high).contains(&truth.pairs)
        });
        assert!(held.count() >= 60);
    }

    #[test]
    fn before_texts_are_compared_nothing_is_advised() {
        let (index, near) = index();
        let tuning = Tuning::new(&index, Some(&near), Some(&distances(&index, 1e9)), None);
        assert_eq!((tuning.precise(), tuning.balanced()), (None, None));
        let said = tuning.conclusion(2);
        assert!(said[0].starts_with("so far: ") && said[0].contains(" within k = 2"), "{said:?}");
        assert!(Tuning::new(&index, None, None, None).conclusion(2).is_empty());
    }
}
