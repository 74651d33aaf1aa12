//! The titles of the documents that lists show: read again in the background, and kept while they may show again.

use std::collections::HashMap;

use super::{App, Effect, ask::want, query, resource::Resource, view::view};
use crate::id::DocId;

/// So many titles are kept before they are forgotten: some 100 bytes each.
const MOST: usize = 1 << 12;

/// The titles that are known.
#[derive(Debug, Default)]
pub struct Titles {
    known: HashMap<DocId, Option<String>>,
    /// More of them on their way.
    pub asked: Resource<query::Titles>,
}

impl Titles {
    /// The title of a document, once it is known and if there is one.
    pub fn get(&self, document: DocId) -> Option<&str> {
        self.known.get(&document)?.as_deref()
    }
}

/// Asks for the titles of the documents that the view lists, where they are not known.
pub(super) fn ask(app: &mut App, effects: &mut Vec<Effect>) {
    let listed = view(app.view()).listed(app);
    let is_unknown = |document: &DocId| !app.titles.known.contains_key(document);
    let wanted: Vec<DocId> = listed.into_iter().filter(is_unknown).collect();
    let asked = app.titles.asked.asked().filter(|_| app.titles.asked.is_running());
    let is_asked = asked.is_some_and(|asked| wanted.iter().all(|it| asked.0.contains(it)));
    if !wanted.is_empty() && !is_asked {
        want(app, query::Titles(wanted), effects);
    }
}

/// Takes titles.
pub(super) fn take(app: &mut App) {
    let Some(found) = app.titles.asked.take() else { return };
    if app.titles.known.len() + found.len() > MOST {
        app.titles.known.clear();
    }
    app.titles.known.extend(found);
}
