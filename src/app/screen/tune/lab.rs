//! The Lab view: layouts held against exact cosines, a row each, as they were asked for.
//!
//! Rows stay until the recipe, the corpus or tau changes; one may be pinned, and the others told beside it.

use std::{collections::VecDeque, sync::Arc};

use crate::{
    analysis::{
        Analysis, AnalysisError, Change, DEFAULT_TAU, Job, Lab, LayoutChoice, Likeness, Trial,
        lab::width_of,
    },
    app::{
        cursor::Cursor,
        layout::{Shape, Size},
    },
};

/// The taus that can be asked for.
pub const TAUS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

/// What the Lab view remembers.
#[derive(Clone, Debug)]
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
    /// What is being tried, and how far that is; still there where it was stopped.
    pub trying: Option<Arc<Job>>,
    /// Why the last layout could not be tried.
    pub problem: Option<String>,
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
            problem: None,
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
    /// The pairs, and whether each was gained; those gained first.
    pub pairs: Vec<(Change, bool)>,
    /// Selection among them.
    pub cursor: Cursor,
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
        let batch: Arc<[LayoutChoice]> = layouts.into();
        self.queue.extend(layouts.iter().map(|&layout| (layout, Arc::clone(&batch))));
    }

    /// Forgets the rows, and all they rest on.
    pub(in crate::app) fn clear(&mut self) {
        if let Some(job) = &self.trying {
            job.progress.cancel();
        }
        let (tau, over) = (self.tau, self.over);
        *self = Self { tau, over, ..Self::default() };
    }
}

/// A layout tried, and the lab it was tried in.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The lab, ready for the next one.
    pub lab: Arc<Lab>,
    /// The row.
    pub row: Row,
}

impl Tried {
    /// Tries `layout`, one of those `wanted` together, in the lab at hand or a new one. Takes seconds
    /// to minutes where there is none.
    ///
    /// # Errors
    /// [`AnalysisError`] as [`Lab::prepare`] and [`Lab::trial`] have them.
    pub(in crate::app) fn new(
        analysis: &Analysis,
        lab: Option<Arc<Lab>>,
        tau: f64,
        layout: LayoutChoice,
        wanted: &[LayoutChoice],
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let mut lab = if let Some(lab) = lab {
            lab
        } else {
            let likeness = Likeness { tau, ..Likeness::default() };
            Arc::new(Lab::prepare(analysis, likeness, job)?)
        };
        let bits = width_of(layout, wanted, lab.bits());
        Arc::make_mut(&mut lab).widen(bits, job)?;
        let k = analysis.settings.k;
        let trial = Arc::new(lab.trial(layout, bits, k, job)?);
        Ok(Self { lab, row: Row { trial, k, choice: layout } })
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
