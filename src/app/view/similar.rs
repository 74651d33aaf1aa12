//! The exact similarities of listed documents to one of them, which are asked for when the documents are shown.

use crate::{
    app::{App, Effect, ask::want, query, screen::similar::Similarities},
    id::DocId,
};

/// Asks for the unknown similarities of some documents to `query`.
pub(super) fn weigh(app: &mut App, query: DocId, listed: &[DocId], effects: &mut Vec<Effect>) {
    if app.running.is_some() {
        return;
    }
    let fingerprinted = app.versions.recipe;
    let is_known =
        |known: &Similarities| (known.query, known.fingerprinted) == (query, fingerprinted);
    if !app.similar.known.as_ref().is_some_and(is_known) {
        app.similar.known = Some(Similarities::none(query, fingerprinted));
        app.similar.asked.forget();
    }
    let similar = &app.similar;
    let is_unknown = |document: &&DocId| similar.to(query, **document).is_none();
    let others: Vec<DocId> = listed.iter().filter(is_unknown).copied().collect();
    let asked = similar.asked.asked().filter(|_| similar.asked.is_running());
    let is_asked = asked.is_some_and(|asked| {
        asked.others == others || others.iter().all(|it| asked.others.contains(it))
    });
    if !others.is_empty() && !is_asked {
        want(app, query::SimilaritiesQuery { query, others }, effects);
    }
}

/// Takes the similarities of some documents to the query.
pub(super) fn take(app: &mut App) {
    let found = app.similar.asked.answered();
    if let Some((asked, found)) = found
        && let Some(known) = app.similar.known.as_mut().filter(|known| known.query == asked.query)
    {
        known.of.extend(found.iter().copied());
    }
}
