//! The Compare view: the pairs gained and lost against the recipe before.
//!
//! Before the form or the Sweep view changes a recipe or its k, the present fingerprints are kept; they are searched
//! only when the view is shown.

use super::super::{
    contract::{ListOfView, NO_ROWS, View},
    go::open_pair,
};
use crate::{
    analysis::{
        ChangedPair, Changes, Settings, Tuning,
        changes::{ChangeList, PreviousFingerprints},
    },
    app::{
        App, Effect,
        ask::want,
        cursor::Cursor,
        keymap::Action,
        page::{Block, Cell, Column, List, Page, Part, Place, Tinted, Tone},
        query::{self, DerivedInput},
        screen::tune::CompareState,
    },
    evaluate::distances::CountMethod,
    facts::ExplainedNumber,
    id::DocId,
    number::grouped,
};

/// The Compare view.
pub(in crate::app) struct CompareView;

impl View for CompareView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        if let (Action::Enter, Some((a, b))) = (action, selected_pair(app)) {
            open_pair(app, a, b);
        }
        action == Action::Enter
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = app.page_rows();
        let state = &mut app.tune.compare;
        let len = state.found.answer().map_or(0, |found| found.len());
        Some(ListOfView { cursor: &mut state.cursor, len, height })
    }

    fn about_no_rows(&self, app: &App) -> &'static str {
        if app.tune.compare.before.is_none() {
            "no two recipes to compare yet: r changes the recipe or its k"
        } else {
            NO_ROWS
        }
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        selected_pair(app).map_or_else(Vec::new, |(a, b)| vec![a, b])
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
        let rows = app.rows_to_know(app.tune.compare.cursor, found.len(), app.page_rows());
        let pair =
            |row| found.row(row).map(|(changed, _)| <[DocId; 2]>::from(found.first(changed)));
        rows.filter_map(pair).flatten().collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        let is_settled = app.running.is_none() && app.analysis.index.is_some();
        if let Some(before) = app.tune.compare.before.clone().filter(|_| is_settled) {
            want(app, query::ChangesQuery(DerivedInput(before)), effects);
        }
    }

    fn page<'a>(&self, app: &'a App) -> Option<Page<'a>> {
        Some(page(app))
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(found) = app.tune.compare.found.answer() else { return Vec::new() };
        let (before, after) = (found.before.k, found.after.k);
        let [gained, lost] = [&found.gained, &found.lost].map(ChangeList::count);
        vec![
            ExplainedNumber::new("gained", &gained).explained(
                format!(
                    "pairs found at k = {after} after and not at k = {before} before: {gained}"
                ),
                "Near-duplicates under the present recipe, but not under the one before.",
            ),
            ExplainedNumber::new("lost", &lost).explained(
                format!("pairs found at k = {before} before and not at k = {after} after: {lost}"),
                "Near-duplicates under the recipe before, but not under the present one.",
            ),
        ]
    }
}

/// Fits the selection into the found pairs.
pub(in crate::app) fn fit(app: &mut App) {
    if let Some(list) = CompareView.list(app) {
        list.cursor.fit(list.len, list.height);
    }
}

/// The first pair of documents of the selected row.
fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let found = app.tune.compare.found.answer()?;
    let (changed, _) = found.row(app.tune.compare.cursor.selected)?;
    Some(found.first(changed))
}

// The page.

fn page(app: &App) -> Page<'_> {
    let state = &app.tune.compare;
    let found = state.found.answer().filter(|_| app.running.is_none());
    let settings = &app.analysis.settings;
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
        let list = List { columns: Vec::new(), len: 0, cursor: Cursor::default(), none };
        (list, vec![format!("Now: {}.", name(settings)).into()])
    };
    let most = list.len + 1;
    let mut parts = vec![
        Part {
            title: "pairs that only one of the two recipes finds".to_owned(),
            remark: String::new(),
            rows: most.clamp(2, 6)..=most.max(2),
            rank: 0,
            place: Place::Across,
            block: Block::List(list),
        },
        Part::text("", sentence, 1, Place::Across, app.size),
    ];
    if let Some(tuning) = &app.tune.distances.tuning {
        parts.push(other_k(tuning, settings.k));
    }
    Page { parts }
}

fn name(settings: &Settings) -> String {
    format!("{}, k = {}", settings.recipe.short(), settings.k)
}

/// The number of changes, and the two compared recipes.
fn summary(app: &App, before: &PreviousFingerprints, found: &Changes) -> Vec<Tinted> {
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
    List { columns, len: found.len(), cursor: state.cursor, none }
}

/// The pairs of documents that the present recipe would gain or lose at another k.
fn other_k(tuning: &Tuning, k: u32) -> Part<'_> {
    let known: Vec<(u32, u64)> = tuning
        .rows
        .iter()
        .map_while(|row| {
            Some((row.k, row.pairs.filter(|it| it.method == CountMethod::Exact)?.pairs))
        })
        .collect();
    let now = known.get(k as usize).map_or(0, |(_, pairs)| *pairs);
    let rows = known.clone();
    let change = move |at: usize| -> Tinted {
        let pairs = rows[at].1;
        match pairs.abs_diff(now) {
            0 => ("same", Tone::Muted).into(),
            n if pairs < now => (format!("-{}", grouped(n)), Tone::Warn).into(),
            n => (format!("+{}", grouped(n)), Tone::Good).into(),
        }
    };
    let len = known.len();
    let ks = known.clone();
    let columns = vec![
        Column::number("k", 4, 0, move |at| ks[at].0.to_string()),
        Column::number("pairs", 14, 0, move |at| grouped(known[at].1)),
        Column::number("change", 15, 0, change),
    ];
    let cursor = Cursor { selected: k as usize, top: (k as usize).saturating_sub(3) };
    Part {
        title: format!("the same recipe at another k, against k = {k}"),
        remark: "+/- changes k".to_owned(),
        rows: 4..=len + 1,
        rank: 2,
        place: Place::Across,
        block: Block::List(List { columns, len, cursor, none: String::new() }),
    }
}
