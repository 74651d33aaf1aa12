//! SipHash-1-3 of short slices: the hot loop of fingerprinting.
//!
//! It is the same hash as in the `siphasher` crate, which a test compares it with. The difference is the last,
//! partial word: here it is read by one load that overlaps the word before it, not byte by byte. Shingles have
//! all lengths, so every second branch of the crate is mispredicted, which costs two thirds of its time. Where
//! the processor has AVX-512, eight slices are hashed at a time, at a third of the cost: about 4 ns for a slice
//! of 20 bytes. Source: Aumasson and Bernstein, "`SipHash`: a fast short-input PRF" (2012), section 2.

use super::Slices;

#[cfg(target_arch = "x86_64")]
mod vector;

/// SipHash-1-3 under one key.
#[derive(Clone, Copy, Debug)]
pub struct Sip13 {
    /// The state before the first word.
    start: [u64; 4],
}

impl Sip13 {
    /// The hash function with a key of two words.
    pub fn new(low: u64, high: u64) -> Self {
        const TEXT: [u64; 4] = [
            0x736f_6d65_7073_6575,
            0x646f_7261_6e64_6f6d,
            0x6c79_6765_6e65_7261,
            0x7465_6462_7974_6573,
        ];
        Self { start: [low ^ TEXT[0], high ^ TEXT[1], low ^ TEXT[2], high ^ TEXT[3]] }
    }

    /// Bytes that a buffer must have after its last slice: words are loaded four at a time.
    pub(crate) const PADDING: usize = 32;

    /// Appends the hash of each slice to `hashes`.
    ///
    /// # Panics
    /// If the buffer has fewer than [`Self::PADDING`] bytes after the last slice.
    #[inline]
    pub(crate) fn hash_each(&self, slices: Slices<'_>, hashes: &mut Vec<u64>) {
        #[cfg(target_arch = "x86_64")]
        if vector::hash_each(self.start, slices, hashes) {
            return;
        }
        hashes.extend(slices.iter().map(|slice| self.hash(slice)));
    }

    /// The hash of these bytes.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        let mut state = self.start;
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            take(&mut state, u64::from_le_bytes(*word));
        }
        let tail = match bytes.last_chunk::<8>() {
            // Two shifts, because `rest` may be empty and a word cannot be shifted by its whole width.
            Some(last) => u64::from_le_bytes(*last) >> (56 - 8 * rest.len()) >> 8,
            None => rest.iter().rev().fold(0, |tail, &byte| tail << 8 | u64::from(byte)),
        };
        take(&mut state, tail | (bytes.len() as u64) << 56);
        state[2] ^= 0xff;
        for _ in 0..3 {
            round(&mut state);
        }
        state[0] ^ state[1] ^ state[2] ^ state[3]
    }
}

#[inline]
fn take(state: &mut [u64; 4], word: u64) {
    state[3] ^= word;
    round(state);
    state[0] ^= word;
}

#[inline]
fn round([a, b, c, d]: &mut [u64; 4]) {
    *a = a.wrapping_add(*b);
    *c = c.wrapping_add(*d);
    *b = b.rotate_left(13) ^ *a;
    *d = d.rotate_left(16) ^ *c;
    *a = a.rotate_left(32);
    *c = c.wrapping_add(*b);
    *a = a.wrapping_add(*d);
    *b = b.rotate_left(17) ^ *c;
    *d = d.rotate_left(21) ^ *a;
    *c = c.rotate_left(32);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::isa::tests::at_every_level;

    proptest! {
        #[test]
        fn it_is_the_crates(bytes in proptest::collection::vec(any::<u8>(), 0..80), key: (u64, u64)) {
            let expected = siphasher::sip::SipHasher13::new_with_keys(key.0, key.1).hash(&bytes);
            prop_assert_eq!(Sip13::new(key.0, key.1).hash(&bytes), expected);
        }
    }

    proptest! {
        #[test]
        fn many_are_what_each_is(
            bytes in proptest::collection::vec(any::<u8>(), 1000),
            // Most slices are short; next to a slice that is long, or whose length does not fit the length byte,
            // they wait.
            lengths in proptest::collection::vec((0..9_u32, prop_oneof![9 => 0..90_u32, 1 => 200..600_u32]), 0..40),
            gap in 0..2_u32,
        ) {
            let (mut starts, mut ends) = (Vec::new(), Vec::new());
            let (mut start, mut end) = (0, 0);
            for (step, length) in lengths {
                start += step;
                end = end.max(start + length).min((bytes.len() - Sip13::PADDING) as u32);
                starts.push(start.min(end));
                ends.push(end + gap);
            }
            let slices = Slices { bytes: &bytes, starts: &starts, ends: &ends, gap };
            let sip = Sip13::new(3, 4);
            let expected: Vec<u64> = [7].into_iter().chain(slices.iter().map(|it| sip.hash(it))).collect();
            at_every_level(|| {
                let mut hashes = vec![7];
                sip.hash_each(slices, &mut hashes);
                prop_assert_eq!(&hashes, &expected);
                Ok(())
            })?;
        }
    }

    #[test]
    fn so_is_that_of_every_length_past_where_the_length_byte_wraps() {
        let bytes: Vec<u8> = (0..600).map(|n| (n * 7 % 251) as u8).collect();
        let (ours, crates) = (Sip13::new(1, 2), siphasher::sip::SipHasher13::new_with_keys(1, 2));
        for length in 0..=bytes.len() {
            assert_eq!(ours.hash(&bytes[..length]), crates.hash(&bytes[..length]), "{length}");
        }
    }
}
