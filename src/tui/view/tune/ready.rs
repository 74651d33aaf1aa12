//! The numbers of Tune, or the reason why they are missing.

use ratatui::style::Style;

use crate::{analysis::Tuning, app::App, tui::widget::canvas::Canvas};

/// The numbers of each k; draws the reason if there are none.
pub(super) fn ready<'a>(app: &'a App, canvas: &mut Canvas) -> Option<&'a Tuning> {
    let why = match &app.tune.distances.tuning {
        Some(tuning) if tuning.n_pairs > 0 => return Some(tuning),
        Some(_) => "Tune needs two documents with features",
        None if app.running.is_some() => {
            "the effect of each k is known when all documents are fingerprinted .."
        }
        None => "the work was stopped before there were fingerprints; + or - resumes it",
    };
    canvas.paragraph(2, 0, why, Style::new());
    None
}
