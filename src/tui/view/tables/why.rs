//! The reasons why a table finds the pair, or does not.

use super::summary::summary;
use crate::{
    app::App,
    index::letter,
    number::grouped,
    tui::widget::canvas::{Canvas, whole},
};

pub(super) fn why(app: &App, canvas: &mut Canvas) {
    // The pair is explained under the present layout, so the old table cannot show it.
    let Some(window) = app.tables.window.as_ref().filter(|_| !app.tables.lookup.is_running())
    else {
        return;
    };
    let layout = window.index.layout();
    let table = &layout.tables()[window.table];
    let mut paragraphs = vec![summary(app, layout, usize::MAX) + "."];
    let explanation = app.tables.explanation.as_ref();
    let outcome = explanation.and_then(|explanation| explanation.tables.get(window.table));
    if let Some((explanation, outcome)) = explanation.zip(outcome) {
        let key: Vec<String> = table.key_blocks.iter().copied().map(letter).collect();
        let key = key.join(" ");
        paragraphs.push(if explanation.distance == 0 {
            format!(
                "The key of table {:02} is {key}; the pair is one row, so it needs no comparison.",
                window.table + 1
            )
        } else if outcome.hit {
            format!("The key of table {:02} is {key}, where no bit differs, so both rows have the same key.", window.table + 1)
        } else {
            let damaged: Vec<String> = outcome.damaged.iter().copied().map(letter).collect();
            format!(
                "The key of table {:02} is {key}; a bit differs in {}, so the two rows have different keys.",
                window.table + 1,
                damaged.join(" ")
            )
        });
        if !layout.is_bands() {
            let guarantee = layout.guarantee();
            let sure = match explanation.distance {
                0 => "in every one",
                distance if distance <= guarantee => "at least one key is equal",
                _ => "a key is equal only by chance",
            };
            paragraphs.push(format!(
                "Every pair up to d = {guarantee} is a candidate in some table; at d = {} {sure}.",
                explanation.distance
            ));
        }
        let k = app.settings.k;
        if outcome.hit && explanation.distance > k {
            paragraphs.push(format!(
                "As a candidate the pair is compared, and rejected: d = {} > k = {k}.",
                explanation.distance
            ));
        }
    }
    let expected = window.n_rows as f64 / 2f64.powi(table.key_bits as i32);
    let expected =
        if expected < 0.01 { "less than 0.01".to_owned() } else { format!("{expected:.2}") };
    paragraphs.push(format!(
        "By chance a key of {} bits brings {expected} of {} rows; here it brings {}.",
        table.key_bits,
        grouped(window.n_rows as u64),
        grouped(window.matching.len() as u64),
    ));
    paragraphs.push(
        "The permutation never changes a distance: it only decides which rows are compared."
            .to_owned(),
    );
    let room = canvas.width().saturating_sub(2);
    for (y, row) in whole(&paragraphs, canvas.height(), room).into_iter().enumerate() {
        canvas.row(y, format!(" {row}"));
    }
}
