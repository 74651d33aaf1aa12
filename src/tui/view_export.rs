//! Writing a view to a file: the screen as text or as a picture, or all rows of its list.
//!
//! The rows have the columns of the commands, as `App::list` gives them.

use std::io::{self, Write as _};

use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr as _;

use super::svg::svg;
use super::theme::Theme;
use super::view;
use crate::app::App;
use crate::app::message::{ViewExport, ViewExportEnd, ViewFormat};
use crate::export::{Format, Output, Target, misplaced, path_of, write_rows};
use crate::look::{Depth, Look};
use crate::number::counted;
use crate::text::visible;

/// Writes the view to the file.
pub(super) fn export(app: &mut App, theme: Theme, export: &ViewExport) -> ViewExportEnd {
    let file = export.file.to_string_lossy().into_owned();
    let shown = visible(&file).into_owned();
    let refused =
        |problem, may_replace| ViewExportEnd::Refused { file: file.clone(), problem, may_replace };
    // A pipe would be waited for.
    if export.file.metadata().is_ok_and(|there| !there.is_file()) {
        return refused(format!("{shown} is no ordinary file; name another"), false);
    }
    let read = app.inputs().iter().filter_map(path_of);
    if let Some(reason) = misplaced(&export.file, read) {
        return refused(format!("{shown}: {reason}; name another"), false);
    }
    if export.file.exists() && !export.may_replace {
        return refused(format!("{shown} exists; press Enter again to replace it"), true);
    }
    let (overlay, notice) = (app.overlay.take(), app.notice.take());
    let written = write(app, theme, export);
    (app.overlay, app.notice) = (overlay, notice);
    match written {
        Ok(content) => ViewExportEnd::Written(format!("{content} written to {shown}")),
        Err(problem) => refused(problem, false),
    }
}

/// Writes the file, which appears only when it is complete; the name of its content.
fn write(app: &App, theme: Theme, export: &ViewExport) -> Result<String, String> {
    let target = Target::File(export.file.clone());
    let told = |error: io::Error| error.to_string();
    let screen = |depth| view::draw(app, Theme(Look { depth, ..theme.0 }));
    let (text, content) = match export.format {
        // Text shows no ground, so signs have to do its work.
        ViewFormat::Text => (screen_text(&screen(Depth::None)), "the screen as text"),
        ViewFormat::Svg => (svg(&[screen(Depth::True)], theme.0.ground), "a picture of the screen"),
        ViewFormat::Rows(format) => {
            let name = app.view().name();
            let rows = app.list().ok_or_else(|| {
                format!("{name} has no list of rows; end the name with .txt or .svg")
            })?;
            let content = counted(rows.rows.len() as u64, "row");
            write_rows(rows, format, &target).map_err(told)?;
            return Ok(content);
        }
    };
    let mut output = Output::new(&target, Format::Tsv);
    output.write_all(text.as_bytes()).and_then(|()| output.finish()).map_err(told)?;
    Ok(content.to_owned())
}

/// A screen as text: a line for each row, without blanks at the end.
pub(super) fn screen_text(screen: &Buffer) -> String {
    let mut text = String::new();
    for row in screen.content().chunks(screen.area().width.max(1).into()) {
        let mut line = String::new();
        // A wide character covers the cells after it, so they are empty.
        let mut covered = 0;
        for cell in row {
            if covered == 0 {
                line.push_str(cell.symbol());
                covered = cell.symbol().width().max(1);
            }
            covered -= 1;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
