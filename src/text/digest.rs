//! The digest of a text: 128 bits that depend on nothing but the text.
//!
//! The label of a pair is stored under the digests of its two texts, so that it stays valid under another recipe,
//! in another file and next year. The digest is taken of the text as a person reads it: NFC, lower case, each run
//! of white space as one space, no space at the ends. Texts with equal digests are one text, whatever the recipe
//! makes of them. This form and the hash, SipHash-1-3-128 under the key (0, 0), never change.
//!
//! Costs one pass. Among a billion texts, two different ones have equal digests with a probability of less than 1
//! in 10^20.

use std::fmt;
use std::hash::Hasher as _;
use std::str::FromStr;

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use super::normalize::normalize;
use super::{Case, NormalForm};
use crate::choice::ValueError;

/// The digest of a text. Written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

/// The digest of `text` as labels use it: NFC and lower case.
pub fn digest(text: &str) -> Digest {
    digest_as(text, NormalForm::Nfc, Case::Lower)
}

/// The digest of `text` in this normal form and case, with each run of white space as one space. Texts that are
/// equal after a recipe's normalisation have equal digests under its form and case. Labels never store this
/// digest, only that of [`digest`].
pub fn digest_as(text: &str, form: NormalForm, case: Case) -> Digest {
    let text = normalize(text, form, case);
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    let mut words = text.split_whitespace();
    if let Some(first) = words.next() {
        hasher.write(first.as_bytes());
    }
    for word in words {
        hasher.write(b" ");
        hasher.write(word.as_bytes());
    }
    Digest(hasher.finish128().as_u128())
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = is_hex.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        let no_digest =
            || format!("{text:?} is not a digest of a text; a digest has 32 hexadecimal digits");
        bits.map(Self).ok_or_else(|| ValueError(no_digest()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_of_the_text_as_it_is_read() {
        let name = digest("Caf\u{e9} au lait");
        for same in ["caf\u{e9} au lait", "  CAFE\u{301}\n\tau   lait\u{3000}"] {
            assert_eq!(digest(same), name, "{same:?}");
        }
        for other in ["", "caf\u{e9} aulait", "caf\u{e9} au lai", "cafe au lait"] {
            assert_ne!(digest(other), name, "{other:?}");
        }
        assert_eq!(digest(" \n"), digest(""));
    }

    #[test]
    fn texts_are_compared_as_the_recipe_normalises_them() {
        let equal =
            |form, case| digest_as("\u{fb01}sh", form, case) == digest_as("FISH", form, case);
        assert!(equal(NormalForm::Nfkc, Case::Lower));
        assert!(!equal(NormalForm::Nfc, Case::Lower) && !equal(NormalForm::Nfkc, Case::Keep));
        assert_eq!(digest_as(" a  b", NormalForm::None, Case::Keep), digest("a b"));
    }

    #[test]
    fn names_never_change() {
        // Stored labels depend on these digests.
        let hasher = SipHasher13::new_with_keys(0, 0);
        assert_eq!(digest("The  tide").0, hasher.hash(b"the tide").as_u128());
        assert_eq!(digest("The  tide").to_string(), "882f8a5afa56022be8ffe5e951ce4656");
    }

    #[test]
    fn what_is_written_parses_back() {
        let name = digest("tide");
        assert_eq!(name.to_string().parse(), Ok(name));
        for wrong in ["", "12", "+0000000000000000000000000000000", &"g".repeat(32)] {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }
}
