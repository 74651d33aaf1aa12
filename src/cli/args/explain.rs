//! The commands that explain: explain, triage.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::Args as ClapArgs;

use crate::cli::value;

/// Explain why a pair is, or is not, found; or, with one id, the bits of a document
///
/// Of a pair: the distance, the differing bits and who decided them, the damaged blocks, the permuted
/// tables in which it is a candidate, layouts that would find it, the features shared and not, and
/// edits, few but not surely the fewest, that would bring the two within k. Of one document: how firmly
/// each bit was decided, and whether its distances mislead. As csv or tsv: a row a table, a bit, or
/// (--bit) a feature.
#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct ExplainArgs {
    /// The id of one document
    pub(in crate::cli) a: String,
    /// The id of the other; left out, or where the only PATH stands here, A is explained alone
    pub(in crate::cli) b: Option<OsString>,
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Explain this bit, 0 the least significant: who pushed it, and the fewest features that flip it
    #[arg(long, value_name = "N", help_heading = "Explain")]
    pub(in crate::cli) bit: Option<u32>,
    /// Tell how likely each bit flips in a text at this cosine, 0 to 1
    #[arg(long, value_name = "C", help_heading = "Explain", default_value_t = 0.95, value_parser = value::unit)]
    pub(in crate::cli) cosine: f64,
    /// Name that many features, edits and sentences of a list
    #[arg(long, value_name = "N", help_heading = "Explain", default_value_t = 10)]
    pub(in crate::cli) top: usize,
}

impl ExplainArgs {
    /// One id and a PATH look like two ids: what is there to be read, and no PATH beside it, is the PATH.
    pub(in crate::cli) fn settle(&mut self) {
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
/// decided), dominated (by one feature) and boilerplate (made of what many documents say); value is a
/// count of features or bits, or a share of ||w||^2. With --health, rows about the corpus: measure, at,
/// value, note. With --disagreements, pairs near by fingerprint and not by text, and the reverse: kind,
/// a, b, distance, cosine, low and high (what the distance says of it), expected, chance.
#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct TriageArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Print the health of the corpus instead: bits set, balance, correlations, prefixes, features
    #[arg(long, help_heading = "Triage", conflicts_with = "disagreements")]
    pub(in crate::cli) health: bool,
    /// Print pairs whose fingerprints and texts disagree instead, the least likely first
    ///
    /// Near ones are looked for among the pairs within k; at most 20,000 of them are compared, evenly spread.
    /// Far ones are looked for among all pairs of texts with a cosine of 0.8 or more or, where there are too
    /// many texts for that, among those that a second seed brings within k.
    #[arg(long, help_heading = "Triage")]
    pub(in crate::cli) disagreements: bool,
    /// Fewer features than this are few [default: 20]
    #[arg(long, value_name = "N", help_heading = "Triage")]
    pub(in crate::cli) short: Option<u32>,
    /// One feature, or the common ones, have too much above this share of ||w||^2 [default: 0.5]
    #[arg(long, value_name = "SHARE", help_heading = "Triage", value_parser = value::unit)]
    pub(in crate::cli) share: Option<f64>,
    /// A feature in more than this share of the documents, and in ten, is common [default: 0.05]
    #[arg(long, value_name = "SHARE", help_heading = "Triage", value_parser = value::unit)]
    pub(in crate::cli) common: Option<f64>,
    /// List that many bits, buckets and pairs of a kind
    #[arg(long, value_name = "N", help_heading = "Triage", default_value_t = 10)]
    pub(in crate::cli) top: usize,
}
