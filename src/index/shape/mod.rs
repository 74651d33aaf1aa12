//! The shape of one group: its tree, its diameter, its bridge and its weakest edge.
//!
//! A group is only guaranteed to be connected. With k = 3,
//!
//! ```text
//!  tree        A              A, B, C and D are one group: every edge of the tree is within k.
//!              `--3-- B       The diameter is d(A, D) = 8 > k, so it is a chain.
//!                 |--1-- C    Without B it falls into A and C + D: B is the bridge.
//!                    `--2--D  The weakest edge is A-B: k = 2 cuts the group into A and B + C + D.
//! ```
//!
//! The tree is the minimum spanning tree, so its longest edge is the smallest k that keeps the group connected.
//! Its root is the representative, the group's first document. Copies share a node.
//!
//! A group of n fingerprints with m pairs costs a search for the pairs, O(m log m) for the tree, O(n + m) for the
//! bridge, and n^2 comparisons for the [diameter](farthest()) if it is exact.
//!
//! The medoid: the member with the smallest sum of distances to all others.
//!
//! The distances from one member to all others can be summed bit by bit: each bit adds the number of documents in
//! which it differs. So the sums of all members cost O(members * bits), without comparing pairs.

pub mod farthest;
mod graph;

pub use farthest::{Farthest, farthest};
pub use graph::Bridge;

use self::graph::Graph;
use super::{Distinct, Pair, Plan, cluster::Forest};
use crate::{
    id::DocId,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The distinct fingerprints of one group.
#[derive(Clone, Debug)]
pub struct Members<B> {
    /// Their entries, ascending: the entry of the representative is first.
    pub entries: Vec<u32>,
    /// The fingerprint of each entry.
    pub values: Vec<B>,
    /// The number of documents of each entry.
    pub copies: Vec<u32>,
}

impl<B: Bits> Members<B> {
    /// The members of the group of these documents.
    ///
    /// # Panics
    /// If a document has no fingerprint, or there are no documents.
    pub fn of(distinct: &Distinct<B>, documents: &[DocId]) -> Self {
        assert!(!documents.is_empty(), "a group has documents");
        let entry = |&document| distinct.entry_of(document).expect("grouped, so it has one");
        let mut entries: Vec<u32> = documents.iter().map(entry).collect();
        entries.sort_unstable();
        entries.dedup();
        Self {
            values: entries.iter().map(|&entry| distinct.value(entry)).collect(),
            copies: entries.iter().map(|&entry| distinct.documents(entry).len() as u32).collect(),
            entries,
        }
    }
}

/// A fingerprint of a group in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its entry.
    pub entry: u32,
    /// The number of documents with this fingerprint.
    pub copies: u32,
    /// The position of its parent among the nodes; for the root its own.
    pub parent: u32,
    /// The number of edges to the root.
    pub depth: u32,
    /// The length of the edge to its parent; 0 at the root.
    pub link: u32,
    /// The distance from the representative.
    pub distance: u32,
    /// The number of its descendants.
    pub below: u32,
}

/// The shape of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupShape {
    /// The k of the group.
    pub k: u32,
    /// The number of documents, including copies.
    pub documents: u32,
    /// The tree, each node before its children; children are sorted by distance, then by entry.
    pub nodes: Vec<Node>,
    /// The two entries farthest apart: the diameter.
    pub farthest: Farthest,
    /// The longest edge of the tree; `None` if all members are copies of one fingerprint.
    pub weakest: Option<u32>,
    /// The number of documents in each part that remains at a k just below the weakest edge, the largest first;
    /// one part if there is no edge.
    pub cut: Vec<u32>,
    /// The fingerprint that holds the group together.
    pub bridge: Bridge,
    /// The number of documents within k of the representative, including itself.
    pub covered: u32,
    /// The entry with the smallest sum of distances to all documents.
    pub medoid: u32,
    /// The number of documents within k of the medoid, including itself.
    pub covered_by_medoid: u32,
}

impl GroupShape {
    /// The shape of a group of fingerprints of `width` bits, connected by all pairs within `k`.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn search<B: Bits>(
        members: &Members<B>,
        width: u32,
        k: u32,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let graph = Graph::search(&members.values, width, k, progress)?;
        Self::new(members, k, &graph, progress)
    }

    /// The shape of a group connected by the pairs that a plan finds, for example those that share a band.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If these pairs do not connect the members.
    pub fn found<B: Bits>(
        members: &Members<B>,
        plan: &Plan,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let graph = Graph::found(&members.values, plan, progress)?;
        Self::new(members, plan.k(), &graph, progress)
    }

    /// The shape of a group connected by these pairs of its members, numbered by their positions: the slow twin
    /// of the other constructors.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the pairs do not connect the members.
    pub fn of_pairs<B: Bits>(
        members: &Members<B>,
        k: u32,
        pairs: Vec<Pair>,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        Self::new(members, k, &Graph::of(members.entries.len(), pairs), progress)
    }

    fn new<B: Bits>(
        members: &Members<B>,
        k: u32,
        graph: &Graph,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let Members { entries, values, copies } = members;
        assert_eq!(graph.links.len() + 1, entries.len(), "the pairs connect the members");
        let far = farthest(values, progress)?;
        progress.check()?;
        let bridge = match &graph.pairs {
            None => Bridge::Unknown,
            Some(pairs) => match graph::bridge(copies, pairs, [far.a, far.b]) {
                None => Bridge::None,
                Some((at, parts, separates_farthest)) => {
                    Bridge::At { entry: entries[at as usize], parts, separates_farthest }
                }
            },
        };
        let medoid = medoid(values, copies);
        let covered = |by: u32| {
            let within = |value: &B| value.distance(values[by as usize]) <= k;
            values.iter().zip(copies).filter(|(value, _)| within(value)).map(|(_, n)| n).sum()
        };
        Ok(Self {
            k,
            documents: copies.iter().sum(),
            nodes: tree(members, &graph.links),
            farthest: Farthest { a: entries[far.a as usize], b: entries[far.b as usize], ..far },
            weakest: graph.links.last().map(|link| link.distance),
            cut: cut(copies, &graph.links),
            bridge,
            covered: covered(0),
            medoid: entries[medoid as usize],
            covered_by_medoid: covered(medoid),
        })
    }

    /// Whether two members are farther apart than k.
    pub fn is_chain(&self) -> bool {
        self.farthest.distance > self.k
    }

    /// The number of distinct fingerprints.
    pub fn distinct(&self) -> usize {
        self.nodes.len()
    }
}

/// The number of documents in each part that remains without the longest links, the largest first.
fn cut(copies: &[u32], links: &[Pair]) -> Vec<u32> {
    let mut forest = Forest::of(copies.to_vec());
    let weakest = links.last().map_or(0, |link| link.distance);
    for link in links.iter().filter(|link| link.distance < weakest) {
        forest.union(link.a, link.b);
    }
    forest.set_sizes(|_| true)
}

/// The tree of these links from the first member on, each node before its children.
fn tree<B: Bits>(members: &Members<B>, links: &[Pair]) -> Vec<Node> {
    let Members { entries, values, copies } = members;
    let mut linked = vec![Vec::new(); entries.len()];
    for link in links {
        linked[link.a as usize].push((link.distance, link.b));
        linked[link.b as usize].push((link.distance, link.a));
    }
    let mut nodes: Vec<Node> = Vec::with_capacity(entries.len());
    let mut waiting = vec![(0_u32, 0_u32, 0_u32, u32::MAX)];
    while let Some((member, parent, link, from)) = waiting.pop() {
        let at = member as usize;
        let number = nodes.len() as u32;
        let depth = nodes.get(parent as usize).map_or(0, |parent| parent.depth + 1);
        nodes.push(Node {
            entry: entries[at],
            copies: copies[at],
            parent,
            depth,
            link,
            distance: values[at].distance(values[0]),
            below: 0,
        });
        let mut below = std::mem::take(&mut linked[at]);
        below.sort_unstable();
        let others = below.into_iter().rev().filter(|&(_, other)| other != from);
        waiting.extend(others.map(|(distance, other)| (other, number, distance, member)));
    }
    for at in (1..nodes.len()).rev() {
        let parent = nodes[at].parent as usize;
        nodes[parent].below += nodes[at].below + 1;
    }
    nodes
}

/// The value with the smallest sum of distances to all others, each weighted; the first of equally good values.
///
/// # Panics
/// If there is no value.
fn medoid<B: Bits>(values: &[B], weights: &[u32]) -> u32 {
    let mut ones = vec![0_i64; B::CAPACITY as usize];
    let mut total = 0;
    for (value, &weight) in values.iter().zip(weights) {
        total += i64::from(weight);
        each_one(*value, |bit| ones[bit] += i64::from(weight));
    }
    // The sum of a value of zeros is the number of ones of all values. Every value has this constant in its sum,
    // so only the change by each of its own ones is computed.
    let sum = |value: &B| {
        let mut sum = 0;
        each_one(*value, |bit| sum += total - 2 * ones[bit]);
        sum
    };
    let (at, _) = (0..).zip(values).min_by_key(|(at, value)| (sum(value), *at)).expect("a value");
    at
}

/// Calls `each` with every bit that is set.
fn each_one<B: Bits>(value: B, mut each: impl FnMut(usize)) {
    let mut rest = value.to_wide();
    while rest != 0 {
        each(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The group in the module's documentation, with its first member twice.
    fn chain() -> Members<u64> {
        let fingerprints = [0b0_u64, 0b111, 0b1111, 0b11_1111_1111, 0b0].map(Some);
        let distinct = Distinct::collapse(&fingerprints, &Progress::new()).unwrap();
        let documents: Vec<DocId> = (0..5).map(DocId).collect();
        Members::of(&distinct, &documents)
    }

    #[test]
    fn a_chain_by_hand() {
        let shape = GroupShape::search(&chain(), 64, 6, &Progress::new()).unwrap();
        let edges: Vec<_> =
            shape.nodes.iter().map(|n| (n.entry, n.depth, n.link, n.distance, n.below)).collect();
        assert_eq!(edges, [(0, 0, 0, 0, 3), (1, 1, 3, 3, 2), (2, 2, 1, 4, 1), (3, 3, 6, 10, 0)]);
        assert_eq!((shape.documents, shape.distinct(), shape.is_chain()), (5, 4, true));
        assert_eq!(shape.farthest, Farthest { a: 0, b: 3, distance: 10, is_exact: true });
        assert_eq!((shape.weakest, &shape.cut[..]), (Some(6), &[4, 1][..]));
        // d(1, 3) = 7 is beyond k, so only entry 2 leads to entry 3.
        let parts = vec![3, 1];
        assert_eq!(shape.bridge, Bridge::At { entry: 2, parts, separates_farthest: true });
        assert_eq!((shape.covered, shape.medoid, shape.covered_by_medoid), (4, 1, 4));
    }

    #[test]
    fn copies_alone_have_no_edges() {
        let fingerprints = [Some(7_u64); 3];
        let distinct = Distinct::collapse(&fingerprints, &Progress::new()).unwrap();
        let members = Members::of(&distinct, &[DocId(0), DocId(1), DocId(2)]);
        let shape = GroupShape::search(&members, 64, 3, &Progress::new()).unwrap();
        assert_eq!((shape.nodes.len(), shape.farthest.distance, shape.weakest), (1, 0, None));
        assert_eq!((shape.bridge, shape.cut, shape.covered), (Bridge::None, vec![3], 3));
    }
}
