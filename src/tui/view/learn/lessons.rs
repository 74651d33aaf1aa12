//! The Lessons view: what there is to do, and what there is to know for it.

use ratatui::text::{Line, Span};

use crate::{
    app::{
        App,
        layout::{Shape, learn_text},
        screen::learn::lessons::FILES,
        wrap::wrap,
    },
    tui::widget::canvas::{Canvas, fit},
};

/// Cells of the list beside the text.
const LIST: usize = 48;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    match app.size.shape() {
        Shape::Wide => {
            let done = format!("{} of {} done", app.learn.lessons.done.len(), FILES.len());
            list(app, &mut canvas.part(0, 0, LIST, height).framed("lessons", &done));
            let title = title(app);
            let mut text = canvas.part(LIST, 0, width - LIST, height);
            draw_text(app, &mut text.framed(&title, "J/K scroll"));
        }
        Shape::Standard => {
            let rows = FILES.len();
            list(app, &mut canvas.part(0, 0, width, rows));
            canvas.rule(rows, &title(app), "Enter begins it, J/K scroll");
            draw_text(app, &mut canvas.part(0, rows + 1, width, height.saturating_sub(rows + 1)));
        }
        _ => {
            let rows = (height / 3).max(2);
            list(app, &mut canvas.part(0, 0, width, rows));
            draw_text(app, &mut canvas.part(0, rows, width, height.saturating_sub(rows)));
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

fn draw_text(app: &App, canvas: &mut Canvas) {
    let lessons = &app.learn.lessons;
    let Some(lesson) = lessons.all.get(lessons.cursor.selected) else { return };
    let room = canvas.width().saturating_sub(3).min(100);
    let strong = canvas.theme.strong();
    let mut rows: Vec<Line<'static>> = Vec::new();
    for paragraph in &lesson.paragraphs {
        rows.extend(wrap(paragraph, room).into_iter().map(|row| Line::from(format!("  {row}"))));
        rows.push(Line::default());
    }
    let task = wrap(&format!("To do: {}", lesson.task), room).into_iter();
    rows.extend(task.map(|row| Line::from(Span::styled(format!("  {row}"), strong))));
    let top = lessons.top.min(rows.len().saturating_sub(canvas.height()));
    for (y, row) in rows.into_iter().skip(top).take(canvas.height()).enumerate() {
        canvas.row(y, row);
    }
}
