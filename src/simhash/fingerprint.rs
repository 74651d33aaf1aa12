//! A fingerprint: 1 to 128 bits.
//!
//! There are two types for it. [`Fingerprint`] carries its width; rows, screens and explanations use it. [`Bits`]
//! is the bare word that the hot paths use: `u64` up to 64 bits, `u128` above, chosen once for an analysis.
//!
//! Also here: the record of 40 bytes that is stored for every document.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{BitAnd, BitOr, BitXor};

use crate::choice::ValueError;
use crate::kernel::hamming::Word;

/// The largest width of a fingerprint.
pub const MAX_WIDTH: u32 = 128;

/// A bare word of bits: tables sort it and the kernels compare it.
///
/// Implemented by `u64` and `u128`; bit 0 is the least significant.
pub trait Bits:
    Word
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Ord
    + std::hash::Hash
    + fmt::Debug
    + Send
    + Sync
    + 'static
{
    /// The number of bits in the word.
    const CAPACITY: u32;
    /// The low bits of `wide`.
    fn from_wide(wide: u128) -> Self;
    /// The word as the low bits of a `u128`.
    fn to_wide(self) -> u128;
    /// The number of bits in which the two words differ.
    #[inline]
    fn distance(self, other: Self) -> u32 {
        self.apart(other)
    }
    /// The 32 bits from bit `low` up.
    fn shifted(self, low: u32) -> u32;
    /// The exclusive or of its 32-bit pieces, each rotated by another amount so that equal pieces do not cancel.
    /// The folds of two words differ in no more bits than the words.
    fn folded(self) -> u32;
    /// The word without the `width` bits from bit `low` up; the bits above them move down.
    #[must_use]
    fn without(self, low: u32, width: u32) -> Self;
    /// The low 64 bits.
    #[inline]
    fn low(self) -> u64 {
        self.to_wide() as u64
    }
}

macro_rules! impl_bits {
    ($word:ty) => {
        impl Bits for $word {
            const CAPACITY: u32 = <$word>::BITS;

            #[inline]
            fn from_wide(wide: u128) -> Self {
                wide as Self
            }

            #[inline]
            fn to_wide(self) -> u128 {
                u128::from(self)
            }

            #[inline]
            fn shifted(self, low: u32) -> u32 {
                (self >> low) as u32
            }

            #[inline]
            fn folded(self) -> u32 {
                let pieces = (0..Self::CAPACITY).step_by(32).map(|low| self.shifted(low));
                (0..).zip(pieces).fold(0, |fold, (at, piece)| fold ^ piece.rotate_left(13 * at))
            }

            #[inline]
            fn without(self, low: u32, width: u32) -> Self {
                let below = self & (((1 as Self) << low) - 1);
                below | self.checked_shr(low + width).unwrap_or(0) << low
            }
        }
    };
}
impl_bits!(u64);
impl_bits!(u128);

/// A word whose low `width` bits are set: `mask(3)` is 0b111.
///
/// # Panics
/// If `width` exceeds 128.
pub fn mask(width: u32) -> u128 {
    assert!(width <= MAX_WIDTH, "a fingerprint has at most 128 bits");
    if width == MAX_WIDTH { u128::MAX } else { (1 << width) - 1 }
}

/// A fingerprint with its width. Bit 0 is the least significant; the text form is hex, highest digit first.
///
/// With two words and a width that is never 0, an `Option` of it takes 24 bytes. There is one for each document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    high: u64,
    low: u64,
    width: NonZeroU8,
}

impl Fingerprint {
    /// The low `width` bits of `bits`.
    ///
    /// # Panics
    /// If `width` is not 1 to 128.
    pub fn new(bits: u128, width: u32) -> Self {
        assert!(width <= MAX_WIDTH, "a fingerprint has 1 to 128 bits");
        let bits = bits & mask(width);
        let width = NonZeroU8::new(width as u8).expect("a fingerprint has 1 to 128 bits");
        Self { high: (bits >> 64) as u64, low: bits as u64, width }
    }

    /// The bits; the unused high bits are 0.
    pub fn bits(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// The width in bits: 1 to 128.
    pub fn width(self) -> u32 {
        u32::from(self.width.get())
    }

    /// Whether bit `index` (0 = least significant) is 1.
    pub fn bit(self, index: u32) -> bool {
        self.bits() >> index & 1 == 1
    }

    /// The number of bits in which the two differ. Both must have the same width.
    pub fn distance(self, other: Self) -> u32 {
        debug_assert_eq!(self.width, other.width, "distances are between equal widths");
        (self.bits() ^ other.bits()).count_ones()
    }

    /// Reads up to `ceil(width / 4)` hex digits whose value fits `width` bits, with or without `0x`. Zeros in front may
    /// be missing, as other programs print numbers.
    ///
    /// # Errors
    /// [`ValueError`] on no digits or too many, another character or a value too large.
    ///
    /// # Panics
    /// If `width` is not 1 to 128.
    pub fn parse(text: &str, width: u32) -> Result<Self, ValueError> {
        let digits = width.div_ceil(4) as usize;
        let number = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let text = number.unwrap_or(text);
        let n_chars = text.chars().count();
        if !(1..=digits).contains(&n_chars) {
            return Err(ValueError(format!(
                "it has {n_chars} characters, but {width} bits have at most {digits} hex digits; set the width with \
                 `bits`; decimal numbers need `fp-type`"
            )));
        }
        if let Some(bad) = text.chars().find(|c| !c.is_ascii_hexdigit()) {
            return Err(ValueError(format!("{bad:?} is not a hex digit")));
        }
        let bits = u128::from_str_radix(text, 16).expect("the digits are hex and fit 128 bits");
        if bits & !mask(width) != 0 {
            return Err(ValueError(format!(
                "the value has more than {width} bits; set the width with `bits`"
            )));
        }
        Ok(Self::new(bits, width))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.width().div_ceil(4) as usize;
        write!(f, "{:0digits$x}", self.bits())
    }
}

/// The record stored for every document: its fingerprint and the numbers behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FingerprintRecord {
    /// `None` if the text has no features, which is not the same as fingerprint 0.
    pub fingerprint: Option<Fingerprint>,
    /// Tokens after stop words.
    pub n_tokens: u32,
    /// Distinct features.
    pub n_features: u32,
    /// The number of bits whose votes balance exactly.
    pub n_ties: u8,
    /// Whether one feature weighs more than all other features together, or is the only one: the fingerprint is
    /// then the hash of that feature.
    pub dominated: bool,
    /// Whether the document could no longer be read for this record.
    pub unreadable: bool,
}

impl FingerprintRecord {
    /// A record of only a fingerprint, as read from a file of fingerprints.
    pub fn carried(fingerprint: Option<Fingerprint>) -> Self {
        Self { fingerprint, ..Self::default() }
    }

    /// The record of a document that could not be read.
    pub fn unreadable() -> Self {
        Self { unreadable: true, ..Self::carried(None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_padded_to_the_width_and_reads_back() {
        for (bits, width, text) in
            [(0, 1, "0"), (1, 1, "1"), (9, 4, "9"), (5, 90, "00000000000000000000005")]
        {
            let fingerprint = Fingerprint::new(bits, width);
            assert_eq!(fingerprint.to_string(), text);
            assert_eq!(Fingerprint::parse(text, width), Ok(fingerprint));
        }
        assert_eq!(Fingerprint::new(u128::MAX, 128).to_string(), "f".repeat(32));
        for short in ["ff", "0xff", "0X0ff", "00000000000000FF"] {
            assert_eq!(Fingerprint::parse(short, 64), Ok(Fingerprint::new(0xff, 64)), "{short}");
        }
    }

    #[test]
    fn what_is_not_a_fingerprint_is_refused() {
        let error = |text, width| Fingerprint::parse(text, width).unwrap_err().to_string();
        assert!(error("0ff", 8).starts_with("it has 3 characters, but 8 bits have at most 2 hex"));
        assert!(Fingerprint::parse("0x", 64).is_err() && Fingerprint::parse("", 64).is_err());
        assert_eq!(error("+f", 8), "'+' is not a hex digit");
        assert!(error("4", 2).starts_with("the value has more than 2 bits"));
    }

    #[test]
    fn the_readme_pair_of_simhash_cpp_differs_in_three_named_bits() {
        let a = Fingerprint::new(0x4bbb_22fb_bc29_d9b5, 64);
        let b = Fingerprint::new(0x4bbb_62fb_9c29_c9b5, 64);
        let differing: Vec<u32> = (0..64).filter(|&bit| a.bit(bit) != b.bit(bit)).collect();
        assert_eq!((a.distance(b), differing), (3, vec![12, 29, 46]));
    }
}
