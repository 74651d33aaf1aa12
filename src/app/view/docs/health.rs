//! The Health view: figures of all fingerprints of the corpus together.

use super::{super::contract::View, documents, retry};
use crate::{
    analysis::Analysis,
    app::{
        App, Effect,
        ask::want,
        keymap::Action,
        numbers::{self, ExplainedNumber},
        query,
    },
};

/// The Health view. Its rows are those of its text.
pub(in crate::app) struct HealthView;

impl View for HealthView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        let height = app.health_layout().cut.rows();
        match action {
            Action::Scroll(rows) => app.docs.health.pane.scroll(rows, height),
            Action::FindNext(step) => app.docs.health.pane.to_title(step, height),
            Action::Enter => retry(app),
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        let height = app.health_layout().cut.rows();
        app.docs.health.pane.scroll(rows, height);
    }

    fn page(&self, app: &mut App) -> usize {
        app.health_layout().cut.rows()
    }

    fn back(&self, app: &mut App) -> bool {
        documents::back(app)
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        if app.analysis.index.is_none() {
            return;
        }
        want(app, query::HealthQuery, effects);
        let layout = app.health_layout();
        let Analysis { corpus, flags, .. } = &*app.analysis;
        app.docs.health.lay_out(flags.as_deref(), corpus, layout.cut.width, app.ascii);
        if app.docs.health.found.answer().is_some() {
            app.docs.health.pane.scroll(0, layout.cut.rows());
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        numbers::health::of_the_corpus(app)
    }
}
