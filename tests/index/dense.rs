//! Data so dense that whole blocks put everything in one bucket: cubes of few bits, cubes of cubes.

use proptest::collection::vec;
use proptest::prelude::*;
use simscope::index::{Plan, choose, near_pairs, near_pairs_up_to};
use simscope::progress::Progress;
use simscope::simhash::Bits;
use simscope::simhash::fingerprint::mask;

use super::{plan_of_blocks, words};
use crate::support::fingerprints::all_pairs;
use crate::support::{self};

/// All values that differ from a random one in some of these bits, and some random ones.
fn cubes() -> impl Strategy<Value = (u32, Vec<u128>)> {
    (8..=128_u32, 8..=11_usize).prop_flat_map(|(width, dimensions)| {
        let places = Just((0..width).collect::<Vec<_>>()).prop_shuffle();
        let others = vec(any::<u128>(), 0..40);
        (places, any::<u128>(), others).prop_map(move |(places, base, others)| {
            let places = &places[..dimensions.min(places.len())];
            let corner = |corner: u128| {
                (0..)
                    .zip(places)
                    .fold(base, |value, (at, place)| value ^ (corner >> at & 1) << place)
            };
            let values = (0..1 << places.len()).map(corner).chain(others);
            (width, values.map(|value| value & mask(width)).collect())
        })
    })
}

fn check<B: Bits>(values: &[B], width: u32, k: u32, m: u32) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let expected = all_pairs(values, k);
    let by_blocks = plan_of_blocks(values.len(), width, k, m.min(k + 1).min(width));
    for plan in [choose(values, width, k), by_blocks] {
        let found = near_pairs(values, &plan, &progress).expect("nobody cancels");
        prop_assert!(found == expected, "{} of {} pairs by {}", found.len(), expected.len(), plan);
        for (most, is_enough) in [(expected.len(), true), (expected.len().saturating_sub(1), false)]
        {
            let found = near_pairs_up_to(values, &plan, most, &progress).expect("nobody cancels");
            prop_assert_eq!(found.is_some(), is_enough || expected.is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(support::cases(24))]

    #[test]
    fn pairs_of_cubes_are_those_of_the_double_loop(
        (width, values) in cubes(), k in 0..=8_u32, m in 1..=9_u32,
    ) {
        check(&words::<u128>(&values), width, k, m)?;
        if width <= 64 {
            check(&words::<u64>(&values), width, k, m)?;
        }
    }
}

/// Six cubes in one bucket of the first block, each in one of the second; and random values, so that
/// every bit varies.
#[test]
fn pairs_of_heavy_buckets_in_heavy_buckets_are_those_of_the_scan() {
    let random = |n: u64| (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let cube = |n: u64| {
        let corner = (0..11).fold(0, |value, bit| value | (n >> bit & 1) << (bit * 2 + bit / 6));
        0xabcd << 48 | (random(n >> 11) & 0xffff) << 32 | corner
    };
    let values: Vec<u64> = (0..6 << 11).map(cube).chain((1000..1400).map(random)).collect();
    let wide: Vec<u128> = values.iter().map(|&value| u128::from(value) << 64).collect();
    let progress = Progress::new();
    for k in [0, 2, 3, 5] {
        let scan = Plan::scan(values.len(), 64, k);
        let expected = near_pairs(&values, &scan, &progress).unwrap();
        for plan in [choose(&values, 64, k), plan_of_blocks(values.len(), 64, k, (k + 1).min(4))] {
            let found = near_pairs(&values, &plan, &progress).unwrap();
            assert!(found == expected, "{} of {} by {plan}", found.len(), expected.len());
        }
        let found = near_pairs(&wide, &choose(&wide, 128, k), &progress).unwrap();
        assert!(found == expected, "{} of {} of 128 bits", found.len(), expected.len());
    }
}

#[test]
fn distances_beyond_the_width_find_every_pair() {
    let values: Vec<u64> = (0..300_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let progress = Progress::new();
    let n_pairs = values.len() * (values.len() - 1) / 2;
    for k in [64, 65, u32::MAX] {
        for plan in [choose(&values, 64, k), plan_of_blocks(values.len(), 64, k, 3)] {
            assert_eq!(plan.k(), 64);
            assert_eq!(near_pairs(&values, &plan, &progress).unwrap().len(), n_pairs, "{plan}");
        }
    }
}

#[test]
#[should_panic(expected = "1 to k + 1 blocks")]
fn more_blocks_than_k_and_one_are_refused() {
    plan_of_blocks(100, 64, 3, 5);
}
