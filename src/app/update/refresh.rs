//! Updates everything that depends on the selection: rows, groups, the open document, neighbours, and the data of the
//! view.
//!
//! Each part notes its inputs and is made again only when they change. Reading, and work over the whole corpus, is left
//! to effects.

use std::sync::Arc;

use super::super::view::docs::{self, groups};
use super::super::view::{lay_out_page, learn, listed, review, tune, view};
use super::export;
use crate::analysis::arrangement::DocumentList;
use crate::analysis::filter::Filter;
use crate::analysis::inspection::Neighbours;
use crate::app::{App, DerivedInput, Screen, query, want};
use crate::id::DocId;

/// Updates the parts that depend on the selection, and asks for data that must be read.
pub(super) fn derive(app: &mut App) {
    arrange(app);
    docs::documents::search(app);
    group(app);
    groups::link(app);
    inspect(app);
    list_neighbours(app);
    tune::layouts::go_on(app);
    review::restore(app);
    docs::look_at_texts(app);
    tune::recipes::go_on(app);
    match app.screen {
        Screen::Docs | Screen::Check => docs::flag(app),
        Screen::Tune => tune::distances::refresh(app),
        Screen::Pair | Screen::Tables | Screen::Learn => {}
    }
    if groups::tells_what_can_go(app) {
        review::decide(app);
    }
    review::keep(app);
    scroll_list(app);
    view(app.view()).refresh(app);
    // The text of a group's row is another one when other texts of it are kept.
    inspect(app);
    let shown = view(app.view()).listed(app);
    if app.screen == Screen::Docs {
        docs::documents::ask_fields(app, &shown);
    }
    listed::ask_titles(app, shown);
    listed::lay_out_text(app);
    learn::lessons::check(app);
    // A page shows the hidden facts of a lesson as soon as it is answered.
    lay_out_page(app);
    learn::lessons::show_praise(app);
    export::go_on(app);
}

/// Scrolls the list of the page, if it has one, so that the selected row shows.
fn scroll_list(app: &mut App) {
    let height = app.page_rows();
    if let Some(list) = view(app.view()).list(app).filter(|_| height > 0) {
        list.cursor.fit(list.len, height);
    }
}

/// Updates the rows of the list, at once if they are all documents in corpus order.
fn arrange(app: &mut App) {
    let n_documents = app.analysis.len();
    app.docs.filter.take_marked(app.review.rule.marks.documents.keys());
    let wanted = app.docs.arrangement();
    if wanted.is_plain() {
        app.docs.rows.forget();
        app.docs.admission.forget();
        if !app.docs.list.is_plain() || app.docs.len() != n_documents || app.docs.from_top {
            app.docs.show(DocumentList::all(n_documents));
        }
        return;
    }
    admit(app, &wanted.filter);
    let (flags, texts) = (&app.analysis.flags, &app.analysis.equal_texts);
    let groups = app.linked_groups().filter(|_| wanted.needs_groups()).cloned();
    let knows_marks = wanted.filter.needs_flags() && flags.is_some()
        || wanted.filter.needs_equal_texts() && texts.is_some()
        || groups.is_some();
    let mut query = query::Rows {
        arrangement: wanted,
        knows_marks,
        n_looked_at: app.docs.found.read().n_looked_at,
        found: DerivedInput(Arc::clone(&app.docs.found)),
        groups: DerivedInput(groups),
        n_documents: DerivedInput(n_documents),
    };
    // While documents are checked, the rows follow in steps that grow with their number.
    let shown = app.docs.rows.asked().filter(|it| it.arrangement == query.arrangement);
    let shown = shown.map_or(0, |it| it.n_looked_at);
    if app.docs.admission.is_running() && query.n_looked_at <= shown + shown / 4 {
        query.n_looked_at = shown;
    }
    let before = app.docs.rows.asked().filter(|before| **before == query);
    if docs::documents::is_worth_asking(app, before.map_or(0, |before| before.n_documents.0)) {
        want(app, query);
    }
}

/// Asks for a check of texts and fields for the filter.
fn admit(app: &mut App, filter: &Filter) {
    if !filter.needs_records() {
        return app.docs.admission.forget();
    }
    let before = app.docs.admission.asked().filter(|look| look.0.filter == *filter);
    if docs::documents::is_worth_asking(app, before.map_or(0, |look| look.0.n_documents)) {
        let found = DerivedInput(Arc::clone(&app.docs.found));
        let n_documents = app.analysis.len();
        let from = DerivedInput(DocId(0));
        let look = query::DocumentScan { filter: filter.clone(), n_documents, from, found };
        want(app, query::FilterScan(look));
    }
}

/// Asks for the groups of the present k if the screen lists them or tells what can go.
fn group(app: &mut App) {
    let shows = app.wanted_groups().is_none()
        && (app.screen == Screen::Docs || groups::tells_what_can_go(app));
    let missing = app.analysis.groups.is_none() && app.analysis.is_complete();
    if shows && missing {
        want(app, query::GroupsQuery);
    } else {
        // A running query is for another k.
        app.groups.single.forget();
    }
}

fn inspect(app: &mut App) {
    let Some(document) = app.query() else { return app.document.forget() };
    if app.document.asked() != Some(&query::DocumentQuery(document)) {
        app.docs.preview_top = 0;
    }
    want(app, query::DocumentQuery(document));
}

fn list_neighbours(app: &mut App) {
    if matches!(app.screen, Screen::Docs | Screen::Check) {
        return;
    }
    let query = app.query();
    let opened = app.near.opened.filter(|it| Some(it[0]) == query).map(|it| it[1]);
    let held = opened.or(app.near.held);
    // Neighbours of another document must not be shown until the answer comes.
    if app.near.query != query {
        let nobody = Neighbours { query, ..Neighbours::default() };
        app.near.show(nobody);
    }
    match query {
        Some(query) => _ = want(app, query::NeighboursQuery { query, held }),
        None => app.near.listing.forget(),
    }
}
