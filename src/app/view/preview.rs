//! The selected document's text, as Docs and Groups show it.

use std::ops::Range;

use crate::app::screen::docs::Find;
use crate::app::{App, wrap};

/// Wraps the selected document's text again if it or the screen changed. Costs its length.
pub(in crate::app) fn lay_out(app: &mut App) {
    let width = app.preview_width();
    let open = app.open_document();
    let knows_flags = app.analysis.flags.is_some();
    let number = app.document.number().filter(|_| open.is_some());
    let wanted = number.map(|number| (number, width, knows_flags));
    if app.docs.wrapped == wanted {
        return;
    }
    let lines = open.and_then(|open| open.lines.as_deref()).unwrap_or_default();
    let warnings = app.open_findings().into_iter();
    let warnings = warnings.map(|it| format!("! {}: {}", it.flag, it.sentence));
    let mut preview: Vec<String> = warnings.flat_map(|text| wrap(&text, width)).collect();
    let n_warnings = preview.len();
    let mut names = open.map_or(&[][..], |open| &open.names).iter().peekable();
    let ignored = open.map_or(&[][..], |open| &open.ignored);
    let mut pale = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some((_, name)) = names.next_if(|(first, _)| *first == at) {
            pale.push(preview.len());
            preview.push(name.clone());
        }
        let first = preview.len();
        preview.extend(wrap(line, width));
        let is_ignored = ignored.get(at) == Some(&true);
        pale.extend((first..preview.len()).filter(|_| is_ignored));
    }
    app.docs.preview_pale = pale;
    let find = app.docs.find.as_ref();
    app.docs.preview_found = find.map_or_else(Vec::new, |find| found(find, &preview, n_warnings));
    (app.docs.preview, app.docs.n_warnings) = (preview, n_warnings);
    app.docs.wrapped = wanted;
    let height = app.text_pane().rows();
    // The words looked for show, unless the user has scrolled.
    let first = app.docs.preview_found.first().map_or(0, |(row, _)| *row);
    if app.docs.preview_top == 0 && first >= height {
        app.docs.preview_top = first.saturating_sub(height / 3);
    }
    scroll(app, 0, height);
}

/// The rows and bytes of the words looked for, which may go on in the next row. Costs the length of the text.
fn found(find: &Find, rows: &[String], n_warnings: usize) -> Vec<(usize, Range<usize>)> {
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

/// Scrolls the text, which has so many rows on the screen.
pub(super) fn scroll(app: &mut App, rows: isize, height: usize) {
    let last = app.docs.preview.len().saturating_sub(height);
    app.docs.preview_top = app.docs.preview_top.saturating_add_signed(rows).min(last);
}
