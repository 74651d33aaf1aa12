//! The selected document's bits in blocks, each with its margin.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::wrap::wrap,
    app::{App, ClickTarget, geometry::document_cells, layout::bit_lines, screen::docs::BitsMode},
    index::{Block, letter},
    number::counted,
    simhash::Votes,
    text::visible,
    tui::widget::{
        bits::{self, BitRow, BlockLine, labelled},
        canvas::Canvas,
    },
};

/// The id of the selected document, and remarks on its fingerprint, the least important first.
pub(super) fn titles(app: &App) -> (String, Vec<String>) {
    let Some(document) = app.query() else { return (String::new(), Vec::new()) };
    let title = visible(app.analysis.corpus.id(document)).into_owned();
    let Some(record) = app.analysis.record(document) else { return (title, Vec::new()) };
    let Some(fingerprint) = record.fingerprint else {
        let why =
            if record.unreadable { "could not be read" } else { "no features, so no fingerprint" };
        return (title, vec![why.to_owned()]);
    };
    let set = fingerprint.bits().count_ones();
    let mut remarks = vec![format!("{set} of {} bits set", fingerprint.width())];
    if record.n_features > 0 {
        remarks.push(counted(u64::from(record.n_features), "feature"));
    }
    if record.n_ties > 0 {
        remarks.push(counted(u64::from(record.n_ties), "tie"));
    }
    if record.dominated {
        let one = match record.n_features {
            1 => "it decides every bit",
            _ => "one outweighs the rest",
        };
        remarks.push(one.to_owned());
    }
    (title, remarks)
}

/// The selected document's bits in blocks, each line with its margins.
pub(super) fn fingerprint(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let Some(document) = app.query() else { return };
    let layout = app.layout();
    let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
    let votes = app.open_votes();
    let lines = bit_lines(layout.block_list(), document_cells(app.size));
    for (y, range) in (0..).step_by(3).zip(lines) {
        let line = BlockLine { blocks: &blocks[range], key_blocks: 0, is_tinted: true };
        canvas.row(y, labelled("     ", theme.muted(), line.ruler(theme)));
        if let Some(fingerprint) = app.analysis.fingerprint(document) {
            let row = BitRow { mode: app.docs.bits, votes, ..BitRow::new(fingerprint) };
            canvas.row(y + 1, labelled(" fp  ", theme.muted(), line.bits(&row, theme)));
            line.answer_to_clicks(5, y + 1, canvas);
        }
        if let Some(votes) = votes {
            canvas.row(y + 2, labelled(" |V| ", theme.muted(), line.margins(votes, theme)));
        }
    }
}

/// The selected document's bits in a box: a row for each block with its letter and its hex digits, and below it a mark
/// under each weak bit where there is room.
pub(super) fn fingerprint_box(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (_, remarks) = titles(app);
    let mut inside = canvas.framed("fingerprint", &fitting(&remarks, canvas.width()));
    let fingerprint = app.query().and_then(|document| app.analysis.fingerprint(document));
    let Some(fingerprint) = fingerprint else { return };
    let layout = app.layout();
    let votes = app.open_votes();
    let n_blocks = layout.block_list().len();
    let room = inside.height().saturating_sub(2);
    let each = if 2 * n_blocks <= room { 2 } else { 1 };
    let row = BitRow { mode: app.docs.bits, votes, ..BitRow::new(fingerprint) };
    for (number, &block) in layout.block_list().iter().enumerate().take(room / each) {
        let digits = block.width.div_ceil(4) as usize;
        let has_digits = block.width as usize + digits + 4 <= inside.width();
        let cells = if 2 * block.width as usize + digits + 4 <= inside.width() { 2 } else { 1 };
        let blocks = [(number, block)];
        let line = BlockLine { blocks: &blocks, key_blocks: 0, is_tinted: true };
        let y = number * each;
        let mut bits = labelled(&format!(" {} ", letter(number)), theme.block(number), Vec::new());
        bits.extend(stretched(line.bits(&row, theme), cells, app.docs.bits));
        if has_digits {
            let value = fingerprint.bits() >> block.low & (u128::MAX >> (u128::BITS - block.width));
            bits.push_span(Span::styled(format!(" {value:0digits$x}"), theme.muted()));
        }
        inside.row(y, bits);
        for (cell, bit) in line.places() {
            inside.target(3 + cell * cells, y, cells, ClickTarget::Bit(bit));
        }
        if let Some(votes) = votes.filter(|_| each == 2) {
            let weak = |bit| if votes.margin(bit) < bits::WEAK { '!' } else { ' ' };
            let marks = line.marks(weak, theme.warn(), theme);
            let marks = stretched(marks, cells, BitsMode::Glyphs);
            inside.row(y + 1, labelled("   ", theme.muted(), marks));
        }
    }
    let hidden = n_blocks.saturating_sub(room / each);
    let (y, width) = (room.min(n_blocks * each), inside.width().saturating_sub(1));
    let below = match (hidden, votes) {
        (0, None) => return,
        (0, Some(votes)) => weak_bits(votes),
        (hidden, _) => format!("and {}; v shows all bits", counted(hidden as u64, "more block")),
    };
    for (at, text) in wrap(&below, width).into_iter().take(2).enumerate() {
        inside.row(y + at, Span::styled(format!(" {text}"), theme.muted()));
    }
}

/// A sentence about the weak bits.
fn weak_bits(votes: &Votes) -> String {
    let weak: Vec<u32> =
        (0..votes.width()).rev().filter(|&bit| votes.margin(bit) < bits::WEAK).collect();
    match &weak[..] {
        [] => "no weak bits: every |V| is more than a tenth of ||w||".to_owned(),
        [bit] => format!("! bit {bit} is weak: near-duplicates differ here first"),
        all => format!("! {} weak bits: near-duplicates differ here first", all.len()),
    }
}

/// The last of these remarks, as many as fit into the frame of a box of `cells`.
fn fitting(remarks: &[String], cells: usize) -> String {
    let of = |from: usize| remarks[from..].join(", ");
    let fits = |from: &usize| of(*from).width() + "fingerprint".len() + 8 <= cells;
    of((0..remarks.len()).find(fits).unwrap_or(remarks.len()))
}

/// The same with two cells for each bit: a glyph twice, or a digit and a blank.
fn stretched(spans: Vec<Span<'static>>, cells: usize, mode: BitsMode) -> Vec<Span<'static>> {
    if cells == 1 {
        return spans;
    }
    let both = |glyph: char| match mode {
        BitsMode::Glyphs => [glyph, glyph],
        BitsMode::Digits => [glyph, ' '],
    };
    let wide = |span: Span<'static>| {
        Span::styled(span.content.chars().flat_map(both).collect::<String>(), span.style)
    };
    spans.into_iter().map(wide).collect()
}
