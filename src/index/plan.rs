//! Which way is cheapest: a layout of tables, or comparing everything with everything.
//!
//! The model has two terms. Tables cost a pass over all rows each, and candidates cost a comparison
//! each; random fingerprints make n(n-1)/2 times the sum of 2^-key_bits of them. More blocks mean
//! more tables and fewer candidates, so there is a best number of blocks, and it grows with n. Real
//! fingerprints are skewed and make more candidates than this; the screens show both numbers.

use super::{
    all_pairs,
    block::Cut,
    combination::binomial,
    layout::{Layout, MAX_TABLES},
    layout_error::LayoutError,
    naive,
    pair::Pair,
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Cost of one row of one table, in comparisons: permuting, a few radix passes, finding its bucket.
/// Measured on two cores: 16 ns a row, 0.4 ns a comparison.
const ROW_COST: f64 = 40.0;
/// Cost of a table that does not depend on its rows, in comparisons: tasks and allocations.
const TABLE_COST: f64 = 20_000.0;

/// How all pairs are going to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// By the tables of a layout that guarantees the distance.
    Tables(Layout),
    /// By comparing everything with everything.
    Scan,
}

/// A method, what it is predicted to cost, and why it was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How pairs are found.
    pub method: Method,
    /// Comparisons for random fingerprints, a pair counted once for each table it meets in.
    pub predicted_candidates: f64,
    /// One line for people: what was compared with what.
    pub why: String,
}

/// The cheapest exact method for `n` distinct fingerprints of `width` bits and distance `k`.
///
/// With `blocks` given, that layout, whatever it costs. Costs microseconds.
///
/// # Errors
/// A width that is not 1 to 128; `blocks` that cannot guarantee `k` (see [`Layout::for_distance`]).
pub fn choose(
    n: usize,
    width: u32,
    k: u32,
    blocks: Option<u32>,
    cut: Cut,
) -> Result<Plan, LayoutError> {
    if let Some(blocks) = blocks {
        let layout = Layout::for_distance(width, blocks, k, cut)?;
        let predicted_candidates = n_pairs(n) * layout.key_collision_rate();
        let why = format!("{}: as asked for", describe(&layout, predicted_candidates));
        return Ok(Plan { method: Method::Tables(layout), predicted_candidates, why });
    }
    // Checks the width too, and is what a scan is better than.
    let fewest = Layout::blocks(width, 1, 1, cut)?;
    let scan = n_pairs(n);
    let Some(best) = cheapest(n, width, k, cut) else {
        let why =
            format!("scan of {scan:.0} pairs: any two {width}-bit fingerprints are within {k}");
        debug_assert!(!fewest.guarantees(k));
        return Ok(Plan { method: Method::Scan, predicted_candidates: scan, why });
    };
    let layout = Layout::for_distance(width, best.blocks, k, cut)?;
    let tables = describe(&layout, best.candidates);
    Ok(if scan <= best.cost {
        let why = format!("scan of {scan:.0} pairs: cheaper than {tables}");
        Plan { method: Method::Scan, predicted_candidates: scan, why }
    } else {
        let why = format!("{tables}: cheaper than a scan of {scan:.0} pairs");
        Plan { method: Method::Tables(layout), predicted_candidates: best.candidates, why }
    })
}

/// Every pair of `values` within `k`, by the plan's method. See [`all_pairs::all_pairs`].
///
/// # Errors
/// [`Cancelled`] if told to stop.
///
/// # Panics
/// If there are 2^32 values or more, or if the plan is for wider fingerprints.
pub fn near_pairs<B: Bits>(
    values: &[B],
    plan: &Plan,
    k: u32,
    progress: &Progress,
) -> Result<Vec<Pair>, Cancelled> {
    match &plan.method {
        Method::Tables(layout) => all_pairs::all_pairs(values, layout, k, progress),
        Method::Scan => naive::all_pairs(values, k, progress),
    }
}

/// The layout that queries and the tables screen use: the cheapest that guarantees `k`.
///
/// Always tables, never a scan. Where `k >= width` none can guarantee it, and this is the one that
/// guarantees the most, `width - 1`.
///
/// # Panics
/// If the width is not 1 to 128.
pub fn default_layout(n: usize, width: u32, k: u32) -> Layout {
    let cut = Cut::WideFirst;
    let k = k.min(width.saturating_sub(1));
    let blocks = cheapest(n, width, k, cut).map_or(k + 1, |best| best.blocks);
    Layout::for_distance(width, blocks, k, cut).expect("a width of 1 to 128 bits has a layout")
}

/// A number of blocks and what it is predicted to cost.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    blocks: u32,
    candidates: f64,
    cost: f64,
}

/// The cheapest number of blocks; none if no layout guarantees `k`.
fn cheapest(n: usize, width: u32, k: u32, cut: Cut) -> Option<Estimate> {
    let mut best: Option<Estimate> = None;
    for blocks in k + 1..=width {
        let n_tables = binomial(blocks, k);
        if n_tables > u128::from(MAX_TABLES) {
            break;
        }
        let tables_cost = n_tables as f64 * (n as f64 * ROW_COST + TABLE_COST);
        // Tables only get more with more blocks.
        if best.is_some_and(|best| best.cost <= tables_cost) {
            break;
        }
        let candidates = n_pairs(n) * collision_rate(&cut.widths(width, blocks), blocks - k);
        let cost = tables_cost + candidates;
        if best.is_none_or(|best| cost < best.cost) {
            best = Some(Estimate { blocks, candidates, cost });
        }
    }
    best
}

/// The sum of 2^-key_bits over all choices of `key` blocks, without listing the choices.
fn collision_rate(widths: &[u32], key: u32) -> f64 {
    let key = key as usize;
    // chosen[c]: the sum over all choices of c of the blocks seen so far.
    let mut chosen = vec![0.0; key + 1];
    chosen[0] = 1.0;
    for &width in widths {
        for c in (1..=key).rev() {
            chosen[c] += chosen[c - 1] * (-f64::from(width)).exp2();
        }
    }
    chosen[key]
}

fn n_pairs(n: usize) -> f64 {
    n as f64 * n.saturating_sub(1) as f64 / 2.0
}

fn describe(layout: &Layout, candidates: f64) -> String {
    let (n_blocks, n_tables) = (layout.block_list().len(), layout.tables().len());
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let (blocks_s, tables_s) = (plural(n_blocks), plural(n_tables));
    format!("{n_blocks} block{blocks_s} in {n_tables} table{tables_s}, {candidates:.0} candidates")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks_chosen(n: usize, k: u32) -> Option<usize> {
        match choose(n, 64, k, None, Cut::WideFirst).unwrap().method {
            Method::Tables(layout) => Some(layout.block_list().len()),
            Method::Scan => None,
        }
    }

    #[test]
    fn few_fingerprints_are_scanned_and_many_get_more_blocks() {
        assert_eq!(blocks_chosen(100, 3), None);
        assert_eq!(blocks_chosen(100_000, 3), Some(4));
        assert_eq!(blocks_chosen(1_000_000, 3), Some(4));
        assert!(blocks_chosen(100_000_000, 3) > Some(4));
        assert_eq!(blocks_chosen(100_000, 40), None, "keys would be a bit long");
        assert_eq!(blocks_chosen(100_000, 64), None);
    }

    #[test]
    fn explicit_blocks_are_obeyed_or_refused() {
        let plan = choose(100, 64, 3, Some(6), Cut::Even).unwrap();
        assert_eq!(plan.method, Method::Tables(Layout::for_distance(64, 6, 3, Cut::Even).unwrap()));
        assert!(choose(100, 64, 3, Some(3), Cut::Even).is_err());
        assert_eq!(choose(100, 0, 3, None, Cut::Even), Err(LayoutError::Width(0)));
    }

    #[test]
    fn the_screen_s_layout_guarantees_k_where_one_can() {
        for n in [0, 1000, 10_788, 1_000_000] {
            assert_eq!(default_layout(n, 64, 3).name(), "4c1k3");
        }
        for width in [1, 2, 9, 64, 90, 128] {
            for k in 0..=width {
                let layout = default_layout(100_000, width, k);
                assert!(layout.guarantees(k.min(width - 1)), "{width} bits, k={k}: {layout}");
            }
        }
    }

    #[test]
    fn predictions_are_those_of_the_built_layout() {
        for (blocks, k) in [(4, 3), (6, 3), (9, 6), (1, 0), (13, 2)] {
            for cut in [Cut::Even, Cut::WideFirst] {
                let layout = Layout::for_distance(64, blocks, k, cut).unwrap();
                let rate = collision_rate(&cut.widths(64, blocks), blocks - k);
                assert!((rate / layout.key_collision_rate() - 1.0).abs() < 1e-9);
            }
        }
        // Per query, the four tables of 16 bits: 6.1 rows at 10^5 fingerprints.
        let plan = choose(100_000, 64, 3, Some(4), Cut::WideFirst).unwrap();
        assert!((plan.predicted_candidates * 2.0 / 100_000.0 - 6.1).abs() < 0.01);
    }
}
