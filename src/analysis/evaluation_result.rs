//! One layout measured against exact cosines, and the true pairs that another finds and it does not.

use std::{sync::Arc, time::Duration};

use super::{
    Analysis, AnalysisError, FoundDifference, Job, Lab, LayoutChoice, LayoutEvaluation, TruthSpec,
    check_layout, job::timed, lab::width_of,
};

/// A layout that was tried.
#[derive(Clone, Debug)]
pub struct LabRow {
    /// Its evaluation.
    pub evaluation: Arc<LayoutEvaluation>,
    /// The k it was tried for.
    pub k: u32,
    /// The choice that asked for it.
    pub choice: LayoutChoice,
}

/// True pairs that one row finds and the pinned one does not, and the other way round.
#[derive(Clone, Debug)]
pub struct EvaluationDifferences {
    /// The pinned layout, then the other.
    pub names: [String; 2],
    /// The pairs, and whether each was gained; those gained first, at most [`MOST_LISTED`] of either.
    pub pairs: Vec<(FoundDifference, bool)>,
    /// All that were gained, and all that were lost.
    pub totals: [u64; 2],
}

/// Pairs listed of those gained, and of those lost: the texts most alike.
pub const MOST_LISTED: usize = 10_000;

impl EvaluationDifferences {
    /// The pairs that `after` finds and `before` does not, and the other way round. Goes through all true
    /// pairs.
    pub(crate) fn new(lab: &Lab, before: &LayoutEvaluation, after: &LayoutEvaluation) -> Self {
        let (gained, lost) = lab.changes(before, after);
        let totals = [gained.len() as u64, lost.len() as u64];
        let some = |changes: Vec<FoundDifference>, gained| {
            changes.into_iter().take(MOST_LISTED).map(move |change| (change, gained))
        };
        let pairs = some(gained, true).chain(some(lost, false)).collect();
        let names = [before.layout.clone(), after.layout.clone()];
        Self { names, pairs, totals }
    }
}

/// The result of trying a layout.
#[derive(Clone, Debug)]
pub struct EvaluationResult {
    /// The lab, ready for the next one, and its truth in words; `None` where it could not be made ready.
    pub lab: Option<(Arc<Lab>, String)>,
    /// The row; `None` if it was cancelled, or the reason why there is none.
    pub row: Result<Option<LabRow>, String>,
    /// The time it took.
    pub took: Duration,
}

impl EvaluationResult {
    /// Tries `layout`, one of those `wanted` together, in the present lab or a new one. A new one takes
    /// seconds to minutes.
    pub(crate) fn new(
        analysis: &Analysis,
        lab: Option<Arc<Lab>>,
        tau: f64,
        layout: LayoutChoice,
        wanted: &[LayoutChoice],
        job: &Job,
    ) -> Self {
        let spec = TruthSpec { tau, ..TruthSpec::default() };
        let prepare = || lab.map_or_else(|| Lab::prepare(analysis, spec, job).map(Arc::new), Ok);
        let (prepared, preparing_took) = timed(prepare);
        let mut lab = match prepared {
            Ok(lab) => lab,
            Err(error) => {
                return Self { lab: None, row: message_of(error, None), took: preparing_took };
            }
        };
        let mut attempt = || {
            let bits = width_of(layout, wanted, lab.bits());
            let k = analysis.settings.k;
            check_layout(bits, layout, k)?;
            Arc::make_mut(&mut lab).widen(bits, job)?;
            let evaluation = Arc::new(lab.evaluation(layout, bits, k, job)?);
            Ok::<_, AnalysisError>(LabRow { evaluation, k, choice: layout })
        };
        let (row, took) = timed(&mut attempt);
        let row = row.map(Some).or_else(|error| message_of(error, Some(layout)));
        let truth = lab.truth().describe();
        Self { lab: Some((lab, truth)), row, took: preparing_took + took }
    }
}

/// Turns an error into a message about a layout; `None` if it was cancelled.
fn message_of(
    error: AnalysisError,
    layout: Option<LayoutChoice>,
) -> Result<Option<LabRow>, String> {
    match (error, layout) {
        (AnalysisError::Cancelled(_), _) => Ok(None),
        (error, Some(LayoutChoice::Bands { bands, bits })) => {
            Err(format!("{bands}x{bits}: {error}"))
        }
        (error, _) => Err(error.to_string()),
    }
}
