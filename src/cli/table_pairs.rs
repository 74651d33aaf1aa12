//! `simscope pairs --table-field`: one part of a search on many machines, as a filter of Arrow streams.
//!
//! Each row of the input is a fingerprint and the number of a table. The rows of all parts together hold each
//! fingerprint once for each table, and fingerprints of equal keys are in one part. Then the pairs of all parts
//! together are all near pairs, each once.

use anyhow::{bail, ensure};

use super::options::CommandRun;
use crate::analysis::LayoutChoice;

/// Runs the command; the exit code.
#[cfg(feature = "columnar")]
pub(super) fn run(run: &CommandRun, table_field: &str, most: Option<u64>) -> anyhow::Result<u8> {
    use std::ops::ControlFlow;
    use std::sync::{Mutex, PoisonError};

    use crate::facts::cluster::part_pairs;
    use crate::index::visit_pairs_of_table;
    use crate::number::counted;
    use crate::progress::Progress;

    check(run)?;
    let (width, k) = (run.settings.recipe.bits, run.settings.k);
    let layout = run.settings.layout(0)?;
    let parts = read_parts(run, table_field)?;
    let n_tables = layout.tables().len();
    if let Some(table) = parts.keys().find(|&&table| table >= n_tables as u64) {
        bail!(
            "column \"{table_field}\" has {table}, and {} blocks at k = {k} have tables 0 to {}; give \
             --blocks and -k as for the masks",
            layout.block_list().len(),
            n_tables - 1
        );
    }
    let mut report = run.report(part_pairs());
    // A column of numbers says nothing of it.
    report.forget_recipe();
    let (n_rows, progress) = (parts.values().map(Vec::len).sum::<usize>(), Progress::new());
    let mut outcome = Mutex::new((report, 0_u64, None));
    for (table, values) in parts {
        let wide = values.iter().find(|&&value| width < 64 && value >> width > 0);
        ensure!(
            wide.is_none(),
            "column \"{}\" has more than {width} bits; give --bits 64",
            fingerprint_field(run)
        );
        let _ = visit_pairs_of_table(values, &layout, table as usize, k, &progress, &|pairs| {
            let Ok(mut outcome) = outcome.lock() else { return ControlFlow::Break(()) };
            let (report, n_pairs, failed) = &mut *outcome;
            *n_pairs += pairs.len() as u64;
            if most.is_some_and(|most| *n_pairs > most) {
                return ControlFlow::Break(());
            }
            *failed = pairs.iter().try_for_each(|pair| report.row(pair)).err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let (_, n_pairs, failed) = outcome.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failed.take() {
            return Err(error.into());
        }
        // Nobody reads the messages of a part that succeeds, so a part that is not complete must fail.
        if let Some(most) = most.filter(|most| *n_pairs > *most) {
            bail!(
                "more than {} in this part, which --max-pairs does not allow; raise it, or give a smaller -k",
                counted(most, "pair")
            );
        }
    }
    let (report, n_pairs, _) = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.finish()?;
    run.notes.note(&format_args!(
        "{} within {k} among {}",
        counted(n_pairs, "pair"),
        counted(n_rows as u64, "row")
    ));
    Ok(0)
}

/// The column of the fingerprints.
#[cfg(feature = "columnar")]
fn fingerprint_field(run: &CommandRun) -> &str {
    run.load.fingerprint_field.as_deref().unwrap_or("fingerprint")
}

/// The fingerprints of the stream by the number of their table.
#[cfg(feature = "columnar")]
fn read_parts(
    run: &CommandRun,
    table_field: &str,
) -> anyhow::Result<std::collections::BTreeMap<u64, Vec<u64>>> {
    use crate::corpus::{Input, read_number_stream};

    let [input @ (Input::Stdin | Input::Path(_))] = &run.inputs[..] else {
        bail!("--table-field reads one Arrow stream; name - for standard input");
    };
    let mut parts = std::collections::BTreeMap::<u64, Vec<u64>>::new();
    let names = [fingerprint_field(run), table_field];
    read_number_stream(input, names, run.load.limits, &mut |fingerprint, table| {
        parts.entry(table).or_default().push(fingerprint);
    })?;
    Ok(parts)
}

/// Refuses the command, since this build reads no Arrow streams.
#[cfg(not(feature = "columnar"))]
pub(super) fn run(run: &CommandRun, _: &str, _: Option<u64>) -> anyhow::Result<u8> {
    check(run)?;
    bail!("this build reads no Arrow streams; build with --features columnar")
}

fn check(run: &CommandRun) -> anyhow::Result<()> {
    ensure!(run.settings.recipe.bits <= 64, "--table-field is for fingerprints of at most 64 bits");
    ensure!(
        matches!(run.settings.layout, LayoutChoice::Blocks(_)),
        "--table-field needs --blocks M, as `simscope cluster plan` gave the masks for"
    );
    Ok(())
}
