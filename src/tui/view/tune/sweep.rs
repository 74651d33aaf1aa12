//! The Sweep view: recipes as a map of their F1, and below it the selected recipe at its best k.

use std::{ops::Range, sync::Arc};

use ratatui::{style::Style, text::Span};

use super::sweep_plan;
use crate::{
    analysis::{Reference, SweptRecipe},
    app::{App, ClickTarget, cursor::Cursor, layout::SizeClass, screen::tune::sweep::RunningSweep},
    evaluate::recall::Recall,
    facts::{figures::decimals, recipes::found},
    number::counted,
    tui::widget::{
        canvas::{Canvas, fit},
        table::{ColumnTable, listed},
    },
};

/// Cells of a cell of the map: a mark, a shade, a number, a blank.
const CELL: usize = 7;
/// Cells of a shingling's name.
const NAME: usize = 10;
/// Rows above the cells.
const HEADER: usize = 2;
/// F1 from which each shade but the first holds.
const SHADES: [f64; 4] = [0.5, 0.75, 0.9, 0.95];

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let state = &app.tune.sweep;
    let running = state.running.as_ref();
    let (width, height) = (canvas.width(), canvas.height());
    let rows = HEADER + state.grid.features.len();
    let legend = running.map_or_else(String::new, |_| legend(canvas));
    let is_wide = app.size.shape() == SizeClass::Wide;
    let mut y = rows;
    if is_wide {
        let truth = running.map(|running| {
            running.reference.as_ref().map_or("searching for the true pairs", |it| &*it.title)
        });
        let title =
            truth.map_or_else(|| "F1 of recipes".to_owned(), |truth| format!("F1 against {truth}"));
        let remark = running
            .map_or_else(|| "Enter fills the map".to_owned(), |running| progress(app, running));
        y += 2;
        map(app, &mut canvas.part(0, 0, width, y).framed(&title, &remark));
    } else {
        map(app, &mut canvas.part(0, 0, width, rows));
    }
    let remark = running.filter(|_| !is_wide).map(|running| progress(app, running));
    let remark = remark.filter(|it| !it.is_empty()).unwrap_or(legend);
    let mut lower = canvas.part(0, y, width, height.saturating_sub(y));
    let mut lower = match app.size.shape() {
        SizeClass::TooSmall | SizeClass::Small => lower,
        _ => lower.beneath(is_wide, &selected_name(app), &remark),
    };
    match running {
        Some(running) => details(app, running, &mut lower),
        None => sweep_plan::draw(app, &mut lower),
    }
}

/// The legend of the shades.
fn legend(canvas: &Canvas) -> String {
    let [least, rest @ ..] = canvas.theme.glyphs().shades;
    let below = |(shade, limit): (char, f64)| format!("{shade} <{}", short(limit));
    let mut parts: Vec<String> = [least].into_iter().chain(rest).zip(SHADES).map(below).collect();
    parts.push(format!("{} more", rest[3]));
    parts.join("  ")
}

/// The progress; empty when it is done.
fn progress(app: &App, running: &RunningSweep) -> String {
    let (done, all) = app.tune.sweep.steps();
    if app.tune.sweep.is_done() {
        return String::new();
    }
    if running.is_in_vain() {
        return "the sweep failed; x removes it".to_owned();
    }
    let Some(job) = app.tune.sweep.step.job().filter(|_| app.tune.sweep.step.is_running()) else {
        return format!("stopped at step {} of {all}; Enter resumes", done + 1);
    };
    let share = job.progress.percent().map_or(String::new(), |percent| format!(" {percent}%"));
    format!("step {} of {all}: {}{share}; ^C stops", done + 1, job.stage())
}

/// `.87`, and `1` for exactly 1: a smaller share is never rounded up to it.
fn short(share: f64) -> String {
    decimals(share, 2).trim_end_matches('0').to_owned()
}

/// The weightings that fit beside each other, including the selected one.
fn shown_weights(app: &App, width: usize) -> Range<usize> {
    let grid = &app.tune.sweep.grid;
    let group = grid.widths.len() * CELL + 1;
    let fits = (width.saturating_sub(NAME) / group).clamp(1, grid.weights.len());
    let selected = app.tune.sweep.column / grid.widths.len();
    let first = selected.saturating_sub(fits - 1);
    first..first + fits
}

fn map(app: &App, canvas: &mut Canvas) {
    let (theme, state) = (canvas.theme, &app.tune.sweep);
    let (grid, n_widths) = (&state.grid, state.grid.widths.len());
    canvas.at(1, 1, Span::styled("bits", theme.muted()));
    for (place, group) in shown_weights(app, canvas.width()).enumerate() {
        let x = NAME + place * (n_widths * CELL + 1);
        let more = if group + 1 < grid.weights.len() && x + 2 * n_widths * CELL > canvas.width() {
            format!("{} >", grid.weights[group])
        } else {
            grid.weights[group].to_string()
        };
        let before = if place == 0 && group > 0 { "< " } else { "" };
        canvas.at(x + 1, 0, Span::styled(format!("{before}{more}"), theme.strong()));
        for (at, width) in grid.widths.iter().enumerate() {
            let name = format!("  {width:<4}");
            canvas.at(x + at * CELL, 1, Span::styled(name, theme.muted()));
        }
        for (row, features) in grid.features.iter().enumerate() {
            canvas.at(1, HEADER + row, fit(&features.to_string(), NAME - 1));
            for at in 0..n_widths {
                let column = group * n_widths + at;
                let (text, style) = cell(app, row, column, canvas);
                canvas.at(x + at * CELL, HEADER + row, Span::styled(text, style));
                let by = [(row, state.row), (column, state.column)]
                    .map(|(to, at)| to as isize - at as isize);
                let target = ClickTarget::Select(by[0], by[1]);
                canvas.target(x + at * CELL, HEADER + row, CELL, target);
            }
        }
    }
}

/// A mark, a shade and the F1 of a cell.
fn cell(app: &App, row: usize, column: usize, canvas: &Canvas) -> (String, Style) {
    let (theme, state) = (canvas.theme, &app.tune.sweep);
    let glyphs = theme.glyphs();
    let swept = state.cell(row, column);
    let is_selected = (row, column) == (state.row, state.column);
    let is_used = match swept {
        Some(it) => it.settings.recipe == app.settings.recipe,
        None => is_recipe(app, row, column),
    };
    let mark = match (is_selected, is_used) {
        (true, _) => glyphs.cursor,
        (_, true) => glyphs.kept,
        _ => ' ',
    };
    let text = match swept.map(|swept| swept.at_best().f1().unwrap_or(0.0)) {
        Some(f1) => {
            let shade = glyphs.shades[SHADES.iter().filter(|from| f1 >= **from).count()];
            format!("{mark}{shade}{:<4}", decimals(f1, 3))
        }
        None => format!("{mark}  .. "),
    };
    let is_best = swept.zip(state.best()).is_some_and(|(one, best)| Arc::ptr_eq(one, best));
    let style = match (is_selected, is_best) {
        (true, _) => theme.text().patch(theme.selected()),
        (_, true) => theme.good(),
        _ => theme.text(),
    };
    (text, style)
}

/// Whether a cell that is not computed stands for the recipe in use.
fn is_recipe(app: &App, row: usize, column: usize) -> bool {
    let (grid, recipe) = (&app.tune.sweep.grid, &app.settings.recipe);
    let n_widths = grid.widths.len();
    grid.features[row] == recipe.features
        && grid.weights[column / n_widths] == recipe.weights
        && grid.widths[column % n_widths] == recipe.bits
}

/// The selected recipe by name.
fn selected_name(app: &App) -> String {
    let state = &app.tune.sweep;
    if let Some(swept) = state.selected() {
        return swept.settings.recipe.short();
    }
    let (grid, n_widths) = (&state.grid, state.grid.widths.len());
    let (weights, width) = (state.column / n_widths, state.column % n_widths);
    format!("{} {} bits={}", grid.features[state.row], grid.weights[weights], grid.widths[width])
}

/// The selected cell in words, then the results of other k.
fn details(app: &App, running: &RunningSweep, canvas: &mut Canvas) {
    let mut y = 0;
    for text in sentences(app, running) {
        y += canvas.paragraph(1, y, &text, Style::new());
    }
    let height = canvas.height();
    if let Some(swept) = app.tune.sweep.selected()
        && app.size.shape() >= SizeClass::Standard
    {
        list(swept, &mut canvas.part(0, y, canvas.width(), height.saturating_sub(y)));
    }
}

fn sentences(app: &App, running: &RunningSweep) -> Vec<String> {
    if let Some(problem) = &running.problem {
        return vec![problem.clone()];
    }
    let is_small = app.size.shape() == SizeClass::Small;
    let is_wide = app.size.shape() == SizeClass::Wide;
    let mut sentences = vec![match (app.tune.sweep.selected(), &running.reference) {
        (Some(swept), Some(reference)) => at_best(swept, reference, is_small),
        _ if is_small => progress(app, running),
        _ => "this recipe was not tried yet".to_owned(),
    }];
    if let Some(best) = app.tune.sweep.best()
        && let Some(k) = best.k()
        && !is_small
    {
        let f1 = decimals(best.at_best().f1().unwrap_or(0.0), 3);
        let so_far = if app.tune.sweep.is_done() { "" } else { " so far" };
        let recipe = best.settings.recipe.short();
        sentences.push(format!(
            "best{so_far}: {recipe} at k = {k}, F1 {f1}; Enter uses the selected one"
        ));
    }
    let tuning = app.tune.distances.tuning.as_ref();
    if let Some(advice) = tuning.and_then(|tuning| tuning.advice.as_ref())
        && !is_small
    {
        sentences.push(format!(
            "Distances recommends for {}: {} (by the recipe's own cosines, not those of this map)",
            app.settings.recipe.short(),
            advice.brief()
        ));
    }
    if let Some(reference) = running.reference.as_ref().filter(|_| !is_wide && !is_small) {
        sentences.push(format!("true pairs: {}", reference.title));
    }
    sentences
}

/// The results of a recipe at its best k.
fn at_best(swept: &SweptRecipe, reference: &Reference, is_small: bool) -> String {
    let Some(k) = swept.k() else {
        return "no k of this recipe finds a true pair".to_owned();
    };
    let found = swept.at_best();
    let share = |share: Option<Recall>| share.map_or_else(|| "-".to_owned(), interval);
    let (precision, recall) = (share(reference.precision(found)), share(reference.recall(found)));
    let f1 = decimals(found.f1().unwrap_or(0.0), 3);
    let method = reference.method();
    if is_small {
        return format!("k={k} F1 {f1} prec {precision} rec {recall}");
    }
    let farther = match swept.curve.reach() {
        Some(reach) if !swept.curve.is_settled() => {
            format!("; pairs were counted to {reach}, and a larger k may be better")
        }
        _ => String::new(),
    };
    let too_many = || "too many pairs to count".to_owned();
    let pairs = swept.pairs.map_or_else(too_many, |pairs| counted(pairs, "pair"));
    format!(
        "best at k = {k}: precision {precision}, recall {recall} ({method}), F1 {f1}; {pairs} of documents \
         within it{farther}",
    )
}

/// A share, with its interval where it is an estimate.
fn interval(share: Recall) -> String {
    let digits = |share: f64| decimals(share, 3);
    if share.low < share.high {
        format!("{} ({} to {})", digits(share.recall), digits(share.low), digits(share.high))
    } else {
        digits(share.recall)
    }
}

/// The pairs found at each k around the best one.
fn list(swept: &SweptRecipe, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let columns = listed(found()).collect();
    let n_rows = swept.curve.reach().map_or(0, |reach| reach as usize + 1);
    let best = swept.settings.k as usize;
    let top = best.saturating_sub(canvas.height().saturating_sub(1) / 2);
    let cursor = Cursor { selected: best, top };
    let mark = swept.k().map(|_| (theme.glyphs().kept, theme.good()));
    let row = |k| Some((k as u32, swept.curve.at(k as u32)?));
    ColumnTable::fitting(columns, canvas.width(), &[1]).draw(canvas, cursor, n_rows, mark, row);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluate::confusion::Confusion, facts::Room};

    #[test]
    fn a_blank_stands_before_every_number() {
        for n in [0, 130_565_273, 999_999_999, u64::from(u32::MAX).pow(2) / 8] {
            let pairs = Confusion { true_positives: n, false_positives: n, false_negatives: n };
            for fact in found() {
                let (text, cells) = (fact.value(&(0, pairs), Room::Cells), fact.cells);
                assert!(text.len() < cells && fact.title.len() < cells, "{text:?} in {cells}");
            }
        }
    }

    #[test]
    fn nothing_is_rounded_up_to_one() {
        let table = [(0.966_4, ".966"), (0.999_9, ".999"), (1.0, "1.00"), (0.0, ".000")];
        for (share, text) in table {
            assert_eq!(decimals(share, 3), text);
        }
        assert_eq!((short(0.5), short(0.95)), (".5".to_owned(), ".95".to_owned()));
    }
}
