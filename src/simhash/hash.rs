//! The hash of a feature: `SipHash` of its UTF-8 bytes, nothing before or after.
//!
//! Keyed with (seed, 0), so that a person who does not know the seed cannot steer bits. Up to 64 bits the
//! 64-bit output serves; above, the 128-bit variant's, its first word low (the two share no bits). Source:
//! Aumasson and Bernstein, "`SipHash`: a fast short-input PRF" (2012).

use siphasher::{sip, sip128};

use crate::{choice::choice, kernel::sip::Sip13};

choice! {
    /// The hash function.
    pub enum HashFunction, "hash" {
        /// One compression round, three at the end: the fast one.
        #[default]
        SipHash13 = "siphash13",
        /// Two compression rounds, four at the end: the original.
        SipHash24 = "siphash24",
    }
}

/// A hash function with its key and output width, ready to use.
#[derive(Clone, Copy, Debug)]
pub enum FeatureHash {
    /// 64 bits, 1-3 rounds.
    Sip13(Sip13),
    /// 64 bits, 2-4 rounds.
    Sip24(sip::SipHasher24),
    /// 128 bits, 1-3 rounds.
    Wide13(sip128::SipHasher13),
    /// 128 bits, 2-4 rounds.
    Wide24(sip128::SipHasher24),
}

impl FeatureHash {
    /// The function keyed with (`seed`, 0), its output wide enough for `width` bits.
    pub fn new(function: HashFunction, seed: u64, width: u32) -> Self {
        match (function, width > 64) {
            (HashFunction::SipHash13, false) => Self::Sip13(Sip13::new(seed, 0)),
            (HashFunction::SipHash24, false) => {
                Self::Sip24(sip::SipHasher24::new_with_keys(seed, 0))
            }
            (HashFunction::SipHash13, true) => {
                Self::Wide13(sip128::SipHasher13::new_with_keys(seed, 0))
            }
            (HashFunction::SipHash24, true) => {
                Self::Wide24(sip128::SipHasher24::new_with_keys(seed, 0))
            }
        }
    }

    /// The whole output for these bytes: 64 or 128 bits, not yet cut to the fingerprint's width.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u128 {
        match self {
            Self::Sip13(hasher) => u128::from(hasher.hash(bytes)),
            Self::Sip24(hasher) => u128::from(hasher.hash(bytes)),
            Self::Wide13(hasher) => hasher.hash(bytes).as_u128(),
            Self::Wide24(hasher) => hasher.hash(bytes).as_u128(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_test_vectors_hold() {
        // SipHash-2-4 of 00 01 .. 0e under the key 00 .. 0f: a129ca6149be45e5 (the paper, appendix A).
        let (low, high) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908);
        let input: Vec<u8> = (0..15).collect();
        assert_eq!(sip::SipHasher24::new_with_keys(low, high).hash(&input), 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn the_first_word_of_the_wide_output_is_the_low_one() {
        let wide = sip128::SipHasher13::new_with_keys(7, 0).hash(b"tide");
        let ours = FeatureHash::new(HashFunction::SipHash13, 7, 65).hash(b"tide");
        assert_eq!((ours as u64, (ours >> 64) as u64), (wide.h1, wide.h2));
    }
}
