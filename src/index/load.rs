//! The load of the tables of a layout: the number of candidates, and the size of the fullest bucket.
//!
//! Entries that share a table's key are one bucket, and every two entries in a bucket are candidates. So
//! candidates are counted from bucket sizes, `size (size - 1) / 2` each, and never listed. A pair that shares the
//! keys of several tables counts once for each, because it costs a comparison in each. Similar texts make
//! fingerprints skewed: look first for a bucket that is fuller than chance makes it.
//!
//! Costs a grouping by key for each table, about 30 ns for each entry. Memory, for each table that is counted at
//! the time: 4 bytes for each entry, and one and a half values and 6 bytes for each entry of the fullest bucket.
//!
//! Also here: the probability that a layout finds a pair, for each distance.
//!
//! This answers "why is this pair not found?": if d bits differ, and all positions of the d bits are equally
//! likely, how many tables find the pair, and with which probability does at least one? Within the guarantee the
//! probability is 1; beyond it, it falls.

use rayon::prelude::*;

use super::partition::{equal_keys, runs_of_equal};
use super::{Layout, LayoutKind, binomial};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// The load of the tables of a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The number of entries in each table.
    pub n_entries: usize,
    /// The number of tables.
    pub n_tables: usize,
    /// The number of pairs that share a key, counted once for each table.
    pub candidates: u64,
    /// The expected number of candidates among the same number of random fingerprints.
    pub predicted: f64,
    /// The size of the fullest bucket: the most entries that share a key.
    pub fullest: usize,
}

impl Load {
    /// The ratio of candidates to the number expected by chance; 1 if both are 0.
    pub fn skew(&self) -> f64 {
        match (self.candidates, self.predicted > 0.0) {
            (0, false) => 1.0,
            (candidates, _) => candidates as f64 / self.predicted,
        }
    }

    /// The number of key bits with which random fingerprints would make as many candidates; `None` if no two
    /// entries share a key.
    pub fn effective_bits(&self) -> Option<f64> {
        let pairs = binomial(self.n_entries as u32, 2) as f64 * self.n_tables as f64;
        (self.candidates > 0).then(|| (pairs / self.candidates as f64).log2())
    }
}

/// The expected number of candidates of `n` random fingerprints in these tables.
pub fn predicted_candidates(layout: &Layout, n: usize) -> f64 {
    let n = n as f64;
    n * (n - 1.0).max(0.0) / 2.0 * layout.expected_shared_tables()
}

/// The load of the tables of `layout` with `values`. `progress` counts tables.
///
/// # Errors
/// [`Cancelled`] if cancelled; noticed within milliseconds.
///
/// # Panics
/// If there are 2^32 values or more, or if the layout is wider than the word.
pub fn load<B: Bits>(
    values: &[B],
    layout: &Layout,
    progress: &Progress,
) -> Result<Load, Cancelled> {
    assert!(layout.width() <= B::CAPACITY, "the layout's bits fit the word");
    let n_tables = layout.tables().len();
    progress.begin(n_tables as u64);
    let table = |number| {
        let found = of_table(values, layout, number, progress)?;
        progress.add(1);
        Ok(found)
    };
    let tables: Vec<(u64, usize)> =
        (0..n_tables).into_par_iter().map(table).collect::<Result<_, Cancelled>>()?;
    Ok(Load {
        n_entries: values.len(),
        n_tables,
        candidates: tables.iter().map(|(candidates, _)| candidates).sum(),
        predicted: predicted_candidates(layout, values.len()),
        fullest: tables.iter().map(|(_, fullest)| *fullest).max().unwrap_or(0),
    })
}

/// The number of candidates of one table, and the size of its fullest bucket.
fn of_table<B: Bits>(
    values: &[B],
    layout: &Layout,
    number: usize,
    progress: &Progress,
) -> Result<(u64, usize), Cancelled> {
    let buckets = equal_keys(values, layout.tables()[number].mask, progress)?;
    let of_part = |rows: &mut Vec<(B, u32)>, part| {
        buckets.read_part(part, rows, progress)?;
        let sizes = runs_of_equal(rows).map(<[_]>::len);
        Ok(sizes.fold((0, 0), |(candidates, fullest): (u64, usize), size| {
            (candidates + size as u64 * (size as u64 - 1) / 2, fullest.max(size))
        }))
    };
    let parts = (0..buckets.n_parts()).into_par_iter().map_init(Vec::new, of_part);
    parts.try_reduce(|| (0, 0), |left, right| Ok((left.0 + right.0, left.1.max(right.1))))
}

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
                    next[differing][bits + here] +=
                        before * binomial(block.width, here as u32) as f64;
                }
            }
        }
        ways = next;
    }
    let escaping = ways[spared + 1..].iter().map(|row| row[distance]).sum();
    Some(Placements { escaping, all: binomial(layout.width(), distance as u32) as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_block_is_one_hot_bucket() {
        // Sixteen values that agree on the top two of four blocks of 4 bits.
        let values: Vec<u64> = (0..16).map(|n| 0xab00 | n << 4 | (n * 7 % 16)).collect();
        let layout = Layout::for_distance(16, 4, 3).unwrap();
        let found = load(&values, &layout, &Progress::new()).unwrap();
        assert_eq!((found.fullest, found.candidates), (16, 240));
        assert_eq!((found.n_entries, found.n_tables), (16, 4));
        // 120 pairs, four tables, a sixteenth each.
        assert!((found.predicted - 30.0).abs() < 1e-9 && (found.skew() - 8.0).abs() < 1e-9);
        assert!((found.effective_bits().unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn predictions_are_the_published_ones() {
        // Candidates of one query in the design of 4 keys of 16 bits: 6.1 among 100,000.
        let layout = Layout::for_distance(64, 4, 3).unwrap();
        let a_query = predicted_candidates(&layout, 100_001) * 2.0 / 100_001.0;
        assert!((a_query - 6.1).abs() < 0.01, "{a_query}");
        let none = load::<u64>(&[], &layout, &Progress::new()).unwrap();
        assert_eq!((none.candidates, none.fullest, none.effective_bits()), (0, 0, None));
        assert!((none.skew() - 1.0).abs() < 1e-9);
    }

    fn one_level(blocks: u32) -> Layout {
        Layout::for_distance(64, blocks, 3).unwrap()
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
        let four = Layout::blocks(64, 4, 1).unwrap();
        let ways = |layout: &Layout, distance| {
            let found = placements(layout, distance).unwrap();
            (found.escaping, found.all)
        };
        assert_eq!(ways(&four, 3), (0.0, 41_664.0));
        assert_eq!(ways(&four, 4), (65_536.0, 635_376.0));
        assert_eq!(ways(&Layout::blocks(64, 3, 1).unwrap(), 2).0, 0.0);
    }

    /// Compares with a loop over all ways.
    #[test]
    fn placements_are_those_that_are_counted() {
        let layouts = [
            Layout::blocks(12, 4, 1).unwrap(),
            Layout::blocks(12, 5, 2).unwrap(),
            Layout::blocks(13, 6, 3).unwrap(),
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
            Layout::blocks(11, 4, 2).unwrap(),
            Layout::bands(11, 3, 3).unwrap(),
            Layout::blocks(11, 1, 1).unwrap(),
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
