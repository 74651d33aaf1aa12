//! The exact cosine of a listed document to another, in the cells of a column.

use crate::{app::App, explain::figures::similarity, id::DocId, tui::theme::Theme};

/// The share of a document's text that another one has, `0.962`; `..` before it is known.
pub(super) fn share(app: &App, query: Option<DocId>, document: DocId, theme: Theme) -> String {
    match query.and_then(|query| app.similar.to(query, document)) {
        None => "..".to_owned(),
        Some(known) => known
            .and_then(|known| known.shared)
            .map_or_else(|| theme.glyphs().none.to_string(), similarity),
    }
}

/// `0.962`; `..` before it is known, and a dot for a document without text or features.
pub(super) fn cosine(app: &App, query: Option<DocId>, document: DocId, theme: Theme) -> String {
    match query.and_then(|query| app.similar.to(query, document)) {
        None => "..".to_owned(),
        Some(None) => theme.glyphs().none.to_string(),
        Some(Some(known)) => similarity(known.cosine),
    }
}
