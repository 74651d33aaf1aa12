//! The Disagreements view: pairs whose fingerprints and texts disagree.

use super::{
    super::{
        contract::{ListOfView, View},
        go::open_pair,
    },
    retry,
};
use crate::{
    analysis::disagreement::DisagreementKind,
    app::{
        App, Effect,
        ask::want,
        keymap::Action,
        layout, query,
        screen::{
            ViewId,
            docs::disagreements::{DisagreementsLayout, disagreements_layout},
        },
        side_by_side::places_with_edits,
    },
    facts::{ExplainedNumber, figures::digits},
    id::DocId,
};

/// Cells of a wide screen that a line of bits leaves free: its label, and the frame.
const BESIDE_BITS: usize = 7;

/// The Disagreements view.
pub(in crate::app) struct DisagreementsView;

impl View for DisagreementsView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        match action {
            Action::FindNext(_) => to_other_kind(app),
            Action::Enter => open(app),
            Action::Scroll(rows) => scroll(app, rows),
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = app.disagreements_layout().list;
        let state = &mut app.docs.disagreements;
        let len = state.found.answer().map_or(0, |found| found.found.len());
        Some(ListOfView { cursor: &mut state.cursor, len, height })
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        app.docs.disagreements.pair().map_or_else(Vec::new, Vec::from)
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let state = &app.docs.disagreements;
        let found = state.found.answer().map_or(&[][..], |it| &it.found);
        let rows = app.rows_to_know(state.cursor, found.len(), app.disagreements_layout().list);
        found[rows].iter().flat_map(|it| [it.pair.a, it.pair.b]).collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        look(app, effects);
        compare(app, effects);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(it) = app.docs.disagreements.selected() else { return Vec::new() };
        let (d, bits) = (it.pair.distance, app.analysis.settings.recipe.bits);
        let (cosine, (low, high)) = (format!("{:.3}", it.cosine), it.interval);
        let (chance, expected) = (digits(it.chance), it.expected);
        let interval = format!("{low:.2} to {high:.2}");
        let (tail, meaning) = match it.kind {
            DisagreementKind::Near => (
                "at most",
                "The chance of a distance this small at this cosine. Pairs are listed because they are near, so small \
                chances are more frequent here than their value says.",
            ),
            DisagreementKind::Far => (
                "at least",
                "The chance of a distance this large at this cosine. Pairs are listed because they are far apart, so small \
                chances are more frequent here than their value says.",
            ),
        };
        vec![
            ExplainedNumber::new("cosine", &cosine).explained(
                format!(
                    "sum of products of the two texts' feature weights / (length x length) = {cosine}"
                ),
                "The similarity of the two texts by their features: computed from the texts, not from the bits.",
            ),
            ExplainedNumber::new("d says", &interval).explained(
                format!(
                    "cos(pi x p), p in the 95 % Jeffreys interval of {d} of {bits} bits: {interval}"
                ),
                "The cosines that fit this distance. The pair is listed because its cosine lies outside.",
            ),
            ExplainedNumber::new("chance", &chance).explained(
                format!(
                    "P({tail} {d} of {bits} bits differ) = {chance}, each with arccos({cosine}) / pi; {expected:.1} bits are expected"
                ),
                meaning,
            ),
        ]
    }
}

/// Selects the first pair of the other kind.
fn to_other_kind(app: &mut App) {
    let height = app.disagreements_layout().list;
    let state = &mut app.docs.disagreements;
    let Some(found) = state.found.answer() else { return };
    let Some(kind) = found.found.get(state.cursor.selected).map(|it| it.kind) else { return };
    let other = found.found.iter().position(|it| it.kind != kind);
    let len = found.found.len();
    match other {
        Some(row) => state.cursor.select(row, len, height),
        None => app.say(format!("only {kind} pairs disagree")),
    }
}

impl App {
    /// The parts of the Disagreements view.
    pub fn disagreements_layout(&self) -> DisagreementsLayout {
        let n_pairs = self.docs.disagreements.found.answer().map_or(0, |it| it.found.len());
        let cells = usize::from(self.size.width).saturating_sub(BESIDE_BITS);
        let n_lines = layout::bit_lines(self.layout().block_list(), cells).len();
        disagreements_layout(self.size, n_pairs, n_lines)
    }
}

/// Asks for the comparison of the selected pair where its texts are shown, and lays them out.
fn compare(app: &mut App, effects: &mut Vec<Effect>) {
    let layout = app.disagreements_layout();
    let Some(pair) = app.docs.disagreements.pair().filter(|_| layout.texts > 0) else { return };
    let texts = query::Texts { pair, within: app.compare_within };
    want(app, query::PreviewTexts(texts), effects);
    let state = &mut app.docs.disagreements;
    let wanted = state.texts.number().map(|number| (number, layout.column));
    if state.laid_out != wanted {
        state.laid_out = wanted;
        let comparison = state.texts.answer();
        state.rows = comparison.map_or_else(Vec::new, |it| it.rows(layout.column, true));
        // The first difference shows, also where the beginning does not.
        let first = places_with_edits(&state.rows).next().unwrap_or(0);
        state.top = if first < layout.texts - 3 { 0 } else { first.saturating_sub(1) };
        scroll(app, 0);
    }
}

/// Scrolls the texts of the selected pair.
fn scroll(app: &mut App, rows: isize) {
    let layout = app.disagreements_layout();
    if layout.texts == 0 {
        return app.say("this screen has no room for the texts; Enter shows them");
    }
    let state = &mut app.docs.disagreements;
    // The frame, and the line that says why no difference is marked.
    let is_plain = state.texts.answer().is_some_and(|it| it.little_in_common().is_some());
    let height = layout.texts - 2 - usize::from(is_plain);
    let last = state.rows.len().saturating_sub(height);
    state.top = state.top.saturating_add_signed(rows).min(last);
}

/// Opens the selected pair in Near and states why it is listed; without a pair, searches again.
fn open(app: &mut App) {
    let Some([a, b]) = app.docs.disagreements.pair() else { return retry(app) };
    open_pair(app, a, b);
    app.show(ViewId::Why);
}

/// Asks for the pairs that disagree at the present k; the pairs of another k stay until the answer comes.
fn look(app: &mut App, effects: &mut Vec<Effect>) {
    if app.analysis.index.is_none() || !app.analysis.is_complete() || app.running.is_some() {
        return;
    }
    let (k, layout) = (app.analysis.settings.k, app.analysis.settings.layout);
    let query = query::DisagreementsQuery { k, layout };
    if app.docs.disagreements.found.answered().is_some_and(|(known, _)| *known == query) {
        app.docs.disagreements.found.forget();
    } else {
        want(app, query, effects);
    }
}

/// Fits the selection into the found pairs.
pub(in crate::app) fn fit(app: &mut App) {
    if let Some(list) = DisagreementsView.list(app) {
        list.cursor.fit(list.len, list.height);
    }
}
