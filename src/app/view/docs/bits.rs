//! The Bits view: the votes on every bit of the selected document.

use std::sync::Arc;

use super::{
    super::{
        contract::{ListOfView, View},
        go::from_document,
    },
    documents,
};
use crate::{
    app::{
        App, Effect, Screen,
        keymap::Action,
        numbers::{self, ExplainedNumber},
        screen::docs::bits::COSINES,
    },
    id::DocId,
};

/// The Bits view.
pub(in crate::app) struct BitsView;

impl View for BitsView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let width = app.analysis.settings.recipe.bits;
        match action {
            Action::Enter => from_document(app, Screen::Near),
            Action::FindNext(step) => documents::find(app, step),
            Action::Sideways(by) => app.docs.votes.sideways(by, width),
            Action::Cosine(by) => {
                let next = app.docs.votes.cosine as isize + by;
                app.docs.votes.cosine = next.rem_euclid(COSINES.len() as isize) as usize;
            }
            Action::WeakBit => {
                if let Some(margins) = app.open_bits().and_then(|open| open.margins.clone()) {
                    app.docs.votes.to_weak(&margins);
                }
            }
            Action::Scroll(rows) => {
                let height = app.bits_layout().cut.rows();
                app.docs.votes.pane.scroll(rows, height);
            }
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        Some(documents::list(app))
    }

    fn back(&self, app: &mut App) -> bool {
        documents::back(app)
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        app.query().into_iter().collect()
    }

    fn refresh(&self, app: &mut App, _: &mut Vec<Effect>) {
        let cut = app.bits_layout().cut;
        if let Some(open) = app.open_bits().map(Arc::clone) {
            let findings = app.open_findings();
            app.docs.votes.lay_out(&open, &findings, cut.width, app.ascii);
            app.docs.votes.pane.scroll(0, cut.rows());
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::votes::of_a_bit(app)
    }
}
