//! Layouts: blocks and bands in one list, with what their numbers alone say, what the fingerprints of the corpus say,
//! and, once a layout is measured, what the texts say.
//!
//! A measured layout stays until the recipe, the corpus or tau changes. One row may be pinned, to compare the others
//! with it.

use std::sync::Arc;

use super::super::{
    contract::{ListOfView, View},
    go::{open_pair, prompt},
};
use crate::{
    analysis::{
        EvaluatedPair, LayoutChoice, LayoutEvaluation, LayoutOffer, Settings, check_layout,
        lab::{EvaluationPairs, LabRow, MOST_LISTED, USUAL_LAYOUTS, width_of},
        offers::MeasuredLoad,
    },
    app::{
        App, Effect,
        ask::{ask, want},
        change::{follow_settings, refuse},
        cursor::Cursor,
        keymap::Action,
        overlay::Purpose,
        page::{Block, Cell, Column, List, Page, Part, Place, Plot, Shades, Tinted, Tone, listed},
        query::{self, DerivedInput},
        screen::tune::layouts::{LayoutsState, TAUS},
    },
    choice::cycled,
    evaluate::recall::RecallMethod,
    facts::{
        ExplainedNumber,
        figures::many,
        layouts::{LayoutRow, evaluations, layouts},
    },
    id::DocId,
    index::{Layout, LayoutKind},
    number::{counted, grouped},
    present::{
        lab,
        planned::{MEANING, PlannedLayout},
    },
    text::visible,
};

/// The least cosine of the curves: below it hardly any layout finds a pair.
const FROM: f64 = 0.5;
/// The cosine at which the list tells the chance to be found.
const AT: f64 = 0.8;
/// Corpus sizes of the map of prices, by name.
const SIZES: [(f64, &str); 6] =
    [(1e4, "10k"), (1e5, "100k"), (1e6, "1M"), (1e7, "10M"), (1e8, "100M"), (1e9, "1B")];
/// The most documents of a full bucket that are named.
const MOST_NAMED: usize = 4;

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
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => enter(app, effects),
            Action::Build => build(app, effects),
            Action::Add => prompt(app, Purpose::Layout, String::new()),
            Action::Pin => {
                let selected = selected(app).map(|row| row.planned.choice);
                let state = &mut app.tune.layouts;
                state.pinned = if state.pinned == selected { None } else { selected };
            }
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
        let state = &mut app.tune.layouts;
        let (cursor, len) = match &state.listed {
            Some(listed) => (&mut state.listed_cursor, listed.pairs.len()),
            None => (&mut state.cursor, len),
        };
        Some(ListOfView { cursor, len, height })
    }

    fn back(&self, app: &mut App) -> bool {
        app.tune.layouts.listed.take().is_some()
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        selected_pair(app).map_or_else(Vec::new, |(a, b)| vec![a, b])
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let state = &app.tune.layouts;
        let pairs = state.listed.as_ref().map_or(&[][..], |listed| &listed.pairs);
        let rows = app.rows_to_know(state.listed_cursor, pairs.len(), app.page_rows());
        pairs[rows].iter().flat_map(|(pair, _)| pair.documents).collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        offer(app);
        let next = next_load(app).cloned();
        let state = &app.tune.layouts;
        let is_busy = state.load.is_running() || state.load.is_cancelled();
        if let Some(layout) = next.filter(|_| !is_busy) {
            want(app, query::LoadQuery(layout), effects);
        }
    }

    fn page<'a>(&self, app: &'a App) -> Option<Page<'a>> {
        Some(page(app))
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(row) = selected(app) else { return Vec::new() };
        let mut numbers = Vec::new();
        numbers
            .extend(row.evaluation.map(|it| ExplainedNumber::of(&evaluations(), &it.evaluation)));
        numbers.extend(of_tables(app, &row).map(|it| ExplainedNumber::of(&layouts(), &it)));
        let mut numbers = numbers.concat();
        // What the texts say has precedence over what the tables alone say.
        let names: Vec<String> = numbers.iter().map(|number| number.name.clone()).collect();
        let mut at = 0;
        numbers.retain(|number| {
            at += 1;
            !names[..at - 1].contains(&number.name)
        });
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

/// The pinned layout, if it is measured and not the selected one.
fn beside<'a>(app: &'a App, row: &Row<'_>) -> Option<&'a LabRow> {
    let pinned = app.tune.layouts.pinned.filter(|&pinned| pinned != row.planned.choice)?;
    rows(app).into_iter().find(|row| row.planned.choice == pinned)?.evaluation
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

/// Measures the usual layouts, then the selected one; then lists its missed and false pairs, or the pairs that it gains
/// and loses against the pinned one; then opens a listed pair.
fn enter(app: &mut App, effects: &mut Vec<Effect>) {
    if app.tune.layouts.listed.is_some() {
        if let Some((a, b)) = selected_pair(app) {
            open_pair(app, a, b);
        }
        return;
    }
    // Stopped counting is resumed.
    app.tune.layouts.load.retry();
    let Some(row) = selected(app) else { return };
    let (choice, evaluation) = (row.planned.choice, row.evaluation.cloned());
    let pinned = beside(app, &row).cloned();
    let state = &mut app.tune.layouts;
    let Some(evaluation) = evaluation else {
        let is_busy = state.evaluation.is_running() || !state.queue.is_empty();
        match state.rows.is_empty() {
            true if is_busy => {}
            true => {
                state.trying = None;
                state.ask(&USUAL_LAYOUTS);
            }
            false if state.all().contains(&choice) => {}
            false => state.ask(&[choice]),
        }
        return;
    };
    let Some(lab) = &state.lab else { return };
    if !lab.truth.is_exact() {
        app.notice = Some(
            "the truth is sampled: not every true pair is known, so no pairs are listed".to_owned(),
        );
        return;
    }
    let lab = DerivedInput(Arc::clone(lab));
    let (pinned, row) = (DerivedInput(pinned), DerivedInput(evaluation));
    ask(app, query::RowPairs { lab, pinned, row }, effects);
}

/// Builds the tables with the selected layout.
fn build(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(offer) = selected(app).and_then(|row| row.offer) else {
        app.notice = Some("these fingerprints cannot have tables of this layout".to_owned());
        return;
    };
    let name = offer.layout.name();
    let settings = Settings { layout: offer.choice, ..app.settings.clone() };
    if let Some(why) = refuse(app, &settings) {
        return app.say(why);
    }
    app.settings = settings;
    app.say(format!("tables {name}; commands take this layout with --blocks or --bands"));
    follow_settings(app, effects);
}

/// The selected pair, where pairs are listed.
fn selected_pair(app: &App) -> Option<(DocId, DocId)> {
    let listed = app.tune.layouts.listed.as_ref()?;
    let (pair, _) = listed.pairs.get(app.tune.layouts.listed_cursor.selected)?;
    Some(pair.documents.into())
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
    let row = had.and_then(place).or(built).unwrap_or(0);
    let (height, len) = (app.page_rows(), rows(app).len());
    app.tune.layouts.cursor.select(row, len, height);
}

/// Takes the load of a layout.
pub(in crate::app) fn take_load(app: &mut App) {
    let state = &mut app.tune.layouts;
    state.measured.extend(state.load.take());
}

/// Takes the pairs of a row.
pub(in crate::app) fn on_pairs(app: &mut App) {
    let Some(listed) = app.tune.layouts.asked_pairs.take() else { return };
    if listed.pairs.is_empty() {
        let same = "both layouts find the same true pairs";
        let all = "this layout misses no true pair and finds no false pair";
        app.notice = Some(if listed.pinned.is_some() { same } else { all }.to_owned());
    } else {
        app.tune.layouts.listed = Some(listed);
        app.tune.layouts.listed_cursor = Cursor::default();
    }
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
    if let Some((lab, truth)) = tried.lab {
        (state.lab, state.truth) = (Some(lab), Some(truth));
    } else if tried.row.is_err() {
        // Without a truth no other layout can be measured.
        state.queue.clear();
    }
    match tried.row {
        Ok(Some(row)) => {
            state.trying = None;
            state.rows.push(row);
        }
        Ok(None) => state.is_stopped = true,
        Err(problem) => {
            state.trying = None;
            state.problems.push(problem);
        }
    }
}

/// Takes the reason why a layout was not measured.
pub(in crate::app) fn on_failed(app: &mut App, problem: &str) {
    app.tune.layouts.trying = None;
    app.tune.layouts.problems.push(problem.to_owned());
    app.notice = Some(problem.to_owned());
}

/// Starts the next layout, whatever screen is shown.
pub(in crate::app) fn go_on(app: &mut App, effects: &mut Vec<Effect>) {
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
    (state.trying, state.is_stopped) = (Some(layout), false);
    let lab = DerivedInput(state.lab.clone());
    let query = query::LayoutEvaluationQuery { layout, wanted, tau: state.tau, lab };
    ask(app, query, effects);
}

// The page.

fn page(app: &App) -> Page<'_> {
    let state = &app.tune.layouts;
    let index = app.analysis.index.as_ref();
    let Some(index) = index.filter(|index| index.n_fingerprinted() > 1) else {
        let why = match (index, &app.running) {
            (Some(_), _) => "tables need two documents with features",
            (None, Some(_)) => "layouts are known when all documents are fingerprinted ..",
            (None, None) => {
                "the work was stopped before there were fingerprints; + or - resumes it"
            }
        };
        return Page {
            parts: vec![Part::text("layouts", vec![why.into()], 0, Place::Across, app.size)],
        };
    };
    let (k, rows) = (app.settings.k, rows(app));
    let list = match &state.listed {
        Some(listed) => pairs(app, listed),
        None => list(app, rows.len()),
    };
    let about = match &state.listed {
        Some(listed) => about_pairs(listed),
        None => about(app),
    };
    let (title, remark) = match &state.listed {
        Some(listed) => (format!("pairs of {}", listed.layout), "Esc goes back".to_owned()),
        None => (format!("layouts for k = {k}"), format!("{} in use", built_mark(app))),
    };
    let title_below = selected(app).map_or_else(String::new, |row| row.planned.name);
    let most = list.len + 1;
    let mut parts = vec![
        Part {
            title,
            remark,
            rows: most.min(9)..=most,
            rank: 0,
            place: Place::Across,
            block: Block::List(list),
        },
        Part::text(&title_below, about, 1, Place::Left, app.size),
    ];
    if state.listed.is_none() && !rows.is_empty() {
        parts.push(curves(state, rows));
        parts.extend(measured_bands(state));
        if state.offers.len() > 1 {
            parts.push(prices(app, index.n_distinct()));
        }
    }
    Page { parts }
}

/// The mark of the layout that the tables have.
fn built_mark(app: &App) -> char {
    if app.ascii { '*' } else { '✓' }
}

fn list(app: &App, len: usize) -> List<'_> {
    let all = move || rows(app);
    let row = move |at: usize| all().into_iter().nth(at);
    let state = &app.tune.layouts;
    let name = move |at: usize| -> Tinted {
        let Some(row) = row(at) else { return "".into() };
        let is_built = row.offer.is_some_and(|offer| offer.layout == *app.layout());
        let built = if is_built { built_mark(app) } else { ' ' };
        let pin = if state.pinned == Some(row.planned.choice) { 'p' } else { ' ' };
        let is_sure = row.planned.guarantee() >= app.settings.k;
        let tone = if is_sure { Tone::Text } else { Tone::Warn };
        (format!("{:<10}{built}{pin}", row.planned.name), tone).into()
    };
    let mut columns = vec![Column::words("layout", 13, name)];
    let at = move |at: usize| {
        row(at).map_or_else(String::new, |row| format!("{:.2}", row.planned.chance(AT)))
    };
    columns.push(Column::number("at .8", 6, 3, at));
    let mut of_texts = evaluations();
    of_texts.retain(|fact| ["precision", "recall", "candidates"].contains(&fact.key));
    columns.extend(listed(of_texts, 2, move |at| Some((*row(at)?.evaluation?.evaluation).clone())));
    columns.extend(listed(layouts(), 2, move |at| of_tables(app, &row(at)?)));
    List { columns, len, cursor: state.cursor, none: String::new() }
}

/// The pairs of the first kind, then those of the second.
fn pairs<'a>(app: &App, listed: &'a EvaluationPairs) -> List<'a> {
    let pair = move |at: usize| -> &(EvaluatedPair, bool) { &listed.pairs[at] };
    let kind = move |at: usize| match (&listed.pinned, pair(at).1) {
        (Some(_), true) => ("gained", Tone::Good),
        (Some(_), false) => ("lost", Tone::Warn),
        (None, true) => ("missed", Tone::Warn),
        (None, false) => ("false", Tone::Warn),
    };
    // Rounded down, so that only equal texts show a cosine of 1.
    let cosine = move |at: usize| format!("{:.4}", (pair(at).0.cosine * 1e4).floor() / 1e4);
    let names = move |at: usize| Cell::Pair(pair(at).0.documents);
    let columns = vec![
        Column::words("", 8, kind),
        Column::number("cosine", 8, 0, cosine),
        Column::number("d", 5, 0, move |at| pair(at).0.distance.to_string()),
        Column::words("  the first document of each text", None, names),
    ];
    let cursor = app.tune.layouts.listed_cursor;
    List { columns, len: listed.pairs.len(), cursor, none: String::new() }
}

fn about_pairs(listed: &EvaluationPairs) -> Vec<Tinted> {
    let ([first, second], layout) = (listed.totals, &listed.layout);
    let mut texts: Vec<Tinted> = vec![match &listed.pinned {
        Some(pinned) => format!(
            "{layout} finds {} of texts that {pinned} misses, and misses {} that {pinned} finds.",
            counted(first, "true pair"),
            grouped(second)
        ),
        None => format!(
            "{layout} misses {} of texts, and finds {} of texts that are false.",
            counted(first, "true pair"),
            counted(second, "pair")
        ),
    }
    .into()];
    if first + second > listed.pairs.len() as u64 {
        let most = grouped(MOST_LISTED as u64);
        texts.push(format!("Listed are the {most} of each kind with the highest cosine.").into());
    }
    texts
}

/// What happens, the selected layout, and the layouts that are best in something.
fn about(app: &App) -> Vec<Tinted> {
    let state = &app.tune.layouts;
    let mut texts: Vec<Tinted> = Vec::new();
    texts.extend(state.problems.iter().map(|it| (visible(it).into_owned(), Tone::Warn).into()));
    texts.extend(state.progress().map(|it| (it, Tone::Strong).into()));
    let Some(row) = selected(app) else { return texts };
    if let Some(it) = row.evaluation {
        texts.push((format!("{}.", lab::about(&it.evaluation, it.k)), Tone::Strong).into());
        let pinned = beside(app, &row);
        texts.extend(pinned.map(|pinned| lab::beside(&it.evaluation, &pinned.evaluation).into()));
        if it.evaluation.method == RecallMethod::Exact {
            let pairs = if pinned.is_some() { "gained and lost" } else { "missed and false" };
            texts.push(format!("Enter lists the pairs {pairs}.").into());
        }
        texts.extend(state.truth.clone().map(Tinted::from));
        texts.extend(app.running.is_some().then(|| "documents are read ..".into()));
    } else {
        if app.running.is_some() && !state.queue.is_empty() {
            texts.push("waits until the documents are read ..".into());
        } else if state.progress().is_none() {
            let what = if state.rows.is_empty() { "six usual layouts" } else { "it" };
            texts.push(
                    format!(
                        "Enter measures {what} with the texts: how many true pairs are found. True is a {}; t changes \
                         that.",
                        app.truth_of_layouts()
                    )
                    .into(),
                );
        }
        texts.push(format!("{}.", row.planned.in_words()).into());
    }
    texts.extend(fullest_bucket(app, &row).into_iter().map(Tinted::from));
    texts.extend(best(app).map(Tinted::from));
    texts.push((format!("{MEANING}."), Tone::Muted).into());
    texts
}

/// What the fingerprints of the fullest bucket have in common.
fn fullest_bucket(app: &App, row: &Row<'_>) -> Vec<String> {
    let Some(offer) = row.offer else { return Vec::new() };
    let Some(known) = row.load else {
        let stopped = app.tune.layouts.load.is_cancelled();
        let words = if stopped {
            "counting stopped; Enter resumes it"
        } else {
            "counting the pairs that share a key .."
        };
        return vec![words.to_owned()];
    };
    let Some(bucket) = &known.load.fullest_bucket else {
        return vec!["No two fingerprints share a key.".to_owned()];
    };
    let table = &offer.layout.tables()[bucket.table];
    let mut texts = vec![format!(
        "{} of {} fingerprints share the key of table {} ({}, {} bits).",
        grouped(bucket.size as u64),
        grouped(known.load.n_entries as u64),
        bucket.table + 1,
        table.letters(),
        table.key_bits,
    )];
    let Some(fullest) = &known.fullest_bucket else { return texts };
    let n = fullest.documents.len();
    let ids = fullest.documents.iter().take(MOST_NAMED);
    let ids: Vec<_> = ids.map(|&it| visible(app.analysis.corpus.id(it)).into_owned()).collect();
    let more = match n - ids.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // Of a full bucket only the first documents are read.
    let named = match n {
        _ if n < bucket.size => format!("The first {n} of them"),
        2 => "Both".to_owned(),
        n => format!("All {n}"),
    };
    let shared: Vec<_> = fullest.shared.iter().map(|it| visible(it).into_owned()).collect();
    texts.push(match fullest.n_shared {
        0 => format!("No feature is in all of {}{more}.", ids.join(", ")),
        n => format!(
            "{named} share {}: {}. They are {}{more}.",
            counted(n as u64, "feature"),
            shared.join(" / "),
            ids.join(", ")
        ),
    });
    texts
}

/// The layouts that find every pair and are best in something, once all are counted.
fn best(app: &App) -> Option<String> {
    let (state, k) = (&app.tune.layouts, app.settings.k);
    let sure = || state.offers.iter().filter(|offer| offer.layout.guarantees(k));
    let matches = |offer: &&LayoutOffer| state.load_of(&offer.layout).map(|it| it.load.candidates);
    if sure().any(|offer| matches(&offer).is_none()) {
        return None;
    }
    let fewest = sure().min_by_key(|offer| offer.layout.tables().len())?;
    let lightest = sure().min_by_key(matches)?;
    let about = |offer: &LayoutOffer| {
        let tables = counted(offer.layout.tables().len() as u64, "table");
        let matches = many(matches(&offer).unwrap_or(0));
        format!("{} ({tables}, {matches} key matches)", offer.layout.name())
    };
    let all = format!("Of the layouts that find every pair within k = {k},");
    Some(if fewest.choice == lightest.choice {
        format!("{all} {} has the fewest tables and the fewest key matches.", about(fewest))
    } else {
        format!(
            "{all} {} has the fewest tables, {} the fewest key matches.",
            about(fewest),
            about(lightest)
        )
    })
}

/// The share of pairs that each layout finds, by their cosine; that of the selected one stands out.
fn curves<'a>(state: &LayoutsState, rows: Vec<Row<'_>>) -> Part<'a> {
    let selected = state.cursor.selected;
    let mut planned: Vec<(usize, PlannedLayout)> =
        rows.into_iter().map(|row| row.planned).enumerate().collect();
    // The selected curve is drawn over the others.
    planned.sort_by_key(|(at, _)| *at == selected);
    let curve = |(at, it): (usize, PlannedLayout)| -> (Box<dyn Fn(f64) -> f64>, Tone) {
        let tone = if at == selected { Tone::Good } else { Tone::Muted };
        (Box::new(move |cosine| it.chance(cosine)), tone)
    };
    Part {
        title: "share of pairs found, by their cosine".to_owned(),
        remark: format!("true from {}", state.tau),
        rows: 7..=24,
        rank: 2,
        place: Place::Right,
        block: Block::Plot(Plot {
            over: "cosine",
            range: (FROM, 1.0),
            curves: planned.into_iter().map(curve).collect(),
            points: Vec::new(),
            limit: Some(state.tau),
        }),
    }
}

/// A measured share: its name, and its value in an evaluation.
type Measure = (&'static str, fn(&LayoutEvaluation) -> Option<f64>);
const MEASURES: [Measure; 2] = [
    ("recall", |it| it.recall.or(it.recall_distinct).map(|recall| recall.recall)),
    ("precision", LayoutEvaluation::precision),
];

/// Precision and recall of the measured bands, by their bits; a mark is the number of bands.
fn measured_bands(state: &LayoutsState) -> Vec<Part<'static>> {
    let bands: Vec<_> = state.rows.iter().map(|row| &*row.evaluation).collect();
    let bits = bands.iter().filter_map(|it| match it.kind {
        LayoutKind::Bands { bits, .. } => Some(f64::from(bits)),
        _ => None,
    });
    let range = bits.fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(it), high.max(it)));
    if range.0 >= range.1 {
        return Vec::new();
    }
    let widths = lab::widths(bands.iter().copied());
    let part = |((name, share), rank): (Measure, u8)| {
        let point = |it: &&LayoutEvaluation| match it.kind {
            LayoutKind::Bands { bands, bits } => {
                let mark = char::from_digit(bands, 10).unwrap_or('+');
                Some((f64::from(bits), share(it)?, mark))
            }
            _ => None,
        };
        let points = bands.iter().filter_map(point).collect();
        Part {
            title: format!("{name}, by the bits of a band"),
            remark: format!("3: three bands, *: several; {widths}"),
            rows: 6..=16,
            rank,
            place: Place::Right,
            block: Block::Plot(Plot {
                over: "bits",
                range,
                curves: Vec::new(),
                points,
                limit: None,
            }),
        }
    };
    MEASURES.into_iter().zip([3, 4]).map(part).collect()
}

/// Key matches of one query by chance, in corpora of many sizes.
fn prices(app: &App, n: usize) -> Part<'_> {
    let offers = &app.tune.layouts.offers;
    let shade = move |column: usize, row: usize| {
        let matches = SIZES[column].0 * offers[row].layout.expected_shared_tables();
        [1.0, 10.0, 100.0, 1000.0].iter().filter(|step| matches >= **step).count()
    };
    let names = [
        SIZES.iter().map(|(_, name)| format!("{name:>4}")).collect(),
        offers.iter().map(|offer| offer.layout.name()).collect(),
    ];
    let legend = vec!["shades: from 1, 10, 100, 1,000 key matches of a query".to_owned()];
    Part {
        title: "price: key matches by chance".to_owned(),
        remark: format!("{} here", grouped(n as u64)),
        rows: offers.len() + 2..=offers.len() + 2,
        rank: 5,
        place: Place::Left,
        block: Block::Shades(Shades {
            size: (SIZES.len(), offers.len()),
            names,
            shade: Box::new(shade),
            text: None,
            selected: None,
            legend,
        }),
    }
}
