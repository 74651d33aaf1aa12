//! The columns of fields: choosing them, and the values of the rows that show.

use crate::analysis::arrangement::ListOrder;
use crate::app::screen::docs::MOST_COLUMNS;
use crate::app::view::go::prompt;
use crate::app::{App, Purpose, query, want};
use crate::id::DocId;
use crate::text::visible;

/// The most documents whose values are kept.
const MOST: usize = 1 << 12;

/// Opens the line to type the names of fields.
pub(super) fn open(app: &mut App) {
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
pub(in crate::app) fn choose(app: &mut App, text: &str) -> Result<(), String> {
    let mut names: Vec<String> = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
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
pub(in crate::app) fn ask(app: &mut App, listed: &[DocId]) {
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
pub(in crate::app) fn take(app: &mut App) {
    let fields = &mut app.docs.fields;
    let is_wanted = fields.asked.answered().is_some_and(|(asked, _)| asked.names == fields.names);
    let Some(found) = fields.asked.take().filter(|_| is_wanted) else { return };
    // All values are needed while they are written to a file.
    if fields.known.len() + found.len() > MOST && app.exporting.is_none() {
        fields.known.clear();
    }
    fields.known.extend(found);
}
