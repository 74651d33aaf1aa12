//! The numbers of Tune, or the reason why there are none yet.

use ratatui::style::Style;

use crate::{analysis::Tuning, app::App, tui::widget::canvas::Canvas};

/// The numbers of each k; draws the reason where there are none.
pub(super) fn ready<'a>(app: &'a App, canvas: &mut Canvas) -> Option<&'a Tuning> {
    let why = match &app.tune.distances.tuning {
        Some(tuning) if tuning.n_pairs > 0 => return Some(tuning),
        Some(_) => "two documents with text are needed to be near each other or not",
        None if app.running.is_some() => {
            "what each k would do is known when all documents are fingerprinted .."
        }
        None => "the work was stopped before there were fingerprints; + or - goes on",
    };
    canvas.paragraph(2, 0, why, Style::new());
    None
}
