//! Which blocks to look at, and how far: the general pigeonhole principle.
//!
//! Give each of some disjoint blocks a reach, so that the sum of (reach + 1) is k + 1. Two
//! fingerprints that differ by more than its reach in every block differ by at least k + 1 bits; so
//! a pair within k is within the reach of some block. With k + 1 blocks of reach 0 that is "one block
//! untouched", the permuted tables of Manku; with fewer and wider blocks it is multi-index hashing,
//! whose buckets are small and where the neighbouring buckets have to be visited too. A block that
//! corpus and chance have made useless, the same nearly everywhere, may be left out: the others get
//! its share.
//!
//! Source: Norouzi, Punjani and Fleet (TPAMI 2014, arXiv 1307.2982), proposition 2; reaches of their
//! own for each block, and blocks left out, are from Qin et al., "GPH: Similarity Search in Hamming
//! Space" (ICDE 2018).

use super::block::Block;
use crate::simhash::Bits;

/// A block and the number of bits up to which two fingerprints may differ in it and still meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Bits of the fingerprint.
    pub block: Block,
    /// The most of them that may differ.
    pub reach: u32,
}

/// Disjoint blocks with reaches: every pair within `k` bits is within the reach of some block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pigeonholes {
    holes: Vec<Hole>,
    k: u32,
}

impl Pigeonholes {
    /// The holes, which prove themselves complete up to a distance.
    ///
    /// # Panics
    /// If there is no hole, if two blocks overlap, or if one has 32 bits or more.
    pub fn new(holes: Vec<Hole>) -> Self {
        let k = holes.iter().map(|hole| hole.reach + 1).sum::<u32>().checked_sub(1);
        let k = k.expect("at least one hole");
        let mut seen = 0_u128;
        for hole in &holes {
            assert_eq!(seen & hole.block.mask(), 0, "blocks are disjoint");
            assert!(hole.block.width < u32::BITS, "a block has fewer than 32 bits");
            seen |= hole.block.mask();
        }
        Self { holes, k }
    }

    /// The distance up to which no pair escapes.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The holes, in the order in which they claim pairs.
    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// Whether a pair that differs in the bits `xor` is within the reach of none of the holes before
    /// number `hole`: each pair belongs to the first that has it, so nothing need be remembered.
    #[inline]
    pub(super) fn escapes_until<B: Bits>(&self, xor: B, hole: usize) -> bool {
        // All are looked at: which of them has a pair is for no processor to foresee.
        let within = |Hole { block, reach }: &Hole| {
            let differ = (xor.shifted(block.low) & ((1 << block.width) - 1)).count_ones();
            u32::from(differ <= *reach)
        };
        self.holes[..hole].iter().map(within).sum::<u32>() == 0
    }
}

/// Numbers of `width` bits with 1 to `reach` bits set, fewest first.
///
/// There are as many as buckets to visit around one: w for reach 1, w(w+1)/2 for reach 2.
pub(super) fn around(width: u32, reach: u32) -> Vec<u32> {
    let mut masks = vec![0];
    let mut from = 0;
    for _ in 0..reach.min(width) {
        let to = masks.len();
        for at in from..to {
            // Bits are added above the highest, so that each mask is made once.
            let mask: u32 = masks[at];
            let above = u32::BITS - mask.leading_zeros();
            masks.extend((above..width).map(|bit| mask | 1 << bit));
        }
        from = to;
    }
    masks.remove(0);
    masks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::block::Cut;

    #[test]
    fn around_a_bucket_lie_all_keys_within_reach_once() {
        for width in 1..=10_u32 {
            for reach in 0..=width + 1 {
                let mut found = around(width, reach);
                assert!(found.is_sorted_by_key(|mask| mask.count_ones()));
                found.sort_unstable();
                let within = |mask: &u32| (1..=reach).contains(&mask.count_ones());
                let expected: Vec<u32> = (0..1 << width).filter(within).collect();
                assert_eq!(found, expected);
            }
        }
    }

    proptest! {
        #[test]
        fn no_near_pair_escapes(
            m in 3..=8_u32, reaches in any::<[u8; 8]>(), bits in prop::collection::vec(0..64_u32, 0..20),
        ) {
            let blocks = Cut::WideFirst.blocks(64, m);
            let hole = |(block, reach): (Block, u8)| Hole { block, reach: u32::from(reach) % 4 };
            let holes = Pigeonholes::new(blocks.into_iter().zip(reaches).map(hole).collect());
            let xor = bits.iter().fold(0_u64, |xor, bit| xor | 1 << bit);
            let escapes = holes.escapes_until(xor, holes.holes().len());
            prop_assert!(!escapes || xor.count_ones() > holes.k());
        }
    }
}
