//! The Docs screen: documents with their bits, and one of them in detail.

pub(super) mod bits;
pub(super) mod disagreements;
mod fingerprint;
pub(super) mod health;
mod list;
pub(super) mod text;

use self::{
    fingerprint::{fingerprint, fingerprint_box, short_remark, titles},
    list::list,
    text::{group_box, preview},
};
use crate::{
    app::{
        App,
        layout::{SizeClass, boxes},
    },
    number::grouped,
    tui::widget::canvas::{Canvas, clip_start},
};

pub(super) fn documents(app: &App, canvas: &mut Canvas) {
    let rows = app.docs_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let details = boxes(app.size).details;
    match app.size.shape() {
        SizeClass::Wide if app.size.has_details_at_right() => {
            let left = width - details;
            list(app, &mut canvas.part(0, 0, left, height).framed("documents", &shown(app)));
            let mut right = canvas.part(left, 0, details, height);
            details_column(app, &mut right);
        }
        SizeClass::Wide => {
            let (left, upper) = (width - details, rows.list + 3);
            list(app, &mut canvas.part(0, 0, left, upper).framed("documents", &shown(app)));
            let mut right = canvas.part(left, 0, details, upper);
            preview(app, &mut right.framed("text", &words_title(app)));
            let mut below = canvas.part(0, upper, width, height - upper);
            let lower = below.height();
            fingerprint_box(app, &mut below.part(0, 0, left, lower));
            group_box(app, &mut below.part(left, 0, details, lower));
        }
        shape => {
            list(app, &mut canvas.part(0, 0, width, rows.list + 1));
            if shape >= SizeClass::Medium {
                let (title, remark) = titles(app);
                canvas.rule(rows.list + 1, &title, &remark);
                fingerprint(app, &mut canvas.part(0, rows.list + 2, width, rows.bits), false);
                preview(app, &mut canvas.part(0, rows.list + 2 + rows.bits, width, rows.preview));
            }
        }
    }
}

/// The fingerprint, the group and the text of the selected document, one above the other.
fn details_column(app: &App, canvas: &mut Canvas) {
    let rows = app.docs_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let mut upper = canvas.part(0, 0, width, rows.bits + 2);
    fingerprint(app, &mut upper.framed("fingerprint", &short_remark(app)), false);
    group_box(app, &mut canvas.part(0, rows.bits + 2, width, rows.group));
    let above = rows.bits + 2 + rows.group;
    let mut lower = canvas.part(0, above, width, height.saturating_sub(above));
    preview(app, &mut lower.framed("text", &words_title(app)));
}

/// The range of documents that show, of how many.
fn shown(app: &App) -> String {
    let range = app.docs.cursor.window(app.docs.len(), app.docs_layout().list);
    let first = range.start + usize::from(!range.is_empty());
    let [first, last, all] = [first, range.end, app.docs.len()].map(|n| grouped(n as u64));
    format!("{first}-{last} of {all}")
}

/// The number of tokens of the selected document, and the file and line that it stands in.
fn words_title(app: &App) -> String {
    let Some(document) = app.query() else { return String::new() };
    let record = app.analysis.record(document);
    let tokens = app.analysis.settings.recipe.features.tokens_name();
    let n_tokens = grouped(record.map_or(0, |it| u64::from(it.n_tokens)));
    let place = app.analysis.corpus.place(document);
    let file = place.rsplit('/').next().unwrap_or_default();
    format!("{n_tokens} {tokens}, {}", clip_start(file, 24))
}
