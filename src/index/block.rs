//! Blocks: the runs of consecutive bits that a layout cuts a fingerprint into.
//!
//! Blocks are listed from the top (most significant, leftmost on screen) down, and named by letters in that
//! order. If the number of blocks does not divide the width, some blocks are one bit wider; [`Cut`] decides
//! which, because tables built with one cut cannot be searched with the other.

use crate::{choice::choice, simhash::fingerprint::mask};

choice! {
    /// Which blocks get the extra bit when the width is not a multiple of the number of blocks.
    pub enum Cut, "cut" {
        /// Block borders at `floor(width * i / m)`, counted from bit 0: 64 bits in 6 blocks are, from the top,
        /// 11, 11, 10, 11, 11, 10. simhash-py and simhash-cpp cut like this.
        Even = "even",
        /// The wider blocks at the top: 11, 11, 11, 11, 10, 10. Manku, Jain and Das Sarma cut like this.
        #[default]
        WideFirst = "wide-first",
    }
}

impl Cut {
    /// The widths of `m` blocks over `width` bits, from the top down. Their sum is `width`, and they differ by at
    /// most one.
    ///
    /// # Panics
    /// If `m` is 0.
    pub fn widths(self, width: u32, m: u32) -> Vec<u32> {
        match self {
            Self::Even => (0..m).rev().map(|i| width * (i + 1) / m - width * i / m).collect(),
            Self::WideFirst => (0..m).map(|i| width / m + u32::from(i < width % m)).collect(),
        }
    }

    /// `m` adjacent blocks over `width` bits, from the top down.
    ///
    /// # Panics
    /// If `m` is 0.
    pub fn blocks(self, width: u32, m: u32) -> Vec<Block> {
        let mut low = width;
        let block = |width| {
            low -= width;
            Block { low, width }
        };
        self.widths(width, m).into_iter().map(block).collect()
    }
}

/// Bits `low` to `low + width - 1` of a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The least significant bit of the block.
    pub low: u32,
    /// Bits in the block, at least 1.
    pub width: u32,
}

impl Block {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_cuts_put_the_wide_blocks_elsewhere() {
        assert_eq!(Cut::Even.widths(64, 6), [11, 11, 10, 11, 11, 10]);
        assert_eq!(Cut::WideFirst.widths(64, 6), [11, 11, 11, 11, 10, 10]);
        assert_eq!(Cut::WideFirst.widths(64, 5), [13, 13, 13, 13, 12]);
        assert_eq!(Cut::Even.widths(64, 4), Cut::WideFirst.widths(64, 4));
    }

    #[test]
    fn blocks_cover_every_bit_once_from_the_top() {
        for cut in [Cut::Even, Cut::WideFirst] {
            for width in 1..=128 {
                for m in 1..=width {
                    let blocks = cut.blocks(width, m);
                    assert_eq!(blocks[0].low + blocks[0].width, width);
                    assert_eq!(blocks[m as usize - 1].low, 0);
                    assert!(blocks.iter().all(|block| block.width >= 1));
                    assert!(blocks.windows(2).all(|two| two[1].low + two[1].width == two[0].low));
                }
            }
        }
    }

    #[test]
    fn letters_go_on_after_z() {
        let named = |index| letter(index);
        assert_eq!([0, 5, 25, 26, 27, 127].map(named), ["A", "F", "Z", "AA", "AB", "DX"]);
    }

    #[test]
    fn cuts_print_and_read_back() {
        for &cut in Cut::ALL {
            assert_eq!(cut.to_string().parse(), Ok(cut));
        }
        let error = "odd".parse::<Cut>().unwrap_err();
        assert_eq!(error.to_string(), "cut \"odd\" is unknown; choose one of even, wide-first");
    }
}
