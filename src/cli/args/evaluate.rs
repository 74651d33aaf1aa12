//! The commands that measure quality by exact cosines: evaluate, sweep.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::{
    analysis::{Alike, AlikeBy, PairOutcome, TruthChoice},
    cli::value,
    feature::Shingling,
};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Alike")]
pub(crate) struct AlikeArgs {
    /// The texts that are alike, and so true pairs: set, tf-idf, recipe [default: set]
    ///
    /// set takes the cosine of sets of shingles, whatever the recipe; tf-idf that of single words weighted by tf-idf,
    /// as the lab does; recipe that of the recipe's own features and weights.
    #[arg(long, global = true, value_name = "HOW", value_parser = value::alike(), hide_possible_values = true)]
    pub(crate) alike: Option<AlikeBy>,
    /// The least cosine of texts that are alike: above 0, at most 1 [default: 0.8]
    #[arg(long, global = true, value_name = "T", value_parser = value::tau)]
    pub(crate) tau: Option<f64>,
    /// The features of these texts [default: words:3; with tf-idf words:1, with recipe its own]
    #[arg(long, global = true, value_name = "SHINGLES")]
    pub(crate) truth_features: Option<Shingling>,
    #[arg(long, global = true, hide = true, value_parser = value::truth_weights)]
    pub(crate) truth_weights: Option<String>,
    #[arg(long, global = true, hide = true, num_args = 0..=1, default_missing_value = "", value_parser = value::drop_dominated)]
    pub(crate) drop_dominated: Option<String>,
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
#[command(next_help_heading = "Truth")]
pub(crate) struct TruthArgs {
    /// How true pairs are found: auto, exact, sampled [default: auto, which is exact if that takes minutes at most]
    ///
    /// Sampled draws 10,000 texts at random, finds all true pairs of these texts, and
    /// estimates recall_distinct from them, with a 95 % interval; the recall of documents stays empty, since a
    /// few texts with many copies may decide it. A corpus with fewer texts is evaluated exactly.
    #[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
    #[arg(long, value_name = "HOW", value_parser = value::truths(), hide_possible_values = true)]
    pub(crate) truth: Option<TruthChoice>,
}

/// Evaluate layouts by exact cosines: the precision and recall of each
///
/// A pair of documents is true if its texts are alike (--alike); a layout's candidates
/// are the pairs that share a band, or for blocks the pairs within the distance. Rows: layout, bits,
/// candidates, predicted, tp, fp, fn, precision, recall, f1, recall_method, seconds, recall_low,
/// recall_high, recall_distinct (each text once, so without its copies), skew (candidates over
/// predicted), index_seconds, verify_seconds. Give --bands and --blocks several layouts, separated by
/// commas; without any: 3x12, 3x18, 3x22, 4x18, 5x18 and the usual blocks at -k. -f html and -f md
/// write a page for readers.
#[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
#[derive(Debug, ClapArgs)]
pub(crate) struct EvaluateArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) truth: TruthArgs,
    /// Write the pairs behind the counts instead: missed, false or true
    ///
    /// A row is a pair of documents with its distance and exact cosine, the highest cosine first, layout by
    /// layout. Missed pairs are true but no candidates, false pairs are candidates but not true. The number of
    /// rows is that of fn, fp or tp. Missed pairs need an exact truth.
    #[arg(long, value_name = "WHICH", value_parser = value::outcomes(), hide_possible_values = true, help_heading = "Truth")]
    pub(crate) pairs: Option<PairOutcome>,
}

/// Evaluate recipes by the true pairs: precision and recall of each at its best k
///
/// Every shingling with every weighting at every width, each at the k with the largest F1. Give
/// --features, --weights and --bits several values, separated by commas; without any: words:1, words:2,
/// words:3, words:4, chars:5; binary, tf, log-tf, tf-idf; 32, 64, 128. A pair of texts is true if they are
/// alike (--alike), which no recipe decides; or if a file of judgements says so.
/// Texts of equal features count once, since every recipe finds copies; --copies counts documents.
/// Rows: recipe (what --recipe takes), k, pairs (of documents within k), precision, recall, f1,
/// recall_method (exact; judged: a share of the judged pairs, with 95 % intervals), seconds, tp, fp, fn,
/// precision_low, precision_high, recall_low, recall_high, settled (whether no k beyond the counted pairs
/// can be better).
#[expect(clippy::doc_markdown, reason = "help is shown as it stands")]
#[derive(Debug, ClapArgs)]
pub(crate) struct SweepArgs {
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Count pairs of documents, including copies, instead of pairs of different texts
    #[arg(long, help_heading = "Truth", conflicts_with = "truth")]
    pub(crate) copies: bool,
    /// Take the judgements of this file instead of cosines: columns id1, id2, label
    #[arg(long, value_name = "FILE", help_heading = "Truth")]
    pub(crate) truth: Option<PathBuf>,
    /// The file names every near-duplicate: all other pairs are no near-duplicates
    #[arg(long, requires = "truth", help_heading = "Truth")]
    pub(crate) complete_truth: bool,
}
