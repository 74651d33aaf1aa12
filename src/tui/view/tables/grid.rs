//! The outcome of every table for the pair: as a grid if there is little room, else as a list with blocks.

use ratatui::text::{Line, Span};

use crate::{
    app::{App, ClickTarget, layout::grid_cell},
    explain::PairExplanation,
    index::{Layout, TableLayout, letter},
    tui::{
        theme::Theme,
        widget::canvas::{Canvas, clip},
    },
};

/// The outcome of a table for the pair: `HIT`, or the blocks of its key that differ.
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
pub(super) fn grid(app: &App, layout: &Layout, columns: usize, canvas: &mut Canvas) {
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
        let style =
            if table == selected { theme.text().patch(theme.selected()) } else { theme.text() };
        let verdict_style = if hit { theme.good() } else { theme.text() };
        let room = cell.saturating_sub(name.chars().count() + 1);
        let line = Line::from(vec![
            Span::styled(name, style),
            Span::styled(clip(&verdict, room), verdict_style),
        ]);
        canvas.at(x, y, line);
        let by = table as isize - selected as isize;
        canvas.target(x, y, cell - 1, ClickTarget::Select(by, 0));
    }
}

/// A block of a table in its hue if the key has it; a yellow mark where the pair differs in it.
fn drawn_block(block: usize, is_key: bool, differs: bool, theme: Theme) -> Vec<Span<'static>> {
    let [whole, damaged, tail] = theme.glyphs().blocks;
    let (cells, style) = if is_key { (whole, theme.block(block)) } else { (tail, theme.muted()) };
    let Some((before, after)) = damaged.split_once('x').filter(|_| differs) else {
        return vec![Span::styled(cells, style)];
    };
    let of = |cells: &str, n: usize| cells.chars().take(n).collect::<String>();
    vec![
        Span::styled(of(cells, before.chars().count()), style),
        Span::styled("x", theme.differs()),
        Span::styled(of(cells, after.chars().count()), style),
    ]
}

/// The tables as a list with their blocks drawn.
pub(super) fn list(app: &App, layout: &Layout, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let n_blocks = layout.block_list().len();
    // The mark, the number, the key and the verdict beside the blocks; then the number of bits.
    let drawn = n_blocks <= 6 && canvas.width() >= 13 + 5 * n_blocks;
    let has_bits = !drawn || canvas.width() >= 19 + 5 * n_blocks;
    let mut header = "  #  key  ".to_owned();
    for (at, block) in layout.block_list().iter().enumerate().take(if drawn { n_blocks } else { 0 })
    {
        header += &format!("{:<5}", format!("{}{}", letter(at), block.width));
    }
    if has_bits {
        header += "bits";
    }
    canvas.row(0, Span::styled(header, theme.muted()));
    let [whole, _, tail] = theme.glyphs().blocks;
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
                line.extend(drawn_block(block, key, off, theme));
                line.push_span(Span::raw(" "));
            }
        }
        // Drawn blocks already show which of them differ.
        let (verdict, hit) = match verdict(explanation, number) {
            (_, false) if drawn && explanation.is_some() => ("miss".to_owned(), false),
            verdict => verdict,
        };
        if has_bits {
            line.push_span(Span::raw(format!("{:>4} ", table.key_bits)));
        }
        let style = if hit { theme.good() } else { theme.text() };
        line.push_span(Span::styled(verdict, style));
        canvas.row(y + 1, line);
        canvas.row_target(y + 1, number as isize - app.tables.table.selected as isize);
        if number == app.tables.table.selected {
            canvas.style_row(y + 1, theme.selected());
        }
    }
    let legend = format!(" {whole} key {tail} rest x differs");
    canvas.row(canvas.height().saturating_sub(1), Span::styled(legend, theme.muted()));
}
