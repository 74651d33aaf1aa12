//! Hashes on a large screen: the bits of an ordinary hash and of SimHash, one text below the other, and between them
//! the values of MinHash in which the texts agree.

use ratatui::text::Span;

use super::rows::{LABEL, bit_row, byte_ruler, bytes, lines, with_label};
use crate::{
    app::{
        App,
        screen::learn::hashes::{ComparedHashes, HIDDEN},
    },
    simhash::Fingerprint,
    text::visible,
    tui::widget::{
        bits::BlockLine,
        canvas::{Canvas, clip},
    },
};

/// Rows of the two texts and of MinHash, with a title and a blank row each; and those of a hash beside its bits.
const TEXTS_AND_VALUES: usize = 4 + 4;
const AROUND_BITS: usize = 3;
/// Rows of a line of bits: its ruler, both texts, and the marks of bits that differ.
const BITS: usize = 4;
/// Bits of an ordinary hash, and values of MinHash.
const WIDTH: u32 = 64;

/// Whether all of it fits, so that no page has to scroll.
pub(super) fn fits(app: &App, width: usize, height: usize) -> bool {
    let simhash = bytes(app.learn.playground.recipe.bits);
    let n_lines = lines(&bytes(WIDTH), width).len() + lines(&simhash, width).len();
    n_lines <= 3 && TEXTS_AND_VALUES + 2 * AROUND_BITS + BITS * n_lines <= height
}

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (play, lessons) = (&app.learn.playground, &app.learn.lessons);
    let hashes = ComparedHashes::new(play);
    let mut y = title(0, "two texts", canvas);
    for (name, text) in ["one", "two"].into_iter().zip(&play.texts) {
        let text = clip(&visible(text.value()), canvas.width().saturating_sub(LABEL + 1));
        canvas.row(y, with_label(name, vec![Span::raw(text)], canvas));
        y += 1;
    }
    y = title(y + 1, "an ordinary hash: shows whether texts are equal, nothing else", canvas);
    let usual = hashes.usual.map(|hash| Fingerprint::new(hash.into(), WIDTH));
    y = bits(y, usual, lessons.hides("hash.brittle"), canvas);
    y = said(y, hashes.usual_result(), lessons.hides("hash.brittle"), canvas);
    y = title(y + 1, "MinHash: the smallest hash of any feature, under 64 functions", canvas);
    let is_hidden = lessons.hides("hash.minhash");
    match &hashes.min {
        Some(min) => {
            if !is_hidden {
                values(y, &min.agree, canvas);
                y += 1;
            }
            y = said(y, min.result(), is_hidden, canvas);
        }
        None => y = said(y, "a text has no features".to_owned(), false, canvas),
    }
    let recipe = play.recipe.short();
    y = title(y + 1, &format!("SimHash: one bit for each direction, {recipe}"), canvas);
    let is_hidden = lessons.hides("distance");
    match &hashes.sim {
        Some(sim) => {
            y = bits(y, sim.fingerprints, is_hidden, canvas);
            said(y, sim.result(), is_hidden, canvas);
        }
        None => {
            said(y, "a text has no features".to_owned(), false, canvas);
        }
    }
}

fn title(y: usize, text: &str, canvas: &mut Canvas) -> usize {
    canvas.row(y, Span::styled(format!(" {text}"), canvas.theme.strong()));
    y + 1
}

/// The bits of both texts, with a mark under each bit that differs; the row after them.
fn bits(mut y: usize, of: [Fingerprint; 2], is_hidden: bool, canvas: &mut Canvas) -> usize {
    let theme = canvas.theme;
    let [one, two] = of;
    let blocks = bytes(one.width());
    for shown in lines(&blocks, canvas.width()) {
        let line = BlockLine { blocks: shown, key_blocks: 0, is_tinted: false };
        let row = |name, bits: Fingerprint, other, canvas: &Canvas| {
            let mut row = bit_row(name, &line, Some(bits), other, canvas);
            let hex = format!("  {bits}");
            if shown.len() == blocks.len() && row.width() + hex.len() < canvas.width() {
                row.push_span(Span::styled(hex, theme.muted()));
            }
            row
        };
        let ruler = byte_ruler(&line, one.width(), theme);
        canvas.row(y, with_label("", ruler, canvas));
        let other = Some(two).filter(|_| !is_hidden);
        canvas.row(y + 1, row("one", one, other, canvas));
        if is_hidden {
            canvas.row(y + 2, with_label("two", vec![Span::styled(HIDDEN, theme.muted())], canvas));
            y += BITS - 1;
        } else {
            canvas.row(y + 2, row("two", two, Some(one), canvas));
            let xor = line.xor(one.bits() ^ two.bits(), theme);
            canvas.row(y + 3, with_label("xor", xor, canvas));
            y += BITS;
        }
    }
    y
}

/// A cell for each value of MinHash: full where the texts agree.
fn values(y: usize, agree: &[bool], canvas: &mut Canvas) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let blocks = bytes(agree.len() as u32);
    let line = BlockLine { blocks: &blocks, key_blocks: 0, is_tinted: false };
    let sign = |bit: u32| {
        let agrees = agree[agree.len() - 1 - bit as usize];
        if agrees { (glyphs.one, theme.good()) } else { (glyphs.zero, theme.muted()) }
    };
    canvas.row(y, with_label("same", line.styled_signs(sign, theme), canvas));
}

/// Draws the result of the picture, or that it is hidden; the row after it.
fn said(y: usize, result: String, is_hidden: bool, canvas: &mut Canvas) -> usize {
    let result = if is_hidden { format!("? ({HIDDEN})") } else { result };
    let result = clip(&result, canvas.width().saturating_sub(LABEL + 1));
    canvas.row(y, with_label("", vec![Span::raw(result)], canvas));
    y + 1
}
