//! The selected document's text and its group.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    app::App,
    index::Linkage,
    number::{counted, grouped},
    text::visible,
    tui::widget::canvas::{Canvas, clip, fit_id},
};

pub(super) fn group_box(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let Some(document) = app.query() else {
        canvas.framed("group", "");
        return;
    };
    let linkage = app.groups.linkage;
    let known = app.linked_groups();
    let group = known.and_then(|groups| groups.group_of(document)).zip(known);
    let Some((number, groups)) = group else {
        let mut inside = canvas.framed("group", "");
        let text = match (known.is_some(), linkage) {
            (true, Linkage::Single) => "no near-duplicates, so no group",
            (true, Linkage::Complete) => "in no group by complete linkage",
            (false, _) => "groups are shown when the pairs are found",
        };
        inside.row(0, Span::styled(format!(" {text}"), theme.muted()));
        return;
    };
    let members = groups.documents(number);
    let title = match linkage {
        Linkage::Single => format!("group g{number}"),
        Linkage::Complete => format!("g{number}, complete linkage"),
    };
    let mut inside = canvas.framed(&title, &counted(members.len() as u64, "document"));
    let room = inside.height().saturating_sub(1);
    let query = app.analysis.fingerprint(document);
    for (y, member) in members.iter().take(room).enumerate() {
        let distance =
            query.zip(app.analysis.fingerprint(*member)).map_or(0, |(a, b)| a.distance(b));
        let mark = if *member == document { glyphs.cursor } else { ' ' };
        let id = visible(app.analysis.corpus.id(*member)).into_owned();
        let id = fit_id(&id, inside.width().saturating_sub(8));
        inside.row(y, format!("{mark} {id} d={distance:<3}"));
    }
    if members.len() > room {
        inside.row(
            room,
            Span::styled(
                format!("  and {} more", grouped((members.len() - room) as u64)),
                theme.muted(),
            ),
        );
    }
}

/// A row of the text in which the found words have the style `hit`.
fn with_found(app: &App, row: usize, text: &str, style: Style, hit: Style) -> Vec<Span<'static>> {
    let found = &app.docs.preview_found;
    let found = &found[found.partition_point(|(at, _)| *at < row)..];
    let (mut spans, mut end) = (Vec::new(), 0);
    for (_, place) in found.iter().take_while(|(at, _)| *at == row) {
        // A row that was cut has no text at the later places.
        let Some((before, words)) = text.get(end..place.start).zip(text.get(place.clone())) else {
            break;
        };
        spans.push(Span::styled(before.to_owned(), style));
        spans.push(Span::styled(words.to_owned(), hit));
        end = place.end;
    }
    spans.push(Span::styled(text[end..].to_owned(), style));
    spans
}

/// The selected document's text, wrapped, from the line scrolled to.
pub(crate) fn preview(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width().saturating_sub(2), canvas.height());
    if height == 0 {
        return;
    }
    let Some(open) = app.open_document() else {
        if let Some(problem) = app.document.problem() {
            canvas.paragraph(1, 0, problem, theme.warn());
        }
        return;
    };
    let Some(lines) = &open.lines else {
        canvas.row(0, Span::styled(" this row has no text", theme.muted()));
        return;
    };
    if lines.iter().all(|line| line.trim().is_empty()) && app.docs.n_warnings == 0 {
        canvas.row(0, Span::styled(" the text is empty", theme.muted()));
        return;
    }
    let (rows, top) = (&app.docs.preview, app.docs.preview_top);
    let n_below = rows.len().saturating_sub(top + height);
    let hint = match (n_below, open.hidden_bytes) {
        (0, 0) if top > 0 => format!(" {} above, K ", counted(top as u64, "row")),
        (0, 0) => String::new(),
        (0, bytes) => format!(" and {} bytes not shown ", grouped(bytes as u64)),
        (rows, _) => format!(" {} {rows} more, J ", theme.glyphs().more),
    };
    for (y, row) in rows.iter().skip(top).take(height).enumerate() {
        // The hint must not cover words.
        let room = if y + 1 == height { width.saturating_sub(hint.width()) } else { width };
        let style = if top + y < app.docs.n_warnings { theme.warn() } else { theme.text() };
        let mut line = Line::from(" ");
        line.extend(with_found(app, top + y, &clip(row, room), style, theme.good()));
        canvas.row(y, line);
    }
    canvas.right(height - 1, Span::styled(hint, theme.muted()));
}
