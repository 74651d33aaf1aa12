//! The rows of one table: permuted fingerprints sorted by the key of the table.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3.1, where a table is a permutation and the length
//! of a prefix.

use super::{permutation::Permutation, radix};
use crate::{
    progress::{Cancelled, Progress},
    simhash::Bits,
};

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
