//! Sorting by bytes, least significant first: linear, stable and stoppable.
//!
//! Comparison sorts cannot be interrupted half-way, and a table only needs its rows *grouped* by a
//! key of a few bits. So each pass counts one byte and scatters by it: two reads and a write a row,
//! one pass for each byte of the key. Bytes that all rows share cost only the counting. Holds a
//! second copy of the rows while it runs.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5.

use crate::progress::{Cancelled, Progress};

/// Rows between two looks at the cancel flag: well under a millisecond.
pub(super) const STRIDE: usize = 1 << 16;

/// Sorts `rows` by `n_bytes` bytes, byte 0 the least significant. Stable: ties keep their order.
///
/// # Errors
/// [`Cancelled`] if told to stop; the rows are then in no useful order.
pub fn sort<T: Copy>(
    rows: &mut Vec<T>,
    n_bytes: u32,
    byte: impl Fn(&T, u32) -> u8,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut spare = Vec::new();
    for place in 0..n_bytes {
        let mut next = [0_usize; 256];
        for stride in rows.chunks(STRIDE) {
            progress.check()?;
            for row in stride {
                next[usize::from(byte(row, place))] += 1;
            }
        }
        if next.contains(&rows.len()) {
            continue;
        }
        // From sizes to the place where each byte's rows begin.
        let mut begin = 0;
        for slot in &mut next {
            begin += std::mem::replace(slot, begin);
        }
        // Fresh memory is slow to touch for the first time, so even this looks at the flag.
        spare.reserve_exact(rows.len() - spare.len());
        while spare.len() < rows.len() {
            progress.check()?;
            spare.resize(rows.len().min(spare.len() + STRIDE), rows[0]);
        }
        for stride in rows.chunks(STRIDE) {
            progress.check()?;
            for row in stride {
                let slot = &mut next[usize::from(byte(row, place))];
                spare[*slot] = *row;
                *slot += 1;
            }
        }
        std::mem::swap(rows, &mut spare);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_sorted_and_ties_keep_their_order() {
        let mixed = |i: u32| i.wrapping_mul(2_654_435_761) >> 20;
        let mut rows: Vec<(u32, u32)> = (0..200_000).map(|i| (mixed(i), i)).collect();
        let mut expected = rows.clone();
        expected.sort_unstable();
        let byte = |row: &(u32, u32), place| (row.0 >> (8 * place)) as u8;
        sort(&mut rows, 4, byte, &Progress::new()).unwrap();
        assert_eq!(rows, expected);
    }

    #[test]
    fn it_stops_when_told() {
        let progress = Progress::new();
        progress.cancel();
        assert_eq!(sort(&mut vec![2_u8, 1], 1, |row, _| *row, &progress), Err(Cancelled));
    }
}
