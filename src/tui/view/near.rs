//! The Near screen: neighbours, the two fingerprints, and the two texts.

use ratatui::text::{Line, Span};

use crate::{
    app::wrap::wrap,
    app::{
        App,
        comparison::{DiffRow, Run},
        layout::{self, NEAR_LIST, Shape, bit_lines},
    },
    evaluate::{angle, interval},
    explain::PairExplanation,
    id::DocId,
    index::{Block, Layout, letter},
    number::{counted, grouped},
    simhash::Fingerprint,
    text::visible,
    tui::{
        theme::Theme,
        widget::{
            bits::{BlockLine, labelled},
            canvas::{Canvas, fit, fit_id},
        },
    },
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let rows = app.near_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let shape = app.size.shape();
    if shape == Shape::Wide {
        let upper = rows.list + 4;
        let title = format!("neighbours of {}", query_id(app));
        list(app, &mut canvas.part(0, 0, NEAR_LIST, upper).framed(&title, ""));
        let (title, remark) = bits_titles(app);
        pair_box(
            app,
            &mut canvas.part(NEAR_LIST, 0, width - NEAR_LIST, upper).framed(&title, &remark),
        );
        let (title, remark) = text_titles(app);
        text(app, &mut canvas.part(0, upper, width, height - upper).framed(&title, &remark));
        return;
    }
    list(app, &mut canvas.part(0, 0, width, rows.list + 2));
    let mut y = rows.list + 2;
    if shape >= Shape::Standard {
        let (title, remark) = bits_titles(app);
        canvas.rule(y, &title, &remark);
        bits(app, &mut canvas.part(0, y + 1, width, rows.bits));
        y += 1 + rows.bits;
    }
    let (title, remark) = text_titles(app);
    canvas.rule(y, &title, &remark);
    text(app, &mut canvas.part(0, y + 1, width, height.saturating_sub(y + 1)));
}

fn query_id(app: &App) -> String {
    app.near
        .query
        .map_or_else(String::new, |query| visible(app.analysis.corpus.id(query)).into_owned())
}

fn list(app: &App, canvas: &mut Canvas) {
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
        blocks.min(24)
    };
    let id = width.saturating_sub(1 + 4 + usize::from(!small) * 7 + 10 + off + 2);
    let title = if app.size.shape() == Shape::Wide || small {
        "document".to_owned()
    } else {
        format!("neighbours of {}", query_id(app))
    };
    let mut header = format!(" {}{:>4}", fit(&title, id), "d");
    if !small {
        header += &format!("{:>7}", app.analysis.settings.recipe.features.tokens_short());
    }
    header += &format!("{:>10}", "tables");
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
    let known = app.analysis.fingerprint(query).filter(|_| app.analysis.shelf.is_some());
    let Some(fingerprint) = known else {
        canvas.row(1, format!("  {}", why_no_neighbours(app, query)));
        return;
    };
    if app.near.neighbours.is_empty() {
        canvas.row(1, "  no other document has a fingerprint");
        return;
    }
    let columns = Columns { id, small, spelled, off };
    let rule = app.near_rule();
    let height = canvas.height();
    let n_listed = app.near.neighbours.len();
    let mut y = 1;
    let mut shown = 0;
    // Where the line below k is not on the screen, one more neighbour is.
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
        shown = at + 1;
        y += 1;
    }
    let n_below = n_listed - shown + app.near.n_hidden;
    if n_below > 0 {
        let more = format!("{}{}", theme.glyphs().more, grouped(n_below as u64));
        canvas.right(0, Span::styled(more, theme.muted()));
    }
}

/// Which columns the list has, and how wide the id's is.
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
    let name = visible(app.analysis.corpus.id(neighbour.document)).into_owned();
    let mut row = format!("{mark}{}{:>4}", fit_id(&name, columns.id), neighbour.distance);
    if !columns.small {
        let tokens = |document| {
            let carried = app.analysis.corpus.flags(document).is_fingerprint_only();
            app.analysis.sketch(document).filter(|_| !carried).map(|sketch| sketch.n_tokens)
        };
        let both = tokens(neighbour.document).zip(app.near.query.and_then(tokens));
        row += &match both {
            Some((there, here)) => format!("{:>+7}", i64::from(there) - i64::from(here)),
            None => format!("{:>7}", theme.glyphs().none),
        };
    }
    let hits = format!("{}/{}", layout.tables_hit(xor).count(), layout.tables().len());
    row += &format!("{hits:>10}");
    let mut line = Line::from(row);
    if columns.off > 0 {
        line.push_span(Span::raw("  "));
        line.extend(blocks_off(&layout.bits_off_per_block(xor), columns.spelled, theme));
    }
    line
}

/// Why a document has no neighbours to list.
fn why_no_neighbours(app: &App, query: DocId) -> &'static str {
    let sketch = app.analysis.sketch(query);
    if app.analysis.shelf.is_none() || sketch.is_none() {
        "neighbours come when all documents are fingerprinted .."
    } else if sketch.is_some_and(|sketch| sketch.unreadable) {
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
    let text = if canvas.width() < 70 {
        format!("{edge} = {sure}; below: not guaranteed")
    } else {
        format!("{edge} = {sure}; below: by full scan, the tables guarantee nothing")
    };
    let rest = canvas.width().saturating_sub(text.len() + 6);
    let line = format!(" {} {text} {}", ruler.repeat(3), ruler.repeat(rest));
    canvas.row(y, Span::styled(line, canvas.theme.muted()));
}

/// Differing bits in each block: `A= B1` spelled, `·1` otherwise.
fn blocks_off(bits_off: &[u32], spelled: bool, theme: Theme) -> Vec<Span<'static>> {
    let none = theme.glyphs().none;
    let cell = |(block, &off): (usize, &u32)| {
        let text = match (spelled, off) {
            (true, 0) => format!("{}= ", letter(block)),
            (true, _) => format!("{}{off} ", letter(block)),
            (false, 0) => none.to_string(),
            (false, 1..=9) => off.to_string(),
            (false, _) => "+".to_owned(),
        };
        Span::styled(text, if off == 0 { theme.text() } else { theme.differs() })
    };
    bits_off.iter().enumerate().map(cell).collect()
}

fn pair(app: &App) -> Option<(Fingerprint, Fingerprint, PairExplanation)> {
    let (query, neighbour) = app.near.pair()?;
    let (a, b) = (app.analysis.fingerprint(query)?, app.analysis.fingerprint(neighbour.document)?);
    Some((a, b, PairExplanation::new(a, b, &app.layout())))
}

fn bits_titles(app: &App) -> (String, String) {
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
fn bits(app: &App, canvas: &mut Canvas) -> usize {
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

fn pair_box(app: &App, canvas: &mut Canvas) {
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

fn text_titles(app: &App) -> (String, String) {
    let Some((query, neighbour)) = app.near.pair() else {
        return ("text".to_owned(), String::new());
    };
    let id = |document| visible(app.analysis.corpus.id(document)).into_owned();
    let title = if app.is_side_by_side() {
        format!("{} | {}", id(query), id(neighbour.document))
    } else {
        "text".to_owned()
    };
    let Some(comparison) = &app.near.comparison else { return (title, String::new()) };
    let Some(diff) = &comparison.diff else { return (title, String::new()) };
    let mut remark = if diff.n_edits() == 0 {
        "the same words".to_owned()
    } else {
        let edits = counted(diff.n_edits() as u64, "edit");
        // Rounded down: 100 % is for equal words alone.
        let of = if comparison.clipped { " of the first 256 kB" } else { "" };
        format!("{edits}, {:.0}% of words shared{of}", (diff.shared() * 100.0).floor())
    };
    let (n_rows, height) = (app.near.rows.len(), app.near_layout().text);
    if n_rows > height {
        let last = (app.near.text_top + height).min(n_rows);
        let cut = if comparison.clipped { "+" } else { "" };
        remark += &format!(", rows {}-{last} of {n_rows}{cut}", app.near.text_top + 1);
    }
    (title, remark)
}

fn text(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let Some(comparison) = &app.near.comparison else {
        if let Some(problem) = &app.near.unreadable {
            canvas.row(0, Span::styled(format!(" {problem}"), theme.warn()));
        } else if app.near.pair().is_some() {
            canvas.row(0, Span::styled(" ..", theme.muted()));
        }
        return;
    };
    if comparison.diff.is_none() {
        canvas.row(
            0,
            Span::styled(
                " a fingerprint without its text cannot be compared word by word",
                theme.muted(),
            ),
        );
        return;
    }
    let rows = &app.near.rows;
    let height = canvas.height();
    let top = app.near.text_top.min(rows.len().saturating_sub(1));
    for (y, row) in rows.iter().skip(top).take(height).enumerate() {
        canvas.row(y, text_row(app, row, theme));
    }
}

fn text_row(app: &App, row: &DiffRow, theme: Theme) -> Line<'static> {
    let mut line = Line::from(if row.changed { "~ " } else { "  " });
    let run = |run: &Run, style| {
        Span::styled(run.text.clone(), if run.changed { style } else { theme.text() })
    };
    line.extend(row.left.iter().map(|part| run(part, theme.left_only())));
    if app.is_side_by_side() {
        let column = app.text_column();
        let used = line.width().saturating_sub(2);
        line.push_span(Span::raw(" ".repeat(column.saturating_sub(used))));
        let gutter = if row.changed { theme.glyphs().unlike } else { theme.glyphs().like };
        line.push_span(Span::styled(format!("{gutter} "), theme.muted()));
        line.extend(row.right.iter().map(|part| run(part, theme.right_only())));
    }
    line
}
