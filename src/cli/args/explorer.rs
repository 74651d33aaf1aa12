//! The options of the explorer, and the commands that open it.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::app::Size;
use crate::cli::value;
use crate::look::{PrintFormat, ThemeChoice};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Explorer")]
pub(crate) struct ExplorerArgs {
    /// Press these keys first, such as "5" or "jj<enter>"
    ///
    /// With --print the screen they lead to is printed. Each key is pressed when all work of the key before is done. The rest is dropped when you press a key.
    #[expect(rustdoc::invalid_html_tags, reason = "the help of an option, and no Markdown")]
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub(crate) keys: Option<String>,
    /// The screen that --print prints and --plain reads [default: 80x24, 119x24]
    ///
    /// Columns and rows; on a terminal the most to use.
    #[arg(long, value_name = "WxH", value_parser = value::size)]
    pub(crate) size: Option<Size>,
    /// Print the last screen and exit: text, svg, or film (a frame for each key)
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text", value_parser = value::choice::<PrintFormat>(), hide_possible_values = true)]
    pub(crate) print: Option<PrintFormat>,
    /// Read keys as lines, write lines that change: for screen readers and logs
    ///
    /// Keys come from standard input. A line is what --keys takes, or the name of an action as `simscope config` lists it; an empty line is Enter.
    #[arg(long, conflicts_with = "print")]
    pub(crate) plain: bool,
    /// Colours: auto, dark, light, contrast, mono [default: auto]
    ///
    /// auto uses COLORFGBG, else what the terminal answers, else dark.
    #[arg(long, value_name = "THEME", value_parser = value::choice::<ThemeChoice>(), hide_possible_values = true)]
    pub(crate) theme: Option<ThemeChoice>,
    /// Keep the labels you give by eye in this file [default: labels.jsonl]
    ///
    /// By default it is in the user's data folder; with --print there is none.
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Begin with the marks of an earlier review, marks.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) marks: Option<PathBuf>,
    /// Let pairs that are marked as no duplicates still make groups
    #[arg(long)]
    pub(crate) all_pairs: bool,
    /// Forget the recipe, k, filter, order and columns of the last time
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Those of these options that the command line has, each with the number of its values.
    #[arg(skip)]
    pub(crate) given: Vec<(String, usize)>,
}

impl ExplorerArgs {
    /// Refuses options of the explorer before a command, which would be ignored.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        if let Some((option, _)) = self.given.first() {
            anyhow::bail!("{option} is for the explorer; leave it out, or leave out the command")
        }
        Ok(())
    }
}

/// Open the explorer on the lessons, or on one of them
///
/// WHAT is the name of a lesson, such as tables or precision, or its number. Without WHAT the list of
/// lessons opens.
#[derive(Debug, ClapArgs)]
pub(crate) struct LearnArgs {
    /// A lesson by its name or number; left out: the list of lessons
    #[arg(value_name = "WHAT")]
    pub(crate) what: Option<String>,
    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print exercises for a class instead, with their answers, as Markdown; --seed N draws other numbers [default: 1]
    ///
    /// Nine exercises, from a fingerprint by hand to two texts that SimHash cannot distinguish. The same seed
    /// gives the same exercises.
    #[arg(long, conflicts_with_all = ["what", "paths"])]
    pub(crate) sheet: bool,
    /// The page of the lesson, from 1
    #[arg(long, value_name = "N", requires = "what")]
    pub(crate) page: Option<usize>,
    #[command(flatten)]
    pub(crate) explorer: ExplorerArgs,
}
