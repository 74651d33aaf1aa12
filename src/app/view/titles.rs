//! The titles of listed documents are read again in the background, and kept for a while.

use unicode_width::UnicodeWidthStr;

use crate::{
    app::{App, Effect, ask::want, query},
    id::DocId,
};

/// The most titles to keep, of about 100 bytes each; beyond this number all are forgotten.
const MOST: usize = 1 << 12;
/// So many ids are measured.
const IDS: usize = 256;

/// Asks for the unknown titles of listed documents.
pub(in crate::app) fn ask(app: &mut App, listed: Vec<DocId>, effects: &mut Vec<Effect>) {
    let n_documents = app.analysis.len();
    if app.titles.ids.1 != n_documents {
        let every = n_documents.div_ceil(IDS).max(1);
        let some = (0..n_documents).step_by(every).map(DocId::from);
        let mut widths: Vec<usize> = some.map(|it| app.analysis.corpus.id(it).width()).collect();
        widths.sort_unstable();
        app.titles.ids = (widths.last().copied().unwrap_or(0), n_documents);
        app.titles.usual = widths.get(widths.len() * 9 / 10).copied().unwrap_or(0);
    }
    let is_unknown = |document: &DocId| !app.titles.known.contains_key(document);
    let wanted: Vec<DocId> = listed.into_iter().filter(is_unknown).collect();
    let asked = app.titles.asked.asked().filter(|_| app.titles.asked.is_running());
    let is_asked = asked
        .is_some_and(|asked| asked.0 == wanted || wanted.iter().all(|it| asked.0.contains(it)));
    if !wanted.is_empty() && !is_asked {
        want(app, query::TitlesQuery(wanted), effects);
    }
}

/// Takes titles.
pub(in crate::app) fn take(app: &mut App) {
    let Some(found) = app.titles.asked.take() else { return };
    // All titles are needed while they are written to a file.
    if app.titles.known.len() + found.len() > MOST && app.exporting.is_none() {
        app.titles.known.clear();
    }
    app.titles.known.extend(found);
}
