//! Drawing: a pure function of the program's state, one file for each region.
//!
//! ```text
//! tabs ................................ chrome::tabs
//! ------------------------------------- chrome::tabs
//! what was found ...................... status
//! the screen .......................... page
//! keys ................................ footer
//! ```

mod chrome;
mod footer;
mod menu;
mod name;
mod overlay;
mod page;
mod status;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::theme::Theme;
use super::widget::canvas::{Canvas, Targets};
use crate::app::key::{Mouse, MouseAction};
use crate::app::{App, Message, wrap};

/// Draws the program.
pub fn draw(app: &App, theme: Theme) -> Buffer {
    draw_noting(app, theme, None)
}

/// Turns a click on an active part of the screen into a message about that part; returns any other message as it is.
/// Costs a drawing.
pub fn located(app: &App, theme: Theme, message: Message) -> Message {
    let Message::Mouse(mouse @ Mouse { action: MouseAction::Click, .. }) = message else {
        return message;
    };
    let targets = Targets::default();
    draw_noting(app, theme, Some(&targets));
    let place = Position::new(mouse.column, mouse.row);
    let found = targets.into_inner().into_iter().rev().find(|(part, _)| part.contains(place));
    found.map_or(message, |(_, target)| Message::Click(target))
}

/// Draws the program, and notes its clickable parts.
fn draw_noting(app: &App, theme: Theme, targets: Option<&Targets>) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, app.size.width, app.size.height));
    draw_on(app, Canvas::new(&mut buffer, theme, targets));
    Canvas::new(&mut buffer, theme, None).in_ascii();
    buffer
}

fn draw_on(app: &App, mut canvas: Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    if app.size.is_below(40, 10) || width < 40 || height < 10 {
        let needed = format!("40x10 needed, now {width}x{height}; q quits");
        for (y, row) in wrap(&needed, width.max(1)).into_iter().enumerate() {
            canvas.row(height / 2 + y, row);
        }
        return;
    }
    if !app.size.is_small() {
        chrome::tabs(app, &mut canvas);
    }
    let above = app.size.above();
    let mut body = canvas.part(0, above, width, height.saturating_sub(above + 1));
    page::draw(app, &mut body);
    status::status(app, &mut canvas.part(0, above - 1, width, 1));
    status::notice_over(app, &mut canvas);
    if app.overlay.is_some() {
        canvas.cover();
    }
    footer::footer(app, &mut canvas.part(0, height - 1, width, 1));
    overlay::draw(app, &mut canvas);
}
