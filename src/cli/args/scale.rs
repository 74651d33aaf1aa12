//! The commands for corpora that are kept in files or searched on several machines: index, cluster.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::cli::value::{self, Dialect};

/// Keep a corpus and its fingerprints in a file that opens fast
///
/// Give the file instead of a PATH to the explorer or to any command. Files of the corpus that have changed since
/// then are read again, and a note says so; `simscope index FILE` updates the file: it reads only new and changed
/// files.
#[derive(Debug, ClapArgs)]
pub(crate) struct IndexArgs {
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = value::retired("run simscope index again: it takes over what has not changed"))]
    pub(crate) watch: Option<String>,
    /// Folders and files to keep, or an index to update
    #[arg(value_name = "PATH", help_heading = "Arguments")]
    pub(crate) paths: Vec<PathBuf>,
}

/// What `simscope cluster` does.
#[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
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
#[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
#[derive(Debug, ClapArgs)]
pub(crate) struct OpenArgs {
    /// A folder of Parquet files with the columns id and fingerprint
    #[arg(long, value_name = "DIR")]
    pub(crate) fingerprints: PathBuf,
    /// A folder of Parquet files with the columns fp_a and fp_b
    #[arg(long, value_name = "DIR")]
    pub(crate) pairs: Option<PathBuf>,
}
