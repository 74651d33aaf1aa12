//! The requests about listed documents: their titles, which are read again in the background and kept for a while,
//! and their exact similarities to one document.

use unicode_width::UnicodeWidthStr;

use crate::app::{App, query, want};
use crate::id::DocId;

/// The most titles to keep, of about 100 bytes each; beyond this number all are forgotten.
const MOST: usize = 1 << 12;
/// So many ids are measured.
const IDS: usize = 256;

/// Asks for the unknown titles of listed documents.
pub(in crate::app) fn ask_titles(app: &mut App, listed: Vec<DocId>) {
    let n_documents = app.analysis.len();
    if app.titles.measured != n_documents {
        let every = n_documents.div_ceil(IDS).max(1);
        let some = (0..n_documents).step_by(every).map(DocId::from);
        let mut widths: Vec<usize> = some.map(|it| app.analysis.corpus.id(it).width()).collect();
        widths.sort_unstable();
        app.titles.measured = n_documents;
        app.titles.longest_id = widths.last().copied().unwrap_or(0);
        app.titles.usual_id = widths.get(widths.len() * 9 / 10).copied().unwrap_or(0);
    }
    let is_unknown = |document: &DocId| !app.titles.known.contains_key(document);
    let wanted: Vec<DocId> = listed.into_iter().filter(is_unknown).collect();
    let is_asked = app.titles.asked.runs(|asked| wanted.iter().all(|it| asked.0.contains(it)));
    if !wanted.is_empty() && !is_asked {
        want(app, query::TitlesQuery(wanted));
    }
}

/// Takes titles.
pub(super) fn take_titles(app: &mut App) {
    let Some(found) = app.titles.asked.take() else { return };
    // All titles are needed while they are written to a file.
    if app.titles.known.len() + found.len() > MOST && app.exporting.is_none() {
        app.titles.known.clear();
    }
    app.titles.known.extend(found);
}

/// Asks for the unknown similarities of some documents to `query`.
pub(super) fn weigh(app: &mut App, query: DocId, listed: &[DocId]) {
    if app.running.is_some() {
        return;
    }
    let about = Some((query, app.versions.recipe));
    if app.similar.about != about {
        app.similar.begin(about);
    }
    let similar = &app.similar;
    let is_unknown = |document: &&DocId| similar.to(query, **document).is_none();
    let others: Vec<DocId> = listed.iter().filter(is_unknown).copied().collect();
    let is_asked = similar.asked.runs(|asked| others.iter().all(|it| asked.others.contains(it)));
    if !others.is_empty() && !is_asked {
        want(app, query::SimilaritiesQuery { query, others });
    }
}

/// Takes the similarities of some documents to the query.
pub(super) fn take_similarities(app: &mut App) {
    let similar = &mut app.similar;
    if let Some((asked, found)) = similar.asked.answered()
        && similar.about.is_some_and(|(query, _)| query == asked.query)
    {
        similar.known.extend(found.iter().copied());
    }
}
