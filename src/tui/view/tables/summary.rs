//! The pair and the tables in one sentence.

use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::App,
    index::{Layout, letter},
};

/// The differing blocks and the tables that still find the pair, in one line; in fewer words where the line has fewer
/// than `cells`.
pub(super) fn summary(app: &App, layout: &Layout, cells: usize) -> String {
    let whole = in_words(app, layout);
    if whole.width() <= cells {
        return whole;
    }
    // The blocks are named in the rows of the tables, too.
    match (whole.split_once(": "), whole.starts_with("bits")) {
        (Some((blocks, tables)), true) => {
            let blocks = blocks.trim_start_matches("bits differ in ");
            format!("{blocks}: {tables}")
        }
        (Some((_, tables)), false) => tables.to_owned(),
        (None, _) => whole,
    }
}

fn in_words(app: &App, layout: &Layout) -> String {
    let Some(explanation) = &app.tables.explanation else {
        if app.near.listing.is_running() {
            return "searching for neighbours ..".to_owned();
        }
        return format!(
            "no neighbour within {} bits: the tables show the document alone",
            app.near.reach
        );
    };
    let n_tables = layout.tables().len();
    let n_hits = explanation.hits().count();
    let damaged: Vec<String> = explanation.differing_blocks().into_iter().map(letter).collect();
    if damaged.is_empty() {
        let all = if n_tables == 1 {
            "the only table matches".to_owned()
        } else {
            format!("all {n_tables} tables match")
        };
        return format!("equal fingerprints share row Q: no block differs, {all}");
    }
    let blocks = if damaged.len() == 1 { "block" } else { "blocks" };
    let list = damaged.join(" ");
    if n_hits == 0 {
        format!("bits differ in {blocks} {list}: every key contains one of them, no table matches")
    } else {
        let avoid = if n_hits == 1 { "avoids" } else { "avoid" };
        format!("bits differ in {blocks} {list}: {n_hits} of {n_tables} keys {avoid} them")
    }
}
