//! `simscope compare`: the pairs that one recipe finds and another does not, one row for each pair.

use anyhow::bail;

use super::args::CompareArgs;
use super::notes;
use super::options::CommandRun;
use super::recipe_args::read_files;
use super::work::{finish, staged};
use crate::analysis::changes::{ChangeSide, MOST_CHANGES};
use crate::analysis::{
    AnalysisDepth, AnalysisInput, Changes, LayoutChoice, Settings, Stage, run_to,
};
use crate::facts::pairs::{ChangeRow, changes as columns};
use crate::number::{counted, grouped};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &CompareArgs) -> anyhow::Result<u8> {
    let mut recipe = args.against.clone();
    read_files(&mut recipe)?;
    let against = Settings {
        recipe,
        k: args.against_k.unwrap_or(run.settings.k),
        layout: LayoutChoice::Auto,
        alike: run.settings.alike,
    };
    against.check()?;
    let (after, code) = finish(run, AnalysisDepth::Index)?;
    let summary = after.corpus.summary();
    if summary.fingerprints > 0 && summary.fingerprints == after.len() as u64 {
        bail!(
            "all rows carry fingerprints and no text, so no recipe changes them; compare needs the texts"
        );
    }
    let work = AnalysisInput::Refingerprint(after.corpus.clone(), None);
    let before = staged(run, Stage::Fingerprint, |job| {
        run_to(AnalysisDepth::Index, work, against.clone(), job, &mut |_| {})
    })?;
    let index = before.index.clone().expect("this depth has an index");
    let before = ChangeSide { settings: against, index };
    let changes = staged(run, Stage::Pair, |job| before.compare(&after, &job.progress))?;
    run.write_rows(columns(), ChangeRow::all(&changes, &after.corpus))?;
    report_changes(run, &changes.before, &changes);
    Ok(code)
}

fn report_changes(run: &CommandRun, against: &Settings, changes: &Changes) {
    let (gained, lost) = (&changes.gained, &changes.lost);
    let kept = changes
        .n_both()
        .map_or_else(String::new, |both| format!(", {} found by both", grouped(both)));
    run.notes.note(&format_args!(
        "{} gained, {} lost{kept}: {} within {}, against {} within {}",
        counted(gained.n_pairs, "pair"),
        grouped(lost.n_pairs),
        run.settings.recipe.short(),
        run.settings.k,
        against.recipe.short(),
        against.k,
    ));
    for (kind, name) in [(gained, "gained"), (lost, "lost")] {
        if kind.is_cut {
            let most = grouped(MOST_CHANGES as u64);
            notes::warning(&format_args!(
                "more pairs were {name} than are written: only the nearest {most} pairs of fingerprints are"
            ));
        }
    }
}
