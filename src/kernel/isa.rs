//! The instruction-set level: detected once, and used by every loop.
//!
//! ```text
//! level    instructions                                            loops
//! plain    what the program is compiled for                        plain code
//! avx2     AVX2 POPCNT                                             plain code, compiled for them
//! avx512   also AVX-512 F BW VBMI VBMI2 VPOPCNTDQ and BMI2         plain code too, or vectors of 512 bits
//! ```
//!
//! An [`Isa`] proves that the processor has the instructions of its level, because only [`Isa::at`] creates one.
//! So a call of a function that is compiled for these instructions is sound wherever an `Isa` of that level is
//! available:
//!
//! | function | compiled for | checked in |
//! |---|---|---|
//! | `hamming::avx2` | avx2 popcnt | `Isa::at(Avx2)` |
//! | `hamming::avx512`, `planes::*` | avx512f avx512vpopcntdq popcnt | `Isa::at(Avx512)` |
//! | `sip::vector::hash_each` | avx512f | `Isa::at(Avx512)` |
//! | `words::vector::pack` | avx512bw avx512vbmi avx512vbmi2 bmi2 popcnt | `Isa::at(Avx512)` |
//!
//! `SIMSCOPE_SIMD` selects a lower level than the processor has, to test or to compare.

use std::sync::OnceLock;

use crate::choice::choice;

/// The environment variable that selects a level.
pub(crate) const VARIABLE: &str = "SIMSCOPE_SIMD";

choice! {
    /// The instructions that the innermost loops use, from the fewest to the most.
    pub(crate) enum Level, "instruction-set level" {
        /// The instruction set that the program is compiled for.
        #[default]
        Plain = "plain",
        /// AVX2 and POPCNT.
        Avx2 = "avx2",
        /// AVX2 and POPCNT, and AVX-512 with its byte and population-count extensions, and BMI2.
        Avx512 = "avx512",
    }
}

/// The proof that this processor has the instructions of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Isa(Level);

impl Isa {
    /// The level that loops use: the level in `SIMSCOPE_SIMD`, or the highest that the processor has. Detected at
    /// the first call; later calls cost one load.
    ///
    /// A value that [`requested`] rejects is ignored.
    #[inline]
    pub(crate) fn get() -> Self {
        static ISA: OnceLock<Isa> = OnceLock::new();
        #[cfg(test)]
        if let Some(forced) = tests::forced() {
            return forced;
        }
        *ISA.get_or_init(|| requested().ok().flatten().unwrap_or_else(Self::highest))
    }

    /// The level.
    #[inline]
    pub(crate) fn level(self) -> Level {
        self.0
    }

    /// The proof for `level`; `None` if the processor lacks its instructions.
    pub(crate) fn at(level: Level) -> Option<Self> {
        let has_instructions = match level {
            Level::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => has_avx2(),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                has_avx2()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512vpopcntdq")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        };
        has_instructions.then_some(Self(level))
    }

    /// The levels of this processor, the lowest first.
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Self> {
        Level::ALL.iter().filter_map(|&level| Self::at(level))
    }

    fn highest() -> Self {
        Self::all().next_back().expect("every processor has the plain level")
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

/// The level in `SIMSCOPE_SIMD`; `None` if the variable is unset or empty.
///
/// # Errors
/// A sentence for the user, if the variable names no level, or a level that this processor lacks.
pub(crate) fn requested() -> Result<Option<Isa>, String> {
    let Some(text) = std::env::var_os(VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    parse(&text.to_string_lossy()).map(Some)
}

fn parse(text: &str) -> Result<Isa, String> {
    let level: Level = text.parse().map_err(|error| format!("{VARIABLE}: {error}"))?;
    Isa::at(level).ok_or_else(|| {
        let known: Vec<&str> = Isa::all().map(|isa| isa.level().name()).collect();
        let known = known.join(", ");
        format!("{VARIABLE}: this processor has no {level} instructions; choose one of {known}")
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static FORCED: Cell<Option<Isa>> = const { Cell::new(None) };
    }

    pub(super) fn forced() -> Option<Isa> {
        FORCED.get()
    }

    /// Calls `check` once for each level of this processor, which the loops on this thread then use. Prints the
    /// level if `check` fails or panics.
    pub(crate) fn at_every_level<E>(mut check: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        /// Resets the level after the check, even if it panics.
        struct Forced;
        impl Drop for Forced {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    eprintln!("at level {}", Isa::get().level());
                }
                FORCED.set(None);
            }
        }
        for isa in Isa::all() {
            FORCED.set(Some(isa));
            let _forced = Forced;
            check().inspect_err(|_| eprintln!("at level {}", isa.level()))?;
        }
        Ok(())
    }

    #[test]
    fn the_levels_of_this_processor_are_tested() {
        let all: Vec<&str> = Isa::all().map(|isa| isa.level().name()).collect();
        let missing = Level::ALL.iter().filter(|&&level| Isa::at(level).is_none());
        let missing: Vec<&str> = missing.map(|level| level.name()).collect();
        let usual = Isa::get().level();
        println!("level {usual}; loops are tested at {}", all.join(" "));
        println!("this processor lacks: {}", missing.join(" "));
        assert_eq!(all[0], "plain");
        let mut seen = Vec::new();
        at_every_level(|| -> Result<(), ()> {
            seen.push(Isa::get().level().name());
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, all);
    }

    #[test]
    fn a_request_names_a_level_of_this_processor() {
        assert_eq!(parse("plain").map(Isa::level), Ok(Level::Plain));
        let unknown = "SIMSCOPE_SIMD: instruction-set level \"sse9\" is unknown; choose one of plain, avx2, avx512";
        assert_eq!(parse("sse9"), Err(unknown.to_owned()));
        for &level in Level::ALL {
            match Isa::at(level) {
                Some(isa) => assert_eq!(parse(level.name()), Ok(isa)),
                None => assert!(parse(level.name()).unwrap_err().contains("this processor has no")),
            }
        }
    }
}
