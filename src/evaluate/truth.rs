//! The truth: all pairs of texts whose cosine reaches tau ([`reaches`](super::cosine::reaches)), exactly.
//!
//! Most pairs share only frequent features, which have little weight. The features of each vector are sorted
//! from frequent to rare, and the vector is cut where the length of its first part is still below tau. Two
//! vectors that share only features of their first parts cannot reach tau, because their product is at most the
//! length of such a part (Cauchy and Schwarz). So only the rare part is put into lists, one list for each
//! feature. The search for partners of x goes through the lists of the rare part of x, the rarest first, and
//! adds up products. Whenever a partner is met in a list, the lengths of the remaining parts of both vectors
//! limit the remaining sum, and a partner that cannot reach tau is dropped. For the others the full cosine is
//! computed, including frequent features.
//!
//! Cost: the number of pairs in all lists ([`Join::predicted_meetings`]), a fifth of a microsecond each,
//! including the full cosines; 45,649 abstracts at 0.8 have 14 million and take three seconds on one core.
//! Memory: 12 bytes for each listed feature, and for each thread 4 bytes per vector and per feature.
//!
//! Sources: Bayardo, Ma and Srikant, "Scaling up all pairs similarity search" (2007), for the cut
//! vectors; Anastasiu and Karypis, "L2AP: fast cosine similarity search with prefix L-2 norm bounds"
//! (2014), for the bounds by length.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::vectors::Vectors;
use crate::progress::{Cancelled, Progress};

/// Vectors that one thread processes at a time.
const RUN: usize = 64;
/// Meetings between two checks for a cancel: a few milliseconds.
const STRIDE: usize = 1 << 20;
/// Rows between two checks while lists are made.
const ROWS: usize = 1 << 12;

/// Two texts and their cosine; `a < b`. Ordered by `a`, then `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TruePair {
    /// The text whose first document comes first.
    pub a: u32,
    /// The other text.
    pub b: u32,
    /// Their cosine, tau to 1.
    pub cosine: f64,
}

/// The reason why the truth was not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TruthError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There are more pairs than can be kept.
    #[error("more than {most} pairs of different texts reach this cosine; use a larger `tau`")]
    TooManyPairs {
        /// The largest possible number.
        most: usize,
    },
}

/// The lists of rare features, ready to be joined.
#[derive(Debug)]
pub struct Join<'a> {
    vectors: &'a Vectors,
    tau: f64,
    /// The amount by which rounding may lower a bound.
    slack: f32,
    /// The start of the list of each feature, and the end of the last list.
    starts: Vec<usize>,
    /// The lists; in each list the vectors are ascending.
    postings: Vec<Posting>,
    /// The start of the rare part of each vector, in its row.
    cuts: Vec<u32>,
}

/// An entry of a list: a vector that has the feature.
#[derive(Clone, Copy, Debug, Default)]
struct Posting {
    vector: u32,
    value: f32,
    /// Length of the part of the vector whose features are more frequent than this one.
    before: f32,
}

impl<'a> Join<'a> {
    /// Lists the rare features of all vectors. Linear.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If tau is not above 0 and at most 1.
    pub fn new(vectors: &'a Vectors, tau: f64, progress: &Progress) -> Result<Self, Cancelled> {
        assert!(tau > 0.0 && tau <= 1.0, "tau is above 0 and at most 1");
        let n = vectors.len();
        let mut starts = vec![0_usize; vectors.n_features() + 1];
        let (mut cuts, mut longest) = (Vec::with_capacity(n), 0);
        for vector in 0..n as u32 {
            if (vector as usize).is_multiple_of(ROWS) {
                progress.check()?;
            }
            let row = vectors.row(vector);
            let mut squares = 0.0_f64;
            let cut = row.values.iter().position(|&value| {
                squares += f64::from(value).powi(2);
                // Rounding of the values must not drop a partner exactly at tau.
                squares.sqrt() >= tau - 1e-6
            });
            let cut = cut.unwrap_or(row.values.len());
            longest = longest.max(row.values.len() - cut);
            cuts.push(cut as u32);
            for &feature in &row.features[cut..] {
                starts[feature as usize] += 1;
            }
        }
        let mut n_postings = 0;
        for start in &mut starts {
            n_postings += std::mem::replace(start, n_postings);
        }
        let mut next = starts.clone();
        let mut postings = vec![Posting::default(); n_postings];
        for (vector, &cut) in (0..).zip(&cuts) {
            if (vector as usize).is_multiple_of(ROWS) {
                progress.check()?;
            }
            let row = vectors.row(vector);
            let mut squares = 0.0_f64;
            for (at, (&feature, &value)) in row.features.iter().zip(row.values).enumerate() {
                if at >= cut as usize {
                    let place = &mut next[feature as usize];
                    let before = squares.sqrt() as f32;
                    postings[*place] = Posting { vector, value, before };
                    *place += 1;
                }
                squares += f64::from(value).powi(2);
            }
        }
        // Products and sums of numbers up to 1; each is rounded once.
        let slack = (longest + 8) as f32 * f32::EPSILON;
        Ok(Self { vectors, tau, slack, starts, postings, cuts })
    }

    /// The number of times that a partner will be met in a list. This is the cost of the join: a fifth of a
    /// microsecond each.
    pub fn predicted_meetings(&self) -> f64 {
        let lengths = self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as f64);
        lengths.map(|length| length * (length - 1.0) / 2.0).sum()
    }

    /// All pairs with a cosine of at least tau, by `a`, then `b`. Exact: equal to those of a comparison of every pair.
    ///
    /// Runs in parallel over vectors, which `progress` counts.
    ///
    /// # Errors
    /// [`TruthError`] if cancelled, noticed within milliseconds, or above `most` pairs.
    pub fn pairs(&self, most: usize, progress: &Progress) -> Result<Vec<TruePair>, TruthError> {
        let n = self.vectors.len();
        // Each vector finds its earlier partners, so that a pair is found once.
        self.partners_of(n, |at| (at as u32, at as u32), |_, _| true, most, progress)
    }

    /// The pairs of [`Join::pairs`] that have at least one of these vectors, which must be ascending. Costs 2 *
    /// `some.len()` / n of its meetings.
    ///
    /// # Errors
    /// As [`Join::pairs`].
    pub fn pairs_of(
        &self,
        some: &[u32],
        most: usize,
        progress: &Progress,
    ) -> Result<Vec<TruePair>, TruthError> {
        let n = self.vectors.len() as u32;
        // A pair of two of these vectors is found twice; the find by the later vector is kept.
        let is_kept = |vector, other| other < vector || some.binary_search(&other).is_err();
        self.partners_of(some.len(), |at| (some[at], n), is_kept, most, progress)
    }

    /// The partners of `n` vectors. `which` returns the vector at an index, and a number; its partners are
    /// below this number. `is_kept` returns whether to keep a vector's partner.
    fn partners_of(
        &self,
        n: usize,
        which: impl Fn(usize) -> (u32, u32) + Sync,
        is_kept: impl Fn(u32, u32) -> bool + Sync,
        most: usize,
        progress: &Progress,
    ) -> Result<Vec<TruePair>, TruthError> {
        progress.begin(n as u64);
        let n_found = AtomicUsize::new(0);
        let runs = (0..n).into_par_iter().step_by(RUN);
        let found = runs.map_init(
            || Work {
                sums: vec![0.0; self.vectors.len()],
                met: Vec::new(),
                dense: vec![0.0; self.vectors.n_features()],
            },
            |work, from| {
                let mut pairs = Vec::new();
                let places = from..n.min(from + RUN);
                for place in places.clone() {
                    let (vector, below) = which(place);
                    self.partners(vector, below, work, progress, |other, cosine| {
                        if is_kept(vector, other) {
                            let (a, b) = (vector.min(other), vector.max(other));
                            pairs.push(TruePair { a, b, cosine });
                        }
                    })?;
                }
                progress.add(places.len() as u64);
                if n_found.fetch_add(pairs.len(), Ordering::Relaxed) + pairs.len() > most {
                    return Err(TruthError::TooManyPairs { most });
                }
                Ok(pairs)
            },
        );
        let mut pairs = found.collect::<Result<Vec<_>, TruthError>>()?.concat();
        pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        Ok(pairs)
    }

    /// Calls `take` with each partner below `below` of a vector, and their cosine.
    fn partners(
        &self,
        vector: u32,
        below: u32,
        work: &mut Work,
        progress: &Progress,
        mut take: impl FnMut(u32, f64),
    ) -> Result<(), Cancelled> {
        progress.check()?;
        let row = self.vectors.row(vector);
        let cut = self.cuts[vector as usize] as usize;
        let least = self.tau as f32 - self.slack;
        let Work { sums, met, dense } = work;
        let mut squares: f64 = row.values.iter().map(|&value| f64::from(value).powi(2)).sum();
        let mut n_meetings = 0;
        for (&feature, &value) in row.features[cut..].iter().zip(&row.values[cut..]).rev() {
            squares -= f64::from(value).powi(2);
            // Subtracting squares accumulates a rounding error.
            let before = (squares.max(0.0) + 1e-12).sqrt() as f32;
            let list =
                &self.postings[self.starts[feature as usize]..self.starts[feature as usize + 1]];
            for posting in list {
                if posting.vector >= below {
                    break;
                }
                if posting.vector == vector {
                    continue;
                }
                let sum = &mut sums[posting.vector as usize];
                let grown = *sum + value * posting.value;
                if grown + before * posting.before >= least {
                    if *sum == 0.0 {
                        met.push(posting.vector);
                    }
                    *sum = grown;
                } else if *sum != 0.0 {
                    // Dropped; no later meeting can bring it back.
                    *sum = f32::NEG_INFINITY;
                }
            }
            n_meetings += list.len();
            if n_meetings >= STRIDE {
                n_meetings = 0;
                progress.check()?;
            }
        }
        // One access for each feature of the partner. Merging both rows would mispredict a branch at each step.
        let spread = row.features.iter().zip(row.values);
        if !met.is_empty() {
            for (&feature, &value) in spread.clone() {
                dense[feature as usize] = value;
            }
        }
        for &other in &*met {
            if std::mem::take(&mut sums[other as usize]) > 0.0 {
                let rounded = self.vectors.row(other).times(dense);
                let (a, b) = (vector.min(other), vector.max(other));
                if let Some(cosine) = self.vectors.reached(a, b, rounded, self.tau) {
                    take(other, cosine);
                }
            }
        }
        if !met.is_empty() {
            for (&feature, _) in spread {
                dense[feature as usize] = 0.0;
            }
            met.clear();
        }
        Ok(())
    }
}

/// The buffers of one thread.
struct Work {
    /// The sum so far for each vector; minus infinity if it cannot reach tau.
    sums: Vec<f32>,
    /// The vectors with a sum.
    met: Vec<u32>,
    /// The values of the vector whose partners are searched, by feature.
    dense: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::evaluate::cosine::{Bag, Bags};
    use crate::evaluate::vectors::TextVectors;
    use crate::feature::Weighting;

    /// The slow reference: the cosine of every pair.
    fn naive(vectors: &Vectors, tau: f64) -> Vec<TruePair> {
        let n = vectors.len() as u32;
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let reached = |(a, b)| {
            let cosine = vectors.reached(a, b, vectors.cosine(a, b), tau)?;
            Some(TruePair { a, b, cosine })
        };
        pairs.filter_map(reached).collect()
    }

    /// Texts with a skewed vocabulary; some of them are others with a few features changed.
    fn bags() -> impl Strategy<Value = Vec<Vec<(u64, u32)>>> {
        // The square of a uniform number: low keys occur nearly everywhere.
        let feature = || (0..40_u64, 0..40_u64, 1..4_u32).prop_map(|(x, y, n)| (x * y / 8, n));
        let fresh = vec(vec(feature(), 0..30), 1..25);
        let derived = vec((any::<Index>(), vec(feature(), 0..4), any::<Index>()), 0..40);
        (fresh, derived).prop_map(|(mut texts, derived)| {
            for (of, more, cut) in derived {
                let mut text = of.get(&texts).clone();
                if !text.is_empty() && more.len() % 2 == 1 {
                    text.remove(cut.index(text.len()));
                }
                text.extend(more);
                texts.push(text);
            }
            for text in &mut texts {
                text.sort_unstable();
                text.dedup_by_key(|feature| feature.0);
            }
            texts
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn the_join_finds_the_pairs_of_a_full_comparison(
            bags in bags(),
            tau in prop_oneof![0.01..1.0, Just(0.5), Just(0.8), Just(0.95), Just(1.0)],
            weighting in prop_oneof![Just(Weighting::TfIdf), Just(Weighting::Binary)],
        ) {
            let mut all = Bags::new();
            for bag in &bags {
                all.push(Some(&Bag::new(bag.iter().copied())));
            }
            let texts = TextVectors::new(&all, [weighting], &Progress::new()).unwrap();
            let vectors = &texts.vectors[0];
            let join = Join::new(vectors, tau, &Progress::new()).unwrap();
            let found = join.pairs(usize::MAX, &Progress::new()).unwrap();
            prop_assert_eq!(&found, &naive(vectors, tau));
            let some: Vec<u32> = (0..vectors.len() as u32).filter(|n| n % 3 == 1).collect();
            let of_some = join.pairs_of(&some, usize::MAX, &Progress::new()).unwrap();
            let is_of_some = |pair: &TruePair| pair.a % 3 == 1 || pair.b % 3 == 1;
            let expected: Vec<TruePair> = found.into_iter().filter(is_of_some).collect();
            prop_assert_eq!(of_some, expected);
        }

        /// Compared with integers: a pair is true exactly if 10^4 product^2 >= p^2 a b.
        #[test]
        fn the_join_agrees_with_integers(
            bags in bags(),
            percent in prop::sample::select(vec![25_i128, 50, 60, 75, 80, 90, 96, 100]),
            weighting in prop_oneof![Just(Weighting::Tf), Just(Weighting::Binary)],
        ) {
            let mut all = Bags::new();
            for bag in &bags {
                all.push(Some(&Bag::new(bag.iter().copied())));
            }
            let texts = TextVectors::new(&all, [weighting], &Progress::new()).unwrap();
            let weight = |count: u32| if weighting == Weighting::Tf { i128::from(count) } else { 1 };
            let product = |a: &[(u64, u32)], b: &[(u64, u32)]| -> i128 {
                let shared = a.iter().filter_map(|(key, n)| {
                    let (_, other) = b.iter().find(|(other, _)| other == key)?;
                    Some(weight(*n) * weight(*other))
                });
                shared.sum()
            };
            // The number of a text is the position of its first document.
            let bag = |text: u32| &bags[texts.distinct.documents(text)[0].index()];
            let n = texts.distinct.len() as u32;
            let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
            let expected: Vec<(u32, u32)> = pairs.filter(|&(a, b)| {
                let (a, b) = (bag(a), bag(b));
                let (both, squares) = (product(a, b), product(a, a) * product(b, b));
                10_000 * both * both >= percent * percent * squares
            }).collect();
            let tau = format!("{}.{:02}", percent / 100, percent % 100).parse().unwrap();
            let join = Join::new(&texts.vectors[0], tau, &Progress::new()).unwrap();
            let found = join.pairs(usize::MAX, &Progress::new()).unwrap();
            let found: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_pair_just_at_tau_is_found() {
        // Two texts of five words that share four; and sixteen words in a text of twenty-five.
        let texts: [Vec<u64>; 4] =
            [(0..5).collect(), (1..6).collect(), (100..116).collect(), (100..125).collect()];
        let mut all = Bags::new();
        for text in texts {
            all.push(Some(&Bag::new(text.into_iter().map(|key| (key, 1)))));
        }
        let texts = TextVectors::new(&all, [Weighting::Tf], &Progress::new()).unwrap();
        let join = Join::new(&texts.vectors[0], 0.8, &Progress::new()).unwrap();
        let found = join.pairs(usize::MAX, &Progress::new()).unwrap();
        let pair = |a, b| TruePair { a, b, cosine: 0.8 };
        assert_eq!(found, [pair(0, 1), pair(2, 3)]);
    }

    #[test]
    fn too_many_pairs_are_refused_and_a_cancel_ends_the_join() {
        let mut all = Bags::new();
        for n in 0..100 {
            all.push(Some(&Bag::new((0..50).map(|key| (key, 1 + n * (key as u32 % 2))))));
        }
        let texts = TextVectors::new(&all, [Weighting::Tf], &Progress::new()).unwrap();
        let join = Join::new(&texts.vectors[0], 0.9, &Progress::new()).unwrap();
        assert_eq!(join.pairs(10, &Progress::new()), Err(TruthError::TooManyPairs { most: 10 }));
        let progress = Progress::new();
        progress.cancel();
        assert_eq!(join.pairs(10, &progress), Err(TruthError::Cancelled(Cancelled)));
    }
}
