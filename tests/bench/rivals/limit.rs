//! The machine's limit for brute force: XOR, population count and a minimum, all from the first cache.
//!
//! Nothing that compares 64-bit values pair by pair does less. The loop keeps eight values in
//! registers and passes a tile of 8 KiB by them, so it loads one word for eight comparisons. With
//! AVX-512 VPOPCNTDQ that is three instructions for eight pairs; elsewhere the compiler makes what it
//! can of the same loop.

use std::hint::black_box;

use crate::data::Random;
use crate::measure;

/// Values of a tile.
const TILE: usize = 1024;
/// Values held in registers.
const HELD: usize = 8;

type Tile = [u64; TILE];

/// The best that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Avx512,
    Avx2,
    Plain,
}

impl Level {
    /// The facts found at run time.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                return Self::Avx2;
            }
        }
        Self::Plain
    }

    /// The word for tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512 VPOPCNTDQ",
            Self::Avx2 => "AVX2 and POPCNT",
            Self::Plain => "as compiled",
        }
    }

    fn nearest(self, left: &Tile, right: &Tile) -> u64 {
        #[cfg(target_arch = "x86_64")]
        #[expect(
            unsafe_code,
            reason = "only `detect` makes a level, and it found the instructions"
        )]
        match self {
            // SAFETY: `detect` found avx512f and avx512vpopcntdq.
            Self::Avx512 => return unsafe { x86::nearest_avx512(left, right) },
            // SAFETY: `detect` found avx2 and popcnt.
            Self::Avx2 => return unsafe { x86::nearest_avx2(left, right) },
            Self::Plain => {}
        }
        nearest_plain(left, right)
    }
}

/// Pairs a second of CPU time in one thread, over about `n_pairs` pairs, and those seconds.
pub(crate) fn pairs_per_second(level: Level, n_pairs: f64) -> f64 {
    let mut random = Random(6);
    let mut tile = || -> Box<Tile> { Box::new(std::array::from_fn(|_| random.next())) };
    let (left, right) = (tile(), tile());
    assert_eq!(level.nearest(&left, &right), nearest_plain(&left, &right), "the loops agree");
    let n_rounds = (n_pairs / (TILE * TILE) as f64).ceil() as usize;
    let ((), seconds) = measure::cpu(|| {
        for _ in 0..n_rounds {
            black_box(level.nearest(black_box(&left), black_box(&right)));
        }
    });
    (n_rounds * TILE * TILE) as f64 / seconds
}

/// The least distance between a value of `left` and one of `right`.
#[expect(
    clippy::inline_always,
    reason = "compiled once for each set of instructions it is used in"
)]
#[inline(always)]
fn nearest_plain(left: &Tile, right: &Tile) -> u64 {
    let mut nearest = [u64::MAX; HELD];
    for held in left.as_chunks::<HELD>().0 {
        for value in right {
            for (nearest, held) in nearest.iter_mut().zip(held) {
                *nearest = (*nearest).min(u64::from((held ^ value).count_ones()));
            }
        }
    }
    nearest.into_iter().fold(u64::MAX, u64::min)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m512i, _mm512_min_epu64, _mm512_popcnt_epi64, _mm512_reduce_min_epu64, _mm512_set_epi64,
        _mm512_set1_epi64, _mm512_xor_si512,
    };

    use super::{HELD, TILE, Tile, nearest_plain};

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub(super) fn nearest_avx512(left: &Tile, right: &Tile) -> u64 {
        let lanes = |chunk: &[u64; 8]| {
            let lane = |i: usize| chunk[i].cast_signed();
            _mm512_set_epi64(lane(7), lane(6), lane(5), lane(4), lane(3), lane(2), lane(1), lane(0))
        };
        let chunks = right.as_chunks::<8>().0;
        let right: [__m512i; TILE / 8] = std::array::from_fn(|i| lanes(&chunks[i]));
        let mut nearest = [_mm512_set1_epi64(64); HELD];
        for held in left.as_chunks::<HELD>().0 {
            let held = held.map(|value| _mm512_set1_epi64(value.cast_signed()));
            for value in &right {
                for (nearest, held) in nearest.iter_mut().zip(held) {
                    let distances = _mm512_popcnt_epi64(_mm512_xor_si512(*value, held));
                    *nearest = _mm512_min_epu64(*nearest, distances);
                }
            }
        }
        nearest.into_iter().map(|lanes| _mm512_reduce_min_epu64(lanes)).fold(u64::MAX, u64::min)
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn nearest_avx2(left: &Tile, right: &Tile) -> u64 {
        nearest_plain(left, right)
    }
}
