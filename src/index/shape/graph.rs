//! The pairs inside one group, and the fewest of them that hold it together.
//!
//! Those are its minimum spanning tree, by Kruskal's algorithm over pairs in the contract's order. That
//! order has no ties, so the tree is one and the same however the pairs come, and a part of the pairs
//! may be thrown away once their own tree is known: memory stays bounded where a group has more pairs
//! than anyone can hold.
//!
//! Source: Kruskal, "On the shortest spanning subtree of a graph" (1956).

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use crate::{
    index::{cluster::Forest, leaf, near_pairs::visit_pairs, pair::Pair, plan::choose},
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Pairs held at once: 48 MB. A group with more of them is not searched for a bridge.
const MOST_PAIRS: usize = 1 << 22;
/// Up to so many members comparing them costs less than a plan.
const FEW: usize = 256;

/// A group's members as a graph; members are numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The minimum spanning tree, in the contract's order.
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
    /// [`Cancelled`] if told to stop.
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
                leaf::near(value, &values[a as usize + 1..], k, |place, distance| {
                    pairs.push(Pair { a, b: a + 1 + place as u32, distance });
                });
            }
            return Ok(Self::of(n, pairs));
        }
        let found = Mutex::new((Vec::new(), true));
        visit_pairs(values, &choose(values, width, k), progress, &|pairs| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let (held, are_all) = &mut *found;
            held.extend_from_slice(pairs);
            if held.len() > MOST_PAIRS {
                *are_all = false;
                *held = spanning(n, std::mem::take(held));
            }
            ControlFlow::Continue(())
        })?;
        let (held, are_all) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let graph = Self::of(n, held);
        Ok(Self { pairs: graph.pairs.filter(|_| are_all), ..graph })
    }
}

/// The minimum spanning forest of `pairs`.
fn spanning(n: usize, mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_unstable();
    let mut forest = Forest::of(vec![1; n]);
    pairs.retain(|pair| forest.union(pair.a, pair.b).is_some());
    pairs
}
