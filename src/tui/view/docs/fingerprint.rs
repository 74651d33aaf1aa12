//! The selected document's bits in blocks, each with its margin.

use ratatui::text::Line;

use crate::{
    app::wrap::wrap,
    app::{App, Screen, geometry::document_cells, layout::bit_lines, screen::docs::BitsMode},
    index::Block,
    number::counted,
    text::visible,
    tui::widget::{
        bits::{self, BitRow, BlockLine, labelled},
        canvas::Canvas,
    },
};

pub(super) fn titles(app: &App) -> (String, String) {
    let Some(document) = app.query() else { return (String::new(), String::new()) };
    let title = visible(app.analysis.corpus.id(document)).into_owned();
    let remark = match app.analysis.record(document) {
        None => String::new(),
        Some(record) => match record.fingerprint {
            None if record.unreadable => "could not be read".to_owned(),
            None => "no features, so no fingerprint".to_owned(),
            Some(fingerprint) => {
                let mut remark = format!(
                    "{} of {} bits set",
                    fingerprint.bits().count_ones(),
                    fingerprint.width()
                );
                if record.n_features > 0 {
                    remark += &format!(", {}", counted(u64::from(record.n_features), "feature"));
                }
                if record.n_ties > 0 {
                    remark += &format!(", {}", counted(u64::from(record.n_ties), "tie"));
                }
                if record.dominated {
                    remark += match record.n_features {
                        1 => ", it decides every bit",
                        _ => ", one outweighs the rest",
                    };
                }
                remark
            }
        },
    };
    (title, remark)
}

/// The selected document's bits in blocks, each line with its margins.
pub(super) fn fingerprint(app: &App, canvas: &mut Canvas, wide: bool) -> usize {
    let theme = canvas.theme;
    let Some(document) = app.query() else { return 0 };
    let layout = app.layout();
    let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
    let votes = app.open_votes();
    let mut y = 0;
    for range in
        bit_lines(layout.block_list(), document_cells(app.size, app.division(Screen::Docs)))
    {
        let line = BlockLine { blocks: &blocks[range], key_blocks: 0, is_tinted: true };
        canvas.row(y, labelled("     ", theme.muted(), line.ruler(theme)));
        if let Some(fingerprint) = app.analysis.fingerprint(document) {
            let row = BitRow { mode: app.docs.bits, votes, ..BitRow::new(fingerprint) };
            canvas.row(y + 1, labelled(" fp  ", theme.muted(), line.bits(&row, theme)));
            if wide {
                let digits = line.bits(&BitRow { mode: BitsMode::Digits, ..row }, theme);
                canvas.row(y + 2, labelled(" 0/1 ", theme.muted(), digits));
            }
        }
        y += if wide { 3 } else { 2 };
        if let Some(votes) = votes {
            canvas.row(y, labelled(" |V| ", theme.muted(), line.margins(votes, theme)));
        }
        y += 1;
    }
    y
}

pub(super) fn fingerprint_box(app: &App, canvas: &mut Canvas) {
    let (title, remark) = titles(app);
    let theme = canvas.theme;
    let mut inside = canvas.framed(&format!("fingerprint of {title}"), &remark);
    let below = fingerprint(app, &mut inside, true);
    let Some(document) = app.query() else { return };
    let Some(fingerprint) = app.analysis.fingerprint(document) else { return };
    let mut hex = Line::from(format!(" hex  {fingerprint}   pattern "));
    hex.extend(bits::pattern(fingerprint, app.layout().block_list(), theme));
    inside.row(below, hex);
    if let Some(votes) = app.open_votes() {
        let weak: Vec<String> = (0..votes.width())
            .rev()
            .filter(|&bit| votes.margin(bit) < bits::WEAK)
            .map(|bit| bit.to_string())
            .collect();
        let text = if weak.is_empty() {
            " no weak bits: the sum of votes of every bit is more than a tenth of ||w||".to_owned()
        } else {
            let list = weak.join(" ");
            format!(
                " ! weak bits {list}: |V| below a tenth of ||w||; near-duplicates differ here first"
            )
        };
        let room = inside.width().saturating_sub(1);
        for (y, row) in wrap(&text, room).into_iter().enumerate() {
            inside.row(below + 2 + y, Line::from(if y == 0 { row } else { format!("   {row}") }));
        }
    }
}
