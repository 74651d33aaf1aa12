//! A drawn screen as text.

use ratatui::{buffer::Buffer, style::Modifier};
use unicode_width::UnicodeWidthStr;

/// A screen as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenText {
    /// One line for each row, without blanks at the end.
    pub text: String,
    /// The styles of the rows, one letter for each cell: the first that applies of `R` reversed, `B` bold, `U`
    /// underlined,
    /// `D` dim, or `.`; without dots at the end of a row.
    pub styles: String,
    /// Messages about documents that could not be read, one for each.
    pub problems: Vec<String>,
}

/// The cells of a screen as text.
pub(super) fn printed(buffer: &Buffer) -> ScreenText {
    let rows = buffer.content().chunks(buffer.area().width.max(1) as usize);
    let (mut text, mut styles) = (String::new(), String::new());
    for row in rows {
        let (mut line, mut letters) = (String::new(), String::new());
        let (mut covered, mut style) = (0, '.');
        for cell in row {
            // A wide character covers the cells after it, so they are empty.
            if covered == 0 {
                line.push_str(cell.symbol());
                (covered, style) = (cell.symbol().width().max(1), letter(cell.modifier));
            }
            letters.push(style);
            covered -= 1;
        }
        text.push_str(line.trim_end());
        text.push('\n');
        styles.push_str(letters.trim_end_matches('.'));
        styles.push('\n');
    }
    ScreenText { text, styles, problems: Vec::new() }
}

fn letter(modifier: Modifier) -> char {
    let letters = [
        (Modifier::REVERSED, 'R'),
        (Modifier::BOLD, 'B'),
        (Modifier::UNDERLINED, 'U'),
        (Modifier::DIM, 'D'),
    ];
    letters.into_iter().find(|(flag, _)| modifier.contains(*flag)).map_or('.', |(_, letter)| letter)
}
