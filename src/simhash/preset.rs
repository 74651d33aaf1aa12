//! The recipes of other programs, by name: the same texts get the same fingerprints, bit for bit.
//!
//! Each recipe was derived from the program's source and compared with the program's output; `tests/simhash` has
//! the vectors.

use super::Recipe;
use crate::choice::choice;

choice! {
    /// A recipe of another program.
    pub enum Preset, "preset" {
        /// The default recipe of simscope.
        #[default]
        Simscope = "simscope",
        /// The Python package `simhash` of 1e0ng, from a text.
        OneEZeroNg = "1e0ng",
        /// simhash-py of seomoz, used as in its documentation.
        SimhashPy = "simhash-py",
        /// gaoya, for Rust and Python.
        Gaoya = "gaoya",
        /// gaoya's shingles of characters.
        GaoyaChars = "gaoya-chars",
        /// The `SimHash` of text-dedup.
        TextDedup = "text-dedup",
        /// The function `simhash` of Daft.
        Daft = "daft",
        /// The crate `simhash`.
        SimhashCrate = "simhash-crate",
        /// Words between white space, and the low half of MD5.
        Checklist = "checklist",
        /// The lab that bands the fingerprints of arXiv abstracts.
        Lab = "lab",
    }
}

impl Preset {
    /// The recipe.
    pub fn recipe(self) -> Recipe {
        self.line().parse().unwrap_or_default()
    }

    /// The preset with this recipe, if there is one.
    pub fn of(recipe: &Recipe) -> Option<Self> {
        Self::ALL.iter().copied().find(|preset| preset.recipe() == *recipe)
    }

    /// The line of the recipe, without the fields that are at their default.
    pub fn line(self) -> &'static str {
        match self {
            Self::Simscope => "words:3 log-tf",
            Self::OneEZeroNg => "chars:4 tf md5-last tie=zero norm=none split=word short=empty",
            Self::SimhashPy => "words:4 tf md5 tie=zero norm=none split=word short=drop",
            Self::Gaoya => "words:3 tf gaoya tie=zero norm=none case=keep split=ascii short=drop",
            Self::GaoyaChars => {
                "chars:4 tf gaoya-str tie=zero norm=none case=lower split=plain short=drop"
            }
            Self::TextDedup => {
                "words:3 binary xxh3 seed=42 tie=zero norm=none split=word short=drop:5"
            }
            Self::Daft => "chars:3 tf xxh3 tie=zero norm=none case=keep split=plain short=drop",
            Self::SimhashCrate => {
                "words:1 tf siphash24-str tie=zero norm=none case=keep split=plain"
            }
            Self::Checklist => "words:1 tf md5-last norm=none split=python",
            Self::Lab => "words:1 tf-idf bits=90",
        }
    }

    /// The program, and its peculiarities.
    pub fn quirks(self) -> &'static str {
        match self {
            Self::Simscope => "The default. A text without features has no fingerprint.",
            Self::OneEZeroNg => {
                "Python, simhash 2.1.2 (1e0ng). All letters and digits are joined to one string, which is cut into \
                 runs of four. A text without letters and digits has the hash of the empty string. Its index has k = \
                 2."
            }
            Self::SimhashPy => {
                "Python, simhash-py 0.4.2 (seomoz). Empty words, as re.split makes them at the ends of a text, are left out. A text of fewer than four words has fingerprint 0 there and none \
                 here. Use --features words:1 for single words."
            }
            Self::Gaoya => {
                "Rust and Python, gaoya 0.2.2. All bits are inverted. A text of fewer than three words has \
                 fingerprint 0 there and none here. Its index returns distances below its bound, not up to it. Use \
                 --case lower for lower case, and --features words:1 for single words as Rust hashes them (Python \
                 adds their number)."
            }
            Self::GaoyaChars => {
                "Python, gaoya 0.2.2 with the analyzer char (4, 4) and lower case. Runs of four characters, white space \
                 and punctuation too. Bits are inverted. Texts of fewer than four characters have fingerprint 0 there. \
                 --case keep and --features chars:N for other settings."
            }
            Self::TextDedup => {
                "Python, text-dedup 0.4.1; 0.3.1 makes others. A text of fewer than five words has fingerprint 0 there, so such texts are \
                 duplicates of each other; here it has none. Chinese text is one word. The count of a feature is \
                 ignored."
            }
            Self::Daft => {
                "Python, daft 0.7, ngram_size 3. The text is used as it is, with upper case and white space. A text \
                 of fewer than three characters has fingerprint 0 there and none here. Use --features chars:N for \
                 other sizes."
            }
            Self::SimhashCrate => {
                "Rust, simhash 0.2 and 0.3. Features are single words with their punctuation. Its feature hasher-fnv \
                 gives other fingerprints."
            }
            Self::Checklist => {
                "Words between white space, as Python has it, are weighted by their counts, and hashed to 64 bits of MD5; a balanced bit \
                 is 1. A word that weighs more than all others together decides every bit."
            }
            Self::Lab => {
                "Words weighted by tf-idf, 90 bits for bands up to 5x18; a balanced bit is 1. The lab's report names \
                 neither its hash nor its rules for words, so these are simscope's: its fingerprints differ, and its \
                 counts of candidates and true pairs can be compared in size only."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_recipe() {
        for preset in Preset::ALL {
            assert!(preset.line().parse::<Recipe>().is_ok(), "{preset}");
        }
    }
}
