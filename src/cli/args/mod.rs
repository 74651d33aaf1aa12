//! The command line as typed. Every option is optional: the help names the defaults, and `options` applies them.
//!
//! Doc comments here are the help text: the first line for `-h`, all of it for `--help`. The help of a command is the
//! doc comment of its arguments. A struct that is flattened into another has none, because clap would show it instead.

#![expect(clippy::doc_markdown, reason = "help is shown as it stands")]

mod explorer;
mod find;
mod judge;
mod shared;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub(super) use explorer::{ExplorerArgs, LearnArgs};
pub(super) use find::{
    CheckArgs, ClusterAction, CompareArgs, DedupArgs, ExplainArgs, FingerprintArgs, GroupsArgs,
    IndexArgs, OpenArgs, PairsArgs, QueryArgs, QueryOf,
};
pub(super) use judge::{AlikeArgs, JudgedArgs, LabelsArgs, ReportArgs, SweepArgs, TuneArgs};
pub(super) use shared::{InputArgs, OutputArgs, RecipeArgs, SearchArgs};

use super::value::BITS_NOT_SHARE;

/// Examples, and the exit status.
const EXAMPLES: &str = include_str!("../../../assets/examples.txt").trim_ascii_end();

/// The options that the explorer and most commands have.
const SHARED: &str = "of recipe, reading, search and output";

/// The shared options that the first help of a command has.
const FIRST: [&str; 7] =
    ["distance", "features", "filter", "text_field", "format", "output", "quiet"];

/// The command line with its help in two parts: `-h` of a command has its own options and a few shared ones, `--help`
/// has all. Both of the program itself have none of the shared ones.
pub(super) fn command() -> clap::Command {
    let mut command = Args::command()
        .mut_args(|arg| {
            let is_later = arg.is_global_set() && !FIRST.contains(&arg.get_id().as_str());
            arg.hide_short_help(is_later)
        })
        .mut_subcommands(with_second_part)
        .after_help(format!(
            "`simscope COMMAND --help` lists all options: {SHARED}, too.\n\n{EXAMPLES}"
        ));
    // Gives the commands the shared options, so that those of the program itself can be hidden.
    command.build();
    command.mut_args(|arg| {
        let is_shared = arg.is_global_set();
        match arg.get_id().as_str() {
            "help" => arg.action(ArgAction::HelpShort).help("Print help"),
            _ => arg.hide_short_help(is_shared),
        }
    })
}

/// The command line that these words are, program name first.
pub(super) fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    let matches = command().try_get_matches_from(words).map_err(answered)?;
    let mut args = Args::from_arg_matches(&matches)?;
    args.recipe.given = given::<RecipeArgs>(&matches);
    args.explorer.given = given::<ExplorerArgs>(&matches);
    if let (Some(Command::Learn(learn)), Some((_, own))) = (&mut args.command, matches.subcommand())
    {
        learn.explorer.given = given::<ExplorerArgs>(own);
    }
    Ok(args)
}

/// Those of these options that a command line has, such as `--seed`, each with the number of its values.
fn given<O: clap::Args>(matches: &ArgMatches) -> Vec<(String, usize)> {
    let values = |option: &clap::Arg| {
        let (id, name) = (option.get_id().as_str(), option.get_long()?);
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        is_given.then(|| (format!("--{name}"), matches.get_raw(id).map_or(0, Iterator::count)))
    };
    O::augment_args(clap::Command::new("options")).get_arguments().filter_map(values).collect()
}

/// The command, whose first help names the second part.
fn with_second_part(command: clap::Command) -> clap::Command {
    command
        .after_help(format!("--help lists all options: {SHARED}, too."))
        .after_long_help("")
        .mut_subcommands(with_second_part)
}

/// Explore near-duplicate text with SimHash.
///
/// Without a command, simscope opens the explorer on the corpus; the commands print the same numbers
/// as rows. A PATH is a folder (each file of text a document), a text file, or JSONL, CSV or TSV (each row a
/// document), plain or compressed. Results go to standard output, messages to standard error.
#[derive(Debug, Parser)]
#[command(name = "simscope", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(disable_help_subcommand = true, next_line_help = false)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    /// Folders and files to read; - is standard input; left out: the bundled sample corpus
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) recipe: RecipeArgs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) alike: AlikeArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) explorer: ExplorerArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Fingerprint(FingerprintArgs),
    Query(QueryArgs),
    Pairs(PairsArgs),
    Groups(GroupsArgs),
    Dedup(DedupArgs),
    Tune(TuneArgs),
    Labels(LabelsArgs),
    Explain(ExplainArgs),
    Sweep(SweepArgs),
    Index(IndexArgs),
    /// Plan a search on many machines, write it as a query, or open what it found
    Cluster {
        /// What to do
        #[command(subcommand)]
        action: ClusterAction,
    },
    Compare(CompareArgs),
    Check(CheckArgs),
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
    Learn(LearnArgs),
    /// Print the man page of the command line
    Man,
    /// Print the configuration of the explorer with every default and its meaning
    Config {
        /// Check a configuration instead
        #[arg(long)]
        check: bool,
        /// The file to check [default: the one that the explorer reads]
        #[arg(requires = "check")]
        file: Option<PathBuf>,
    },
}

/// Words that people type for a command, each with the command that does it.
const RENAMED: [(&str, &str); 9] = [
    ("config check", "config --check"),
    ("evaluate", "tune --layouts --measure"),
    ("frequencies", "fingerprint --document-frequencies"),
    ("open", "cluster open"),
    ("plan", "cluster plan"),
    ("quiz", "learn --sheet"),
    ("sql", "cluster sql"),
    ("tour", "learn"),
    ("triage", "check"),
];

/// Options that are gone, or that other programs have, each with the answer to it.
const RETIRED: [(&str, &str); 10] = [
    ("--copies", "a sweep counts each text once; leave it out"),
    (
        "--drop-dominated",
        "each drop is checked against the text now; --min-shared 0 drops without the check",
    ),
    (
        "--health",
        "check flags the documents that mislead; for figures of the bits count those of `fingerprint -f csv`",
    ),
    (
        "--looks",
        "the bounds hold for a number of judgements that you choose before you begin; leave it out, with --labels or \
         --truth",
    ),
    (
        "--min-cosine",
        "each drop is checked by the share of its text (--min-shared), or by --similarity; pairs of a least cosine are \
         `pairs --min-cosine`",
    ),
    (
        "--print-marked",
        "w in Docs writes what you marked into a folder: marks.jsonl, beside dropped.jsonl and kept.jsonl",
    ),
    ("--threshold", BITS_NOT_SHARE),
    (
        "--tour",
        "the first screen says which key is next, and `simscope learn` has lessons on the real screens",
    ),
    ("--truth-weights", "it is now --alike set, tf-idf or recipe"),
    ("--watch", "run simscope index again: it reads all files if one has changed"),
];

/// The error of a command line; about a retired option it has the answer.
fn answered(error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let answer = RETIRED.iter().find(|(option, _)| option == typed);
    answer.map_or(error, |(option, answer)| {
        clap::Error::raw(ErrorKind::UnknownArgument, format!("{option}: {answer}\n"))
    })
}

/// The advice to a person whose command line begins with one of these words.
pub(super) fn renamed(line: &[OsString]) -> Option<String> {
    let words: Vec<_> = line.iter().skip(1).take(2).map(|word| word.to_string_lossy()).collect();
    let both = words.join(" ");
    let is_typed = |old: &str| old == both || words.first().is_some_and(|word| word == old);
    let (old, new) = RENAMED.iter().find(|(old, _)| is_typed(old))?;
    let file = format!("; a file of that name is ./{old}");
    Some(format!("{old} is `simscope {new}`{}", if old.contains(' ') { "" } else { &file }))
}

/// The command that does what this word is typed for, if it is such a word.
pub(super) fn new_name(word: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(old, _)| *old == word).map(|(_, new)| *new)
}

/// The words that are typed for a command.
pub(super) fn old_names<'a>() -> impl Iterator<Item = &'a str> {
    RENAMED.iter().map(|(old, _)| *old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        command().debug_assert();
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

    #[test]
    fn the_help_of_the_recipe_names_its_defaults() {
        let command = Args::command();
        let line = crate::simhash::Recipe::default().to_string();
        let parts: Vec<&str> = line.split([' ', '=']).collect();
        for option in ["features", "weights", "hash", "seed", "bits", "tie", "norm", "case"] {
            let argument = command.get_arguments().find(|it| it.get_id() == option).unwrap();
            let help = argument.get_help().unwrap().to_string();
            let (_, default) = help.split_once("[default: ").unwrap();
            assert!(parts.contains(&default.trim_end_matches(']')), "{option}: {help}");
        }
    }
}
