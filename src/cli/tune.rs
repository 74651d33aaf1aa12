//! `simscope tune`: what each k does, one row for each k, and which k to take.

use std::sync::Arc;

use super::{
    args::{JudgedArgs, TuneArgs},
    judged, layouts,
    options::CommandRun,
    work::{finish, search, staged},
};
use crate::{
    analysis::{Advice, Analysis, AnalysisDepth, Stage, Tuning},
    evaluate::{
        distances::{CountMethod, Distances},
        recommend::PrecisionGoal,
    },
    facts::thresholds::{TunedRow, advice as columns_of_advice, tuned},
    number::counted,
};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &TuneArgs) -> anyhow::Result<u8> {
    if args.layouts {
        return layouts::predict(run);
    }
    if args.judged.is_asked() {
        return judged::run(run, args);
    }
    let (analysis, code) = finish(run, AnalysisDepth::PairsByDistance)?;
    let distances = search(run, &analysis, true, |index, job| Ok(index.distances(&job.progress)?))?;
    let advice = advise(run, &analysis, &distances, &args.judged)?;
    if args.advice {
        run.write_rows(columns_of_advice(), [advice])?;
        return Ok(code);
    }
    let index = analysis.index.as_deref().expect("this depth has an index");
    let (near, k) = (analysis.near.as_deref(), run.settings.k);
    let known = staged(run, Stage::Compare, |job| analysis.drops_at(k, job))?;
    let mut tuning = Tuning::new(index, near, Some(&distances), Some(Arc::new(advice)));
    tuning.rows[k as usize].dropped = known;
    run.write_rows(tuned(), TunedRow::all(&tuning))?;
    if tuning.method == Some(CountMethod::Sampled) {
        let draws = counted(u64::from(distances.draws().unwrap_or(0)), "pair");
        run.notes.note(&format_args!(
            "distances beyond {} are estimated from {draws} drawn at random, with 95 % intervals",
            tuning.reach.unwrap_or(0),
        ));
    }
    for sentence in tuning.conclusion(run.settings.k) {
        run.notes.note(&sentence);
    }
    Ok(code)
}

/// Recommends a k by cosines.
pub(super) fn advise(
    run: &CommandRun,
    analysis: &Analysis,
    distances: &Distances,
    args: &JudgedArgs,
) -> anyhow::Result<Advice> {
    Ok(staged(run, Stage::Compare, |job| analysis.advise(distances, aim(args), job))?)
}

/// The precision and confidence required of a k.
pub(super) fn aim(args: &JudgedArgs) -> PrecisionGoal {
    let usual = PrecisionGoal::default();
    PrecisionGoal {
        precision: args.target.unwrap_or(usual.precision),
        by_chance: args.by_chance.unwrap_or(usual.by_chance),
    }
}
