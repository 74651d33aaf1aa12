//! The probability that a layout finds a pair, for each distance.
//!
//! This answers "why is this pair not found?": if d bits differ, and all positions of the d bits are equally
//! likely, how many tables find the pair, and with which probability does at least one? Within the guarantee the
//! probability is 1; beyond it, it falls.

use super::layout::{Layout, LayoutKind};

/// The mean number of tables that find a pair with `distance` differing bits at random positions.
///
/// Exact for uniform positions: for each table, the probability that no differing bit is in its key. 0 if
/// `distance` exceeds the width.
pub fn expected_tables_hit(layout: &Layout, distance: u32) -> f64 {
    let width = layout.width();
    if distance > width {
        return 0.0;
    }
    let untouched = |key_bits: u32| -> f64 {
        let outside = width - key_bits;
        let fits = |bit: u32| f64::from(outside.saturating_sub(bit)) / f64::from(width - bit);
        (0..distance).map(fits).product()
    };
    layout.tables().iter().map(|table| untouched(table.key_bits)).sum()
}

/// The probability that at least one table finds a pair with `distance` differing bits at random positions.
///
/// Exact for uniform positions: 1 up to the guarantee, then falling. `None` for two levels, whose keys overlap in
/// too many ways, and for distances beyond the width.
pub fn candidate_chance(layout: &Layout, distance: u32) -> Option<f64> {
    let placements = placements(layout, distance)?;
    Some(1.0 - placements.escaping / placements.all)
}

/// The number of ways to place the differing bits, and the number of those ways in which no table has an
/// unchanged key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placements {
    /// The ways in which no table finds the pair.
    pub escaping: f64,
    /// All ways.
    pub all: f64,
}

/// The ways to place `distance` differing bits, as whole numbers that are exact below 2^53. `None` for two levels
/// and for distances beyond the width. Costs at most `blocks^2 x distance^2`.
pub fn placements(layout: &Layout, distance: u32) -> Option<Placements> {
    // A table finds a pair if at most `spared` of the blocks that can be in a key differ.
    let (leading, spared) = match layout.kind() {
        LayoutKind::Blocks { blocks, key } => (blocks as usize, (blocks - key) as usize),
        LayoutKind::Bands { bands, .. } => (bands as usize, bands as usize - 1),
        LayoutKind::TwoLevel { .. } => return None,
    };
    if distance > layout.width() {
        return None;
    }
    let distance = distance as usize;
    // ways[differing][bits]: the ways to put `bits` differing bits into the blocks so far, so that `differing`
    // blocks differ.
    let mut ways = vec![vec![0.0; distance + 1]; leading + 1];
    ways[0][0] = 1.0;
    for (index, block) in layout.block_list().iter().enumerate() {
        let mut next = vec![vec![0.0; distance + 1]; leading + 1];
        for (differing, row) in ways.iter().enumerate() {
            for (bits, &before) in row.iter().enumerate().filter(|(_, before)| **before > 0.0) {
                for here in 0..=(distance - bits).min(block.width as usize) {
                    let differing = differing + usize::from(here > 0 && index < leading);
                    next[differing][bits + here] += before * choose(block.width, here as u32);
                }
            }
        }
        ways = next;
    }
    let escaping = ways[spared + 1..].iter().map(|row| row[distance]).sum();
    Some(Placements { escaping, all: choose(layout.width(), distance as u32) })
}

/// The binomial coefficient as a float: up to 128 choose 64 without overflow.
fn choose(m: u32, c: u32) -> f64 {
    // Each step is also a binomial coefficient, so below 2^53 nothing is rounded.
    (0..c).fold(1.0, |ways, i| ways * f64::from(m - i) / f64::from(i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::block::Cut;

    fn one_level(blocks: u32) -> Layout {
        Layout::for_distance(64, blocks, 3, Cut::WideFirst).unwrap()
    }

    fn assert_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    #[test]
    fn expected_tables_are_those_of_the_published_table() {
        for (blocks, expected) in [
            (4, [4.0, 3.0, 2.24, 1.66, 1.23, 0.90, 0.66]),
            (5, [10.0, 6.0, 3.56, 2.09, 1.22, 0.70, 0.40]),
            (6, [20.0, 10.0, 4.92, 2.38, 1.14, 0.53, 0.24]),
        ] {
            for (distance, expected) in expected.into_iter().enumerate() {
                let found = expected_tables_hit(&one_level(blocks), distance as u32);
                assert_near(found, expected, 0.006);
            }
        }
    }

    #[test]
    fn three_bits_escape_four_blocks_in_no_way_and_four_in_16_to_the_fourth() {
        let four = Layout::blocks(64, 4, 1, Cut::Even).unwrap();
        let ways = |layout: &Layout, distance| {
            let found = placements(layout, distance).unwrap();
            (found.escaping, found.all)
        };
        assert_eq!(ways(&four, 3), (0.0, 41_664.0));
        assert_eq!(ways(&four, 4), (65_536.0, 635_376.0));
        assert_eq!(ways(&Layout::blocks(64, 3, 1, Cut::Even).unwrap(), 2).0, 0.0);
    }

    /// Compares with a loop over all ways.
    #[test]
    fn placements_are_those_that_are_counted() {
        let layouts = [
            Layout::blocks(12, 4, 1, Cut::Even).unwrap(),
            Layout::blocks(12, 5, 2, Cut::Even).unwrap(),
            Layout::blocks(13, 6, 3, Cut::Even).unwrap(),
            Layout::bands(12, 3, 3).unwrap(),
        ];
        for layout in layouts {
            for distance in 0..=7 {
                let all = (0_u32..1 << layout.width()).filter(|xor| xor.count_ones() == distance);
                let (mut n_escaping, mut n_all) = (0, 0);
                for xor in all {
                    let mask = |table: usize| {
                        let permutation = layout.permutation(table);
                        permutation.apply(u128::from(xor)) & permutation.key_mask()
                    };
                    n_all += 1;
                    n_escaping += u32::from((0..layout.tables().len()).all(|it| mask(it) != 0));
                }
                let found = placements(&layout, distance).unwrap();
                let counted = (f64::from(n_escaping), f64::from(n_all));
                assert_eq!((found.escaping, found.all), counted, "{} {distance}", layout.name());
            }
        }
    }

    #[test]
    fn beyond_the_guarantee_the_chance_fades_as_published() {
        for (blocks, expected) in [
            (4, [(3, 1.0), (4, 0.90), (6, 0.58), (10, 0.17)]),
            (5, [(3, 1.0), (4, 0.79), (6, 0.34), (10, 0.04)]),
            (6, [(3, 1.0), (4, 0.70), (6, 0.21), (10, 0.01)]),
        ] {
            for (distance, expected) in expected {
                let found = candidate_chance(&one_level(blocks), distance).unwrap();
                assert_near(found, expected, 0.006);
            }
        }
    }

    #[test]
    fn chances_are_the_shares_of_all_differences_that_are_caught() {
        let layouts = [
            Layout::blocks(11, 4, 2, Cut::Even).unwrap(),
            Layout::bands(11, 3, 3).unwrap(),
            Layout::blocks(11, 1, 1, Cut::Even).unwrap(),
        ];
        for layout in layouts {
            for distance in 0..=11 {
                let all = (0..1_u128 << 11).filter(|xor| xor.count_ones() == distance);
                let hits: Vec<_> = all.map(|xor| layout.tables_hit(xor).count()).collect();
                let total = hits.len() as f64;
                let caught = hits.iter().filter(|hits| **hits > 0).count() as f64 / total;
                assert_near(candidate_chance(&layout, distance).unwrap(), caught, 1e-9);
                let mean = hits.iter().sum::<usize>() as f64 / total;
                assert_near(expected_tables_hit(&layout, distance), mean, 1e-9);
            }
        }
    }
}
