//! What follows from the selection: rows, neighbours, explanation, window, open document, comparison.
//!
//! Each part remembers what it was made from, or asked for, and is made anew only when that changed.
//! Whatever must be read, and whatever walks the corpus, leaves as an effect.

use super::{
    super::{
        App, Effect, Screen,
        layout::GROUPS_FROM,
        query::{self, Given},
    },
    act::select_table,
    answers::want,
    docs, groups, near, sweep, tune,
};
use crate::{
    analysis::arrangement::List, analysis::neighbours::Neighbours, app::wrap::wrap,
    explain::PairExplanation, id::DocId, index::Linkage,
};

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
        app.docs.rows.forget();
        if !app.docs.list.is_plain() || app.docs.len() != n_documents || app.docs.from_top {
            let height = app.docs_layout().list;
            app.docs.show(List::all(n_documents), height);
        }
        return;
    }
    let (flags, texts) = (&app.analysis.flags, &app.analysis.equal_texts);
    let knows_marks = wanted.filter.needs_flags() && flags.is_some()
        || wanted.filter.needs_equal_texts() && texts.is_some();
    let n_documents = Given(n_documents);
    let query = query::Rows { arrangement: wanted, knows_marks, n_documents };
    // While a corpus grows its rows follow in steps that grow with it.
    let before = app.docs.rows.asked().filter(|before| **before == query);
    let before = before.map_or(0, |before| before.n_documents.0);
    let loads = app.running.as_ref().is_some_and(|running| running.loads);
    if !loads || before == 0 || query.n_documents.0 > before + before / 4 {
        want(app, query, effects);
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
    if shows && missing {
        want(app, query::Groups, effects);
    } else {
        // An answer on its way is for another k.
        app.groups.single.forget();
    }
}

/// Wraps the selected document's text anew when it or the screen changed. Costs its length.
fn wrap_preview(app: &mut App) {
    let width = app.preview_width();
    let open = app.open_document();
    let knows_flags = app.analysis.flags.is_some();
    let number = app.document.number().filter(|_| open.is_some());
    let wanted = number.map(|number| (number, width, knows_flags));
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
    let wanted = app.near.texts.number().map(|number| (number, column, side));
    if app.near.laid_out == wanted {
        return;
    }
    app.near.laid_out = wanted;
    app.near.rows = match app.near.texts.answer() {
        None => Vec::new(),
        Some(comparison) if side => comparison.side_by_side(column),
        Some(comparison) => comparison.unified(column),
    };
    let last = app.near.rows.len().saturating_sub(app.near_layout().text);
    app.near.text_top = app.near.text_top.min(last);
}

fn inspect(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(document) = app.query() else { return app.document.forget() };
    if app.document.asked() != Some(&query::Document(document)) {
        app.docs.preview_top = 0;
    }
    want(app, query::Document(document), effects);
}

fn list_neighbours(app: &mut App, effects: &mut Vec<Effect>) {
    if matches!(app.screen, Screen::Docs | Screen::Groups) {
        return;
    }
    let (query, held) = (app.query(), app.near.held);
    // The neighbours of another document are nothing to look at meanwhile.
    if app.near.query != query {
        let nobody = Neighbours { query, ..Neighbours::default() };
        app.near.show(nobody, app.near_layout().list);
    }
    match query {
        Some(query) => _ = want(app, query::Neighbours { query, held }, effects),
        None => app.near.listing.forget(),
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
    let made_for = Some((pair, app.versions.analysis));
    if app.tables.made_for != made_for {
        app.tables.made_for = made_for;
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
        app.tables.window = None;
        app.tables.lookup.forget();
        return;
    };
    let table = app.tables.table.selected;
    let height = app.tables_layout().window / app.table_lines();
    if app.tables.lookup.asked().is_none_or(|before| before.document != query) {
        app.tables.window = None;
    }
    want(app, query::Window { document: query, table, height }, effects);
}

fn compare(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Near {
        return;
    }
    let Some((left, neighbour)) = app.near.pair() else { return app.near.texts.clear() };
    let pair = [left, neighbour.document];
    if app.near.texts.asked().is_none_or(|before| before.pair != pair) {
        app.near.text_top = 0;
        app.near.texts.clear();
    }
    want(app, query::Texts { pair, within: app.compare_within }, effects);
}
