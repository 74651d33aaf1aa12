//! The Learn screen: one view at a time, and below it what the lesson being done asks for.

mod angle;
mod lessons;
mod playground;
mod step;
mod tables;
mod wear;

use ratatui::text::{Line, Span};

use crate::{
    app::{App, layout::Shape, screen::ViewId, wrap::wrap},
    index::Block,
    simhash::Fingerprint,
    tui::{
        theme::Theme,
        widget::{
            bits::{BlockLine, labelled},
            canvas::{Canvas, clip},
        },
    },
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

/// What the lesson asks for now, in at most two rows, or three where there is much room.
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
            None => format!("lesson {this} is done, and so are all. Esc goes to the list"),
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
    let most = if app.size.shape() >= Shape::Standard { 3 } else { 2 };
    let mut rows = wrap(&text, width.saturating_sub(2));
    if rows.len() > most {
        let rest = rows[most - 1..].join(" ");
        rows.truncate(most - 1);
        rows.push(clip(&rest, width.saturating_sub(2)));
    }
    rows.into_iter().map(|row| format!(" {row}")).collect()
}

/// Blocks of eight bits, most significant first: what eyes can count.
fn bytes(width: u32) -> Vec<(usize, Block)> {
    let n = width.div_ceil(8);
    let block = |number: u32| {
        let high = width - 8 * number;
        let low = high.saturating_sub(8);
        (number as usize, Block { low, width: high - low })
    };
    (0..n).map(block).collect()
}

/// `63┄┄┄┄┄┄│55┄┄┄┄┄┄`: bytes are called by their first bit, for letters are the blocks of tables.
fn byte_ruler(line: &BlockLine, width: u32, theme: Theme) -> Span<'static> {
    line.ruler_of(|number| (width - 8 * number as u32 - 1).to_string(), theme)
}

/// As many of these blocks to a line as fit beside a label.
fn lines(blocks: &[(usize, Block)], cells: usize) -> Vec<&[(usize, Block)]> {
    let widths: Vec<Block> = blocks.iter().map(|(_, block)| *block).collect();
    let ranges = crate::app::layout::bit_lines(&widths, cells.saturating_sub(LABEL));
    ranges.into_iter().map(|range| &blocks[range]).collect()
}

/// Cells of the label before a line of bits.
const LABEL: usize = 6;

/// The label, and after it spans.
fn with_label(label: &str, spans: Vec<Span<'static>>, canvas: &Canvas) -> Line<'static> {
    with_wide_label(label, LABEL, spans, canvas)
}

/// The same for a label of so many cells.
fn with_wide_label(
    label: &str,
    cells: usize,
    spans: Vec<Span<'static>>,
    canvas: &Canvas,
) -> Line<'static> {
    labelled(&format!(" {label:<width$}", width = cells - 1), canvas.theme.muted(), spans)
}

/// A line of bits; none where there is no fingerprint.
fn bit_row(
    label: &str,
    line: &BlockLine,
    fingerprint: Option<Fingerprint>,
    other: Option<Fingerprint>,
    canvas: &Canvas,
) -> Line<'static> {
    let view = crate::app::screen::docs::BitsView::Glyphs;
    let spans = fingerprint.map_or_else(
        || vec![Span::raw("no features, so no fingerprint")],
        |fingerprint| line.bits(fingerprint, other, view, canvas.theme),
    );
    with_label(label, spans, canvas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_cover_the_width_once() {
        for width in [1, 7, 8, 9, 64, 90, 128] {
            let blocks = bytes(width);
            assert_eq!(blocks.iter().map(|(_, block)| block.width).sum::<u32>(), width);
            assert_eq!(blocks.last().unwrap().1.low, 0);
            assert!(blocks.iter().all(|(_, block)| block.width <= 8));
        }
    }
}
