//! The Lessons view: what there is to do, and what there is to know for it.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use crate::{
    app::{
        App,
        layout::{SizeClass, learn_text},
        screen::learn::lessons::FILES,
        wrap::wrap,
    },
    number::counted,
    tui::widget::canvas::{Canvas, fit},
};

/// Cells of the list beside the text.
const LIST: usize = 48;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    match app.size.shape() {
        SizeClass::Wide => {
            let done = format!("{} of {} done", app.learn.lessons.done.len(), FILES.len());
            list(app, &mut canvas.part(0, 0, LIST, height).framed("lessons", &done));
            let mut text = canvas.part(LIST, 0, width - LIST, height);
            let remark = remark(app, width - LIST - 2, height.saturating_sub(2));
            draw_text(app, &mut text.framed(&title(app), &remark));
        }
        SizeClass::Standard => {
            let rows = FILES.len();
            list(app, &mut canvas.part(0, 0, width, rows));
            let below = height.saturating_sub(rows + 1);
            canvas.rule(rows, &title(app), &remark(app, width, below));
            draw_text(app, &mut canvas.part(0, rows + 1, width, below));
        }
        _ => {
            let rows = (height / 3).max(2);
            list(app, &mut canvas.part(0, 0, width, rows));
            // Without a rule the last row shows how much more there is below.
            let mut below = height.saturating_sub(rows);
            if hidden(app, width, below) > 0 {
                below -= 1;
                let more = Span::styled(remark(app, width, below), canvas.theme.muted());
                canvas.right(height - 1, more);
            }
            draw_text(app, &mut canvas.part(0, rows, width, below));
        }
    }
}

fn title(app: &App) -> String {
    let lessons = &app.learn.lessons;
    lessons.all.get(lessons.cursor.selected).map_or_else(String::new, |lesson| lesson.title.clone())
}

fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let lessons = &app.learn.lessons;
    let (mut cursor, n) = (lessons.cursor, lessons.all.len());
    cursor.fit(n, canvas.height().min(learn_text(app.size)));
    for (y, number) in cursor.window(n, canvas.height()).enumerate() {
        let selected = number == cursor.selected;
        let mark = if selected { theme.glyphs().cursor } else { ' ' };
        let state = match (lessons.is_done(number), lessons.active == Some(number)) {
            (true, _) => "done",
            (false, true) => "begun",
            (false, false) => "",
        };
        let name = format!("{mark}{:>3}  {}", number + 1, lessons.all[number].title);
        let row = fit(&name, canvas.width().saturating_sub(7)) + &format!(" {state:<5} ");
        canvas.row(y, Span::raw(row));
        if selected {
            canvas.style_row(y, theme.selected());
        }
    }
}

/// The selected lesson's text in rows of a canvas so wide.
fn text(app: &App, width: usize, strong: Style) -> Vec<Line<'static>> {
    let lessons = &app.learn.lessons;
    let Some(lesson) = lessons.all.get(lessons.cursor.selected) else { return Vec::new() };
    let room = width.saturating_sub(3).min(100);
    let mut rows: Vec<Line<'static>> = Vec::new();
    for paragraph in &lesson.paragraphs {
        rows.extend(wrap(paragraph, room).into_iter().map(|row| Line::from(format!("  {row}"))));
        rows.push(Line::default());
    }
    let task = wrap(&format!("To do: {}", lesson.task), room).into_iter();
    rows.extend(task.map(|row| Line::from(Span::styled(format!("  {row}"), strong))));
    rows
}

/// The first row shown of so many, where `height` fit.
fn top(app: &App, n_rows: usize, height: usize) -> usize {
    app.learn.lessons.top.min(n_rows.saturating_sub(height))
}

/// Rows of the text below what shows.
fn hidden(app: &App, width: usize, height: usize) -> usize {
    let n_rows = text(app, width, Style::default()).len();
    n_rows - top(app, n_rows, height) - height.min(n_rows)
}

/// The key to press: the one that scrolls, where the text goes on below; else the one that starts the lesson.
fn remark(app: &App, width: usize, height: usize) -> String {
    match hidden(app, width, height) {
        0 if app.learn.lessons.top > 0 => "Enter starts it, K scrolls back".to_owned(),
        0 => "Enter starts it".to_owned(),
        more => format!("J: {} below", counted(more as u64, "more row")),
    }
}

fn draw_text(app: &App, canvas: &mut Canvas) {
    let rows = text(app, canvas.width(), canvas.theme.strong());
    let top = top(app, rows.len(), canvas.height());
    for (y, row) in rows.into_iter().skip(top).take(canvas.height()).enumerate() {
        canvas.row(y, row);
    }
}
