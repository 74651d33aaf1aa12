//! The Lab view: layouts held against exact cosines, a row each, as they were asked for.
//!
//! Rows stay until the recipe, the corpus or tau changes; one may be pinned, and the others told beside it.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use crate::{
    analysis::{
        Analysis, AnalysisError, Change, DEFAULT_TAU, Job, Lab, LayoutChoice, Likeness, Trial,
        check_layout, job::timed, lab::width_of,
    },
    app::{
        cursor::Cursor,
        layout::{Shape, Size},
        query,
        resource::Resource,
    },
};

/// The taus that can be asked for.
pub const TAUS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

/// What the Lab view remembers.
#[derive(Debug)]
pub struct LabState {
    /// The cosine from which a pair is true.
    pub tau: f64,
    /// What was tried, in the order it was asked for.
    pub rows: Vec<Row>,
    /// Selection among the rows.
    pub cursor: Cursor,
    /// The row that others are told beside.
    pub pinned: Option<usize>,
    /// Layouts still to try, each with those asked for together with it.
    pub queue: VecDeque<(LayoutChoice, Arc<[LayoutChoice]>)>,
    /// The layout being tried; still there where that was stopped.
    pub trying: Option<LayoutChoice>,
    /// Whether that was stopped.
    pub is_stopped: bool,
    /// What becomes of it.
    pub trial: Resource<query::Trial>,
    /// How long the rows, and all they rest on, took.
    pub took: Duration,
    /// Why layouts could not be tried, since layouts were last asked for.
    pub problems: Vec<String>,
    /// How many pairs are true, in words, once that is known.
    pub truth: Option<String>,
    /// The pairs gained and lost, on their way.
    pub changes: Resource<query::TrialChanges>,
    /// The pairs gained and lost against the pinned row, while they are listed.
    pub listed: Option<Listed>,
    /// The truth, once it is known.
    pub lab: Option<Arc<Lab>>,
    /// What the rows are of: the recipe, counted, and how many documents.
    pub(in crate::app) over: Option<(u64, usize)>,
}

impl Default for LabState {
    fn default() -> Self {
        Self {
            tau: DEFAULT_TAU,
            rows: Vec::new(),
            cursor: Cursor::default(),
            pinned: None,
            queue: VecDeque::new(),
            trying: None,
            is_stopped: false,
            trial: Resource::default(),
            changes: Resource::default(),
            took: Duration::ZERO,
            problems: Vec::new(),
            truth: None,
            listed: None,
            lab: None,
            over: None,
        }
    }
}

/// A layout that was tried.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it was found to be worth.
    pub trial: Arc<Trial>,
    /// The k it was tried for.
    pub k: u32,
    /// How it was asked for.
    pub(in crate::app) choice: LayoutChoice,
}

/// True pairs that one row finds and the pinned one does not, and the other way round.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The pinned layout, then the other.
    pub names: [String; 2],
    /// The pairs, and whether each was gained; those gained first, at most [`MOST_LISTED`] of either.
    pub pairs: Vec<(Change, bool)>,
    /// All that were gained, and all that were lost.
    pub totals: [u64; 2],
    /// Selection among them.
    pub cursor: Cursor,
}

/// Pairs listed of those gained, and of those lost: the texts most alike.
pub const MOST_LISTED: usize = 10_000;

impl Listed {
    /// What `after` finds and `before` does not, and the other way round. Goes through all true pairs.
    pub(in crate::app) fn new(lab: &Lab, before: &Trial, after: &Trial) -> Self {
        let (gained, lost) = lab.changes(before, after);
        let totals = [gained.len() as u64, lost.len() as u64];
        let some = |changes: Vec<Change>, gained| {
            changes.into_iter().take(MOST_LISTED).map(move |change| (change, gained))
        };
        let pairs = some(gained, true).chain(some(lost, false)).collect();
        let names = [before.layout.clone(), after.layout.clone()];
        Self { names, pairs, totals, cursor: Cursor::default() }
    }
}

impl LabState {
    /// The selected row.
    pub fn selected(&self) -> Option<&Row> {
        self.rows.get(self.cursor.selected)
    }

    /// The pinned row, if it is not the selected one.
    pub fn beside(&self) -> Option<&Row> {
        let pinned = self.pinned.filter(|&pinned| pinned != self.cursor.selected)?;
        self.rows.get(pinned)
    }

    /// Asks for layouts to be tried together: bands among them on the same width.
    pub(in crate::app) fn ask(&mut self, layouts: &[LayoutChoice]) {
        self.problems.clear();
        let batch: Arc<[LayoutChoice]> = layouts.into();
        self.queue.extend(layouts.iter().map(|&layout| (layout, Arc::clone(&batch))));
    }

    /// What was tried, is being tried, or waits for it, in that order.
    pub(in crate::app) fn all(&self) -> Vec<LayoutChoice> {
        let tried = self.rows.iter().map(|row| row.choice);
        let is_going_on = !self.is_stopped && !self.trial.was_told_to_stop();
        let trying = self.trying.filter(|_| is_going_on);
        let waiting = self.queue.iter().map(|&(layout, _)| layout);
        tried.chain(trying).chain(waiting).collect()
    }

    /// Forgets the rows, and all they rest on.
    pub(in crate::app) fn clear(&mut self) {
        self.trial.forget();
        self.changes.forget();
        let (tau, over) = (self.tau, self.over);
        *self = Self { tau, over, ..Self::default() };
    }
}

/// What became of a layout that was to be tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The lab, ready for the next one, and its truth in words; `None` where it could not be made ready.
    pub lab: Option<(Arc<Lab>, String)>,
    /// The row; `None` if that was stopped, or why there is none.
    pub row: Result<Option<Row>, String>,
    /// How long it took.
    pub took: Duration,
}

impl Tried {
    /// Tries `layout`, one of those `wanted` together, in the lab at hand or a new one. Takes seconds
    /// to minutes where there is none.
    pub(in crate::app) fn new(
        analysis: &Analysis,
        lab: Option<Arc<Lab>>,
        tau: f64,
        layout: LayoutChoice,
        wanted: &[LayoutChoice],
        job: &Job,
    ) -> Self {
        let likeness = Likeness { tau, ..Likeness::default() };
        let prepare =
            || lab.map_or_else(|| Lab::prepare(analysis, likeness, job).map(Arc::new), Ok);
        let (prepared, preparing_took) = timed(prepare);
        let mut lab = match prepared {
            Ok(lab) => lab,
            Err(error) => {
                return Self { lab: None, row: told(error, None), took: preparing_took };
            }
        };
        let mut attempt = || {
            let bits = width_of(layout, wanted, lab.bits());
            let k = analysis.settings.k;
            check_layout(bits, layout, k)?;
            Arc::make_mut(&mut lab).widen(bits, job)?;
            let trial = Arc::new(lab.trial(layout, bits, k, job)?);
            Ok::<_, AnalysisError>(Row { trial, k, choice: layout })
        };
        let (row, took) = timed(&mut attempt);
        let row = row.map(Some).or_else(|error| told(error, Some(layout)));
        let truth = lab.truth().describe();
        Self { lab: Some((lab, truth)), row, took: preparing_took + took }
    }
}

/// Nothing for a stop; else what to tell of a layout.
fn told(error: AnalysisError, layout: Option<LayoutChoice>) -> Result<Option<Row>, String> {
    match (error, layout) {
        (AnalysisError::Cancelled(_), _) => Ok(None),
        (error, Some(LayoutChoice::Bands { bands, bits })) => {
            Err(format!("{bands}x{bits}: {error}"))
        }
        (error, _) => Err(error.to_string()),
    }
}

/// Rows of the list on a screen of this size, its header not counted.
pub fn lab_rows(size: Size) -> usize {
    let body = size.body();
    match size.shape() {
        Shape::TooSmall => 0,
        Shape::Small => body.saturating_sub(4),
        Shape::Medium => body.saturating_sub(5),
        Shape::Standard => (body - 6) / 2,
        Shape::Wide => body / 2 - 4,
    }
}
