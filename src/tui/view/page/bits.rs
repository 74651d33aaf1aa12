//! One or two fingerprints in blocks: letters above, names before them, and words hung to single bits.

use std::ops::Range;

use ratatui::text::{Line, Span};

use crate::app::page::{Bits, NAME_GAP};
use crate::index::Block;
use crate::number::grouped;
use crate::sign;
use crate::simhash::Fingerprint;
use crate::tui::widget::bits::{BitRow, BlockLine};
use crate::tui::widget::canvas::{Canvas, clip};

pub(super) fn bits(bits: &Bits, has_digits: bool, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let cut = bits.cut(canvas.width());
    let blocks: Vec<(usize, Block)> = bits.blocks.iter().copied().enumerate().collect();
    // The first words have the rows that the bits leave.
    let least = *bits.rows(canvas.width()).start();
    let free = canvas.height().saturating_sub(least);
    // Where there is no room for all lines, the one with the cursor comes first.
    let has_cursor = |range: &Range<usize>| {
        let mut blocks = bits.blocks[range.clone()].iter();
        blocks.any(|block| bits.cursor.is_some_and(|bit| block.contains(bit)))
    };
    let first = cut.lines.iter().position(has_cursor).filter(|_| least > canvas.height());
    let x = 1 + cut.name + NAME_GAP;
    let mut y = 0;
    let name = |name: &str| Span::styled(clip(name, cut.name), theme.muted());
    let (n_lines, canvas_rows) = (cut.lines.len(), canvas.height());
    for range in cut.lines.into_iter().skip(first.unwrap_or(0)) {
        let row = BlockLine { blocks: &blocks[range], key_blocks: 0 };
        canvas.at(x, y, Line::from(row.ruler(&bits.names, theme)));
        for at in 0..bits.prints.len() {
            row.answer_to_clicks(x, y + 1 + at, canvas);
        }
        let mut draw = |y: usize, (of, print): &(String, Fingerprint), other, is_muted| {
            canvas.at(1, y, name(of));
            let print_row = BitRow { other, has_digits, is_muted, ..BitRow::new(*print) };
            let shown = Line::from(row.bits(&print_row, theme));
            let end = x + shown.width() + NAME_GAP;
            canvas.at(x, y, shown);
            if cut.has_hex {
                canvas.at(end, y, Span::styled(print.to_string(), theme.muted()));
            }
        };
        for (at, print) in bits.prints.iter().enumerate() {
            y += 1;
            draw(y, print, bits.prints.get(1 - at).map(|(_, other)| *other), false);
        }
        y += 1;
        // They end at the lower edge, so that they stand still when the words above them are others.
        let left = canvas_rows.saturating_sub(y + 2 + bits.hung.len().min(free));
        let n = bits.others.len().min(if n_lines == 1 { left } else { 0 });
        for (at, print) in bits.others.iter().enumerate().take(n) {
            let first = bits.prints.first().map(|(_, first)| *first);
            draw(canvas_rows - n + at, print, first, true);
        }
        if n > 0 {
            let [zero, one] = sign::OTHER;
            let all = bits.n_others;
            let which =
                if n < all { format!("{n} of {}", grouped(all as u64)) } else { "all".into() };
            let words =
                format!("{which} neighbours, {zero} {one} where they differ from the first text");
            canvas.at(x, canvas_rows - n - 1, Span::styled(words, theme.muted()));
        }
        if let Some(cursor) = bits.cursor {
            let pointer = if theme.0.ascii { '|' } else { '^' };
            let mark = |bit: u32| if bit == cursor { pointer } else { ' ' };
            canvas.at(x, y, row.marks(mark, theme.strong()));
            y += 1;
        }
        for (bit, words) in bits.hung.iter().take(free) {
            let Some((cell, _)) = row.places().find(|(_, at)| at == bit) else { continue };
            let (mark, words) = (sign::DIFFERS.to_string(), theme.line(words.clone()));
            let (x, cells) = (x + cell, words.width());
            canvas.at(x, y, Span::styled(mark, theme.differs()));
            if x + 2 + cells <= canvas.width() || (x < 1 + cells && x < canvas.width() / 2) {
                canvas.at(x + 2, y, words);
            } else {
                canvas.part(0, y, x - 1, 1).at(x.saturating_sub(1 + cells), 0, words);
            }
            y += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    use super::*;
    use crate::look::Look;
    use crate::tui::theme::Theme;

    fn block(width: u32, hung: &[u32]) -> Bits {
        let of = |bits, name: &str| (name.to_owned(), Fingerprint::new(bits, width));
        let quarter = width / 4;
        Bits {
            prints: vec![
                of(0xaf44_f712_3bf4_94dd, "invariants-only"),
                of(0xaf44_f716_3bf4_94dd, "no-invariants-only"),
            ],
            blocks: (0..4).rev().map(|at| Block { low: at * quarter, width: quarter }).collect(),
            hung: hung.iter().map(|&bit| (bit, format!("bit {bit}: as one says").into())).collect(),
            ..Bits::default()
        }
    }

    fn drawn(block: &Bits, width: u16, look: Look) -> Vec<String> {
        in_rows(block, width, *block.rows(width.into()).end() as u16, look)
    }

    fn in_rows(block: &Bits, width: u16, rows: u16, look: Look) -> Vec<String> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, rows));
        let mut canvas = Canvas::new(&mut buffer, Theme(look), None);
        bits(block, false, &mut canvas);
        canvas.in_ascii();
        let row = |y| (0..width).map(|x| buffer[(x, y)].symbol().to_owned()).collect::<String>();
        (0..rows).map(|y| row(y).trim_end().to_owned()).collect()
    }

    #[test]
    fn a_line_has_names_bits_and_hex() {
        let rows = drawn(&block(64, &[34]), 118, Look::PLAIN);
        assert!(rows[0].trim_start().starts_with("A┄┄┄┄"), "{rows:#?}");
        assert!(
            rows[1].starts_with(" invariants-only     █·█·████·█···█··│████·███···█·○█·│"),
            "{rows:#?}"
        );
        assert!(rows[1].ends_with("  af44f7123bf494dd"), "{rows:#?}");
        let at = rows[3].chars().position(|it| it == '▲').unwrap();
        assert_eq!(rows[2].chars().nth(at), Some('●'), "{rows:#?}");
        assert!(rows[3].ends_with("▲ bit 34: as one says"), "{rows:#?}");
    }

    #[test]
    fn others_stand_at_the_lower_edge_in_the_rows_that_are_left() {
        let mut two = block(64, &[34]);
        let other = |at: u32| (format!("other-{at}"), Fingerprint::new(0xaf44_f712_3bf4_94dc, 64));
        (two.others, two.n_others) = ((0..4).map(other).collect(), 4);
        for height in 4..12 {
            let rows = in_rows(&two, 118, height, Look::PLAIN);
            // Three rows of bits, one of words, an empty one and the heading.
            let n = usize::from(height).saturating_sub(6).min(4);
            let told = if n < 4 { format!("{n} of 4 neighbours") } else { "all neighbours".into() };
            assert_eq!(rows.iter().any(|row| row.contains(&told)), n > 0, "{rows:#?}");
            let shown: Vec<_> = rows.iter().filter(|row| row.contains("other-")).collect();
            assert_eq!(shown.len(), n, "{rows:#?}");
            assert!(shown.iter().all(|row| row.ends_with("·███·○  af44f7123bf494dc")), "{rows:#?}");
            assert!(n == 0 || rows.last().unwrap().contains("other-"), "{rows:#?}");
            assert!(rows.iter().any(|row| row.ends_with("bit 34: as one says")), "{rows:#?}");
        }
    }

    #[test]
    fn all_bits_and_words_show_at_every_width() {
        let ascii = Look { ascii: true, ..Look::PLAIN };
        for (width, look) in [(64, Look::PLAIN), (128, Look::PLAIN), (64, ascii), (128, ascii)] {
            for cells in 58..=200 {
                let rows = drawn(&block(width, &[0, 34, 63]), cells, look);
                let all = rows.concat();
                let said = ["bit 0: as one says", "bit 34: as one says", "bit 63: as one says"];
                assert!(said.iter().all(|it| all.contains(it)), "{cells} {rows:#?}");
                assert!(["A", "B", "C", "D"].iter().all(|it| all.contains(it)), "{rows:#?}");
                let marks = if look.ascii { ["o", "@"] } else { ["○", "●"] };
                assert!(marks.iter().all(|it| all.contains(it)), "{cells} {rows:#?}");
                assert!(
                    !rows.iter().any(|row| row.ends_with([sign::CUT, '~'])),
                    "{cells} {rows:#?}"
                );
            }
        }
    }
}
