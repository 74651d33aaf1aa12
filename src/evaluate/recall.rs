//! Recall: the share of the true pairs that a search finds.
//!
//! If every true pair is known, recall is counted. If there are too many texts for that, some texts are drawn
//! at random, and all their partners are found by an exact join with the whole corpus. For these pairs it is
//! known which ones the search finds. A text brings all its pairs into the sample, so the interval is that of a
//! share counted in clusters ([`share`]). No model of fingerprints is used: only the draw is random, so the
//! interval holds for short and for long texts.
//!
//! Each text counts once. Recall of pairs of documents is not estimated: two texts with a hundred copies each
//! make ten thousand pairs, which a sample without these texts cannot show.
//!
//! The interval of a share whose observations come in clusters.
//!
//! A text drawn at random brings all its pairs into the sample, and all edits under one hash function depend on
//! that hash function. Such observations are similar, so that many of them have little more information than
//! one. The variation between clusters gives the effective sample: the number of independent observations that
//! would vary as much. Jeffreys' interval of a sample of that size is the interval of the share.
//!
//! Sources: Korn and Graubard, "Confidence intervals for proportions with small expected number of positive
//! counts estimated from survey data" (1998), here with Jeffreys' interval for that of Clopper and Pearson;
//! Cochran, "Sampling techniques" (1977), sections 2.11 and 3.12, for the variance of a ratio; Bell and
//! `McCaffrey`, "Bias reduction in standard errors for linear regression with multi-stage samples" (2002), for
//! the influence of large clusters.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::interval::{LEVEL, jeffreys_of};
use super::labels::Share;

/// The least number of drawn texts with a true partner; with fewer, the variation is not known.
pub const FEWEST: usize = 10;

/// The recall among all true pairs of `n_texts` different texts, from all true pairs of the texts `drawn`
/// (ascending), each with whether the search finds it. `None` if fewer than [`FEWEST`] drawn texts have a true
/// pair. O(n log n).
pub fn of_drawn(
    met: impl IntoIterator<Item = ([u32; 2], bool)>,
    drawn: &[u32],
    n_texts: usize,
) -> Option<Share> {
    let mut clusters: BTreeMap<u32, Cluster> = BTreeMap::new();
    for (pair, is_found) in met {
        // Each drawn text counts its pairs, so a pair of two drawn texts counts twice.
        for text in pair {
            if drawn.binary_search(&text).is_ok() {
                let cluster = clusters.entry(text).or_default();
                cluster.all += 1.0;
                cluster.with += f64::from(u8::from(is_found));
            }
        }
    }
    if clusters.len() < FEWEST {
        return None;
    }
    // In order of texts, so that sums are equal in every run.
    let clusters: Vec<Cluster> = clusters.into_values().collect();
    share(&clusters, drawn.len() as f64 / n_texts as f64)
}

/// Quantiles of Beta do not converge for larger samples; this smaller sample makes the interval wider.
const MOST_EFFECTIVE: f64 = 100_000.0;

/// The counts of one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// Observations that have the property.
    pub with: f64,
    /// All observations.
    pub all: f64,
}

/// The share of observations that have the property, from clusters drawn at random without replacement.
///
/// `drawn` is the share of all clusters that was drawn, 0 to 1: 0 if their number is unlimited, 1 if all are
/// known. `None` if fewer than two clusters have an observation. Linear.
///
/// # Panics
/// If `drawn` does not lie between 0 and 1, or if a cluster counts more observations with the property than in
/// all.
pub fn share(clusters: &[Cluster], drawn: f64) -> Option<Share> {
    let filled: Vec<&Cluster> = clusters.iter().filter(|cluster| cluster.all > 0.0).collect();
    if filled.len() < 2 {
        return None;
    }
    let n = filled.len() as f64;
    let sum = |of: &dyn Fn(&Cluster) -> f64| filled.iter().map(|cluster| of(cluster)).sum::<f64>();
    let all = sum(&|cluster| cluster.all);
    let share = sum(&|cluster| cluster.with) / all;
    let left = 1.0 - drawn;
    if left <= 0.0 {
        return Some(Share::exactly(share));
    }
    // A large cluster influences the share: its distance is taken from the share without it.
    let off = |cluster: &Cluster| (cluster.with - share * cluster.all) / (1.0 - cluster.all / all);
    let variance = left * n / (n - 1.0) * sum(&|cluster| off(cluster).powi(2)) / (all * all);
    // The number of clusters of equal size that would give the same variance.
    let even = all * all / sum(&|cluster| cluster.all.powi(2));
    let by_spread = share * (1.0 - share) / variance;
    let by_clusters = even / left;
    let effective = if by_spread.is_finite() && by_spread > 0.0 { by_spread } else { by_clusters };
    let effective = effective.min(all / left).min(MOST_EFFECTIVE);
    // The variation is an estimate, too, so that few clusters give less information.
    let tail = 0.5 + LEVEL / 2.0;
    let freedom = (even - 1.0).max(1.0);
    let t = StudentsT::new(0.0, 1.0, freedom).expect("above 0").inverse_cdf(tail);
    let effective = effective * (Normal::standard().inverse_cdf(tail) / t).powi(2);
    let (low, high) = jeffreys_of(share * effective, effective, LEVEL);
    Some(Share { value: Some(share), low: low.min(share), high: high.max(share) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::interval::jeffreys;

    #[test]
    fn all_texts_drawn_count_every_pair_alike() {
        // A group of four texts whose pairs are all found, and six pairs that are not found.
        let found = (0..4).flat_map(|a| (a + 1..4).map(move |b| ([a, b], true)));
        let pairs = found.chain((0..6).map(|n| ([10 + 2 * n, 11 + 2 * n], false)));
        let drawn: Vec<u32> = (0..30).collect();
        let recall = of_drawn(pairs, &drawn, 30).unwrap();
        assert_eq!(recall, Share::exactly(0.5));
    }

    #[test]
    fn too_few_texts_with_a_pair_give_no_recall() {
        let pairs = |n| (0..n).map(|n| ([2 * n, 2 * n + 1], true));
        let even = |n: u32| (0..n).map(|n| 2 * n).collect::<Vec<_>>();
        assert_eq!(of_drawn(pairs(9), &even(100), 1000), None);
        let recall = of_drawn(pairs(10), &even(100), 1000).unwrap();
        assert!(recall.value == Some(1.0) && recall.high == 1.0 && recall.low < 0.85, "{recall:?}");
    }

    fn clusters(n: usize, all: f64, with: impl Fn(usize) -> f64) -> Vec<Cluster> {
        (0..n).map(|number| Cluster { with: with(number), all }).collect()
    }

    #[test]
    fn clusters_of_one_are_jeffreys_and_copies_add_no_information() {
        let yes = |number: usize| f64::from(u8::from(number.is_multiple_of(10)));
        let single = share(&clusters(1000, 1.0, yes), 0.0).unwrap();
        let (low, high) = jeffreys(100, 1000, LEVEL);
        assert!((single.low - low).abs() < 1e-3 && (single.high - high).abs() < 1e-3, "{single:?}");
        let tenfold = share(&clusters(1000, 10.0, |number| 10.0 * yes(number)), 0.0).unwrap();
        let off = (tenfold.low - single.low).abs().max((tenfold.high - single.high).abs());
        assert!(off < 1e-6, "{tenfold:?}");
    }

    #[test]
    fn a_complete_draw_is_known_and_one_cluster_is_not_enough() {
        let half = clusters(40, 3.0, |number| f64::from(u8::from(number % 2 == 0)));
        let known = share(&half, 1.0).unwrap();
        assert_eq!(known, Share::exactly(known.value.unwrap()));
        assert_eq!(share(&half[..1], 0.0), None);
        assert_eq!(share(&clusters(9, 0.0, |_| 0.0), 0.0), None);
        let all = share(&clusters(40, 3.0, |_| 3.0), 0.0).unwrap();
        assert!(all.high == 1.0 && 0.9 < all.low && all.low < 0.95, "{all:?}");
        // A sample of half of all texts has more information than an equal sample of an unlimited number.
        let some = share(&half, 0.5).unwrap();
        assert!(some.low > share(&half, 0.0).unwrap().low);
    }
}
