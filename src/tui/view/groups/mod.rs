//! The Groups screen: groups of near-duplicates, and one of them as a tree.

mod facts;
mod list;
mod mark;
mod tree;

use ratatui::text::Span;

use self::{
    facts::{facts, titles},
    list::list,
    tree::tree,
};
use super::docs::text::preview;
use crate::{
    app::{
        App,
        layout::{SizeClass, boxes},
        screen::groups::GroupsPane,
    },
    number::grouped,
    text::visible,
    tui::widget::canvas::Canvas,
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let rows = app.groups_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let shape = app.size.shape();
    let (title, remark) = titles(app);
    match (shape, app.groups.pane) {
        (SizeClass::Wide, _) => {
            let (upper, left_width) = (rows.list + 3, boxes(app.size).groups);
            let mut left = canvas.part(0, 0, left_width, upper);
            list(app, &mut left.framed("groups", &shown(app, rows.list)));
            let mut left = canvas.part(0, upper, left_width, height - upper);
            preview(app, &mut left.framed(&document(app), ""));
            let mut right = canvas.part(left_width, 0, width - left_width, height);
            let mut right = right.framed(&title, "");
            let inner = right.width();
            facts(app, &mut right.part(0, 0, inner, rows.facts));
            right.rule(rows.facts, "", &remark);
            tree(app, &mut right.part(0, rows.facts + 1, inner, rows.tree));
        }
        (SizeClass::Standard, _) => {
            list(app, &mut canvas.part(0, 0, width, rows.list + 1));
            canvas.rule(rows.list + 1, &title, &remark);
            facts(app, &mut canvas.part(0, rows.list + 2, width, rows.facts));
            tree(app, &mut canvas.part(0, rows.list + 2 + rows.facts, width, rows.tree));
        }
        (_, GroupsPane::List) => {
            list(app, &mut canvas.part(0, 0, width, rows.list + 1));
            if shape == SizeClass::Medium {
                canvas.rule(rows.list + 1, &title, "");
                facts(app, &mut canvas.part(0, rows.list + 2, width, rows.facts));
            }
        }
        (_, GroupsPane::Tree) => {
            if shape == SizeClass::Medium {
                canvas.rule(0, &title, &remark);
            } else {
                canvas.row(0, Span::styled(format!(" {title}"), canvas.theme.muted()));
            }
            facts(app, &mut canvas.part(0, 1, width, rows.facts));
            tree(app, &mut canvas.part(0, 1 + rows.facts, width, rows.tree));
        }
    }
}

/// The range of groups that show, of how many.
fn shown(app: &App, height: usize) -> String {
    let range = app.groups.cursor.window(app.groups.len(), height);
    let first = range.start + usize::from(!range.is_empty());
    let [first, last, all] = [first, range.end, app.groups.len()].map(|n| grouped(n as u64));
    format!("{first}-{last} of {all}")
}

/// The name of the focused document.
fn document(app: &App) -> String {
    app.query().map_or_else(String::new, |one| visible(app.analysis.corpus.id(one)).into_owned())
}
