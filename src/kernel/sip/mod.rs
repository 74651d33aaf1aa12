//! SipHash-1-3 of short slices: the hot loop of fingerprinting.
//!
//! It is the hash of the `siphasher` crate. Where the processor has AVX-512, eight slices are hashed at a time, at a
//! third of the cost: about 4 ns for a slice of 20 bytes. Source: Aumasson and Bernstein, "`SipHash`: a fast
//! short-input PRF" (2012), section 2.

use siphasher::sip::SipHasher13;

use super::Slices;

#[cfg(target_arch = "x86_64")]
mod vector;

/// Bytes that a buffer must have after its last slice: words are loaded four at a time.
pub(crate) const PADDING: usize = 32;

/// Appends the hash of each slice to `hashes`.
///
/// # Panics
/// If the buffer has fewer than [`PADDING`] bytes after the last slice.
#[inline]
pub(crate) fn hash_each(sip: &SipHasher13, slices: Slices<'_>, hashes: &mut Vec<u64>) {
    #[cfg(target_arch = "x86_64")]
    if vector::hash_each(sip.keys(), slices, hashes) {
        return;
    }
    hashes.extend(slices.iter().map(|slice| sip.hash(slice)));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::isa::tests::at_every_level;

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
                end = end.max(start + length).min((bytes.len() - PADDING) as u32);
                starts.push(start.min(end));
                ends.push(end + gap);
            }
            let slices = Slices { bytes: &bytes, starts: &starts, ends: &ends, gap };
            let sip = SipHasher13::new_with_keys(3, 4);
            let expected: Vec<u64> = [7].into_iter().chain(slices.iter().map(|it| sip.hash(it))).collect();
            at_every_level(|| {
                let mut hashes = vec![7];
                hash_each(&sip, slices, &mut hashes);
                prop_assert_eq!(&hashes, &expected);
                Ok(())
            })?;
        }
    }

    #[test]
    fn a_length_that_wraps_the_length_byte_is_hashed_too() {
        let bytes: Vec<u8> = (0..600).map(|n| (n * 7 % 251) as u8).collect();
        let sip = SipHasher13::new_with_keys(1, 2);
        let (starts, ends): (Vec<u32>, Vec<u32>) = (0..=500).map(|length| (0, length)).unzip();
        let slices = Slices { bytes: &bytes, starts: &starts, ends: &ends, gap: 0 };
        let expected: Vec<u64> = slices.iter().map(|it| sip.hash(it)).collect();
        at_every_level(|| -> Result<(), ()> {
            let mut hashes = Vec::new();
            hash_each(&sip, slices, &mut hashes);
            assert_eq!(hashes, expected);
            Ok(())
        })
        .unwrap();
    }
}
