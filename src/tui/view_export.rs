//! Writing a view to a file: the screen as text or as a picture, or all rows of its list.
//!
//! The rows come from drawing the list on a screen that is wide enough for all columns.

use std::{
    io::{self, Write as _},
    path::Path,
};

use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    printed::printed,
    svg::svg,
    theme::Theme,
    view,
    widget::{canvas::Lists, table::TableRows},
};
use crate::{
    app::{
        App, Screen, Size,
        view_export::{ViewExport, ViewExportEnd, ViewFormat},
    },
    export::{
        Format, Output, Target,
        place::{misplaced, path_of},
    },
    look::{Depth, Look},
    number::counted,
    text::visible,
};

/// The size of a screen on which lists have all of their columns.
const WIDE: Size = Size { width: 1000, height: 200 };

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
    let made = content(app, theme, export.format);
    (app.overlay, app.notice) = (overlay, notice);
    let written = made.and_then(|(content, content_name)| {
        write(&export.file, &content).map_err(|error| error.to_string())?;
        Ok(content_name)
    });
    match written {
        Ok(content_name) => ViewExportEnd::Written(format!("{content_name} written to {shown}")),
        Err(problem) => refused(problem, false),
    }
}

/// The bytes of the file, and the name of their content.
fn content(app: &mut App, theme: Theme, format: ViewFormat) -> Result<(String, String), String> {
    Ok(match format {
        ViewFormat::Text => {
            // Text shows no ground, so signs have to do its work.
            let look = Look { depth: Depth::None, ..theme.0 };
            (printed(&screen(app, Theme(look))).text, "the screen as text".to_owned())
        }
        ViewFormat::Svg => {
            let look = Look { depth: Depth::True, ..theme.0 };
            (svg(&screen(app, Theme(look)), look.ground), "a picture of the screen".to_owned())
        }
        ViewFormat::Tsv | ViewFormat::Json => {
            let list = rows(app, theme)?;
            let content_name = counted(list.rows.len() as u64, "row");
            (if format == ViewFormat::Tsv { tsv(&list) } else { json(&list) }, content_name)
        }
    })
}

fn screen(app: &App, theme: Theme) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, app.size.width, app.size.height));
    view::draw(app, &mut buffer, theme);
    buffer
}

/// All rows of the view's list.
fn rows(app: &mut App, theme: Theme) -> Result<TableRows, String> {
    let (lists, size) = (Lists::default(), std::mem::replace(&mut app.size, WIDE));
    // Another part that is shown alone would leave no room for the list.
    let screen = app.screen;
    let is_alone = app.alone(screen).is_some();
    let alone = std::mem::take(&mut app.alone);
    view::draw_lists(app, Theme(Look { ascii: false, ..theme.0 }), &lists);
    (app.size, app.alone) = (size, alone);
    // Of Tables the sorted rows can be alone; their list is the second.
    let at = usize::from(screen == Screen::Tables && is_alone);
    let list = lists.into_inner().into_iter().nth(at);
    let name = app.view().name();
    list.ok_or_else(|| format!("{name} has no list of rows; end the name with .txt or .svg"))
}

/// For each column, whether every cell is a number or empty, and at least one is a number.
fn are_numbers(list: &TableRows) -> Vec<bool> {
    let column = |(at, (_, is_text)): (usize, &(String, bool))| {
        let mut cells = list.rows.iter().map(|row| &*row[at]).filter(|cell| !is_none(cell));
        !is_text && cells.clone().next().is_some() && cells.all(|cell| number(cell).is_some())
    };
    list.columns.iter().enumerate().map(column).collect()
}

/// Whether a cell shows that it has no value.
fn is_none(cell: &str) -> bool {
    matches!(cell, "" | "·" | "-")
}

/// A number in the notation of JSON, from the notation of a screen: without commas between its digits.
fn number(cell: &str) -> Option<String> {
    let digits = cell.replace(',', "");
    let digits = digits.strip_prefix('+').unwrap_or(&digits);
    let digits = if digits.starts_with('.') { format!("0{digits}") } else { digits.to_owned() };
    let is_exact = digits.len() <= 15 && !digits.contains(['e', 'E']);
    let read: Option<serde_json::Number> = serde_json::from_str(&digits).ok();
    read.filter(|_| is_exact).map(|_| digits)
}

fn tsv(list: &TableRows) -> String {
    let numbers = are_numbers(list);
    let mut text = list.columns.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join("\t");
    text.push('\n');
    for row in &list.rows {
        let cell = |(at, cell): (usize, &String)| match number(cell) {
            Some(number) if numbers[at] => number,
            _ if is_none(cell) && !list.columns[at].1 => String::new(),
            _ => cell.replace('\t', " "),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        text += &(cells.join("\t") + "\n");
    }
    text
}

fn json(list: &TableRows) -> String {
    let numbers = are_numbers(list);
    let names: Vec<String> =
        list.columns.iter().map(|(name, _)| format!("{}:", quoted(name))).collect();
    let object = |row: &Vec<String>| {
        let value = |(at, cell): (usize, &String)| match number(cell) {
            Some(number) if numbers[at] => format!("{}{number}", names[at]),
            _ if is_none(cell) && !list.columns[at].1 => format!("{}null", names[at]),
            _ => format!("{}{}", names[at], quoted(cell)),
        };
        format!("{{{}}}", row.iter().enumerate().map(value).collect::<Vec<_>>().join(","))
    };
    let rows: Vec<String> = list.rows.iter().map(object).collect();
    if rows.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", rows.join(",\n")) }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes a file that appears only when it is complete.
fn write(file: &Path, content: &str) -> io::Result<()> {
    let mut output = Output::new(&Target::File(file.to_owned()), Format::Tsv);
    output.write_all(content.as_bytes())?;
    output.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> TableRows {
        let columns =
            [("document", true), ("docs", false), ("hex", true), ("d", false), ("none", false)];
        let rows = [["12", "1,234", "07", ">=3", "·"], ["·", "·", "12", "4", "·"]];
        TableRows::new(&columns, rows.map(|cells| cells.map(str::to_owned).to_vec()))
    }

    #[test]
    fn a_column_of_numbers_is_numbers_and_an_id_never() {
        assert_eq!(
            tsv(&list()),
            "document\tdocs\thex\td\tnone\n12\t1234\t07\t>=3\t\n·\t\t12\t4\t\n"
        );
        let json = json(&list());
        let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(rows[0]["document"].as_str(), Some("12"));
        assert_eq!(rows[0]["docs"].as_u64(), Some(1234));
        assert!(rows[1]["docs"].is_null() && rows[1]["d"].as_str() == Some("4"));
        assert!(rows[0]["none"].is_null() && rows[1]["document"].as_str() == Some("·"));
        assert!(json.starts_with("[\n{\"document\":\"12\",\"docs\":1234,"), "{json}");
    }

    #[test]
    fn numbers_are_read_as_screens_show_them() {
        let read = number;
        assert_eq!(read("57,947").as_deref(), Some("57947"));
        assert_eq!(read(".97").as_deref(), Some("0.97"));
        assert_eq!((read("+0").as_deref(), read("-3").as_deref()), (Some("0"), Some("-3")));
        assert_eq!([read("007"), read("1e5"), read("3/4"), read("..")], [None, None, None, None]);
    }
}
