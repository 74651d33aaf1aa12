//! The views of the Near screen, and the list of neighbours that they share.

pub(in crate::app) mod texts;
pub(in crate::app) mod why;

use super::{contract::ListOfView, go::select_document, listed, review};
use crate::{
    app::{App, Effect, Screen, ask::want, geometry::Edge, keymap::Action, query, screen::ViewId},
    evaluate::{angle, interval},
    explain::{PairExplanation, figures::similarity},
    facts::{ExplainedNumber, figures::digits},
    id::DocId,
    index::{
        Layout,
        load::{candidate_chance, expected_tables_hit},
    },
    simhash::Fingerprint,
    text::visible,
};

/// Does an action that both views share; false for other actions.
fn act(app: &mut App, action: Action) -> bool {
    match action {
        Action::Enter if app.query().is_none() => app.say("no document is selected"),
        Action::Enter => app.screen = Screen::Tables,
        Action::Mark => review::toggle(app),
        Action::NoDuplicates => review::not_duplicates(app),
        Action::Follow => {
            if let Some(neighbour) = app.near.selected() {
                select_document(app, neighbour.document);
            }
        }
        _ => return false,
    }
    true
}

/// Fits the selection into the list, whose height differs from view to view.
pub(in crate::app) fn fit(app: &mut App) {
    let height = app.near_layout().rows();
    app.near.cursor.fit(app.near.neighbours.len(), height);
}

/// The list of neighbours.
pub(in crate::app) fn list(app: &mut App) -> ListOfView<'_> {
    let height = app.near_layout().rows();
    ListOfView { len: app.near.neighbours.len(), height, cursor: &mut app.near.cursor }
}

/// The selected neighbour, or the query if there is none.
fn documents(app: &App) -> Vec<DocId> {
    let neighbour = app.near.selected().map(|neighbour| neighbour.document);
    neighbour.or(app.near.query).into_iter().collect()
}

/// Holds the selected document, so that it is listed whatever the query; or releases the held one.
pub(in crate::app) fn hold(app: &mut App) {
    let selected = match app.screen {
        Screen::Near => app.near.selected().map(|neighbour| neighbour.document),
        _ => app.query(),
    };
    let Some(document) = selected else { return };
    let id = visible(app.analysis.corpus.id(document)).into_owned();
    if app.near.held == Some(document) {
        app.near.held = None;
        app.say(format!("{id} is no longer held"));
    } else {
        app.near.held = Some(document);
        app.say(format!("{id} is held: Near lists it beside any document, near or not"));
    }
}

/// The query and the shown neighbours.
fn listed(app: &App) -> Vec<DocId> {
    let near = &app.near;
    // If the line below k is not on the screen, there is room for one more neighbour.
    let height = app.near_layout().rows() + 1;
    let rows = app.rows_to_know(near.cursor, near.neighbours.len(), height);
    near.query.into_iter().chain(near.neighbours[rows].iter().map(|it| it.document)).collect()
}

/// Asks for the data of both views.
pub(in crate::app) fn refresh(app: &mut App, effects: &mut Vec<Effect>) {
    texts::compare(app, effects);
    // In a box, the bits are shown with their votes.
    let pair = app.near.pair().filter(|_| app.near_layout().bits.edge == Edge::Box);
    if let Some((query, neighbour)) = pair {
        want(app, query::DifferingVotes([query, neighbour.document]), effects);
    }
    weigh(app, effects);
    review::restore(app, effects);
}

/// Asks for the similarity of the documents on the screen to the query.
fn weigh(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(query) = app.near.query else { return };
    let near = &app.near;
    // If the line below k is not on the screen, there is room for one more neighbour.
    let height = app.near_layout().rows();
    let rows = app.rows_to_know(near.cursor, near.neighbours.len(), height);
    let rows = rows.start..(rows.end + 1).min(near.neighbours.len());
    let listed: Vec<DocId> = near.neighbours[rows].iter().map(|it| it.document).collect();
    listed::weigh(app, query, &listed, effects);
}

/// Shows the found neighbours.
pub(super) fn show_neighbours(app: &mut App) {
    let height = app.near_layout().rows();
    if let Some(found) = app.near.listing.take() {
        app.near.show(found, height);
        app.near.pending_selection = None;
    }
}

/// The distance of two fingerprints, explained.
pub(super) fn distance(a: Fingerprint, b: Fingerprint) -> ExplainedNumber {
    let d = a.distance(b);
    ExplainedNumber::new("d", d.to_string()).explained(
        format!("popcount({a} XOR {b}) = {d}"),
        "The Hamming distance: bits in which the two fingerprints differ.",
    )
}

/// The chance that some table makes a pair at this distance a candidate, if it is known.
pub(super) fn chance_to_be_a_candidate(layout: &Layout, d: u32) -> Option<ExplainedNumber> {
    let (share, name) = (digits(candidate_chance(layout, d)?), layout.name());
    Some(ExplainedNumber::new("chance to be a candidate", &share).explained(
        format!("P(some key of {name} is free of all of {d} differing bits) = {share}"),
        "1 as far as the layout guarantees; beyond that, some pairs are no candidates. A candidate farther apart than k is rejected.",
    ))
}

/// Numbers of the selected pair.
pub(super) fn numbers(app: &App) -> Vec<ExplainedNumber> {
    let Some((query, other)) = app.near.pair() else { return Vec::new() };
    let [Some(a), Some(b)] = [query, other.document].map(|it| app.analysis.fingerprint(it)) else {
        return Vec::new();
    };
    let (d, layout) = (a.distance(b), app.layout());
    let (n_tables, hits) =
        (layout.tables().len(), PairExplanation::new(a, b, &layout).hits().count());
    let expected = digits(expected_tables_hit(&layout, d));
    let mut numbers = vec![
        distance(a, b),
        ExplainedNumber::new("tables that hit", format!("{hits}/{n_tables}")).explained(
            format!(
                "tables in whose key no differing bit lies: {hits}; expected for {d} differing bits at random: {expected}"
            ),
            "One table is enough to make the pair a candidate; a candidate is found if d is at most k.",
        ),
    ];
    numbers.extend(chance_to_be_a_candidate(&layout, d));
    // The Why view has these figures, with the number of features.
    let known = app.similar.to(query, other.document).flatten();
    if let Some(known) = known.filter(|_| app.shown(Screen::Near) == ViewId::Texts) {
        numbers.extend(by_their_texts([known.cosine, known.jaccard], a.width()));
    }
    if app.near.is_on_held() {
        numbers.extend(by_their_bits(d, a.width()));
    }
    numbers
}

/// The numbers of a pair by its texts.
fn by_their_texts([cosine, jaccard]: [f64; 2], bits: u32) -> [ExplainedNumber; 3] {
    let expected = digits(angle::expected_distance(cosine, bits));
    let [cosine, jaccard] = [cosine, jaccard].map(similarity);
    [
        ExplainedNumber::new("exact cosine", &cosine).explained(
            format!("sum of w_a w_b over shared features / (||w_a|| ||w_b||) = {cosine}"),
            "The similarity of the two texts by their weighted features; a distance only estimates it.",
        ),
        ExplainedNumber::new("d to expect", &expected).explained(
            format!("b x acos(cosine) / pi = {bits} x acos({cosine}) / pi = {expected}"),
            "The mean distance over hash functions at this cosine, if many features vote evenly.",
        ),
        ExplainedNumber::new("Jaccard", &jaccard).explained(
            format!("features shared / features of either, without weights = {jaccard}"),
            "How much the two sets of features overlap.",
        ),
    ]
}

/// The numbers that follow from the distance alone, for a pair that was not chosen by its distance.
fn by_their_bits(d: u32, bits: u32) -> [ExplainedNumber; 2] {
    let (estimate, (low, high)) = (angle::estimate(d, bits), interval::cosine(d, bits));
    [
        ExplainedNumber::new("estimated cosine", format!("{estimate:.2}")).explained(
            format!("cos(pi d / b) = cos(pi x {d} / {bits}) = {estimate:.3}"),
            "The cosine that the distance alone suggests, if many features vote evenly.",
        ),
        ExplainedNumber::new("its interval", format!("{low:.2} to {high:.2}")).explained(
            format!(
                "cos(pi x) at the ends of Jeffreys' interval for {d} of {bits} bits, 95 %: {low:.3} to {high:.3}"
            ),
            "It is valid because the pair was not chosen by its distance: it is listed because it is held.",
        ),
    ]
}
