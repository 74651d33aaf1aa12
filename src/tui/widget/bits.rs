//! Fingerprints as the eye can read them: block by block, at a glance, and against each other.

use ratatui::{
    style::{Modifier, Style},
    text::{Line, Span},
};

use crate::{
    app::screen::docs::BitsMode,
    index::{Block, letter},
    simhash::{Fingerprint, Votes},
    tui::theme::Theme,
};

/// Bits whose margin is below this are weak: a small edit flips one in two of them.
pub const WEAK: f64 = 0.1;

/// A list of blocks on one line, with where the key ends.
#[derive(Clone, Copy, Debug)]
pub struct BlockLine<'a> {
    /// The blocks in the order they are drawn, each with its number in the layout.
    pub blocks: &'a [(usize, Block)],
    /// The number of blocks at the start of the line that belong to the key; a heavier line follows them.
    pub key_blocks: usize,
}

impl BlockLine<'_> {
    fn separator(&self, at: usize, theme: Theme) -> Option<char> {
        let glyphs = theme.glyphs();
        match at + 1 {
            next if next == self.blocks.len() => None,
            next if next == self.key_blocks => Some(glyphs.key),
            _ => Some(glyphs.block),
        }
    }

    /// `A┄┄┄│B┄┄┄`: the blocks' letters.
    pub fn ruler(&self, theme: Theme) -> Span<'static> {
        self.ruler_of(letter, theme)
    }

    /// The same with other names for the blocks, by their numbers.
    pub fn ruler_of(&self, name: impl Fn(usize) -> String, theme: Theme) -> Span<'static> {
        let mut text = String::new();
        for (at, (number, block)) in self.blocks.iter().enumerate() {
            let name = name(*number);
            let mut cells: String = name.chars().take(block.width as usize).collect();
            while cells.chars().count() < block.width as usize {
                cells.push(theme.glyphs().ruler);
            }
            text.push_str(&cells);
            text.extend(self.separator(at, theme));
        }
        Span::styled(text, theme.muted())
    }

    /// The bits; those that differ from `other` stand out.
    pub fn bits(
        &self,
        fingerprint: Fingerprint,
        other: Option<Fingerprint>,
        view: BitsMode,
        theme: Theme,
    ) -> Vec<Span<'static>> {
        let glyphs = theme.glyphs();
        let (one, zero) = match view {
            BitsMode::Glyphs => (glyphs.one, glyphs.zero),
            BitsMode::Digits => ('1', '0'),
        };
        self.cells(theme, |bit| {
            let glyph = if fingerprint.bit(bit) { one } else { zero };
            let differs = other.is_some_and(|other| other.bit(bit) != fingerprint.bit(bit));
            let style = if differs {
                theme.differs().add_modifier(Modifier::REVERSED)
            } else {
                theme.text()
            };
            (glyph, style)
        })
    }

    /// A mark under every bit in which the two differ.
    pub fn xor(&self, xor: u128, theme: Theme) -> Vec<Span<'static>> {
        let mark = theme.glyphs().differs;
        let mut spans = self.cells(theme, |bit| {
            if xor >> bit & 1 == 1 { (mark, theme.differs()) } else { (' ', theme.text()) }
        });
        // Only marks: the lines between blocks would drown them.
        for span in &mut spans {
            let separators = [theme.glyphs().block, theme.glyphs().key];
            if span.content.chars().count() == 1 && span.content.contains(separators) {
                *span = Span::raw(" ");
            }
        }
        spans
    }

    /// The margins of the bits: a bar for each, `!` where it is weak.
    pub fn margins(&self, votes: &Votes, theme: Theme) -> Vec<Span<'static>> {
        self.cells(theme, |bit| {
            let margin = votes.margin(bit);
            if margin < WEAK {
                return ('!', theme.warn());
            }
            // Margins of unlike texts spread like |N(0, 1)|: 2.4 fills the bar for all but 1 in 60.
            let eighth = (margin / 0.3) as usize;
            (theme.glyphs().eighths[eighth.min(7)], theme.text())
        })
    }

    /// One of `2 * rows` rows of signed bars: the upper half is above the line, the lower half hangs below
    /// it, and `most` fills either.
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
        let [half_up, whole, half_down] = theme.glyphs().halves;
        let half = if is_above { half_up } else { half_down };
        let glyph = |bit: u32| {
            let value = if is_above { value(bit) } else { -value(bit) };
            match (full * value.max(0) + most - 1) / most - before {
                ..=0 => ' ',
                1 => half,
                _ => whole,
            }
        };
        self.signs(glyph, theme.text(), theme)
    }

    /// A glyph for every bit, with lines between blocks.
    pub fn signs(
        &self,
        glyph: impl Fn(u32) -> char,
        style: Style,
        theme: Theme,
    ) -> Vec<Span<'static>> {
        self.cells(theme, |bit| (glyph(bit), style))
    }

    /// A glyph for every bit, without lines between blocks.
    pub fn marks(
        &self,
        glyph: impl Fn(u32) -> char,
        style: Style,
        theme: Theme,
    ) -> Vec<Span<'static>> {
        let mut text = String::new();
        for (at, (_, block)) in self.blocks.iter().enumerate() {
            text.extend((block.low..block.low + block.width).rev().map(&glyph));
            text.extend(self.separator(at, theme).map(|_| ' '));
        }
        vec![Span::styled(text, style)]
    }

    fn cells(&self, theme: Theme, cell: impl Fn(u32) -> (char, Style)) -> Vec<Span<'static>> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (at, (_, block)) in self.blocks.iter().enumerate() {
            let mut run = String::new();
            let mut run_style = theme.text();
            for bit in (block.low..block.low + block.width).rev() {
                let (glyph, style) = cell(bit);
                if style != run_style && !run.is_empty() {
                    spans.push(Span::styled(std::mem::take(&mut run), run_style));
                }
                run_style = style;
                run.push(glyph);
            }
            spans.push(Span::styled(run, run_style));
            if let Some(separator) = self.separator(at, theme) {
                spans.push(Span::styled(separator.to_string(), theme.muted()));
            }
        }
        spans
    }
}

/// A fingerprint at a glance: one quadrant glyph for each hex digit, between guards.
///
/// Near-duplicates look alike; blanks count, hence the guards. In ASCII the hex digits themselves.
pub fn print(fingerprint: Fingerprint, theme: Theme) -> String {
    const QUADRANTS: [char; 16] =
        [' ', '▗', '▖', '▄', '▝', '▐', '▞', '▟', '▘', '▚', '▌', '▙', '▀', '▜', '▛', '█'];
    let [left, right] = theme.glyphs().guards;
    let hex = fingerprint.to_string();
    if theme.ascii {
        return format!("{left}{hex}{right}");
    }
    let cells: String =
        hex.chars().map(|digit| QUADRANTS[digit.to_digit(16).unwrap_or(0) as usize]).collect();
    format!("{left}{cells}{right}")
}

/// A line of a label and spans.
pub fn labelled(label: &str, style: Style, spans: Vec<Span<'static>>) -> Line<'static> {
    let mut line = Line::from(Span::styled(label.to_owned(), style));
    line.extend(spans);
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Cut, Layout};

    const THEME: Theme = Theme { mono: true, ascii: false };

    fn text(spans: &[Span<'_>]) -> String {
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn the_print_is_the_mock_ups() {
        let fingerprint = Fingerprint::new(0x16f8_3b2f_9806_0aef, 64);
        assert_eq!(print(fingerprint, THEME), "▏▗▞█▘▄▙▖█▚▘ ▞ ▌▛█▕");
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
        let layout = Layout::for_distance(64, 6, 3, Cut::WideFirst).unwrap();
        let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
        let line = BlockLine { blocks: &blocks, key_blocks: 0 };
        let fingerprint = Fingerprint::new(0x16f8_3b2f_9806_0aef, 64);
        let other = Fingerprint::new(0x16f8_7b2d_9806_0aee, 64);
        assert_eq!(
            text(&line.bits(fingerprint, None, BitsMode::Glyphs, THEME)),
            "···█·██·███│██·····███·│██··█·█████│··██·······│·██·····█·│█·███·████"
        );
        assert_eq!(
            text(&line.xor(fingerprint.bits() ^ other.bits(), THEME)).trim_end(),
            "                  ▲             ▲                                   ▲"
        );
        assert!(line.ruler(THEME).content.starts_with("A┄┄┄┄┄┄┄┄┄┄│B┄"));
    }
}
