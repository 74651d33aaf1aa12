//! Compares one fingerprint of any width with many others, in safe portable code.
//!
//! Queries, the slow twins and the plain loops use it: an XOR and a population count for each candidate.
//! Distances are computed [`LANES`] at a time without branches, which the compiler turns into vector code; only a
//! group of lanes with a hit is examined again.

/// Distances computed before the first comparison with k.
const LANES: usize = 16;

/// Words with a distance: a fingerprint, or its fold.
pub trait Word: Copy {
    /// The number of bits in which the two differ.
    fn apart(self, other: Self) -> u32;
}

macro_rules! impl_word {
    ($($word:ty),*) => {
        $(impl Word for $word {
            #[inline]
            fn apart(self, other: Self) -> u32 {
                (self ^ other).count_ones()
            }
        })*
    };
}

impl_word!(u32, u64, u128);

/// Calls `found(position, distance)` for each of `others` within `k` bits of `value`, in order.
///
/// Exact. Costs O(others), about a nanosecond each for 64 bits.
#[expect(clippy::inline_always, reason = "a loop must take the instructions of its caller")]
#[inline(always)]
pub(crate) fn near<W: Word>(value: W, others: &[W], k: u32, mut found: impl FnMut(usize, u32)) {
    let (chunks, rest) = others.as_chunks::<LANES>();
    for (index, chunk) in chunks.iter().enumerate() {
        let distances = chunk.map(|other| value.apart(other));
        if distances.iter().fold(u32::MAX, |nearest, &distance| nearest.min(distance)) <= k {
            for (lane, distance) in distances.into_iter().enumerate() {
                if distance <= k {
                    found(index * LANES + lane, distance);
                }
            }
        }
    }
    for (index, other) in rest.iter().enumerate() {
        let distance = value.apart(*other);
        if distance <= k {
            found(chunks.len() * LANES + index, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_finds_what_one_comparison_at_a_time_finds() {
        let others: Vec<u64> = (0..100).map(|i: u64| i.wrapping_mul(0x9e37_79b9)).collect();
        for n in 0..others.len() {
            for k in [0, 8, 15, 64] {
                let mut found = Vec::new();
                near(others[7], &others[..n], k, |place, distance| {
                    found.push((place, distance));
                });
                let distances = others[..n].iter().map(|other| (others[7] ^ other).count_ones());
                let expected: Vec<_> = distances.enumerate().filter(|&(_, d)| d <= k).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
