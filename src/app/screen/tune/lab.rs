//! The Lab view: layouts measured against exact cosines, one row for each, in the order of the requests.
//!
//! Rows stay until the recipe, the corpus or tau changes. One row may be pinned, to compare the others with it.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use crate::{
    analysis::{
        DEFAULT_TAU, Lab, LayoutChoice,
        lab::{EvaluationPairs, LabRow},
    },
    app::{
        cursor::Cursor,
        layout::{Size, SizeClass},
        query,
        resource::Resource,
    },
};

/// The values of tau to choose from.
pub const TAUS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

/// The layouts of the Bands view: 3 bands of 12 to 24 bits, and 1 to 5 bands of 18 bits. None needs more bits than the
/// first layouts of the Lab view, so all rows are on fingerprints of one width.
pub const BAND_LAYOUTS: [LayoutChoice; 11] = [
    bands(3, 12),
    bands(3, 14),
    bands(3, 16),
    bands(3, 18),
    bands(3, 20),
    bands(3, 22),
    bands(3, 24),
    bands(1, 18),
    bands(2, 18),
    bands(4, 18),
    bands(5, 18),
];

const fn bands(bands: u32, bits: u32) -> LayoutChoice {
    LayoutChoice::Bands { bands, bits }
}

/// The state of the Lab view.
#[derive(Debug)]
pub struct LabState {
    /// The cosine from which a pair is true.
    pub tau: f64,
    /// The layouts that were tried, in the order of the requests.
    pub rows: Vec<LabRow>,
    /// Selection among the rows.
    pub cursor: Cursor,
    /// The pinned row, with which others are compared.
    pub pinned: Option<usize>,
    /// The layouts still to try, each with the layouts of the same request.
    pub queue: VecDeque<(LayoutChoice, Arc<[LayoutChoice]>)>,
    /// The layout being tried; it stays if that was stopped.
    pub trying: Option<LayoutChoice>,
    /// Whether trying the layout was stopped.
    pub is_stopped: bool,
    /// The evaluation of the layout being tried.
    pub evaluation: Resource<query::LayoutEvaluationQuery>,
    /// The time that the rows and the truth took.
    pub took: Duration,
    /// The reasons why layouts could not be tried, since the last request.
    pub problems: Vec<String>,
    /// A description of the true pairs, once they are known.
    pub truth: Option<String>,
    /// The request for the pairs of a row.
    pub asked_pairs: Resource<query::RowPairs>,
    /// The pairs gained and lost against the pinned row, or missed and false, while they are listed.
    pub listed: Option<EvaluationPairs>,
    /// The cursor in the listed pairs.
    pub listed_cursor: Cursor,
    /// The truth, once it is known.
    pub lab: Option<Arc<Lab>>,
    /// The inputs of the rows: the number of the recipe, and the number of documents.
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
            evaluation: Resource::default(),
            asked_pairs: Resource::default(),
            took: Duration::ZERO,
            problems: Vec::new(),
            truth: None,
            listed: None,
            listed_cursor: Cursor::default(),
            lab: None,
            over: None,
        }
    }
}

impl LabState {
    /// The selected row.
    pub fn selected(&self) -> Option<&LabRow> {
        self.rows.get(self.cursor.selected)
    }

    /// The pinned row, if it is not the selected one.
    pub fn beside(&self) -> Option<&LabRow> {
        let pinned = self.pinned.filter(|&pinned| pinned != self.cursor.selected)?;
        self.rows.get(pinned)
    }

    /// Puts layouts into the queue. Bands of one request are tried on fingerprints of one width.
    pub(in crate::app) fn ask(&mut self, layouts: &[LayoutChoice]) {
        self.problems.clear();
        let batch: Arc<[LayoutChoice]> = layouts.into();
        self.queue.extend(layouts.iter().map(|&layout| (layout, Arc::clone(&batch))));
    }

    /// The tried layouts, the layout being tried, and the waiting ones, in that order.
    pub(in crate::app) fn all(&self) -> Vec<LayoutChoice> {
        let tried = self.rows.iter().map(|row| row.choice);
        let is_going_on = !self.is_stopped && !self.evaluation.was_asked_to_stop();
        let trying = self.trying.filter(|_| is_going_on);
        let waiting = self.queue.iter().map(|&(layout, _)| layout);
        tried.chain(trying).chain(waiting).collect()
    }

    /// The progress of the layout being tried, if there is one.
    pub fn progress(&self) -> Option<String> {
        self.trying?;
        if self.is_stopped || self.evaluation.was_asked_to_stop() {
            return Some("stopped".to_owned());
        }
        let job = self.evaluation.job()?;
        let more = if self.queue.is_empty() {
            String::new()
        } else {
            format!(", {} to go", self.queue.len() + 1)
        };
        Some(match job.progress.percent() {
            None => format!("{} ..{more}", job.stage()),
            Some(percent) => format!("{} {percent}%{more}", job.stage()),
        })
    }

    /// Forgets the rows and the truth behind them.
    pub(in crate::app) fn clear(&mut self) {
        self.evaluation.forget();
        self.asked_pairs.forget();
        let (tau, over) = (self.tau, self.over);
        *self = Self { tau, over, ..Self::default() };
    }
}

/// Rows of the list on a screen of this size, without its header.
pub fn lab_rows(size: Size) -> usize {
    let body = size.body();
    match size.shape() {
        SizeClass::TooSmall => 0,
        SizeClass::Small => body.saturating_sub(4),
        SizeClass::Medium => body.saturating_sub(5),
        SizeClass::Standard => (body - 6) / 2,
        SizeClass::Wide => body / 2 - 4,
    }
}
