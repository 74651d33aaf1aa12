//! The load of the tables of a layout: the number of candidates, and the fullest bucket.
//!
//! Entries that share a table's key are one bucket, and every two entries in a bucket are candidates. So
//! candidates are counted from bucket sizes, `size (size - 1) / 2` each, and never listed. A pair that shares the
//! keys of several tables counts once for each, because it costs a comparison in each. Similar texts make
//! fingerprints skewed: look first for a bucket that is fuller than chance makes it.
//!
//! Costs a grouping by key for each table, about 30 ns for each entry. Memory, for each table that is counted at
//! the time: 4 bytes for each entry, and one and a half values and 6 bytes for each entry of the fullest bucket.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::{
    block::binomial,
    layout::Layout,
    partition::{equal_keys, runs_of_equal},
};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The number of entries of the fullest bucket that are listed.
const NAMED: usize = 5;

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
    /// The fullest bucket; among equally full ones the one in the first table, then with the smallest key.
    pub fullest_bucket: Option<Bucket>,
}

/// Entries that share a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The table, from 0.
    pub table: usize,
    /// The number of entries.
    pub size: usize,
    /// The first entries, at most five, ascending.
    pub entries: Vec<u32>,
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
    let tables: Vec<(u64, Option<Bucket>)> =
        (0..n_tables).into_par_iter().map(table).collect::<Result<_, Cancelled>>()?;
    let buckets = tables.iter().filter_map(|(_, fullest_bucket)| fullest_bucket.as_ref());
    // `max_by_key` returns the last maximum, so the first one in reverse.
    let fullest_bucket = buckets.rev().max_by_key(|bucket| bucket.size).cloned();
    Ok(Load {
        n_entries: values.len(),
        n_tables,
        candidates: tables.iter().map(|(candidates, _)| candidates).sum(),
        predicted: predicted_candidates(layout, values.len()),
        fullest_bucket,
    })
}

/// The number of candidates of one table, and its fullest bucket.
fn of_table<B: Bits>(
    values: &[B],
    layout: &Layout,
    number: usize,
    progress: &Progress,
) -> Result<(u64, Option<Bucket>), Cancelled> {
    let permutation = layout.permutation(number);
    let buckets = equal_keys(values, layout.tables()[number].mask, progress)?;
    let of_part = |rows: &mut Vec<(B, u32)>, part| {
        buckets.read_part(part, rows, progress)?;
        let (mut candidates, mut fullest) = (0, None);
        for bucket in runs_of_equal(rows).filter(|bucket| bucket.len() > 1) {
            candidates += bucket.len() as u64 * (bucket.len() as u64 - 1) / 2;
            let is_no_less = |(size, ..): &(usize, _, _)| bucket.len() >= *size;
            if fullest.as_ref().is_none_or(is_no_less) {
                let entries: Vec<u32> = bucket.iter().take(NAMED).map(|row| row.1).collect();
                let found = (bucket.len(), Reverse(permutation.apply(bucket[0].0)), entries);
                fullest = fullest.max(Some(found));
            }
        }
        Ok((candidates, fullest))
    };
    let parts = (0..buckets.n_parts()).into_par_iter().map_init(Vec::new, of_part);
    let (candidates, fullest) = parts
        .try_reduce(|| (0, None), |left, right| Ok((left.0 + right.0, left.1.max(right.1))))?;
    Ok((candidates, fullest.map(|(size, _, entries)| Bucket { table: number, size, entries })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Cut;

    #[test]
    fn a_shared_block_is_one_hot_bucket() {
        // Sixteen values that agree on the top two of four blocks of 4 bits.
        let values: Vec<u64> = (0..16).map(|n| 0xab00 | n << 4 | (n * 7 % 16)).collect();
        let layout = Layout::for_distance(16, 4, 3, Cut::Even).unwrap();
        let found = load(&values, &layout, &Progress::new()).unwrap();
        let entries = vec![0, 1, 2, 3, 4];
        assert_eq!(found.fullest_bucket, Some(Bucket { table: 0, size: 16, entries }));
        assert_eq!((found.candidates, found.n_entries, found.n_tables), (240, 16, 4));
        // 120 pairs, four tables, a sixteenth each.
        assert!((found.predicted - 30.0).abs() < 1e-9 && (found.skew() - 8.0).abs() < 1e-9);
        assert!((found.effective_bits().unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn predictions_are_the_published_ones() {
        // Candidates of one query in the design of 4 keys of 16 bits: 6.1 among 100,000.
        let layout = Layout::for_distance(64, 4, 3, Cut::Even).unwrap();
        let a_query = predicted_candidates(&layout, 100_001) * 2.0 / 100_001.0;
        assert!((a_query - 6.1).abs() < 0.01, "{a_query}");
        let none = load::<u64>(&[], &layout, &Progress::new()).unwrap();
        assert_eq!(
            (none.candidates, none.fullest_bucket.clone(), none.effective_bits()),
            (0, None, None)
        );
        assert!((none.skew() - 1.0).abs() < 1e-9);
    }
}
