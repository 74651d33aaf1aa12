//! The stem of a word: `running` and `runs` become `run`, by the Snowball algorithms (crate `snowball_stemmers_rs`).

use std::borrow::Cow;

use crate::choice::choice;

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

#[cfg(all(test, feature = "stem"))]
mod tests {
    use super::*;

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

    #[test]
    fn no_language_fails_on_any_word() {
        for &stem in Stem::ALL {
            for word in ["", "a", "\u{1f600}", "\u{301}", "i\u{307}", "\u{4f60}\u{597d}", "y'y's"] {
                stemmer(stem)(word);
            }
        }
    }
}
