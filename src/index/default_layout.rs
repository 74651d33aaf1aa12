//! Chooses the layout of the tables screen, unless the user sets another.
//!
//! The cost model has two terms. Each table costs a pass over all rows, and each candidate costs a comparison;
//! random fingerprints make n(n-1)/2 times the sum of 2^-key_bits candidates. More blocks mean more tables and
//! fewer candidates, so there is a best number of blocks, and it grows with n. Real fingerprints are skewed and
//! make more candidates than this; the screens show both numbers.

use super::{
    block::Cut,
    combination::{binomial, n_pairs},
    layout::{Layout, MAX_TABLES},
};

/// The cost of one row of one table, in comparisons: permuting, a few radix passes, finding its bucket. Measured
/// on two cores: 16 ns for a row, 0.4 ns for a comparison.
const ROW_COST: f64 = 40.0;
/// The cost of a table that does not depend on its rows, in comparisons: tasks and allocations.
const TABLE_COST: f64 = 20_000.0;

/// The default layout of the tables screen: the cheapest that guarantees `k`.
///
/// If `k >= width`, no layout guarantees it; the result then guarantees the most possible, `width - 1`.
///
/// # Panics
/// If the width is not 1 to 128.
pub fn default_layout(n: usize, width: u32, k: u32) -> Layout {
    let cut = Cut::WideFirst;
    let k = k.min(width.saturating_sub(1));
    let blocks = cheapest(n, width, k, cut).map_or(k + 1, |best| best.blocks);
    Layout::for_distance(width, blocks, k, cut).expect("a width of 1 to 128 bits has a layout")
}

/// A number of blocks and its predicted cost.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    blocks: u32,
    cost: f64,
}

/// The cheapest number of blocks; `None` if no layout guarantees `k`.
fn cheapest(n: usize, width: u32, k: u32, cut: Cut) -> Option<Estimate> {
    let mut best: Option<Estimate> = None;
    for blocks in k + 1..=width {
        let n_tables = binomial(blocks, k);
        if n_tables > u128::from(MAX_TABLES) {
            break;
        }
        let tables_cost = n_tables as f64 * (n as f64 * ROW_COST + TABLE_COST);
        // More blocks never mean fewer tables.
        if best.is_some_and(|best| best.cost <= tables_cost) {
            break;
        }
        let candidates = n_pairs(n) as f64 * collision_rate(&cut.widths(width, blocks), blocks - k);
        let cost = tables_cost + candidates;
        if best.is_none_or(|best| cost < best.cost) {
            best = Some(Estimate { blocks, cost });
        }
    }
    best
}

/// The sum of 2^-key_bits over all choices of `key` blocks, without listing the choices.
fn collision_rate(widths: &[u32], key: u32) -> f64 {
    let key = key as usize;
    // chosen[c]: the sum over all choices of c of the blocks so far.
    let mut chosen = vec![0.0; key + 1];
    chosen[0] = 1.0;
    for &width in widths {
        for c in (1..=key).rev() {
            chosen[c] += chosen[c - 1] * (-f64::from(width)).exp2();
        }
    }
    chosen[key]
}

#[cfg(test)]
mod tests {
    use super::*;

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
                assert!((rate / layout.expected_shared_tables() - 1.0).abs() < 1e-9);
            }
        }
        // Per query, the four tables of 16 bits: 6.1 rows at 10^5 fingerprints.
        let layout = Layout::for_distance(64, 4, 3, Cut::WideFirst).unwrap();
        assert!((layout.expected_shared_tables() * 100_000.0 - 6.1).abs() < 0.01);
    }
}
