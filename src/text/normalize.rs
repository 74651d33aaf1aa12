//! One text, one spelling: Unicode normal form, then case.
//!
//! Costs one pass; text already in the wanted form is borrowed, not copied.
//!
//! Also here: the stem of a word. `running` and `runs` become `run`, by the Snowball algorithms (crate
//! `snowball_stemmers_rs`).

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfkc};

use super::visible::is_unseen;
use crate::choice::choice;

choice! {
    /// The Unicode normal form that a text is converted to first.
    pub enum NormalForm, "normal form" {
        /// The text as it is.
        None = "none",
        /// Canonical composition: `e` + acute accent becomes one `é`.
        #[default]
        Nfc = "nfc",
        /// Compatibility composition: also `ﬁ` becomes `fi`, full-width `Ａ` becomes `A`.
        Nfkc = "nfkc",
        /// [`Nfc`](Self::Nfc) of the characters that can be seen: zero-width spaces, joiners, soft hyphens, byte order
        /// marks and marks of direction are left out.
        NfcVisible = "nfc-visible",
        /// [`Nfkc`](Self::Nfkc) of the characters that can be seen.
        NfkcVisible = "nfkc-visible",
    }
}

impl NormalForm {
    /// The text without the characters that this form leaves out.
    pub(super) fn kept(self, text: &str) -> Cow<'_, str> {
        let leaves_out = matches!(self, Self::NfcVisible | Self::NfkcVisible);
        if leaves_out && !text.is_ascii() && text.contains(is_unseen) {
            Cow::Owned(text.replace(is_unseen, ""))
        } else {
            Cow::Borrowed(text)
        }
    }
}

choice! {
    /// The treatment of upper and lower case.
    pub enum Case, "case" {
        /// Letters as they are.
        Keep = "keep",
        /// Unicode lower case, `str::to_lowercase`.
        #[default]
        Lower = "lower",
    }
}

/// The text in the wanted normal form and case, in that order.
pub fn normalize(text: &str, form: NormalForm, case: Case) -> Cow<'_, str> {
    if text.is_ascii() {
        // No normal form changes ASCII.
        return match case {
            Case::Keep => Cow::Borrowed(text),
            Case::Lower => Cow::Owned(text.to_ascii_lowercase()),
        };
    }
    let kept = form.kept(text);
    let formed = match form {
        NormalForm::None => kept,
        NormalForm::Nfc | NormalForm::NfcVisible if is_nfc(&kept) => kept,
        NormalForm::Nfkc | NormalForm::NfkcVisible if is_nfkc(&kept) => kept,
        NormalForm::Nfc | NormalForm::NfcVisible => Cow::Owned(kept.nfc().collect()),
        NormalForm::Nfkc | NormalForm::NfkcVisible => Cow::Owned(kept.nfkc().collect()),
    };
    match case {
        Case::Keep => formed,
        Case::Lower => Cow::Owned(formed.to_lowercase()),
    }
}

/// Whether the text has at most `most` bytes in a normal form. Needs no memory, and time only if the form could
/// make a text of this length too long.
pub fn fits_normalized(text: &str, form: NormalForm, most: usize) -> bool {
    // The largest growth in UTF-8, according to Unicode Standard Annex #15.
    let growth = match form {
        NormalForm::None => 1,
        NormalForm::Nfc | NormalForm::NfcVisible => 3,
        NormalForm::Nfkc | NormalForm::NfkcVisible => 11,
    };
    if text.len() <= most / growth || text.is_ascii() {
        return text.len() <= most;
    }
    let room = |room: usize, c: char| room.checked_sub(c.len_utf8());
    match form {
        NormalForm::None => false,
        NormalForm::Nfc | NormalForm::NfcVisible => text.nfc().try_fold(most, room).is_some(),
        NormalForm::Nfkc | NormalForm::NfkcVisible => text.nfkc().try_fold(most, room).is_some(),
    }
}

choice! {
    /// The language of the stemmer.
    pub enum Stem, "stemmer" {
        /// Words as they are.
        #[default]
        None = "none",
        /// Porter's second algorithm.
        English = "english",
        /// German.
        German = "german",
        /// French.
        French = "french",
        /// Spanish.
        Spanish = "spanish",
        /// Italian.
        Italian = "italian",
        /// Portuguese.
        Portuguese = "portuguese",
        /// Dutch.
        Dutch = "dutch",
        /// Swedish.
        Swedish = "swedish",
        /// Danish.
        Danish = "danish",
        /// Norwegian.
        Norwegian = "norwegian",
        /// Finnish.
        Finnish = "finnish",
        /// Russian.
        Russian = "russian",
        /// Turkish.
        Turkish = "turkish",
    }
}

/// A function that gives the stem of a word in lower case.
pub(super) type Stemmer = Box<dyn Fn(&str) -> Cow<'_, str>>;

/// The stemmer of this language.
#[cfg(feature = "stem")]
pub(super) fn stemmer(stem: Stem) -> Stemmer {
    use snowball_stemmers_rs::{Algorithm, Stemmer};
    let algorithm = match stem {
        Stem::None => return Box::new(|word| Cow::Borrowed(word)),
        Stem::English => Algorithm::English,
        Stem::German => Algorithm::German,
        Stem::French => Algorithm::French,
        Stem::Spanish => Algorithm::Spanish,
        Stem::Italian => Algorithm::Italian,
        Stem::Portuguese => Algorithm::Portuguese,
        Stem::Dutch => Algorithm::Dutch,
        Stem::Swedish => Algorithm::Swedish,
        Stem::Danish => Algorithm::Danish,
        Stem::Norwegian => Algorithm::Norwegian,
        Stem::Finnish => Algorithm::Finnish,
        Stem::Russian => Algorithm::Russian,
        Stem::Turkish => Algorithm::Turkish,
    };
    let stemmer = Stemmer::create(algorithm);
    Box::new(move |word| stemmer.stem(word))
}

/// Never called for a real stemmer: `Recipe::check` rejects stems in a build without them.
#[cfg(not(feature = "stem"))]
pub(super) fn stemmer(_: Stem) -> Stemmer {
    Box::new(|word| Cow::Borrowed(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_grows_is_measured_before_it_is_made() {
        let text = "\u{fdfa}".repeat(1000);
        assert_eq!(normalize(&text, NormalForm::Nfkc, Case::Keep).len(), 33_000);
        for (form, most, fits) in [
            (NormalForm::Nfkc, 33_000, true),
            (NormalForm::Nfkc, 32_999, false),
            (NormalForm::Nfc, 3000, true),
            (NormalForm::Nfc, 2999, false),
            (NormalForm::None, 2999, false),
        ] {
            assert_eq!(fits_normalized(&text, form, most), fits, "{form} {most}");
        }
    }

    #[test]
    fn two_spellings_of_an_accent_become_one() {
        let composed = normalize("CAF\u{c9}", NormalForm::Nfc, Case::Lower);
        let decomposed = normalize("cafe\u{301}", NormalForm::Nfc, Case::Lower);
        assert_eq!((composed.as_ref(), decomposed.as_ref()), ("café", "café"));
        assert_eq!(normalize("ﬁsh", NormalForm::Nfkc, Case::Keep), "fish");
    }

    #[test]
    fn what_cannot_be_seen_is_left_out() {
        let (hidden, plain) = (
            "\u{feff}in\u{200b}vi\u{ad}si\u{200d}b\u{2060}le\u{200f} e\u{200c}\u{301}",
            "invisible é",
        );
        for form in [NormalForm::NfcVisible, NormalForm::NfkcVisible] {
            assert_eq!(normalize(hidden, form, Case::Keep), plain, "{form}");
            assert!(matches!(normalize(plain, form, Case::Keep), Cow::Borrowed(_)));
        }
        assert_eq!(normalize(hidden, NormalForm::None, Case::Keep), hidden);
        assert_ne!(normalize(hidden, NormalForm::Nfkc, Case::Keep), plain);
        assert_eq!(normalize("ﬁ\u{200b}sh", NormalForm::NfkcVisible, Case::Keep), "fish");
    }

    #[test]
    fn the_last_sigma_of_a_word_is_a_final_one() {
        assert_eq!(normalize("ΟΔΥΣΣΕΥΣ", NormalForm::Nfc, Case::Lower), "οδυσσευς");
    }

    #[cfg(feature = "stem")]
    #[test]
    fn every_language_has_its_stems() {
        for (stem, word, expected) in [
            (Stem::None, "running", "running"),
            (Stem::English, "running", "run"),
            (Stem::German, "h\u{e4}user", "haus"),
            (Stem::French, "continuellement", "continuel"),
            (Stem::Russian, "\u{43a}\u{43d}\u{438}\u{433}\u{438}", "\u{43a}\u{43d}\u{438}\u{433}"),
        ] {
            assert_eq!(stemmer(stem)(word), expected, "{stem}");
        }
    }

    #[cfg(feature = "stem")]
    #[test]
    fn no_language_fails_on_any_word() {
        for &stem in Stem::ALL {
            for word in ["", "a", "\u{1f600}", "\u{301}", "i\u{307}", "\u{4f60}\u{597d}", "y'y's"] {
                stemmer(stem)(word);
            }
        }
    }
}
