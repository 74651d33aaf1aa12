//! The list of neighbours, and the line below which nothing is guaranteed.

use ratatui::text::{Line, Span};

use super::selected::query_id;
use crate::{
    app::{App, layout::SizeClass},
    id::DocId,
    index::{Layout, letter},
    simhash::Fingerprint,
    tui::{
        theme::Theme,
        view::{name, similar, twins},
        widget::canvas::Canvas,
    },
};

/// Blocks drawn in a row of the list, at most.
const MOST_BLOCKS: usize = 23;

pub(super) fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let width = canvas.width();
    let layout = app.layout();
    let blocks = layout.block_list().len();
    let small = width < 60;
    let spelled = width >= 78 && blocks <= 8;
    let off = if small {
        0
    } else if spelled {
        blocks * 3
    } else {
        blocks.min(MOST_BLOCKS + 1)
    };
    let id = width.saturating_sub(1 + 4 + 2 + 7 + usize::from(!small) * 17 + off + 2);
    let title = if app.size.shape() == SizeClass::Wide || small {
        "document".to_owned()
    } else {
        let corpus = &app.analysis.corpus;
        let whose = match (app.has_reference(), app.near.query) {
            (true, Some(query)) if corpus.is_reference(query) => " in the first corpus",
            (true, _) => " in the reference",
            (false, _) => "",
        };
        format!("neighbours{whose} of {}", query_id(app))
    };
    let mut header = format!(" {}{:>4}  {:>7}", name::header(&title, id), "d", "cosine");
    if !small {
        let tokens = app.analysis.settings.recipe.features.tokens_short();
        header += &format!("{tokens:>7}{:>10}", "tables");
    }
    if spelled {
        header += if blocks >= 6 { "  bits off per block" } else { "  bits off" };
    } else if off > 0 {
        header += "  ";
        header += &layout
            .block_list()
            .iter()
            .enumerate()
            .take(off)
            .map(|(at, _)| letter(at).chars().next().unwrap_or('?'))
            .collect::<String>();
    }
    canvas.row(0, Span::styled(header, theme.muted()));

    let Some(query) = app.near.query else {
        canvas.row(1, "  no document is selected");
        return;
    };
    let known = app.analysis.fingerprint(query).filter(|_| app.analysis.index.is_some());
    let Some(fingerprint) = known else {
        canvas.row(1, format!("  {}", why_no_neighbours(app, query)));
        return;
    };
    if app.near.neighbours.is_empty() {
        let looking = app.near.listing.is_running();
        let why = if looking { "looking .." } else { "no other document has a fingerprint" };
        canvas.row(1, format!("  {why}"));
        return;
    }
    let columns = Columns { id, small, spelled, off };
    let rule = app.near_rule();
    let height = canvas.height();
    let n_listed = app.near.neighbours.len();
    let mut y = 1;
    // If the line below k is not on the screen, there is room for one more neighbour.
    for at in app.near.cursor.window(n_listed, height.saturating_sub(1)) {
        if Some(at) == rule && y < height {
            beyond(app, &layout, canvas, y);
            y += 1;
        }
        if y >= height {
            break;
        }
        let line = neighbour_row(app, &layout, at, fingerprint, &columns, theme);
        canvas.row(y, line);
        if at == app.near.cursor.selected {
            canvas.style_row(y, theme.selected());
        }
        y += 1;
    }
}

/// The columns of the list, and the width of the id's.
struct Columns {
    id: usize,
    small: bool,
    spelled: bool,
    off: usize,
}

fn neighbour_row(
    app: &App,
    layout: &Layout,
    at: usize,
    fingerprint: Fingerprint,
    columns: &Columns,
    theme: Theme,
) -> Line<'static> {
    let neighbour = app.near.neighbours[at];
    let other = app.analysis.fingerprint(neighbour.document);
    let xor = other.map_or(0, |other| fingerprint.bits() ^ other.bits());
    let mark = if at == app.near.cursor.selected { theme.glyphs().cursor } else { ' ' };
    let held = app.near.held == Some(neighbour.document);
    let held = if held { format!("{} ", theme.glyphs().partner) } else { String::new() };
    let marked = app.review.rule.marks.get(neighbour.document);
    let marked = marked.map_or_else(String::new, |mark| format!("{}* ", mark.name()));
    let name = name::name(app, neighbour.document, &(held + &marked), columns.id);
    let twin = app.near.query.and_then(|query| app.analysis.twins(query, neighbour.document));
    let twin = match twin {
        _ if are_no_duplicates(app, neighbour.document) => theme.glyphs().unlike,
        Some(twin) => twins::mark(twin, theme),
        None => ' ',
    };
    let cosine = similar::cosine(app, app.near.query, neighbour.document, theme);
    let mut row = format!("{mark}{name}{:>4} {twin}{cosine:>7}", neighbour.distance);
    if !columns.small {
        let tokens = |document| {
            let carried = app.analysis.corpus.flags(document).is_fingerprint_only();
            app.analysis.record(document).filter(|_| !carried).map(|record| record.n_tokens)
        };
        let both = tokens(neighbour.document).zip(app.near.query.and_then(tokens));
        row += &match both {
            Some((there, here)) => format!("{:>+7}", i64::from(there) - i64::from(here)),
            None => format!("{:>7}", theme.glyphs().none),
        };
        let hits = format!("{}/{}", layout.tables_hit(xor).count(), layout.tables().len());
        row += &format!("{hits:>10}");
    }
    let mut line = Line::from(row);
    if columns.off > 0 {
        line.push_span(Span::raw("  "));
        line.extend(blocks_off(&layout.bits_off_per_block(xor), columns.spelled, theme));
    }
    line
}

/// Whether a neighbour is marked as no duplicate of the query.
pub(super) fn are_no_duplicates(app: &App, neighbour: DocId) -> bool {
    let marks = &app.review.rule.marks;
    app.near.query.is_some_and(|query| marks.are_not_duplicates(query, neighbour))
}

/// The reason why a document has no neighbours to list.
fn why_no_neighbours(app: &App, query: DocId) -> &'static str {
    let record = app.analysis.record(query);
    if app.analysis.index.is_none() && app.running.is_none() {
        "the work was stopped before the tables were there; + or - goes on"
    } else if app.analysis.index.is_none() || record.is_none() {
        "neighbours come when all documents are fingerprinted .."
    } else if record.is_some_and(|record| record.unreadable) {
        "this document could not be read, so it has no fingerprint; ! says why"
    } else {
        "this text has no features, so it has no fingerprint and no neighbours"
    }
}

/// The line below which nothing is guaranteed.
fn beyond(app: &App, layout: &Layout, canvas: &mut Canvas, y: usize) {
    let ruler = canvas.theme.glyphs().ruler.to_string();
    let sure = app.sure_distance();
    let edge = if layout.guarantees(app.settings.k) { "k" } else { "d" };
    let text = match (app.near.n_within(sure), canvas.width() < 70) {
        (0, true) => format!("nothing within {edge} = {sure}"),
        (0, false) => {
            format!("nothing within {edge} = {sure}; the rows below come from a full scan")
        }
        (_, true) => format!("{edge} = {sure}; below: by full scan"),
        (_, false) => {
            format!(
                "{edge} = {sure}: the tables find all above; the rows below come from a full scan"
            )
        }
    };
    let rest = canvas.width().saturating_sub(text.len() + 6);
    let line = format!(" {} {text} {}", ruler.repeat(3), ruler.repeat(rest));
    canvas.row(y, Span::styled(line, canvas.theme.muted()));
}

/// Differing bits in each block: `A= B1` spelled, `·1` otherwise; more than nine are `+`.
fn blocks_off(bits_off: &[u32], spelled: bool, theme: Theme) -> Vec<Span<'static>> {
    let none = theme.glyphs().none;
    let cell = |(block, &off): (usize, &u32)| {
        let digit = match off {
            0 if spelled => "=".to_owned(),
            0 => none.to_string(),
            1..=9 => off.to_string(),
            _ => "+".to_owned(),
        };
        let text = if spelled { format!("{}{digit} ", letter(block)) } else { digit };
        Span::styled(text, if off == 0 { theme.text() } else { theme.differs() })
    };
    let mut cells: Vec<Span<'static>> =
        bits_off.iter().enumerate().take(MOST_BLOCKS).map(cell).collect();
    if bits_off.len() > MOST_BLOCKS {
        cells.push(Span::styled("~", theme.muted()));
    }
    cells
}
