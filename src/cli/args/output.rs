//! The options of searching and of writing.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::{
    analysis::LayoutChoice,
    cli::value::{self, Glyphs},
    export::OutputFormat,
};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// The largest distance, in bits, that counts as near [default: 3]
    #[arg(short = 'k', long, global = true, value_name = "N", value_parser = value::distance)]
    pub(crate) distance: Option<u32>,
    #[arg(long, global = true, hide = true, aliases = ["similarity"], value_parser = value::similarity)]
    pub(crate) threshold: Option<String>,
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
    #[arg(long, global = true, value_name = "GLYPHS", value_parser = value::glyphs(), hide_possible_values = true)]
    pub(crate) glyphs: Option<Glyphs>,
}
