//! Drawings of fingerprints: block by block, at a glance, and compared with each other.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::ClickTarget;
use crate::index::{Block, letter};
use crate::sign;
use crate::simhash::{Fingerprint, Votes};
use crate::tui::theme::Theme;
use crate::tui::widget::canvas::Canvas;

/// Bits whose margin is below this are weak: a small edit flips about half of them.
pub const WEAK: f64 = 0.1;

/// A cell by its quadrants: those of the upper left, upper right, lower left and lower right are 8, 4, 2 and 1.
pub const QUADRANTS: [char; 16] =
    [' ', '▗', '▖', '▄', '▝', '▐', '▞', '▟', '▘', '▚', '▌', '▙', '▀', '▜', '▛', '█'];

/// A list of blocks on one line, and the end of the key.
#[derive(Clone, Copy, Debug)]
pub struct BlockLine<'a> {
    /// The blocks in the order they are drawn, each with its number in the layout.
    pub blocks: &'a [(usize, Block)],
    /// The number of blocks at the start of the line that belong to the key; a heavier line follows them.
    pub key_blocks: usize,
}

/// A row of bits to draw.
#[derive(Clone, Copy)]
pub struct BitRow<'a> {
    /// The bits.
    pub fingerprint: Fingerprint,
    /// The fingerprint whose differing bits stand out.
    pub other: Option<Fingerprint>,
    /// Whether bits are drawn as 0 and 1.
    pub has_digits: bool,
    /// The votes, by which weak bits are drawn pale.
    pub votes: Option<&'a Votes>,
    /// Whether the row is of less interest, such as a row of a table that does not match.
    pub is_muted: bool,
}

impl BitRow<'_> {
    /// Bits as glyphs, without differences and margins.
    pub fn new(fingerprint: Fingerprint) -> Self {
        Self { fingerprint, other: None, has_digits: false, votes: None, is_muted: false }
    }
}

impl BlockLine<'_> {
    /// Whether blocks before those of the line, and blocks behind them, are not shown: `<` and `>` at the ends of a row
    /// say so.
    pub fn sign_hidden(&self, n_blocks: usize, y: usize, canvas: &mut Canvas) {
        if self.blocks.first().is_some_and(|(number, _)| *number > 0) {
            canvas.at(1, y, "<");
        }
        if self.blocks.last().is_some_and(|(number, _)| number + 1 < n_blocks) {
            canvas.right(y, ">");
        }
    }

    fn separator(&self, at: usize) -> Option<char> {
        match at + 1 {
            next if next == self.blocks.len() => None,
            next if next == self.key_blocks => Some(sign::KEY),
            _ => Some(sign::BLOCK),
        }
    }

    /// `A┄┄┄│B┄┄┄`: the names of the blocks, or letters for those without one.
    pub fn ruler(&self, names: &[String], theme: Theme) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        for (at, (number, block)) in self.blocks.iter().enumerate() {
            let width = block.width as usize;
            let name = names.get(*number).cloned().unwrap_or_else(|| letter(*number));
            let name: String = name.chars().take(width).collect();
            let rest = sign::RULER.to_string().repeat(width - name.chars().count());
            spans.push(Span::styled(name, theme.block(*number)));
            let separator = self.separator(at).map(String::from);
            spans.push(Span::styled(rest + &separator.unwrap_or_default(), theme.muted()));
        }
        spans
    }

    /// The bits; differing bits are highlighted.
    pub fn bits(&self, row: &BitRow, theme: Theme) -> Vec<Span<'static>> {
        let [zero, one] = if row.has_digits { ['0', '1'] } else { [sign::ZERO, sign::ONE] };
        self.cells(theme, |block, bit| {
            let is_one = row.fingerprint.bit(bit);
            let glyph = if is_one { one } else { zero };
            let is_weak = row.votes.is_some_and(|votes| votes.margin(bit) < WEAK);
            match row.other {
                Some(other) if other.bit(bit) != is_one => {
                    let sign = sign::OTHER[usize::from(is_one)];
                    (if row.has_digits { glyph } else { sign }, theme.differs())
                }
                _ if row.is_muted || is_weak => (glyph, theme.pale_block(block)),
                _ => (glyph, theme.block(block)),
            }
        })
    }

    /// Each bit with its cell in the line.
    pub fn places(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let bits = self.blocks.iter().enumerate().flat_map(|(at, (_, block))| {
            (block.low..block.low + block.width).rev().map(move |bit| (at, bit))
        });
        // A cell between two blocks.
        bits.enumerate().map(|(number, (at, bit))| (number + at, bit))
    }

    /// Makes the bits, drawn from cell `x` of a row on, answer to clicks.
    pub fn answer_to_clicks(&self, x: usize, y: usize, canvas: &Canvas) {
        for (cell, bit) in self.places() {
            canvas.target(x + cell, y, 1, ClickTarget::Bit(bit));
        }
    }

    /// One of `2 * rows` rows of signed bars: the upper half is above the line, the lower half below it; `most` fills
    /// either half.
    pub fn bars(
        &self,
        value: impl Fn(u32) -> i64,
        most: i64,
        (row, rows): (usize, usize),
        theme: Theme,
    ) -> Vec<Span<'static>> {
        let most = most.max(1);
        let full = 2 * rows as i64;
        let is_above = row < rows;
        // Half rows between the line and this row.
        let before = 2 * if is_above { rows - 1 - row } else { row - rows } as i64;
        let [half_up, whole, half_down] = sign::HALVES;
        let half = if is_above { half_up } else { half_down };
        let glyph = |bit: u32| {
            let value = if is_above { value(bit) } else { -value(bit) };
            match (full * value.max(0) + most - 1) / most - before {
                ..=0 => ' ',
                1 => half,
                _ => whole,
            }
        };
        self.cells(theme, |block, bit| (glyph(bit), theme.block(block)))
    }

    /// A glyph for every bit, without lines between blocks.
    pub fn marks(&self, glyph: impl Fn(u32) -> char, style: Style) -> Span<'static> {
        let of_block = |(_, block): &(usize, Block)| -> String {
            (block.low..block.low + block.width).rev().map(&glyph).collect()
        };
        let blocks: Vec<String> = self.blocks.iter().map(of_block).collect();
        Span::styled(blocks.join(" "), style)
    }

    /// A glyph and a style for each bit, by its block and its number.
    fn cells(
        &self,
        theme: Theme,
        cell: impl Fn(usize, u32) -> (char, Style),
    ) -> Vec<Span<'static>> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (at, (number, block)) in self.blocks.iter().enumerate() {
            let mut run = String::new();
            let mut run_style = theme.text();
            for bit in (block.low..block.low + block.width).rev() {
                let (glyph, style) = cell(*number, bit);
                if style != run_style && !run.is_empty() {
                    spans.push(Span::styled(std::mem::take(&mut run), run_style));
                }
                run_style = style;
                run.push(glyph);
            }
            spans.push(Span::styled(run, run_style));
            if let Some(separator) = self.separator(at) {
                spans.push(Span::styled(separator.to_string(), theme.muted()));
            }
        }
        spans
    }
}

/// A fingerprint at a glance: one quadrant glyph for each hex digit, between guards, in the hue of the block of its
/// first bit; pale where the digits equal those of another fingerprint.
///
/// Near-duplicates look similar. The guards make blanks at the ends visible. In ASCII the hex digits are shown.
pub fn pattern(
    fingerprint: Fingerprint,
    other: Option<Fingerprint>,
    blocks: &[Block],
    theme: Theme,
) -> Line<'static> {
    let [left, right] = sign::GUARDS;
    let hex = fingerprint.to_string();
    let n_digits = hex.chars().count() as u32;
    let mut line = Line::from(Span::styled(left.to_string(), theme.muted()));
    let mut shown = None;
    let xor = other.map_or(u128::MAX, |other| fingerprint.bits() ^ other.bits());
    for (digit, place) in hex.chars().zip((0..n_digits).rev()) {
        let highest = (4 * place + 3).min(fingerprint.width() - 1);
        let block = blocks.iter().position(|block| block.contains(highest)).unwrap_or(0);
        let quadrant = QUADRANTS[digit.to_digit(16).unwrap_or(0) as usize];
        let glyph = if theme.0.ascii { digit } else { quadrant };
        let differs = xor >> (4 * place) & 0xf != 0;
        let same = line.spans.last_mut().filter(|_| shown == Some((block, differs)));
        if let Some(span) = same {
            span.content.to_mut().push(glyph);
        } else {
            let style = if differs { theme.block(block) } else { theme.pale_block(block) };
            line.push_span(Span::styled(glyph.to_string(), style));
        }
        shown = Some((block, differs));
    }
    line.push_span(Span::styled(right.to_string(), theme.muted()));
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Layout;
    use crate::look::Look;

    const THEME: Theme = Theme(Look::PLAIN);

    fn text(spans: &[Span<'_>]) -> String {
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn the_pattern_is_the_mock_ups() {
        let fingerprint = Fingerprint::new(0x16f8_3b2f_9806_0aef, 64);
        let blocks = [Block { low: 32, width: 32 }, Block { low: 0, width: 32 }];
        let line = pattern(fingerprint, None, &blocks, THEME);
        assert_eq!(text(&line.spans), "▏▗▞█▘▄▙▖█▚▘ ▞ ▌▛█▕");
        assert_eq!(line.spans.len(), 4, "guards, and a run for each block");
        let other = Fingerprint::new(0x16f8_3b2f_9806_0aee, 64);
        let line = pattern(fingerprint, Some(other), &blocks, THEME);
        assert_eq!(line.spans[3].content, "█", "only the last digit is not pale");
    }

    #[test]
    fn bars_rise_and_hang_from_the_line() {
        let blocks = [(0, Block { low: 0, width: 5 })];
        let line = BlockLine { blocks: &blocks, key_blocks: 0 };
        let value = |bit: u32| [4, 1, 0, -2, -8][bit as usize];
        let rows = (0..4).map(|row| text(&line.bars(value, 8, (row, 2), THEME)));
        assert_eq!(rows.collect::<Vec<_>>(), ["     ", "   ▄█", "█▀   ", "█    "]);
    }

    #[test]
    fn bits_stand_in_their_blocks_most_significant_first() {
        let layout = Layout::for_distance(64, 6, 3).unwrap();
        let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
        let line = BlockLine { blocks: &blocks, key_blocks: 0 };
        let fingerprint = Fingerprint::new(0x16f8_3b2f_9806_0aef, 64);
        let other = Fingerprint::new(0x16f8_7b2d_9806_0aee, 64);
        assert_eq!(
            text(&line.bits(&BitRow::new(fingerprint), THEME)),
            "···█·██·███│██·····███·│██··█·█████│··██·······│·██·····█·│█·███·████"
        );
        assert!(text(&line.ruler(&[], THEME)).starts_with("A┄┄┄┄┄┄┄┄┄┄│B┄"));
        let row = BitRow { other: Some(other), ..BitRow::new(fingerprint) };
        let shown = text(&line.bits(&row, THEME));
        // A differing 0 and a differing 1 are told apart, and from bits that agree, without colour.
        assert_eq!((shown.matches('○').count(), shown.matches('●').count()), (1, 2), "{shown}");
    }
}
