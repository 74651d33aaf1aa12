//! The views of the Docs screen, and what they share.

pub(in crate::app) mod bits;
pub(in crate::app) mod check;
pub(in crate::app) mod documents;
pub(in crate::app) mod groups;
pub(in crate::app) mod list;

use std::sync::Arc;

use crate::analysis::Analysis;
use crate::app::{App, Screen, query, want};
use crate::number::counted;

/// Up to this many documents are flagged and compared without being asked, which takes one or two seconds.
pub(in crate::app) const UNASKED: usize = 20_000;

/// Asks for the flags of documents: always if there are few documents, else only if their flags are needed.
pub(in crate::app) fn flag(app: &mut App) {
    let is_wanted = app.screen == Screen::Check
        || app.docs.filter.needs_flags()
        || app.analysis.len() <= UNASKED;
    let is_missing = app.analysis.index.is_some() && app.analysis.flags.is_none();
    if is_wanted && is_missing && app.running.is_none() {
        want(app, query::Flags);
    }
}

/// Adds the result of comparing the texts to the analysis.
pub(super) fn take_equal_texts(app: &mut App) {
    if let Some(texts) = app.docs.equal_texts.answer() {
        app.analysis = Arc::new(app.analysis.with_equal_texts(Arc::clone(texts)));
    }
}

/// Adds the flags to the analysis.
pub(super) fn take_flags(app: &mut App) {
    let Some(flags) = app.docs.flags.answer().cloned() else { return };
    if flags.n_unread > 0 {
        let unread = counted(flags.n_unread, "document");
        app.say(format!("{unread} could not be read again, so they have no flags"));
    }
    app.analysis = Arc::new(Analysis { flags: Some(flags), ..(*app.analysis).clone() });
}

/// Asks for the kind of text, and for the comparison of texts with equal fingerprints, when all pairs are there.
pub(in crate::app) fn look_at_texts(app: &mut App) {
    if app.analysis.index.is_none() || app.running.is_some() {
        return;
    }
    if app.analysis.equal_texts.is_none() {
        want(app, query::EqualTextsQuery);
    }
    want(app, query::TextKindQuery);
}

/// Shows a notice if the recipe does not fit the texts. Problems of reading are shown in the same row and have
/// precedence.
pub(super) fn advise_on_text_kind(app: &mut App) {
    let shingling = app.analysis.settings.recipe.features;
    let advice = app.docs.text_kind.answer().and_then(|kind| kind.advice(shingling));
    let is_free = app.notice.is_none() && app.analysis.diagnostics().next().is_none();
    if let Some(advice) = advice.filter(|_| is_free) {
        app.say(advice + "; r changes the recipe");
    }
}
