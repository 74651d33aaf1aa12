//! The contract of all views.

use crate::app::page::Page;
use crate::app::{Action, App, Cursor, Size};
use crate::facts::ExplainedNumber;
use crate::id::DocId;
use crate::present::page::Section;

/// The notice of a list without rows.
pub(in crate::app) const NO_ROWS: &str = "no row is listed here";

impl App {
    /// The reason why there are no fingerprints of the corpus yet, on which `what` waits.
    pub(in crate::app) fn why_no_fingerprints(&self, what: &str) -> Option<String> {
        match (&self.analysis.index, &self.running) {
            (Some(_), _) => None,
            (None, Some(_)) => {
                Some(format!("{what} known when all documents are fingerprinted .."))
            }
            (None, None) => Some(
                "the work was stopped before there were fingerprints; + or - resumes it".into(),
            ),
        }
    }

    /// The reason why a document has no fingerprint, where the corpus has them.
    pub(in crate::app) fn why_no_fingerprint(&self, document: Option<DocId>) -> Option<String> {
        let record = document.and_then(|it| self.analysis.record(it));
        let why = match record {
            None => "no document is selected",
            Some(record) if record.unreadable => "this document could not be read; ! shows why",
            Some(record) if record.fingerprint.is_none() => {
                "this text has no features, so it has no fingerprint"
            }
            Some(_) => return None,
        };
        Some(why.to_owned())
    }
}

/// The list in which the selection of a view moves.
pub(in crate::app) struct ListOfView<'a> {
    pub(in crate::app) cursor: &'a mut Cursor,
    /// The number of all rows.
    pub(in crate::app) len: usize,
    /// The number of rows on the screen.
    pub(in crate::app) height: usize,
}

impl ListOfView<'_> {
    /// Moves the selection by a number of rows.
    pub(in crate::app) fn step(self, rows: isize) {
        self.cursor.step(rows, self.len, self.height);
    }
}

/// A view: its keys, queries, selection and numbers. Its functions are pure: they read no file and do no long work.
pub(in crate::app) trait View {
    /// Does an action in the way of this view; false if the view leaves it to the common actions.
    fn act(&self, _: &mut App, _: Action) -> bool {
        false
    }

    /// The list in which the selection moves, if the view has one that moves like any other list.
    fn list<'a>(&self, _: &'a mut App) -> Option<ListOfView<'a>> {
        None
    }

    /// Moves the selection by a number of rows.
    fn step(&self, app: &mut App, rows: isize) {
        if self.list(app).is_some_and(|list| list.len == 0) {
            app.say(NO_ROWS);
        } else if let Some(list) = self.list(app) {
            list.step(rows);
        }
    }

    /// Goes one step back within the view: closes a list, lifts a filter; false if it is at its beginning.
    fn back(&self, _: &mut App) -> bool {
        false
    }

    /// The documents of the row under the cursor: one, the two of a pair, or none.
    fn documents(&self, _: &App) -> Vec<DocId> {
        Vec::new()
    }

    /// The listed documents, whose titles the view shows.
    fn listed(&self, _: &App) -> Vec<DocId> {
        Vec::new()
    }

    /// Asks for data that the view shows and does not have, and lays out the data that it has.
    fn refresh(&self, _: &mut App) {}

    /// The view as a page, for the screen or a part of it.
    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a>;

    /// The text, tables and pictures of the page's part that scrolls, if it has one.
    fn sections(&self, _: &App) -> Vec<Section> {
        Vec::new()
    }

    /// The numbers that the view shows, explained.
    fn numbers(&self, _: &App) -> Vec<ExplainedNumber> {
        Vec::new()
    }
}
