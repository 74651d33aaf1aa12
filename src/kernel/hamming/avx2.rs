//! The plain loops, compiled for AVX2 and POPCNT: the compiler vectorises them.

use super::plain::{self, Counts, Hit, SameParity};

macro_rules! compiled_for_avx2 {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            /// See the function of the same name in [`super`].
            #[target_feature(enable = "avx2,popcnt")]
            pub(super) fn $name($($argument: $type),*) {
                plain::$name($($argument),*);
            }
        )*
    };
}

compiled_for_avx2! {
    tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>);
    triangle(values: &[u64], k: u32, hits: &mut Vec<Hit>);
    fold_tile(rows: &[u32], columns: &[u32], k: u32, hits: &mut Vec<Hit>);
    fold_triangle(folds: &[u32], n: usize, k: u32, hits: &mut Vec<Hit>);
    count(rows: SameParity<'_>, columns: SameParity<'_>, counts: &mut Counts);
}
