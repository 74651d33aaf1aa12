//! Finds the neighbours of one fingerprint by a scan.
//!
//! A scan compares the fingerprint with every other: about a millisecond for a million fingerprints of 64 bits,
//! exact for any distance, and without preparation. An index answers in microseconds but takes as long to build
//! as dozens of scans, and commands and screens search for one fingerprint at a time. To search for many
//! fingerprints, use a join: see [`near_pairs`](super::near_pairs()).

use super::layout::Layout;
use crate::{id::DocId, kernel::hamming, simhash::Bits};

/// A neighbour: an entry and its distance from the query. Ordered by distance, then entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The number of differing bits.
    pub distance: u32,
    /// The neighbour's entry.
    pub entry: u32,
}

/// A document near another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The document.
    pub document: DocId,
    /// The number of differing bits.
    pub distance: u32,
}

/// The entries within `k` bits of `value`, each once, nearest first, then by entry. Exact for any k.
///
/// The result includes an entry equal to `value`, at distance 0. Costs one comparison for each entry.
pub fn neighbours<B: Bits>(values: &[B], value: B, k: u32) -> Vec<Match> {
    let mut matches = Vec::new();
    hamming::near(value, values, k, |entry, distance| {
        matches.push(Match { distance, entry: entry as u32 });
    });
    matches.sort_unstable();
    matches
}

/// The [`neighbours`] that share a key of `layout` with `value`, as a look-up in each of its tables would find
/// them. These are all neighbours if the layout guarantees `k`.
pub fn neighbours_by_tables<B: Bits>(
    values: &[B],
    layout: &Layout,
    value: B,
    k: u32,
) -> Vec<Match> {
    let mut matches = neighbours(values, value, k);
    matches.retain(|found| {
        let xor = values[found.entry as usize].xor(value).to_wide();
        layout.first_table_with_shared_key(xor).is_some()
    });
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Cut;

    #[test]
    fn neighbours_of_a_handful_by_hand() {
        let values = [0b0000_u64, 0b0001, 0b0011, 0b1111, 0b0000];
        let found = |distance, entry| Match { distance, entry };
        let expected = [found(1, 2), found(1, 3), found(2, 1), found(3, 0), found(3, 4)];
        assert_eq!(neighbours(&values, 0b0111, 3), expected);
        assert_eq!(neighbours(&values, 0b0111, 1), expected[..2]);
        // Two blocks of two bits: 1111 shares the lower one, 0001 and 0011 the upper ones of 00.
        let layout = Layout::blocks(4, 2, 1, Cut::WideFirst).unwrap();
        let by_tables = neighbours_by_tables(&values, &layout, 0b0111, 3);
        assert_eq!(by_tables, [found(1, 2), found(1, 3)]);
    }
}
