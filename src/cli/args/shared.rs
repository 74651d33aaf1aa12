//! The options that the explorer and most commands have: recipe, reading, searching, writing.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::analysis::LayoutChoice;
use crate::analysis::filter::Filter;
use crate::cli::value::{self, Glyphs, PresetChoice};
use crate::corpus::{FingerprintType, InputFormat, TextEncoding};
use crate::export::OutputFormat;
use crate::feature::{DocumentShare, Shingling, ShortTexts, Weighting};
use crate::simhash::{HashFunction, Recipe, TieRule};
use crate::text::{Case, NormalForm, Split, Stem};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Input")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct InputArgs {
    /// Compare each document with the documents of this PATH only, such as an archive; can be repeated
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) reference: Vec<PathBuf>,
    /// How files become documents [default: auto]
    #[arg(long, global = true, value_name = "FORMAT", value_parser = value::choice::<InputFormat>())]
    pub(crate) input_format: Option<InputFormat>,
    /// The fields or columns that hold the text, with commas between them; doc.text is the field text inside doc,
    /// turns[].text that of each item of turns [default: text]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) text_field: Option<String>,
    /// The field or column that holds the id [default: id, where a row has it]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) id_field: Option<String>,
    /// The field or column that holds the title [default: title, headline, name or subject, where a row has it]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) title_field: Option<String>,
    /// The field that holds a fingerprint, to use instead of text [default: fingerprint, where a row
    /// has no text]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) fingerprint_field: Option<String>,
    /// The field that holds hashed features, to use instead of text: [hash, ..], [[hash, weight], ..] or
    /// {hash: weight, ..}
    ///
    /// A hash is a number of 64 bits, which may be in quotes: decimal, or hex after 0x. Only bits and tie of the recipe
    /// apply.
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "fingerprint_field")]
    pub(crate) hashes_field: Option<String>,
    /// The field of a JSON object that holds the list of rows [default: its first list of objects, unless it has a text]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) records: Option<String>,
    /// Leave out the lines of a mail that begin with >
    #[arg(long, global = true)]
    pub(crate) no_quotes: bool,
    /// The character set of texts: utf-8, auto, or a name such as windows-1252, big5 or gb18030 [default: utf-8]
    ///
    /// auto decides by the first 8 KB of an input unless they are UTF-8. A byte order mark takes precedence.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) encoding: Option<TextEncoding>,
    /// The character between the cells of CSV: one character, or tab [default: by the first row]
    #[arg(long, global = true, value_name = "C", value_parser = value::delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// The character that CSV writes before a quote within a quoted cell, as in "a \\" b" [default: none, a
    /// quote is doubled]
    #[arg(long, global = true, value_name = "C", value_parser = value::delimiter)]
    pub(crate) csv_escape: Option<u8>,
    /// CSV and TSV have no header: columns are named 1, 2, 3
    #[arg(long, global = true)]
    pub(crate) no_header: bool,
    /// How fingerprints are written in strings and cells: hex, uint64, int64 [default: hex]
    ///
    /// int64 is the two's complement of the bits, as in Spark and Java. Numbers in JSON are always decimal.
    #[arg(long, global = true, value_name = "TYPE", value_parser = value::choice::<FingerprintType>(), hide_possible_values = true)]
    pub(crate) fp_type: Option<FingerprintType>,
    /// Take only the documents that pass this filter, as if there were no others
    ///
    /// For example 'label:earn words>50 -draft "low tide"': all terms must hold. `simscope help filter` explains
    /// the terms. The filter is applied before anything is searched or counted: documents that fail are in no row, no
    /// group and no copy of the corpus.
    #[arg(long = "where", global = true, value_name = "FILTER", value_parser = value::filter, allow_hyphen_values = true)]
    pub(crate) filter: Option<Filter>,
    /// Read only those files in folders that match, such as "*.md"
    #[arg(long, global = true, value_name = "GLOB")]
    pub(crate) glob: Option<String>,
    /// Follow symbolic links in folders
    #[arg(long, global = true)]
    pub(crate) follow_links: bool,
    /// Name each file that is passed over (hidden, binary, link, not matched) and each problem, not three of a kind
    #[arg(long, global = true)]
    pub(crate) list_skipped: bool,
    /// The most bytes of a document, after decompression, such as 16M; at most 256M [default: 64M]
    #[arg(long, global = true, value_name = "SIZE", value_parser = value::document_bytes)]
    pub(crate) max_document: Option<u64>,
    /// The most that a compressed file may grow, as a multiple of its size; 128M are always allowed [default: 200]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) max_expansion: Option<u64>,
    /// The most bytes in the temporary file, for compressed rows and standard input [default: 32G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = value::bytes)]
    pub(crate) max_spool: Option<u64>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// The largest distance, in bits, that counts as near [default: 3]
    #[arg(short = 'k', long, global = true, value_name = "N", value_parser = value::distance)]
    pub(crate) distance: Option<u32>,
    /// Choose -k so that about 95 % of the texts this similar are found, and keep only pairs whose texts are that similar
    ///
    /// Of pairs, groups, dedup, query and the explorer. The similarity is the set cosine of 3-word shingles, or that of
    /// --alike and --truth-features: above 0, at most 1. k comes from the pairs of this corpus at that similarity, or
    /// from theory where there are fewer than 100; a note names k, what it finds, and the cost.
    #[arg(long, global = true, value_name = "S", value_parser = value::tau, conflicts_with_all = ["distance", "tau"])]
    pub(crate) similarity: Option<f64>,
    /// Cut fingerprints into M blocks, more than the distance [default: chosen by cost]
    ///
    /// M/N cuts the rest behind the leading blocks into N blocks again. Blocks choose the tables that the
    /// explorer, explain and tune --layouts show and measure. They change no search: pairs and groups are found
    /// in the cheapest way, query compares with every fingerprint, and the results of all three do not depend
    /// on the blocks.
    #[arg(long, global = true, value_name = "M", value_delimiter = ',', value_parser = value::blocks)]
    pub(crate) blocks: Vec<LayoutChoice>,
    /// Use M bands of K bits instead: pairs farther apart than M - 1 may be missed
    ///
    /// A search by bands keeps all pairs in memory; every other search does not.
    #[arg(long, global = true, value_name = "MxK", value_delimiter = ',', value_parser = value::bands)]
    pub(crate) bands: Vec<LayoutChoice>,
    /// The number of threads [default: one for each core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// How rows are written: table, jsonl, csv, tsv, and in builds with columnar parquet, arrow [default: table
    /// on a terminal, else jsonl]; a report: html
    #[arg(short, long, global = true, value_name = "FORMAT", value_parser = value::formats(), hide_possible_values = true)]
    pub(crate) format: Option<OutputFormat>,
    /// Write rows to this file, replaced only on success
    #[arg(short, long, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print no notes and no progress, only warnings, errors and inputs that could not be read
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// The characters to draw with: unicode, ascii [default: by terminal and locale]
    #[arg(long, global = true, value_name = "GLYPHS", value_parser = value::choice::<Glyphs>(), hide_possible_values = true)]
    pub(crate) glyphs: Option<Glyphs>,
}

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
    /// The Unicode form of the text: none, nfc, nfkc, nfc-visible, nfkc-visible [default: nfc]
    #[arg(long, global = true, value_name = "FORM", value_parser = value::choice::<NormalForm>(), hide_possible_values = true)]
    pub(crate) norm: Option<NormalForm>,
    /// The case of the text: keep, lower [default: lower]
    #[arg(long, global = true, value_name = "CASE", value_parser = value::choice::<Case>(), hide_possible_values = true)]
    pub(crate) case: Option<Case>,
    /// How the text is cut: unicode, word, plain, python, ascii, japanese, chinese, traditional-chinese, thai [default:
    /// unicode]
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
    /// Leave the features of this text out of all texts: a menu, a licence, a signature
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) ignore: Option<String>,
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
