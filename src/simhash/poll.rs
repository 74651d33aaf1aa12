//! The votes of one document, counted fast: the same sums as [`Votes`], without the names.
//!
//! Votes of weight 1, nearly all there are, are counted in bytes: byte b of lane l counts bit 8 b + l, so
//! that a feature costs eight additions. Other weights go to a table of sums, one for each value of each
//! four bits of the hash: sixteen additions, taken apart into bits when the poll closes. A property test
//! holds both to [`Votes`], which adds bit by bit.
//!
//! [`Votes`]: super::Votes

use super::{
    fingerprint::{Bits, Fingerprint},
    votes::TieRule,
};
use crate::feature::FixedWeight;

/// Votes that bytes can count.
const MOST_IN_LANES: usize = u8::MAX as usize;
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// Signed sums per bit, in the making.
#[derive(Clone, Debug)]
pub(super) struct Poll {
    width: u32,
    /// Votes of weight 1 for a 1, by bit.
    ones: [u64; 128],
    /// Heavier votes, by four bits of the hash and their value.
    heavy: Vec<[i64; 16]>,
    any_heavy: bool,
    total: i64,
}

impl Poll {
    /// No votes on `width` bits, 1 to 128.
    pub(super) fn new(width: u32) -> Self {
        let heavy = vec![[0; 16]; width.div_ceil(4) as usize];
        Self { width, ones: [0; 128], heavy, any_heavy: false, total: 0 }
    }

    /// Forgets all votes.
    pub(super) fn clear(&mut self) {
        self.ones.fill(0);
        if self.any_heavy {
            self.heavy.fill([0; 16]);
            self.any_heavy = false;
        }
        self.total = 0;
    }

    /// Features of weight 1 vote.
    pub(super) fn add_ones<H: Bits>(&mut self, hashes: &[H]) {
        for hashes in hashes.chunks(MOST_IN_LANES) {
            self.add_to_lanes(hashes, 0);
            if self.width > 64 {
                self.add_to_lanes(hashes, 64);
            }
        }
        self.total += hashes.len() as i64 * FixedWeight::ONE;
    }

    /// One feature votes with this weight.
    #[inline]
    pub(super) fn add<H: Bits>(&mut self, hash: H, weight: FixedWeight) {
        let mut rest = hash.to_wide();
        for sums in &mut self.heavy {
            sums[rest as usize & 15] += weight.0;
            rest >>= 4;
        }
        self.any_heavy = true;
        self.total += weight.0;
    }

    /// How many bits are voted on.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// What all weigh together.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    fn add_to_lanes<H: Bits>(&mut self, hashes: &[H], first_bit: usize) {
        let mut lanes = [0u64; 8];
        for hash in hashes {
            let word = (hash.to_wide() >> first_bit) as u64;
            for (lane, counts) in lanes.iter_mut().enumerate() {
                *counts += word >> lane & EACH_BYTE;
            }
        }
        for (bit, sum) in self.ones[first_bit..first_bit + 64].iter_mut().enumerate() {
            *sum += lanes[bit % 8] >> (bit / 8 * 8) & 0xff;
        }
    }

    /// The fingerprint these votes decide, and how many bits balance exactly.
    pub(super) fn close(&self, tie: TieRule) -> (Fingerprint, u32) {
        let (mut bits, mut n_ties) = (0u128, 0);
        for bit in 0..self.width {
            let for_one = self.ones[bit as usize] as i64 * FixedWeight::ONE + self.heavy(bit);
            let votes = 2 * for_one - self.total;
            let one = votes > 0 || votes == 0 && tie == TieRule::One;
            bits |= u128::from(one) << bit;
            n_ties += u32::from(votes == 0);
        }
        (Fingerprint::new(bits, self.width), n_ties)
    }

    /// Heavier votes for a 1 on a bit.
    fn heavy(&self, bit: u32) -> i64 {
        if !self.any_heavy {
            return 0;
        }
        let sums = self.heavy[(bit / 4) as usize].iter().enumerate();
        sums.map(|(value, sum)| if value >> (bit % 4) & 1 == 1 { *sum } else { 0 }).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simhash::Votes;

    proptest! {
        /// Also past where bytes would overflow.
        #[test]
        fn it_counts_what_one_addition_a_bit_does(
            ones in proptest::collection::vec(any::<u128>(), 0..600),
            heavy in proptest::collection::vec((any::<u128>(), 1..1i64 << 40), 0..20),
            width in 1..=128u32,
        ) {
            let (mut poll, mut votes) = (Poll::new(width), Votes::new(width));
            for _ in 0..2 {
                poll.clear();
                votes.clear();
                poll.add_ones(&ones);
                for &hash in &ones {
                    votes.add(hash, FixedWeight(FixedWeight::ONE));
                }
                for &(hash, weight) in &heavy {
                    poll.add(hash, FixedWeight(weight));
                    votes.add(hash, FixedWeight(weight));
                }
                for tie in [TieRule::One, TieRule::Zero] {
                    prop_assert_eq!(poll.close(tie), (votes.fingerprint(tie), votes.ties()));
                }
            }
        }
    }
}
