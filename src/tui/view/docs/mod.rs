//! The Docs screen: documents with their bits, and one of them in detail.

pub(super) mod bits;
mod fingerprint;
mod group;
mod group_columns;
mod list;
pub(super) mod text;

use unicode_width::UnicodeWidthStr as _;

use self::{
    fingerprint::{fingerprint, fingerprint_box, titles},
    group::group_box,
    list::list,
    text::preview,
};
use crate::{
    app::{App, geometry::Edge},
    number::grouped,
    text::visible,
    tui::widget::{
        canvas::{Canvas, clip_start},
        table::more_below,
    },
};

pub(super) fn documents(app: &App, canvas: &mut Canvas) {
    let panes = app.docs_layout();
    list(app, &mut canvas.active_pane(panes.list, "documents", &shown(app)));
    if panes.bits.height > 0 && panes.bits.edge == Edge::Box {
        fingerprint_box(app, &mut canvas.outer(panes.bits));
        group_box(app, &mut canvas.outer(panes.group));
    } else if panes.bits.height > 0 {
        let (title, remarks) = titles(app);
        let more = more_below(canvas, app.docs.cursor, app.docs.len(), panes.rows());
        let title = more.map_or(title.clone(), |more| format!("{more}  {title}"));
        let with_place = format!("{title}  {}", place(app));
        // The place matters more than the first remark, and a whole name more than all of them.
        let beside = |title: &str, dropped: usize| {
            let mut rests = (0..=dropped.min(remarks.len())).map(|from| remarks[from..].join(", "));
            let fits = |rest: &String| title.width() + rest.width() + 8 <= panes.bits.width;
            rests.find(fits)
        };
        let (title, remark) = if let Some(remark) = beside(&with_place, 1) {
            (with_place, remark)
        } else {
            let remark = beside(&title, remarks.len()).unwrap_or_else(|| remarks.join(", "));
            (title, remark)
        };
        fingerprint(app, &mut canvas.pane(panes.bits, &title, &remark));
    }
    // A part that is shown alone names its document.
    let title = if panes.list.height > 0 { "text".to_owned() } else { titles(app).0 };
    preview(app, &mut canvas.pane(panes.text, &title, &words_title(app)));
}

/// The range of shown documents, and the number of all.
fn shown(app: &App) -> String {
    let range = app.docs.cursor.window(app.docs.len(), app.docs_layout().rows());
    let first = range.start + usize::from(!range.is_empty());
    let [first, last, all] = [first, range.end, app.docs.len()].map(|n| grouped(n as u64));
    format!("{first}-{last} of {all}")
}

/// The number of tokens of the selected document, and its file and line.
fn words_title(app: &App) -> String {
    let Some(document) = app.query() else { return String::new() };
    let record = app.analysis.record(document);
    let tokens = app.analysis.settings.recipe.features.tokens_name();
    let n_tokens = grouped(record.map_or(0, |it| u64::from(it.n_tokens)));
    format!("{n_tokens} {tokens}, {}", clip_start(&place(app), 24))
}

/// The file and the line of the selected document; empty if there is none.
fn place(app: &App) -> String {
    let place = app.query().map(|document| app.analysis.corpus.place(document));
    let place = place.unwrap_or_default();
    visible(place.rsplit('/').next().unwrap_or_default()).into_owned()
}
