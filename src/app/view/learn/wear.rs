//! The Wear view: the selected document with some of its words changed, many times over.

use super::super::contract::View;
use crate::{
    app::{
        App, Effect,
        ask::want,
        keymap::{Action, LearnAction},
        query,
    },
    evaluate::interval,
    explain::PerturbationRow,
    facts::ExplainedNumber,
    number::counted,
};

/// The Wear view.
pub(in crate::app) struct WearView;

impl View for WearView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Learn(LearnAction::Take | LearnAction::Reset) => app.learn.wear.seed += 1,
            _ => return super::act(app, action),
        }
        true
    }

    /// Asks for the edits of the selected document, once for each document, recipe and seed.
    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        let Some(document) = app.query() else { return };
        let query = query::WearQuery { document, seed: app.learn.wear.seed };
        if app.analysis.fingerprint(document).is_some() && want(app, query, effects) {
            app.learn.wear.worn.take();
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let query = app.query();
        let worn = app.learn.wear.worn.answer().filter(|worn| Some(worn.document) == query);
        let shares = worn.and_then(|worn| worn.wear.as_deref()).unwrap_or_default();
        let (bits, k) = (app.analysis.settings.recipe.bits, app.learn_k());
        shares.iter().flat_map(|wear| of_a_share(wear, bits, k)).collect()
    }
}

/// The measured distance for a number of changed words, and the theoretical distance for the same trials.
fn of_a_share(wear: &PerturbationRow, bits: u32, k: u32) -> [ExplainedNumber; 2] {
    let (n, within, mean) = (wear.n_trials(), wear.within(k), wear.mean());
    let (low, high) = interval::jeffreys(within, n, interval::LEVEL);
    let (from, to) = wear.mean_interval();
    let (expected, cosine) = (format!("{:.1}", wear.expected), wear.cosine);
    let changed = format!("{} of {}", counted(wear.n_changed as u64, "word"), wear.n_words);
    [
        ExplainedNumber::new(format!("{changed} changed"), format!("mean d {mean:.1}")).explained(
            format!(
                "sum of d over {n} trials / {n} = {mean:.1}, 95 %: {from:.1} to {to:.1}; within k = {k}: {within} of {n}, {low:.2} to {high:.2}"
            ),
            "How far the text moves when that many of its words are replaced, over random edits and hash functions.",
        ),
        ExplainedNumber::new(format!("theory, {changed}"), &expected).explained(
            format!(
                "mean of {bits} x acos(c) / pi over the same {n} trials = {expected}; c, the exact cosine of the changed text with the whole one, is {cosine:.4} on average"
            ),
            "The mean for random hyperplanes. The recipe's own hash is one function; its mean may be 1 to 1.5 bits off.",
        ),
    ]
}
