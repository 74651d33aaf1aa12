//! Layouts: blocks and bands in one list, with what their numbers alone say, what the fingerprints of the corpus say,
//! and, once a layout is measured, what the texts say.
//!
//! A measured layout stays until the recipe, the corpus or tau changes.

mod words;

use std::rc::Rc;

use self::words::{about, curves, measured_bands, prices};
use super::super::contract::{ListOfView, View};
use super::super::go::prompt;
use crate::analysis::lab::{LabRow, USUAL_LAYOUTS, width_of};
use crate::analysis::offers::MeasuredLoad;
use crate::analysis::{LayoutChoice, LayoutOffer, Settings, check_layout};
use crate::app::ask::ask;
use crate::app::numbers::add_others;
use crate::app::page::{Column, List, Page, Part, Place, Tinted, Tone, cell_of, listed};
use crate::app::screen::tune::layouts::TAUS;
use crate::app::{Action, App, DerivedInput, Purpose, Size, follow_settings, query, refuse, want};
use crate::choice::cycled;
use crate::facts::ExplainedNumber;
use crate::facts::layouts::{LayoutRow, evaluations, layouts};
use crate::index::Layout;
use crate::present::planned::PlannedLayout;
use crate::sign;

/// The cosine at which the list tells the chance to be found.
const AT: f64 = 0.8;
/// A layout in the list, with all that is known of it.
struct Row<'a> {
    planned: PlannedLayout,
    /// The layout of tables, where these settings can have it.
    offer: Option<&'a LayoutOffer>,
    load: Option<&'a MeasuredLoad>,
    evaluation: Option<&'a LabRow>,
}

/// The Layouts view.
pub(in crate::app) struct LayoutsView;

impl View for LayoutsView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::Enter => enter(app),
            Action::Build => build(app),
            Action::Add => prompt(app, Purpose::Layout, String::new()),
            Action::Tau => {
                let state = &mut app.tune.layouts;
                state.tau = cycled(&TAUS, state.tau, 1);
                // Rows of another truth cannot be compared, so the layouts are measured again.
                let again = state.all();
                state.clear();
                state.ask(&again);
            }
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let (height, len) = (app.page_rows(), rows(app).len());
        Some(ListOfView { cursor: &mut app.tune.layouts.cursor, len, height })
    }

    fn refresh(&self, app: &mut App) {
        offer(app);
        let next = next_load(app).cloned();
        let state = &app.tune.layouts;
        let is_busy = state.load.is_running() || state.load.is_cancelled();
        if let Some(layout) = next.filter(|_| !is_busy) {
            want(app, query::LoadQuery(layout));
        }
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let state = &app.tune.layouts;
        let index = app.analysis.index.as_ref();
        let Some(index) = index.filter(|index| index.n_fingerprinted() > 1) else {
            let too_few = || "tables need two documents with features".to_owned();
            let why = app.why_no_fingerprints("layouts are").unwrap_or_else(too_few);
            return Page::saying("layouts", why, size);
        };
        let (k, rows) = (app.settings.k, Rc::<[_]>::from(rows(app)));
        let list = list(app, &rows);
        let (title, remark) = (format!("layouts for k = {k}"), format!("{} in use", sign::CHECK));
        let title_below = rows.get(state.cursor.selected).map(|row| row.planned.name.clone());
        let most = list.len + 1;
        let mut parts = vec![
            Part::new(title, most.min(9)..=most, list).remarked(remark),
            Part::text(&title_below.unwrap_or_default(), about(app), 1, Place::Left, size),
        ];
        if !rows.is_empty() {
            parts.push(curves(state, &rows));
            parts.extend(measured_bands(state));
            if state.offers.len() > 1 {
                parts.push(prices(app, index.n_distinct()));
            }
        }
        Page { parts }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(row) = selected(app) else { return Vec::new() };
        let by_texts = row.evaluation.map(|it| ExplainedNumber::of(&evaluations(), &it.evaluation));
        let by_tables = of_tables(app, &row).map(|it| ExplainedNumber::of(&layouts(), &it));
        // What the texts say has precedence over what the tables alone say.
        let mut numbers = by_texts.unwrap_or_default();
        add_others(&mut numbers, by_tables.unwrap_or_default());
        numbers
    }
}

/// The layouts in the order of the list.
fn rows(app: &App) -> Vec<Row<'_>> {
    let state = &app.tune.layouts;
    let Some(index) = &app.analysis.index else { return Vec::new() };
    let choices = state.choices(index.layout());
    let planned = PlannedLayout::all(&choices, &app.analysis.settings, index.n_distinct());
    let row = |planned: PlannedLayout| {
        let offer = state.offers.iter().find(|offer| offer.choice == planned.choice);
        let load = offer.and_then(|offer| state.load_of(&offer.layout));
        let evaluation = state.evaluated(planned.choice, &planned.name);
        Row { planned, offer, load, evaluation }
    };
    planned.into_iter().map(row).collect()
}

/// The selected layout.
fn selected(app: &App) -> Option<Row<'_>> {
    let at = app.tune.layouts.cursor.selected;
    rows(app).into_iter().nth(at)
}

/// The tables of a layout, with their load.
fn of_tables<'a>(app: &App, row: &Row<'a>) -> Option<LayoutRow<'a>> {
    let n = app.analysis.index.as_ref().map_or(0, |index| index.n_distinct() as u64);
    Some(LayoutRow { offer: row.offer?, load: row.load.map(|it| it.load.clone()), n })
}

/// The layout whose load is counted next: the selected one, then the others in order.
fn next_load(app: &App) -> Option<&Layout> {
    let state = &app.tune.layouts;
    let selected = selected(app).and_then(|row| row.offer);
    let mut layouts = selected.into_iter().chain(&state.offers).map(|offer| &offer.layout);
    layouts.find(|layout| state.load_of(layout).is_none())
}

/// Measures the usual layouts, then the selected one.
fn enter(app: &mut App) {
    // Stopped counting is resumed.
    app.tune.layouts.load.retry();
    let Some(row) = selected(app) else { return };
    if row.evaluation.is_some() {
        return app.say("this layout is measured; t measures all again at another cosine");
    }
    let choice = row.planned.choice;
    let state = &mut app.tune.layouts;
    let is_busy = state.evaluation.is_running() || !state.queue.is_empty();
    match state.rows.is_empty() {
        true if is_busy => {}
        true => {
            state.evaluation.forget();
            state.ask(&USUAL_LAYOUTS);
        }
        false if state.all().contains(&choice) => {}
        false => state.ask(&[choice]),
    }
}

/// Builds the tables with the selected layout.
fn build(app: &mut App) {
    let Some(PlannedLayout { choice, name, .. }) = selected(app).map(|row| row.planned) else {
        return;
    };
    let settings = Settings { layout: choice, ..app.settings.clone() };
    let checked = check_layout(settings.recipe.bits, choice, settings.k);
    let problem = checked.err().map(|why| why.to_string());
    if let Some(why) = problem.or_else(|| refuse(app, &settings)) {
        return app.say(why);
    }
    app.settings = settings;
    app.say(format!("tables {name}; commands take this layout with --blocks or --bands"));
    follow_settings(app);
}

/// Lists the layouts that tables can have.
fn offer(app: &mut App) {
    let Some(index) = &app.analysis.index else {
        app.tune.layouts.offers.clear();
        app.tune.layouts.offered = None;
        return;
    };
    if app.tune.layouts.offered == Some(app.versions.analysis) {
        return;
    }
    let had = app.tune.layouts.offered.and(selected(app)).map(|row| row.planned.choice);
    let offers = index.offers(&app.analysis.settings);
    let built = offers.iter().position(|offer| offer.layout == *index.layout());
    let state = &mut app.tune.layouts;
    (state.offers, state.offered) = (offers, Some(app.versions.analysis));
    let place = |choice| rows(app).iter().position(|row| row.planned.choice == choice);
    app.tune.layouts.cursor.selected = had.and_then(place).or(built).unwrap_or(0);
}

/// Takes the load of a layout.
pub(in crate::app) fn take_load(app: &mut App) {
    let state = &mut app.tune.layouts;
    state.measured.extend(state.load.take());
}

/// Takes a typed layout, or shows the problem with it.
pub(in crate::app) fn add(app: &mut App, text: &str) -> Result<(), String> {
    // The notation of the rows: 6c3k3 is six blocks at k = 3.
    let named =
        text.split_once('c').and_then(|(blocks, rest)| Some((blocks, rest.split_once('k')?.1)));
    let (text, k) = named.map_or((text, None), |(blocks, k)| (blocks, k.parse::<u32>().ok()));
    let now = app.analysis.settings.k;
    if let Some(k) = k.filter(|&k| k != now) {
        return Err(format!("that is a layout for k = {k}, but k is {now}; + and - change k"));
    }
    let layout = text.parse::<LayoutChoice>().map_err(|error| error.to_string())?;
    let own = app.analysis.settings.recipe.bits;
    let checked = check_layout(width_of(layout, &[layout], own), layout, now);
    checked.map_err(|error| error.to_string())?;
    app.tune.layouts.ask(&[layout]);
    Ok(())
}

/// Takes the result of a layout.
pub(in crate::app) fn on_tried(app: &mut App) {
    let state = &mut app.tune.layouts;
    let Some(tried) = state.evaluation.take() else { return };
    state.took += tried.took;
    if tried.lab.is_some() {
        state.lab = tried.lab;
    } else if tried.row.is_err() {
        // Without a truth no other layout can be measured.
        state.queue.clear();
    }
    if !matches!(tried.row, Ok(None)) {
        state.evaluation.forget();
    }
    match tried.row {
        Ok(row) => state.rows.extend(row),
        Err(problem) => state.problems.push(problem),
    }
}

/// Takes the reason why a layout was not measured.
pub(in crate::app) fn on_failed(app: &mut App, problem: &str) {
    app.tune.layouts.evaluation.forget();
    app.tune.layouts.problems.push(problem.to_owned());
    app.notice = Some(problem.to_owned());
}

/// Starts the next layout, whatever screen is shown.
pub(in crate::app) fn go_on(app: &mut App) {
    let over = (app.versions.recipe, app.analysis.len());
    let state = &mut app.tune.layouts;
    if state.over != Some(over) {
        if state.over.is_some() {
            state.clear();
        }
        state.over = Some(over);
    }
    // A started evaluation continues, whatever view is shown.
    if app.running.is_some() || state.evaluation.is_running() {
        return;
    }
    let Some((layout, wanted)) = state.queue.pop_front() else { return };
    let lab = DerivedInput(state.lab.clone());
    let query = query::LayoutEvaluationQuery { layout, wanted, tau: state.tau, lab };
    ask(app, query);
}

// The page.

fn list<'a>(app: &'a App, rows: &Rc<[Row<'a>]>) -> List<'a> {
    let state = &app.tune.layouts;
    let name = move |row: &Row<'_>| -> Tinted {
        let is_built = row.offer.is_some_and(|offer| offer.layout == *app.layout());
        let built = if is_built { sign::CHECK } else { ' ' };
        let is_sure = row.planned.guarantee() >= app.settings.k;
        let tone = if is_sure { Tone::Text } else { Tone::Warn };
        (format!("{:<10}{built} ", row.planned.name), tone).into()
    };
    let chance = |row: &Row<'_>| match row.planned.chance(AT) {
        some if (0.0..0.005).contains(&some) && some > 0.0 => "<0.01".to_owned(),
        chance => format!("{chance:.2}"),
    };
    let mut columns = vec![
        Column::words("layout", 13, cell_of(rows, name)),
        Column::number("at .8", 6, 1, cell_of(rows, chance)),
    ];
    let mut of_texts = evaluations();
    of_texts.retain(|fact| ["precision", "recall", "candidates"].contains(&fact.key));
    let evaluated = |row: &Row<'_>| Some((*row.evaluation?.evaluation).clone());
    columns.extend(listed(of_texts, 2, cell_of(rows, evaluated)));
    columns.extend(listed(layouts(), 2, cell_of(rows, move |row| of_tables(app, row))));
    List::new(columns, rows.len(), state.cursor)
}
