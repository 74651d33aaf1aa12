//! The blocks to group by and the radius to probe around each: the general pigeonhole principle.
//!
//! Give each of several disjoint blocks a radius, so that the sum of (radius + 1) is k + 1. Two fingerprints that
//! differ by more than the radius in every block differ in at least k + 1 bits, so a pair within k is within the
//! radius of some block. With k + 1 blocks of radius 0 the principle is "one block is unchanged", the permuted
//! tables of Manku. With fewer and wider blocks it is multi-index hashing: buckets are small, but the
//! neighbouring buckets must be visited too. A block that is the same in nearly all fingerprints may be left out:
//! then the others get larger radii.
//!
//! Sources: Norouzi, Punjani and Fleet (TPAMI 2014, arXiv 1307.2982), proposition 2; for a different radius for
//! each block, and for blocks left out, Qin et al., "GPH: Similarity Search in Hamming Space" (ICDE 2018).

use super::Block;
use super::runs::WIDEST;
use crate::simhash::Bits;

/// The smallest useful number of values in a bucket: visiting a bucket costs as much as comparing this many.
const MIN_BUCKET: usize = 8;

/// A block, and the number of its bits in which two fingerprints may differ to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedBlock {
    /// The bits of the fingerprint.
    pub block: Block,
    /// The largest number of these bits that may differ.
    pub radius: u32,
}

/// Disjoint blocks with radii: every pair within `k` bits is within the radius of some block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPlan {
    blocks: Vec<ProbedBlock>,
    k: u32,
}

impl BlockPlan {
    /// A plan of these blocks; the radii determine its `k`.
    ///
    /// # Panics
    /// If there is no block, if two blocks overlap, or if a block has 32 bits or more.
    pub fn new(blocks: Vec<ProbedBlock>) -> Self {
        let k = blocks.iter().map(|probed| probed.radius + 1).sum::<u32>().checked_sub(1);
        let k = k.expect("at least one block");
        let mut seen = 0_u128;
        for probed in &blocks {
            assert_eq!(seen & probed.block.mask(), 0, "blocks are disjoint");
            assert!(probed.block.width < u32::BITS, "a block has fewer than 32 bits");
            seen |= probed.block.mask();
        }
        Self { blocks, k }
    }

    /// A plan of `m` blocks of about equal width for `n` values, with radii that are as equal as possible.
    ///
    /// # Panics
    /// If `m` is 0, more than `k + 1`, or more than the width.
    pub fn even(n: usize, width: u32, k: u32, m: u32) -> Self {
        assert!(m > 0 && m - 1 <= k && m <= width, "1 to k + 1 blocks, each of a bit or more");
        let radius = |at| (k + 1) / m + u32::from(at < (k + 1) % m) - 1;
        let blocks = (0..).zip(upper_blocks(n, width, m));
        Self::new(blocks.map(|(at, block)| ProbedBlock { block, radius: radius(at) }).collect())
    }

    /// One block, for a search that finds only the pairs within `k` that agree in it.
    pub(super) fn alone(block: Block, k: u32) -> Self {
        Self { blocks: vec![ProbedBlock { block, radius: 0 }], k }
    }

    /// The largest distance of the pairs that the plan finds.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The blocks, in the order in which pairs are assigned to them.
    pub fn blocks(&self) -> &[ProbedBlock] {
        &self.blocks
    }

    /// Whether a pair that differs in the bits `xor` is outside the radius of every block before number `block`.
    /// Each pair belongs to the first block that finds it, so no list of pairs already found is needed.
    #[inline]
    pub(super) fn is_new_at<B: Bits>(&self, xor: B, probed: usize) -> bool {
        // No early exit: the branch would be mispredicted.
        let within = |ProbedBlock { block, radius }: &ProbedBlock| {
            let differ = (xor.shifted(block.low) & ((1 << block.width) - 1)).count_ones();
            u32::from(differ <= *radius)
        };
        self.blocks[..probed].iter().map(within).sum::<u32>() == 0
    }
}

/// The upper bits of `m` blocks over the width, as many as [`filled`] leaves.
pub(super) fn upper_blocks(n: usize, width: u32, m: u32) -> impl Iterator<Item = Block> {
    Block::cut(width, m).into_iter().map(move |block| filled(block, n))
}

/// The upper bits of a block: not more bits than fill each bucket with some of `n` values.
pub(super) fn filled(block: Block, n: usize) -> Block {
    let most = ((n / MIN_BUCKET).max(1).ilog2() + 1).min(WIDEST);
    let spare = block.width.saturating_sub(most);
    Block { low: block.low + spare, width: block.width - spare }
}

/// Numbers of `width` bits with 1 to `radius` bits set, fewest first: XOR with them leads from a bucket to the
/// buckets around it. There are w numbers for radius 1, and w(w+1)/2 for radius 2.
pub(super) fn keys_around(width: u32, radius: u32) -> Vec<u32> {
    let mut masks = vec![0];
    let mut from = 0;
    for _ in 0..radius.min(width) {
        let to = masks.len();
        for at in from..to {
            // Bits are added only above the highest, so that each mask occurs once.
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
            let blocks = Block::cut(64, m);
            let probed = |(block, radius): (Block, u8)| ProbedBlock { block, radius: u32::from(radius) % 4 };
            let blocks = BlockPlan::new(blocks.into_iter().zip(radii).map(probed).collect());
            let xor = bits.iter().fold(0_u64, |xor, bit| xor | 1 << bit);
            let escapes = blocks.is_new_at(xor, blocks.blocks().len());
            prop_assert!(!escapes || xor.count_ones() > blocks.k());
        }
    }
}
