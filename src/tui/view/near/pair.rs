//! The two fingerprints and their XOR, and what follows for blocks and tables.

use super::pair;
use crate::{
    app::{
        App,
        layout::{self, bit_lines},
        wrap::wrap,
    },
    evaluate::{angle, interval},
    index::{Block, letter},
    tui::widget::{
        bits::{BlockLine, labelled},
        canvas::Canvas,
    },
};

pub(super) fn bits_titles(app: &App) -> (String, String) {
    let Some((a, _, explanation)) = pair(app) else { return ("bits".to_owned(), String::new()) };
    let within = if explanation.distance <= app.settings.k { "within" } else { "beyond" };
    let distance = explanation.distance;
    let (low, high) = interval::cosine(distance, a.width());
    let remark = format!(
        "distance {distance} of {}, {within} k={}, cosine {low:.2} to {high:.2}",
        a.width(),
        app.settings.k
    );
    ("bits".to_owned(), remark)
}

/// Both fingerprints and a mark under each difference; returns the rows used.
pub(super) fn bits(app: &App, canvas: &mut Canvas) -> usize {
    let theme = canvas.theme;
    let Some((a, b, explanation)) = pair(app) else { return 0 };
    let layout = app.layout();
    let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
    let mut y = 0;
    for range in bit_lines(layout.block_list(), layout::bits_cells(app.size)) {
        let line = BlockLine { blocks: &blocks[range], key_blocks: 0 };
        canvas.row(y, labelled("     ", theme.muted(), vec![line.ruler(theme)]));
        canvas.row(
            y + 1,
            labelled(" one ", theme.muted(), line.bits(a, Some(b), app.docs.bits, theme)),
        );
        canvas.row(
            y + 2,
            labelled(" two ", theme.muted(), line.bits(b, Some(a), app.docs.bits, theme)),
        );
        canvas.row(y + 3, labelled(" xor ", theme.muted(), line.xor(explanation.xor, theme)));
        y += 4;
    }
    y
}

pub(super) fn pair_box(app: &App, canvas: &mut Canvas) {
    let y = bits(app, canvas) + 1;
    let Some((a, b, explanation)) = pair(app) else { return };
    let layout = app.layout();
    let off: Vec<String> = explanation
        .bits_off
        .iter()
        .enumerate()
        .map(|(block, off)| {
            if *off == 0 {
                format!("{} same", letter(block))
            } else {
                format!("{} {off} off", letter(block))
            }
        })
        .collect();
    let hits: Vec<String> = explanation
        .hits()
        .map(|table| format!("{:02} ({})", table + 1, layout.tables()[table].letters()))
        .collect();
    let n_tables = layout.tables().len();
    let caught = match hits.len() {
        0 => format!(
            "none of {n_tables}: every key holds a differing bit, so only a scan finds the pair"
        ),
        n if n <= 6 => format!("{n} of {n_tables} match: {}", hits.join(", ")),
        n => format!("{n} of {n_tables} match: {} ..", hits[..6].join(", ")),
    };
    let differing: Vec<String> = explanation.differing_bits().iter().map(u32::to_string).collect();
    let (low, high) = interval::cosine(explanation.distance, a.width());
    let estimate = angle::estimate(explanation.distance, a.width());
    let lines = [
        ("hex", format!("one {a}   two {b}")),
        (
            "bits",
            if differing.is_empty() {
                "none differ".to_owned()
            } else {
                format!("{} differ", differing.join(" "))
            },
        ),
        ("block", off.join("  ")),
        ("table", caught),
        (
            "cosine",
            format!(
                "about {estimate:.2}: {low:.2} to {high:.2} (95 %), if many features vote evenly"
            ),
        ),
    ];
    let mut y = y;
    for (label, text) in lines {
        for (at, row) in wrap(&text, canvas.width().saturating_sub(9)).into_iter().enumerate() {
            canvas.row(y, format!(" {:<6} {row}", if at == 0 { label } else { "" }));
            y += 1;
        }
    }
}
