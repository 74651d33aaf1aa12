//! The bridge of a group: a fingerprint without which the group splits.
//!
//! Such fingerprints are the articulation points of the graph whose edges are the pairs within k. One depth-first
//! search finds them all: removing a member separates each child from whose subtree no pair leads above the
//! member. O(members + pairs), without recursion, because a chain is as deep as it is long.
//!
//! Source: Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation" (1973).

use std::cmp::Reverse;

use crate::index::Pair;

/// The result of the search for a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// No fingerprint splits the group when it is removed.
    None,
    /// Not searched, because there are too many pairs.
    Unknown,
    /// Without the fingerprint of this entry the group splits.
    At(u32),
}

/// The member whose removal splits the connected graph of `pairs` most evenly. Among equally good members the first
/// is returned.
///
/// A split is most even if the weight of all parts except the heaviest is largest.
pub(super) fn bridge(weights: &[u32], pairs: &[Pair]) -> Option<u32> {
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
    cut_off.into_iter().enumerate().filter_map(others).min().map(|(_, node)| node)
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
