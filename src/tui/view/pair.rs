//! A pair of documents: their fingerprints one above the other, and their texts side by side.

use ratatui::text::{Line, Span};

use crate::{
    app::{
        App,
        layout::bit_lines,
        side_by_side::{DiffRow, RunKind, TextRun, cells, places_with_edits},
    },
    id::DocId,
    index::Block,
    simhash::Fingerprint,
    text::visible,
    tui::{
        theme::Theme,
        widget::{
            bits::{BitRow, BlockLine, labelled},
            canvas::Canvas,
        },
    },
};

/// Cells of the label before a line of bits.
const LABEL: usize = 5;

/// Two fingerprints in lines of at most so many cells, and a mark under each difference; returns the rows used.
pub(super) fn prints(
    app: &App,
    prints: [Fingerprint; 2],
    cells: usize,
    canvas: &mut Canvas,
) -> usize {
    let theme = canvas.theme;
    let (layout, [a, b]) = (app.layout(), prints);
    let xor = a.bits() ^ b.bits();
    let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
    let mut y = 0;
    for range in bit_lines(layout.block_list(), cells) {
        let line = BlockLine { blocks: &blocks[range], key_blocks: 0, is_tinted: true };
        canvas.row(y, labelled("     ", theme.muted(), line.ruler(theme)));
        for (at, (name, one, other)) in [(" one ", a, b), (" two ", b, a)].into_iter().enumerate() {
            let row = BitRow { other: Some(other), mode: app.docs.bits, ..BitRow::new(one) };
            canvas.row(y + 1 + at, labelled(name, theme.muted(), line.bits(&row, theme)));
        }
        // A click shows the votes of the query.
        line.answer_to_clicks(LABEL, y + 1, canvas);
        canvas.row(y + 3, labelled(" xor ", theme.muted(), line.xor(xor, theme)));
        number_bits(&line, xor, y + 3, canvas);
        y += 4;
    }
    y
}

/// Writes the number of each differing bit behind its mark, where there is room before the next one.
fn number_bits(line: &BlockLine, xor: u128, y: usize, canvas: &mut Canvas) {
    for (cell, bit) in line.places() {
        let (number, behind) = (bit.to_string(), LABEL + cell + 1);
        let mut cells = behind..=behind + number.len();
        if xor >> bit & 1 == 1 && cells.all(|x| canvas.is_blank(x, y)) {
            canvas.at(behind, y, Span::styled(number, canvas.theme.muted()));
        }
    }
}

/// The two texts of a pair of another screen, from their first difference on if the beginning does not show it.
pub(super) fn preview(app: &App, pair: [DocId; 2], canvas: &mut Canvas) {
    let (theme, height) = (canvas.theme, canvas.height());
    if let Some(problem) = app.near.texts.problem() {
        canvas.paragraph(1, 0, &visible(problem), theme.warn());
    } else if app.near.texts.answered().is_none_or(|(asked, _)| asked.pair != pair) {
        canvas.row(0, Span::styled(" ..", theme.muted()));
    } else {
        let first = places_with_edits(&app.near.rows).next().unwrap_or(0);
        let top = if first < height { 0 } else { first.saturating_sub(1) };
        for (y, row) in app.near.rows.iter().skip(top).take(height).enumerate() {
            canvas.row(y, text_row(row, beside(app), theme));
        }
    }
}

/// Cells of the left text if the other is beside it.
pub(super) fn beside(app: &App) -> Option<usize> {
    app.is_side_by_side().then(|| app.text_column())
}

/// A row of two texts: the right one this many cells from the left, or both in one column.
pub(super) fn text_row(row: &DiffRow, beside: Option<usize>, theme: Theme) -> Line<'static> {
    let mut line = Line::from(if row.changed { "~ " } else { "  " });
    let left: Vec<Span<'_>> = row.left.iter().filter_map(|part| run(part, theme)).collect();
    let used: usize = left.iter().map(|span| cells(&span.content)).sum();
    line.extend(left);
    if let Some(column) = beside {
        line.push_span(Span::raw(" ".repeat(column.saturating_sub(used))));
        let (gutter, style) = if row.changed {
            (theme.glyphs().unlike, theme.strong())
        } else {
            (theme.glyphs().like, theme.muted())
        };
        line.push_span(Span::styled(format!("{gutter} "), style));
        line.extend(row.right.iter().filter_map(|part| run(part, theme)));
    }
    line
}

/// A run of text. On a ground of its own a changed word needs no brackets, which texts may have themselves.
fn run(run: &TextRun, theme: Theme) -> Option<Span<'static>> {
    let style = |side| if side == 0 { theme.left_only() } else { theme.right_only() };
    match run.kind {
        RunKind::Shared => Some(Span::styled(run.text.clone(), theme.text())),
        RunKind::Bracket(_) if theme.has_surfaces() => None,
        RunKind::OnlyIn(side) | RunKind::Bracket(side) => {
            Some(Span::styled(run.text.clone(), style(side)))
        }
    }
}
