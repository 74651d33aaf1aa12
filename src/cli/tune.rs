//! `simscope tune`: what each k does, one row for each k, and which k to take. With judged pairs a row has the precision
//! that they show.

use std::sync::Arc;

use super::args::{JudgedArgs, TuneArgs};
use super::judged::LabelSource;
use super::layouts;
use super::options::CommandRun;
use super::work::{self, finish, staged};
use crate::analysis::{Advice, Analysis, AnalysisDepth, Assessment, Job, Stage, Tuning};
use crate::evaluate::distances::{CountMethod, Distances};
use crate::evaluate::recommend::PrecisionGoal;
use crate::facts::thresholds::{JudgedRow, TunedRow, advice as columns_of_advice, judged, tuned};
use crate::number::counted;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, args: &TuneArgs) -> anyhow::Result<u8> {
    if args.layouts {
        return layouts::predict(run);
    }
    if args.judged.is_asked() {
        return run_judged(run, args);
    }
    let (analysis, code) = finish(run, AnalysisDepth::PairsByDistance)?;
    let distances = work::distances(run, &analysis)?;
    let advice = advice(run, &analysis, None, &distances, &args.judged)?;
    if args.advice {
        run.write_rows(columns_of_advice(), [advice])?;
        return Ok(code);
    }
    let index = analysis.index.as_deref().expect("this depth has an index");
    let (near, k) = (analysis.near.as_deref(), run.settings.k);
    let known = staged(run, Stage::Compare, |job| analysis.drops_at(k, job))?;
    let mut tuning = Tuning::new(index, near, Some(&distances), Some(advice));
    tuning.rows[k as usize].dropped = known;
    run.write_rows(tuned(), TunedRow::all(&tuning))?;
    if tuning.method == Some(CountMethod::Sampled) {
        let draws = counted(u64::from(distances.draws.unwrap_or(0)), "pair");
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

/// Writes the precision of each k that judgements show; the exit code.
fn run_judged(run: &CommandRun, args: &TuneArgs) -> anyhow::Result<u8> {
    let (source, code_of_said) = LabelSource::read(run, &args.judged)?;
    let (analysis, code) = finish(run, AnalysisDepth::PairsByDistance)?;
    let labelling = source.labelling(run, &analysis)?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let distances = work::distances(run, &analysis)?;
    let assessment = source.assess(run, &analysis, &labelling, &distances, &args.judged)?;
    if args.advice {
        let advice = advice(run, &analysis, Some(&assessment), &distances, &args.judged)?;
        run.write_rows(columns_of_advice(), [advice])?;
        return Ok(code.max(code_of_said));
    }
    let tuning = Tuning::new(index, analysis.near.as_deref(), Some(&distances), None);
    run.write_rows(judged(), JudgedRow::all(&assessment.advice, &tuning.rows))?;
    let about_truth = assessment.about_one_sided_truth().filter(|_| args.judged.truth.is_some());
    for sentence in assessment.conclusion().into_iter().chain(about_truth) {
        run.notes.note(&sentence);
    }
    Ok(code.max(code_of_said))
}

/// Recommends a k by judgements, if there are enough, else by cosines.
pub(super) fn advice(
    run: &CommandRun,
    analysis: &Analysis,
    judged: Option<&Assessment>,
    distances: &Distances,
    args: &JudgedArgs,
) -> anyhow::Result<Arc<Advice>> {
    if let Some(judged) = judged.filter(|judged| judged.has_enough_labels()) {
        return Ok(Arc::clone(&judged.advice));
    }
    let advise = |job: &Job| analysis.advise(distances, aim(args), job);
    Ok(Arc::new(staged(run, Stage::Compare, advise)?))
}

/// The precision and confidence required of a k.
pub(super) fn aim(args: &JudgedArgs) -> PrecisionGoal {
    let usual = PrecisionGoal::default();
    PrecisionGoal {
        precision: args.target.unwrap_or(usual.precision),
        by_chance: args.by_chance.unwrap_or(usual.by_chance),
    }
}
