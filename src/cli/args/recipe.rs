//! The options of the recipe.

use clap::Args as ClapArgs;

use crate::{
    cli::value::{self, PresetChoice},
    feature::{DocumentShare, Shingling, ShortTexts, Weighting},
    simhash::{HashFunction, Recipe, TieRule},
    text::{Case, NormalForm, Split, Stem},
};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Recipe (what decides a fingerprint)")]
pub(crate) struct RecipeArgs {
    /// Features: words (single), words:N, chars:N [default: words:3]
    #[arg(long, global = true, value_name = "SHINGLES", value_delimiter = ',')]
    pub(crate) features: Vec<Shingling>,
    /// The weight of a feature: binary, tf, log-tf, tf-idf [default: log-tf]
    #[arg(long, global = true, value_name = "WEIGHTS", value_parser = value::choice::<Weighting>(), hide_possible_values = true, value_delimiter = ',')]
    pub(crate) weights: Vec<Weighting>,
    /// Words to leave out: none, english, or a FILE with one word on each line [default: none]
    #[arg(long, global = true, value_name = "WORDS")]
    pub(crate) stop_words: Option<String>,
    /// The hash of a feature: siphash13, siphash24, md5, md5-last, xxh3, fnv1a, murmur3, .. [default: siphash13]
    #[arg(long, global = true, value_name = "HASH", value_parser = value::choice::<HashFunction>(), hide_possible_values = true)]
    pub(crate) hash: Option<HashFunction>,
    /// The key of the hash, a 64-bit number [default: 0]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// The width of a fingerprint: 1 to 128 [default: 64]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=128), value_delimiter = ',')]
    pub(crate) bits: Vec<u32>,
    /// The value of a balanced bit: one, zero [default: one]
    #[arg(long, global = true, value_name = "BIT", value_parser = value::choice::<TieRule>(), hide_possible_values = true)]
    pub(crate) tie: Option<TieRule>,
    /// The Unicode form of the text: none, nfc, nfkc [default: nfc]
    #[arg(long, global = true, value_name = "FORM", value_parser = value::choice::<NormalForm>(), hide_possible_values = true)]
    pub(crate) norm: Option<NormalForm>,
    /// The case of the text: keep, lower [default: lower]
    #[arg(long, global = true, value_name = "CASE", value_parser = value::choice::<Case>(), hide_possible_values = true)]
    pub(crate) case: Option<Case>,
    /// How the text is cut: unicode, word, plain, python, ascii [default: unicode]
    #[arg(long, global = true, value_name = "RULE", value_parser = value::choice::<Split>(), hide_possible_values = true)]
    pub(crate) split: Option<Split>,
    /// Words cut to their stems, as pystemmer 3.0.0 does: none, english, german, french, .. [default: none]
    #[arg(long, global = true, value_name = "LANGUAGE", value_parser = value::choice::<Stem>(), hide_possible_values = true)]
    pub(crate) stem: Option<Stem>,
    /// A text shorter than a shingle: whole, empty, drop, drop:N [default: whole]
    #[arg(long, global = true, value_name = "WAY")]
    pub(crate) short_texts: Option<ShortTexts>,
    /// Use the document frequencies in this file, which fingerprint --document-frequencies wrote, for tf-idf
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) frequencies: Option<String>,
    /// Under tf-idf: ignore features in fewer documents than this [default: 1]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_df: Option<u32>,
    /// Under tf-idf: ignore features in more than this share of the documents [default: 1]
    #[arg(long, global = true, value_name = "SHARE")]
    pub(crate) max_df: Option<DocumentShare>,
    /// The recipe of another program; other options change parts of it; `list` prints all
    #[arg(long, global = true, value_name = "NAME", value_parser = value::presets(), hide_possible_values = true)]
    pub(crate) preset: Option<PresetChoice>,
    /// The whole recipe in one line, as every run prints it
    ///
    /// Such as "words:3 log-tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none"; parts with their
    /// default may be left out.
    #[arg(long, global = true, value_name = "LINE")]
    pub(crate) recipe: Option<Recipe>,
    /// The options of the recipe that the command line has, each with the number of its values.
    #[arg(skip)]
    pub(crate) given: Vec<(String, usize)>,
}

impl RecipeArgs {
    /// Whether an option of the recipe is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.given.is_empty() || self.recipe.is_some()
    }
}
