//! The votes on every bit of a document, as signed bars around its bits.

use ratatui::text::{Line, Span};

use crate::app::layout::bit_lines;
use crate::app::page::{VOTES_LABEL as LABEL, VoteBars};
use crate::index::Block;
use crate::sign;
use crate::tui::widget::bits::{BitRow, BlockLine, WEAK};
use crate::tui::widget::canvas::Canvas;

/// Rows of a line of bits without its bars: the names, the bits, the marks.
const WITHOUT_BARS: usize = 3;
/// The most rows of bars to each side.
const MOST_BARS: usize = 16;

/// As many lines of bits as have room, around the selected bit, with bars as high as there is room.
pub(super) fn votes(shown: &VoteBars<'_>, has_digits: bool, canvas: &mut Canvas) {
    let blocks: Vec<(usize, Block)> = shown.blocks.iter().copied().enumerate().collect();
    let (width, height) = (canvas.width(), canvas.height());
    let lines = bit_lines(&shown.blocks, width.saturating_sub(LABEL));
    let fits = (height / (WITHOUT_BARS + 2)).clamp(1, lines.len().max(1));
    let holds = |line: &std::ops::Range<usize>| {
        let has_it = |block: &Block| shown.bit.is_some_and(|bit| block.contains(bit));
        shown.blocks[line.clone()].iter().any(has_it)
    };
    let at = lines.iter().position(holds).unwrap_or(0);
    let first = at.min(lines.len().saturating_sub(fits));
    let bars = ((height / fits).saturating_sub(WITHOUT_BARS) / 2).clamp(1, MOST_BARS);
    let rows = WITHOUT_BARS + 2 * bars;
    for (at, range) in lines.iter().skip(first).take(fits).enumerate() {
        let line = BlockLine { blocks: &blocks[range.clone()], key_blocks: 0 };
        bit_line(shown, has_digits, bars, line, &mut canvas.part(0, at * rows, width, rows));
        if fits == 1 {
            line.sign_hidden(blocks.len(), at * rows, canvas);
        }
    }
}

fn bit_line(
    shown: &VoteBars<'_>,
    has_digits: bool,
    bars: usize,
    line: BlockLine,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let middle = 1 + bars;
    if shown.print.is_some() {
        line.answer_to_clicks(LABEL, middle, canvas);
    }
    let mut row = |y: usize, label: &str, spans: Vec<Span<'static>>| {
        let label = format!(" {label:<width$}", width = LABEL - 1);
        canvas.row(y, Span::styled(label, theme.muted()));
        canvas.at(LABEL, y, Line::from(spans));
    };
    row(0, "", line.ruler(&shown.names, theme));
    if let Some(fingerprint) = shown.print {
        let bits = BitRow { has_digits, votes: shown.votes, ..BitRow::new(fingerprint) };
        row(middle, "bit", line.bits(&bits, theme));
    }
    let Some(votes) = shown.votes else { return };
    let most = (0..votes.width()).map(|bit| votes.fixed(bit).abs()).max().unwrap_or(0).max(1);
    for bar in 0..2 * bars {
        let y = if bar < bars { 1 + bar } else { 2 + bar };
        let text = match bar {
            0 => scale(most, '+'),
            _ if bar + 1 == 2 * bars => scale(most, '-'),
            _ => String::new(),
        };
        row(y, &text, line.bars(|bit| votes.fixed(bit), most, (bar, bars), theme));
    }
    let mark = |bit: u32| match bit {
        _ if Some(bit) == shown.bit => sign::DIFFERS,
        _ if votes.margin(bit) < WEAK => '!',
        _ => ' ',
    };
    row(middle + bars + 1, "", vec![line.marks(mark, theme.warn())]);
}

/// The votes that fill a bar, in at most five cells.
fn scale(most: i64, sign: char) -> String {
    let most = most as f64 / (1 << 20) as f64;
    match most {
        ..99.95 => format!("{sign}{most:.1}"),
        ..9_999.5 => format!("{sign}{most:.0}"),
        ..999_500.0 => format!("{sign}{:.0}k", most / 1e3),
        _ => format!("{sign}{:.0}M", most / 1e6),
    }
}
