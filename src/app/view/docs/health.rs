//! The Health view: figures of all fingerprints of the corpus together.

use super::{super::contract::View, retry};
use crate::{
    analysis::Analysis,
    app::{App, Effect, ask::want, keymap::Action, query},
    facts::{ExplainedNumber, figures::digits},
    number::grouped,
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
        let Some(found) = app.docs.health.found.answer() else { return Vec::new() };
        let health = &found.health;
        let (n, bits) = (health.n as f64, f64::from(health.width));
        let all = grouped(health.n);
        let (mean, deviation) = health.popcount();
        let (half, root) = (bits / 2.0, bits.sqrt() / 2.0);
        let margin = health.balance_margin();
        let off = |bit: &u32| health.balance(*bit).map_or(0.0, |it| 100.0 * (it - 0.5).abs());
        let n_off = (0..health.width).filter(|bit| off(bit) > margin).count();
        let farthest =
            (0..health.width).max_by(|one, other| off(one).total_cmp(&off(other))).unwrap_or(0);
        let most = off(&farthest);
        let (correlation, n_pairs) = health.mean_correlation();
        let (n_pairs, n_buckets) = (grouped(n_pairs as u64), health.prefixes.len());
        let [correlation, random] = [correlation, 1.0 / n.max(1.0).sqrt()].map(digits);
        let (n_hot, average) = (found.n_hot_prefixes, n / n_buckets.max(1) as f64);
        vec![
            ExplainedNumber::new("bits set", format!("{mean:.1}, deviation {deviation:.1}")).explained(
                format!(
                    "{all} fingerprints: mean {mean:.1}, standard deviation {deviation:.1}; random bits: {bits} / 2 = {half:.1} and sqrt({bits}) / 2 = {root:.1}"
                ),
                "A larger deviation means copies, or texts that few features decide.",
            ),
            ExplainedNumber::new("balance", format!("{n_off} of {bits} bits off")).explained(
                format!(
                    "{n_off} of {bits} bits are more than 98 % / sqrt({all}) = {margin:.1} % from one half, bit {farthest} by {most:.1} %; of random bits 1 in 20"
                ),
                "A bit that is farther from one half splits the corpus less evenly, so tables keyed by it have fuller buckets.",
            ),
            ExplainedNumber::new("correlation", &correlation).explained(
                format!(
                    "root mean square over {n_pairs} pairs of bits = {correlation}; random bits: 1 / sqrt({all}) = {random}"
                ),
                "Bits that move together carry less information: unrelated texts come nearer to each other.",
            ),
            ExplainedNumber::new("crowded", grouped(n_hot as u64)).explained(
                format!(
                    "{n_hot} of {n_buckets} buckets have at least 2 documents, 2 x {average:.1} of them, and at least 5 standard deviations more than that average"
                ),
                "Documents that begin with the same bits more often than chance explains: copies, templates, empty pages.",
            ),
        ]
    }
}
