//! The commands turn a command line into rows. This is the only module that uses clap.
//!
//! ```text
//! argv -> args (as typed) -> options (checked) -> work (runs an analysis) -> one command -> report
//!                                                 notes on standard error     rows          table, jsonl,
//!                                                                                           csv, tsv
//! ```
//!
//! Results go to standard output or `-o FILE`, everything else to standard error. [`run`] returns an exit code, or a
//! request to open the explorer, which this module does not know.

mod args;
mod check;
mod cluster;
mod compare;
mod config;
mod dedup;
mod describe;
mod environment;
mod explain;
mod explain_json;
mod explore;
mod fingerprint;
mod groups;
mod index;
mod judged;
mod layouts;
mod lookup;
mod notes;
mod opened_index;
mod options;
mod pairs;
mod query;
mod recipe_args;
mod recorded;
mod report_file;
mod sheet;
mod similarity;
mod suggest;
mod sweep;
mod table_pairs;
mod tune;
mod value;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::AnalysisError;
use crate::corpus::CorpusError;
use crate::export::OutputFormat;
use crate::kernel::isa;
pub use crate::present::settings::with_flags;
use args::{AlikeArgs, Args, ClusterAction, Command, PairsArgs, TuneArgs};
pub use explore::ExploreRequest;
use options::CommandRun;
use value::PresetChoice;

/// The outcome of a command line.
#[derive(Debug)]
pub enum Outcome {
    /// The command has ended, with this exit code: 0 done, 1 done but some input was skipped, 2 not done.
    Done(u8),
    /// The explorer must be opened.
    Explore(Box<ExploreRequest>),
}

/// Runs a command line, program name first, and returns its outcome.
///
/// Writes rows to standard output and messages to standard error; a closed pipe is success.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Outcome {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some(told) = args::renamed(&args) {
        notes::error(&told);
        return Outcome::Done(2);
    }
    let args = match args::parse(args) {
        Ok(args) => args,
        Err(message) => {
            if message.use_stderr() {
                // The message repeats the command line, which may hold control characters.
                notes::lines(&message.render().to_string());
            } else if let Err(error) = message.print() {
                // Help and version. A full disk is a failure, a closed pipe is not.
                return Outcome::Done(fail(&error.into()));
            }
            return Outcome::Done(message.exit_code() as u8);
        }
    };
    let level = isa::requested().map_err(anyhow::Error::msg);
    level.and_then(|_| dispatch(args)).unwrap_or_else(|error| Outcome::Done(fail(&error)))
}

fn dispatch(mut args: Args) -> anyhow::Result<Outcome> {
    if let Some(PresetChoice::List) = args.recipe.preset {
        return Ok(Outcome::Done(describe::presets()?));
    }
    let explored = match args.command.take() {
        None => explore::run(args)?,
        Some(Command::Learn(given)) if !given.sheet => explore::learn(args, given)?,
        Some(Command::Cluster { action: ClusterAction::Open(given) }) => {
            cluster::open(args, &given)?
        }
        Some(command) => return run_command(args, command).map(Outcome::Done),
    };
    Ok(Outcome::Explore(Box::new(explored)))
}

/// Runs a command that opens no explorer; the exit code.
fn run_command(mut args: Args, command: Command) -> anyhow::Result<u8> {
    args.explorer.refuse()?;
    refuse_format(&command, args.output.format)?;
    if let Command::Dedup(given) = &command
        && given.dropped.is_some()
    {
        args.output.output.clone_from(&given.dropped);
    }
    refuse_reference(&command, &args.input.reference)?;
    refuse_alike(&command, &args)?;
    if args.search.similarity.is_some() {
        similarity::refuse(&command)?;
    }
    let paths = std::mem::take(&mut args.paths);
    let run = |given: &[PathBuf]| CommandRun::new(&args, [&paths, given].concat());
    let similar = |given: &[PathBuf]| similarity::settle(run(given)?);
    match command {
        Command::Fingerprint(given) => {
            recorded(&run(&given.paths)?, |run| fingerprint::run(run, &given))
        }
        Command::Query(given) => recorded(&similar(&given.paths)?, |run| query::run(run, given.of)),
        Command::Index(given) => accounted(&run(&given.paths)?, index::run),
        Command::Pairs(PairsArgs { table_field: Some(field), max_pairs, paths, .. }) => {
            table_pairs::run(&run(&paths)?, &field, max_pairs)
        }
        Command::Cluster { action: ClusterAction::Plan { documents } } => {
            recorded(&run(&[])?, |run| cluster::plan(run, documents))
        }
        Command::Cluster { action: ClusterAction::Sql { dialect } } => {
            cluster::sql(&run(&[])?, dialect)
        }
        Command::Pairs(given) => recorded(&similar(&given.paths)?, |run| pairs::run(run, &given)),
        Command::Tune(TuneArgs { measure: Some(truth), pairs, paths: given, .. }) => {
            let run = CommandRun::comparing(&args, [paths, given].concat())?;
            recorded(&run, |run| layouts::measure(run, truth, pairs))
        }
        Command::Tune(given) => recorded(&run(&given.paths)?, |run| tune::run(run, &given)),
        Command::Labels(given) => accounted(&run(&given.paths)?, |run| judged::labels(run, &given)),
        Command::Groups(given) => recorded(&similar(&given.paths)?, |run| groups::run(run, &given)),
        Command::Dedup(given) => recorded(&similar(&given.paths)?, |run| dedup::run(run, &given)),
        Command::Explain(mut given) => {
            given.settle();
            recorded(&run(&given.paths)?, |run| explain::run(run, &given))
        }
        Command::Check(given) => recorded(&run(&given.paths)?, |run| check::run(run, &given)),
        Command::Sweep(given) => {
            sweep::refuse(&args.search)?;
            let run = CommandRun::sweeping(&args, [&paths, &*given.paths].concat())?;
            accounted(&run, |run| sweep::run(run, &given, &args.recipe))
        }
        Command::Compare(given) => recorded(&run(&given.paths)?, |run| compare::run(run, &given)),
        Command::Report(given) => {
            accounted(&run(&given.paths)?, |run| report_file::run(run, &given.judged))
        }
        Command::Help { topic } => describe::help(topic.as_deref()),
        Command::Completions { shell } => describe::completions(shell),
        Command::Man => describe::man(),
        Command::Learn(given) => {
            given.explorer.refuse()?;
            sheet::run(args.recipe.seed.unwrap_or(1))
        }
        Command::Cluster { action: ClusterAction::Open(_) } => {
            unreachable!("dispatch runs the commands that open the explorer")
        }
        Command::Config { check: true, file } => config::check(file),
        Command::Config { .. } => config::print_default(),
    }
}

/// Refuses formats of rows for a report, and formats of reports for commands that write rows.
fn refuse_format(command: &Command, format: Option<OutputFormat>) -> anyhow::Result<()> {
    match (command, format) {
        (Command::Report(_), Some(OutputFormat::Rows(format))) => {
            anyhow::bail!("--format {format} is for rows; write a report as html")
        }
        (Command::Index(_), Some(_)) => {
            anyhow::bail!(
                "--format is for rows and reports; an index has one format, so leave it out"
            )
        }
        (Command::Cluster { action: ClusterAction::Sql { .. } }, Some(_)) => {
            anyhow::bail!("--format is for rows and reports; a query is SQL, so leave it out")
        }
        (Command::Report(_), _) | (_, None | Some(OutputFormat::Rows(_))) => Ok(()),
        (_, Some(OutputFormat::Html)) => {
            anyhow::bail!("--format html is for report; write rows as table, jsonl, csv or tsv")
        }
    }
}

/// Refuses a reference for commands that look at one corpus.
fn refuse_reference(command: &Command, reference: &[PathBuf]) -> anyhow::Result<()> {
    let knows_it = matches!(
        command,
        Command::Pairs(_)
            | Command::Query(_)
            | Command::Groups(_)
            | Command::Dedup(_)
            | Command::Report(_)
    ) || matches!(command, Command::Tune(args) if !args.layouts && args.judged.truth.is_none());
    if knows_it || reference.is_empty() {
        return Ok(());
    }
    anyhow::bail!(
        "--reference is for pairs, query, groups, dedup, tune (without --layouts and --truth), report and the explorer; this \
         command looks at one corpus, so leave it out"
    )
}

/// Refuses options on alike texts where no cosine is asked for.
fn refuse_alike(command: &Command, args: &Args) -> anyhow::Result<()> {
    let AlikeArgs { alike, tau, .. } = &args.alike;
    match command {
        _ if !args.alike.is_given() || args.search.similarity.is_some() => Ok(()),
        Command::Dedup(_) if alike.is_none() && tau.is_none() => Ok(()),
        Command::Dedup(_) => anyhow::bail!(
            "a drop is checked by the share of its text that the kept document has: give --min-shared, and leave --alike \
             and --tau out"
        ),
        Command::Sweep(given) if given.truth.is_some() => anyhow::bail!(
            "--truth takes the true pairs from a file; leave --alike, --tau and --truth-features out"
        ),
        Command::Report(_) if !args.input.reference.is_empty() => anyhow::bail!(
            "options about the choice of k are for one corpus; leave --alike, --tau and --truth-features out, or leave \
             --reference out"
        ),
        Command::Tune(_) | Command::Sweep(_) | Command::Report(_) => Ok(()),
        _ => anyhow::bail!(
            "--alike, --tau and --truth-features are for tune, sweep, report and the explorer; leave them out; pairs of a \
             least cosine are `pairs --min-cosine`"
        ),
    }
}

/// Runs a command that writes rows, and writes their recipe and origin into a file beside them.
fn recorded(
    run: &CommandRun,
    command: impl FnOnce(&CommandRun) -> anyhow::Result<u8>,
) -> anyhow::Result<u8> {
    let code = accounted(run, command)?;
    recorded::write(run, code)?;
    Ok(code)
}

/// Runs a command, then names the documents that it could not read a second time.
fn accounted(
    run: &CommandRun,
    command: impl FnOnce(&CommandRun) -> anyhow::Result<u8>,
) -> anyhow::Result<u8> {
    let code = command(run)?;
    Ok(code.max(work::report_unread(run)))
}

/// Reports an error once; the exit code.
fn fail(error: &anyhow::Error) -> u8 {
    if is_closed_pipe(error) {
        return 0;
    }
    match error.downcast_ref() {
        Some(AnalysisError::Corpus(CorpusError::NothingLoaded { diagnostics, .. }))
            if diagnostics.len() > 1 =>
        {
            notes::diagnostics(diagnostics);
            notes::error(&"no document could be read, for the reasons above");
        }
        Some(AnalysisError::Unread { diagnostics, .. }) => {
            notes::diagnostics(diagnostics.iter().skip(1));
            notes::error(error);
        }
        _ => notes::error(&format_args!("{error:#}")),
    }
    2
}

/// Whether the reader of the output has closed the pipe, which is no failure of the program: it has seen enough.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<std::io::Error>();
        cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
