//! The Learn screen: one view at a time, and beside it or instead of it the page of the open lesson. On a large screen
//! the same two texts are shown in other views below it.

mod angle;
mod ballot;
mod bench;
mod hashes;
mod lessons;
mod playground;
mod rows;
mod step;
mod tables;
mod wear;

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use crate::{
    app::{
        App, ClickTarget,
        cursor::Cursor,
        layout::{self, SizeClass},
        screen::{ViewId, learn::facts::with_facts},
        wrap::wrap,
    },
    tui::widget::canvas::{Canvas, clip},
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let lessons = &app.learn.lessons;
    if app.view() == ViewId::Lessons {
        return lessons::draw(app, canvas);
    }
    if lessons.active.is_none() {
        return with_others(app, canvas);
    }
    let cut = layout::lesson(app.size);
    if cut.is_beside {
        page(app, cut.height, &mut canvas.part(0, 0, cut.outer, height));
        let left = width.saturating_sub(cut.outer + 1);
        return picture(app, &mut canvas.part(cut.outer + 1, 0, left, height));
    }
    if lessons.shows_text {
        page(app, cut.height, canvas);
        // The rows that the text leaves, after its rule and before a blank row.
        let below = lessons.text.rows.len() + 2;
        let left = height.saturating_sub(below);
        if left >= least_rows(app.view()) {
            picture(app, &mut canvas.part(0, below, width, left));
            let hidden = app.page.rows.len().saturating_sub(left);
            if app.view() == ViewId::Hashes && hidden > 0 {
                let note = format!(" {} {hidden} more rows: Enter ", canvas.theme.glyphs().more);
                canvas.right(height - 1, Span::styled(note, canvas.theme.muted()));
            }
        }
        return;
    }
    let asked = asked(app, width);
    picture(app, &mut canvas.part(0, 0, width, height - asked.len()));
    let strong = canvas.theme.strong();
    for (row, line) in asked.iter().enumerate() {
        canvas.row(height - asked.len() + row, Span::styled(format!(" {line}"), strong));
    }
}

/// The fewest rows in which a view shows more than its frame: the two texts, or the first rows of a picture.
fn least_rows(view: ViewId) -> usize {
    if view == ViewId::Playground { 2 } else { 6 }
}

/// The least cells of a view below another one: 64 bits fit into a line.
const OTHER: usize = 98;
/// The views of the two texts, the most useful beside another view first.
const OF_TEXTS: [ViewId; 3] = [ViewId::Playground, ViewId::Hashes, ViewId::Step];

/// The view; on a large screen other views of the same texts are below it, and a click shows one.
fn with_others(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let below = app.learn_others();
    let above = height - below;
    picture(app, &mut canvas.part(0, 0, width, above));
    if below == 0 {
        return;
    }
    let most = (width / OTHER).max(1);
    let fits = |view: &ViewId| {
        *view != ViewId::Hashes || hashes::fits(app, width / most - 2, below.saturating_sub(2))
    };
    let others = OF_TEXTS.into_iter().filter(|view| *view != app.view()).filter(fits);
    let others: Vec<ViewId> = others.take(most).collect();
    let n = others.len();
    for (at, view) in others.into_iter().enumerate() {
        let (x, end) = (width * at / n, width * (at + 1) / n);
        for y in 0..below {
            canvas.target(x, above + y, end - x, ClickTarget::View(view));
        }
        let mut other = canvas.part(x, above, end - x, below).silent();
        drawn(app, view, &mut other.framed(view.name(), ""));
    }
}

/// The picture of the view, in a frame on a wide screen.
fn picture(app: &App, canvas: &mut Canvas) {
    let is_wide = app.size.shape() == SizeClass::Wide;
    let (width, height) = (canvas.width().saturating_sub(2), canvas.height().saturating_sub(2));
    if app.view() == ViewId::Hashes && !(is_wide && hashes::fits(app, width, height)) {
        return super::sections::page(app, canvas);
    }
    if is_wide {
        let name = app.view().name();
        let has_others = app.learn_others() > 0;
        let mut inside = if has_others { canvas.active(name, "") } else { canvas.framed(name, "") };
        return drawn(app, app.view(), &mut inside);
    }
    drawn(app, app.view(), canvas);
}

/// A view, whether it is the one with the keys or not.
fn drawn(app: &App, view: ViewId, canvas: &mut Canvas) {
    match view {
        ViewId::Hashes => hashes::draw(app, canvas),
        ViewId::Playground => playground::draw(app, canvas),
        ViewId::Step => step::draw(app, canvas),
        ViewId::Blocks => tables::draw(app, canvas),
        ViewId::Angle => angle::draw(app, canvas),
        ViewId::Bench => bench::draw(app, canvas),
        _ => wear::draw(app, canvas),
    }
}

/// The open page of the lesson: in a frame beside its picture, or below a rule.
fn page(app: &App, height: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let lessons = &app.learn.lessons;
    let Some(lesson) = lessons.active() else { return };
    let number = lessons.active.map_or(0, |number| number + 1);
    let title = format!("{number} {}", lesson.title);
    let below = lessons.text.n_below(height);
    let place = format!("{}/{}", lessons.page + 1, lesson.pages.len());
    let remark = if below > 0 { format!("{place}, J: {below} more") } else { place };
    let text: Vec<_> = lessons.text.rows.iter().skip(lessons.text.top).take(height).collect();
    let mut inside = if layout::lesson(app.size).is_beside {
        let fits = title.width() + remark.len() + 8 <= canvas.width();
        let title = if fits { title } else { format!("lesson {number}") };
        canvas.framed(&title, &remark)
    } else {
        let (width, height) = (canvas.width(), canvas.height());
        canvas.rule(0, &clip(&title, width.saturating_sub(remark.len() + 6)), &remark);
        canvas.part(1, 1, width.saturating_sub(1), height.saturating_sub(1))
    };
    for (y, row) in text.into_iter().enumerate() {
        let style = if row.is_title { theme.strong() } else { theme.text() };
        inside.row(y, Span::styled(format!(" {}", row.text), style));
    }
    // The rows that the page leaves in its frame show the place of the lesson among all.
    let used = lessons.text.rows.len() + 1;
    let (width, left) = (inside.width(), inside.height().saturating_sub(used + 1));
    if layout::lesson(app.size).is_beside && left >= lessons.all.len() {
        inside.rule(used, "lessons", &lessons::n_done(app));
        let n_lessons = lessons.all.len();
        let cursor = Cursor { selected: lessons.active.unwrap_or(0), top: 0 };
        let mut below = inside.part(0, used + 1, width, n_lessons).silent();
        lessons::list(app, cursor, &mut below);
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
    let most = match app.size.shape() {
        SizeClass::Standard | SizeClass::Wide => 3,
        SizeClass::Medium if app.view() == ViewId::Angle => 4,
        _ => 2,
    };
    let mut rows = wrap(text.trim(), width.saturating_sub(2));
    if rows.len() > most {
        let rest = rows[most - 1..].join(" ");
        rows.truncate(most - 1);
        rows.push(clip(&rest, width.saturating_sub(2)));
    }
    rows
}
