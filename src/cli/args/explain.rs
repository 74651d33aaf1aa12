//! The commands that explain: explain, check.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::Args as ClapArgs;

use crate::cli::value;

/// Explain why a pair is, or is not, found; or, with one id, the bits of a document
///
/// For a pair: the distance, the differing bits and the features that decided them, the damaged blocks, the permuted
/// tables in which it is a candidate, layouts that would find it, the shared and the other features, and
/// edits (few, but perhaps not the fewest) that would bring the two within k. For one document: how firmly
/// each bit was decided, and whether its distances mislead. As csv or tsv: one row for each table, each bit, or
/// (--bit) each feature.
#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainArgs {
    /// The id of one document
    pub(crate) a: String,
    /// The id of the other; A is explained alone if it is left out or is the only PATH
    pub(crate) b: Option<OsString>,
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Explain this bit, 0 the least significant: the features that decided it, and the fewest that flip it
    #[arg(long, value_name = "N", help_heading = "Explain")]
    pub(crate) bit: Option<u32>,
    /// Print how likely each bit flips in a text at this cosine, 0 to 1
    #[arg(long, value_name = "C", help_heading = "Explain", default_value_t = 0.95, value_parser = value::unit)]
    pub(crate) cosine: f64,
    /// The most features, edits and sentences of a list
    #[arg(long, value_name = "N", help_heading = "Explain", default_value_t = 10)]
    pub(crate) top: usize,
}

impl ExplainArgs {
    /// One id and a PATH look like two ids. The second is a PATH if it exists and no other PATH is given.
    pub(crate) fn settle(&mut self) {
        let is_path = |b: &OsString| b == "-" || Path::new(b).exists();
        if self.paths.is_empty()
            && let Some(path) = self.b.take_if(|b| is_path(b))
        {
            self.paths.push(path.into());
        }
    }
}

/// Print the documents whose distances mislead, and why
///
/// Rows: id, flag, value, sentence. Flags are empty, short (few features), tied (bits that the tie rule
/// decided), dominated (by one feature) and boilerplate (made of features that many documents have); value is a
/// count of features or bits, or a share of ||w||^2. With --health, rows about the corpus: measure, at,
/// value, note. With --disagreements, pairs near by fingerprint and not by text, and the reverse: kind,
/// a, b, distance, cosine, low and high (the cosines that fit the distance), expected, chance.
#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print the health of the corpus instead: bits set, balance, correlations, prefixes, features
    #[arg(long, help_heading = "Check", conflicts_with = "disagreements")]
    pub(crate) health: bool,
    /// Print pairs whose fingerprints and texts disagree instead, the least likely first
    ///
    /// Near pairs are taken from the pairs within k; at most 20,000 of them are compared, evenly spread.
    /// Far pairs are taken from all pairs of texts with a cosine of 0.8 or more or, if there are too
    /// many texts for that, from the pairs within k under a second seed.
    #[arg(long, help_heading = "Check")]
    pub(crate) disagreements: bool,
    /// Flag documents with fewer features than this as short [default: 20]
    #[arg(long, value_name = "N", help_heading = "Check")]
    pub(crate) short: Option<u32>,
    /// Flag documents where one feature, or the common features, have more than this share of ||w||^2 [default: 0.5]
    #[arg(long, value_name = "SHARE", help_heading = "Check", value_parser = value::unit)]
    pub(crate) share: Option<f64>,
    /// A feature is common in more than this share of the documents, and at least ten [default: 0.05]
    #[arg(long, value_name = "SHARE", help_heading = "Check", value_parser = value::unit)]
    pub(crate) common: Option<f64>,
    /// The most bits, buckets and pairs of a kind to list
    #[arg(long, value_name = "N", help_heading = "Check", default_value_t = 10)]
    pub(crate) top: usize,
}
