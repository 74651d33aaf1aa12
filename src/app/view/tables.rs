//! The Tables view: which blocks of a pair match in which table, the sorted rows of one, and the search in them.

use std::ops::Range;

use super::contract::{ListOfView, View};
use super::pair::{self, PairView};
use crate::analysis::inspection::TableWindow;
use crate::app::page::{
    self, ANY, Block, Cell, Column, List, Page, Part, Place, TableRows, Tinted, Tone,
};
use crate::app::{Action, App, Cursor, Size, query, want};
use crate::explain::PairExplanation;
use crate::facts::ExplainedNumber;
use crate::facts::figures::digits;
use crate::facts::layouts::{TableRow, tables};
use crate::id::DocId;
use crate::index::{Layout, SearchStep, WindowEnd, letter};
use crate::number::{self, counted, grouped};
use crate::sign;
use crate::simhash::Fingerprint;

/// The Tables view.
pub(in crate::app) struct TablesView;

impl View for TablesView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::Sideways(rows) => pair::list(app).step(rows),
            Action::Probe(step) => probe(app, step),
            Action::NextHit => match app.tables.next_hit() {
                Some(table) => app.tables.table.selected = table,
                None => app
                    .say("the pair is a candidate in no table: each key contains a differing bit"),
            },
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let (len, height) = (app.layout().tables().len(), app.page_rows());
        Some(ListOfView { cursor: &mut app.tables.table, len, height })
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let missing = app.why_no_fingerprints("the tables are");
        let missing = missing.or_else(|| app.why_no_fingerprint(app.near.query));
        match (&app.analysis.index, missing) {
            (Some(index), None) => Page { parts: parts(app, index.layout(), size) },
            (_, why) => Page::saying("", why.unwrap_or_default(), size),
        }
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        let neighbour = app.near.selected().map(|neighbour| neighbour.document);
        app.near.query.into_iter().chain(neighbour).collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let rows = app.tables.window.iter().flat_map(|window| &window.rows);
        rows.map(|row| row.document).collect()
    }

    fn refresh(&self, app: &mut App) {
        explain(app);
        look_up(app);
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let (layout, mut numbers) = (app.layout(), Vec::new());
        let table = layout.tables().get(app.tables.table.selected);
        if let (Some(table), Some(window)) = (table, &app.tables.window) {
            let (n, p) = (window.n_rows, table.key_bits);
            let (found, steps) = (window.matching.len(), window.steps.len());
            let rows = digits(n as f64 * (-f64::from(p)).exp2());
            let expected = digits(2.0 * (n.max(1) as f64).log2());
            numbers.extend([
                ExplainedNumber::new("rows with the key", found.to_string()).explained(
                    format!("counted: {found}; to expect n / 2^p = {n} / 2^{p} = {rows}"),
                    "Rows that a query has to verify in this table; many more than expected mean skewed blocks.",
                ),
                ExplainedNumber::new("comparisons", steps.to_string()).explained(
                    format!(
                        "binary search for both ends of these rows: {steps}; about 2 x log2({n}) = {expected}"
                    ),
                    "The cost of finding the rows that share the key.",
                ),
            ]);
        }
        numbers.extend(PairView.numbers(app));
        numbers
    }
}

/// Shows more or fewer comparisons of the binary search.
fn probe(app: &mut App, step: isize) {
    let n_steps = app.tables.window.as_ref().map_or(0, |window| window.steps.len());
    // After the last comparison the search begins again.
    let at_end = app.tables.probes == n_steps && step > 0;
    app.tables.probes =
        if at_end { 0 } else { app.tables.probes.saturating_add_signed(step).min(n_steps) };
}

/// Explains the pair again if it or the tables changed.
fn explain(app: &mut App) {
    let pair = app
        .near
        .query
        .map(|query| (query, app.near.selected().map(|neighbour| neighbour.document)));
    let made_for = Some((pair, app.versions.analysis));
    if app.tables.made_for != made_for {
        app.tables.made_for = made_for;
        app.tables.pair = pair;
        app.tables.explanation = pair.and_then(|(query, other)| {
            let (a, b) = (app.analysis.fingerprint(query)?, app.analysis.fingerprint(other?)?);
            let index = app.analysis.index.as_ref()?;
            Some(PairExplanation::new(a, b, index.layout()))
        });
        // Start with a table in which the pair is a candidate.
        let first_hit =
            app.tables.explanation.as_ref().and_then(|explanation| explanation.hits().next());
        app.tables.table.selected = first_hit.unwrap_or(0);
    }
}

/// Asks for the rows of the selected table around the query; the present rows stay until the answer comes.
fn look_up(app: &mut App) {
    let known =
        |query: &DocId| app.analysis.index.is_some() && app.analysis.fingerprint(*query).is_some();
    let Some(query) = app.near.query.filter(known) else {
        app.tables.window = None;
        app.tables.lookup.forget();
        return;
    };
    let table = app.tables.table.selected;
    let height = app.page_for(app.size).table_rows(app.size);
    let width = app.analysis.fingerprint(query).map(Fingerprint::width);
    let is_of_other_bits = |window: &TableWindow| Some(window.index.layout().width()) != width;
    if app.tables.lookup.asked().is_none_or(|before| before.document != query)
        || app.tables.window.as_ref().is_some_and(is_of_other_bits)
    {
        app.tables.window = None;
    }
    want(app, query::Window { document: query, table, height });
}

/// Shows a table around the query.
pub(super) fn show_window(app: &mut App) {
    let window = app.tables.lookup.take().flatten();
    app.tables.probes = window.as_ref().map_or(0, |window| window.steps.len());
    app.tables.window = window;
}

/// The tables, the sorted rows of one, the search in it, and the reasons of its outcome.
fn parts<'a>(app: &'a App, layout: &'a Layout, size: Size) -> Vec<Part<'a>> {
    let selected = app.tables.table.selected.min(layout.tables().len() - 1);
    let (title, remark) = titles(app, layout, selected);
    let rows = Block::TableRows(sorted_rows(app, layout, selected));
    let rows = Part::new(title, 5..=ANY, rows).remarked(remark).at(Place::Most, 0);
    let n_tables = layout.tables().len();
    // One below the other, the sorted rows need the room more.
    let most = if page::has_boxes(size) { n_tables } else { n_tables.min(4) };
    let list = Part::new(layout.describe(), n_tables.min(4) + 1..=most + 1, list(app, layout))
        .remarked(hits(app))
        .at(Place::Right, 1);
    let why = Part::text("why", reasons(app, layout), 1, Place::Most, size);
    let is_one_row = app.tables.explanation.as_ref().is_some_and(|it| it.distance == 0);
    let other = if is_one_row { 'Q' } else { sign::PARTNER };
    let why = Part {
        remark: format!("{other} the pair  {} near  {} rejected", sign::CHECK, sign::CROSS),
        rows: 2..=*why.rows.end().max(&2),
        ..why
    };
    [Some(list), Some(rows), search(app), Some(why)].into_iter().flatten().collect()
}

/// The letters of some blocks, with blanks.
fn letters(blocks: &[usize]) -> String {
    blocks.iter().copied().map(letter).collect::<Vec<_>>().join(" ")
}

/// The title of the sorted rows, and how many there are.
fn titles(app: &App, layout: &Layout, selected: usize) -> (String, String) {
    let name = format!("table {:02}", selected + 1);
    let Some(window) = app.tables.window.as_ref().filter(|_| !app.tables.lookup.is_running())
    else {
        let is_running = app.tables.lookup.is_running();
        return (if is_running { format!("reading {name} ..") } else { name }, String::new());
    };
    let table = &layout.tables()[selected];
    let key = letters(&table.key_blocks);
    let title = format!("{name}, sorted by {key} ({} bits) first", table.key_bits);
    let [first, last] = [window.first + 1, window.first + window.rows.len()];
    let [first, last, n] = [first, last, window.n_rows].map(|row| grouped(row as u64));
    (title, format!("rows {first}-{last} of {n}"))
}

fn sorted_rows<'a>(app: &'a App, layout: &Layout, selected: usize) -> TableRows<'a> {
    let window = app.tables.window.as_ref();
    // After a change of k the rows may still be those of the tables before.
    let layout = window.map_or(layout, |window| window.index.layout());
    let at = window.map_or(selected, |window| window.table).min(layout.tables().len() - 1);
    let table = &layout.tables()[at];
    let n_rows = app.analysis.index.as_ref().map_or(0, |index| index.n_distinct());
    let other = app.near.selected().map(|neighbour| neighbour.document);
    TableRows {
        window,
        blocks: table.order.iter().map(|&at| (at, layout.block_list()[at])).collect(),
        n_key: table.key_blocks.len(),
        digits: (n_rows.max(1).ilog10() as usize + 1).max(3),
        none: summary(app, layout),
        pair: [app.near.query, other].map(|it| {
            let print = app.analysis.fingerprint(it?)?;
            (print.width() == layout.width()).then_some(print)
        }),
    }
}

fn hits(app: &App) -> String {
    match &app.tables.explanation {
        Some(explanation) => {
            let n_hits = counted(explanation.hits().count() as u64, "hit");
            format!("{n_hits} of {}", explanation.tables.len())
        }
        None if app.near.listing.is_running() => "searching ..".to_owned(),
        None => "no pair".to_owned(),
    }
}

/// The tables: their blocks, and whether the pair is a candidate.
fn list<'a>(app: &'a App, layout: &'a Layout) -> List<'a> {
    let explanation = app.tables.explanation.as_ref();
    let (n_blocks, len) = (layout.block_list().len(), layout.tables().len());
    let cells = [5, 5, 5, 5, 5, 3, 3].get(n_blocks).copied().unwrap_or(2);
    let blocks = move |row: usize| {
        let key = &layout.tables()[row].key_blocks;
        let differs = |at: usize| explanation.is_some_and(|it| it.bits_off.get(at) > Some(&0));
        Cell::Blocks((0..n_blocks).map(|at| (key.contains(&at), differs(at))).collect(), cells - 1)
    };
    let outcome = move |row: usize| -> Tinted {
        match explanation.and_then(|it| it.tables.get(row)) {
            None => "".into(),
            Some(outcome) if outcome.hit => (" HIT", Tone::Good).into(),
            Some(_) => (" miss", Tone::Muted).into(),
        }
    };
    let letters: Vec<String> =
        (0..n_blocks).map(|at| format!(" {:<1$}", letter(at), cells - 1)).collect();
    let key = |row: usize| layout.tables()[row].letters();
    let longest = (0..len).map(|row| key(row).len()).max().unwrap_or(0).max(3);
    let mut columns = vec![
        Column::number("#", 2, 0, |row| format!("{:02}", row + 1)),
        Column::words("  key", 3 + longest, move |row| format!("  {}", key(row))),
        Column::words(&letters.concat(), cells * n_blocks, blocks),
        Column::words("", 5, outcome),
        Column::number("bits", 4, 1, |row| layout.tables()[row].key_bits.to_string()),
    ];
    let digits = Some(layout.width() as usize / 4 + 1);
    let mask = page::listed(tables(), 2, |at| Some(TableRow { layout, at, outcome: None }));
    columns.extend(mask.map(|it| Column { cells: digits, ..it }));
    List::new(columns, len, app.tables.table)
}

/// The differing blocks, and how many keys are without them.
fn summary(app: &App, layout: &Layout) -> String {
    let Some(explanation) = &app.tables.explanation else {
        if app.near.listing.is_running() {
            return "searching for neighbours ..".to_owned();
        }
        let reach = app.near.reach;
        return format!("no neighbour within {reach} bits: the tables show the document alone");
    };
    let (n_tables, n_hits) = (layout.tables().len(), explanation.hits().count());
    let damaged = explanation.differing_blocks();
    let (list, tables) = (letters(&damaged), counted(n_tables as u64, "table"));
    let blocks = if damaged.len() == 1 { "block" } else { "blocks" };
    match (damaged.len(), n_hits) {
        (0, _) => format!("equal fingerprints share row Q: no block differs in {tables}"),
        (_, 0) => format!(
            "bits differ in {blocks} {list}: every key contains one of them, no table matches"
        ),
        (_, n_hits) => {
            let avoid = if n_hits == 1 { "avoids" } else { "avoid" };
            format!("bits differ in {blocks} {list}: {n_hits} of {n_tables} keys {avoid} them")
        }
    }
}

/// The reasons why a table finds the pair, or does not, and what its search costs.
fn reasons(app: &App, layout: &Layout) -> Vec<String> {
    let mut reasons = vec![summary(app, layout)];
    let explanation = app.tables.explanation.as_ref();
    // The pair is explained under the present layout, so the old table cannot show it.
    let window = app.tables.window.as_ref().filter(|_| !app.tables.lookup.is_running());
    if let Some(window) = window {
        reasons.push(outcome_of(app, window));
        let (number, table) = (window.table + 1, &window.index.layout().tables()[window.table]);
        let outcome = explanation.and_then(|it| it.tables.get(window.table));
        if let Some((it, outcome)) = explanation.zip(outcome) {
            let key = format!("The key of table {number:02} is {}", letters(&table.key_blocks));
            let (d, k, guarantee) = (it.distance, app.settings.k, layout.guarantee());
            reasons.push(match (d, outcome.hit) {
                (0, _) => format!("{key}; the pair is one row, so it needs no comparison."),
                (_, true) => {
                    format!("{key}, where no bit differs, so both rows have the same key.")
                }
                _ => {
                    let damaged = letters(&outcome.damaged);
                    format!(
                        "{key}; a bit differs in {damaged}, so the two rows have different keys."
                    )
                }
            });
            if !layout.is_bands() {
                let sure = match d {
                    0 => "in every one",
                    d if d <= guarantee => "at least one key is equal",
                    _ => "a key is equal only by chance",
                };
                reasons.push(format!(
                    "Every pair up to d = {guarantee} is a candidate in some table; at d = {d} {sure}."
                ));
            }
            if outcome.hit && d > k {
                reasons.push(format!(
                    "As a candidate the pair is compared, and rejected: d = {d} > k = {k}."
                ));
            }
        }
        let expected = window.n_rows as f64 / 2f64.powi(table.key_bits as i32);
        reasons.push(format!(
            "By chance a key of {} bits brings {} of {} rows; here it brings {}.",
            table.key_bits,
            number::expected(expected),
            grouped(window.n_rows as u64),
            grouped(window.matching.len() as u64),
        ));
        let last =
            "The permutation never changes a distance: it only decides which rows are compared.";
        reasons.push(last.to_owned());
    }
    reasons
}

/// The result of the search: its cost, and the rows found.
fn outcome_of(app: &App, window: &TableWindow) -> String {
    let fingerprint = app.near.query.and_then(|query| app.analysis.fingerprint(query));
    // After a change of the recipe the rows may have other bits for a moment.
    let fingerprint = fingerprint.filter(|it| it.width() == window.index.layout().width());
    let shown = window.first..window.first + window.rows.len();
    let near = window.rows.iter().zip(shown).filter(|(row, number)| {
        let distance = fingerprint.map_or(0, |it| row.fingerprint.distance(it));
        window.matching.contains(number) && (1..=app.settings.k).contains(&distance)
    });
    let near = near.count();
    let others = window.matching.len().saturating_sub(usize::from(window.query.is_some()));
    let cut = window.matching.len() > window.rows.len();
    let cut = if cut { " of the rows on the screen" } else { "" };
    format!(
        "{}, window {}: {} compared, {near} near{cut}",
        counted(window.steps.len() as u64, "probe"),
        counted(window.matching.len() as u64, "row"),
        grouped(others as u64),
    )
}

/// Cells of the line of a comparison.
const LINE: usize = 16;

/// The binary search for the key, comparison by comparison.
fn search(app: &App) -> Option<Part<'_>> {
    let window = app.tables.window.as_ref()?;
    let (steps, shown) = (&window.steps, app.tables.probes);
    let second = steps.iter().position(|step| step.end == WindowEnd::Past);
    let second = second.filter(|second| *second < shown);
    let scales = pictured(&steps[..shown], LINE);
    let columns = vec![
        Column::number("", 2, 0, |row| (row + 1).to_string()),
        Column::words(" possible rows", 1 + LINE, move |row| picture(&steps[row], &scales[row])),
        Column::number("left", 9, 0, |row| grouped((steps[row].high - steps[row].low) as u64)),
        Column::number("", 22, 1, |row| finding(&steps[row])),
    ];
    let cursor = Cursor { selected: shown.saturating_sub(1), top: 0 };
    let n_rows = grouped(window.n_rows as u64);
    let list = List {
        none: format!("all {n_rows} rows are possible; Space compares one"),
        rule: second.map(|second| (second, "the first row behind the window".to_owned())),
        ..List::new(columns, shown, cursor)
    };
    Some(
        Part::new("binary search", 2..=steps.len() + 2, list)
            .remarked(format!("probe {shown} of {}", steps.len()))
            .at(Place::Right, 2),
    )
}

/// The rows that the line of each comparison stands for: all rows, or those that were possible when the line would have
/// less than two cells for them, enlarged.
fn pictured(steps: &[SearchStep], cells: usize) -> Vec<Range<usize>> {
    let mut rows = 0..0;
    let of_step = |step: &SearchStep| {
        let is_within = rows.start <= step.low && step.high <= rows.end;
        if !is_within || (step.high - step.low) * cells < 2 * rows.len() {
            rows = step.low..step.high;
        }
        rows.clone()
    };
    steps.iter().map(of_step).collect()
}

/// A line of rows at a comparison: the possible ones, the compared one among them, and the others.
fn picture(step: &SearchStep, rows: &Range<usize>) -> Tinted {
    let n_rows = rows.len().max(1);
    let cell = |row: usize| row.saturating_sub(rows.start) * LINE / n_rows;
    let middle = cell(step.middle).min(LINE - 1);
    let (low, high) = (cell(step.low).min(middle), cell(step.high).clamp(middle + 1, LINE));
    let [possible, other, compared] = [sign::RULE, sign::RULER, sign::PARTNER];
    let part = |cells: usize, glyph: char, tone| (glyph.to_string().repeat(cells), tone);
    Tinted(vec![
        part(1, ' ', Tone::Text),
        part(low, other, Tone::Muted),
        part(middle - low, possible, Tone::Strong),
        part(1, compared, Tone::Strong),
        part(high - middle - 1, possible, Tone::Strong),
        part(LINE - high, other, Tone::Muted),
    ])
}

/// The outcome of a comparison of a row's key with the key that is searched.
fn finding(step: &SearchStep) -> String {
    let sign = match (step.end, step.goes_up) {
        (WindowEnd::First, true) => "<",
        (WindowEnd::First, false) => ">=",
        (WindowEnd::Past, true) => "<=",
        (WindowEnd::Past, false) => ">",
    };
    format!("row {} {sign} key", grouped(step.middle as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_narrows_to_the_key_and_begins_anew_enlarged() {
        let step = |low, high, goes_up| {
            let middle = usize::midpoint(low, high);
            SearchStep { end: WindowEnd::First, low, middle, high, goes_up }
        };
        let steps = [
            step(0, 64, true),
            step(33, 64, false),
            step(33, 48, true),
            step(41, 48, true),
            step(45, 48, false),
        ];
        let rows = pictured(&steps, LINE / 2);
        assert_eq!(rows, [0..64, 0..64, 33..48, 33..48, 45..48]);
        let drawn = |at: usize| {
            let words = picture(&steps[at], &rows[at]).0;
            words.into_iter().map(|(words, _)| words).collect::<String>()
        };
        assert_eq!(
            [0, 1, 2].map(drawn),
            [" ────────◆───────", " ┄┄┄┄┄┄┄┄────◆───", " ───────◆────────"]
        );
    }
}
