//! Texts as sparse unit vectors, for exact cosines.
//!
//! A row of feature numbers and values for each distinct bag. Features that only one row has count in its
//! length and are then left out, because no other row can share them. The others are numbered from the most
//! frequent to the rarest, so that the end of a row distinguishes it most; the join starts there.
//!
//! Values are rounded to 24 bits, so a cosine computed from them has an error of up to 2e-7. If this could
//! decide whether a pair reaches tau, the cosine is computed again from the exact weights
//! ([`Vectors::reached`]), which follow from counts and document frequencies.
//!
//! Costs 8 bytes for each feature that is kept (for words of abstracts nearly all; for words:3 a fifth), and 16
//! more for a feature that occurs several times in its text. While vectors are made, the bags' 12 bytes and 8
//! more for each feature are needed, too.

use std::cmp::Reverse;
use std::sync::Arc;

use fnv::FnvHashMap;
use rayon::prelude::*;

use super::cosine::{Bags, cosine, reaches};
use crate::feature::frequency::inverse;
use crate::feature::{FixedWeight, Weighting};
use crate::index::Distinct;
use crate::progress::{Cancelled, Progress};

/// Rows that are weighed together.
const RUN: usize = 1 << 8;
/// Above the largest error of a cosine by the rounding of all values.
const ROUNDING: f64 = 1e-6;

/// Unit vectors of the distinct texts of a corpus under one weighting. Immutable.
#[derive(Clone, Debug)]
pub struct Vectors {
    rows: Arc<FeatureRows>,
    values: Vec<f32>,
    weighting: Weighting,
    /// The squared length of each row, in squares of [`FixedWeight`], including features that are left out.
    squares: Vec<i128>,
}

/// The features of each row.
#[derive(Debug, Default)]
struct FeatureRows {
    /// The start of each row, and the end of the last row.
    starts: Vec<usize>,
    /// Feature numbers, ascending in a row: the most frequent first.
    features: Vec<u32>,
    /// The number of features of each row, including those left out.
    sizes: Vec<u32>,
    /// The features that occur more than once: index into `features`, ascending, and count.
    repeats: Vec<(usize, u32)>,
    /// For each feature: the number of documents that contain it.
    frequencies: Vec<u32>,
    /// Texts, including those without features: the n of tf-idf.
    n_texts: u64,
}

/// A row: its features and their values, the most frequent first.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorRow<'a> {
    pub(super) features: &'a [u32],
    pub(super) values: &'a [f32],
}

impl VectorRow<'_> {
    /// The cosine with a vector stored by feature: exactly [`Vectors::cosine`], because adding zeros changes
    /// nothing.
    #[inline]
    pub(super) fn times(&self, dense: &[f32]) -> f64 {
        let products = self.features.iter().zip(self.values);
        let sum = products.fold(0.0, |sum, (&feature, &value)| {
            sum + f64::from(value) * f64::from(dense[feature as usize])
        });
        sum.min(1.0)
    }
}

/// The distinct texts of a corpus and their vectors under some weightings.
#[derive(Debug)]
pub struct TextVectors<const N: usize> {
    /// Documents grouped by equal bags; the groups are the rows of the vectors.
    pub distinct: Distinct<u128>,
    /// The vectors, one set for each weighting.
    pub vectors: [Vectors; N],
}

impl<const N: usize> TextVectors<N> {
    /// Numbers the features of all bags and weighs them by each of `weightings`.
    ///
    /// tf-idf takes n and df from all documents, including copies, as a recipe does. Runs in parallel over
    /// parts of the keys, then over rows.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If there are 2^32 or more documents or distinct features.
    pub fn new(
        bags: &Bags,
        weightings: [Weighting; N],
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let distinct = Distinct::collapse(&bags.digests, progress)?;
        debug_assert_eq!(distinct.len(), bags.len());
        let numbering = numbering(bags, &distinct, progress)?;
        let starts: Vec<usize> = (0..bags.len()).step_by(RUN).collect();
        let runs = starts.into_par_iter().map(|from| {
            progress.check()?;
            let mut run = WeighedRun::<N>::new();
            for row in from..bags.len().min(from + RUN) {
                let copies = distinct.documents(row as u32).len() as u32;
                run.weigh(bags, row, &numbering, copies, weightings);
            }
            Ok(run)
        });
        let runs = runs.collect::<Result<Vec<WeighedRun<N>>, Cancelled>>()?;
        let mut all = WeighedRun::<N>::new();
        all.rows.frequencies = vec![0; numbering.len()];
        for &(number, frequency) in numbering.values() {
            all.rows.frequencies[number as usize] = frequency;
        }
        drop(numbering);
        for run in runs {
            progress.check()?;
            all.append(run);
        }
        let WeighedRun { mut rows, mut values, mut squares } = all;
        rows.n_texts = bags.n_texts;
        let rows = Arc::new(rows);
        let vectors = std::array::from_fn(|at| Vectors {
            rows: Arc::clone(&rows),
            values: std::mem::take(&mut values[at]),
            weighting: weightings[at],
            squares: std::mem::take(&mut squares[at]),
        });
        Ok(Self { distinct, vectors })
    }
}

impl Vectors {
    /// Number of vectors.
    pub(super) fn len(&self) -> usize {
        self.rows.sizes.len()
    }

    /// The number of features that at least two vectors have.
    pub fn n_features(&self) -> usize {
        self.rows.frequencies.len()
    }

    /// The number of features of a text, including those that no other text has.
    pub fn size(&self, vector: u32) -> u32 {
        self.rows.sizes[vector as usize]
    }

    /// Whether at least half of the features of a text are in at least half of all texts.
    pub fn is_mostly_common(&self, vector: u32) -> bool {
        let is_common = |feature: &&u32| {
            2 * u64::from(self.rows.frequencies[**feature as usize]) >= self.rows.n_texts
        };
        2 * self.row(vector).features.iter().filter(is_common).count() as u64
            >= u64::from(self.size(vector).max(1))
    }

    /// The cosine of two vectors, 0 to 1, with an error below 2e-7: the sum over shared features, the most
    /// frequent first.
    ///
    /// Costs one step for each feature of either vector.
    ///
    /// # Panics
    /// If there is no such vector.
    pub fn cosine(&self, a: u32, b: u32) -> f64 {
        let (left, right) = (self.row(a), self.row(b));
        let (mut at, mut to, mut sum) = (0, 0, 0.0);
        while at < left.features.len() && to < right.features.len() {
            let order = left.features[at].cmp(&right.features[to]);
            if order.is_eq() {
                sum += f64::from(left.values[at]) * f64::from(right.values[to]);
            }
            at += usize::from(order.is_le());
            to += usize::from(order.is_ge());
        }
        sum.min(1.0)
    }

    /// The cosine of two vectors if it reaches `tau`. `rounded` is the result of [`Vectors::cosine`]; if it is
    /// too close to tau, the exact weights decide.
    ///
    /// # Panics
    /// If there is no such vector.
    pub fn reached(&self, a: u32, b: u32, rounded: f64, tau: f64) -> Option<f64> {
        let known = (rounded - tau).abs() > ROUNDING;
        let cosine = if known { rounded } else { self.exact_cosine(a, b)? };
        reaches(cosine, tau).then_some(cosine)
    }

    /// The cosine from integer sums, by [`cosine`]; `None` if a vector has no features.
    fn exact_cosine(&self, a: u32, b: u32) -> Option<f64> {
        let mut others = self.weights(b).peekable();
        let mut product = 0;
        for (feature, weight) in self.weights(a) {
            while others.next_if(|other| other.0 < feature).is_some() {}
            if let Some((_, other)) = others.next_if(|other| other.0 == feature) {
                product += i128::from(weight.0) * i128::from(other.0);
            }
        }
        cosine(product, [a, b].map(|vector| self.squares[vector as usize]))
    }

    /// The shared features of a vector, ascending, with their weights.
    fn weights(&self, vector: u32) -> impl Iterator<Item = (u32, FixedWeight)> + '_ {
        let FeatureRows { starts, features, repeats, frequencies, n_texts, .. } = &*self.rows;
        let range = starts[vector as usize]..starts[vector as usize + 1];
        let first = repeats.partition_point(|&(place, _)| place < range.start);
        let mut repeats = repeats[first..].iter().peekable();
        range.map(move |place| {
            let repeat = repeats.next_if(|(at, _)| *at == place);
            let (feature, count) = (features[place], repeat.map_or(1, |repeat| repeat.1));
            (feature, weigh(self.weighting, *n_texts, frequencies[feature as usize], count))
        })
    }

    /// The features and values of a vector.
    pub(super) fn row(&self, vector: u32) -> VectorRow<'_> {
        let vector = vector as usize;
        let range = self.rows.starts[vector]..self.rows.starts[vector + 1];
        VectorRow { features: &self.rows.features[range.clone()], values: &self.values[range] }
    }
}

/// The weight of a feature that occurs `count` times in its text and is in `df` of `n_texts` texts.
fn weigh(weighting: Weighting, n_texts: u64, df: u32, count: u32) -> FixedWeight {
    let inverse = if weighting.needs_frequencies() { inverse(n_texts, df) } else { 1.0 };
    weighting.weigh(count, inverse)
}

/// Shared features by key: their numbers and document frequencies. Keys are hashes, so any hash of them will do.
type Numbering = FnvHashMap<u64, (u32, u32)>;

fn numbering(
    bags: &Bags,
    distinct: &Distinct<u128>,
    progress: &Progress,
) -> Result<Numbering, Cancelled> {
    let mut keys = bags.keys().to_vec();
    keys.par_sort_unstable();
    progress.check()?;
    let runs = keys.chunk_by(|left, right| left == right).filter(|run| run.len() > 1);
    let mut shared: Vec<(u64, u32)> = runs.map(|run| (run[0], run.len() as u32)).collect();
    drop(keys);
    // Ordered by number of rows, not documents, because the join meets rows.
    shared.par_sort_unstable_by_key(|&(key, n_rows)| (Reverse(n_rows), key));
    assert!(u32::try_from(shared.len()).is_ok(), "fewer than 2^32 features");
    let numbered = (0..).zip(shared).map(|(number, (key, n_rows))| (key, (number, n_rows)));
    let mut numbering: Numbering = numbered.collect();
    for row in 0..distinct.len() {
        let more = distinct.documents(row as u32).len() as u32 - 1;
        for (key, _) in bags.bag(row).filter(|_| more > 0) {
            if let Some((_, frequency)) = numbering.get_mut(&key) {
                *frequency += more;
            }
        }
        if row.is_multiple_of(RUN) {
            progress.check()?;
        }
    }
    Ok(numbering)
}

/// Some weighed rows.
struct WeighedRun<const N: usize> {
    rows: FeatureRows,
    /// The values for each weighting.
    values: [Vec<f32>; N],
    /// The squared lengths for each weighting.
    squares: [Vec<i128>; N],
}

impl<const N: usize> WeighedRun<N> {
    fn new() -> Self {
        Self {
            rows: FeatureRows { starts: vec![0], ..FeatureRows::default() },
            values: [const { Vec::new() }; N],
            squares: [const { Vec::new() }; N],
        }
    }

    /// Adds the rows of `run` after its own.
    fn append(&mut self, run: Self) {
        let before = self.rows.features.len();
        let rows = &mut self.rows;
        rows.repeats.extend(run.rows.repeats.iter().map(|&(place, n)| (before + place, n)));
        rows.starts.extend(run.rows.starts[1..].iter().map(|end| before + end));
        rows.features.extend(run.rows.features);
        rows.sizes.extend(run.rows.sizes);
        for (all, more) in self.values.iter_mut().zip(run.values) {
            all.extend(more);
        }
        for (all, more) in self.squares.iter_mut().zip(run.squares) {
            all.extend(more);
        }
    }

    fn weigh(
        &mut self,
        bags: &Bags,
        number: usize,
        numbering: &Numbering,
        copies: u32,
        weightings: [Weighting; N],
    ) {
        // The features of the row: number, document frequency, count.
        let mut row: Vec<(u32, u32, u32)> = Vec::new();
        // Squares of the features that no other row has: their df is the number of copies of the text.
        let mut squares = [0_i128; N];
        let mut size = 0;
        for (key, count) in bags.bag(number) {
            size += 1;
            if let Some(&(feature, df)) = numbering.get(&key) {
                row.push((feature, df, count));
            } else {
                for (sum, weighting) in squares.iter_mut().zip(weightings) {
                    *sum += i128::from(weigh(weighting, bags.n_texts, copies, count).0).pow(2);
                }
            }
        }
        row.sort_unstable();
        let repeats = row.iter().enumerate().filter(|(_, feature)| feature.2 > 1);
        let before = self.rows.features.len();
        self.rows.repeats.extend(repeats.map(|(place, feature)| (before + place, feature.2)));
        self.rows.sizes.push(size);
        self.rows.features.extend(row.iter().map(|feature| feature.0));
        self.rows.starts.push(self.rows.features.len());
        for ((at, weighting), mut square) in weightings.into_iter().enumerate().zip(squares) {
            let weights = row.iter();
            let weights =
                weights.map(|&(_, df, count)| weigh(weighting, bags.n_texts, df, count).0);
            square += weights.clone().map(|weight| i128::from(weight).pow(2)).sum::<i128>();
            let length = (square as f64).sqrt();
            self.values[at].extend(weights.map(|weight| (weight as f64 / length) as f32));
            self.squares[at].push(square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::cosine::Bag;
    use crate::id::DocId;

    fn texts<const N: usize>(bags: &[&[(u64, u32)]], weightings: [Weighting; N]) -> TextVectors<N> {
        let mut all = Bags::new();
        for bag in bags {
            all.push(Some(&Bag::new(bag.iter().copied())));
        }
        TextVectors::new(&all, weightings, &Progress::new()).unwrap()
    }

    #[test]
    fn cosines_equal_those_of_the_whole_vectors() {
        let a: &[(u64, u32)] = &[(1, 1), (2, 1), (3 << 60, 2)];
        let b: &[(u64, u32)] = &[(3 << 60, 1), (2, 1), (9 << 60, 1)];
        let texts = texts(&[a, b, a, &[]], [Weighting::Tf, Weighting::TfIdf, Weighting::Binary]);
        assert_eq!(texts.distinct.documents(0), [DocId(0), DocId(2)]);
        let cosines: Vec<f64> = texts.vectors.iter().map(|vectors| vectors.cosine(0, 1)).collect();
        assert!((cosines[0] - 3.0 / 18f64.sqrt()).abs() < 1e-6);
        assert!((cosines[2] - 2.0 / 3.0).abs() < 1e-6);
        // Four texts; two copies count twice: df 2 for key 1, 3 for 2 and 3, 1 for 9.
        let idf = |df: f64| (5.0 / (1.0 + df)).ln() + 1.0;
        let (one, two, nine) = (idf(2.0), idf(3.0), idf(1.0));
        let lengths = [one.hypot(two).hypot(2.0 * two), two.hypot(two).hypot(nine)];
        let expected = 3.0 * two * two / (lengths[0] * lengths[1]);
        assert!((cosines[1] - expected).abs() < 1e-6, "{} {expected}", cosines[1]);
        let vectors = &texts.vectors[0];
        assert_eq!((vectors.len(), vectors.n_features(), vectors.size(0)), (2, 2, 3));
        assert!(
            (vectors.cosine(1, 1) - 2.0 / 3.0).abs() < 1e-6,
            "without the feature that no other text has"
        );
    }

    #[test]
    fn many_copies_cost_one_row() {
        let mut bags = Bags::new();
        for _ in 0..200_000 {
            bags.push(Some(&Bag::new((0..50).map(|key| (key << 56, 1)))));
        }
        let texts = TextVectors::new(&bags, [Weighting::TfIdf], &Progress::new()).unwrap();
        assert_eq!((texts.vectors[0].len(), texts.distinct.documents(0).len()), (1, 200_000));
    }

    #[test]
    fn it_stops_when_cancelled() {
        let progress = Progress::new();
        progress.cancel();
        assert!(TextVectors::new(&Bags::new(), [], &progress).is_err());
    }
}
