//! The Tables screen: every table's verdict on the pair, the sorted window, and the search into it.

use ratatui::text::{Line, Span};

use crate::{
    app::wrap::wrap,
    app::{
        App,
        layout::{SEARCH_BOX, Shape, TABLE_LIST, bit_lines, grid_cell, table_cells},
        screen::tables::TableWindow,
    },
    explain::PairExplanation,
    index::{Block, Layout, Step, TableLayout, WindowEnd, letter},
    number::{counted, grouped},
    text::visible,
    tui::widget::{
        bits::BlockLine,
        canvas::{Canvas, clip, fit},
    },
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let layout = app.layout();
    let (width, height) = (canvas.width(), canvas.height());
    let rows = app.tables_layout();
    if app.analysis.shelf.is_none() {
        canvas.row(0, "  the tables come when all documents are fingerprinted ..");
        return;
    }
    if app.near.query.is_none_or(|query| app.analysis.fingerprint(query).is_none()) {
        canvas.row(0, "  this text has no features, so it stands in no table");
        return;
    }
    match app.size.shape() {
        Shape::Wide => {
            let lower = rows.search + 2;
            let upper = height.saturating_sub(lower);
            let name = format!("tables: {}", layout.describe());
            list(app, &layout, &mut canvas.part(0, 0, TABLE_LIST, upper).framed(&name, &hits(app)));
            let (title, remark) = window_titles(app, &layout);
            window(
                app,
                &layout,
                &mut canvas.part(TABLE_LIST, 0, width - TABLE_LIST, upper).framed(&title, &remark),
            );
            let (title, remark) = search_titles(app);
            search(app, &mut canvas.part(0, upper, SEARCH_BOX, lower).framed(&title, &remark));
            let title = format!("why table {:02}", app.tables.table.selected + 1);
            why(
                app,
                &layout,
                &mut canvas.part(SEARCH_BOX, upper, width - SEARCH_BOX, lower).framed(&title, ""),
            );
        }
        shape => {
            canvas.row(0, Span::raw(clip(&format!(" {}", summary(app, &layout)), width)));
            grid(app, &layout, rows.columns, &mut canvas.part(0, 1, width, rows.grid));
            let y = 1 + rows.grid;
            let (title, remark) = window_titles(app, &layout);
            canvas.rule(y, &title, &remark);
            if shape == Shape::Small {
                window(
                    app,
                    &layout,
                    &mut canvas.part(0, y + 1, width, height.saturating_sub(y + 1)),
                );
                return;
            }
            let ruled = if shape == Shape::Standard { 2 } else { 1 };
            window(
                app,
                &layout,
                &mut canvas.part(0, y + 1, width, height.saturating_sub(y + 1 + ruled)),
            );
            if shape == Shape::Standard {
                let (title, remark) = search_titles(app);
                canvas.rule(height - 2, &title, &remark);
            }
            search_line(app, &mut canvas.part(0, height - 1, width, 1));
        }
    }
}

fn hits(app: &App) -> String {
    match &app.tables.explanation {
        Some(explanation) => {
            format!(
                "{} of {}",
                counted(explanation.hits().count() as u64, "hit"),
                explanation.tables.len()
            )
        }
        None => "no pair".to_owned(),
    }
}

/// Which blocks are damaged and what follows for the tables, in one line.
fn summary(app: &App, layout: &Layout) -> String {
    let Some(explanation) = &app.tables.explanation else {
        return format!(
            "no neighbour within {} bits: the tables around the document alone",
            app.near.reach
        );
    };
    let n_tables = layout.tables().len();
    let n_hits = explanation.hits().count();
    let damaged: Vec<String> = explanation.damaged_blocks().into_iter().map(letter).collect();
    if damaged.is_empty() {
        let all = if n_tables == 1 {
            "the only table matches".to_owned()
        } else {
            format!("all {n_tables} tables match")
        };
        return format!("equal fingerprints: no block is damaged, {all}");
    }
    let blocks = if damaged.len() == 1 { "block" } else { "blocks" };
    let list = damaged.join(" ");
    if n_hits == 0 {
        format!("bits differ in {blocks} {list}: every key holds one of them, no table matches")
    } else {
        format!("bits differ in {blocks} {list}: {n_hits} of {n_tables} keys avoid them")
    }
}

/// What a table makes of the pair: `HIT`, or the damaged blocks of its key.
fn verdict(explanation: Option<&PairExplanation>, table: usize) -> (String, bool) {
    match explanation.map(|explanation| &explanation.tables[table]) {
        None => (String::new(), false),
        Some(outcome) if outcome.hit => ("HIT".to_owned(), true),
        Some(outcome) => {
            let damaged: String =
                outcome.damaged.iter().map(|&block| letter(block).to_lowercase()).collect();
            (format!("x {damaged}"), false)
        }
    }
}

/// `A··DE·`: the key's blocks in their places.
fn key_pattern(table: &TableLayout, n_blocks: usize, none: char) -> String {
    (0..n_blocks)
        .map(|block| {
            let name = letter(block);
            if table.key_blocks.contains(&block) {
                name.chars().next().unwrap_or(none)
            } else {
                none
            }
        })
        .collect()
}

/// The tables in columns, filled from the top.
fn grid(app: &App, layout: &Layout, columns: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let n_blocks = layout.block_list().len();
    let cell = grid_cell(n_blocks);
    let height = canvas.height().max(1);
    let page = height * columns;
    let selected = app.tables.table.selected;
    let first = selected - selected % page.max(1);
    for table in first..(first + page).min(layout.tables().len()) {
        let (x, y) = ((table - first) / height * cell, (table - first) % height);
        let (verdict, hit) = verdict(app.tables.explanation.as_ref(), table);
        let mark = if table == selected { theme.glyphs().cursor } else { ' ' };
        let pattern = key_pattern(&layout.tables()[table], n_blocks, theme.glyphs().none);
        let name = format!("{mark}{:02} {pattern} ", table + 1);
        let style = if table == selected { theme.selected() } else { theme.text() };
        let verdict_style = if hit { theme.good() } else { theme.text() };
        let room = cell.saturating_sub(name.chars().count() + 1);
        let line = Line::from(vec![
            Span::styled(name, style),
            Span::styled(clip(&verdict, room), verdict_style),
        ]);
        canvas.at(x, y, line);
    }
}

/// The tables as a list with their blocks drawn.
fn list(app: &App, layout: &Layout, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let n_blocks = layout.block_list().len();
    let drawn = n_blocks <= 6;
    let mut header = "  #  key  ".to_owned();
    for (at, block) in layout.block_list().iter().enumerate().take(if drawn { n_blocks } else { 0 })
    {
        header += &format!("{:<5}", format!("{}{}", letter(at), block.width));
    }
    header += " bits  verdict";
    canvas.row(0, Span::styled(header, theme.muted()));
    let [whole, damaged, tail] = theme.glyphs().blocks;
    let explanation = app.tables.explanation.as_ref();
    let height = canvas.height().saturating_sub(2);
    let mut cursor = app.tables.table;
    cursor.fit(layout.tables().len(), height);
    for (y, number) in cursor.window(layout.tables().len(), height).enumerate() {
        let table = &layout.tables()[number];
        let mark = if number == app.tables.table.selected { theme.glyphs().cursor } else { ' ' };
        let mut line =
            Line::from(format!("{mark}{:02}  {:<5}", number + 1, clip(&table.letters(), 5)));
        if drawn {
            for block in 0..n_blocks {
                let off = explanation.is_some_and(|explanation| explanation.bits_off[block] > 0);
                let key = table.key_blocks.contains(&block);
                let (text, style) = match (key, off) {
                    (true, false) => (whole.to_owned(), theme.text()),
                    (true, true) => (damaged.to_owned(), theme.differs()),
                    (false, false) => (tail.to_owned(), theme.muted()),
                    (false, true) => (
                        format!(
                            "{}x{}",
                            &tail[..tail.len() / 2],
                            tail.chars().next().unwrap_or('.')
                        ),
                        theme.differs(),
                    ),
                };
                line.push_span(Span::styled(text, style));
                line.push_span(Span::raw(" "));
            }
        }
        let (verdict, hit) = verdict(explanation, number);
        line.push_span(Span::raw(format!("{:>5}  ", table.key_bits)));
        line.push_span(Span::styled(verdict, if hit { theme.good() } else { theme.text() }));
        canvas.row(y + 1, line);
        if number == app.tables.table.selected {
            canvas.style_row(y + 1, theme.selected());
        }
    }
    let legend = format!(" {whole} key  {tail} rest  x a differing bit");
    canvas.row(canvas.height().saturating_sub(1), Span::styled(legend, theme.muted()));
}

fn window_titles(app: &App, layout: &Layout) -> (String, String) {
    let Some(window) = &app.tables.window else { return (String::new(), String::new()) };
    let table = &layout.tables()[window.table];
    let key: Vec<String> = table.key_blocks.iter().copied().map(letter).collect();
    let title = format!(
        "table {:02}, sorted by {} ({} bits) first",
        window.table + 1,
        key.join(" "),
        table.key_bits
    );
    let last = window.first + window.rows.len();
    let remark = format!(
        "rows {}-{} of {}",
        grouped(window.first as u64 + 1),
        grouped(last as u64),
        grouped(window.n_rows as u64)
    );
    (title, remark)
}

/// The sorted rows around the query, their blocks in the table's order.
fn window(app: &App, layout: &Layout, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let Some(window) = &app.tables.window else { return };
    let Some(query) = app.near.query else { return };
    let Some(fingerprint) = app.analysis.fingerprint(query) else { return };
    let table = &layout.tables()[window.table];
    let blocks: Vec<(usize, Block)> =
        table.order.iter().map(|&at| (at, layout.block_list()[at])).collect();
    let bare: Vec<Block> = blocks.iter().map(|(_, block)| *block).collect();
    let with_bits = app.size.shape() >= Shape::Standard;
    let lines = if with_bits { bit_lines(&bare, table_cells(app.size)) } else { Vec::new() };
    let partner =
        app.near.selected().and_then(|neighbour| app.analysis.fingerprint(neighbour.document));
    let digits = (window.n_rows.max(1).ilog10() as usize + 1)
        .clamp(3, if app.size.shape() == Shape::Wide { 6 } else { 3 });
    let indent = " ".repeat(3 + digits);
    let mut y = 0;
    if !with_bits {
        let header = format!(
            "{indent}{}{:>5}",
            fit("document", canvas.width().saturating_sub(indent.len() + 6)),
            "d"
        );
        canvas.row(0, Span::styled(header, theme.muted()));
        y = 1;
    }
    for range in &lines {
        let line = block_line(&blocks, range, table);
        let mut ruler = Line::from(indent.clone());
        ruler.push_span(line.ruler(theme));
        if range.end == blocks.len() {
            ruler.push_span(Span::styled("   d", theme.muted()));
        }
        canvas.row(y, ruler);
        y += 1;
    }
    for (at, row) in window.rows.iter().enumerate() {
        if y + lines.len().max(1) > canvas.height() {
            break;
        }
        let number = window.first + at;
        let inside = window.matching.contains(&number);
        let distance = fingerprint.distance(row.fingerprint);
        let mark = match () {
            () if row.fingerprint == fingerprint => 'Q',
            () if Some(row.fingerprint) == partner && inside && distance <= app.settings.k => {
                glyphs.partner
            }
            () if inside && distance <= app.settings.k => glyphs.kept,
            () if inside => glyphs.rejected,
            () => ' ',
        };
        let bracket = if inside { glyphs.key } else { ' ' };
        let name = number + 1;
        let modulus = 10usize.pow(digits as u32);
        let name = if name >= modulus {
            format!("{:0digits$}", name % modulus)
        } else {
            format!("{name:>digits$}")
        };
        if !with_bits {
            let id = visible(app.analysis.corpus.id(row.document)).into_owned();
            let id = fit(&id, canvas.width().saturating_sub(indent.len() + 6));
            let style = if inside { theme.strong() } else { theme.text() };
            canvas.row(y, Span::styled(format!("{bracket}{mark}{name} {id}{distance:>5}"), style));
            y += 1;
        }
        for (part, range) in lines.iter().enumerate() {
            let line = block_line(&blocks, range, table);
            let prefix = if part == 0 {
                format!("{bracket}{mark}{name} ")
            } else {
                format!("{bracket}{}", &indent[1..])
            };
            let style = if inside { theme.strong() } else { theme.text() };
            let mut cells = Line::from(Span::styled(prefix, style));
            let other = inside.then_some(fingerprint);
            cells.extend(line.bits(
                row.fingerprint,
                other,
                crate::app::screen::docs::BitsView::Glyphs,
                theme,
            ));
            if range.end == blocks.len() {
                let copies =
                    if row.copies > 1 { format!(" x{}", row.copies) } else { String::new() };
                let shown = if row.fingerprint == fingerprint {
                    "Q".to_owned()
                } else {
                    distance.to_string()
                };
                cells.push_span(Span::styled(format!("{shown:>4}{copies}"), style));
            }
            canvas.row(y, cells);
            y += 1;
        }
    }
}

/// A line of a table's blocks, with the key's end where it lies on this line.
fn block_line<'a>(
    blocks: &'a [(usize, Block)],
    range: &std::ops::Range<usize>,
    table: &TableLayout,
) -> BlockLine<'a> {
    let key_blocks = table.key_blocks.len().saturating_sub(range.start);
    BlockLine { blocks: &blocks[range.clone()], key_blocks }
}

fn search_titles(app: &App) -> (String, String) {
    let Some(window) = &app.tables.window else { return (String::new(), String::new()) };
    let (shown, all) = (app.tables.probes, window.steps.len());
    ("binary search for the key".to_owned(), format!("probe {shown} of {all}"))
}

/// One probe as a range on a line and what it found.
fn probe(step: &Step, window: &TableWindow, cells: usize, canvas: &Canvas) -> String {
    let [left, line, right] = canvas.theme.glyphs().range;
    let scale = |row: usize| row * cells.saturating_sub(1) / window.n_rows.max(1);
    let (low, middle, high) = (scale(step.low), scale(step.middle), scale(step.high));
    (0..cells)
        .map(|cell| match cell {
            _ if cell == middle => canvas.theme.glyphs().key,
            _ if cell == low => left,
            _ if cell == high => right,
            _ if cell > low && cell < high => line,
            _ => ' ',
        })
        .collect()
}

fn finding(step: &Step) -> String {
    let way = match (step.end, step.goes_up) {
        (WindowEnd::First, true) => "key is below",
        (WindowEnd::First, false) => "key is here or above",
        (WindowEnd::Past, true) => "still the key, or less",
        (WindowEnd::Past, false) => "past the key",
    };
    format!("row {} {way}", grouped(step.middle as u64 + 1))
}

/// How the search ended: what it cost and what it found.
fn outcome(app: &App, window: &TableWindow) -> String {
    let fingerprint = app.near.query.and_then(|query| app.analysis.fingerprint(query));
    let kept = fingerprint.map_or(0, |fingerprint| {
        let shown = window.matching.start.max(window.first)
            ..window.matching.end.min(window.first + window.rows.len());
        shown
            .map(|row| &window.rows[row - window.first])
            .filter(|row| {
                row.fingerprint != fingerprint
                    && row.fingerprint.distance(fingerprint) <= app.settings.k
            })
            .count()
    });
    let others = window.matching.len().saturating_sub(usize::from(window.query.is_some()));
    let cut =
        if window.matching.len() > window.rows.len() { " of those on the screen" } else { "" };
    format!(
        "{}, window {}: {} compared, {kept} kept{cut}",
        counted(window.steps.len() as u64, "probe"),
        counted(window.matching.len() as u64, "row"),
        grouped(others as u64),
    )
}

fn search_line(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    if app.tables.probes == window.steps.len() {
        let glyphs = canvas.theme.glyphs();
        let legend =
            format!("  {} the pair  {} kept  {} not", glyphs.partner, glyphs.kept, glyphs.rejected);
        let outcome = outcome(app, window);
        canvas.row(
            0,
            Line::from(vec![
                Span::raw(format!(" {outcome}")),
                Span::styled(legend, canvas.theme.muted()),
            ]),
        );
        return;
    }
    let Some(step) = app.tables.probes.checked_sub(1).and_then(|at| window.steps.get(at)) else {
        canvas.row(
            0,
            format!(
                " all {} rows are possible; Space looks at the middle one",
                grouped(window.n_rows as u64)
            ),
        );
        return;
    };
    let bar = probe(step, window, 24, canvas);
    let text = format!(
        " {bar}  rows {}-{}: {}",
        grouped(step.low as u64 + 1),
        grouped(step.high as u64),
        finding(step)
    );
    canvas.row(0, text);
}

fn search(app: &App, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    let height = canvas.height().saturating_sub(1);
    let shown = app.tables.probes;
    let first = shown.saturating_sub(height);
    for (y, at) in (first..shown).enumerate() {
        let step = &window.steps[at];
        let bar = probe(step, window, 30, canvas);
        let mark = if at + 1 == shown { canvas.theme.glyphs().cursor } else { ' ' };
        canvas.row(y, format!(" {:>2} {mark} {bar}  {}", at + 1, finding(step)));
    }
    let last = if shown == window.steps.len() {
        outcome(app, window)
    } else {
        "Space takes the next probe, b goes back".to_owned()
    };
    canvas.row(height, Span::styled(format!(" {last}"), canvas.theme.strong()));
}

fn why(app: &App, layout: &Layout, canvas: &mut Canvas) {
    let Some(window) = &app.tables.window else { return };
    let table = &layout.tables()[window.table];
    let mut paragraphs = vec![summary(app, layout) + "."];
    if let Some(explanation) = &app.tables.explanation {
        let outcome = &explanation.tables[window.table];
        let key: Vec<String> = table.key_blocks.iter().copied().map(letter).collect();
        let key = key.join(" ");
        paragraphs.push(if outcome.hit {
            format!("Table {:02} leads with {key}, where nothing differs, so both rows stand under the same key.", window.table + 1)
        } else {
            let damaged: Vec<String> = outcome.damaged.iter().copied().map(letter).collect();
            format!(
                "Table {:02} leads with {key}; a bit differs in {}, so the two stand apart in it.",
                window.table + 1,
                damaged.join(" ")
            )
        });
        if let Some(guarantee) = layout.guarantee().filter(|_| !layout.is_bands()) {
            let sure = if explanation.distance <= guarantee {
                "a key without damage always exists"
            } else {
                "a key without damage is luck"
            };
            paragraphs.push(format!(
                "The layout catches every pair up to d = {guarantee}; at d = {} {sure}.",
                explanation.distance
            ));
        }
    }
    let expected = window.n_rows as f64 / 2f64.powi(table.key_bits as i32);
    let expected =
        if expected < 0.01 { "less than 0.01".to_owned() } else { format!("{expected:.2}") };
    paragraphs.push(format!(
        "By chance a key of {} bits brings {expected} of {} rows; here it brings {}. The permutation never changes a distance: it only decides who is compared.",
        table.key_bits,
        grouped(window.n_rows as u64),
        grouped(window.matching.len() as u64),
    ));
    let room = canvas.width().saturating_sub(2);
    let rows = paragraphs.iter().flat_map(|paragraph| wrap(paragraph, room));
    for (y, row) in rows.enumerate() {
        canvas.row(y, format!(" {row}"));
    }
}
