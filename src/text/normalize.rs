//! One text, one spelling: Unicode normal form, then case.
//!
//! Costs one pass; text already in the wanted form is borrowed, not copied.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

use crate::choice::choice;

choice! {
    /// The Unicode normal form a text is brought to before anything else.
    pub enum NormalForm, "normal form" {
        /// The text as it is.
        None = "none",
        /// Canonical composition: `e` + acute accent becomes one `é`.
        #[default]
        Nfc = "nfc",
        /// Compatibility composition: also `ﬁ` becomes `fi`, full-width `Ａ` becomes `A`.
        Nfkc = "nfkc",
    }
}

choice! {
    /// Whether upper and lower case are told apart.
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
        // Every form of ASCII is ASCII.
        return match case {
            Case::Keep => Cow::Borrowed(text),
            Case::Lower => Cow::Owned(text.to_ascii_lowercase()),
        };
    }
    let formed = match form {
        NormalForm::None => Cow::Borrowed(text),
        NormalForm::Nfc if is_nfc_quick(text.chars()) == IsNormalized::Yes => Cow::Borrowed(text),
        NormalForm::Nfc => Cow::Owned(text.nfc().collect()),
        NormalForm::Nfkc if is_nfkc_quick(text.chars()) == IsNormalized::Yes => Cow::Borrowed(text),
        NormalForm::Nfkc => Cow::Owned(text.nfkc().collect()),
    };
    match case {
        Case::Keep => formed,
        Case::Lower => Cow::Owned(formed.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_an_accent_become_one() {
        let composed = normalize("CAF\u{c9}", NormalForm::Nfc, Case::Lower);
        let decomposed = normalize("cafe\u{301}", NormalForm::Nfc, Case::Lower);
        assert_eq!((composed.as_ref(), decomposed.as_ref()), ("café", "café"));
        assert_eq!(normalize("ﬁsh", NormalForm::Nfkc, Case::Keep), "fish");
    }

    #[test]
    fn the_last_sigma_of_a_word_is_a_final_one() {
        assert_eq!(normalize("ΟΔΥΣΣΕΥΣ", NormalForm::Nfc, Case::Lower), "οδυσσευς");
    }
}
