//! Tables: a damaged pair, the outcome of each table, and the lookup in one table.

use ratatui::text::{Line, Span};

use super::rows::{LABEL, bit_row, line_of, lines, pointer, with_label};
use crate::{
    app::{
        App,
        layout::SizeClass,
        screen::learn::{GameState, game::PHASES},
    },
    explain::PairExplanation,
    id::DocId,
    index::{Block, Layout, letter, load::placements},
    number::{counted, grouped},
    simhash::Fingerprint,
    text::visible,
    tui::{
        theme::Theme,
        widget::{
            bits::BlockLine,
            canvas::{Canvas, clip},
        },
    },
};

/// The most documents of the corpus in the sorted table beside the pair, since it is sorted for each frame.
const OTHERS: usize = 5000;
/// The most rows of the lookup.
const MOST_WALK: usize = 18;

/// The keys of the steps, where the rule above them has room.
const STEPS: &str = "n next, N back, j/k tables";
const WIDE_RULE: usize = 76;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let game = &app.learn.game;
    let (layout, explanation) = (game.layout(), game.explanation());
    let (width, height) = (canvas.width(), canvas.height());
    let theme = canvas.theme;
    let n_tables = layout.tables().len();
    let hits = explanation.hits().count();
    let found = fate(explanation.distance, app.learn_k(), hits, n_tables);
    canvas.row(0, Span::styled(format!(" {}", clip(&found, width - 2)), theme.strong()));
    let room = width.saturating_sub(found.len() + 4);
    if room >= 16 {
        let whose = whose(app, room);
        canvas.right(0, Span::styled(format!("{whose} "), theme.muted()));
    }
    let rule = both_prints(app, &layout, canvas);
    let mut y = rule + 1;
    if app.size.shape() >= SizeClass::Standard && !app.learn.lessons.hides("ways") {
        canvas.row(
            y,
            format!(" {}", clip(&ways_to_escape(&layout, explanation.distance), width - 2)),
        );
        y += 1;
    }
    let needed = table_rows(&layout, &explanation, width);
    let left = height.saturating_sub(y);
    // An open lesson asks for the steps one by one.
    let shows_all = app.learn.lessons.active.is_none()
        && left.saturating_sub(needed + 1) >= all_steps_rows(width);
    let walk = match left {
        _ if shows_all => left - needed - 1,
        9.. => left.saturating_sub(needed).clamp(7, MOST_WALK),
        // On a small screen the lookup replaces the list when it has begun.
        4.. if game.phase > 0 => left,
        _ => 0,
    };
    let rows = left - walk;
    let fits = rows * (width / cell_of(&layout, width)).max(1);
    let remark = if n_tables > fits && fits > 0 {
        let first = game.table / fits * fits;
        format!("tables {} to {} of {n_tables}, j/k", first + 1, (first + fits).min(n_tables))
    } else if game.damage == 0 {
        // Equal fingerprints show nothing yet.
        "Space flips a bit, d: pair of Pair".to_owned()
    } else {
        "d: pair of Pair".to_owned()
    };
    let (title, remark) = titles(&layout, app.learn_k(), remark, width);
    canvas.rule(rule, &title, &remark);
    table_list(game, &layout, &explanation, &mut canvas.part(0, y, width, rows));
    y += rows;
    if shows_all {
        return all_steps(app, &layout, &explanation, &mut canvas.part(0, y, width, walk));
    }
    if walk > 0 {
        let stations: Vec<String> = PHASES
            .iter()
            .enumerate()
            .map(
                |(at, phase)| {
                    if at == game.phase { format!("[{phase}]") } else { (*phase).to_owned() }
                },
            )
            .collect();
        let title = format!("table {:02}: {}", game.table + 1, stations.join(" "));
        canvas.rule(y, &title, if width < WIDE_RULE { "n/N step" } else { STEPS });
        let mut below = canvas.part(0, y + 1, width, walk - 1);
        walk_through(app, &layout, &explanation, game.phase, &mut below);
    }
}

/// Rows of the first and the last step, and the least rows of a sorted table, with a rule each.
const FIRST: usize = 5;
const LAST: usize = 6;
const LEAST_SORTED: usize = 9;
/// The most rows of a sorted table.
const MOST_SORTED: usize = 34;
/// The least cells of a step beside another one: 64 bits fit into a line.
const STEP: usize = 90;

/// The least rows of all steps: in two columns if there is room, else one below the other.
fn all_steps_rows(width: usize) -> usize {
    if width >= 2 * STEP { LAST + LEAST_SORTED } else { FIRST + LAST + 2 * LEAST_SORTED }
}

/// All steps of the lookup; the one that the keys have come to is in brackets.
fn all_steps(app: &App, layout: &Layout, explanation: &PairExplanation, canvas: &mut Canvas) {
    let game = &app.learn.game;
    let (width, height) = (canvas.width(), canvas.height());
    let is_beside = width >= 2 * STEP;
    let cells = if is_beside { width / 2 - 1 } else { width };
    let sorted = if is_beside {
        [height - FIRST, height - LAST]
    } else {
        [(height - FIRST - LAST) / 2, height - FIRST - LAST - (height - FIRST - LAST) / 2]
    };
    let rows = [FIRST, sorted[0].min(MOST_SORTED), sorted[1].min(MOST_SORTED), LAST];
    let mut y = 0;
    for (phase, name) in PHASES.iter().enumerate() {
        let x = if is_beside && phase >= 2 { width - cells } else { 0 };
        y = if is_beside && phase == 2 { 0 } else { y };
        let name = if phase == game.phase { format!("[{name}]") } else { (*name).to_owned() };
        let title = format!("table {:02}: {name}", game.table + 1);
        let remark = if phase == 0 { STEPS } else { "" };
        let mut part = canvas.part(x, y, cells, rows[phase]);
        part.rule(0, &title, remark);
        walk_through(app, layout, explanation, phase, &mut part.part(0, 1, cells, rows[phase] - 1));
        y += rows[phase];
    }
}

/// Draws the bits of both fingerprints from the second row on; returns the row below them.
fn both_prints(app: &App, layout: &Layout, canvas: &mut Canvas) -> usize {
    let (game, theme, width) = (&app.learn.game, canvas.theme, canvas.width());
    let mut y = 1;
    let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
    let (one, two) = (game.fingerprint, game.twin());
    let lines = lines(&blocks, width);
    let is_small = app.size.shape() < SizeClass::Standard;
    let shown = if is_small { line_of(&lines, game.bit()) } else { &lines };
    let (pointed, style) = pointer(theme);
    let cursor = |bit: u32| if bit == game.bit() { pointed } else { ' ' };
    for blocks in shown {
        let line = BlockLine { blocks, key_blocks: 0, is_tinted: true };
        canvas.row(y, with_label("", ruler(&line, layout, theme), canvas));
        if is_small {
            line.sign_hidden(layout.block_list().len(), y, canvas);
        }
        for (row, name, bits, other) in [(y + 1, "one", one, two), (y + 2, "two", two, one)] {
            canvas.row(row, bit_row(name, &line, Some(bits), Some(other), canvas));
            line.answer_to_clicks(LABEL, row, canvas);
        }
        canvas.row(y + 3, with_label("", line.marks(cursor, style, theme), canvas));
        y += 4;
    }
    y
}

/// The outcome for the pair: a candidate or not, then found or not.
fn fate(d: u32, k: u32, hits: usize, n_tables: usize) -> String {
    let (near, then) = match (d <= k, hits > 0) {
        (true, true) => ("<=", "found"),
        (true, false) => ("<=", "missed"),
        (false, true) => (">", "rejected"),
        (false, false) => (">", "correctly not found"),
    };
    format!("d = {d} {near} k = {k}: candidate in {hits} of {n_tables} tables, {then}")
}

/// As much as fits of the guarantee of the tables and a remark.
fn titles(layout: &Layout, k: u32, remark: String, width: usize) -> (String, String) {
    let sure = |name: String| sure(layout, &name, k);
    let whole = sure(layout.describe());
    match width.saturating_sub(whole.len() + 8) {
        room if remark.len() <= room => (whole, remark),
        0 => (sure(layout.name()), String::new()),
        _ => (whole, String::new()),
    }
}

/// The layout of the tables by a name, and the distance they guarantee.
fn sure(layout: &Layout, name: &str, k: u32) -> String {
    let sure = layout.guarantee();
    let may_miss = if sure < k { format!(", may miss at k={k}") } else { String::new() };
    format!("{name}: guaranteed to d={sure}{may_miss}")
}

/// The number of ways to place differing bits so that no key stays intact: for the present number of differing bits,
/// but at least the guaranteed number; and for one bit more.
fn ways_to_escape(layout: &Layout, d: u32) -> String {
    let from = d.max(layout.guarantee()).min(layout.width());
    let ways: Vec<String> = (from..=from + 1)
        .filter_map(|d| {
            let found = placements(layout, d)?;
            // Larger numbers are not exact.
            let is_exact = found.all < 2_f64.powi(53);
            let bits = counted(u64::from(d), "bit");
            let n = |ways: f64| grouped(ways as u64);
            is_exact.then(|| format!("{bits} {} of {}", n(found.escaping), n(found.all)))
        })
        .collect();
    if ways.is_empty() {
        String::new()
    } else {
        format!("ways past every table: {}", ways.join(", "))
    }
}

/// The documents of these bits.
fn whose(app: &App, room: usize) -> String {
    let id = |document| visible(app.analysis.corpus.id(document)).into_owned();
    match app.learn.game.pair {
        Some([one, two]) => clip(&format!("{}, {}", id(one), id(two)), room),
        None => clip("example fingerprints", room),
    }
}

/// The blocks' letters; bits outside all bands have none.
fn ruler(line: &BlockLine, layout: &Layout, theme: Theme) -> Vec<Span<'static>> {
    let leads = |number: usize| layout.tables().iter().any(|it| it.key_blocks.contains(&number));
    line.ruler_of(|number| if leads(number) { letter(number) } else { String::new() }, theme)
}

/// Cells of a table in the list: enough for the longest outcome, if there is room.
fn cell_of(layout: &Layout, width: usize) -> usize {
    let letters = layout.tables().iter().map(|table| table.key_blocks.len()).max().unwrap_or(0);
    let (key, outcome) = ((2 * letters).max(9), (15 + 2 * letters).max(20));
    (6 + key + outcome + 2).clamp(1, width.max(1))
}

/// Rows of the list of tables.
fn table_rows(layout: &Layout, explanation: &PairExplanation, width: usize) -> usize {
    explanation.tables.len().div_ceil((width / cell_of(layout, width)).max(1))
}

/// Every table with its key and its outcome, in columns; the selected table is always shown.
fn table_list(
    game: &GameState,
    layout: &Layout,
    explanation: &PairExplanation,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let text = |number: usize| {
        let outcome = &explanation.tables[number];
        let letters = |blocks: &[usize]| {
            blocks.iter().map(|&block| letter(block)).collect::<Vec<_>>().join(" ")
        };
        let mark = if number == game.table { theme.glyphs().cursor } else { ' ' };
        let fate = if outcome.hit {
            "key equal: candidate".to_owned()
        } else {
            format!("key differs in {}", letters(&outcome.damaged))
        };
        let glyph = if outcome.hit { theme.glyphs().kept } else { theme.glyphs().rejected };
        let key = letters(&layout.tables()[number].key_blocks);
        format!("{mark}{:02} {glyph} {key:<8} {fate}", number + 1)
    };
    let texts: Vec<String> = (0..explanation.tables.len()).map(text).collect();
    let cell = cell_of(layout, canvas.width());
    let columns = (canvas.width() / cell).max(1);
    let rows = canvas.height().max(1);
    let page = game.table / (rows * columns) * rows * columns;
    let shown = texts.iter().enumerate().skip(page).take(rows * columns);
    for (place, (number, text)) in shown.enumerate() {
        let hit = explanation.tables[number].hit;
        let style = if hit { theme.good() } else { theme.text() };
        let (x, y) = (place / rows * cell, place % rows);
        canvas.at(x, y, Span::styled(clip(text, cell), style));
    }
}

/// One step of the lookup.
fn walk_through(
    app: &App,
    layout: &Layout,
    explanation: &PairExplanation,
    phase: usize,
    canvas: &mut Canvas,
) {
    let game = &app.learn.game;
    let theme = canvas.theme;
    let table = &layout.tables()[game.table];
    // The blocks in the order the table has them, the key first.
    let rest = (0..layout.block_list().len()).filter(|block| !table.key_blocks.contains(block));
    let order: Vec<usize> = table.key_blocks.iter().copied().chain(rest).collect();
    let blocks: Vec<(usize, Block)> =
        order.iter().map(|&block| (block, layout.block_list()[block])).collect();
    let line = BlockLine { blocks: &blocks, key_blocks: table.key_blocks.len(), is_tinted: true };
    let (one, two) = (game.fingerprint, game.twin());
    let width = canvas.width();
    let say = |canvas: &mut Canvas, y: usize, text: &str| {
        canvas.row(y, format!(" {}", clip(text, width - 2)));
    };
    let row = |canvas: &mut Canvas, y: usize, name: &str, bits: Fingerprint, other| {
        let line = bit_row(name, &line, Some(bits), other, canvas);
        canvas.row(y, line);
    };
    let ruler = with_label("", ruler(&line, layout, theme), canvas);
    match phase {
        0 => {
            say(
                canvas,
                0,
                "the key blocks move to the front; no bit is lost, so no distance changes",
            );
            canvas.row(1, ruler);
            row(canvas, 2, "one", one, Some(two));
            row(canvas, 3, "two", two, Some(one));
        }
        1 | 2 => {
            canvas.row(0, ruler);
            sorted(app, layout, explanation, (&line, phase == 2), canvas);
        }
        _ => {
            canvas.row(0, ruler);
            row(canvas, 1, "one", one, Some(two));
            row(canvas, 2, "two", two, Some(one));
            canvas.row(3, with_label("xor", line.xor(explanation.xor, theme), canvas));
            let distance = explanation.distance;
            let k = app.learn_k();
            let text = match (explanation.tables[game.table].hit, distance <= k) {
                (false, _) => {
                    "never compared here: in this table two is not a candidate".to_owned()
                }
                (true, true) => format!("XOR has {distance} ones: within k={k}, the pair is found"),
                (true, false) => {
                    format!("XOR has {distance} ones: more than k={k}, the candidate is rejected")
                }
            };
            canvas.row(
                4,
                Line::from(Span::styled(format!(" {}", clip(&text, width - 2)), theme.strong())),
            );
        }
    }
}

/// The pair among documents of the corpus, sorted by the key; the second step marks the rows that a search for one's
/// key finds.
fn sorted(
    app: &App,
    layout: &Layout,
    explanation: &PairExplanation,
    (line, is_search): (&BlockLine, bool),
    canvas: &mut Canvas,
) {
    let game = &app.learn.game;
    let permutation = layout.permutation(game.table);
    let one = game.fingerprint;
    let mut rows = vec![("one", one), ("two", game.twin())];
    let documents = (0..app.analysis.len().min(OTHERS)).map(DocId::from);
    let same = |bits: &Fingerprint| bits.width() == one.width() && *bits != one;
    let others = documents.filter_map(|document| app.analysis.fingerprint(document));
    rows.extend(others.filter(same).map(|bits| ("doc", bits)));
    let key = |bits: Fingerprint| permutation.apply(bits.bits());
    rows.sort_by_key(|&(_, bits)| key(bits));
    let mine = key(one) & permutation.key_mask();
    let room = canvas.height().saturating_sub(2);
    // The rows around the searched one.
    let at = rows.iter().position(|(name, _)| *name == "one").unwrap_or(0);
    let top = at.saturating_sub(room / 2).min(rows.len().saturating_sub(room));
    for (y, (name, bits)) in rows.iter().skip(top).take(room).enumerate() {
        // The searched row is not a candidate of itself.
        let is_other = *name != "one";
        let hit = is_search && is_other && key(*bits) & permutation.key_mask() == mine;
        let cursor = canvas.theme.glyphs().cursor;
        let name = if hit { format!("{cursor}{name}") } else { (*name).to_owned() };
        let row = bit_row(&name, line, Some(*bits), None, canvas);
        canvas.row(y + 1, row);
    }
    let text = if !is_search {
        "sorted: rows with equal keys are neighbours now; doc is a document of yours"
    } else if explanation.tables[game.table].hit {
        "a search for one's key ends here; marked rows have the same key: candidates"
    } else {
        "two has another key, so a search for one's key never reaches it"
    };
    canvas.row(room + 1, format!(" {}", clip(text, canvas.width() - 2)));
}
