//! The Learn screen: one view at a time, and below it what the lesson being done asks for.

mod angle;
mod lessons;
mod playground;
mod rows;
mod step;
mod tables;
mod wear;

use ratatui::text::Span;

use crate::{
    app::{App, layout::SizeClass, screen::ViewId, wrap::wrap},
    tui::widget::canvas::{Canvas, clip},
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let asked = if app.view() == ViewId::Lessons { Vec::new() } else { asked(app, width) };
    let view = height - asked.len();
    {
        let mut canvas = canvas.part(0, 0, width, view);
        match app.view() {
            ViewId::Lessons => lessons::draw(app, &mut canvas),
            ViewId::Playground => playground::draw(app, &mut canvas),
            ViewId::Step => step::draw(app, &mut canvas),
            ViewId::Blocks => tables::draw(app, &mut canvas),
            ViewId::Angle => angle::draw(app, &mut canvas),
            _ => wear::draw(app, &mut canvas),
        }
    }
    let strong = canvas.theme.strong();
    for (row, line) in asked.into_iter().enumerate() {
        canvas.row(view + row, Span::styled(line, strong));
    }
}

/// The present task of the lesson, in at most two rows, or three where there is much room.
fn asked(app: &App, width: usize) -> Vec<String> {
    let lessons = &app.learn.lessons;
    let (Some(number), Some(lesson)) = (lessons.active, lessons.active()) else {
        return Vec::new();
    };
    let this = number + 1;
    let text = if lessons.passed {
        match lessons.next() {
            Some(next) => format!(
                "lesson {this} is done. Enter goes on to lesson {}, {}; Esc to the list",
                next + 1,
                lessons.all[next].title
            ),
            None => format!("lesson {this} is done, and with it all ten. Esc goes to the list"),
        }
    } else {
        let n_parts = lesson.parts().count();
        match lesson.parts().nth(lessons.n_parts) {
            Some(part) => {
                format!("lesson {this}, part {} of {n_parts}: {}", lessons.n_parts + 1, part.part)
            }
            None => format!("lesson {this}, to do: {}", lesson.task),
        }
    };
    let most = if app.size.shape() >= SizeClass::Standard { 3 } else { 2 };
    let mut rows = wrap(&text, width.saturating_sub(2));
    if rows.len() > most {
        let rest = rows[most - 1..].join(" ");
        rows.truncate(most - 1);
        rows.push(clip(&rest, width.saturating_sub(2)));
    }
    rows.into_iter().map(|row| format!(" {row}")).collect()
}
