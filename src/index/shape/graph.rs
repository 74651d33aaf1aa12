//! The pairs of one group, and its minimum spanning tree.
//!
//! Kruskal's algorithm takes the pairs in order of distance, then `a`, then `b`. That order has no ties, so the
//! tree is the same however the pairs are found, and some of the pairs may be dropped once their own tree is
//! known: memory is bounded even if a group has more pairs than fit in memory.
//!
//! Source: Kruskal, "On the shortest spanning subtree of a graph" (1956).
//!
//! The bridge of a group: a fingerprint without which the group splits.
//!
//! Such fingerprints are the articulation points of the graph whose edges are the pairs within k. One depth-first
//! search finds them all: removing a member separates each child from whose subtree no pair leads above the
//! member. O(members + pairs), without recursion, because a chain is as deep as it is long.
//!
//! Source: Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation" (1973).

use std::{
    cmp::Reverse,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use crate::{
    index::{Pair, Plan, choose, cluster::Forest, visit_pairs},
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

/// The result of the search for a bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// No fingerprint splits the group when it is removed.
    None,
    /// Not searched, because there are too many pairs.
    Unknown,
    /// Without this fingerprint the group splits.
    At {
        /// The fingerprint's entry.
        entry: u32,
        /// The number of documents in each part, the largest first; the documents of the bridge are in no part.
        parts: Vec<u32>,
        /// Whether the two members farthest apart are then in different parts.
        separates_farthest: bool,
    },
}

/// The member whose removal splits the connected graph of `pairs` most evenly, the weights of the parts, largest
/// first, and whether the two `ends` are then in different parts. Among equally good members the first is
/// returned.
///
/// A split is most even if the weight of all parts except the heaviest is largest.
pub(super) fn bridge(
    weights: &[u32],
    pairs: &[Pair],
    ends: [u32; 2],
) -> Option<(u32, Vec<u32>, bool)> {
    let total: u32 = weights.iter().sum();
    let search = DepthFirst::new(weights, pairs);
    let mut cut_off = vec![Parts::default(); weights.len()];
    for &node in &search.order[1..] {
        let parent = search.parent[node as usize];
        // No pair leads from the subtree to above its parent.
        if search.low[node as usize] >= search.rank[parent as usize] {
            cut_off[parent as usize].add(search.weight[node as usize]);
        }
    }
    let others = |(node, mut parts): (usize, Parts)| {
        parts.add(total - weights[node] - parts.weight);
        (parts.n >= 2).then_some((Reverse(parts.weight - parts.heaviest), node as u32))
    };
    let (_, node) = cut_off.into_iter().enumerate().filter_map(others).min()?;
    let mut forest = Forest::of(weights.to_vec());
    for pair in pairs.iter().filter(|pair| pair.a != node && pair.b != node) {
        forest.union(pair.a, pair.b);
    }
    let [left, right] = ends.map(|end| forest.root(end));
    let parts_ends = left != right && !ends.contains(&node);
    Some((node, forest.set_sizes(|member| member != node), parts_ends))
}

/// The number and the weights of parts.
#[derive(Clone, Copy, Default)]
struct Parts {
    n: u32,
    weight: u32,
    heaviest: u32,
}

impl Parts {
    fn add(&mut self, weight: u32) {
        self.n += u32::from(weight > 0);
        self.weight += weight;
        self.heaviest = self.heaviest.max(weight);
    }
}

/// A depth-first search from the first member.
struct DepthFirst {
    /// The members in the order in which they were reached.
    order: Vec<u32>,
    /// The position of each member in that order.
    rank: Vec<u32>,
    parent: Vec<u32>,
    /// For each member, the smallest rank that a pair reaches from its subtree.
    low: Vec<u32>,
    /// For each member, the weight of its subtree.
    weight: Vec<u32>,
}

impl DepthFirst {
    fn new(weights: &[u32], pairs: &[Pair]) -> Self {
        const NOT_REACHED: u32 = u32::MAX;
        let n = weights.len();
        let mut neighbours = vec![Vec::new(); n];
        for pair in pairs {
            neighbours[pair.a as usize].push(pair.b);
            neighbours[pair.b as usize].push(pair.a);
        }
        let mut search = Self {
            order: vec![0],
            rank: vec![NOT_REACHED; n],
            parent: vec![0; n],
            low: vec![0; n],
            weight: weights.to_vec(),
        };
        search.rank[0] = 0;
        let mut path = vec![0_u32];
        while let Some(&node) = path.last() {
            let at = node as usize;
            if let Some(other) = neighbours[at].pop() {
                if search.rank[other as usize] == NOT_REACHED {
                    let rank = search.order.len() as u32;
                    search.rank[other as usize] = rank;
                    search.low[other as usize] = rank;
                    search.parent[other as usize] = node;
                    search.order.push(other);
                    path.push(other);
                } else if other != search.parent[at] {
                    search.low[at] = search.low[at].min(search.rank[other as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&parent) = path.last() {
                let parent = parent as usize;
                search.low[parent] = search.low[parent].min(search.low[at]);
                search.weight[parent] += search.weight[at];
            }
        }
        debug_assert_eq!(search.order.len(), n, "the pairs connect all members");
        search
    }
}
