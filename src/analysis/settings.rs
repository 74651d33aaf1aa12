//! Everything an analysis depends on besides the corpus.

use std::str::FromStr;

use crate::{
    evaluate::{null, truth::TruthError},
    index::{Cut, Layout, LayoutError, default_layout},
    number::grouped,
    simhash::{Fingerprinter, Recipe, RecipeError, fingerprint::MAX_WIDTH},
};

/// The distance that counts as near unless another is asked for.
pub const DEFAULT_K: u32 = 3;

/// More pairs than this by chance alone are refused where pairs are kept, as in the explorer:
/// they are no near-duplicates, and at 12 bytes each would fill the memory. Where pairs are streamed
/// they deserve a warning.
pub const MOST_ACCIDENTAL_PAIRS: f64 = 5e7;
/// More than this are refused even where they are streamed: rows for a day, and nothing learnt.
pub const MOST_STREAMED_PAIRS: f64 = 1e10;

/// More pairs of different fingerprints than this are refused where they are kept, though chance has no
/// part in them: a million documents made from one form have more. While they are sorted they take 24
/// bytes each.
pub const MOST_KEPT_PAIRS: usize = 100_000_000;

/// The choice of the layout of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayoutChoice {
    /// The cheapest layout for the corpus's size and k, by the cost model.
    #[default]
    Auto,
    /// That many blocks, as many of them leading as guarantee k.
    Blocks(u32),
    /// Two levels: all but k of the outer blocks lead, then all but k of what the rest is cut into.
    TwoLevel {
        /// Blocks of the whole.
        outer: u32,
        /// Blocks of the rest.
        inner: u32,
    },
    /// Bands of bits, judged by recall instead of a guarantee.
    Bands {
        /// Number of bands.
        bands: u32,
        /// Bits in each.
        bits: u32,
    },
}

impl LayoutChoice {
    /// The tables for `n` distinct fingerprints of `width` bits.
    ///
    /// # Errors
    /// [`LayoutError`] if the choice cannot be cut or cannot guarantee k.
    pub fn layout(self, n: usize, width: u32, k: u32) -> Result<Layout, LayoutError> {
        match self {
            Self::Auto => {
                // Refuses a width that no fingerprint has; the default needs one that can be.
                Layout::blocks(width, 1, 1, Cut::default())?;
                Ok(default_layout(n, width, k))
            }
            Self::Blocks(m) => Layout::for_distance(width, m, k, Cut::default()),
            Self::TwoLevel { outer, inner } => {
                // Too few blocks are refused in the words for one level.
                Layout::for_distance(width, outer.min(inner), k, Cut::default())?;
                let (outer_key, inner_key) = (outer - k, inner - k);
                Layout::two_level(width, outer, outer_key, inner, inner_key, Cut::default())
            }
            Self::Bands { bands, bits } => Layout::bands(width, bands, bits),
        }
    }
}

/// Some text names no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write bands x bits, such as 5x12, blocks, such as 6, or two levels of blocks, such as 4/4"
)]
pub struct ParseLayoutError;

impl FromStr for LayoutChoice {
    type Err = ParseLayoutError;

    /// `5x12` bands, `6` blocks, `4/4` blocks in two levels, or `auto`; each number 1 to 128.
    fn from_str(text: &str) -> Result<Self, ParseLayoutError> {
        let number = |text: &str| {
            let number = text.trim().parse().ok();
            number.filter(|number| (1..=MAX_WIDTH).contains(number)).ok_or(ParseLayoutError)
        };
        if text == "auto" {
            return Ok(Self::Auto);
        }
        if let Some((bands, bits)) = text.split_once('x') {
            return Ok(Self::Bands { bands: number(bands)?, bits: number(bits)? });
        }
        match text.split_once('/') {
            Some((outer, inner)) => {
                Ok(Self::TwoLevel { outer: number(outer)?, inner: number(inner)? })
            }
            None => number(text).map(Self::Blocks),
        }
    }
}

/// The settings of one analysis.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The recipe: everything that decides a fingerprint.
    pub recipe: Recipe,
    /// The largest distance that counts as near.
    pub k: u32,
    /// The tables.
    pub layout: LayoutChoice,
}

impl Default for Settings {
    fn default() -> Self {
        Self { recipe: Recipe::default(), k: DEFAULT_K, layout: LayoutChoice::Auto }
    }
}

/// Settings that cannot be used together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The recipe contradicts itself.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The layout cannot be cut, or cannot guarantee k.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Chance alone would bring more pairs than anyone can look at, or a machine can hold.
    #[error(
        "distance {k} would bring about {pairs} pairs by chance alone; use a smaller `k` or more `bits`"
    )]
    TooManyPairs {
        /// The distance asked for.
        k: u32,
        /// Pairs to expect.
        pairs: String,
    },
    /// The corpus is so much alike that its pairs cannot be kept.
    #[error(
        "more than {most} pairs within {k} are too many to keep; use a smaller `k`, or `simscope groups`"
    )]
    TooMuchAlike {
        /// The distance asked for.
        k: u32,
        /// Pairs of different fingerprints that can be kept.
        most: String,
    },
    /// Cosines need texts, and there are none.
    #[error("the corpus holds no text to compare; evaluate one with text")]
    NoTexts,
    /// Too many texts meet for every true pair to be found in minutes.
    #[error(
        "every true pair would take more than ten minutes of a core to find; use a larger `tau`, or judged \
         pairs with `truth`"
    )]
    TruthOutOfReach,
    /// No judgement is of use.
    #[error(
        "no pair of these documents is judged to be true, so there is nothing to find; name a file that has some with `truth`"
    )]
    NothingJudged,
    /// There is more truth than can be kept.
    #[error(transparent)]
    Truth(TruthError),
    /// More candidates than cosines can be computed.
    #[error(
        "{layout} brings {candidates} candidates, too many to verify each; use wider bands or a smaller `k`"
    )]
    TooManyCandidates {
        /// The layout.
        layout: String,
        /// Its candidates.
        candidates: String,
    },
    /// A layout brings more pairs than can be listed.
    #[error("{layout} has more than {most} of these pairs; use wider bands or a smaller `k`")]
    TooManyToList {
        /// The layout.
        layout: String,
        /// The most that are listed.
        most: String,
    },
    /// The missed pairs are asked for and the true ones are not known.
    #[error(
        "the truth is sampled: not every true pair is known, so the missed ones cannot be listed; \
         use `truth` exact"
    )]
    SampledTruth,
    /// k is larger than any distance.
    #[error(
        "distance {k} is more than the {bits} bits of a fingerprint; use a smaller `k` or more `bits`"
    )]
    Distance {
        /// The distance asked for.
        k: u32,
        /// The width.
        bits: u32,
    },
}

impl Settings {
    /// Checks what can be checked before any document is read.
    ///
    /// # Errors
    /// [`SettingsError`] naming the setting to change.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.recipe.check()?;
        if self.k > self.recipe.bits {
            return Err(SettingsError::Distance { k: self.k, bits: self.recipe.bits });
        }
        self.layout(0)?;
        Ok(())
    }

    /// Pairs within k to expect among `n` distinct fingerprints by chance alone.
    pub fn accidental_pairs(&self, n: usize) -> f64 {
        null::expected_pairs(n as u64, self.k, self.recipe.bits)
    }

    /// Checks that chance alone does not drown what a search among `n` distinct fingerprints finds, and
    /// keeps.
    ///
    /// # Errors
    /// [`SettingsError::TooManyPairs`] above [`MOST_ACCIDENTAL_PAIRS`].
    pub fn check_pairs(&self, n: usize) -> Result<(), SettingsError> {
        self.check_accidental(n, MOST_ACCIDENTAL_PAIRS)
    }

    /// The same for a search that passes its pairs on.
    ///
    /// # Errors
    /// [`SettingsError::TooManyPairs`] above [`MOST_STREAMED_PAIRS`].
    pub fn check_stream(&self, n: usize) -> Result<(), SettingsError> {
        self.check_accidental(n, MOST_STREAMED_PAIRS)
    }

    fn check_accidental(&self, n: usize, most: f64) -> Result<(), SettingsError> {
        let pairs = self.accidental_pairs(n);
        if pairs <= most {
            return Ok(());
        }
        Err(SettingsError::TooManyPairs { k: self.k, pairs: grouped(pairs as u64) })
    }

    /// The tables for `n` distinct fingerprints.
    ///
    /// # Errors
    /// [`LayoutError`] if the choice cannot be cut or cannot guarantee k.
    pub fn layout(&self, n: usize) -> Result<Layout, LayoutError> {
        self.layout.layout(n, self.recipe.bits, self.k)
    }

    /// The recipe ready to use, without document frequencies.
    ///
    /// # Errors
    /// As [`Fingerprinter::before_frequencies`].
    pub fn fingerprinter(&self) -> Result<Fingerprinter, RecipeError> {
        Fingerprinter::before_frequencies(&self.recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_alike_says_what_to_do_in_a_status_row() {
        let most = grouped(MOST_KEPT_PAIRS as u64);
        let refusal = SettingsError::TooMuchAlike { k: 6, most };
        let expected = "more than 100,000,000 pairs within 6 are too many to keep; use a smaller `k`, or \
                        `simscope groups`";
        assert_eq!(refusal.to_string(), expected);
    }

    #[test]
    fn streams_are_refused_later_than_what_is_kept() {
        let settings = |k, layout| Settings { k, layout, ..Settings::default() };
        let bands = LayoutChoice::Bands { bands: 4, bits: 16 };
        // (k, layout, kept, streamed) among ten million
        let table = [
            (8, LayoutChoice::Auto, true, true),
            (14, LayoutChoice::Auto, false, true),
            (14, bands, false, true),
            (20, bands, false, false),
            (20, LayoutChoice::Auto, false, false),
        ];
        for (k, layout, kept, streamed) in table {
            let settings = settings(k, layout);
            let found = [settings.check_pairs(10_000_000), settings.check_stream(10_000_000)];
            assert_eq!(found.each_ref().map(Result::is_ok), [kept, streamed], "{k} {layout:?}");
            for refusal in found.into_iter().filter_map(Result::err) {
                let (text, start) =
                    (refusal.to_string(), format!("distance {k} would bring about "));
                assert!(text.starts_with(&start), "{text}");
                assert!(
                    text.ends_with("by chance alone; use a smaller `k` or more `bits`"),
                    "{text}"
                );
            }
        }
    }
}
