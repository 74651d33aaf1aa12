//! The evaluation of one layout for the screen, and the pairs behind its counts.

use std::{sync::Arc, time::Duration};

use super::{
    Alike, Analysis, AnalysisError, EvaluatedPair, Job, Lab, LayoutChoice, LayoutEvaluation,
    PairOutcome, TruthChoice, check_layout, job::timed, lab::width_of,
};

/// The evaluation of a layout, with the k and the choice that were asked for.
#[derive(Clone, Debug)]
pub struct LabRow {
    /// The evaluation.
    pub evaluation: Arc<LayoutEvaluation>,
    /// The k.
    pub k: u32,
    /// The choice of the user.
    pub choice: LayoutChoice,
}

/// Two lists of pairs of texts. If a row is pinned: the true pairs that this row finds and the pinned row does not,
/// and the reverse. Otherwise: the true pairs that this row misses, and the false pairs that it finds.
#[derive(Clone, Debug)]
pub struct EvaluationPairs {
    /// The pinned layout, if the row was compared with one.
    pub pinned: Option<String>,
    /// The layout of the row.
    pub layout: String,
    /// The pairs, and whether each is in the first list. The first list comes first; each has at most
    /// [`MOST_LISTED`].
    pub pairs: Vec<(EvaluatedPair, bool)>,
    /// The number of pairs of each list, including pairs that are not listed.
    pub totals: [u64; 2],
}

/// The most pairs of each list.
pub const MOST_LISTED: usize = 10_000;

impl EvaluationPairs {
    /// The pairs that `after` finds and `before` does not, and the reverse. Goes through all true pairs.
    pub(crate) fn gained_and_lost(
        lab: &Lab,
        before: &LayoutEvaluation,
        after: &LayoutEvaluation,
    ) -> Self {
        let (gained, lost) = lab.changes(before, after);
        Self::of_parts(Some(before.layout.clone()), after.layout.clone(), [gained, lost])
    }

    /// The true pairs that a row misses, and the false pairs that it finds. Goes through all true pairs and all
    /// pairs that the layout finds.
    ///
    /// # Errors
    /// As [`Truth::pairs`](super::Truth::pairs).
    pub(crate) fn missed_and_false(
        lab: &Lab,
        row: &LabRow,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let LabRow { evaluation, k, choice } = row;
        let pairs = |outcome| lab.pairs(outcome, *choice, evaluation.bits, *k, job);
        let parts = [pairs(PairOutcome::Missed)?, pairs(PairOutcome::False)?];
        Ok(Self::of_parts(None, evaluation.layout.clone(), parts))
    }

    fn of_parts(pinned: Option<String>, layout: String, parts: [Vec<EvaluatedPair>; 2]) -> Self {
        let totals = [parts[0].len() as u64, parts[1].len() as u64];
        let some = |part: Vec<EvaluatedPair>, is_first| {
            part.into_iter().take(MOST_LISTED).map(move |pair| (pair, is_first))
        };
        let [first, second] = parts;
        Self {
            pinned,
            layout,
            pairs: some(first, true).chain(some(second, false)).collect(),
            totals,
        }
    }
}

/// The result of the evaluation of a layout.
#[derive(Clone, Debug)]
pub struct EvaluationResult {
    /// The lab, which the next evaluation can use again, and its truth in words; `None` if it could not be
    /// prepared.
    pub lab: Option<(Arc<Lab>, String)>,
    /// The row; `None` if it was cancelled; or the reason why there is no row.
    pub row: Result<Option<LabRow>, String>,
    /// The time it took.
    pub took: Duration,
}

impl EvaluationResult {
    /// Evaluates `layout`, one of `wanted`, in the given lab or a new one. A new lab takes seconds to minutes.
    pub(crate) fn new(
        analysis: &Analysis,
        lab: Option<Arc<Lab>>,
        tau: f64,
        layout: LayoutChoice,
        wanted: &[LayoutChoice],
        job: &Job,
    ) -> Self {
        let alike = Alike { tau, ..analysis.settings.alike };
        let new = || Lab::prepare(analysis, alike, TruthChoice::Auto, job).map(Arc::new);
        let prepare = || lab.map_or_else(new, Ok);
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
