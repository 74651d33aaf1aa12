//! The reasons why two documents are found, or are not: the output of `simscope explain A B`, in sections.

use crate::{
    analysis::query::{MOST_LISTED, Why},
    app::{
        pane::TextPane,
        resource::{JobNumber, Resource},
    },
    present::pair,
};

/// The state of the Why view.
#[derive(Debug, Default)]
pub struct WhyState {
    /// The explanation of the last explained pair, which may not be the selected one until its answer comes.
    pub answer: Resource<Why>,
    /// The explanation laid out.
    pub pane: TextPane,
    /// The inputs of the pane: the explanation, and the cells of a column.
    made: Option<(JobNumber, usize)>,
}

impl WhyState {
    /// Lays out the explanation, unless it is laid out already.
    pub(in crate::app) fn lay_out(&mut self, width: usize, ascii: bool) {
        let Some(found) = self.answer.answer() else {
            (self.pane, self.made) = (TextPane::default(), None);
            return;
        };
        let made = self.answer.number().map(|number| (number, width));
        if self.made != made {
            let sections = [pair::candidacy(found), pair::texts(found, MOST_LISTED)].concat();
            self.pane.lay_out(&sections, width, ascii);
            self.made = made;
        }
    }
}
