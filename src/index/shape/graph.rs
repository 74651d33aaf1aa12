//! The pairs of one group, and its minimum spanning tree.
//!
//! Kruskal's algorithm takes the pairs in order of distance, then `a`, then `b`. That order has no ties, so the
//! tree is the same however the pairs are found, and some of the pairs may be dropped once their own tree is
//! known: memory is bounded even if a group has more pairs than fit in memory.
//!
//! Source: Kruskal, "On the shortest spanning subtree of a graph" (1956).

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use crate::{
    index::{
        cluster::Forest,
        near_pairs::visit_pairs,
        pair::Pair,
        plan::{Plan, choose},
    },
    kernel::hamming,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The largest number of pairs in memory: 48 MB, and if there are more pairs 4 bytes for each member and
/// distance. A group with more pairs is not searched for a bridge.
const MOST_PAIRS: usize = 1 << 22;
/// Up to this many members, comparing all pairs costs less than a plan.
const FEW: usize = 256;

/// The members of a group as a graph; members are numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The minimum spanning tree, in the order of pairs.
    pub(super) links: Vec<Pair>,
    /// All pairs, in no order; `None` if there are too many.
    pub(super) pairs: Option<Vec<Pair>>,
}

impl Graph {
    /// The graph of these pairs.
    pub(super) fn of(n: usize, pairs: Vec<Pair>) -> Self {
        let links = spanning(n, pairs.clone());
        Self { links, pairs: Some(pairs) }
    }

    /// The graph of all pairs of `values` within `k`.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn search<B: Bits>(
        values: &[B],
        width: u32,
        k: u32,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let n = values.len();
        if n <= FEW {
            let mut pairs = Vec::new();
            for (a, &value) in (0..).zip(values) {
                hamming::near(value, &values[a as usize + 1..], k, |place, distance| {
                    pairs.push(Pair { a, b: a + 1 + place as u32, distance });
                });
            }
            return Ok(Self::of(n, pairs));
        }
        Self::found(values, &choose(values, width, k), progress)
    }

    /// The graph of the pairs of `values` that the plan finds.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn found<B: Bits>(
        values: &[B],
        plan: &Plan,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let (n, k) = (values.len(), plan.k());
        let kept = Mutex::new(CandidateEdges::default());
        visit_pairs(values, plan, progress, &|pairs| {
            kept.lock().unwrap_or_else(PoisonError::into_inner).take(n, k, pairs);
            ControlFlow::Continue(())
        })?;
        let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let graph = Self::of(n, kept.pairs);
        Ok(Self { pairs: graph.pairs.filter(|_| kept.sets.is_empty()), ..graph })
    }
}

/// The pairs of a search that may still be in the tree.
#[derive(Default)]
struct CandidateEdges {
    pairs: Vec<Pair>,
    /// After pairs were dropped: for each distance, the set of each member in the forest of links nearer than
    /// that distance. A pair within such a set is not in the tree.
    sets: Vec<Vec<u32>>,
}

impl CandidateEdges {
    fn take(&mut self, n: usize, k: u32, pairs: &[Pair]) {
        let Self { pairs: kept, sets } = self;
        kept.extend(pairs.iter().filter(|pair| {
            let sets = sets.get(pair.distance as usize);
            sets.is_none_or(|sets| sets[pair.a as usize] != sets[pair.b as usize])
        }));
        if kept.len() > MOST_PAIRS {
            *kept = spanning(n, std::mem::take(kept));
            *sets = sets_below(n, k, kept);
        }
    }
}

/// For each distance from 0 to `k`, the set of each member in the forest of links nearer than it.
fn sets_below(n: usize, k: u32, links: &[Pair]) -> Vec<Vec<u32>> {
    let mut forest = Forest::of(vec![1; n]);
    let mut rest = links;
    let below = |distance| {
        let (nearer, others) = rest.split_at(rest.partition_point(|link| link.distance < distance));
        for link in nearer {
            forest.union(link.a, link.b);
        }
        rest = others;
        (0..n as u32).map(|member| forest.root(member)).collect()
    };
    (0..=k).map(below).collect()
}

/// The minimum spanning forest of `pairs`.
fn spanning(n: usize, mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_unstable();
    let mut forest = Forest::of(vec![1; n]);
    pairs.retain(|pair| forest.union(pair.a, pair.b).is_some());
    pairs
}
