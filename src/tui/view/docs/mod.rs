//! The Docs screen: documents with their bits, and one of them in detail.

pub(super) mod bits;
pub(super) mod disagreements;
mod fingerprint;
pub(super) mod health;
mod list;
pub(super) mod text;

use self::{
    fingerprint::{fingerprint, fingerprint_box, titles},
    list::list,
    text::{group_box, preview},
};
use crate::{
    app::{
        App,
        layout::{PREVIEW, SizeClass},
    },
    number::grouped,
    tui::widget::canvas::Canvas,
};

pub(super) fn documents(app: &App, canvas: &mut Canvas) {
    let rows = app.docs_layout();
    let (width, height) = (canvas.width(), canvas.height());
    match app.size.shape() {
        SizeClass::Wide => {
            let upper = rows.list + 3;
            let range = app.docs.cursor.window(app.docs.len(), rows.list);
            let shown = format!(
                "{}-{} of {}",
                grouped(range.start as u64 + u64::from(!range.is_empty())),
                grouped(range.end as u64),
                grouped(app.docs.len() as u64)
            );
            list(app, &mut canvas.part(0, 0, width - PREVIEW, upper).framed("documents", &shown));
            let words = app
                .query()
                .and_then(|document| app.analysis.record(document))
                .map_or(0, |s| s.n_tokens);
            let title = words_title(app, words);
            preview(
                app,
                &mut canvas.part(width - PREVIEW, 0, PREVIEW, upper).framed("text", &title),
            );
            let mut below = canvas.part(0, upper, width, height - upper);
            let (left, lower) = (width - PREVIEW, below.height());
            fingerprint_box(app, &mut below.part(0, 0, left, lower));
            group_box(app, &mut below.part(left, 0, PREVIEW, lower));
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

fn words_title(app: &App, words: u32) -> String {
    let tokens = app.analysis.settings.recipe.features.tokens_name();
    format!("{} {tokens}", grouped(u64::from(words)))
}
