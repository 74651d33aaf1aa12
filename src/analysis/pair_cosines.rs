//! All pairs of some documents with their exact cosines, and the pairs that a search finds among them.
//!
//! For figures of few documents. All pairs are kept, so that M, K and k can change and the true and false positives
//! are counted again at once. Source of the S-curve: Leskovec, Rajaraman and Ullman, "Mining of massive datasets",
//! section 3.4.

use rayon::prelude::*;

use super::{Analysis, Job, explained_pair::FeatureVector};
use crate::{
    evaluate::{angle, confusion::Confusion},
    id::DocId,
    index::{Cut, Layout},
    progress::{Cancelled, Progress},
    simhash::{Fingerprint, Scratch},
};

/// The most documents: half a million pairs, computed in about a second.
pub const MOST_DOCUMENTS: usize = 1000;

/// A method of finding pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// Pairs whose fingerprints differ in at most this many bits.
    Within(u32),
    /// Pairs that agree in all bits of at least one band.
    Bands {
        /// Bands, M.
        bands: u32,
        /// Bits of each, K; all bands together are no wider than a fingerprint.
        bits: u32,
    },
}

impl SearchMethod {
    /// The chance that it finds a pair at this cosine, for random hyperplanes and fingerprints of `width` bits.
    pub fn chance(self, cosine: f64, width: u32) -> f64 {
        match self {
            Self::Within(k) => angle::within(cosine, k.min(width), width),
            Self::Bands { bands, bits } => angle::candidate(bands, bits, cosine),
        }
    }

    /// The test whether it finds a pair that differs in these bits, for fingerprints of `width` bits. Bands that
    /// do not fit the width count as one band of all bits.
    fn test(self, width: u32) -> impl Fn(u128) -> bool {
        let layout = match self {
            Self::Within(_) => None,
            Self::Bands { bands, bits } => Layout::bands(width, bands, bits)
                .or_else(|_| Layout::blocks(width, 1, 1, Cut::Even))
                .ok(),
        };
        move |xor| match self {
            Self::Within(k) => xor.count_ones() <= k,
            Self::Bands { .. } => layout
                .as_ref()
                .is_some_and(|layout| layout.first_table_with_shared_key(xor).is_some()),
        }
    }
}

/// A pair of documents: its cosine, and the bits in which the fingerprints differ.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CosinePair {
    cosine: f32,
    xor: u128,
}

impl CosinePair {
    fn is_true(self, tau: f64) -> bool {
        f64::from(self.cosine) >= tau - 1e-6
    }
}

/// All pairs of some documents. Takes 32 bytes for each pair.
#[derive(Clone, Debug)]
pub struct PairCosines {
    pairs: Vec<CosinePair>,
    /// Bits of a fingerprint.
    pub width: u32,
    /// The number of documents with different features.
    pub n_documents: usize,
}

impl PairCosines {
    /// The pairs of the first [`MOST_DOCUMENTS`] documents of `analysis` that have a text and features.
    ///
    /// # Errors
    /// A message: why there are no pairs, or that the job was cancelled.
    pub fn of(analysis: &Analysis, job: &Job) -> Result<Self, String> {
        if !analysis.fingerprinter.is_ready() {
            return Err("the weights of this recipe are not known yet".to_owned());
        }
        let stopped = |cancelled: Cancelled| cancelled.to_string();
        let (by, mut scratch) = (&analysis.fingerprinter, Scratch::default());
        let mut documents = Vec::new();
        for document in (0..analysis.len().min(MOST_DOCUMENTS)).map(DocId::from) {
            job.progress.check().map_err(stopped)?;
            let (corpus, progress) = (&analysis.corpus, &job.progress);
            let vector = FeatureVector::read(corpus, document, by, &mut scratch, progress);
            documents.extend(vector.zip(analysis.fingerprint(document)));
        }
        if documents.len() < 2 {
            return Err("there are no two documents with text and features".to_owned());
        }
        Self::new(&documents, analysis.settings.recipe.bits, &job.progress).map_err(stopped)
    }

    /// All pairs of documents with these features and fingerprints of `width` bits; documents without features are
    /// left out. Only one of several documents with equal features is used, because every search finds such pairs.
    /// The cost for each pair is the number of features of both documents.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    fn new(
        documents: &[(FeatureVector, Fingerprint)],
        width: u32,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut rows: Vec<&(FeatureVector, Fingerprint)> = Vec::with_capacity(documents.len());
        for document in documents {
            if rows.iter().all(|row| row.0 != document.0) {
                rows.push(document);
            }
        }
        let of = |(at, (one, bits)): (usize, &&(FeatureVector, Fingerprint))| {
            progress.check()?;
            let pair = |(other, other_bits): &&(FeatureVector, Fingerprint)| CosinePair {
                cosine: one.similarity(other).map_or(0.0, |found| found.cosine as f32),
                xor: bits.bits() ^ other_bits.bits(),
            };
            Ok(rows[at + 1..].iter().map(pair).collect())
        };
        let parts: Result<Vec<Vec<CosinePair>>, Cancelled> =
            rows.par_iter().enumerate().map(of).collect();
        Ok(Self { pairs: parts?.concat(), width, n_documents: rows.len() })
    }

    /// The number of pairs.
    pub fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Counts the true and false pairs that a search finds and misses. A pair is true if its cosine is at least
    /// `tau`. Takes a few nanoseconds for each pair.
    pub fn outcome(&self, finder: SearchMethod, tau: f64) -> Confusion {
        let is_found = finder.test(self.width);
        let mut counts = Confusion::default();
        for pair in &self.pairs {
            match (pair.is_true(tau), is_found(pair.xor)) {
                (true, true) => counts.true_positives += 1,
                (true, false) => counts.false_negatives += 1,
                (false, true) => counts.false_positives += 1,
                (false, false) => {}
            }
        }
        counts
    }

    /// The number of true pairs that a search is expected to find, by its chance at the cosine of each. A pair is true if
    /// its cosine is at least `tau`. Takes a few nanoseconds for each pair, and some hundred for each true one.
    pub fn expected(&self, finder: SearchMethod, tau: f64) -> f64 {
        let is_true = self.pairs.iter().filter(|pair| pair.is_true(tau));
        is_true.map(|pair| finder.chance(f64::from(pair.cosine), self.width)).sum()
    }

    /// The numbers of true and false pairs at each distance from 0 to the width. A pair is true if its cosine is at
    /// least `tau`.
    pub fn by_distance(&self, tau: f64) -> Vec<[u64; 2]> {
        let mut counts = vec![[0; 2]; self.width as usize + 1];
        for pair in &self.pairs {
            counts[pair.xor.count_ones() as usize][usize::from(!pair.is_true(tau))] += 1;
        }
        counts
    }

    /// The numbers of found and missed pairs in each of `n` cells. `cell` gives the cell of a cosine.
    pub fn histogram(
        &self,
        finder: SearchMethod,
        n: usize,
        cell: impl Fn(f64) -> usize,
    ) -> Vec<[u64; 2]> {
        let is_found = finder.test(self.width);
        let mut counts = vec![[0; 2]; n];
        for pair in &self.pairs {
            let is_missed = !is_found(pair.xor);
            if let Some(counts) = counts.get_mut(cell(f64::from(pair.cosine))) {
                counts[usize::from(is_missed)] += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::{FeatureVotes, Fingerprinter, Recipe};

    fn documents(texts: &[&str]) -> Vec<(FeatureVotes, Fingerprint)> {
        let recipe: Recipe = "words:1 tf bits=64".parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let of = |text: &&str| {
            let votes = fingerprinter.feature_votes(text);
            let fingerprint = votes.fingerprint(&recipe).unwrap();
            (votes, fingerprint)
        };
        texts.iter().map(of).collect()
    }

    #[test]
    fn the_counts_are_those_of_every_pair_looked_at() {
        let texts = ["a b c", "a b d", "a a b", "x y z", "a b c", "b c d e f g"];
        let documents = documents(&texts);
        let vector = |(votes, fingerprint): &(FeatureVotes, Fingerprint)| {
            let features = votes.features.iter().map(|it| (it.hash as u64, it.weight));
            let mut features: Vec<_> = features.collect();
            features.sort_unstable_by_key(|(key, _)| *key);
            (FeatureVector(features), *fingerprint)
        };
        let vectors: Vec<_> = documents.iter().map(vector).collect();
        let all = PairCosines::new(&vectors, 64, &Progress::default()).unwrap();
        // The second "a b c" counts with the first.
        assert_eq!((all.n_pairs(), all.n_documents), (10, 5));
        let documents = [&documents[..4], &documents[5..]].concat();
        for finder in [
            SearchMethod::Within(0),
            SearchMethod::Within(20),
            SearchMethod::Bands { bands: 4, bits: 16 },
            SearchMethod::Bands { bands: 8, bits: 4 },
        ] {
            let mut expected = Confusion::default();
            for (a, one) in documents.iter().enumerate() {
                for other in &documents[a + 1..] {
                    let weight = |of: &FeatureVotes, name: &str| {
                        let found = of.features.iter().find(|it| it.shingle == name);
                        found.map_or(0.0, |it| it.weight.to_f64())
                    };
                    let product: f64 = one
                        .0
                        .features
                        .iter()
                        .map(|it| it.weight.to_f64() * weight(&other.0, &it.shingle))
                        .sum();
                    let cosine = product / (one.0.votes.norm() * other.0.votes.norm());
                    let xor = one.1.bits() ^ other.1.bits();
                    let is_found = match finder {
                        SearchMethod::Within(k) => xor.count_ones() <= k,
                        SearchMethod::Bands { bands, bits } => (0..bands).any(|band| {
                            let low = 64 - (band + 1) * bits;
                            xor >> low & ((1 << bits) - 1) == 0
                        }),
                    };
                    match (cosine >= 0.6, is_found) {
                        (true, true) => expected.true_positives += 1,
                        (true, false) => expected.false_negatives += 1,
                        (false, true) => expected.false_positives += 1,
                        (false, false) => {}
                    }
                }
            }
            assert_eq!(all.outcome(finder, 0.6), expected, "{finder:?}");
            if let SearchMethod::Within(k) = finder {
                let within = &all.by_distance(0.6)[..=k as usize];
                let sum = |of: usize| within.iter().map(|counts| counts[of]).sum::<u64>();
                assert_eq!([sum(0), sum(1)], [expected.true_positives, expected.false_positives]);
            }
            let cells = all.histogram(finder, 2, |cosine| usize::from(cosine >= 0.6 - 1e-6));
            assert_eq!(cells[1], [expected.true_positives, expected.false_negatives]);
            assert_eq!(cells[0][0], expected.false_positives);
        }
    }

    #[test]
    fn the_chance_is_that_of_the_formulae() {
        let bands = SearchMethod::Bands { bands: 3, bits: 18 };
        assert!((bands.chance(0.9, 64) - 0.1732).abs() < 1e-4);
        assert!((SearchMethod::Within(3).chance(0.95, 64) - 0.1014).abs() < 1e-4);
    }
}
