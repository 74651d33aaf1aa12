//! XOR and population count, tile by tile.
//!
//! All searches use these loops. A tile is a set of rows and a set of columns, small enough to stay in the
//! first-level cache; pairs within `k` are returned as positions. Words have 64 bits: wider fingerprints are
//! first compared by one of their words, whose distance is at most that of the whole. For the small distances and
//! buckets of a join, 32-bit folds are compared, whose distance is also at most that of the whole.
//!
//! One [`plain`] implementation of each search is compiled three times, and the level of the processor decides
//! between them: for AVX-512 with a population count for every lane, for AVX2, and for any processor. Distances of all
//! pairs are counted by `planes` where there is AVX-512.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls of functions for instructions that an `Isa` proves")
)]

mod plain;
#[cfg(target_arch = "x86_64")]
mod planes;

#[cfg(target_arch = "x86_64")]
use super::isa::{Isa, Level};
pub(crate) use plain::{COUNT_COLUMNS, Counts, Hit, SameParity, TILE, Word, has_odd_parity, near};

/// Defines each loop: it calls the version for the level of the processor. Tests count the comparisons behind `;`.
macro_rules! dispatch {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*; $comparisons:expr);)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub(crate) fn $name<W: Word>($($argument: $type),*) {
                #[cfg(test)]
                effort::add($comparisons);
                #[cfg(target_arch = "x86_64")]
                match Isa::get().level() {
                    Level::Plain => {}
                    // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
                    Level::Avx2 => return unsafe { avx2::$name($($argument),*) },
                    // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
                    Level::Avx512 => return unsafe { avx512::$name($($argument),*) },
                }
                plain::$name($($argument),*);
            }
        )*
        dispatch!(avx2, "avx2,popcnt", { $($name($($argument: $type),*);)* });
        dispatch!(avx512, "avx512f,avx512vpopcntdq,popcnt", { $($name($($argument: $type),*);)* });
    };
    ($level:ident, $features:literal, { $($name:ident($($argument:ident: $type:ty),*);)* }) => {
        /// The plain loops, compiled for a level: the compiler vectorises them.
        #[cfg(target_arch = "x86_64")]
        mod $level {
            use super::{Hit, Word, plain};

            $(
                /// See the function of the same name in [`super`].
                #[target_feature(enable = $features)]
                pub(super) fn $name<W: Word>($($argument: $type),*) {
                    plain::$name($($argument),*);
                }
            )*
        }
    };
}

dispatch! {
    /// Appends the pairs of `rows` and `columns` at most `k` bits apart to `hits`, in no order.
    tile(rows: &[W], columns: &[W], k: u32, hits: &mut Vec<Hit>; rows.len() * columns.len());
    /// Appends the pairs within `words` at most `k` bits apart to `hits`, the earlier position first, in no order.
    triangle(words: &[W], k: u32, hits: &mut Vec<Hit>; words.len() * words.len().saturating_sub(1) / 2);
}

/// Adds the distances of all pairs of `rows` and `columns` to `counts`.
pub(crate) fn count(rows: SameParity<'_>, columns: SameParity<'_>, counts: &mut Counts) {
    #[cfg(target_arch = "x86_64")]
    match Isa::get().level() {
        Level::Plain => {}
        // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
        Level::Avx2 => return unsafe { count_by_avx2(rows, columns, counts) },
        // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
        Level::Avx512 => return unsafe { planes::count(rows, columns, counts) },
    }
    plain::count(rows, columns, counts);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_by_avx2(rows: SameParity<'_>, columns: SameParity<'_>, counts: &mut Counts) {
    plain::count(rows, columns, counts);
}

/// Counts the work of the calling thread: a cost without a clock.
#[cfg(test)]
pub(crate) mod effort {
    use std::cell::Cell;

    thread_local! {
        static COMPARISONS: Cell<u64> = const { Cell::new(0) };
        static OTHER: Cell<u64> = const { Cell::new(0) };
    }

    /// Adds work other than comparisons, as the number of comparisons of equal cost.
    pub(crate) fn add_other(comparisons: usize) {
        OTHER.set(OTHER.get() + comparisons as u64);
    }

    /// All work since the last call, in comparisons.
    pub(crate) fn take_all() -> u64 {
        take() + OTHER.replace(0)
    }

    pub(crate) fn add(comparisons: usize) {
        COMPARISONS.set(COMPARISONS.get() + comparisons as u64);
    }

    /// The comparisons since the last call.
    pub(crate) fn take() -> u64 {
        COMPARISONS.replace(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::isa::tests::at_every_level;
    use crate::simhash::Bits;

    /// Values with many small distances, and some distances of 64.
    fn values() -> impl Strategy<Value = Vec<u64>> {
        let value = (0..4_u64, any::<u64>(), any::<u64>(), any::<bool>());
        let near = value.prop_map(|(centre, a, b, flip)| {
            let value = centre.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (a & b & b.rotate_left(7));
            if flip { !value } else { value }
        });
        vec(near, 0..200)
    }

    fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
        hits.sort_unstable();
        hits
    }

    /// Tests at every level that a loop appends the hits of the plain one.
    fn same_hits(
        plain: impl Fn(&mut Vec<Hit>),
        fast: impl Fn(&mut Vec<Hit>),
    ) -> Result<(), TestCaseError> {
        let of = |hits: &dyn Fn(&mut Vec<Hit>)| {
            let mut all = vec![(7, 7)];
            hits(&mut all);
            sorted(all)
        };
        let expected = of(&plain);
        at_every_level(|| {
            prop_assert_eq!(&of(&fast), &expected);
            Ok(())
        })
    }

    /// Tests at every level that the counts are those of the plain loop, and returns them plus 1.
    fn same_counts(rows: SameParity<'_>, columns: SameParity<'_>) -> Result<Counts, TestCaseError> {
        let mut expected = [1; 65];
        plain::count(rows, columns, &mut expected);
        at_every_level(|| {
            let mut found = [1; 65];
            count(rows, columns, &mut found);
            prop_assert_eq!(found, expected);
            Ok(())
        })?;
        Ok(expected)
    }

    fn folds(values: &[u64]) -> Vec<u32> {
        values.iter().map(|value| value.folded()).collect()
    }

    proptest! {
        #[test]
        fn a_tile_is_that_of_the_plain_loop(rows in values(), columns in values(), k in 0..=64_u32) {
            same_hits(|to| plain::tile(&rows, &columns, k, to), |to| tile(&rows, &columns, k, to))?;
        }

        #[test]
        fn a_triangle_is_that_of_the_plain_loop(values in values(), k in 0..=64_u32) {
            same_hits(|to| plain::triangle(&values, k, to), |to| triangle(&values, k, to))?;
        }

        #[test]
        fn a_triangle_of_folds_is_that_of_the_plain_loop(values in values(), k in 0..=32_u32, times in 1..5_usize) {
            let folds = folds(&values.repeat(times));
            same_hits(|to| plain::triangle(&folds, k, to), |to| triangle(&folds, k, to))?;
        }

        #[test]
        fn a_tile_of_folds_is_that_of_the_plain_loop(
            rows in values(), columns in values(), k in 0..=32_u32, times in 1..3_usize,
        ) {
            let (rows, columns) = (folds(&rows), folds(&columns.repeat(times)));
            same_hits(|to| plain::tile(&rows, &columns, k, to), |to| tile(&rows, &columns, k, to))?;
        }

        #[test]
        fn counts_are_those_of_the_plain_loop(
            rows in values(), columns in values(), odd in any::<[bool; 2]>(), times in 1..20_usize,
            columns_times in 1..300_usize,
        ) {
            let rows = of_parity(&rows, odd[0]).repeat(times);
            // Full blocks too, and several.
            let columns = of_parity(&columns, odd[1]);
            let most = 1_100_usize.checked_div(columns.len()).unwrap_or(0);
            let columns = columns.repeat(columns_times.min(most));
            let (rows, columns) = (SameParity::new(&rows, odd[0]), SameParity::new(&columns, odd[1]));
            same_counts(rows, columns)?;
        }
    }

    fn of_parity(words: &[u64], is_odd: bool) -> Vec<u64> {
        words.iter().copied().filter(|&word| has_odd_parity(word) == is_odd).collect()
    }

    #[test]
    fn every_distance_is_counted_also_that_of_complements() {
        let rows: Vec<u64> = (0..=64).map(|bits| ((1_u128 << bits) - 1) as u64).collect();
        for odd_row in [false, true] {
            let rows = of_parity(&rows, odd_row);
            let rows = SameParity::new(&rows, odd_row);
            for (columns, is_odd) in [([0, u64::MAX, 1 << 63 | 1], false), ([1, 1 << 63, !1], true)]
            {
                let columns = SameParity::new(&columns, is_odd);
                let counts = same_counts(rows, columns).unwrap();
                assert!(counts[64] > 1 || counts[63] > 1);
            }
        }
    }

    #[test]
    fn the_plain_loops_compare_every_pair_once() {
        fn test<W: Word>(values: [W; 50], distance: impl Fn(W, W) -> u32) {
            for k in [0, 8, 15, 64] {
                let all = (0..50).flat_map(|a| (0..50).map(move |b| (a, b)));
                let near = |&(a, b): &Hit| distance(values[a as usize], values[b as usize]) <= k;
                let expected: Vec<Hit> = all.filter(near).collect();
                let mut hits = Vec::new();
                plain::tile(&values, &values, k, &mut hits);
                assert_eq!(sorted(hits), expected);
                let mut hits = Vec::new();
                plain::triangle(&values, k, &mut hits);
                let above: Vec<Hit> = expected.into_iter().filter(|(a, b)| a < b).collect();
                assert_eq!(sorted(hits), above);
            }
        }
        let values: [u64; 50] = std::array::from_fn(|i| (i as u64).wrapping_mul(0x9e37_79b9));
        test(values, |a, b| (a ^ b).count_ones());
        test(values.map(Bits::folded), |a, b| (a ^ b).count_ones());
    }
}
