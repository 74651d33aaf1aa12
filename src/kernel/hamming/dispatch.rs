//! Calls the loop for the level of the processor.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls of functions for instructions that an `Isa` proves")
)]

#[cfg(target_arch = "x86_64")]
use super::{
    super::isa::{Isa, Level},
    vector,
};
use super::{Counts, Hit, SameParity, plain};

macro_rules! dispatch {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            /// See the function of the same name in [`super`].
            #[inline]
            pub(super) fn $name($($argument: $type),*) {
                #[cfg(target_arch = "x86_64")]
                match Isa::get().level() {
                    Level::Plain => {}
                    // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
                    Level::Avx2 => return unsafe { avx2::$name($($argument),*) },
                    // SAFETY: an `Isa` of this level exists only where the processor has the instructions.
                    Level::Avx512 => return unsafe { vector::$name($($argument),*) },
                }
                plain::$name($($argument),*);
            }
        )*

        /// The plain loops, compiled for AVX2 and POPCNT: the compiler vectorises them.
        #[cfg(target_arch = "x86_64")]
        mod avx2 {
            use super::{Counts, Hit, SameParity, plain};

            $(
                /// See the function of the same name in [`super::super`].
                #[target_feature(enable = "avx2,popcnt")]
                pub(super) fn $name($($argument: $type),*) {
                    plain::$name($($argument),*);
                }
            )*
        }
    };
}

dispatch! {
    tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>);
    triangle(values: &[u64], k: u32, hits: &mut Vec<Hit>);
    fold_tile(rows: &[u32], columns: &[u32], k: u32, hits: &mut Vec<Hit>);
    fold_triangle(folds: &[u32], n: usize, k: u32, hits: &mut Vec<Hit>);
    count(rows: SameParity<'_>, columns: SameParity<'_>, counts: &mut Counts);
}
