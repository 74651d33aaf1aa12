//! The Tables view: the tables, for one pair.

use super::{contract::View, pair};
use crate::{
    analysis::inspection::TableWindow,
    app::{App, Effect, ask::want, keymap::Action, query},
    explain::PairExplanation,
    facts::{ExplainedNumber, figures::digits},
    id::DocId,
    simhash::Fingerprint,
};

/// The Tables view.
pub(in crate::app) struct TablesView;

impl View for TablesView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::Sideways(rows) => {
                let list = pair::list(app);
                list.cursor.step(rows, list.len, list.height);
            }
            Action::Probe(step) => probe(app, step),
            Action::NextHit => match app.tables.next_hit() {
                Some(table) => select(app, table),
                None => app
                    .say("the pair is a candidate in no table: each key contains a differing bit"),
            },
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        let last = app.layout().tables().len().saturating_sub(1);
        select(app, app.tables.table.selected.saturating_add_signed(rows).min(last));
    }

    fn leap(&self, app: &mut App) -> usize {
        app.tables_layout().grid
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        let neighbour = app.near.selected().map(|neighbour| neighbour.document);
        app.near.query.into_iter().chain(neighbour).collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let rows = app.tables.window.iter().flat_map(|window| &window.rows);
        rows.map(|row| row.document).collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        explain(app);
        look_up(app, effects);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let (layout, mut numbers) = (app.layout(), Vec::new());
        let table = layout.tables().get(app.tables.table.selected);
        if let (Some(table), Some(window)) = (table, &app.tables.window) {
            let (n, p, letters) = (window.n_rows, table.key_bits, table.letters());
            let (found, steps) = (window.matching.len(), window.steps.len());
            let rows = digits(n as f64 * (-f64::from(p)).exp2());
            let expected = digits(2.0 * (n.max(1) as f64).log2());
            numbers.extend([
                ExplainedNumber::new("rows with the key", found.to_string()).explained(
                    format!("counted: {found}; to expect n / 2^p = {n} / 2^{p} = {rows}"),
                    "Rows that a query has to verify in this table; many more than expected mean skewed blocks.",
                ),
                ExplainedNumber::new("comparisons", steps.to_string()).explained(
                    format!(
                        "binary search for both ends of these rows: {steps}; about 2 x log2({n}) = {expected}"
                    ),
                    "The cost of finding the rows that share the key.",
                ),
                ExplainedNumber::new("key bits", p.to_string()).explained(
                    format!("the widths of the blocks that lead, {letters}: {p}"),
                    "A longer key brings fewer candidates, and is more likely to contain a differing bit.",
                ),
            ]);
        }
        numbers.extend(pair::numbers(app));
        numbers
    }
}

/// Shows more or fewer comparisons of the binary search.
fn probe(app: &mut App, step: isize) {
    let n_steps = app.tables.window.as_ref().map_or(0, |window| window.steps.len());
    // After the last comparison the search begins again.
    let at_end = app.tables.probes == n_steps && step > 0;
    app.tables.probes =
        if at_end { 0 } else { app.tables.probes.saturating_add_signed(step).min(n_steps) };
}

/// Selects a table; the grid is filled column by column.
fn select(app: &mut App, table: usize) {
    let n_tables = app.layout().tables().len();
    let grid = app.tables_layout();
    app.tables.table.select(table, n_tables, grid.grid * grid.columns);
}

/// Explains the pair again if it or the tables changed.
fn explain(app: &mut App) {
    let pair = app
        .near
        .query
        .map(|query| (query, app.near.selected().map(|neighbour| neighbour.document)));
    let made_for = Some((pair, app.versions.analysis));
    if app.tables.made_for != made_for {
        app.tables.made_for = made_for;
        app.tables.pair = pair;
        app.tables.explanation = pair.and_then(|(query, other)| {
            let (a, b) = (app.analysis.fingerprint(query)?, app.analysis.fingerprint(other?)?);
            let index = app.analysis.index.as_ref()?;
            Some(PairExplanation::new(a, b, index.layout()))
        });
        // Start with a table in which the pair is a candidate.
        let first_hit =
            app.tables.explanation.as_ref().and_then(|explanation| explanation.hits().next());
        select(app, first_hit.unwrap_or(0));
    }
}

/// Asks for the rows of the selected table around the query; the present rows stay until the answer comes.
fn look_up(app: &mut App, effects: &mut Vec<Effect>) {
    let known =
        |query: &DocId| app.analysis.index.is_some() && app.analysis.fingerprint(*query).is_some();
    let Some(query) = app.near.query.filter(known) else {
        app.tables.window = None;
        app.tables.lookup.forget();
        return;
    };
    let table = app.tables.table.selected;
    let height = window_rows(app);
    let width = app.analysis.fingerprint(query).map(Fingerprint::width);
    let is_of_other_bits = |window: &TableWindow| Some(window.index.layout().width()) != width;
    if app.tables.lookup.asked().is_none_or(|before| before.document != query)
        || app.tables.window.as_ref().is_some_and(is_of_other_bits)
    {
        app.tables.window = None;
    }
    want(app, query::Window { document: query, table, height }, effects);
}

/// Rows of the sorted table without its header, which has as many lines as a row.
fn window_rows(app: &App) -> usize {
    (app.tables_layout().window.rows() / app.table_lines()).saturating_sub(1)
}

/// Shows a table around the query.
pub(super) fn show_window(app: &mut App) {
    let window = app.tables.lookup.take().flatten();
    app.tables.probes = window.as_ref().map_or(0, |window| window.steps.len());
    app.tables.window = window;
}
