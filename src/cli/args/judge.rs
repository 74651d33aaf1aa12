//! The commands that use the labels of people: tune, labels, report.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::value;

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Judged pairs")]
pub(crate) struct JudgedArgs {
    /// Labels given by eye; the explorer keeps them as labels.jsonl in the user's data folder
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Take the judgements of this file instead: columns id1, id2, label
    #[arg(long, value_name = "FILE", conflicts_with = "labels")]
    pub(crate) truth: Option<PathBuf>,
    /// The truth names every near-duplicate: all other pairs are no near-duplicates
    #[arg(long, requires = "truth")]
    pub(crate) complete_truth: bool,
    /// The precision that the precise k must have for sure [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = value::share)]
    pub(crate) target: Option<f64>,
    /// The share of the pairs within the precise k that chance may explain [default: 0.05]
    #[arg(long, value_name = "SHARE", value_parser = value::share)]
    pub(crate) by_chance: Option<f64>,
    #[arg(long, hide = true, value_parser = value::looks)]
    pub(crate) looks: Option<String>,
}

impl JudgedArgs {
    /// Whether any option on judged pairs is given.
    pub(crate) fn is_asked(&self) -> bool {
        self.labels.is_some() || self.truth.is_some()
    }
}

/// Print the effect of each k on the corpus, and which k to take
///
/// Rows: one for each k from 0 to the bits of a fingerprint. Pairs at exactly k and within k, each with
/// its 95 % interval, and the pairs of distinct fingerprints expected by chance alone; the method, exact or
/// sampled; groups, the
/// largest, documents in groups, and those that dedup drops (known at -k and at the advised k; dropped_most,
/// the last column, says how many they can be at most at any k to which pairs were searched); whether the tables for -k guarantee this k; pairs of different texts
/// within k; their precision, the share of texts that are alike (--alike), with its interval; the recall,
/// the share of all true pairs that k finds, and how it is known. On standard error: the precise k, the
/// balanced k, and what each costs.
///
/// The precise k is the largest whose precision is surely --target or more and of whose pairs chance
/// explains at most --by-chance. The balanced k has the largest F1. With --advice one row:
/// precise_k, balanced_k, tau, target, basis (exact, sampled, judged or none), sentence, then of the precise k:
/// k_low and k_high over five seeds of the hash, drops_at_k, largest_at_k (group), alike_at_k (share of the pairs).
///
/// With --layouts, one row for each layout of tables that could be built for -k: the distance that it
/// guarantees, tables, bits of its shortest and longest key, bytes, candidates counted from bucket
/// sizes and predicted for random fingerprints, their ratio, the key bits that would explain it, and
/// the size of the fullest bucket.
///
/// With --labels or --truth the rows are about the judged pairs instead, one row for each k
/// as far as pairs are kept: pairs at k and within k, pairs of equal texts, judgements of each
/// kind, the precision of different texts at k and within k with 95 % intervals, its one-sided bound
/// (the bounds of all k hold together), the recall among near-duplicates as far as pairs are kept, and
/// the verdict on the k.
#[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
#[derive(Debug, ClapArgs)]
pub(crate) struct TuneArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Compare layouts of tables instead of thresholds
    #[arg(long)]
    pub(crate) layouts: bool,
    /// Write one row: the precise k, the balanced k, and why
    #[arg(long, conflicts_with = "layouts")]
    pub(crate) advice: bool,
    #[command(flatten)]
    pub(crate) judged: JudgedArgs,
}

/// Print the labels that were given by eye, or import labels
///
/// Rows: id1, id2, label (yes, no, unsure), source; as csv they are a truth file. With --import the
/// judgements of a truth file become labels of the texts that the corpus has under these ids; a pair
/// that has a label keeps it.
#[derive(Debug, ClapArgs)]
pub(crate) struct LabelsArgs {
    /// Folders and files to read, with --import
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The file of labels [default: labels.jsonl in the user's data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Add the judgements of this file: columns id1, id2, label
    #[arg(long, value_name = "FILE")]
    pub(crate) import: Option<PathBuf>,
}

/// Write a report for readers: one page, HTML or Markdown, that needs no network
///
/// It shows the input and how to make the same report again; the distances of all pairs; the effect of each k,
/// and the k that the distances suggest; the groups, the largest with their members; some pairs at each
/// distance, their texts side by side; documents that mislead. --labels or --truth adds the precision of each k
/// by judged pairs, as tune prints it. The ending of -o FILE, .html or .md, decides the format, or -f html,
/// -f md. The same input makes the same bytes.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) judged: JudgedArgs,
}
