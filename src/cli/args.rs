//! The command line as typed: every option optional, defaults told in the help and filled in later.
//!
//! Doc comments here are the help text: the first line for `-h`, all of it for `--help`.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{Args as ClapArgs, Parser, Subcommand};

use super::value::{self, Dialect, Glyphs, PresetChoice, SizeArg};
use crate::export::OutputFormat;
use crate::{
    analysis::{LayoutChoice, PairOutcome, TruthChoice, dedup::Policy, filter::Filter},
    corpus::{FingerprintType, InputFormat, TextEncoding},
    feature::{DocumentShare, Shingling, ShortTexts, Weighting},
    index::Linkage,
    look::{PrintFormat, ThemeChoice},
    simhash::{HashFunction, Recipe, TieRule},
    text::{Case, NormalForm, Split, Stem},
};

const EXAMPLES: &str = "\
Examples:
  simscope                                     explore the bundled sample corpus
  simscope corpus.jsonl                        explore your own
  simscope pairs -k 6 -f csv corpus.jsonl      every pair within 6 bits, as CSV
  simscope groups --features chars:5 notes/    groups among the files of a folder
  simscope groups --summary corpus.jsonl       how far each group reaches, what holds it together
  simscope dedup -k 6 --kept new.jsonl c.jsonl the corpus without near-duplicates
  simscope query --id doc-17 corpus.jsonl      what is near one document
  simscope tune -f table corpus.jsonl          what each k would do, and which to take
  simscope explain doc-17 doc-42 corpus.jsonl  why these two are found, or not
  simscope evaluate --bands 3x18,4x16 corpus/  precision and recall against exact cosines
  simscope compare --against words:2 corpus/   pairs that only one of two recipes finds
  simscope sweep -f table corpus.jsonl         which shingles, weights and bits serve it best
  simscope report corpus.jsonl -o report.html  all of it on a page for a colleague
  zcat crawl.gz | simscope pairs -             from standard input
  simscope help                                the pages of the manual

Exit status: 0 done; 1 done, but some input was skipped; 2 not done.";

/// Explore near-duplicate text with SimHash.
///
/// Without a command, simscope opens the explorer on the corpus; the commands print the same numbers
/// as rows. A PATH is a folder (each file a document), a text file, or JSONL, CSV or TSV (each row a
/// document), plain or compressed. Results go to standard output, messages to standard error.
#[derive(Debug, Parser)]
#[command(name = "simscope", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(disable_help_subcommand = true, next_line_help = false)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) recipe: RecipeArgs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) explorer: ExplorerArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print the fingerprint of each document
    ///
    /// Rows: id, fingerprint (hex; null where the text has no features), features (how many distinct
    /// ones; null where the corpus holds fingerprints instead of text).
    Fingerprint(PathArgs),
    /// Print the near-duplicates of one document, text or fingerprint
    ///
    /// Rows: id, distance; nearest first, then in corpus order. The document itself is left out, its
    /// copies are not.
    Query(QueryArgs),
    /// Print every near-duplicate pair
    ///
    /// Rows: a, b, distance; a comes before b in the corpus. Nearest first, then by the first
    /// documents of the two fingerprints, then in corpus order. With --cosine a column more: cosine.
    Pairs(PairsArgs),
    /// Print groups of near-duplicates, one row for each document
    ///
    /// Rows: group, id, representative, distance. Groups are numbered from 0, the largest first;
    /// the representative is a group's first document, and distance is to it.
    Groups(GroupsArgs),
    /// Decide which near-duplicates to drop, and write the corpus without them
    ///
    /// Rows: one for each dropped document: id, file, line, then the document that is kept for it: kept,
    /// kept_file, kept_line; their distance, their exact cosine, and the reason (equal text, equal
    /// fingerprint or near). Each dropped document has a kept one within -k. Nothing of the input is changed.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    Dedup(DedupArgs),
    /// Print what each k does to the corpus, and which k to take
    ///
    /// Rows: one for each k from 0 to the bits of a fingerprint. Pairs at exactly k and within k, each with
    /// its 95 % interval, and the pairs expected by chance alone; the method, exact or sampled; groups, the
    /// largest, documents in groups, and those that would be dropped if one of each group is kept (empty beyond the
    /// distance to which pairs were searched); whether the tables for -k guarantee this k; pairs of different texts
    /// within k; their precision, the share with a cosine of --tau or more, with its interval; the recall,
    /// the share of all true pairs that k finds, and how it is known. On standard error: the precise k, the
    /// balanced k, and what each costs.
    ///
    /// The precise k is the largest whose precision is surely --target or more and of whose pairs chance
    /// explains at most --by-chance. The balanced k has the largest F1. With --advice one row:
    /// precise_k, balanced_k, tau, target, basis (exact, sampled, judged or none), sentence.
    ///
    /// With --layouts, one for each layout of tables that could be built for -k instead: the distance it
    /// guarantees, tables, bits of its shortest and longest key, bytes, candidates counted from bucket
    /// sizes and predicted for random fingerprints, their ratio, the key bits that would explain it, and
    /// the size of the fullest bucket.
    ///
    /// With --labels, --truth or --looks the rows are those of the judged pairs instead, one for each k
    /// as far as pairs are kept: pairs at k and within it, those of one text twice, judgements of each
    /// kind, the precision of different texts at k and within it with 95 % intervals, its one-sided bound
    /// (the bounds of all k hold together), the recall among near-duplicates as far as pairs are kept, and
    /// how the k stands.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    Tune(TuneArgs),
    /// Print the labels that were given by eye, or import some
    ///
    /// Rows: id1, id2, label (yes, no, unsure), source; as csv they are a truth file. With --import the
    /// judgements of a truth file become labels of the texts that the corpus has under these ids; a pair
    /// that has a label keeps it.
    Labels(LabelsArgs),
    /// Explain why a pair is, or is not, found; or, with one id, the bits of a document
    ///
    /// Of a pair: the distance, the differing bits and who decided them, the damaged blocks, the permuted
    /// tables in which it is a candidate, layouts that would find it, the features shared and not, and
    /// edits, few but not surely the fewest, that would bring the two within k. Of one document: how firmly
    /// each bit was decided, and whether its distances mislead. As csv or tsv: a row a table, a bit, or
    /// (--bit) a feature.
    Explain(ExplainArgs),
    /// Evaluate layouts by exact cosines: the precision and recall of each
    ///
    /// A pair of documents is true if the cosine of their features is at least tau; a layout's candidates
    /// are the pairs that share a band, or for blocks the pairs within the distance. Rows: layout, bits,
    /// candidates, predicted, tp, fp, fn, precision, recall, f1, recall_method, seconds, recall_low,
    /// recall_high, recall_distinct (each text once, so without its copies), skew (candidates over
    /// predicted), index_seconds, verify_seconds. Give --bands and --blocks several layouts, separated by
    /// commas; without any: 3x12, 3x18, 3x22, 4x18, 5x18 and the usual blocks at -k. -f html and -f md
    /// write a page for readers.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    Evaluate(EvaluateArgs),
    /// Evaluate recipes by the true pairs: precision and recall of each at its best k
    ///
    /// Every shingling with every weighting at every width, each at the k with the largest F1. Give
    /// --features, --weights and --bits several values, separated by commas; without any: words:1, words:2,
    /// words:3, words:4, chars:5; binary, tf, tf-idf; 32, 64, 128. True are the pairs of texts whose exact
    /// cosine is at least tau, of one recipe's features for all rows; or the pairs of a file that were judged.
    /// Texts of equal features count once, since every recipe finds copies; --copies counts documents.
    /// Rows: recipe (what --recipe takes), k, pairs (of documents within k), precision, recall, f1,
    /// recall_method (exact; judged: a share of the judged pairs, with 95 % intervals), seconds, tp, fp, fn,
    /// precision_low, precision_high, recall_low, recall_high, settled (whether no k farther out than pairs
    /// were counted can be better).
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    Sweep(SweepArgs),
    /// Print the document frequencies of a corpus, to freeze them for others
    ///
    /// Rows: feature (the low 64 bits of its hash), documents (that have it); at the end all, the number of documents.
    /// Give them to --frequencies: then tf-idf weights do not depend on the corpus at hand.
    Frequencies {
        /// Folders and files to read; - is standard input; none is the bundled sample corpus
        #[arg(value_name = "PATH", help_heading = "Arguments")]
        paths: Vec<PathBuf>,
    },
    /// Keep a corpus and its fingerprints in a file that opens fast
    ///
    /// Give the file instead of a PATH to the explorer or to any command. Files of the corpus that have changed since
    /// are read anew, and a note says so; `simscope index FILE` brings the file up to date: it reads only what is new.
    Index {
        /// Follow the corpus: look for changes each second and write them, until the command is stopped
        #[arg(long, help_heading = "Arguments")]
        watch: bool,
        /// Folders and files to keep, or an index to bring up to date
        #[arg(value_name = "PATH", help_heading = "Arguments")]
        paths: Vec<PathBuf>,
    },
    /// Open the explorer on the fingerprints and pairs that a cluster made
    ///
    /// Recipe and k are those of the file _simscope.json beside the folders. The pairs are compared with those of the
    /// fingerprints before the explorer opens.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    Open {
        /// A folder of Parquet files with the columns id and fingerprint
        #[arg(long, value_name = "DIR")]
        fingerprints: PathBuf,
        /// A folder of Parquet files with the columns fp_a and fp_b
        #[arg(long, value_name = "DIR")]
        pairs: Option<PathBuf>,
    },
    /// Print the price of finding all near pairs on many machines
    ///
    /// Rows: one for each number of blocks: tables, key_bits (of the shortest key), rows and bytes sent between
    /// machines, rows_a_key (fingerprints that share a key), comparisons, core_hours, chance_pairs (near pairs that
    /// chance makes), and in jsonl the masks of the tables as int64. For random bits; texts share keys more often.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
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
        #[arg(long, value_name = "NAME", value_parser = value::dialects(), hide_possible_values = true, default_value = "spark", hide_default_value = true)]
        dialect: Dialect,
    },
    /// Print the pairs that one recipe finds and another does not
    ///
    /// Rows: a, b, distance, other, change. Gained are the pairs within -k under the recipe that the options
    /// name and not within --against-k under the one of --against; lost are the others. Distance is under the
    /// first, other under the second; null where a document has no features. Gained come first, each kind
    /// nearest first, as pairs do.
    Compare(CompareArgs),
    /// Print the documents whose distances mislead, and why
    ///
    /// Rows: id, flag, value, sentence. Flags are empty, short (few features), tied (bits that the tie rule
    /// decided), dominated (by one feature) and boilerplate (made of what many documents say); value is a
    /// count of features or bits, or a share of ||w||^2. With --health, rows about the corpus: measure, at,
    /// value, note. With --disagreements, pairs near by fingerprint and not by text, and the reverse: kind,
    /// a, b, distance, cosine, low and high (what the distance says of it), expected, chance.
    Triage(TriageArgs),
    /// Write a report for readers: one page, HTML or Markdown, that needs no network
    ///
    /// The input and how to make the same report again; how far apart all pairs are; what each k would
    /// do, and which the distances speak for; the groups, the largest with their members; some pairs at each
    /// distance, their texts side by side; documents that mislead. With --labels or --truth also what judged
    /// pairs say of each k, as tune has it. The ending of -o FILE says how it is written, .html or .md, or
    /// -f html, -f md does. The same input makes the same bytes.
    Report(ReportArgs),
    /// Print a page of the manual, or the options of a command
    ///
    /// Without a topic: the list of pages.
    Help {
        /// A page of the manual, or a command
        topic: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Open the explorer on a lesson, or on a view of Learn in a state that is named
    ///
    /// WHAT is the name of a lesson, such as tables or precision, or view:NAME for a view: view:playground,
    /// view:bench. Without WHAT the list of lessons opens. In the explorer Y copies the command that opens
    /// the view as it is.
    Learn(LearnArgs),
    /// Open the explorer on a first walk: eight cards, each of which says which key to press
    ///
    /// The walk is through the bundled sample corpus, with the real keys on the real screens. Esc leaves it.
    Tour {
        #[command(flatten)]
        explorer: ExplorerArgs,
    },
    /// Exercises from a seed: in the explorer, which checks the answers, or as a sheet
    ///
    /// Seven exercises, from a fingerprint by hand to two texts that SimHash cannot tell apart. The same seed gives
    /// the same ones.
    Quiz(QuizArgs),
    /// Write one picture as SVG, for a paper or a slide
    ///
    /// s-curve: the share of pairs found at each cosine, by formula, for --bands and -k. histogram: the distances of
    /// all pairs, with those by chance. thresholds: precision and recall over k, with 95 % intervals. lab-bits and
    /// lab-bands: bands against exact cosines, over their bits and over their number. seeds: the distance of --pair
    /// under 200 hash functions.
    Figure(FigureArgs),
    /// Print the man page of the command line
    Man,
    /// Print the configuration of the explorer with every default and its meaning
    Config {
        /// Left out: print it
        #[command(subcommand)]
        action: Option<ConfigAction>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigAction {
    /// Check a configuration
    Check {
        /// The file [default: the one that the explorer reads]
        file: Option<PathBuf>,
    },
}

#[derive(Debug, ClapArgs)]
pub(super) struct PathArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

/// A picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum FigureName {
    /// The share of pairs found at each cosine.
    SCurve,
    /// The distances of all pairs.
    Histogram,
    /// Precision and recall over k.
    Thresholds,
    /// Bands over their bits.
    LabBits,
    /// Bands over their number.
    LabBands,
    /// A pair under many hash functions.
    Seeds,
}

#[derive(Debug, ClapArgs)]
pub(super) struct FigureArgs {
    /// s-curve, histogram, thresholds, lab-bits, lab-bands or seeds
    #[arg(value_name = "NAME", value_enum, hide_possible_values = true)]
    pub(super) name: FigureName,
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The two documents of seeds, by their ids
    #[arg(long, value_name = "ID,ID")]
    pub(super) pair: Option<String>,
    #[command(flatten)]
    pub(super) truth: TruthArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct QuizArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The numbers of the exercises [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub(super) seed: u64,
    /// Choose recipe and k for a corpus whose duplicates are hidden, with twenty looks at pairs
    #[arg(long, conflicts_with_all = ["paths", "sheet"])]
    pub(super) blind: bool,
    /// Print the exercises with their answers as Markdown instead
    #[arg(long)]
    pub(super) sheet: bool,
    /// Add each answer to this file, a JSON line each: name, lesson, page, answer, right
    #[arg(long, value_name = "FILE")]
    pub(super) scores: Option<PathBuf>,
    /// The name to write there [default: the user's]
    #[arg(long, value_name = "NAME", requires = "scores")]
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) explorer: ExplorerArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct LearnArgs {
    /// A lesson, or view:NAME; none is the list of lessons
    #[arg(value_name = "WHAT")]
    pub(super) what: Option<String>,
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The page of the lesson, from 1
    #[arg(long, value_name = "N")]
    pub(super) page: Option<usize>,
    /// The first text of the Playground, Step and Hashes
    #[arg(long, value_name = "TEXT")]
    pub(super) one: Option<String>,
    /// The second text
    #[arg(long, value_name = "TEXT")]
    pub(super) two: Option<String>,
    /// Two documents whose fingerprints Tables shows, by their ids
    #[arg(long, value_name = "ID,ID")]
    pub(super) pair: Option<String>,
    /// The layout of Tables and Bench: 3x18 bands, 6c3 blocks, 6c3k3 with a distance
    #[arg(long, value_name = "LAYOUT")]
    pub(super) layout: Option<String>,
    /// Bits of Tables to flip, such as 3,17; bit 0 is the last one
    #[arg(long, value_name = "BITS", value_delimiter = ',')]
    pub(super) flip: Vec<u32>,
    /// The table whose walk shows, from 1
    #[arg(long, value_name = "N")]
    pub(super) table: Option<usize>,
    /// Features that have voted (Step), lines drawn (Angle), or steps of the walk (Tables)
    #[arg(long, value_name = "N")]
    pub(super) step: Option<usize>,
    /// The cosine of the two vectors of Angle
    #[arg(long, value_name = "COSINE", allow_negative_numbers = true)]
    pub(super) cosine: Option<f64>,
    /// A lesson of your own, in the form of those in assets/lessons; it is opened
    #[arg(long, value_name = "FILE")]
    pub(super) lesson: Option<PathBuf>,
    #[command(flatten)]
    pub(super) explorer: ExplorerArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct TuneArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Compare layouts of tables instead of thresholds
    #[arg(long)]
    pub(super) layouts: bool,
    /// Write one row: the precise k, the balanced k, and why
    #[arg(long, conflicts_with = "layouts")]
    pub(super) advice: bool,
    #[command(flatten)]
    pub(super) judged: JudgedArgs,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Judged pairs")]
pub(super) struct JudgedArgs {
    /// Labels given by eye [default with --looks: labels.jsonl in the user's data folder]
    #[arg(long, value_name = "FILE")]
    pub(super) labels: Option<PathBuf>,
    /// Take the judgements of this file instead: columns id1, id2, label
    #[arg(long, value_name = "FILE", conflicts_with = "labels")]
    pub(super) truth: Option<PathBuf>,
    /// The truth names every near-duplicate: pairs it does not name are none
    #[arg(long, requires = "truth")]
    pub(super) complete_truth: bool,
    /// The precision that the precise k must have for sure [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = value::share)]
    pub(super) target: Option<f64>,
    /// The share of the pairs within the precise k that chance may explain [default: 0.05]
    #[arg(long, value_name = "SHARE", value_parser = value::share)]
    pub(super) by_chance: Option<f64>,
    /// The cosine from which a pair is true, where nobody judged [default: 0.8]
    #[arg(long, value_name = "COSINE", value_parser = value::tau)]
    pub(super) tau: Option<f64>,
    /// When bounds on judgements are looked at: once, budget:N, halving:N [default: halving:40]
    ///
    /// Looking after every label finds sooner or later what one hopes for. Look once, or after N labels
    /// and not before, or after N, 2N, 4N .. labels; each look may use half of the error that is left of 5 %.
    #[arg(long, value_name = "LOOKS")]
    pub(super) looks: Option<value::LooksArg>,
}

impl JudgedArgs {
    /// Whether any option on judged pairs is given.
    pub(super) fn is_asked(&self) -> bool {
        self.labels.is_some() || self.truth.is_some() || self.looks.is_some()
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct ReportArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) judged: JudgedArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct LabelsArgs {
    /// Folders and files to read, with --import
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The file of labels [default: labels.jsonl in the user's data folder]
    #[arg(long, value_name = "FILE")]
    pub(super) labels: Option<PathBuf>,
    /// Add the judgements of this file: columns id1, id2, label
    #[arg(long, value_name = "FILE")]
    pub(super) import: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct GroupsArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The linkage of groups: single (a chain of near pairs), complete (every two are near) [default: single]
    #[arg(long, value_name = "LINKAGE", value_parser = value::linkages(), hide_possible_values = true)]
    #[arg(help_heading = "Groups")]
    pub(super) linkage: Option<Linkage>,
    /// Print one row a group instead: how far it reaches and what holds it together
    ///
    /// Rows: group, size (documents), distinct (fingerprints), diameter (the largest distance between
    /// two members; ">=N" where only a lower bound is known), weakest (the smallest k that keeps the
    /// group whole; null where all have one fingerprint), covered (documents within k of the representative),
    /// bridge (without its fingerprint the group falls apart; null if there is none),
    /// representative (the first document).
    #[arg(long, help_heading = "Groups")]
    pub(super) summary: bool,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Pairs")]
pub(super) struct PairsArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH", help_heading = "Arguments")]
    pub(super) paths: Vec<PathBuf>,
    /// Add the exact cosine of the two texts by the features of the recipe; null where a text is not known
    #[arg(long)]
    pub(super) cosine: bool,
    /// Print only pairs whose exact cosine is at least this, with it
    #[arg(long, value_name = "C", value_parser = value::unit)]
    pub(super) min_cosine: Option<f64>,
    /// Write the first N pairs only, and count the others
    ///
    /// A crowd of documents that are all near each other has as many pairs as it has members squared. A warning says how
    /// many pairs are left out, FILE.recipe keeps it, and the exit status is 1. With --table-field more pairs than that
    /// are an error.
    #[arg(long, value_name = "N")]
    pub(super) max_pairs: Option<u64>,
    /// One part of a search on many machines: the column that holds the number of a fingerprint's table
    ///
    /// The input is an Arrow stream of fingerprints and tables, each fingerprint once for each table, rows of equal
    /// keys in one part. Rows: the two fingerprints and their distance. See `simscope help cluster`.
    #[arg(long, value_name = "NAME")]
    pub(super) table_field: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Dedup")]
pub(super) struct DedupArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH", help_heading = "Arguments")]
    pub(super) paths: Vec<PathBuf>,
    /// Which document of several is kept: preferences, the first that decides counts [default: first]
    ///
    /// first or last in the corpus, longest or shortest text, central (most of its group within k),
    /// largest:FIELD or smallest:FIELD (newest:FIELD and oldest:FIELD are the same, for dates written
    /// 2024-12-31), source:NAME (its file has NAME in its path). Several are separated by commas:
    /// source:clean,longest.
    #[arg(long, value_name = "POLICY")]
    pub(super) keep: Option<Policy>,
    /// The linkage of groups: single (a chain of near pairs), complete (every two are near) [default: single]
    ///
    /// Of a chain more than one document can be kept, so that each dropped one is within -k of a kept one. Of a
    /// complete group one is kept, but documents of two groups can still be near.
    #[arg(long, value_name = "LINKAGE", value_parser = value::linkages(), hide_possible_values = true)]
    pub(super) linkage: Option<Linkage>,
    /// Write the rows of the dropped documents to this file, as -o does
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub(super) dropped: Option<PathBuf>,
    /// Write the corpus without the dropped documents to this file, in its own format
    ///
    /// Lines and rows are copied byte for byte. A name that ends in .gz or .zst is compressed. Where a
    /// document is a file, or the inputs differ in format, it is a list: id, file and line as JSON.
    #[arg(long, value_name = "FILE")]
    pub(super) kept: Option<PathBuf>,
    /// Keep a document whose exact cosine with the kept one is less than this
    #[arg(long, value_name = "C", value_parser = value::unit)]
    pub(super) min_cosine: Option<f64>,
    /// Documents that are kept or dropped by hand: marks.jsonl, as the explorer writes it
    #[arg(long, value_name = "FILE")]
    pub(super) marks: Option<PathBuf>,
    /// Write to this file the documents that stay because a single feature decides a fingerprint
    ///
    /// In rows like those of the dropped documents, each with the document that it would be dropped for.
    #[arg(long, value_name = "FILE")]
    pub(super) doubtful: Option<PathBuf>,
    /// Also drop documents of other features where a single feature decides the fingerprint
    #[arg(long)]
    pub(super) drop_dominated: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct QueryArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) of: QueryOf,
}

#[derive(Debug, ClapArgs)]
#[group(required = true, multiple = false)]
#[command(next_help_heading = "Query")]
pub(super) struct QueryOf {
    /// Look for what is near this document of the corpus
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(super) id: Option<String>,
    /// Look for what is near this text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) text: Option<String>,
    /// Look for what is near the text in this file
    #[arg(long, value_name = "FILE")]
    pub(super) text_file: Option<PathBuf>,
    /// Look for what is near this fingerprint
    #[arg(long, value_name = "HEX")]
    pub(super) fingerprint: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The id of one document
    pub(super) a: String,
    /// The id of the other; left out, or where the only PATH stands here, A is explained alone
    pub(super) b: Option<OsString>,
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Explain this bit, 0 the least significant: who pushed it, and the fewest features that flip it
    #[arg(long, value_name = "N", help_heading = "Explain")]
    pub(super) bit: Option<u32>,
    /// Tell how likely each bit flips in a text at this cosine, 0 to 1
    #[arg(long, value_name = "C", help_heading = "Explain", default_value_t = 0.95, value_parser = value::unit)]
    pub(super) cosine: f64,
    /// Name that many features, edits and sentences of a list
    #[arg(long, value_name = "N", help_heading = "Explain", default_value_t = 10)]
    pub(super) top: usize,
}

impl ExplainArgs {
    /// One id and a PATH look like two ids: what is there to be read, and no PATH beside it, is the PATH.
    pub(super) fn settle(&mut self) {
        let is_path = |b: &OsString| b == "-" || Path::new(b).exists();
        if self.paths.is_empty()
            && let Some(path) = self.b.take_if(|b| is_path(b))
        {
            self.paths.push(path.into());
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct TriageArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Print the health of the corpus instead: bits set, balance, correlations, prefixes, features
    #[arg(long, help_heading = "Triage", conflicts_with = "disagreements")]
    pub(super) health: bool,
    /// Print pairs whose fingerprints and texts disagree instead, the least likely first
    ///
    /// Near ones are looked for among the pairs within k; at most 20,000 of them are compared, evenly spread.
    /// Far ones are looked for among all pairs of texts with a cosine of 0.8 or more or, where there are too
    /// many texts for that, among those that a second seed brings within k.
    #[arg(long, help_heading = "Triage")]
    pub(super) disagreements: bool,
    /// Fewer features than this are few [default: 20]
    #[arg(long, value_name = "N", help_heading = "Triage")]
    pub(super) short: Option<u32>,
    /// One feature, or the common ones, have too much above this share of ||w||^2 [default: 0.5]
    #[arg(long, value_name = "SHARE", help_heading = "Triage", value_parser = value::unit)]
    pub(super) share: Option<f64>,
    /// A feature in more than this share of the documents, and in ten, is common [default: 0.05]
    #[arg(long, value_name = "SHARE", help_heading = "Triage", value_parser = value::unit)]
    pub(super) common: Option<f64>,
    /// List that many bits, buckets and pairs of a kind
    #[arg(long, value_name = "N", help_heading = "Triage", default_value_t = 10)]
    pub(super) top: usize,
}

#[derive(Debug, ClapArgs)]
pub(super) struct EvaluateArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) truth: TruthArgs,
    /// Write the pairs behind the counts instead: missed, false or true
    ///
    /// A row is a pair of documents with its distance and exact cosine, the highest cosine first, layout by
    /// layout. Missed pairs are true and no candidates, false ones are candidates and not true. There are as
    /// many rows as fn, fp and tp count. Missed pairs need an exact truth.
    #[arg(long, value_name = "WHICH", value_parser = value::outcomes(), hide_possible_values = true, help_heading = "Truth")]
    pub(super) pairs: Option<PairOutcome>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Truth")]
pub(super) struct TruthArgs {
    /// The least cosine of a true pair: above 0, at most 1 [default: 0.8]
    #[arg(long, value_name = "T", value_parser = value::tau)]
    pub(super) tau: Option<f64>,
    /// The weights that cosines are made of: binary, tf, log-tf, tf-idf [default: tf-idf]
    #[arg(long, value_name = "WEIGHTS", value_parser = value::weightings(), hide_possible_values = true)]
    pub(super) truth_weights: Option<Weighting>,
    /// How true pairs are known: auto, exact, sampled [default: auto, exact where that takes minutes]
    ///
    /// Sampled draws 10,000 texts at random, finds every true pair that they have with any text, and
    /// estimates recall_distinct from those, with a 95 % interval; recall of documents stays empty, since a
    /// few texts with many copies may decide it. A corpus of fewer texts is taken whole: exact.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    #[arg(long, value_name = "HOW", value_parser = value::truths(), hide_possible_values = true)]
    pub(super) truth: Option<TruthChoice>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The other recipe in one line, such as "words:3 tf-idf bits=128"
    #[arg(long, value_name = "LINE", help_heading = "Compare", required = true)]
    pub(super) against: Recipe,
    /// The largest distance that counts as near under it [default: that of -k]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=128), help_heading = "Compare")]
    pub(super) against_k: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SweepArgs {
    /// Folders and files to read; - is standard input; none is the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The least cosine of a true pair: above 0, at most 1 [default: 0.8]
    #[arg(long, value_name = "T", value_parser = value::tau, help_heading = "Truth", conflicts_with = "truth")]
    pub(super) tau: Option<f64>,
    /// The features that cosines are made of [default: those of the recipe, words:3 where several are given]
    #[arg(long, value_name = "SHINGLES", help_heading = "Truth", conflicts_with = "truth")]
    pub(super) truth_features: Option<Shingling>,
    /// Their weights: binary, tf, log-tf, tf-idf [default: tf-idf]
    #[arg(long, value_name = "WEIGHTS", value_parser = value::weightings(), hide_possible_values = true)]
    #[arg(help_heading = "Truth", conflicts_with = "truth")]
    pub(super) truth_weights: Option<Weighting>,
    /// Count pairs of documents, copies among them, instead of pairs of different texts
    #[arg(long, help_heading = "Truth", conflicts_with = "truth")]
    pub(super) copies: bool,
    /// Take the judgements of this file instead of cosines: columns id1, id2, label
    #[arg(long, value_name = "FILE", help_heading = "Truth")]
    pub(super) truth: Option<PathBuf>,
    /// The file names every near-duplicate: pairs it does not name are none
    #[arg(long, requires = "truth", help_heading = "Truth")]
    pub(super) complete_truth: bool,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Input")]
pub(super) struct InputArgs {
    /// Compare each document with those of this PATH only: the archive, the training set; may be given again
    #[arg(long, global = true, value_name = "PATH")]
    pub(super) reference: Vec<PathBuf>,
    /// How files become documents: auto, text, lines, jsonl, csv, tsv, fingerprints [default: auto]
    #[arg(long, global = true, value_name = "FORMAT", value_parser = value::input_formats(), hide_possible_values = true)]
    pub(super) input_format: Option<InputFormat>,
    /// The field or column that holds the text [default: text]
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) text_field: Option<String>,
    /// The field or column that holds the id [default: id, where a row has it]
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) id_field: Option<String>,
    /// The field or column that holds the title [default: title, headline, name or subject, where a row has it]
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) title_field: Option<String>,
    /// The field that holds a fingerprint, to be taken instead of text [default: fingerprint, where a row
    /// has no text]
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) fingerprint_field: Option<String>,
    /// The field that holds hashed features, to be taken instead of text: [hash, ..], [[hash, weight], ..] or
    /// {hash: weight, ..}
    ///
    /// A hash is a number of 64 bits, or one in quotes: decimal, or hex behind 0x. Of the recipe only bits and tie count.
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "fingerprint_field")]
    pub(super) hashes_field: Option<String>,
    /// The character set of texts: utf-8, auto, or a name such as windows-1252, big5 or gb18030 [default: utf-8]
    ///
    /// auto goes by the first 8 KB of an input, where these are no UTF-8. A byte order mark goes before either.
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) encoding: Option<TextEncoding>,
    /// The character between the cells of CSV: one character, or tab [default: by the first row]
    #[arg(long, global = true, value_name = "C", value_parser = value::delimiter)]
    pub(super) delimiter: Option<u8>,
    /// CSV and TSV have no header: columns are named 1, 2, 3
    #[arg(long, global = true)]
    pub(super) no_header: bool,
    /// How fingerprints are written in strings and cells: hex, uint64, int64 [default: hex]
    ///
    /// int64 is the two's complement of the bits, as Spark and Java have it. Numbers in JSON are decimal in any
    /// case.
    #[arg(long, global = true, value_name = "TYPE", value_parser = value::fingerprint_types(), hide_possible_values = true)]
    pub(super) fp_type: Option<FingerprintType>,
    /// Take only the documents that pass this filter, as if the others were not there
    ///
    /// Such as 'label:earn words>50 -draft "low tide"': all terms must hold. `simscope help filter` explains
    /// it. The filter is applied before anything is searched or counted: documents that fail are in no row, no
    /// group and no copy of the corpus.
    #[arg(long = "where", global = true, value_name = "FILTER", value_parser = value::filter, allow_hyphen_values = true)]
    pub(super) filter: Option<Filter>,
    /// Read only those files in folders that match, such as "*.md"
    #[arg(long, global = true, value_name = "GLOB")]
    pub(super) glob: Option<String>,
    /// Follow symbolic links in folders
    #[arg(long, global = true)]
    pub(super) follow_links: bool,
    /// The most bytes of a document, unpacked, such as 16M; at most 256M [default: 64M]
    #[arg(long, global = true, value_name = "SIZE", value_parser = value::document_bytes)]
    pub(super) max_document: Option<u64>,
    /// How many times its own size a packed file may unpack to; 128M are always allowed [default: 200]
    #[arg(long, global = true, value_name = "N")]
    pub(super) max_expansion: Option<u64>,
    /// The most bytes in the temporary file, for rows that are packed and standard input [default: 32G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = value::bytes)]
    pub(super) max_spool: Option<u64>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Recipe (what decides a fingerprint)")]
pub(super) struct RecipeArgs {
    /// Features: words (single), words:N, chars:N [default: words:3]
    #[arg(long, global = true, value_name = "SHINGLES", value_delimiter = ',')]
    pub(super) features: Vec<Shingling>,
    /// How heavy it is: binary, tf, log-tf, tf-idf [default: tf]
    #[arg(long, global = true, value_name = "WEIGHTS", value_parser = value::weightings(), hide_possible_values = true, value_delimiter = ',')]
    pub(super) weights: Vec<Weighting>,
    /// Words to leave out: none, english, or a FILE with one a line [default: none]
    #[arg(long, global = true, value_name = "WORDS")]
    pub(super) stop_words: Option<String>,
    /// The hash of a feature: siphash13, siphash24, md5, md5-last, xxh3, fnv1a, murmur3, .. [default: siphash13]
    #[arg(long, global = true, value_name = "HASH", value_parser = value::hashes(), hide_possible_values = true)]
    pub(super) hash: Option<HashFunction>,
    /// The key of the hash, a 64-bit number [default: 0]
    #[arg(long, global = true, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// The width of a fingerprint: 1 to 128 [default: 64]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=128), value_delimiter = ',')]
    pub(super) bits: Vec<u32>,
    /// The value of a balanced bit: one, zero [default: one]
    #[arg(long, global = true, value_name = "BIT", value_parser = value::ties(), hide_possible_values = true)]
    pub(super) tie: Option<TieRule>,
    /// The Unicode form of the text: none, nfc, nfkc [default: nfc]
    #[arg(long, global = true, value_name = "FORM", value_parser = value::forms(), hide_possible_values = true)]
    pub(super) norm: Option<NormalForm>,
    /// The case of the text: keep, lower [default: lower]
    #[arg(long, global = true, value_name = "CASE", value_parser = value::cases(), hide_possible_values = true)]
    pub(super) case: Option<Case>,
    /// How the text is cut: unicode, word, plain, ascii [default: unicode]
    #[arg(long, global = true, value_name = "RULE", value_parser = value::splits(), hide_possible_values = true)]
    pub(super) split: Option<Split>,
    /// Words cut to their stems: none, english, german, french, .. [default: none]
    #[arg(long, global = true, value_name = "LANGUAGE", value_parser = value::stems(), hide_possible_values = true)]
    pub(super) stem: Option<Stem>,
    /// A text shorter than a shingle: whole, empty, drop, drop:N [default: whole]
    #[arg(long, global = true, value_name = "WAY")]
    pub(super) short_texts: Option<ShortTexts>,
    /// Document frequencies of tf-idf that `frequencies` wrote, instead of those of the corpus
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) frequencies: Option<String>,
    /// Under tf-idf: the fewest documents that have a feature that counts [default: 1]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) min_df: Option<u32>,
    /// Under tf-idf: the largest share of documents that have a feature that counts [default: 1]
    #[arg(long, global = true, value_name = "SHARE")]
    pub(super) max_df: Option<DocumentShare>,
    /// The recipe of another program, which single options change; `list` tells of each
    #[arg(long, global = true, value_name = "NAME", value_parser = value::presets(), hide_possible_values = true)]
    pub(super) preset: Option<PresetChoice>,
    /// All of the above in one line, as every run prints it
    ///
    /// Such as "words:3 tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none"; what is at
    /// its default may be left out.
    #[arg(long, global = true, value_name = "LINE")]
    pub(super) recipe: Option<Recipe>,
}

impl RecipeArgs {
    /// Whether a part of the recipe was named.
    pub(super) fn is_given(&self) -> bool {
        let Self { features, weights, stop_words, hash, seed, bits, tie, norm, case, .. } = self;
        let Self { split, stem, short_texts, preset, frequencies, min_df, max_df, recipe, .. } =
            self;
        let one = [
            hash.is_some(),
            seed.is_some(),
            tie.is_some(),
            norm.is_some(),
            case.is_some(),
            split.is_some(),
            stem.is_some(),
            short_texts.is_some(),
            preset.is_some(),
            frequencies.is_some(),
            min_df.is_some(),
            max_df.is_some(),
        ];
        let lists = [!features.is_empty(), !weights.is_empty(), !bits.is_empty()];
        one.into_iter().chain(lists).any(|it| it) || stop_words.is_some() || recipe.is_some()
    }
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// The largest distance, in bits, that counts as near [default: 3]
    #[arg(short = 'k', long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=128))]
    pub(super) distance: Option<u32>,
    /// Cut fingerprints into M blocks, more than the distance [default: chosen by cost]
    ///
    /// M/N cuts what is left behind the leading ones into N blocks again. Blocks choose the tables that the
    /// explorer, explain and evaluate show and measure. They change no search: pairs and groups are found
    /// the way that is cheapest, query compares with every fingerprint, and all three find the same
    /// whatever the blocks.
    #[arg(long, global = true, value_name = "M", value_delimiter = ',', value_parser = value::blocks)]
    pub(super) blocks: Vec<LayoutChoice>,
    /// Use M bands of K bits instead: pairs farther apart than M - 1 may be missed
    ///
    /// Bands keep all pairs they find in memory; every other search passes them on.
    #[arg(long, global = true, value_name = "MxK", value_delimiter = ',', value_parser = value::bands)]
    pub(super) bands: Vec<LayoutChoice>,
    /// Threads to work on [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// How rows are written: table, jsonl, csv, tsv [default: table on a terminal, else jsonl]; a report:
    /// html, md
    #[arg(short, long, global = true, value_name = "FORMAT", value_parser = value::formats(), hide_possible_values = true)]
    pub(super) format: Option<OutputFormat>,
    /// Write rows to this file, replaced only on success
    #[arg(short, long, global = true, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Say nothing but errors and what could not be read: no notes, no progress
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Draw with: unicode, ascii [default: what terminal and locale can show]
    #[arg(long, global = true, value_name = "GLYPHS", value_parser = value::glyphs(), hide_possible_values = true)]
    pub(super) glyphs: Option<Glyphs>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Explorer")]
pub(super) struct ExplorerArgs {
    /// Press these keys first, such as "5" or "jj<enter>"; with --print the screen they lead to is printed
    ///
    /// Each is pressed when all work of the one before is done. A key of your own ends them.
    #[expect(rustdoc::invalid_html_tags, reason = "the help of an option, and no Markdown")]
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub(super) keys: Option<String>,
    /// Columns and rows: of the screen that --print prints [default: 80x24], or at most of a terminal
    #[arg(long, value_name = "WxH")]
    pub(super) size: Option<SizeArg>,
    /// Print the final screen and exit: as text, or with --print=svg as a picture in colour
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text", value_parser = value::prints(), hide_possible_values = true)]
    pub(super) print: Option<PrintFormat>,
    /// Read keys line by line from standard input and write the lines that change: for screen readers and logs
    ///
    /// A line is what --keys takes, or the name of an action as `simscope config` lists it; an empty line is Enter.
    #[arg(long, conflicts_with = "print")]
    pub(super) plain: bool,
    /// Colours for: auto, dark, light, contrast, mono; auto asks COLORFGBG, else dark [default: auto]
    #[arg(long, value_name = "THEME", value_parser = value::themes(), hide_possible_values = true)]
    pub(super) theme: Option<ThemeChoice>,
    /// Keep the labels you give by eye in this file [default: labels.jsonl in the user's data folder; with
    /// --print, nowhere]
    #[arg(long, value_name = "FILE")]
    pub(super) labels: Option<PathBuf>,
    /// Begin with the marks of an earlier review: marks.jsonl, as the explorer writes it
    #[arg(long, value_name = "FILE")]
    pub(super) marks: Option<PathBuf>,
    /// Let pairs that are marked as no duplicates make groups all the same
    #[arg(long)]
    pub(super) all_pairs: bool,
    /// Open the corpus as if it were new: not with the recipe, k, filter, order and columns it was left with
    #[arg(long)]
    pub(super) fresh: bool,
}

impl ExplorerArgs {
    /// Refuses options of the explorer before a command, which would be ignored.
    pub(super) fn refuse(&self) -> anyhow::Result<()> {
        let given = [
            (self.keys.is_some(), "--keys"),
            (self.size.is_some(), "--size"),
            (self.print.is_some(), "--print"),
            (self.plain, "--plain"),
            (self.theme.is_some(), "--theme"),
            (self.labels.is_some(), "--labels"),
            (self.marks.is_some(), "--marks"),
            (self.all_pairs, "--all-pairs"),
            (self.fresh, "--fresh"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => {
                anyhow::bail!(
                    "{option} is for the explorer; leave it out, or leave out the command"
                )
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn shared_options_stand_before_or_after_the_command() {
        for line in ["simscope -k 5 --bits 32 pairs x", "simscope pairs x --bits 32 -k 5"] {
            let args = Args::try_parse_from(line.split(' ')).unwrap();
            assert_eq!((args.search.distance, args.recipe.bits.clone()), (Some(5), vec![32]));
            let Some(Command::Pairs(given)) = args.command else { panic!("{line}") };
            assert_eq!(given.paths, [PathBuf::from("x")]);
        }
    }

    #[test]
    fn a_folder_may_be_called_like_a_command_if_a_path_says_so() {
        let args = Args::try_parse_from(["simscope", "./pairs"]).unwrap();
        assert!(args.command.is_none());
    }
}
