//! The Lessons view: the list, and the beginning of the selected lesson.

use ratatui::text::Span;

use crate::{
    app::{
        App, ClickTarget,
        cursor::Cursor,
        layout::{self, LESSON_LIST, SizeClass, learn_text},
        screen::ViewId,
    },
    tui::{
        view::sections::lesson_below,
        widget::{
            canvas::{Canvas, fit},
            table::more_below,
        },
    },
};

/// Cells of the name of a view before its sentence.
const PICTURE: usize = 12;
/// Rows of a list from which the last of them is a rule, which says how many lessons are below.
const RULED_FROM: usize = 4;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let lessons = &app.learn.lessons;
    match app.size.shape() {
        SizeClass::Wide => {
            // The pictures have the rows that at least half of the list leaves.
            let n_rows = PICTURES.len() + 2;
            let least = (lessons.all.len() + 2).min(height / 2);
            let rows = if least + n_rows <= height { height - n_rows } else { height };
            let mut upper = canvas.part(0, 0, LESSON_LIST, rows);
            list(app, lessons.cursor, &mut upper.active("lessons", &n_done(app)));
            if rows < height {
                let mut lower = canvas.part(0, rows, LESSON_LIST, n_rows);
                let mut inside = lower.framed("pictures without a lesson", "");
                for (y, (view, about)) in PICTURES.into_iter().enumerate() {
                    inside.row(y, format!(" {}{about}", fit(view.name(), PICTURE)));
                    inside.target(0, y, inside.width(), ClickTarget::View(view));
                }
            }
            let mut text = canvas.part(LESSON_LIST, 0, width - LESSON_LIST, height);
            // The list beside it has the whole title.
            let number = format!("lesson {}", lessons.cursor.selected + 1);
            draw_text(app, &mut text.framed(&number, &remark(app)));
        }
        SizeClass::Standard => {
            let rows = lessons.all.len();
            list(app, lessons.cursor, &mut canvas.part(0, 0, width, rows));
            let below = height.saturating_sub(rows + 1);
            canvas.rule(rows, &title(app), &remark(app));
            draw_text(app, &mut canvas.part(0, rows + 1, width, below));
        }
        _ => {
            let below = layout::lesson_list_text(app.size, lessons.all.len()).1;
            let rows = height.saturating_sub(below);
            let listed = rows - usize::from(rows >= RULED_FROM);
            let (mut cursor, n_lessons) = (lessons.cursor, lessons.all.len());
            cursor.fit(n_lessons, listed);
            list(app, lessons.cursor, &mut canvas.part(0, 0, width, listed));
            if listed < rows {
                let more = more_below(canvas, cursor, n_lessons, listed);
                canvas.rule(listed, &more.unwrap_or_default(), "");
            }
            draw_text(app, &mut canvas.part(0, rows, width, below));
        }
    }
}

fn title(app: &App) -> String {
    let lessons = &app.learn.lessons;
    lessons.all.get(lessons.cursor.selected).map_or_else(String::new, |lesson| lesson.title.clone())
}

/// The number of lessons that are done.
pub(super) fn n_done(app: &App) -> String {
    let lessons = &app.learn.lessons;
    let n_done = (0..lessons.all.len()).filter(|&number| lessons.is_done(number)).count();
    format!("{n_done} of {} done", lessons.all.len())
}

/// The views of Learn that show something without a lesson, each in a sentence.
const PICTURES: [(ViewId, &str); 7] = [
    (ViewId::Hashes, "two texts under three kinds of hash"),
    (ViewId::Playground, "two texts of yours, their votes and bits"),
    (ViewId::Step, "the votes of features, one by one"),
    (ViewId::Blocks, "flipped bits, and tables that find them"),
    (ViewId::Angle, "lines between two vectors make bits"),
    (ViewId::Bench, "pairs that bands or a distance find"),
    (ViewId::Wear, "a document after small edits"),
];

/// A row for each lesson; the cursor is on one of them.
pub(super) fn list(app: &App, mut cursor: Cursor, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let lessons = &app.learn.lessons;
    let n = lessons.all.len();
    cursor.fit(n, canvas.height().min(learn_text(app.size)));
    for (y, number) in cursor.window(n, canvas.height()).enumerate() {
        let selected = number == cursor.selected;
        let mark = if selected { theme.glyphs().cursor } else { ' ' };
        let state = match (lessons.is_done(number), lessons.active == Some(number)) {
            (true, _) => "done",
            (false, true) => "open",
            (false, false) => "",
        };
        let name = format!("{mark}{:>3}  {}", number + 1, lessons.all[number].title);
        let row = fit(&name, canvas.width().saturating_sub(7)) + &format!(" {state:<5} ");
        canvas.row(y, Span::raw(row));
        canvas.row_target(y, number as isize - cursor.selected as isize);
        if selected {
            canvas.style_row(y, theme.selected());
        }
    }
}

/// The key to press: the key that scrolls if there is more text below, else the key that starts the lesson.
fn remark(app: &App) -> String {
    let lessons = &app.learn.lessons;
    let is_open = lessons.active == Some(lessons.cursor.selected) && !lessons.has_passed();
    match lesson_below(app) {
        below if !below.is_empty() => below,
        _ if is_open => "Enter resumes the lesson".to_owned(),
        _ => "Enter begins the lesson".to_owned(),
    }
}

fn draw_text(app: &App, canvas: &mut Canvas) {
    let text = &app.learn.lessons.text;
    for (y, row) in text.rows.iter().skip(text.top).take(canvas.height()).enumerate() {
        let style = if row.is_title { canvas.theme.strong() } else { canvas.theme.text() };
        canvas.row(y, Span::styled(format!("  {}", row.text), style));
    }
}
