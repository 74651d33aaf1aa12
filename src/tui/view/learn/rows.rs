//! Lines of bits with a label, for the views of Learn.

use ratatui::text::{Line, Span};

use crate::{
    index::Block,
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
pub(super) const LABEL: usize = 6;

/// Blocks of eight bits, most significant first, which are easy to count.
pub(super) fn bytes(width: u32) -> Vec<(usize, Block)> {
    let n = width.div_ceil(8);
    let block = |number: u32| {
        let high = width - 8 * number;
        let low = high.saturating_sub(8);
        (number as usize, Block { low, width: high - low })
    };
    (0..n).map(block).collect()
}

/// `63┄┄┄┄┄┄│55┄┄┄┄┄┄`: bytes are named by their first bit, because letters name the blocks of tables.
pub(super) fn byte_ruler(line: &BlockLine, width: u32, theme: Theme) -> Vec<Span<'static>> {
    line.ruler_of(|number| (width - 8 * number as u32 - 1).to_string(), theme)
}

/// The lines of these blocks, with as many blocks as fit beside a label.
pub(super) fn lines(blocks: &[(usize, Block)], cells: usize) -> Vec<&[(usize, Block)]> {
    let widths: Vec<Block> = blocks.iter().map(|(_, block)| *block).collect();
    let ranges = crate::app::layout::bit_lines(&widths, cells.saturating_sub(LABEL));
    ranges.into_iter().map(|range| &blocks[range]).collect()
}

/// A label, followed by spans.
pub(super) fn with_label(label: &str, spans: Vec<Span<'static>>, canvas: &Canvas) -> Line<'static> {
    labelled(&format!(" {label:<width$}", width = LABEL - 1), canvas.theme.muted(), spans)
}

/// A line of bits; without a fingerprint, a remark.
pub(super) fn bit_row(
    label: &str,
    line: &BlockLine,
    fingerprint: Option<Fingerprint>,
    other: Option<Fingerprint>,
    canvas: &Canvas,
) -> Line<'static> {
    let spans = fingerprint.map_or_else(
        || vec![Span::raw("no features, so no fingerprint")],
        |fingerprint| line.bits(&BitRow { other, ..BitRow::new(fingerprint) }, canvas.theme),
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
