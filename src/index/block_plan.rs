//! The blocks to group by and the radius to probe around each: the general pigeonhole principle.
//!
//! Give each of some disjoint blocks a radius, so that the sum of (radius + 1) is k + 1. Two fingerprints
//! that differ by more than the radius in every block differ by at least k + 1 bits; so a pair within k is
//! within the radius of some block. With k + 1 blocks of radius 0 that is "one block untouched", the
//! permuted tables of Manku; with fewer and wider blocks it is multi-index hashing, whose buckets are small
//! and where the neighbouring buckets have to be visited too. A block that is the same in nearly all
//! fingerprints may be left out: the others get larger radii.
//!
//! Source: Norouzi, Punjani and Fleet (TPAMI 2014, arXiv 1307.2982), proposition 2; different radii for
//! each block, and blocks left out, are from Qin et al., "GPH: Similarity Search in Hamming
//! Space" (ICDE 2018).

use super::block::Block;
use crate::simhash::Bits;

/// A block, and the number of its bits in which two fingerprints may differ and still be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedBlock {
    /// Bits of the fingerprint.
    pub block: Block,
    /// The most of them that may differ.
    pub radius: u32,
}

/// Disjoint blocks with radii: every pair within `k` bits is within the radius of some block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPlan {
    blocks: Vec<ProbedBlock>,
    k: u32,
}

impl BlockPlan {
    /// The plan of these blocks; the radii determine its `k`.
    ///
    /// # Panics
    /// If there is no block, if two blocks overlap, or if one has 32 bits or more.
    pub fn new(blocks: Vec<ProbedBlock>) -> Self {
        let k = blocks.iter().map(|probed| probed.radius + 1).sum::<u32>().checked_sub(1);
        let k = k.expect("at least one probed");
        let mut seen = 0_u128;
        for probed in &blocks {
            assert_eq!(seen & probed.block.mask(), 0, "blocks are disjoint");
            assert!(probed.block.width < u32::BITS, "a block has fewer than 32 bits");
            seen |= probed.block.mask();
        }
        Self { blocks, k }
    }

    /// The distance up to which no pair escapes.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The blocks, in the order in which they claim pairs.
    pub fn blocks(&self) -> &[ProbedBlock] {
        &self.blocks
    }

    /// Whether a pair that differs in the bits `xor` is outside the radius of every block before number
    /// `block`: each pair belongs to the first block that has it, so nothing need be remembered.
    #[inline]
    pub(super) fn escapes_before<B: Bits>(&self, xor: B, probed: usize) -> bool {
        // No early exit: the branch would be mispredicted.
        let within = |ProbedBlock { block, radius }: &ProbedBlock| {
            let differ = (xor.shifted(block.low) & ((1 << block.width) - 1)).count_ones();
            u32::from(differ <= *radius)
        };
        self.blocks[..probed].iter().map(within).sum::<u32>() == 0
    }
}

/// Numbers of `width` bits with 1 to `radius` bits set, fewest first: the changes that lead from one bucket
/// to those around it. There are w for radius 1, w(w+1)/2 for radius 2.
pub(super) fn keys_around(width: u32, radius: u32) -> Vec<u32> {
    let mut masks = vec![0];
    let mut from = 0;
    for _ in 0..radius.min(width) {
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
            for radius in 0..=width + 1 {
                let mut found = keys_around(width, radius);
                assert!(found.is_sorted_by_key(|mask| mask.count_ones()));
                found.sort_unstable();
                let within = |mask: &u32| (1..=radius).contains(&mask.count_ones());
                let expected: Vec<u32> = (0..1 << width).filter(within).collect();
                assert_eq!(found, expected);
            }
        }
    }

    proptest! {
        #[test]
        fn no_near_pair_escapes(
            m in 3..=8_u32, radii in any::<[u8; 8]>(), bits in prop::collection::vec(0..64_u32, 0..20),
        ) {
            let blocks = Cut::WideFirst.blocks(64, m);
            let probed = |(block, radius): (Block, u8)| ProbedBlock { block, radius: u32::from(radius) % 4 };
            let blocks = BlockPlan::new(blocks.into_iter().zip(radii).map(probed).collect());
            let xor = bits.iter().fold(0_u64, |xor, bit| xor | 1 << bit);
            let escapes = blocks.escapes_before(xor, blocks.blocks().len());
            prop_assert!(!escapes || xor.count_ones() > blocks.k());
        }
    }
}
