//! The commands that measure quality, by cosines or by the labels of people: tune, sweep, labels, report.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::analysis::{Alike, AlikeBy, PairOutcome, TruthChoice};
use crate::cli::value;
use crate::feature::Shingling;

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Alike")]
pub(crate) struct AlikeArgs {
    /// The texts that are alike, and so true pairs: set, tf-idf, recipe [default: set]
    ///
    /// set takes the cosine of sets of shingles, whatever the recipe; tf-idf that of single words weighted by tf-idf,
    /// as the lab does; recipe that of the recipe's own features and weights.
    #[arg(long, global = true, value_name = "HOW", value_parser = value::choice::<AlikeBy>(), hide_possible_values = true)]
    pub(crate) alike: Option<AlikeBy>,
    /// The least cosine of texts that are alike: above 0, at most 1 [default: 0.8]
    #[arg(long, global = true, value_name = "T", value_parser = value::tau)]
    pub(crate) tau: Option<f64>,
    /// The features of these texts [default: words:3; with tf-idf words:1, with recipe its own]
    #[arg(long, global = true, value_name = "SHINGLES")]
    pub(crate) truth_features: Option<Shingling>,
}

impl AlikeArgs {
    /// The definition that the options give.
    pub(crate) fn definition(&self) -> Alike {
        let usual = Alike::default();
        Alike {
            by: self.alike.unwrap_or(usual.by),
            features: self.truth_features,
            tau: self.tau.unwrap_or(usual.tau),
        }
    }

    /// Whether any option is given.
    pub(crate) fn is_given(&self) -> bool {
        self.alike.is_some() || self.tau.is_some() || self.truth_features.is_some()
    }
}

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
/// the size of the fullest bucket. With --measure layouts are measured by exact cosines instead: a pair of
/// documents is true if its texts are alike (--alike); a layout's candidates are the pairs that share a
/// band, or for blocks the pairs within the distance. Rows: layout, bits, candidates, predicted, tp, fp,
/// fn, precision, recall, f1, recall_method, seconds, recall_low, recall_high, recall_distinct (each text
/// once, so without its copies), skew (candidates over predicted), index_seconds, verify_seconds. Give
/// --bands and --blocks several layouts, separated by commas; without any: 3x12, 3x18, 3x22, 4x18, 5x18
/// and the usual blocks at -k.
///
/// With --labels or --truth the rows are about the judged pairs instead, one row for each k
/// as far as pairs are kept: pairs at k and within k, pairs of equal texts, judgements of each
/// kind, the precision of different texts at k and within k with 95 % intervals, its one-sided bound
/// (the bounds of all k hold together), the recall among near-duplicates as far as pairs are kept, and
/// the verdict on the k.
#[derive(Debug, ClapArgs)]
pub(crate) struct TuneArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Compare layouts of tables instead of thresholds
    #[arg(long, conflicts_with_all = ["advice", "labels", "truth"])]
    pub(crate) layouts: bool,
    /// Measure the layouts by exact cosines; HOW true pairs are found: auto, exact, sampled [default: auto]
    ///
    /// Auto is exact if that takes minutes at most. Sampled draws 10,000 texts at random, finds all true pairs of
    /// these texts, and estimates recall_distinct from them, with a 95 % interval; the recall of documents stays
    /// empty, since a few texts with many copies may decide it. A corpus with fewer texts is evaluated exactly.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto", requires = "layouts", value_parser = value::choice::<TruthChoice>(), hide_possible_values = true)]
    pub(crate) measure: Option<TruthChoice>,
    /// Write the pairs behind the counts of --measure instead: missed, false or true
    ///
    /// A row is a pair of documents with its distance and exact cosine, the highest cosine first, layout by
    /// layout. Missed pairs are true but no candidates, false pairs are candidates but not true. The number of
    /// rows is that of fn, fp or tp. Missed pairs need an exact truth.
    #[arg(long, value_name = "WHICH", requires = "measure", value_parser = value::choice::<PairOutcome>(), hide_possible_values = true)]
    pub(crate) pairs: Option<PairOutcome>,
    /// Write one row: the precise k, the balanced k, and why
    #[arg(long)]
    pub(crate) advice: bool,
    #[command(flatten)]
    pub(crate) judged: JudgedArgs,
}

/// Evaluate recipes by the true pairs: precision and recall of each at its best k
///
/// Every shingling with every weighting at every width, each at the k with the largest F1. Give
/// --features, --weights and --bits several values, separated by commas; without any: words:1, words:2,
/// words:3, words:4, chars:5; binary, tf, log-tf, tf-idf; 32, 64, 128. A pair of texts is true if they are
/// alike (--alike), which no recipe decides; or if a file of judgements says so.
/// Texts of equal features count once, since every recipe finds copies.
/// Rows: recipe (what --recipe takes), k, pairs (of documents within k), precision, recall, f1,
/// recall_method (exact; judged: a share of the judged pairs, with 95 % intervals), seconds, tp, fp, fn,
/// precision_low, precision_high, recall_low, recall_high, settled (whether no k beyond the counted pairs
/// can be better).
#[derive(Debug, ClapArgs)]
pub(crate) struct SweepArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Take the judgements of this file instead of cosines: columns id1, id2, label
    #[arg(long, value_name = "FILE", help_heading = "Truth")]
    pub(crate) truth: Option<PathBuf>,
    /// The file names every near-duplicate: all other pairs are no near-duplicates
    #[arg(long, requires = "truth", help_heading = "Truth")]
    pub(crate) complete_truth: bool,
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

/// Write a report for readers: one page of HTML that needs no network
///
/// It shows the input and how to make the same report again; the distances of all pairs; the effect of each k,
/// and the k that the distances suggest; the groups, the largest with their members; some pairs at each
/// distance, their texts side by side; how many documents mislead. --labels or --truth adds the precision of each k
/// by judged pairs, as tune prints it. The same input makes the same bytes.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) judged: JudgedArgs,
}
