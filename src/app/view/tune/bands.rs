//! The Bands view: layouts of bands as curves, over the bits of a band and over the number of bands.
//!
//! The rows are shared with the Lab view, and tried in the same queue: a layout is not tried twice.

use std::sync::Arc;

use super::{super::contract::View, lab::LabView};
use crate::{
    analysis::{LayoutChoice, lab::width_of},
    app::{
        App, Effect,
        keymap::Action,
        layout::SizeClass,
        screen::tune::lab::BAND_LAYOUTS,
    },
    facts::ExplainedNumber,
    number::counted,
    present::{
        lab::sections,
        page::Section,
        planned::{self, PlannedLayout},
    },
};

/// The Bands view: a page.
pub(in crate::app) struct Bands;

impl View for Bands {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => try_missing(app),
            Action::Add | Action::Tau => return LabView.act(app, action, effects),
            _ => return false,
        }
        true
    }

    fn page(&self, app: &mut App) -> usize {
        app.page_cut().rows()
    }

    fn sections(&self, app: &App) -> Vec<Section<'static>> {
        let state = &app.tune.lab;
        let mut now = Section::new("");
        state.problems.iter().for_each(|problem| now.say(problem.clone()));
        if let Some(progress) = state.progress() {
            let again = if progress == "stopped" { "; Enter resumes" } else { "" };
            now.say(format!("{progress}{again}"));
        } else if state.rows.is_empty() {
            now.say(what_it_does(app));
        }
        let mut all: Vec<_> = [now].into_iter().filter(|now| !now.blocks.is_empty()).collect();
        if let Some(truth) = &state.truth {
            let evaluations: Vec<_> = state.rows.iter().map(|row| &*row.evaluation).collect();
            all.extend(sections(&evaluations));
            let mut true_pairs = Section::new("True pairs");
            true_pairs.say(truth.clone());
            all.push(true_pairs);
        } else {
            all.extend(planned_sections(app));
        }
        all
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        LabView.numbers(app)
    }
}

/// The explanation of the view and its cost.
fn what_it_does(app: &App) -> String {
    if app.size.shape() < SizeClass::Standard {
        return "Enter tries 3 bands of 12 to 24 bits, and 1 to 5 of 18 bits. Until then the figures are by formula."
            .to_owned();
    }
    format!(
        "More bands find more pairs, and wider bands find fewer; this view shows what each costs. Enter tries 3 bands \
        of 12 to 24 bits, and 1 to 5 bands of 18 bits; a tries a layout of your own. It reads the {} again and finds the \
        pairs whose texts have a {} (t changes that). Until then the figures are by formula.",
        counted(app.analysis.len() as u64, "document"),
        app.truth_of_the_lab()
    )
}

/// The figures that follow from the layouts alone.
fn planned_sections(app: &App) -> Vec<Section<'static>> {
    let index = app.analysis.index.as_ref();
    let (n, unlike) = index.map_or((0, 0), |index| (index.n_distinct(), index.n_unlike_pairs()));
    planned::sections(&PlannedLayout::all(&BAND_LAYOUTS, &app.analysis.settings, n), unlike)
}

/// Starts the layouts that were not tried yet, on fingerprints wide enough for all.
fn try_missing(app: &mut App) {
    let state = &mut app.tune.lab;
    let all: Arc<[LayoutChoice]> = BAND_LAYOUTS.into();
    // All are tried on one width, so that nothing else differs.
    let bits = width_of(all[0], &all, app.analysis.settings.recipe.bits);
    let known = state.all();
    let is_on_another = |layout| {
        let mut tried = state.rows.iter().filter(|row| row.choice == layout);
        tried.next_back().is_some_and(|row| row.evaluation.bits != bits)
    };
    let missing = all.iter().filter(|layout| !known.contains(layout) || is_on_another(**layout));
    let missing: Vec<_> = missing.map(|&layout| (layout, Arc::clone(&all))).collect();
    if missing.is_empty() {
        app.say("these layouts were tried; a tries a layout of your own");
    } else {
        state.problems.clear();
        state.queue.extend(missing);
    }
}
