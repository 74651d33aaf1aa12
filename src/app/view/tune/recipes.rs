//! The Recipes view: a map of recipes, each at its best k, and the pairs gained and lost against the recipe before.
//!
//! Tab turns from one to the other: the first part has the keys.

use std::sync::Arc;

use super::super::contract::{ListOfView, View};
use super::super::go::open_pair;
use super::changes;
use super::distances::each_k;
use crate::analysis::sweep::SweepPart;
use crate::analysis::{LayoutChoice, Reference, Settings, SweptRecipe};
use crate::app::page::{Block, List, Page, Part, Place, Shades, Tinted, Tone, listed};
use crate::app::screen::tune::sweep::{RunningSweep, SweepState};
use crate::app::{Action, App, Cursor, DerivedInput, Size, change_recipe, query, refuse, want};
use crate::evaluate::labels::Share;
use crate::facts::ExplainedNumber;
use crate::facts::figures::decimals;
use crate::facts::recipes::found;
use crate::id::DocId;
use crate::number::counted;

/// F1 from which each shade but the first holds.
const SHADES: [f64; 4] = [0.5, 0.75, 0.9, 0.95];

/// The Recipes view.
pub(in crate::app) struct RecipesView;

impl View for RecipesView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::OtherPart => app.tune.compare.leads ^= true,
            Action::Enter if app.tune.compare.leads => {
                let pair = self.documents(app);
                open_pair(app, &pair);
            }
            Action::Enter => enter(app),
            Action::Sideways(by) => step(app, 0, by),
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        app.tune.compare.leads.then(|| changes::list(app))
    }

    fn step(&self, app: &mut App, rows: isize) {
        if !app.tune.compare.leads {
            return step(app, rows, 0);
        }
        let list = changes::list(app);
        if list.len > 0 {
            return list.step(rows);
        }
        app.say(changes::about_no_rows(app));
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        let compare = &app.tune.compare;
        let pair = changes::pair(app, compare.cursor.selected).filter(|_| compare.leads);
        pair.into_iter().flatten().collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        changes::listed(app)
    }

    fn refresh(&self, app: &mut App) {
        changes::refresh(app);
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let state = &app.tune.sweep;
        let map = map(app);
        let rows = map.size.1 + 1 + map.legend.len();
        let mut parts = vec![
            Part::new("F1 score of recipes", rows - 1..=rows, Block::Shades(map))
                .remarked(progress(app).unwrap_or_default()),
            Part::text(&selected_name(app), sentences(app), 0, Place::Across, size),
        ];
        match state.selected() {
            _ if app.tune.compare.leads => {
                (parts[0].rank, parts[1].rank) = (4, 5);
                parts.splice(0..0, changes::parts(app));
                parts[0].rank = 0;
            }
            Some(swept) => parts.push(at_each_k(swept)),
            None => {
                if app.tune.compare.before.is_some() {
                    parts.extend(changes::parts(app));
                }
                let tuning = app.tune.distances.tuning.as_ref();
                let list = tuning.and_then(|tuning| each_k(app, tuning).into_iter().next());
                parts.extend(list.map(|list| Part { rows: 3..=size.body(), rank: 4, ..list }));
            }
        }
        Page { parts }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(swept) = app.tune.sweep.selected().filter(|_| !app.tune.compare.leads) else {
            return changes::numbers(app);
        };
        let k = swept.k().map_or_else(|| "-".to_owned(), |k| k.to_string());
        let mut numbers = vec![ExplainedNumber::new("best k", &k).explained(
            format!("the k with the largest F1: {k}"),
            "Each recipe has its own best k; the map compares the recipes at their best.",
        )];
        numbers.extend(ExplainedNumber::of(&found(), &(swept.settings.k, swept.at_best())));
        numbers
    }
}

/// Uses the selected recipe at its best k; if that is not known yet, starts or resumes the sweep. A sweep of another
/// recipe begins again.
fn enter(app: &mut App) {
    let sweep = &mut app.tune.sweep;
    let begun = sweep.running.as_ref().is_some_and(|it| it.is_of(&app.settings.recipe));
    if !begun && app.running.as_ref().is_some_and(|running| running.loads) {
        app.say("the sweep can start when the corpus is read");
    } else if !begun {
        sweep.step.clear();
        let base = app.settings.clone();
        sweep.running = Some(RunningSweep { base, ..RunningSweep::default() });
    } else if let Some(swept) = sweep.selected() {
        let Some(k) = swept.k() else { return app.say("no k of this recipe finds a true pair") };
        let layout = LayoutChoice::Auto;
        let settings = Settings { layout, ..swept.settings.clone() };
        if let Some(why) = refuse(app, &settings) {
            return app.say(why);
        }
        app.say(format!("recipe {}, k = {k}", settings.recipe.short()));
        change_recipe(app, settings);
    } else if sweep.step.is_running() {
        app.say("this cell is not computed yet; ^C stops the sweep");
    } else if let Some(running) = &mut sweep.running {
        running.is_stopped = false;
        sweep.step.retry();
    }
}

/// Moves the selection within the map.
fn step(app: &mut App, rows: isize, columns: isize) {
    let state = &mut app.tune.sweep;
    let moved =
        |at: usize, by: isize, of: usize| at.saturating_add_signed(by).min(of.saturating_sub(1));
    state.row = moved(state.row, rows, state.grid.features.len());
    state.column = moved(state.column, columns, state.columns());
}

/// Asks for the next step of a started sweep, on any screen.
pub(in crate::app) fn go_on(app: &mut App) {
    let Some((number, task)) = app.tune.sweep.next() else { return };
    let Some(running) = &app.tune.sweep.running else { return };
    if !running.is_stopped {
        want(app, query::SweepStep { number, task: DerivedInput(task) });
    }
}

/// Takes the cells of a step.
pub(in crate::app) fn take(app: &mut App) {
    let SweepState { running: Some(running), step, .. } = &mut app.tune.sweep else { return };
    // A stop that came too late for this step stops the next one.
    running.is_stopped = step.was_asked_to_stop();
    let Some(SweepPart { reference, swept, took }) = step.take() else { return };
    running.took += took;
    running.reference = Some(reference);
    running.swept.extend(swept);
    if app.tune.sweep.is_done() {
        to_best(app);
    }
}

/// Selects the best recipe.
fn to_best(app: &mut App) {
    let state = &mut app.tune.sweep;
    let place = state.best().zip(state.running.as_ref()).and_then(|(best, running)| {
        running.swept.iter().position(|swept| Arc::ptr_eq(swept, best))
    });
    if let Some(place) = place {
        (state.row, state.column) = (place / state.columns(), place % state.columns());
    }
}

// The page.

/// The F1 of each recipe at its best k: a row for each shingling, a column for each width of each weighting.
fn map(app: &App) -> Shades<'_> {
    let state = &app.tune.sweep;
    let (grid, used) = (&state.grid, &app.settings.recipe);
    let f1 = move |column, row| Some(state.cell(row, column)?.at_best().f1().unwrap_or(0.0));
    let shade = move |column, row| {
        f1(column, row).map_or(0, |f1: f64| SHADES.iter().filter(|from| f1 >= **from).count())
    };
    let text = move |column: usize, row: usize| -> Tinted {
        let swept = state.cell(row, column);
        let is_used = match swept {
            Some(it) => it.settings.recipe == *used,
            None => state.varied(row, column) == (used.features, used.weights, used.bits),
        };
        let is_best = swept.zip(state.best()).is_some_and(|(one, best)| Arc::ptr_eq(one, best));
        let f1 = f1(column, row).map_or_else(|| "..".to_owned(), |f1| decimals(f1, 3));
        match (is_best, is_used) {
            (true, _) => (f1, Tone::Good).into(),
            (_, true) => (f1, Tone::Strong).into(),
            _ => f1.into(),
        }
    };
    let column = |at: usize| match state.varied(0, at) {
        (_, weights, width) if at.is_multiple_of(grid.widths.len()) => format!("{weights} {width}"),
        (.., width) => format!(" {width}"),
    };
    let names = [
        (0..state.columns()).map(column).collect(),
        grid.features.iter().map(ToString::to_string).collect(),
    ];
    let [a, b, c, d] = SHADES.map(|it| decimals(it, 2));
    let legend = vec![format!(
        "shades: F1 from {a}, {b}, {c}, {d}; bold: the recipe in use; green: the best"
    )];
    Shades {
        size: (state.columns(), grid.features.len()),
        names,
        shade: Box::new(shade),
        text: Some(Box::new(text)),
        selected: Some((state.column, state.row)),
        legend,
    }
}

/// The progress; none before it begins, and when it is done under the present recipe.
fn progress(app: &App) -> Option<String> {
    let running = app.tune.sweep.running.as_ref()?;
    let (done, all) = app.tune.sweep.steps();
    if !running.is_of(&app.settings.recipe) {
        return Some("of another recipe; Enter begins again".to_owned());
    }
    if app.tune.sweep.is_done() {
        return None;
    }
    let Some(job) = app.tune.sweep.step.job().filter(|_| app.tune.sweep.step.is_running()) else {
        return Some(format!("stopped at step {} of {all}; Enter resumes", done + 1));
    };
    let share = job.progress.percent().map_or(String::new(), |percent| format!(" {percent}%"));
    Some(format!("step {} of {all}: {}{share}; ^C stops", done + 1, job.stage()))
}

/// The selected recipe by name.
fn selected_name(app: &App) -> String {
    let state = &app.tune.sweep;
    if let Some(swept) = state.selected() {
        return swept.settings.recipe.short();
    }
    let (features, weights, width) = state.varied(state.row, state.column);
    format!("{features} {weights} bits={width}")
}

/// The selected recipe in words; before a sweep, what it does and costs.
fn sentences(app: &App) -> Vec<Tinted> {
    let state = &app.tune.sweep;
    let Some(running) = &state.running else {
        return plan(app).map(Into::into).into();
    };
    if let Some(problem) = state.step.problem() {
        return vec![(problem, Tone::Warn).into()];
    }
    let mut sentences: Vec<Tinted> = vec![match (state.selected(), &running.reference) {
        (Some(swept), Some(reference)) => (at_best(swept, reference), Tone::Strong).into(),
        _ => "this recipe was not tried yet".into(),
    }];
    if let Some(best) = state.best()
        && let Some(k) = best.k()
    {
        let f1 = decimals(best.at_best().f1().unwrap_or(0.0), 3);
        let so_far = if state.is_done() { "" } else { " so far" };
        let recipe = best.settings.recipe.short();
        sentences.push(
            format!("best{so_far}: {recipe} at k = {k}, F1 {f1}; Enter uses the selected one")
                .into(),
        );
    }
    sentences.extend(running.reference.iter().map(|it| format!("true pairs: {}", it.title).into()));
    let tuning = app.tune.distances.tuning.as_ref();
    if let Some(advice) = tuning.and_then(|tuning| tuning.advice.as_ref()) {
        sentences.push(
            format!("Tune recommends for {}: {}", app.settings.recipe.short(), advice.brief())
                .into(),
        );
    }
    sentences
}

/// The explanation of a sweep, and its expected cost.
fn plan(app: &App) -> [String; 2] {
    let grid = &app.tune.sweep.grid;
    let n = counted(app.analysis.len() as u64, "document");
    let costs = counted(grid.fingerprintings() as u64, "time");
    [
        format!(
            "Enter sweeps {} recipes, a cell each, and finds the best k of each: the {n} are fingerprinted {costs}, in \
             the background. ^C stops that.",
            grid.n_cells()
        ),
        format!(
            "All are compared with one truth: two texts are alike if they have a {}. Copies are left out, because every \
             recipe finds them.",
            app.settings.alike.describe(&app.settings.recipe)
        ),
    ]
}

/// The results of a recipe at its best k.
fn at_best(swept: &SweptRecipe, reference: &Reference) -> String {
    let Some(k) = swept.k() else {
        return "no k of this recipe finds a true pair".to_owned();
    };
    let found = swept.at_best();
    let share = |share: Option<Share>| share.and_then(interval).unwrap_or_else(|| "-".to_owned());
    let (precision, recall) = (share(reference.precision(found)), share(reference.recall(found)));
    let f1 = decimals(found.f1().unwrap_or(0.0), 3);
    let method = reference.method();
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
fn interval(Share { value, low, high }: Share) -> Option<String> {
    let digits = |share: f64| decimals(share, 3);
    let value = digits(value?);
    let has_ends = low < high;
    Some(if has_ends { format!("{value} ({} to {})", digits(low), digits(high)) } else { value })
}

/// The pairs that a recipe finds at each k, around the best one.
fn at_each_k(swept: &SweptRecipe) -> Part<'_> {
    let row = |k: usize| Some((k as u32, swept.curve.at(k as u32)?));
    let len = swept.curve.reach().map_or(0, |reach| reach as usize + 1);
    let best = swept.settings.k as usize;
    let cursor = Cursor { selected: best, top: best.saturating_sub(3) };
    let columns = listed(found(), 0, row).collect();
    let list = List { none: "no k finds a pair".to_owned(), ..List::new(columns, len, cursor) };
    Part::new(format!("at each k; the best is {best}"), 3..=len + 1, list).at(Place::Across, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::confusion::Confusion;
    use crate::facts::Room;

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
    }
}
