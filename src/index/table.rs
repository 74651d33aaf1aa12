//! A permuted table: all fingerprints with their blocks reordered, sorted.
//!
//! Rows whose keys are equal lie together, so one binary search finds everything that shares a key
//! with a query. Building costs a pass a byte over the rows; a row takes the word and 4 bytes.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3.1, where a table is a permutation and the length
//! of a prefix.

use std::ops::Range;

use super::{permutation::Permutation, radix};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// Permuted fingerprints in ascending order, each with the number of its entry.
///
/// Equal fingerprints are ordered by entry.
#[derive(Clone, Debug)]
pub struct Table<B> {
    permutation: Permutation,
    permuted: Vec<B>,
    entries: Vec<u32>,
}

/// One comparison of the binary search for a window. Rows `low..high` are still possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which end of the window is searched.
    pub end: WindowEnd,
    /// The first row that may still be the answer.
    pub low: usize,
    /// One past the last row that may still lie before the answer.
    pub high: usize,
    /// The row looked at.
    pub middle: usize,
    /// Whether that row lies before the answer, so that the search goes on behind it.
    pub goes_up: bool,
}

/// An end of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowEnd {
    /// The first row with the key.
    First,
    /// The first row behind those with the key.
    Past,
}

impl<B: Bits> Table<B> {
    /// Permutes and sorts `values`; entry numbers are their positions.
    ///
    /// Adds the number of values to `progress` when done.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    ///
    /// # Panics
    /// If there are 2^32 values or more.
    pub fn build(
        values: &[B],
        permutation: Permutation,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let n_bytes = permutation.width().div_ceil(8);
        let rows = sorted_rows(values, &permutation, 0, n_bytes, progress)?;
        let (permuted, entries) = split(&rows, progress)?;
        progress.add(values.len() as u64);
        Ok(Self { permutation, permuted, entries })
    }

    /// The reordering of bits it is sorted by.
    pub fn permutation(&self) -> &Permutation {
        &self.permutation
    }

    /// Number of rows: one an entry.
    pub fn rows(&self) -> usize {
        self.permuted.len()
    }

    /// Row `row`: the permuted fingerprint and its entry.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> (B, u32) {
        (self.permuted[row], self.entries[row])
    }

    /// The permuted fingerprints, ascending.
    pub fn permuted(&self) -> &[B] {
        &self.permuted
    }

    /// The entry of each row.
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// The rows that share the key of `permuted`, a value as [`Permutation::apply`] makes it.
    ///
    /// Empty at the place where they would be, if there are none. Two binary searches.
    pub fn window(&self, permuted: B) -> Range<usize> {
        let (first, last) = self.permutation.key_range(permuted);
        let start = self.permuted.partition_point(|&row| row < first);
        let len = self.permuted[start..].partition_point(|&row| row <= last);
        start..start + len
    }

    /// The row of `entry`, if it has one. Looks through the rows: O(rows).
    pub fn position_of(&self, entry: u32) -> Option<usize> {
        self.entries.iter().position(|&other| other == entry)
    }

    /// The two binary searches behind [`Table::window`], comparison by comparison: first for the
    /// first row with the key, then, from there on, for the row behind the last.
    pub fn search_steps(&self, permuted: B) -> Vec<Step> {
        steps(self.rows(), &self.window(permuted))
    }
}

/// The comparisons of the two binary searches that find `window` among so many rows.
pub(super) fn steps(n_rows: usize, window: &Range<usize>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (end, from, answer) in
        [(WindowEnd::First, 0, window.start), (WindowEnd::Past, window.start, window.end)]
    {
        let (mut low, mut high) = (from, n_rows);
        while low < high {
            let middle = low.midpoint(high);
            let goes_up = middle < answer;
            steps.push(Step { end, low, high, middle, goes_up });
            if goes_up {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    }
    steps
}

/// A permuted value and its entry, while they are being sorted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<B> {
    pub(super) permuted: B,
    pub(super) entry: u32,
}

/// `values` permuted and sorted by the `n_bytes` bytes that begin at bit `from`.
pub(super) fn sorted_rows<B: Bits>(
    values: &[B],
    permutation: &Permutation,
    from: u32,
    n_bytes: u32,
    progress: &Progress,
) -> Result<Vec<Row<B>>, Cancelled> {
    let entries = 0..u32::try_from(values.len()).expect("fewer than 2^32 entries");
    let row = |entry| Row { permuted: permutation.apply(values[entry as usize]), entry };
    let mut rows = entries.map(row).collect();
    let byte = |row: &Row<B>, place: u32| byte_at(row.permuted, from + 8 * place);
    radix::sort(&mut rows, n_bytes, byte, progress)?;
    Ok(rows)
}

/// The columns of `rows`: a search reads the values alone.
pub(super) fn split<B: Bits>(
    rows: &[Row<B>],
    progress: &Progress,
) -> Result<(Vec<B>, Vec<u32>), Cancelled> {
    let mut permuted = Vec::with_capacity(rows.len());
    let mut entries = Vec::with_capacity(rows.len());
    for stride in rows.chunks(radix::STRIDE) {
        progress.check()?;
        permuted.extend(stride.iter().map(|row| row.permuted));
        entries.extend(stride.iter().map(|row| row.entry));
    }
    Ok((permuted, entries))
}

#[inline]
fn byte_at<B: Bits>(value: B, low: u32) -> u8 {
    // As in `Permutation::apply`: narrow words never pay for wide shifts.
    if B::CAPACITY <= u64::BITS {
        (value.to_wide() as u64 >> low) as u8
    } else {
        (value.to_wide() >> low) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{block::Cut, layout::Layout};

    fn table(values: &[u64]) -> Table<u64> {
        // Two blocks of four bits; table 1 leads with the low one.
        let layout = Layout::blocks(8, 2, 1, Cut::WideFirst).unwrap();
        Table::build(values, layout.permutation(1), &Progress::new()).unwrap()
    }

    #[test]
    fn rows_are_sorted_by_the_permuted_value() {
        let table = table(&[0x12, 0x31, 0x22, 0x21, 0x22]);
        let rows: Vec<_> = (0..table.rows()).map(|row| table.row(row)).collect();
        assert_eq!(rows, [(0x12, 3), (0x13, 1), (0x21, 0), (0x22, 2), (0x22, 4)]);
        assert_eq!((table.position_of(4), table.position_of(5)), (Some(4), None));
    }

    #[test]
    fn a_window_holds_the_rows_with_the_key_and_the_steps_lead_to_it() {
        let table = table(&[0x12, 0x31, 0x22, 0x21, 0x22, 0x7f]);
        for (key, window) in [(0x0, 0..0), (0x1, 0..2), (0x2, 2..5), (0x3, 5..5), (0xf, 5..6)] {
            let query = key << 4 | 9;
            assert_eq!(table.window(query), window);
            let steps = table.search_steps(query);
            let answer = |end| {
                let step = steps.iter().rfind(|step| step.end == end)?;
                Some(if step.goes_up { step.middle + 1 } else { step.middle })
            };
            assert_eq!(answer(WindowEnd::First), Some(window.start));
            assert_eq!(answer(WindowEnd::Past).unwrap_or(table.rows()), window.end);
            assert!(steps.iter().all(|s| s.low <= s.middle && s.middle < s.high));
        }
    }

    #[test]
    fn an_empty_table_has_empty_windows() {
        let table = table(&[]);
        assert_eq!((table.window(3), table.search_steps(3)), (0..0, vec![]));
    }
}
