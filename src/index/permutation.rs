//! The reordering of bits that moves a table's key to the front.
//!
//! A table reorders whole blocks, so a permutation is a short list of moves: bits under a mask move up or down by
//! a number of positions. It never changes a distance; it only decides the order of the rows. Cost: three
//! operations for each move, and at most one move for each block (blocks that stay neighbours share one).

use super::{Block, Layout, letter};
use crate::simhash::Bits;
use crate::simhash::fingerprint::mask;

/// One table of a layout: its key and the order of its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLayout {
    /// Indices of the leading blocks, from the top down.
    pub key_blocks: Vec<usize>,
    /// The bits of the key, at their positions in a fingerprint.
    pub mask: u128,
    /// The number of bits in the key.
    pub key_bits: u32,
    /// All blocks as the table orders them: the key, then the rest, each from the top down.
    pub order: Vec<usize>,
}

impl TableLayout {
    /// The table whose key is every block inside `mask`.
    pub(super) fn new(blocks: &[Block], mask: u128) -> Self {
        let is_key = |&index: &usize| blocks[index].mask() & mask != 0;
        let (key_blocks, rest): (Vec<_>, Vec<_>) = (0..blocks.len()).partition(is_key);
        let order = key_blocks.iter().copied().chain(rest).collect();
        Self { key_blocks, mask, key_bits: mask.count_ones(), order }
    }

    /// The letters of the key: `ADE`; separated by spaces if there are letters like `AA`.
    pub fn letters(&self) -> String {
        let separator = if self.order.len() > 26 { " " } else { "" };
        let letters: Vec<_> = self.key_blocks.iter().map(|&block| letter(block)).collect();
        letters.join(separator)
    }
}

/// Reorders the blocks of a fingerprint so that the key of one table comes first.
///
/// A bijection on the values of `width` bits. Bits above the width must be 0; they are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    width: u32,
    /// The number of bits of the key: the top `key_bits` of the `width` bits of a permuted value.
    key_bits: u32,
    moves: Vec<Move>,
}

/// Rotates the bits of `mask` up by `up` positions, modulo the bits of the word; so they may also move down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    mask: u128,
    up: u32,
}

impl Permutation {
    /// The permutation of table `table`: its blocks in the table's order, the first at the top.
    ///
    /// # Panics
    /// If the layout has no such table.
    pub fn new(layout: &Layout, table: usize) -> Self {
        let table = &layout.tables()[table];
        let mut moves: Vec<Move> = Vec::new();
        let mut top = layout.width();
        for &block in &table.order {
            let block = layout.block_list()[block];
            top -= block.width;
            let up = top.wrapping_sub(block.low);
            match moves.iter_mut().find(|earlier| earlier.up == up) {
                Some(earlier) => earlier.mask |= block.mask(),
                None => moves.push(Move { mask: block.mask(), up }),
            }
        }
        Self { width: layout.width(), key_bits: table.key_bits, moves }
    }

    /// The bits of the key in a permuted value.
    pub fn key_mask(&self) -> u128 {
        mask(self.key_bits) << (self.width - self.key_bits)
    }

    /// The smallest and the largest permuted value with the key of `permuted`.
    pub(super) fn key_range<B: Bits>(&self, permuted: B) -> (B, B) {
        let first = permuted.to_wide() & self.key_mask();
        let below_key = mask(self.width - self.key_bits);
        (B::from_wide(first), B::from_wide(first | below_key))
    }

    /// The value with its blocks in the table's order.
    #[inline]
    pub fn apply<B: Bits>(&self, value: B) -> B {
        // The capacity is known at compile time, so narrow words do not pay for wide shifts.
        if B::CAPACITY <= u64::BITS {
            let value = value.to_wide() as u64;
            let part = |m: &Move| (value & m.mask as u64).rotate_left(m.up);
            B::from_wide(self.moves.iter().fold(0, |out, m| out | part(m)).into())
        } else {
            let value = value.to_wide();
            let part = |m: &Move| (value & m.mask).rotate_left(m.up);
            B::from_wide(self.moves.iter().fold(0, |out, m| out | part(m)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_blocks_lead_and_the_rest_follows() {
        // Blocks A B C D of two bits; table BD puts them as B D A C.
        let layout = Layout::blocks(8, 4, 2).unwrap();
        let table = layout.tables().iter().position(|table| table.letters() == "BD").unwrap();
        let permutation = layout.permutation(table);
        assert_eq!(permutation.apply(0b11_10_01_00_u64), 0b10_00_11_01);
        assert_eq!(permutation.key_mask(), 0b1111_0000);
    }

    #[test]
    fn blocks_that_stay_together_share_a_move() {
        let layout = Layout::blocks(64, 6, 3).unwrap();
        assert_eq!(layout.permutation(0).moves, [Move { mask: u128::from(u64::MAX), up: 0 }]);
        assert!((0..20).all(|table| layout.permutation(table).moves.len() <= 6));
    }

    #[test]
    fn the_widest_key_is_the_whole_fingerprint() {
        let layout = Layout::blocks(128, 1, 1).unwrap();
        let permutation = layout.permutation(0);
        assert_eq!(permutation.key_mask(), u128::MAX);
        assert_eq!(permutation.apply(u128::MAX - 5), u128::MAX - 5);
    }
}
