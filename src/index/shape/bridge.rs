//! The fingerprint that holds a group together: without it the group falls apart.
//!
//! Such fingerprints are the articulations of the graph whose edges are the pairs within k. One depth-first
//! walk finds them all: a child from whose subtree no pair leads above its parent is cut off when the
//! parent is removed. O(members + pairs), without recursion, for a chain is as deep as it is long.
//!
//! Source: Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation" (1973).

use std::cmp::Reverse;

use crate::index::{cluster::Forest, pair::Pair};

/// The result of the search for a group's bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// No fingerprint's going splits the group.
    None,
    /// There are too many pairs to look.
    Unknown,
    /// Without this fingerprint the group falls into parts.
    At {
        /// The fingerprint's entry.
        entry: u32,
        /// Documents in each part, the largest first; those of the bridge itself are in none.
        parts: Vec<u32>,
        /// Whether the two members farthest apart are then in different parts.
        parts_farthest: bool,
    },
}

/// The member whose removal splits the connected graph of `pairs` most evenly, the weights of the parts,
/// largest first, and whether two `ends` are then in different ones; of equally good members the first.
///
/// Most evenly: all parts but the heaviest weigh most.
pub(super) fn bridge(
    weights: &[u32],
    pairs: &[Pair],
    ends: [u32; 2],
) -> Option<(u32, Vec<u32>, bool)> {
    let total: u32 = weights.iter().sum();
    let walk = Walk::new(weights, pairs);
    let mut cut_off = vec![Parts::default(); weights.len()];
    for &node in &walk.order[1..] {
        let parent = walk.parent[node as usize];
        // Nothing leads from the subtree to above its parent.
        if walk.low[node as usize] >= walk.rank[parent as usize] {
            cut_off[parent as usize].add(walk.weight[node as usize]);
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

/// Parts in numbers.
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

/// A depth-first walk from the first member.
struct Walk {
    /// Members in the order they were met.
    order: Vec<u32>,
    /// The place of each in that order.
    rank: Vec<u32>,
    parent: Vec<u32>,
    /// The first rank that a pair leads to from the subtree.
    low: Vec<u32>,
    /// The weight of the subtree.
    weight: Vec<u32>,
}

impl Walk {
    fn new(weights: &[u32], pairs: &[Pair]) -> Self {
        const UNMET: u32 = u32::MAX;
        let n = weights.len();
        let (starts, neighbours) = adjacency(n, pairs);
        let mut next = starts.clone();
        let mut walk = Self {
            order: vec![0],
            rank: vec![UNMET; n],
            parent: vec![0; n],
            low: vec![0; n],
            weight: weights.to_vec(),
        };
        walk.rank[0] = 0;
        let mut path = vec![0_u32];
        while let Some(&node) = path.last() {
            let at = node as usize;
            if next[at] < starts[at + 1] {
                let other = neighbours[next[at]];
                next[at] += 1;
                if walk.rank[other as usize] == UNMET {
                    let rank = walk.order.len() as u32;
                    walk.rank[other as usize] = rank;
                    walk.low[other as usize] = rank;
                    walk.parent[other as usize] = node;
                    walk.order.push(other);
                    path.push(other);
                } else if other != walk.parent[at] {
                    walk.low[at] = walk.low[at].min(walk.rank[other as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&parent) = path.last() {
                let parent = parent as usize;
                walk.low[parent] = walk.low[parent].min(walk.low[at]);
                walk.weight[parent] += walk.weight[at];
            }
        }
        debug_assert_eq!(walk.order.len(), n, "the pairs connect all members");
        walk
    }
}

/// The neighbours of each member, one after another, and where those of each begin.
fn adjacency(n: usize, pairs: &[Pair]) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0_usize; n + 1];
    for pair in pairs {
        starts[pair.a as usize + 1] += 1;
        starts[pair.b as usize + 1] += 1;
    }
    for at in 0..n {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut neighbours = vec![0; 2 * pairs.len()];
    for pair in pairs {
        for (from, to) in [(pair.a, pair.b), (pair.b, pair.a)] {
            neighbours[next[from as usize]] = to;
            next[from as usize] += 1;
        }
    }
    (starts, neighbours)
}
