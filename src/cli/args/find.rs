//! The commands that find and explain near documents, in memory, in an index or on several machines: fingerprint, query,
//! pairs, groups, dedup, compare, explain, check, index, cluster.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};

use crate::analysis::dedup::Policy;
use crate::cli::value::{self, Dialect};
use crate::index::Linkage;
use crate::simhash::Recipe;

/// Print the fingerprint of each document
///
/// Rows: id, fingerprint (hex; null where the text has no features), features (the number of distinct
/// features; null where the corpus holds fingerprints instead of text).
#[derive(Debug, ClapArgs)]
pub(crate) struct FingerprintArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Write the document frequencies of the corpus instead, for --frequencies with other corpora
    ///
    /// Rows: feature (the low 64 bits of its hash), documents (that have it); the last row is all, the number of
    /// documents. With --frequencies FILE the tf-idf weights do not depend on the corpus that is read.
    #[arg(long)]
    pub(crate) document_frequencies: bool,
}

/// Print the near-duplicates of one document, text or fingerprint
///
/// Rows: id, distance; nearest first, then in corpus order. The document itself is left out, its
/// copies are not.
#[derive(Debug, ClapArgs)]
pub(crate) struct QueryArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) of: QueryOf,
}

#[derive(Debug, ClapArgs)]
#[group(required = true, multiple = false)]
#[command(next_help_heading = "Query")]
pub(crate) struct QueryOf {
    /// Find documents near this document of the corpus
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) id: Option<String>,
    /// Find documents near this text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Find documents near the text in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) text_file: Option<PathBuf>,
    /// Find documents near this fingerprint
    #[arg(long, value_name = "HEX")]
    pub(crate) fingerprint: Option<String>,
}

/// Print every near-duplicate pair
///
/// Rows: a, b, distance; a comes before b in the corpus. Nearest first, then by the first
/// documents of the two fingerprints, then in corpus order. --cosine adds the column cosine, --shared the column shared.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Pairs")]
pub(crate) struct PairsArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH", help_heading = "Arguments")]
    pub(crate) paths: Vec<PathBuf>,
    /// Add the exact cosine of the two texts, by the features of the recipe; null where a text is not known
    #[arg(long)]
    pub(crate) cosine: bool,
    /// Add the share of the text of b that a has, by 3-word shingles; null where a text is not known
    #[arg(long)]
    pub(crate) shared: bool,
    /// Print only pairs whose exact cosine is at least this, with it
    #[arg(long, value_name = "C", value_parser = value::unit)]
    pub(crate) min_cosine: Option<f64>,
    /// Write the first N pairs only, and count the others
    ///
    /// A thousand documents that are all near each other make 499,500 pairs. A warning gives the number of pairs
    /// that are left out, FILE.recipe keeps it, and the exit status is 1. With --table-field more pairs than that
    /// are an error.
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<u64>,
    /// One part of a search on many machines: the column that holds the number of a fingerprint's table
    ///
    /// The input is an Arrow stream of fingerprints and tables, each fingerprint once for each table, rows of equal
    /// keys in one part. Rows: the two fingerprints and their distance. See `simscope help cluster`.
    #[arg(long, value_name = "NAME")]
    pub(crate) table_field: Option<String>,
}

/// Print groups of near-duplicates, one row for each document
///
/// Rows: group, id, representative, distance. Groups are numbered from 0, the largest first;
/// the representative is a group's first document, and distance is to it.
#[derive(Debug, ClapArgs)]
pub(crate) struct GroupsArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The linkage of groups: single (a chain of near pairs), complete (every two are near) [default: single]
    #[arg(long, value_name = "LINKAGE", value_parser = value::choice::<Linkage>(), hide_possible_values = true)]
    #[arg(help_heading = "Groups")]
    pub(crate) linkage: Option<Linkage>,
    /// Print one row for each group instead: its size, its diameter and its weakest edge
    ///
    /// Rows: group, size (documents), distinct (fingerprints), diameter (the largest distance between
    /// two members; ">=N" where only a lower bound is known), weakest (the smallest k that keeps the
    /// group whole; null where all have one fingerprint), covered (documents within k of the representative),
    /// bridge (without its fingerprint the group falls apart; null if there is none),
    /// representative (the first document).
    #[arg(long, help_heading = "Groups")]
    pub(crate) summary: bool,
    /// List the documents that are in no group, too, each as a group of one
    #[arg(long, conflicts_with = "summary", help_heading = "Groups")]
    pub(crate) all: bool,
    /// Print one row for every two folders instead: how much of one has a near-duplicate in the other
    ///
    /// Rows: folder, documents (in it), other, near (documents of folder that share a group with one of other), share
    /// (near of documents; 1: folder is contained in other), the largest share first. A file of several documents
    /// counts as a folder.
    #[arg(long, conflicts_with_all = ["summary", "all"], help_heading = "Groups")]
    pub(crate) by_folder: bool,
}

/// Decide which near-duplicates to drop, and write the corpus without them
///
/// Rows: one for each dropped document: id, file, line, then the document that is kept for it: kept,
/// kept_file, kept_line; their distance, their exact cosine, the reason (equal text, equal
/// fingerprint or near), and the share of its text that the kept one has. Each dropped document has a kept one within -k. The input is not changed.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Dedup")]
pub(crate) struct DedupArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH", help_heading = "Arguments")]
    pub(crate) paths: Vec<PathBuf>,
    /// Which of several documents is kept: preferences, the first one that decides is used [default: first]
    ///
    /// first or last in the corpus, longest or shortest text, central (most of its group within k),
    /// largest:FIELD or smallest:FIELD (newest:FIELD and oldest:FIELD mean the same for dates such as
    /// 2024-12-31), source:NAME (its file has NAME in its path). Separate several by commas:
    /// source:clean,longest.
    #[arg(long, value_name = "POLICY")]
    pub(crate) keep: Option<Policy>,
    /// The linkage of groups: single (a chain of near pairs), complete (every two are near) [default: single]
    ///
    /// In a chain more than one document can be kept, so that each dropped one is within -k of a kept one. In a
    /// complete group one is kept, but documents of two groups can still be near.
    #[arg(long, value_name = "LINKAGE", value_parser = value::choice::<Linkage>(), hide_possible_values = true)]
    pub(crate) linkage: Option<Linkage>,
    /// Write the rows of the dropped documents to this file, as -o does
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub(crate) dropped: Option<PathBuf>,
    /// Write the corpus without the dropped documents to this file, in its own format; or the kept files to this DIR/
    ///
    /// Lines, rows, items and messages are copied byte for byte. A name that ends in .gz or .zst is compressed. Where a
    /// document is a file, or the inputs differ in format, a file has a list: id, file and line as JSON. A name that
    /// ends in / is a new folder for copies of the kept files, at the places that they have in their inputs.
    #[arg(long, value_name = "FILE")]
    pub(crate) kept: Option<PathBuf>,
    /// With --reference, also drop what repeats among the documents that the reference does not have
    #[arg(long, requires = "reference")]
    pub(crate) also_within: bool,
    /// Put hard links into the folder of --kept instead of copies
    #[arg(long, requires = "kept")]
    pub(crate) link: bool,
    /// Documents that are kept or dropped by hand: marks.jsonl, as the explorer writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) marks: Option<PathBuf>,
    /// Drop a document only for one that has this share of its text [default: 0.5]
    ///
    /// The share of the 3-word shingles of the dropped text that the kept one has; the recipe has no say in it.
    /// Other documents are spared: they stay. 0 switches the check off. A share given here spares documents
    /// whose text is not known; by default they are dropped, and counted as not checked.
    #[arg(long, value_name = "SHARE", value_parser = value::unit)]
    pub(crate) min_shared: Option<f64>,
    /// Write to this file the documents to look at: the spared ones, and those dropped without a check
    ///
    /// The rows have the columns of the dropped documents; the kept one is the document that it would be dropped for.
    #[arg(long, value_name = "FILE")]
    pub(crate) doubtful: Option<PathBuf>,
}

/// Print the pairs that only one of two recipes finds
///
/// Rows: a, b, distance, other, change. A pair is gained if it is within -k under the recipe that the options
/// name and not within --against-k under the recipe of --against; a pair is lost in the opposite case. Distance is
/// under the first recipe, other under the second; null where a document has no features. Gained pairs come first,
/// each kind nearest first.
#[derive(Debug, ClapArgs)]
pub(crate) struct CompareArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The other recipe in one line, such as "words:3 tf-idf bits=128"
    #[arg(long, value_name = "LINE", help_heading = "Compare", required = true)]
    pub(crate) against: Recipe,
    /// The largest distance that counts as near under that recipe [default: that of -k]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=128), help_heading = "Compare")]
    pub(crate) against_k: Option<u32>,
}

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
    /// Tell by the exit status whether the pair is near: 0 within k, 3 not
    #[arg(long, help_heading = "Explain")]
    pub(crate) exit_code: bool,
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
/// count of features or bits, or a share of ||w||^2. With --disagreements, pairs near by fingerprint and not
/// by text, and the reverse: kind, a, b, distance, cosine, low and high (the cosines that fit the distance),
/// expected, chance.
#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print pairs whose fingerprints and texts disagree instead, the least likely first
    ///
    /// Near pairs are taken from the pairs within k; at most 20,000 of them are compared, evenly spread.
    /// Far pairs are taken from all pairs of texts with a cosine of 0.8 or more; if there are too many
    /// texts for that, they are not looked for, and a note says so.
    #[arg(long, help_heading = "Check")]
    pub(crate) disagreements: bool,
    /// The most pairs of a kind to list
    #[arg(long, value_name = "N", help_heading = "Check", default_value_t = 10)]
    pub(crate) top: usize,
}

/// Keep a corpus and its fingerprints in a file, so that it is not read again
///
/// The file, PATH.idx unless -o names another, is used whenever PATH is named, and can be named itself. If any file
/// of the corpus has changed since then, all are read, and a warning says so; `simscope index PATH` makes it again.
#[derive(Debug, ClapArgs)]
pub(crate) struct IndexArgs {
    /// Folders and files to keep, or an index to make again
    #[arg(value_name = "PATH", help_heading = "Arguments")]
    pub(crate) paths: Vec<PathBuf>,
}

/// The deeds of `simscope cluster`.
#[derive(Debug, Subcommand)]
pub(crate) enum ClusterAction {
    /// Print the price of finding all near pairs on many machines
    ///
    /// Rows: one for each number of blocks: tables, key_bits (of the shortest key), rows and bytes sent between
    /// machines, rows_a_key (fingerprints that share a key), comparisons, core_hours, chance_pairs (near pairs that
    /// chance makes), and in jsonl the masks of the tables as int64. For random bits; texts share keys more often.
    Plan {
        /// The number of distinct fingerprints, such as 2e9
        #[arg(long, value_name = "N", value_parser = value::quantity)]
        documents: f64,
    },
    /// Print a query that finds all near pairs in a database
    ///
    /// The query reads a table docs with the columns id and fp, the fingerprint as a whole number of 64 bits. It is
    /// exact. --blocks decides the number of tables.
    Sql {
        /// The database: spark, duckdb, clickhouse
        #[arg(long, value_name = "NAME", value_parser = value::choice::<Dialect>(), hide_possible_values = true, default_value = "spark", hide_default_value = true)]
        dialect: Dialect,
    },
    Open(OpenArgs),
}

/// Open the explorer on the fingerprints and pairs that a cluster made
///
/// Recipe and k are those of the file _simscope.json beside the folders. The pairs are compared with those of the
/// fingerprints before the explorer opens.
#[derive(Debug, ClapArgs)]
pub(crate) struct OpenArgs {
    /// A folder of Parquet files with the columns id and fingerprint
    #[arg(long, value_name = "DIR")]
    pub(crate) fingerprints: PathBuf,
    /// A folder of Parquet files with the columns fp_a and fp_b
    #[arg(long, value_name = "DIR")]
    pub(crate) pairs: Option<PathBuf>,
}
