//! A screen as an SVG picture, for documents and slides.
//!
//! Every cell has a fixed place, so any monospaced font can be used. Blocks, halves, quadrants and eighths are drawn as
//! rectangles, because fonts leave gaps between them; so are the dots of Braille, which many monospaced fonts lack.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::widget::bits::QUADRANTS;
use crate::look::Ground;

/// Width and height of a cell, and the size of the font, in pixels.
const WIDTH: f64 = 8.4;
const HEIGHT: f64 = 18.0;
const FONT: f64 = 14.0;

/// The line of a frame: its thickness in rows, and its place in a cell. A cell is about twice as high as wide.
const LINE: f64 = 0.06;
const MIDDLE: f64 = 0.47;
const CENTRE: f64 = 0.44;

/// The default colours of text and background, which a buffer does not have.
fn defaults(ground: Ground) -> [&'static str; 2] {
    match ground {
        Ground::Dark => ["#dcdcdc", "#16161e"],
        Ground::Light => ["#1e1e1e", "#ffffff"],
    }
}

/// Seconds that a frame of a film stands.
const STANDS: usize = 3;

/// The picture of one frame; of several a film that begins again after the last one. Costs a look at each cell.
pub(super) fn svg(frames: &[Buffer], ground: Ground) -> String {
    let [_, paper] = defaults(ground);
    let area = frames.first().map_or_else(Default::default, |frame| frame.area);
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let (width, height) = (columns as f64 * WIDTH, rows as f64 * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"{FONT}\" xml:space=\"preserve\">\n<rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>\n"
    );
    let n = frames.len();
    if n > 1 {
        // A reader who wants no motion sees the first frame.
        let _ = writeln!(
            svg,
            "<style>g{{opacity:0;animation:f {}s step-end infinite}}@keyframes f{{0%{{opacity:1}}{}%{{opacity:0}}}}@media (prefers-reduced-motion:reduce){{g{{animation:none}}g:first-of-type{{opacity:1}}}}</style>",
            n * STANDS,
            100.0 / n as f64
        );
    }
    for (at, frame) in frames.iter().enumerate() {
        if n > 1 {
            let _ = writeln!(svg, "<g style=\"animation-delay:{}s\">", at * STANDS);
        }
        draw(&mut svg, frame, ground);
        svg += if n > 1 { "</g>\n" } else { "" };
    }
    svg + "</svg>\n"
}

/// The cells of a frame.
fn draw(svg: &mut String, frame: &Buffer, ground: Ground) {
    let columns = usize::from(frame.area.width).max(1);
    for (y, row) in frame.content.chunks(columns).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, next| one.style() == next.style()) {
            draw_run(svg, run, (x, y), defaults(ground));
            x += run.len();
        }
    }
}

/// Cells of one style, from a place on.
fn draw_run(svg: &mut String, run: &[Cell], (x, y): (usize, usize), [text, paper]: [&str; 2]) {
    let cell = &run[0];
    let is_reversed = cell.modifier.contains(Modifier::REVERSED);
    let (mut front, mut back) = (colour(cell.fg, text), colour(cell.bg, paper));
    if is_reversed {
        std::mem::swap(&mut front, &mut back);
    }
    if back != paper {
        rect(svg, (x as f64, y as f64), (run.len() as f64, 1.0), &back, "");
    }
    let faint = if cell.modifier.contains(Modifier::DIM) { " opacity=\"0.6\"" } else { "" };
    let bold = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    // Adjacent letters are one text; a rectangle or a blank ends it.
    let mut letters: Option<(usize, usize, String)> = None;
    let mut skip = 0;
    for (at, cell) in run.iter().enumerate() {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        let symbol = cell.symbol();
        let cells = symbol.width().max(1);
        skip = cells - 1;
        let parts = blocks(symbol);
        if symbol == " " || !parts.is_empty() {
            put(svg, letters.take(), y, &front, bold, faint);
        } else {
            let (_, n, text) = letters.get_or_insert((x + at, 0, String::new()));
            *n += cells;
            text.push_str(symbol);
        }
        for [left, top, width, height] in parts {
            // Equal adjacent blocks are one rectangle, without seams.
            let is_whole = width >= 1.0;
            if is_whole && at > 0 && run[at - 1].symbol() == symbol {
                continue;
            }
            let n_equal = run[at..].iter().take_while(|it| it.symbol() == symbol).count();
            let width = if is_whole { n_equal as f64 } else { width };
            let place = ((x + at) as f64 + left, y as f64 + top);
            rect(svg, place, (width, height), &front, faint);
        }
    }
    put(svg, letters, y, &front, bold, faint);
}

/// A rectangle, in cells.
fn rect(
    svg: &mut String,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    fill: &str,
    attribute: &str,
) {
    let [x, y, width, height] = [x * WIDTH, y * HEIGHT, width * WIDTH, height * HEIGHT];
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\"{attribute} shape-rendering=\"crispEdges\"/>"
    );
}

/// Letters from a cell on, stretched over their cells.
fn put(
    svg: &mut String,
    letters: Option<(usize, usize, String)>,
    y: usize,
    fill: &str,
    bold: &str,
    faint: &str,
) {
    let Some((x, n, text)) = letters else { return };
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (left, base, length) = (x as f64 * WIDTH, (y as f64 + 0.76) * HEIGHT, n as f64 * WIDTH);
    let _ = writeln!(
        svg,
        "<text x=\"{left:.2}\" y=\"{base:.2}\" textLength=\"{length:.2}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{fill}\"{bold}{faint}>{escaped}</text>"
    );
}

/// The rectangles of a block character: left, top, width and height in parts of a cell.
fn blocks(symbol: &str) -> Vec<[f64; 4]> {
    let mut chars = symbol.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return Vec::new() };
    // The halves of a line, from a side of the cell to its middle.
    let [to_left, to_right] = [[0.0, MIDDLE, CENTRE, LINE], [CENTRE, MIDDLE, 1.0 - CENTRE, LINE]];
    let [up, down] =
        [[CENTRE, 0.0, 2.0 * LINE, MIDDLE + LINE], [CENTRE, MIDDLE, 2.0 * LINE, 1.0 - MIDDLE]];
    match c {
        '█' => vec![[0.0, 0.0, 1.0, 1.0]],
        '─' => vec![[0.0, MIDDLE, 1.0, LINE]],
        '│' => vec![[CENTRE, 0.0, 2.0 * LINE, 1.0]],
        '┃' => vec![[CENTRE, 0.0, 4.0 * LINE, 1.0]],
        '╭' => vec![to_right, down],
        '╮' => vec![to_left, down],
        '╰' => vec![to_right, up],
        '╯' => vec![to_left, up],
        '▀' => vec![[0.0, 0.0, 1.0, 0.5]],
        '▌' => vec![[0.0, 0.0, 0.5, 1.0]],
        '▐' => vec![[0.5, 0.0, 0.5, 1.0]],
        // Patterns of Braille: the dots of the left column are the bits 0 to 2 and 6, those of the right one 3 to 5 and 7.
        '⠁'..='⣿' => {
            let places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
            let bits = u32::from(c) - 0x2800;
            let dots = places.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            let dot = |(_, (x, y))| {
                let (left, top) = (0.5 * f64::from(x), 0.25 * f64::from(y));
                [left + 0.12, top + 0.06, 0.26, 0.12]
            };
            dots.map(dot).collect()
        }
        '▁'..='▇' => {
            let height = f64::from(u32::from(c) - u32::from('▁') + 1) / 8.0;
            vec![[0.0, 1.0 - height, 1.0, height]]
        }
        _ => {
            // The highest bit of a quadrant's number is its upper left corner.
            let number = QUADRANTS.iter().position(|it| *it == c).unwrap_or(0);
            let corners = [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.5, 0.5]].into_iter().enumerate();
            let shown = corners.filter(|(at, _)| number >> (3 - at) & 1 == 1);
            shown.map(|(_, [left, top])| [left, top, 0.5, 0.5]).collect()
        }
    }
}

/// A colour as SVG names it; `default` for the terminal's own.
fn colour(color: Color, default: &str) -> String {
    match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        // Greys have their number among 256 colours.
        Color::Indexed(at @ 232..) => {
            let grey = 8 + 10 * (at - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
        // Pictures are drawn with all colours, so the theme uses no other kind.
        _ => default.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn cells_are_where_they_are_on_the_screen() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        let yellow = Style::new().fg(Color::Rgb(255, 255, 0)).add_modifier(Modifier::BOLD);
        buffer.set_string(0, 0, "<a> 漢b", Style::reset());
        buffer.set_string(2, 1, "█▗", yellow);
        buffer.set_string(6, 1, "⢁", yellow);
        let svg = svg(&[buffer], Ground::Dark);
        assert!(svg.contains("viewBox=\"0 0 67.2 36.0\""), "{svg}");
        assert!(svg.contains("x=\"0.00\" y=\"13.68\" textLength=\"25.20\""), "{svg}");
        assert!(svg.contains(">&lt;a&gt;</text>") && svg.contains(">漢b</text>"), "{svg}");
        let full =
            "<rect x=\"16.80\" y=\"18.00\" width=\"8.40\" height=\"18.00\" fill=\"#ffff00\" shape";
        let quadrant =
            "<rect x=\"29.40\" y=\"27.00\" width=\"4.20\" height=\"9.00\" fill=\"#ffff00\" shape";
        assert!(svg.contains(full) && svg.contains(quadrant), "{svg}");
        let first = "<rect x=\"51.41\" y=\"19.08\"";
        let last = "<rect x=\"55.61\" y=\"32.58\"";
        assert!(svg.contains(first) && svg.contains(last) && !svg.contains('⢁'), "{svg}");
        assert!(svg.ends_with("</svg>\n"));
    }

    #[test]
    fn frames_of_a_film_follow_each_other() {
        let frame = |text| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
            buffer.set_string(0, 0, text, Style::reset());
            buffer
        };
        let film = svg(&["one", "two", "six", "ten"].map(frame), Ground::Dark);
        assert!(film.contains("animation:f 12s") && film.contains("25%{opacity:0}"), "{film}");
        let at = |text: &str| film.find(text).unwrap_or_else(|| panic!("{text} in {film}"));
        assert!(at("delay:0s") < at(">one<") && at(">one<") < at("delay:3s"));
        assert!(at("delay:9s") < at(">ten<") && film.matches("</g>").count() == 4);
        assert!(!svg(&[frame("one")], Ground::Dark).contains("animation"));
    }

    #[test]
    fn no_text_breaks_the_picture() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        buffer.set_string(0, 0, "</svg>&amp;\"'", Style::reset());
        let svg = svg(&[buffer], Ground::Light);
        assert_eq!(svg.matches("</svg>").count(), 1, "{svg}");
        assert!(svg.contains("&lt;/svg&gt;&amp;amp;\"'"), "{svg}");
    }
}
