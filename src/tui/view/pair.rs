//! A pair of documents: their fingerprints one above the other, and their texts side by side.

use ratatui::text::{Line, Span};

use crate::{
    analysis::explained_pair::Comparison,
    app::{
        App,
        layout::bit_lines,
        side_by_side::{DiffRow, RunKind, TextRun, cells, places_with_edits},
    },
    explain::TextDiff,
    index::Block,
    number::counted,
    simhash::Fingerprint,
    tui::{
        theme::Theme,
        widget::{
            bits::{BitRow, BlockLine, labelled},
            canvas::Canvas,
        },
    },
};

/// Cells of the label before a line of bits.
pub(super) const LABEL: usize = 5;

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

/// The differences of two texts in numbers; with the number of places that have edits if the rows are given.
pub(super) fn in_numbers(comparison: &Comparison, rows: Option<&[DiffRow]>) -> String {
    let Some(diff) = &comparison.diff else { return String::new() };
    let of = if comparison.clipped { " in the first 256 kB" } else { "" };
    match diff.n_edits() {
        0 => format!("the same words{of}"),
        _ if comparison.little_in_common().is_some() => format!("{}{of}", shared(diff)),
        n => {
            let n_places = rows.map(|rows| places_with_edits(rows).count()).filter(|it| *it < n);
            let places = n_places.map_or_else(String::new, |n_places| {
                format!(" in {}", counted(n_places as u64, "place"))
            });
            format!("{}{places}, {}{of}", counted(n as u64, "edit"), shared(diff))
        }
    }
}

/// The share of common words, rounded down, so that only equal words show 100 %.
pub(super) fn shared(diff: &TextDiff) -> String {
    format!("{:.0}% shared", (diff.shared() * 100.0).floor())
}

/// Cells from which on the line about texts with little in common says what follows from it.
const TOLD: usize = 78;

/// A line that says why no difference is marked, or why no text is shown; returns the rows below it.
pub(super) fn without_marks<'a>(comparison: &Comparison, canvas: &'a mut Canvas) -> Canvas<'a> {
    let (theme, width, height) = (canvas.theme, canvas.width(), canvas.height());
    let Some(diff) = &comparison.diff else {
        let why = "a fingerprint without its text cannot be compared word by word";
        let n_rows = canvas.paragraph(1, 0, why, theme.muted());
        return canvas.part(0, n_rows, width, height - n_rows);
    };
    if comparison.little_in_common().is_none() {
        return canvas.part(0, 0, width, height);
    }
    let shared = (diff.shared() * 100.0).floor();
    let mut line = format!("  little in common: {shared:.0}% of the words in this order");
    if width >= TOLD {
        line += ", so that no difference is marked";
    }
    canvas.row(0, Span::styled(line, theme.strong()));
    canvas.part(0, 1, width, height.saturating_sub(1))
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
