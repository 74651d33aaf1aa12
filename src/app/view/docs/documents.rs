//! Finding words in all texts, filtering them, and the columns of fields.

use std::collections::HashSet;
use std::sync::Arc;

use crate::analysis::arrangement::{DocumentList, ListOrder};
use crate::analysis::filter::{Filter, FilterError, Number};
use crate::analysis::query::DerivedInput;
use crate::app::overlay::Prompt;
use crate::app::screen::docs::{Find, MOST_COLUMNS};
use crate::app::view::go::{prompt, show_all};
use crate::app::{App, Purpose, query, want};
use crate::corpus::{Pattern, TooLong};
use crate::id::DocId;
use crate::text::visible;

/// Stops the search for words, or removes the filter, or forgets the words: the first of these that applies; false if
/// none does.
pub(in crate::app) fn back(app: &mut App) -> bool {
    let docs = &mut app.docs;
    if let Some(find) = docs.find.as_mut().filter(|_| docs.searching.is_running()) {
        (find.is_stopped, find.step) = (true, None);
        docs.searching.forget();
    } else if !docs.filter.is_empty() {
        docs.lift_filter();
    } else {
        docs.wrapped = None;
        return docs.find.take().is_some();
    }
    true
}

/// Searches for other words, and goes to the next document that holds them.
pub(in crate::app) fn find_words(app: &mut App, words: String) -> Result<(), TooLong> {
    show_all(app);
    // Its places in the text are others.
    app.docs.wrapped = None;
    if words.is_empty() {
        app.docs.find = None;
        return Ok(());
    }
    let filter = Filter::words(&words)?;
    match &mut app.docs.find {
        Some(find) if find.filter == filter => find.words = words,
        find => {
            let found = Arc::default();
            let pattern = Pattern::new(&words)?;
            *find = Some(Find { words, pattern, filter, found, step: None, is_stopped: false });
        }
    }
    find(app, 1);
    Ok(())
}

/// Searches for words while they are typed: from this row on, so that each letter searches from the same place.
pub(in crate::app) fn find_from(app: &mut App, words: String, row: usize) -> Result<(), TooLong> {
    app.docs.cursor.select(row, app.docs.len());
    find_words(app, words)
}

/// Whether these words are searched already, and the selected document holds them.
pub(in crate::app) fn is_on_match(app: &App, words: &str) -> bool {
    let Some(find) = app.docs.find.as_ref().filter(|find| find.words == words) else {
        return false;
    };
    app.docs.selected().is_some_and(|it| find.found.read().get(it) == Some(true))
}

/// Ends a search that was only typed: the row and the search before come back.
pub(in crate::app) fn take_find_back(app: &mut App, prompt: &Prompt) {
    let words = prompt.line.value().trim();
    if app.docs.find.as_ref().is_some_and(|find| find.words == words) || words.is_empty() {
        (app.docs.find, app.docs.wrapped) = (prompt.before.as_deref().cloned(), None);
        app.docs.cursor.select(prompt.from, app.docs.len());
    }
}

/// Goes to the next or previous row whose document holds the words, when it is known.
pub(super) fn find(app: &mut App, step: isize) {
    app.docs.searching.retry();
    match &mut app.docs.find {
        Some(find) => (find.step, find.is_stopped) = (Some(step), false),
        None => app.say("nothing to find yet; / asks for words"),
    }
}

/// Asks for the search for the words, and goes to a match that the user waits for.
pub(in crate::app) fn search(app: &mut App) {
    let n_documents = app.analysis.len();
    match app.docs.find.clone() {
        None => app.docs.searching.forget(),
        Some(find) if !find.is_stopped => {
            let before = app.docs.searching.asked().filter(|look| look.0.filter == find.filter);
            let before = before.map_or(0, |look| look.0.n_documents);
            if is_worth_asking(app, before) {
                let from = DerivedInput(app.docs.selected().unwrap_or(DocId(0)));
                let Find { filter, found, .. } = find;
                let look =
                    query::DocumentScan { filter, n_documents, from, found: DerivedInput(found) };
                want(app, query::TextSearch(look));
            }
            go_to_match(app);
        }
        Some(_) => {}
    }
}

/// Whether there are enough more documents than `before` to ask for the list again: while a corpus grows, the steps
/// grow with it.
pub(in crate::app) fn is_worth_asking(app: &App, before: usize) -> bool {
    let loads = app.running.as_ref().is_some_and(|running| running.loads);
    !loads || before == 0 || app.analysis.len() > before + before / 4
}

/// Selects the row that the user waits for, if all documents on the way to it were searched.
fn go_to_match(app: &mut App) {
    let (n, from) = (app.docs.len(), app.docs.cursor.selected);
    let Some(find) = &app.docs.find else { return };
    let Some(step) = find.step else { return };
    let is_running = app.docs.searching.is_running();
    let sets = find.found.read();
    let mut rows = query::others(from, step, n);
    let holds = |row| app.docs.document(row).and_then(|document| sets.get(document));
    // A row that was not searched yet may be the next match, unless the search has ended.
    let stop = rows.find(|&row| holds(row).unwrap_or(is_running));
    if stop.is_some_and(|row| holds(row).is_none()) || (n == 0 && is_running) {
        return;
    }
    drop(sets);
    let missing = format!("no id, title or text holds \"{}\"", visible(&find.words));
    match stop {
        Some(row) => app.docs.cursor.selected = row,
        None if app.docs.filter.is_empty() => app.say(missing),
        None => app.say(format!("{missing} among these; Esc lifts the filter")),
    }
    if let Some(find) = &mut app.docs.find {
        find.step = None;
    }
}

/// Shows only the documents that pass the typed filter.
pub(in crate::app) fn filter(app: &mut App, text: String) -> Result<(), String> {
    let filter: Filter = text.parse().map_err(|error: FilterError| error.to_string())?;
    show_all(app);
    if !filter.needs_origin() {
        app.docs.set_filter(filter, text);
        return Ok(());
    }
    // A filter that is typed again measures distances from the document that is selected now.
    let origin = app.query().filter(|&document| app.analysis.fingerprint(document).is_some());
    let Some(origin) = origin else {
        return Err(
            "d is the distance to the selected document; select a document with a fingerprint first"
                .into(),
        );
    };
    app.docs.set_filter(filter.measured_from(Some(origin)), text);
    Ok(())
}

/// Shows the rows of the list.
pub(in crate::app) fn show_rows(app: &mut App) {
    let Some(rows) = app.docs.rows.take() else { return };
    let is_new = app.docs.list.arrangement() != rows.arrangement;
    let is_filtered = rows.arrangement.filter != Filter::default();
    app.docs.show(DocumentList::of(rows));
    let is_searching = app.docs.admission.is_running();
    if is_new && is_filtered && app.docs.is_empty() && !is_searching {
        app.say(app.why_none_passes());
    }
}

impl App {
    /// The reason why no document passes the filter, as far as it shows in the filter itself, and the way on.
    pub fn why_none_passes(&self) -> String {
        let filter = &self.docs.filter;
        let there = self.docs.fields.there.answer();
        let is_unknown =
            |name: &&str| there.is_some_and(|there| !there.iter().any(|it| it == name));
        let why = if filter.has_slashes() {
            ": / is searched as it stands, since there are no patterns".to_owned()
        } else if let Some(unknown) = filter.fields().find(is_unknown) {
            format!(
                ": the first documents have no field \"{}\"; they have: {}; numbers: {}",
                visible(unknown),
                visible(&self.docs.fields.there()),
                Number::ALL.iter().map(|number| number.name()).collect::<Vec<_>>().join(", "),
            )
        } else if filter.needs_marked() && self.review.rule.marks.documents.is_empty() {
            " the filter: none is marked, Space marks one".to_owned()
        } else {
            " the filter".to_owned()
        };
        format!("no document passes{why}; f changes it, Esc clears it")
    }
}

/// The most documents whose values are kept.
const MOST: usize = 1 << 12;

/// Opens the line to type the names of fields.
pub(super) fn open_fields(app: &mut App) {
    want(app, query::FieldNamesQuery);
    let names = app.docs.fields.names.join(", ");
    prompt(app, Purpose::Fields, names);
}

/// Opens the line to type a filter. The reason why nothing passes it may be a field that there is not.
pub(in crate::app) fn open_filter(app: &mut App) {
    want(app, query::FieldNamesQuery);
    prompt(app, Purpose::Filter, app.docs.filter_text.clone());
}

/// Shows these fields, separated by commas, as columns.
///
/// # Errors
/// If they cannot be shown, with the reason.
pub(in crate::app) fn choose_fields(app: &mut App, text: &str) -> Result<(), String> {
    let mut seen = HashSet::new();
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<String> = names.filter(|name| seen.insert(*name)).map(str::to_owned).collect();
    if names.len() > MOST_COLUMNS {
        return Err(format!("{} fields are too many; name at most {MOST_COLUMNS}", names.len()));
    }
    let there = app.docs.fields.there.answer().filter(|_| app.running.is_none());
    let is_unknown = |name: &&String| there.is_some_and(|there| !there.contains(name));
    let unknown = names.iter().find(is_unknown).map(|name| visible(name).into_owned());
    app.docs.fields.show(names);
    if app.docs.fields.names.is_empty() && app.docs.order == ListOrder::Fields {
        (app.docs.order, app.docs.reversed) = (ListOrder::Corpus, false);
    }
    app.notice = match unknown {
        Some(name) => Some(format!("the first documents have no field {name:?}")),
        None if app.docs.fields.names.is_empty() => None,
        None => Some("s can now sort by these fields, in this order".to_owned()),
    };
    Ok(())
}

/// Asks for the unknown values of listed documents.
pub(in crate::app) fn ask_fields(app: &mut App, listed: &[DocId]) {
    let fields = &app.docs.fields;
    if fields.names.is_empty() {
        return;
    }
    let documents: Vec<DocId> =
        listed.iter().copied().filter(|&document| !fields.is_known(document)).collect();
    let is_asked =
        fields.asked.runs(|asked| documents.iter().all(|it| asked.documents.contains(it)));
    if !documents.is_empty() && !is_asked {
        let names = fields.names.clone();
        want(app, query::FieldValues { documents, names });
    }
}

/// Takes values.
pub(in crate::app) fn take_fields(app: &mut App) {
    let fields = &mut app.docs.fields;
    let is_wanted = fields.asked.answered().is_some_and(|(asked, _)| asked.names == fields.names);
    let Some(found) = fields.asked.take().filter(|_| is_wanted) else { return };
    // All values are needed while they are written to a file.
    if fields.known.len() + found.len() > MOST && app.exporting.is_none() {
        fields.known.clear();
    }
    fields.known.extend(found);
}
