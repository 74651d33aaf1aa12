//! The Layouts view: layouts of tables, their load, and what was measured of them.
//!
//! A measured layout stays until the recipe, the corpus or tau changes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::analysis::lab::{LabRow, USUAL_LAYOUTS};
use crate::analysis::offers::MeasuredLoad;
use crate::analysis::{Lab, LayoutChoice, LayoutOffer};
use crate::app::{Cursor, Resource, query};
use crate::index::Layout;

/// The values of tau to choose from.
pub const TAUS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

/// The state of the view.
#[derive(Debug, Default)]
pub struct LayoutsState {
    /// The cosine from which a pair is true.
    pub tau: f64,
    /// The cursor in the layouts.
    pub cursor: Cursor,
    /// The layouts that tables could have.
    pub offers: Vec<LayoutOffer>,
    /// The version for which the offers were made.
    pub(in crate::app) offered: Option<u64>,
    /// The load of tables, as far as it is counted.
    pub measured: Vec<Arc<MeasuredLoad>>,
    /// The next load being counted.
    pub load: Resource<query::LoadQuery>,
    /// The layouts that were measured with the texts, in the order of the requests.
    pub rows: Vec<LabRow>,
    /// The layouts still to measure, each with the layouts of the same request.
    pub queue: VecDeque<(LayoutChoice, Arc<[LayoutChoice]>)>,
    /// The evaluation of the layout being measured; its request stays if that was stopped.
    pub evaluation: Resource<query::LayoutEvaluationQuery>,
    /// The time that the rows and the truth took.
    pub took: Duration,
    /// The reasons why layouts could not be measured, since the last request.
    pub problems: Vec<String>,
    /// The truth, once it is known.
    pub lab: Option<Arc<Lab>>,
    /// The inputs of the rows: the number of the recipe, and the number of documents.
    pub(in crate::app) over: Option<(u64, usize)>,
}

impl LayoutsState {
    /// The load of a layout's tables, if it is counted.
    pub fn load_of(&self, layout: &Layout) -> Option<&MeasuredLoad> {
        self.measured.iter().find(|known| known.layout == *layout).map(|known| &**known)
    }

    /// The layouts of the list: those that tables can have, the usual ones, and those that the user typed.
    pub(in crate::app) fn choices(&self, built: &Layout) -> Vec<LayoutChoice> {
        let mut choices: Vec<_> = self.offers.iter().map(|offer| offer.choice).collect();
        // The present tables are among the offers, by the number of their blocks.
        let of_auto = self.offers.iter().find(|offer| offer.layout == *built);
        let others = USUAL_LAYOUTS.into_iter().chain(self.rows.iter().map(|row| row.choice));
        for choice in others.chain(self.trying()).chain(self.queue.iter().map(|&(it, _)| it)) {
            let is_listed = choice == LayoutChoice::Auto && of_auto.is_some();
            if !is_listed && !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        choices
    }

    /// The last measurement of a layout.
    pub(in crate::app) fn evaluated(&self, choice: LayoutChoice, name: &str) -> Option<&LabRow> {
        let is_it = |row: &&LabRow| {
            row.choice == choice
                || (row.choice == LayoutChoice::Auto && row.evaluation.layout.name() == name)
        };
        self.rows.iter().rev().find(is_it)
    }

    /// Puts layouts into the queue. Bands of one request are measured on fingerprints of one width.
    pub(in crate::app) fn ask(&mut self, layouts: &[LayoutChoice]) {
        self.problems.clear();
        let batch: Arc<[LayoutChoice]> = layouts.into();
        self.queue.extend(layouts.iter().map(|&layout| (layout, Arc::clone(&batch))));
    }

    /// The layout being measured, or that was when it was stopped.
    fn trying(&self) -> Option<LayoutChoice> {
        self.evaluation.asked().map(|asked| asked.layout)
    }

    /// The measured layouts, the one being measured, and the waiting ones, in that order.
    pub(in crate::app) fn all(&self) -> Vec<LayoutChoice> {
        let tried = self.rows.iter().map(|row| row.choice);
        let trying = self.trying().filter(|_| !self.evaluation.was_asked_to_stop());
        tried.chain(trying).chain(self.queue.iter().map(|&(layout, _)| layout)).collect()
    }

    /// The progress of the layout being measured, if there is one.
    pub(in crate::app) fn progress(&self) -> Option<String> {
        if self.evaluation.was_asked_to_stop() {
            return Some("stopped; Enter starts again".to_owned());
        }
        let job = self.evaluation.job()?;
        let more = match self.queue.len() {
            0 => String::new(),
            n => format!(", {} to go", n + 1),
        };
        Some(job.told() + &more)
    }

    /// Forgets the measured layouts and the truth behind them.
    pub(in crate::app) fn clear(&mut self) {
        self.evaluation.forget();
        let offers = std::mem::take(&mut self.offers);
        let measured = std::mem::take(&mut self.measured);
        let load = std::mem::take(&mut self.load);
        let (cursor, offered, tau, over) = (self.cursor, self.offered, self.tau, self.over);
        *self = Self { tau, cursor, offers, offered, measured, load, over, ..Self::default() };
    }
}
