//! Blocks: the runs of consecutive bits that a layout cuts a fingerprint into.
//!
//! Blocks are listed from the top (most significant, leftmost on screen) down, and named by letters in that
//! order. If the number of blocks does not divide the width, the upper blocks are one bit wider, as Manku, Jain and
//! Das Sarma cut: 64 bits in 6 blocks are 11, 11, 11, 11, 10, 10.
//!
//! Choices of c of m: their number, and a list of them in order.
//!
//! A layout has one table for each choice of key blocks, so its tables are counted and listed here. Counting is
//! exact up to 2^128 - 1 and saturates there; listing costs O(c) for each choice.

use crate::simhash::fingerprint::mask;

/// Bits `low` to `low + width - 1` of a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The least significant bit of the block.
    pub low: u32,
    /// Bits in the block, at least 1.
    pub width: u32,
}

impl Block {
    /// The widths of `m` blocks over `width` bits, from the top down. Their sum is `width`, and they differ by at
    /// most one.
    ///
    /// # Panics
    /// If `m` is 0.
    pub fn widths(width: u32, m: u32) -> Vec<u32> {
        (0..m).map(|i| width / m + u32::from(i < width % m)).collect()
    }

    /// `m` adjacent blocks over `width` bits, from the top down.
    ///
    /// # Panics
    /// If `m` is 0.
    pub fn cut(width: u32, m: u32) -> Vec<Self> {
        let mut low = width;
        let block = |width| {
            low -= width;
            Self { low, width }
        };
        Self::widths(width, m).into_iter().map(block).collect()
    }

    /// A word with the bits of the block set and all others clear.
    pub fn mask(self) -> u128 {
        mask(self.width) << self.low
    }

    /// Whether bit `bit` belongs to the block.
    pub fn contains(self, bit: u32) -> bool {
        (self.low..self.low + self.width).contains(&bit)
    }
}

/// The name of block `index`, where 0 is the topmost: A to Z, then AA, AB and so on.
pub fn letter(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    match index / 26 {
        0 => last.to_string(),
        before => letter(before - 1) + &last.to_string(),
    }
}

/// The number of pairs of `n` items.
pub(super) fn n_pairs(n: usize) -> u64 {
    n as u64 * (n as u64).saturating_sub(1) / 2
}

/// The number of ways to choose `c` of `m`; `u128::MAX` if the number is larger than that.
pub fn binomial(m: u32, c: u32) -> u128 {
    if c > m {
        return 0;
    }
    let c = c.min(m - c);
    let mut ways: u128 = 1;
    for i in 0..c {
        // Exact at every step: `ways * (m - i)` is a product of i + 1 consecutive numbers.
        let Some(product) = ways.checked_mul(u128::from(m - i)) else {
            return u128::MAX;
        };
        ways = product / u128::from(i + 1);
    }
    ways
}

/// Every choice of `c` of the numbers `0..m`, ascending, in lexicographic order: 012, 013, 014, ..
///
/// There is one empty choice if `c` is 0, and no choice if `c` exceeds `m`.
pub(crate) fn combinations(m: usize, c: usize) -> impl Iterator<Item = Vec<usize>> {
    let first = (c <= m).then(|| (0..c).collect::<Vec<_>>());
    std::iter::successors(first, move |choice| next_choice(choice, m))
}

/// The choice after `choice`: increases the last number that can be increased, and sets the numbers after it to
/// their smallest values.
fn next_choice(choice: &[usize], m: usize) -> Option<Vec<usize>> {
    let c = choice.len();
    let place = (0..c).rev().find(|&place| choice[place] < m - c + place)?;
    let raised = choice[place] + 1;
    let mut next = choice[..place].to_vec();
    next.extend(raised..raised + c - place);
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wide_blocks_come_first() {
        assert_eq!(Block::widths(64, 6), [11, 11, 11, 11, 10, 10]);
        assert_eq!(Block::widths(64, 5), [13, 13, 13, 13, 12]);
    }

    #[test]
    fn blocks_cover_every_bit_once_from_the_top() {
        for width in 1..=128 {
            for m in 1..=width {
                let blocks = Block::cut(width, m);
                assert_eq!(blocks[0].low + blocks[0].width, width);
                assert_eq!(blocks[m as usize - 1].low, 0);
                assert!(blocks.iter().all(|block| block.width >= 1));
                assert!(blocks.windows(2).all(|two| two[1].low + two[1].width == two[0].low));
            }
        }
    }

    #[test]
    fn letters_go_on_after_z() {
        let named = |index| letter(index);
        assert_eq!([0, 5, 25, 26, 27, 127].map(named), ["A", "F", "Z", "AA", "AB", "DX"]);
    }

    #[test]
    fn choices_are_counted() {
        for (m, c, ways) in [(6, 3, 20), (4, 1, 4), (5, 2, 10), (9, 3, 84), (3, 0, 1), (2, 3, 0)] {
            assert_eq!(binomial(m, c), ways, "{m} choose {c}");
        }
        assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
        assert!(binomial(128, 64) > 1 << 100, "saturated or exact, never small");
    }

    #[test]
    fn choices_are_listed_in_lexicographic_order_and_as_many_as_counted() {
        let listed: Vec<_> = combinations(4, 2).collect();
        assert_eq!(listed, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        for m in 0..8_u32 {
            for c in 0..=m + 1 {
                let listed: Vec<_> = combinations(m as usize, c as usize).collect();
                assert_eq!(listed.len() as u128, binomial(m, c), "{m} choose {c}");
                assert!(listed.is_sorted_by(|a, b| a < b));
            }
        }
    }
}
