//! What each action does to the program.

use super::{
    super::{
        App, Effect, Screen,
        cursor::Cursor,
        keymap::Action,
        overlay::{Help, Overlay, Prompt, Purpose},
        query,
        recipe_form::RecipeForm,
        screen::{
            docs::{BitsView, View},
            near::DiffView,
        },
    },
    answers::ask,
    derive::lay_out,
    docs, groups,
    jobs::follow_settings,
    learn, near, stop, tune, unsaved,
};
use crate::{
    analysis::Settings, analysis::arrangement::List, analysis::arrangement::Order,
    analysis::query::Given, choice::turned, id::DocId, index::Linkage, text::visible,
};

pub(super) fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
    if own(app, action, effects) {
        return;
    }
    match action {
        Action::Help => app.overlay = Some(Overlay::Help(Help::default())),
        Action::Quit => unsaved::quit(app, effects),
        Action::Back => back(app),
        Action::Cancel => cancel(app, effects),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Mouse => toggle_mouse(app, effects),
        Action::Go(screen) => {
            app.near.opened_from = None;
            app.screen = screen;
        }
        Action::NextScreen => app.screen = turned(Screen::ALL, app.screen, 1),
        Action::PreviousScreen => app.screen = turned(Screen::ALL, app.screen, -1),
        Action::Step(rows) => step(app, rows),
        Action::HalfPage(halves) => step(app, halves * (height(app) / 2).max(1) as isize),
        Action::Page(pages) => step(app, pages * height(app).max(1) as isize),
        Action::First => step(app, isize::MIN / 2),
        Action::Last => step(app, isize::MAX / 2),
        Action::Enter if app.query().is_none() => {
            app.notice = Some("no document is selected".to_owned());
        }
        Action::Enter => {
            app.screen = match app.screen {
                Screen::Docs => Screen::Near,
                Screen::Near | Screen::Tables => Screen::Tables,
                Screen::Groups => return groups::enter(app),
                other => other,
            };
        }
        Action::Sideways(step) if app.screen == Screen::Groups => groups::sideways(app, step),
        Action::Linkage => app.groups.linkage = turned(Linkage::ALL, app.groups.linkage, 1),
        Action::Sideways(rows) => {
            let height = app.near_layout().list;
            app.near.cursor.step(rows, app.near.neighbours.len(), height);
        }
        Action::Find => prompt(app, Purpose::Find, String::new()),
        Action::Filter => prompt(app, Purpose::Filter, app.docs.filter_text.clone()),
        Action::FindNext(step) => match app.screen {
            Screen::Groups => groups::find_chain(app, step, effects),
            Screen::Near => next_difference(app, step),
            _ => find(app, step, effects),
        },
        Action::Sort => {
            app.docs.order = turned(Order::ALL, app.docs.order, 1);
            app.docs.reversed = false;
            app.docs.from_top = true;
        }
        Action::Reverse => {
            app.docs.reversed = !app.docs.reversed;
            app.docs.from_top = true;
        }
        Action::Bits => app.docs.bits = turned(BitsView::ALL, app.docs.bits, 1),
        Action::Scroll(rows) => scroll(app, rows),
        Action::Follow => follow(app),
        Action::DiffView => turn_columns(app),
        Action::Probe(step) => {
            let n_steps = app.tables.window.as_ref().map_or(0, |window| window.steps.len());
            // Behind the last comparison the search begins again.
            let at_end = app.tables.probes == n_steps && step > 0;
            app.tables.probes =
                if at_end { 0 } else { app.tables.probes.saturating_add_signed(step) };
        }
        Action::NextHit => match app.tables.next_hit() {
            Some(table) => select_table(app, table),
            None => {
                app.notice = Some(
                    "the pair is a candidate in no table: every key holds a differing bit"
                        .to_owned(),
                )
            }
        },
        Action::Recipe => {
            app.overlay = Some(Overlay::Recipe(Box::new(RecipeForm::new(&app.settings))))
        }
        Action::K(step) => change_k(app, step, effects),
        // Handled by the screens that have views.
        Action::View(_)
        | Action::Scale
        | Action::Zoom
        | Action::Forget
        | Action::Learn(_)
        | Action::Label(_)
        | Action::Lab(_)
        | Action::Cosine(_)
        | Action::WeakBit
        | Action::Best => {}
        Action::Hold => near::hold(app),
        Action::Problems => app.overlay = Some(Overlay::Problems(Cursor::default())),
        Action::Copy => copy(app, effects),
    }
}

/// Does what is a screen's own; false if the action is one like on every screen.
fn own(app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
    match app.screen {
        Screen::Docs => docs::act(app, action),
        Screen::Near => near::act(app, action),
        Screen::Tune => tune::act(app, action, effects),
        Screen::Learn => learn::act(app, action),
        Screen::Tables | Screen::Groups => false,
    }
}

/// Two columns or one, at the difference that showed.
fn turn_columns(app: &mut App) {
    app.near.diff_view = turned(DiffView::ALL, app.near.diff_view, 1);
    let rows = difference_rows(app);
    if let Some(row) = rows.get(app.near.difference) {
        app.near.text_top = row.saturating_sub(1);
    }
}

/// Copies the id of the document under the cursor; where a row is a pair, both, a tab between.
fn copy(app: &mut App, effects: &mut Vec<Effect>) {
    let ids: Vec<&str> =
        under_cursor(app).into_iter().map(|document| app.analysis.corpus.id(document)).collect();
    if ids.is_empty() {
        app.notice = Some("no document is under the cursor".to_owned());
        return;
    }
    let shown: Vec<_> = ids.iter().map(|id| visible(id)).collect();
    let (text, notice) = (ids.join("\t"), format!("copied: {}", shown.join("  ")));
    app.notice = Some(notice);
    effects.push(Effect::Copy(text));
}

/// The documents of the row under the cursor: one, the two of a pair, or none.
fn under_cursor(app: &App) -> Vec<DocId> {
    let pair = |pair: Option<(DocId, DocId)>| pair.map_or_else(Vec::new, |(a, b)| vec![a, b]);
    let neighbour = app.near.selected().map(|neighbour| neighbour.document);
    match app.screen {
        Screen::Docs => match app.docs.view {
            View::Documents | View::Bits => app.query().into_iter().collect(),
            View::Health => Vec::new(),
            View::Disagreements => pair(docs::selected_pair(app)),
        },
        Screen::Near => neighbour.or(app.near.query).into_iter().collect(),
        Screen::Tables => app.near.query.into_iter().chain(neighbour).collect(),
        Screen::Groups => app.query().into_iter().collect(),
        Screen::Tune => pair(tune::selected_pair(app)),
        Screen::Learn => Vec::new(),
    }
}

fn toggle_mouse(app: &mut App, effects: &mut Vec<Effect>) {
    app.mouse = !app.mouse;
    effects.push(Effect::CaptureMouse(app.mouse));
    let word = if app.mouse { "on" } else { "off: the terminal selects text" };
    app.notice = Some(format!("mouse {word}"));
}

/// The first `^C` stops the job and every query under way; a second one right after leaves, whatever
/// runs then: a job that waits for a silent pipe cannot hear.
fn cancel(app: &mut App, effects: &mut Vec<Effect>) {
    if app.leaving {
        effects.push(Effect::Quit);
        return;
    }
    app.leaving = true;
    let stopped = stop::stop_all(app);
    let state = match (&app.running, stopped) {
        (Some(running), _) => {
            running.job.progress.cancel();
            "stopping ..".to_owned()
        }
        (None, Some(name)) => format!("stopping the {name};"),
        (None, None) => "nothing runs that can be stopped;".to_owned(),
    };
    app.notice = Some(format!("{state} ^C again leaves"));
}

fn back(app: &mut App) {
    match app.screen {
        Screen::Docs if app.docs.matching.is_running() => app.docs.matching.forget(),
        Screen::Docs if !app.docs.filter.is_empty() => app.docs.lift_filter(),
        Screen::Docs => app.notice = Some("q leaves".to_owned()),
        Screen::Tables => app.screen = Screen::Near,
        Screen::Near => {
            let opened_from = app.near.opened_from.take();
            app.screen = opened_from.unwrap_or_else(|| groups::before_near(app));
        }
        Screen::Tune | Screen::Learn => app.screen = Screen::Docs,
        Screen::Groups => groups::back(app),
    }
}

pub(super) fn prompt(app: &mut App, purpose: Purpose, text: String) {
    app.overlay = Some(Overlay::Prompt(Prompt { purpose, line: text.into(), problem: None }));
}

pub(super) fn find(app: &mut App, step: isize, effects: &mut Vec<Effect>) {
    if app.docs.find.is_empty() {
        app.notice = Some("nothing to find yet; / asks for a part of an id".to_owned());
        return;
    }
    let (from, word) = (app.docs.cursor.selected, app.docs.find.clone());
    let list = Given(app.docs.list.clone());
    ask(app, query::Match { list, from, step, word }, effects);
}

/// Rows that a page moves by.
pub(super) fn height(app: &App) -> usize {
    match app.screen {
        Screen::Docs => app.docs_layout().list,
        Screen::Near => app.near_layout().list,
        Screen::Tables => app.tables_layout().grid,
        Screen::Groups => groups::height(app),
        Screen::Tune | Screen::Learn => app.size.body(),
    }
}

pub(super) fn step(app: &mut App, rows: isize) {
    let height = height(app);
    match app.screen {
        Screen::Docs => app.docs.cursor.step(rows, app.docs.len(), height),
        Screen::Near => app.near.cursor.step(rows, app.near.neighbours.len(), height),
        Screen::Tables => {
            let last = app.layout().tables().len().saturating_sub(1);
            select_table(app, app.tables.table.selected.saturating_add_signed(rows).min(last));
        }
        Screen::Groups => groups::step(app, rows),
        Screen::Tune | Screen::Learn => {}
    }
}

/// Selects a table; the grid is filled column by column and scrolls by whole columns of tables.
pub(super) fn select_table(app: &mut App, table: usize) {
    let n_tables = app.layout().tables().len();
    let grid = app.tables_layout();
    app.tables.table.select(table, n_tables, grid.grid * grid.columns);
}

fn scroll(app: &mut App, rows: isize) {
    if app.screen == Screen::Near {
        let last = app.near.rows.len().saturating_sub(app.near_layout().text);
        app.near.text_top = app.near.text_top.saturating_add_signed(rows).min(last);
    } else {
        let height = match app.screen {
            Screen::Groups => app.groups_layout().text,
            _ => app.docs_layout().preview,
        };
        let last = app.docs.preview.len().saturating_sub(height);
        app.docs.preview_top = app.docs.preview_top.saturating_add_signed(rows).min(last);
    }
}

/// Rows at which a difference begins.
fn difference_rows(app: &mut App) -> Vec<usize> {
    lay_out(app);
    let changed = |row: usize| app.near.rows[row].changed;
    (0..app.near.rows.len())
        .filter(|&row| changed(row) && (row == 0 || !changed(row - 1)))
        .collect()
}

/// Leaves the texts at their beginning if a difference shows there, else goes to the first one.
pub(super) fn show_first_difference(app: &mut App) {
    let first = difference_rows(app).first().copied().unwrap_or(0);
    app.near.difference = 0;
    app.near.text_top = if first < app.near_layout().text { 0 } else { first.saturating_sub(1) };
}

fn next_difference(app: &mut App, step: isize) {
    let rows = difference_rows(app);
    if rows.is_empty() {
        let clipped = app.near.texts.answer().is_some_and(|comparison| comparison.clipped);
        let of = if clipped { " in their first 256 kB" } else { "" };
        app.notice = Some(format!("the texts have the same words{of}"));
        return;
    }
    // Round the end, like every other search.
    let next = (app.near.difference as isize + step).rem_euclid(rows.len() as isize) as usize;
    app.near.difference = next;
    app.near.text_top = rows[next].saturating_sub(1);
    app.notice = Some(format!("difference {} of {}", next + 1, rows.len()));
}

fn follow(app: &mut App) {
    if let Some(neighbour) = app.near.selected() {
        select_document(app, neighbour.document);
    }
}

/// Makes a document the selected one, even if the filter hides it.
pub(super) fn select_document(app: &mut App, document: DocId) {
    let height = app.docs_layout().list;
    if app.docs.list.row_of(document).is_none() {
        // Every document until the rows without the filter come.
        app.docs.lift_filter();
        app.docs.show(List::all(app.analysis.len()), height);
    }
    app.docs.select(document, height);
}

/// Shows a pair on Near, however far its two documents are apart.
pub(super) fn open_pair(app: &mut App, query: DocId, other: DocId) {
    select_document(app, query);
    // The row under the cursor of Groups would be the query else.
    app.groups.is_open = false;
    app.near.held = Some(other);
    app.near.wished = Some(other);
    app.near.opened_from = Some(app.screen);
    // The list at hand may be that query's: it is made anew, so that the other is selected.
    app.near.listing.forget();
    app.screen = Screen::Near;
}

/// Why settings are refused: they cannot be, or chance alone would drown what they find.
pub(super) fn refuse(app: &App, settings: &Settings) -> Option<String> {
    let n = app.analysis.shelf.as_ref().map_or(0, |shelf| shelf.n_distinct());
    let checked = settings.check().and_then(|()| settings.check_pairs(n));
    checked.err().map(|error| error.to_string())
}

pub(super) fn change_k(app: &mut App, step: i32, effects: &mut Vec<Effect>) {
    let mut settings = app.settings.clone();
    settings.k = settings.k.saturating_add_signed(step);
    if settings.k == app.settings.k {
        return;
    }
    if let Some(why) = refuse(app, &settings) {
        app.notice = Some(why);
        return;
    }
    app.settings = settings;
    follow_settings(app, effects);
}
