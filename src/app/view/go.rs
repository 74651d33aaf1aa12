//! Steps that several views share: to a document, to a pair, to a prompt.

use super::docs::groups;
use crate::analysis::arrangement::DocumentList;
use crate::app::overlay::Prompt;
use crate::app::screen::docs::Listed;
use crate::app::{App, Overlay, Purpose, Screen};
use crate::id::DocId;

/// Asks the user for a line.
pub(in crate::app) fn prompt(app: &mut App, purpose: Purpose, text: String) {
    app.overlay = Some(Overlay::Prompt(Prompt {
        is_offered: purpose == Purpose::ViewFile && !text.is_empty(),
        purpose,
        line: text.into(),
        problem: None,
        back: 0,
        own: String::new(),
        before: app.docs.find.clone().map(Box::new),
        from: app.docs.cursor.selected,
        may_replace: false,
    }));
}

/// Asks again for a line that was refused, and says why; says only that while something else is asked.
/// The line may then replace a file at once if `may_replace`.
pub(in crate::app) fn ask_again(
    app: &mut App,
    (purpose, line): (Purpose, String),
    problem: &str,
    may_replace: bool,
) {
    if app.overlay.is_some() {
        return app.say(problem);
    }
    app.notice = None;
    prompt(app, purpose, line);
    if let Some(Overlay::Prompt(it)) = &mut app.overlay {
        (it.is_offered, it.may_replace) = (false, may_replace);
        it.problem = Some(problem.to_owned());
    }
}

/// Makes a document the selected one: in its group where groups are listed, else among all texts, even if the filter
/// hides it.
pub(in crate::app) fn select_document(app: &mut App, document: DocId) {
    if app.lists_groups() && groups::select(app, document) {
        return;
    }
    app.docs.listed = Listed::All;
    if app.docs.list.row_of(document).is_none() {
        // The list shows all documents until the rows without the filter come.
        app.docs.lift_filter();
        app.docs.show(DocumentList::all(app.analysis.len()));
    }
    app.docs.select(document);
}

/// Lists all texts.
pub(in crate::app) fn show_all(app: &mut App) {
    if !app.lists_groups() {
        return;
    }
    let document = app.query();
    app.docs.listed = Listed::All;
    if let Some(document) = document {
        select_document(app, document);
    }
}

/// Shows a pair on Pair, whatever its distance; false if these documents are no pair.
pub(super) fn open_pair(app: &mut App, documents: &[DocId]) -> bool {
    let &[query, other] = documents else { return false };
    select_document(app, query);
    app.near.opened = Some([query, other]);
    app.near.pending_selection = Some(other);
    // The present list may already be of that query: it is made again, so that the other document is selected.
    app.near.listing.forget();
    app.screen = Screen::Pair;
    true
}
