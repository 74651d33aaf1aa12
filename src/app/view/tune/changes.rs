//! The pairs gained and lost against the recipe before, a part of Recipes.
//!
//! Before the form or the map changes a recipe or its k, the present fingerprints are kept; they are searched only when
//! the view is shown.

use super::super::contract::{ListOfView, NO_ROWS};
use crate::analysis::changes::{ChangeList, ChangeSide};
use crate::analysis::{ChangedPair, Changes, Settings};
use crate::app::page::{Cell, Column, List, Part, Place, Tinted, Tone};
use crate::app::screen::tune::CompareState;
use crate::app::{App, Cursor, DerivedInput, query, want};
use crate::facts::ExplainedNumber;
use crate::id::DocId;
use crate::number::grouped;

/// The list in which the selection moves.
pub(super) fn list(app: &mut App) -> ListOfView<'_> {
    let height = app.page_rows();
    let state = &mut app.tune.compare;
    let len = state.found.answer().map_or(0, |found| found.n_listed());
    ListOfView { cursor: &mut state.cursor, len, height }
}

/// The reason why the list has no rows.
pub(super) fn about_no_rows(app: &App) -> &'static str {
    if app.tune.compare.before.is_none() {
        "no two recipes to compare yet: r changes the recipe or its k"
    } else {
        NO_ROWS
    }
}

/// The documents of the rows that show.
pub(super) fn listed(app: &App) -> Vec<DocId> {
    let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
    let rows = app.rows_to_know(app.tune.compare.cursor, found.n_listed(), app.page_rows());
    rows.filter_map(|row| pair(app, row)).flatten().collect()
}

/// Asks for the changes.
pub(super) fn refresh(app: &mut App) {
    let is_settled = app.running.is_none() && app.analysis.index.is_some();
    if let Some(before) = app.tune.compare.before.clone().filter(|_| is_settled) {
        want(app, query::ChangesQuery(DerivedInput(before)));
    }
}

/// The numbers of pairs gained and lost.
pub(super) fn numbers(app: &App) -> Vec<ExplainedNumber> {
    let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
    let (before, after) = (found.before.k, found.after.k);
    let [gained, lost] = [&found.gained, &found.lost].map(ChangeList::count);
    vec![
        ExplainedNumber::new("gained", &gained).explained(
            format!("pairs found at k = {after} after and not at k = {before} before: {gained}"),
            "Near-duplicates under the present recipe, but not under the one before.",
        ),
        ExplainedNumber::new("lost", &lost).explained(
            format!("pairs found at k = {before} before and not at k = {after} after: {lost}"),
            "Near-duplicates under the recipe before, but not under the present one.",
        ),
    ]
}

/// The first pair of documents of a row.
pub(super) fn pair(app: &App, row: usize) -> Option<[DocId; 2]> {
    let found = app.tune.compare.found.answer()?;
    found.row(row).map(|(changed, _)| found.first(changed).into())
}

/// The list, and the sentence about it.
pub(super) fn parts(app: &App) -> Vec<Part<'_>> {
    let state = &app.tune.compare;
    let found = state.found.answer().filter(|_| app.running.is_none());
    let none = match (&state.before, found) {
        (None, _) => {
            "r changes the recipe or its k: the pairs gained and lost against the recipe before are listed here"
        }
        (_, Some(_)) => "none: both recipes find the same pairs",
        _ if app.running.is_some() => "gained and lost pairs are listed when the work is done ..",
        _ if state.found.is_cancelled() => "stopped; + or - searches again",
        _ => state
            .found
            .problem()
            .unwrap_or("searching for pairs that only one of the two recipes finds .."),
    };
    let none = none.to_owned();
    let (list, sentence) = if let (Some(found), Some(before)) = (found, &state.before) {
        (changes(state, found, none), summary(app, before, found))
    } else {
        let list = List { none, ..List::new(Vec::new(), 0, Cursor::default()) };
        (list, vec![format!("Now: {}.", name(&app.analysis.settings)).into()])
    };
    let most = list.len + 1;
    vec![
        Part::new(
            "pairs that only one of the two recipes finds",
            most.clamp(2, 6)..=most.max(2),
            list,
        )
        .at(Place::Across, 2),
        Part::text("", sentence, 3, Place::Across, app.size),
    ]
}

fn name(settings: &Settings) -> String {
    format!("{}, k = {}", settings.recipe.short(), settings.k)
}

/// The number of changes, and the two compared recipes.
fn summary(app: &App, before: &ChangeSide, found: &Changes) -> Vec<Tinted> {
    let late = if app.tune.compare.found.is_running() { " .." } else { "" };
    let (gained, lost) = (&found.gained, &found.lost);
    let pairs = if gained.n_pairs == 1 { "pair" } else { "pairs" };
    let both = found.n_both();
    let both = both.map_or_else(String::new, |both| format!(", {} found by both", grouped(both)));
    let counts = format!("{} {pairs} gained, {} lost{both}{late}.", gained.count(), lost.count());
    let which = format!("{}, against {} before.", name(&found.after), name(&before.settings));
    vec![(counts, Tone::Strong).into(), which.into()]
}

/// The pairs that one of the two recipes finds.
fn changes<'a>(state: &CompareState, found: &'a Changes, none: String) -> List<'a> {
    let row = move |at: usize| -> Option<(&'a ChangedPair, bool)> { found.row(at) };
    let change = move |at: usize| match row(at) {
        Some((_, true)) => ("+ gained", Tone::Good),
        _ => ("- lost", Tone::Warn),
    };
    let distance = move |at: usize, of: fn(&ChangedPair) -> Option<u32>| {
        let distance = row(at).and_then(|(it, _)| of(it));
        distance.map_or_else(|| "-".to_owned(), |it| it.to_string())
    };
    let pairs =
        move |at: usize| row(at).map_or(String::new(), |(it, _)| grouped(found.n_pairs(it)));
    let documents = move |at: usize| match row(at) {
        Some((it, _)) => Cell::Pair(found.first(it).into()),
        None => Cell::from(""),
    };
    let columns = vec![
        Column::words("change", 9, change),
        Column::number("now", 5, 0, move |at| distance(at, |it| it.after)),
        Column::number("before", 8, 0, move |at| distance(at, |it| it.before)),
        Column::number("pairs", 7, 1, pairs),
        Column::words("  documents", None, documents),
    ];
    List { none, ..List::new(columns, found.n_listed(), state.cursor) }
}
