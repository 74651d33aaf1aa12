//! The hash of a feature: `SipHash` of its UTF-8 bytes, without prefix or suffix; and the hashes of other
//! programs.
//!
//! The key is (seed, 0), so that a person who does not know the seed cannot choose texts with given bits. Up to
//! 64 bits the hash is the 64-bit output; above, it is the output of the 128-bit variant with its first word as
//! the low word (the two variants share no bits). Source: Aumasson and Bernstein, "`SipHash`: a fast short-input
//! PRF" (2012). The hashes of other programs have 64 bits.

use std::hash::Hasher;

use siphasher::{sip, sip128};

use crate::choice::choice;
use crate::kernel::sip::Sip13;

choice! {
    /// The hash function.
    pub enum HashFunction, "hash" {
        /// One compression round for each word, three at the end: the fast variant.
        #[default]
        SipHash13 = "siphash13",
        /// Two compression rounds for each word, four at the end: the original.
        SipHash24 = "siphash24",
        /// SipHash-2-4 of the bytes and a final 0xFF, like Rust's `Hash` of a string.
        SipHash24Str = "siphash24-str",
        /// The complement of `SipHash`-2-4 with the key (5, 6) of the words, written like Rust's `Hash` of a
        /// slice of strings: if there are several words, their number in 8 bytes, lowest first; then each word
        /// followed by 0xFF.
        Gaoya = "gaoya",
        /// The same of the whole shingle as one string, as gaoya has characters.
        GaoyaStr = "gaoya-str",
        /// The first 8 bytes of MD5, highest first.
        Md5 = "md5",
        /// The last 8 bytes of MD5, highest first.
        Md5Last = "md5-last",
        /// The 64-bit output of XXH3.
        Xxh3 = "xxh3",
        /// FNV-1a of 64 bits.
        Fnv1a = "fnv1a",
        /// The low word of `MurmurHash3` for 64-bit machines.
        Murmur3 = "murmur3",
    }
}

impl HashFunction {
    /// The number of bits of its longest output.
    pub fn max_bits(self) -> u32 {
        if matches!(self, Self::SipHash13 | Self::SipHash24) { 128 } else { 64 }
    }

    /// The largest seed that it takes; 0 if it takes no seed.
    pub fn largest_seed(self) -> u64 {
        match self {
            Self::SipHash13 | Self::SipHash24 | Self::SipHash24Str | Self::Xxh3 => u64::MAX,
            Self::Murmur3 => u64::from(u32::MAX),
            Self::Gaoya | Self::GaoyaStr | Self::Md5 | Self::Md5Last | Self::Fnv1a => 0,
        }
    }

    /// The 64-bit output for these bytes.
    pub(super) fn hash(self, seed: u64, bytes: &[u8]) -> u64 {
        match self {
            Self::SipHash13 => sip::SipHasher13::new_with_keys(seed, 0).hash(bytes),
            Self::SipHash24 => sip::SipHasher24::new_with_keys(seed, 0).hash(bytes),
            Self::SipHash24Str => siphash24_str(seed, 0, bytes),
            Self::Gaoya => gaoya(bytes),
            Self::GaoyaStr => !siphash24_str(5, 6, bytes),
            Self::Md5 => (u128::from_be_bytes(md5::compute(bytes).0) >> 64) as u64,
            Self::Md5Last => u128::from_be_bytes(md5::compute(bytes).0) as u64,
            Self::Xxh3 => twox_hash::XxHash3_64::oneshot_with_seed(seed, bytes),
            Self::Fnv1a => {
                let mut hasher = fnv::FnvHasher::default();
                hasher.write(bytes);
                hasher.finish()
            }
            Self::Murmur3 => {
                let mut bytes = bytes;
                murmur3::murmur3_x64_128(&mut bytes, seed as u32).unwrap_or_default() as u64
            }
        }
    }
}

/// A hash function with its key and output width, ready to use.
#[derive(Clone, Copy, Debug)]
pub enum FeatureHash {
    /// 64 bits, 1-3 rounds.
    Sip13(Sip13),
    /// 128 bits, 1-3 rounds.
    Wide13(sip128::SipHasher13),
    /// 128 bits, 2-4 rounds.
    Wide24(sip128::SipHasher24),
    /// Another function of 64 bits, and its seed.
    Other(HashFunction, u64),
}

/// `SipHash`-2-4 of a string as Rust's `Hash` has it.
fn siphash24_str(k0: u64, k1: u64, bytes: &[u8]) -> u64 {
    let mut hasher = sip::SipHasher24::new_with_keys(k0, k1);
    hasher.write(bytes);
    hasher.write(&[0xff]);
    hasher.finish()
}

/// A word as Rust's `Hash` has a string, several as a slice of strings, with every bit inverted.
fn gaoya(words: &[u8]) -> u64 {
    let mut hasher = sip::SipHasher24::new_with_keys(5, 6);
    let n_words = words.split(|&byte| byte == b' ').count();
    if n_words > 1 {
        hasher.write(&(n_words as u64).to_le_bytes());
    }
    for word in words.split(|&byte| byte == b' ') {
        hasher.write(word);
        hasher.write(&[0xff]);
    }
    !hasher.finish()
}

impl FeatureHash {
    /// The function with the key (`seed`, 0), and an output wide enough for `width` bits. A seed or a width
    /// beyond the limits of the function is ignored; [`Recipe::check`](super::Recipe::check) rejects both.
    pub fn new(function: HashFunction, seed: u64, width: u32) -> Self {
        use HashFunction::{SipHash13, SipHash24};
        match (function, width > 64) {
            (SipHash13, false) => Self::Sip13(Sip13::new(seed, 0)),
            (SipHash13, true) => Self::Wide13(sip128::SipHasher13::new_with_keys(seed, 0)),
            (SipHash24, true) => Self::Wide24(sip128::SipHasher24::new_with_keys(seed, 0)),
            (function, _) => Self::Other(function, seed),
        }
    }

    /// The whole output for these bytes: 64 or 128 bits, before it is cut to the fingerprint's width.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u128 {
        match self {
            Self::Sip13(hasher) => u128::from(hasher.hash(bytes)),
            Self::Wide13(hasher) => hasher.hash(bytes).as_u128(),
            Self::Wide24(hasher) => hasher.hash(bytes).as_u128(),
            Self::Other(function, seed) => u128::from(function.hash(*seed, bytes)),
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

    /// Published vectors: RFC 1321; the FNV authors' page; the reference programs of XXH3 and `MurmurHash3`.
    #[test]
    fn published_vectors_of_other_hashes_hold() {
        for (function, seed, bytes, expected) in [
            (HashFunction::Md5, 0, "abc", 0x9001_5098_3cd2_4fb0),
            (HashFunction::Md5Last, 0, "abc", 0xd696_3f7d_28e1_7f72),
            (HashFunction::Md5, 0, "hello", 0x5d41_402a_bc4b_2a76),
            (HashFunction::Fnv1a, 0, "foobar", 0x8594_4171_f739_67e8),
            (HashFunction::Fnv1a, 0, "", 0xcbf2_9ce4_8422_2325),
            (HashFunction::Xxh3, 0, "", 0x2d06_8005_38d3_94c2),
            (HashFunction::Murmur3, 0, "", 0),
            (HashFunction::Murmur3, 0, "hello", 0xcbd8_a7b3_41bd_9b02),
        ] {
            let found = FeatureHash::new(function, seed, 64).hash(bytes.as_bytes());
            assert_eq!(found, expected, "{function} of {bytes:?}: {found:x}");
        }
    }

    /// Compares with Rust's hash of a string, and of a slice of strings.
    #[test]
    fn strings_are_framed_as_rust_frames_them() {
        use std::hash::Hash;
        let rust = |value: &dyn Fn(&mut sip::SipHasher24), keys: (u64, u64)| {
            let mut hasher = sip::SipHasher24::new_with_keys(keys.0, keys.1);
            value(&mut hasher);
            u128::from(hasher.finish())
        };
        let ours = |function, text: &str| FeatureHash::new(function, 0, 64).hash(text.as_bytes());
        let tide = |hasher: &mut sip::SipHasher24| "tide".hash(hasher);
        assert_eq!(ours(HashFunction::SipHash24Str, "tide"), rust(&tide, (0, 0)));
        let gaoya = |text: &str| u128::from(!(ours(HashFunction::Gaoya, text) as u64));
        assert_eq!(gaoya("tide"), rust(&tide, (5, 6)));
        let words = |hasher: &mut sip::SipHasher24| ["the", "tide"][..].hash(hasher);
        assert_eq!(gaoya("the tide"), rust(&words, (5, 6)));
    }

    #[test]
    fn the_first_word_of_the_wide_output_is_the_low_one() {
        let wide = sip128::SipHasher13::new_with_keys(7, 0).hash(b"tide");
        let ours = FeatureHash::new(HashFunction::SipHash13, 7, 65).hash(b"tide");
        assert_eq!((ours as u64, (ours >> 64) as u64), (wide.h1, wide.h2));
    }
}
