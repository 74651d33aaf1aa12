//! The options of reading.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::{
    analysis::filter::Filter,
    cli::value,
    corpus::{FingerprintType, InputFormat, TextEncoding},
};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Compare each document with the documents of this PATH only, such as an archive; can be repeated
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) reference: Vec<PathBuf>,
    /// How files become documents: auto, text, lines, jsonl, csv, tsv, fingerprints [default: auto]
    #[arg(long, global = true, value_name = "FORMAT", value_parser = value::input_formats(), hide_possible_values = true)]
    pub(crate) input_format: Option<InputFormat>,
    /// The field or column that holds the text; doc.text is the field text inside doc [default: text]
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
    #[arg(long, global = true, value_name = "TYPE", value_parser = value::fingerprint_types(), hide_possible_values = true)]
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
