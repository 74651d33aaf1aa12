//! What follows from the selection: rows, neighbours, explanation, window, open document, comparison.
//!
//! Each part remembers what it was made from, or asked for, and is made anew only when that changed.
//! Whatever must be read, and whatever walks the corpus, leaves as an effect.

use std::sync::Arc;

use super::{
    super::{
        App, Effect, Screen,
        arrangement::List,
        layout::GROUPS_FROM,
        question::{Kind, Question},
        screen::near::Neighbours,
    },
    act::select_table,
    docs, groups, near, sweep, tune,
};
use crate::{app::wrap::wrap, explain::PairExplanation, id::DocId, index::Linkage};

/// Brings what follows from the selection up to date, and asks for what must be read.
pub(super) fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    arrange(app, effects);
    groups::open_or_leave(app);
    group(app, effects);
    groups::derive(app, effects);
    inspect(app, effects);
    list_neighbours(app, effects);
    explain(app, effects);
    compare(app, effects);
    tune::derive(app, effects);
    docs::compare_texts(app, effects);
    docs::derive(app, effects);
    near::derive(app, effects);
    sweep::derive(app, effects);
    super::compare::derive(app, effects);
    wrap_preview(app);
    lay_out(app);
}

/// Brings the rows of the list up to date: at once where they are all documents in corpus order.
fn arrange(app: &mut App, effects: &mut Vec<Effect>) {
    let n_documents = app.analysis.len();
    let wanted = app.docs.arrangement();
    if wanted.is_plain() {
        app.asked.forget(Kind::Rows);
        app.arranged = None;
        if !app.docs.list.is_plain() || app.docs.len() != n_documents || app.docs.from_top {
            let height = app.docs_layout().list;
            app.docs.show(List::all(n_documents), height);
        }
        return;
    }
    let due = match &app.arranged {
        Some((before, ..)) if *before != wanted => true,
        // While a corpus grows its rows follow in steps that grow with it.
        Some((_, version, before)) if app.running.as_ref().is_some_and(|running| running.loads) => {
            *version != app.version && n_documents > before + before / 4
        }
        Some((_, version, _)) => *version != app.version,
        None => true,
    };
    if due {
        app.arranged = Some((wanted.clone(), app.version, n_documents));
        effects.push(app.ask(Question::Rows(wanted)));
    }
}

/// Asks for the groups of the present k where they show.
fn group(app: &mut App, effects: &mut Vec<Effect>) {
    let shows = match app.screen {
        _ if app.groups.linkage == Linkage::Complete => false,
        Screen::Docs => app.size.width as usize >= GROUPS_FROM,
        Screen::Groups => true,
        _ => false,
    };
    let missing = app.analysis.groups.is_none() && app.analysis.is_complete();
    if app.grouped == Some(app.version) {
        return;
    }
    // An answer on its way is for another k.
    app.asked.forget(Kind::Groups);
    if shows && missing {
        app.grouped = Some(app.version);
        effects.push(app.ask(Question::Groups));
    }
}

/// Wraps the selected document's text anew when it or the screen changed. Costs its length.
fn wrap_preview(app: &mut App) {
    let width = app.preview_width();
    let open = app.open_document();
    let knows_flags = app.analysis.flags.is_some();
    let wanted = open.map(|open| (std::ptr::from_ref(open) as usize, width, knows_flags));
    if app.docs.wrapped == wanted {
        return;
    }
    let lines = open.and_then(|open| open.lines.as_deref()).unwrap_or_default();
    let warnings = app.open_findings().into_iter();
    let warnings = warnings.map(|it| format!("! {}: {}", it.flag, it.sentence));
    let mut preview: Vec<String> = warnings.flat_map(|text| wrap(&text, width)).collect();
    let n_warnings = preview.len();
    preview.extend(lines.iter().flat_map(|line| wrap(line, width)));
    (app.docs.preview, app.docs.n_warnings) = (preview, n_warnings);
    app.docs.wrapped = wanted;
    let last = app.docs.preview.len().saturating_sub(app.docs_layout().preview);
    app.docs.preview_top = app.docs.preview_top.min(last);
}

/// Lays the two texts out anew when they, the screen or the view changed. Costs their length.
pub(super) fn lay_out(app: &mut App) {
    let (column, side) = (app.text_column(), app.is_side_by_side());
    // The address tells one comparison from the next while it is held.
    let wanted = app.near.comparison.as_ref().map(|one| (Arc::as_ptr(one) as usize, column, side));
    if app.near.laid_out == wanted {
        return;
    }
    app.near.laid_out = wanted;
    app.near.rows = match &app.near.comparison {
        None => Vec::new(),
        Some(comparison) if side => comparison.side_by_side(column),
        Some(comparison) => comparison.unified(column),
    };
    let last = app.near.rows.len().saturating_sub(app.near_layout().text);
    app.near.text_top = app.near.text_top.min(last);
}

fn inspect(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(document) = app.query() else {
        app.inspecting = None;
        return;
    };
    let known = app.inspecting.map(|(document, version, _)| (document, version));
    // A document's votes change with the recipe, not with every snapshot.
    let version = app.fingerprinted;
    if known == Some((document, version)) {
        return;
    }
    if known.map(|(document, _)| document) != Some(document) {
        app.docs.preview_top = 0;
        app.unreadable = None;
    }
    let number = app.number();
    app.inspecting = Some((document, version, Some(number)));
    effects.push(Effect::Inspect { number, analysis: Arc::clone(&app.analysis), document });
}

fn list_neighbours(app: &mut App, effects: &mut Vec<Effect>) {
    if matches!(app.screen, Screen::Docs | Screen::Groups) {
        return;
    }
    let wanted = (app.query(), app.near.held, app.version);
    if app.listed == Some(wanted) {
        return;
    }
    app.listed = Some(wanted);
    let (query, held, _) = wanted;
    // The neighbours of another document are nothing to look at meanwhile.
    if app.near.query != query {
        let nobody = Neighbours { query, ..Neighbours::default() };
        app.near.show(nobody, app.near_layout().list);
    }
    app.asked.forget(Kind::Neighbours);
    if let Some(query) = query {
        effects.push(app.ask(Question::Neighbours { query, held }));
    }
}

fn explain(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Tables {
        return;
    }
    let pair = app
        .near
        .query
        .map(|query| (query, app.near.selected().map(|neighbour| neighbour.document)));
    if app.explained != Some((pair, app.version)) {
        app.explained = Some((pair, app.version));
        app.tables.pair = pair;
        app.tables.explanation = pair.and_then(|(query, other)| {
            let (a, b) = (app.analysis.fingerprint(query)?, app.analysis.fingerprint(other?)?);
            let shelf = app.analysis.shelf.as_ref()?;
            Some(PairExplanation::new(a, b, shelf.layout()))
        });
        // Start where there is something to see.
        let first_hit =
            app.tables.explanation.as_ref().and_then(|explanation| explanation.hits().next());
        select_table(app, first_hit.unwrap_or(0));
    }
    look_up(app, effects);
}

/// Asks for the rows of the selected table around the query; those there are stay until they come.
fn look_up(app: &mut App, effects: &mut Vec<Effect>) {
    let known =
        |query: &DocId| app.analysis.shelf.is_some() && app.analysis.fingerprint(*query).is_some();
    let Some(query) = app.near.query.filter(known) else {
        (app.tables.window, app.windowed) = (None, None);
        app.asked.forget(Kind::Window);
        return;
    };
    let table = app.tables.table.selected;
    let height = app.tables_layout().window / app.table_lines();
    let wanted = (query, table, height, app.version);
    if app.windowed == Some(wanted) {
        return;
    }
    if app.windowed.is_none_or(|(before, ..)| before != query) {
        app.tables.window = None;
    }
    app.windowed = Some(wanted);
    effects.push(app.ask(Question::Window { table, document: query, height }));
}

fn compare(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Near {
        return;
    }
    let Some((left, neighbour)) = app.near.pair() else {
        app.comparing = None;
        (app.near.comparison, app.near.unreadable) = (None, None);
        return;
    };
    let right = neighbour.document;
    let version = app.fingerprinted;
    let known = app.comparing.map(|(left, right, version, _)| (left, right, version));
    if known == Some((left, right, version)) {
        return;
    }
    if known.map(|(left, right, _)| (left, right)) != Some((left, right)) {
        app.near.text_top = 0;
        app.near.comparison = None;
        app.near.unreadable = None;
    }
    let number = app.number();
    app.comparing = Some((left, right, version, Some(number)));
    effects.push(Effect::Compare { number, analysis: Arc::clone(&app.analysis), left, right });
}
