//! `simscope sweep`: recipes side by side, one row for each at its best k; a note names the best of all.

use anyhow::bail;

use super::args::{RecipeArgs, SearchArgs, SweepArgs};
use super::judged::read_judgements;
use super::options::CommandRun;
use super::work::{finish, staged};
use crate::analysis::sweep::sweep;
use crate::analysis::{AnalysisDepth, Reference, Stage, SweepGrid, SweptRecipe};
use crate::evaluate::distances::CountMethod;
use crate::facts::recipes::recipes as columns;
use crate::number::counted;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &SweepArgs, recipe: &RecipeArgs) -> anyhow::Result<u8> {
    let grid = grid(recipe);
    let recipes = grid.settings(&run.settings);
    for settings in &recipes {
        settings.check()?;
    }
    let read = args.truth.as_ref().map(|path| read_judgements(run, path)).transpose()?;
    let (judgements, code_of_judgements) = read.unzip();
    let (analysis, code) = finish(run, AnalysisDepth::Fingerprints)?;
    let reference = match judgements {
        Some(judgements) => {
            Reference::by_judgement(&analysis.corpus, &judgements, args.complete_truth)?
        }
        None => staged(run, Stage::Count, |job| {
            Reference::of_corpus(&analysis.corpus, &run.settings, job)
        })?,
    };
    run.notes.note(&format_args!("true pairs: {}", reference.title));
    if reference.method() == CountMethod::Judged {
        run.notes.note(
            &"pairs without a judgement are not counted, so a k can bring many of them unnoticed; \
            if the file names every near-duplicate, give --complete-truth",
        );
        run.notes.note(
            &"the k of each row, and the best row, are chosen by the judgements that also measure them, \
            so the intervals are too narrow; judge other pairs to measure the chosen recipe",
        );
    }
    run.notes.note(&format_args!(
        "{} of {} take {}",
        counted(grid.n_cells() as u64, "row"),
        counted(analysis.len() as u64, "document"),
        counted(grid.fingerprintings() as u64, "fingerprinting"),
    ));
    let mut report = run.report(columns());
    let mut best: Option<SweptRecipe> = None;
    for settings in &recipes {
        let swept = staged(run, Stage::Fingerprint, |job| {
            sweep(&analysis.corpus, settings, &grid.widths, &reference, job)
        })?;
        for one in swept {
            let row = (one, &reference);
            report.row(&row)?;
            let (one, _) = row;
            if best.as_ref().is_none_or(|best| best.at_best().f1() < one.at_best().f1()) {
                best = Some(one);
            }
        }
    }
    report.finish()?;
    if let Some(best) = best {
        report_best(run, &best, &reference);
    }
    Ok(code.max(code_of_judgements.unwrap_or(0)))
}

/// Refuses options whose value a sweep chooses.
pub(super) fn refuse(search: &SearchArgs) -> anyhow::Result<()> {
    if search.distance.is_some() {
        bail!("sweep looks for the best k of each recipe; leave -k out");
    }
    if !search.blocks.is_empty() || !search.bands.is_empty() {
        bail!(
            "sweep compares recipes, whatever the tables; leave --blocks and --bands out, or use tune --layouts --measure"
        );
    }
    Ok(())
}

fn grid(asked: &RecipeArgs) -> SweepGrid {
    // Each recipe once, in the order of the options.
    fn or<T: Clone + PartialEq>(asked: &[T], usual: Vec<T>) -> Vec<T> {
        let is_first = |(at, one): &(usize, &T)| !asked[..*at].contains(one);
        let once = asked.iter().enumerate().filter(is_first).map(|(_, one)| one.clone());
        if asked.is_empty() { usual } else { once.collect() }
    }
    let usual = SweepGrid::default();
    SweepGrid {
        features: or(&asked.features, usual.features),
        weights: or(&asked.weights, usual.weights),
        widths: or(&asked.bits, usual.widths),
    }
}

/// The best row in words, and how to use it.
fn report_best(run: &CommandRun, best: &SweptRecipe, reference: &Reference) {
    let (Some(k), Some(f1)) = (best.k(), best.at_best().f1()) else {
        run.notes.note(&"no recipe finds a true pair at any k");
        return;
    };
    run.notes.note(&format_args!(
        "the largest F1, {f1:.4} with {} recall, has --recipe {:?} -k {k}",
        reference.method(),
        best.settings.recipe.short(),
    ));
}
