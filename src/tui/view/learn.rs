//! The Learn screen: one view at a time, and beside it or instead of it the page of the open lesson.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use crate::app::App;
use crate::app::layout::{self, Size};
use crate::app::screen::ViewId;
use crate::app::screen::learn::facts::with_facts;
use crate::app::wrap::wrap;
use crate::tui::view::page as blocks;
use crate::tui::widget::canvas::{Canvas, clip};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let lessons = &app.learn.lessons;
    let is_list = app.view() == ViewId::Lessons && app.lesson_picture().is_none();
    if !lessons.is_open || is_list {
        return picture(app, canvas);
    }
    let cut = layout::lesson(app.size);
    if cut.is_beside {
        page(app, cut.height, &mut canvas.part(0, 0, cut.outer, height));
        let left = width.saturating_sub(cut.outer + 1);
        return picture(app, &mut canvas.part(cut.outer + 1, 0, left, height));
    }
    if lessons.shows_text {
        page(app, cut.height, canvas);
        // The rows that the text leaves, after its rule and, where there is one to spare, before a blank row.
        let shown = lessons.text.rows.len();
        let below = if shown < cut.height { shown + 2 } else { cut.height + 1 };
        let left = height.saturating_sub(below);
        if left >= least_rows(app.view()) {
            picture(app, &mut canvas.part(0, below, width, left));
        }
        return;
    }
    let asked = asked(app, width);
    picture(app, &mut canvas.part(0, 0, width, height - asked.len()));
    canvas.rows(height - asked.len(), &asked, canvas.theme.strong());
}

/// The fewest rows in which a view shows something: the two texts, or the first rows of a picture.
fn least_rows(view: ViewId) -> usize {
    if view == ViewId::Playground { 3 } else { 6 }
}

fn picture(app: &App, canvas: &mut Canvas) {
    blocks::draw(app, Size::of_body(canvas.width(), canvas.height()), canvas);
}

/// The open page of the lesson: in a frame beside its picture, or below a rule.
fn page(app: &App, height: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let lessons = &app.learn.lessons;
    let Some(lesson) = lessons.active() else { return };
    let number = lessons.active.map_or(0, |number| number + 1);
    let title = format!("{number} {}", lesson.title);
    let below = lessons.text.n_below();
    let place = format!("{}/{}", lessons.page + 1, lesson.pages.len());
    let remark = if below > 0 { format!("{place}, J: {below} more") } else { place };
    let text: Vec<_> = lessons.text.rows.iter().skip(lessons.text.top).take(height).collect();
    let mut inside = if layout::lesson(app.size).is_beside {
        let fits = title.width() + remark.len() + 8 <= canvas.width();
        let title = if fits { title } else { format!("lesson {number}") };
        canvas.framed(&title, &remark, false)
    } else {
        let (width, height) = (canvas.width(), canvas.height());
        canvas.rule(0, &clip(&title, width.saturating_sub(remark.len() + 6)), &remark);
        canvas.part(1, 1, width.saturating_sub(1), height.saturating_sub(1))
    };
    for (y, row) in text.into_iter().enumerate() {
        let style = if row.is_title { theme.strong() } else { theme.text() };
        inside.row(y, Span::styled(format!(" {}", row.text), style));
    }
}

/// The present task of the lesson in at most two rows, or three on a large screen. Below Angle it has four on a small
/// screen, since the picture leaves them blank.
fn asked(app: &App, width: usize) -> Vec<String> {
    let lessons = &app.learn.lessons;
    let Some(page) = lessons.open_page() else { return Vec::new() };
    let text = if lessons.is_page_done() {
        let remark = lessons.remark.clone().unwrap_or_else(|| with_facts(app, &page.right));
        format!("{remark} {}", lessons.way_on())
    } else {
        with_facts(app, &page.task)
    };
    let most = match app.size.is_below(80, 24) {
        false => 3,
        true if app.view() == ViewId::Angle && !app.size.is_small() => 4,
        true => 2,
    };
    let mut rows = wrap(text.trim(), width.saturating_sub(2));
    if rows.len() > most {
        let rest = rows[most - 1..].join(" ");
        rows.truncate(most - 1);
        rows.push(clip(&rest, width.saturating_sub(2)));
    }
    rows
}
