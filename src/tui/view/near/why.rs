//! The reasons why the selected pair is found, or is not found.

use ratatui::text::Span;

use crate::{
    app::App,
    text::visible,
    tui::{
        view::sections::{pane, remark},
        widget::canvas::Canvas,
    },
};

pub(super) fn why_titles(app: &App) -> (String, String) {
    let Some((query, neighbour)) = app.near.pair() else {
        return ("why".to_owned(), String::new());
    };
    let id = |document| visible(app.analysis.corpus.id(document)).into_owned();
    let title = if app.size.width < 60 {
        id(neighbour.document)
    } else {
        format!("one {} | two {}", id(query), id(neighbour.document))
    };
    (title, remark(&app.near.why.pane, app.why_cut(), app.ascii))
}

pub(super) fn why(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let state = &app.near.why;
    if let Some(problem) = state.answer.problem() {
        canvas.paragraph(1, 0, &visible(problem), theme.warn());
    } else if state.answer.answer().is_some() {
        pane(&state.pane, app.why_cut(), canvas);
    } else if app.near.pair().is_some() {
        canvas.row(0, Span::styled(" reading both texts ..", theme.muted()));
    }
}
