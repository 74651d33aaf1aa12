//! The titles of listed documents, which are read again in the background and kept for a while, their exact
//! similarities to one document, and the text of the selected one.

use std::ops::Range;

use crate::app::screen::docs::Find;
use crate::app::tone::{Tinted, Tone};
use crate::app::{App, query, want, wrap};
use crate::id::DocId;

/// The most titles to keep, of about 100 bytes each; beyond this number all are forgotten.
const MOST: usize = 1 << 12;

/// Asks for the unknown titles of listed documents.
pub(in crate::app) fn ask_titles(app: &mut App, listed: Vec<DocId>) {
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

/// Wraps the selected document's text again if it or the screen changed. Costs its length.
pub(in crate::app) fn lay_out_text(app: &mut App) {
    let width = app.preview_width();
    let open = app.open_document();
    let knows_flags = app.analysis.flags.is_some();
    let number = app.document.number().filter(|_| open.is_some());
    let wanted = number.map(|number| (number, width, knows_flags));
    if app.docs.wrapped == wanted {
        return;
    }
    let lines = open.and_then(|open| open.lines.as_deref()).unwrap_or_default();
    let wrapped = |text: &str, tone| wrap(text, width).into_iter().map(move |row| (row, tone));
    let warnings = app.open_findings().into_iter();
    let warnings = warnings.map(|it| format!("! {}: {}", it.flag, it.sentence));
    let mut rows: Vec<(String, Tone)> =
        warnings.flat_map(|text| wrapped(&text, Tone::Warn)).collect();
    let n_warnings = rows.len();
    let mut names = open.map_or(&[][..], |open| &open.names).iter().peekable();
    let ignored = open.map_or(&[][..], |open| &open.ignored);
    for (at, line) in lines.iter().enumerate() {
        let name = names.next_if(|(first, _)| *first == at);
        rows.extend(name.map(|(_, name)| (name.clone(), Tone::Muted)));
        let is_ignored = ignored.get(at) == Some(&true);
        rows.extend(wrapped(line, if is_ignored { Tone::Muted } else { Tone::Text }));
    }
    let find = app.docs.find.as_ref();
    let found = find.map_or_else(Vec::new, |find| found(find, &rows, n_warnings));
    // The words looked for show, unless the user has scrolled.
    let first = found.first().map_or(0, |(row, _)| *row);
    let rows = rows.into_iter().enumerate();
    app.docs.preview = rows.map(|(at, row)| with_found(at, row, &found)).collect();
    app.docs.wrapped = wanted;
    let (height, docs) = (app.text_pane().rows(), &mut app.docs);
    if docs.preview_top == 0 && first >= height {
        docs.preview_top = first.saturating_sub(height / 3);
    }
    docs.preview_top = docs.preview_top.min(docs.preview.len().saturating_sub(height));
}

/// The rows and bytes of the words looked for, which may go on in the next row. Costs the length of the text.
fn found(find: &Find, rows: &[(String, Tone)], n_warnings: usize) -> Vec<(usize, Range<usize>)> {
    let rows: Vec<&str> = rows.iter().map(|(row, _)| &**row).collect();
    let mut end = 0;
    let starts: Vec<usize> = rows.iter().map(|row| (end, end += row.len() + 1).0).collect();
    let mut found = Vec::new();
    for place in find.pattern.places(&rows.join("\n")) {
        let first = starts.partition_point(|start| *start <= place.start).saturating_sub(1);
        for (at, row) in rows.iter().enumerate().skip(first.max(n_warnings)) {
            let start = starts[at];
            if start >= place.end {
                break;
            }
            let inside = |byte: usize| byte.saturating_sub(start).min(row.len());
            found.push((at, inside(place.start)..inside(place.end)));
        }
    }
    found
}

/// A row in which the found words stand out.
fn with_found(at: usize, (row, tone): (String, Tone), found: &[(usize, Range<usize>)]) -> Tinted {
    let found = &found[found.partition_point(|(other, _)| *other < at)..];
    let (mut words, mut end) = (Vec::new(), 0);
    for (_, place) in found.iter().take_while(|(other, _)| *other == at) {
        let Some((before, hit)) = row.get(end..place.start).zip(row.get(place.clone())) else {
            break;
        };
        words.extend([(before.to_owned(), tone), (hit.to_owned(), Tone::Good)]);
        end = place.end;
    }
    words.push((row[end..].to_owned(), tone));
    Tinted(words)
}
