//! One message at a time: what changes, and what is to be done.
//!
//! After every message the derived parts (neighbours, explanation, window, open document) are brought
//! up to date with the selection; what needs reading leaves as an effect.

use std::sync::Arc;

use super::{
    App, Effect, Message, Screen,
    filter::Filter,
    key::{Code, Key, Mouse, MouseAction},
    keymap::{Action, lookup},
    layout::{Shape, Size},
    overlay::{Help, Overlay, Prompt, Purpose, edit},
    recipe_form::RecipeForm,
    screen::{
        docs::{BitsView, Order},
        near::DiffView,
        tables::TableWindow,
    },
};
use crate::{
    analysis::{Analysis, Work},
    app::cursor::Cursor,
    explain::PairExplanation,
    text::visible,
};

/// Takes a message; returns the work it asks for.
pub fn update(app: &mut App, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    match message {
        Message::Key(key) => {
            app.notice = None;
            on_key(app, key, &mut effects);
        }
        Message::Paste(text) => paste(app, &text, &mut effects),
        Message::Mouse(mouse) => on_mouse(app, mouse),
        Message::Resize { width, height } => {
            app.size = Size { width, height };
            let (docs, near) = (app.docs_layout().list, app.near_layout().list);
            app.docs.cursor.fit(app.docs.len(), docs);
            app.near.cursor.fit(app.near.neighbours.len(), near);
        }
        Message::Tick => app.ticks = app.ticks.wrapping_add(1),
        Message::Analysed { number, analysis, finished } => {
            on_analysed(app, number, analysis, finished, &mut effects);
        }
        Message::AnalysisFailed { number, problem } => on_failed(app, number, problem, &mut effects),
        Message::Inspected { number, result } => {
            if app.inspecting.is_some_and(|(.., asked)| asked == number) {
                match result {
                    Ok(inspection) => app.inspection = Some(inspection),
                    Err(problem) => {
                        app.notice = Some(problem);
                        app.inspecting = app.inspecting.take().map(|(document, version, _)| (document, version, 0));
                        app.inspection = None;
                    }
                }
            }
        }
        Message::Compared { number, result } => {
            if app.comparing.is_some_and(|(.., asked)| asked == number) {
                match result {
                    Ok(comparison) => app.near.comparison = Some(comparison),
                    Err(problem) => app.notice = Some(problem),
                }
            }
        }
    }
    derive(app, &mut effects);
    effects
}

fn on_analysed(app: &mut App, number: u64, analysis: Arc<Analysis>, finished: bool, effects: &mut Vec<Effect>) {
    let Some(running) = app.running.as_ref().filter(|running| running.number == number) else { return };
    // A corpus being read grows on the screen; a new recipe takes the old one's place when it is done.
    if running.loads || finished {
        app.analysis = analysis;
        app.version += 1;
        if finished || app.arranged == 0 || app.docs.filter.is_empty() && app.docs.order == Order::Corpus {
            let height = app.docs_layout().list;
            app.docs.arrange(&app.analysis, height);
            app.arranged = app.version;
        }
    }
    if finished {
        app.running = None;
        if std::mem::take(&mut app.pending) {
            follow_settings(app, effects);
        }
    }
}

fn on_failed(app: &mut App, number: u64, problem: String, effects: &mut Vec<Effect>) {
    let Some(running) = app.running.take_if(|running| running.number == number) else { return };
    let cancelled = running.job.progress.is_cancelled();
    if app.analysis.is_empty() && running.loads && !cancelled {
        app.failure = Some(problem);
        effects.push(Effect::Quit);
        return;
    }
    app.stopped = cancelled;
    app.notice = Some(if cancelled { "stopped; what is shown is what was there so far".to_owned() } else { problem });
    let height = app.docs_layout().list;
    app.docs.arrange(&app.analysis, height);
    app.pending = false;
}

/// Brings the analysis after the settings: a new recipe fingerprints anew, a new k or layout reshelves.
fn follow_settings(app: &mut App, effects: &mut Vec<Effect>) {
    if app.running.as_ref().is_some_and(|running| running.loads) {
        app.pending = true;
        app.notice = Some("the change follows when the corpus is read".to_owned());
        return;
    }
    let had = &app.analysis.settings;
    let same_recipe = had.recipe == app.settings.recipe && app.analysis.sketches.len() == app.analysis.len();
    let work = if same_recipe {
        Work::Reshelve(Arc::clone(&app.analysis))
    } else {
        Work::Refingerprint(app.analysis.corpus.clone())
    };
    effects.push(app.start(work));
}

fn on_key(app: &mut App, key: Key, effects: &mut Vec<Effect>) {
    // ^C, ^Z and ^L mean the same everywhere.
    let always = matches!(key, Key { code: Code::Char('c' | 'z' | 'l'), ctrl: true, .. });
    if app.overlay.is_some() && !always {
        on_overlay_key(app, key, effects);
    } else if let Some(action) = lookup(app.screen, key) {
        act(app, action, effects);
    }
}

fn on_overlay_key(app: &mut App, key: Key, effects: &mut Vec<Effect>) {
    let Some(mut overlay) = app.overlay.take() else { return };
    if key.code == Code::Esc {
        return;
    }
    let page = app.size.body().saturating_sub(4);
    let stays = match &mut overlay {
        Overlay::Help(help) => {
            let found = help.bindings(app.screen);
            match key.code {
                Code::Enter => {
                    if let Some(binding) = found.get(help.cursor.selected) {
                        act(app, binding.action, effects);
                    }
                    return;
                }
                Code::Down => help.cursor.step(1, found.len(), page),
                Code::Up => help.cursor.step(-1, found.len(), page),
                Code::PageDown => help.cursor.step(page as isize, found.len(), page),
                Code::PageUp => help.cursor.step(-(page as isize), found.len(), page),
                _ => {
                    edit(&mut help.line, key);
                    help.cursor = Cursor::default();
                }
            }
            // `?` again closes what `?` opened.
            key != Key::char('?')
        }
        Overlay::Problems(cursor) => {
            let n = app.analysis.diagnostics().count();
            match key.code {
                Code::Down | Code::Char('j') => cursor.step(1, n, page),
                Code::Up | Code::Char('k') => cursor.step(-1, n, page),
                Code::PageDown => cursor.step(page as isize, n, page),
                Code::PageUp => cursor.step(-(page as isize), n, page),
                _ => {}
            }
            !matches!(key.code, Code::Char('q' | '!') | Code::Enter)
        }
        Overlay::Prompt(prompt) => !on_prompt_key(app, prompt, key),
        Overlay::Recipe(form) => !on_recipe_key(app, form, key, effects),
    };
    if stays && app.overlay.is_none() {
        app.overlay = Some(overlay);
    }
}

/// A key for a line being typed; true when the line is done.
fn on_prompt_key(app: &mut App, prompt: &mut Prompt, key: Key) -> bool {
    if key.code != Code::Enter {
        edit(&mut prompt.line, key);
        prompt.problem = None;
        return false;
    }
    let text = prompt.line.value().trim().to_owned();
    let height = app.docs_layout().list;
    match prompt.purpose {
        Purpose::Find => {
            app.docs.find = text.to_lowercase();
            find(app, 1);
        }
        Purpose::Filter => match text.parse::<Filter>() {
            Ok(filter) => {
                app.docs.filter = filter;
                app.docs.filter_text = text;
                app.docs.arrange(&app.analysis, height);
                if app.docs.is_empty() {
                    app.notice = Some("no document passes the filter; f changes it, Esc clears it".to_owned());
                }
            }
            Err(error) => {
                prompt.problem = Some(error.to_string());
                return false;
            }
        },
    }
    true
}

/// A key for the recipe; true when the form is done.
fn on_recipe_key(app: &mut App, form: &mut RecipeForm, key: Key, effects: &mut Vec<Effect>) -> bool {
    match key.code {
        Code::Down | Code::Tab | Code::Char('j') => form.step(1),
        Code::Up | Code::BackTab | Code::Char('k') => form.step(-1),
        Code::Right | Code::Char('l' | ' ' | '+') => form.change(1),
        Code::Left | Code::Char('h' | '-') => form.change(-1),
        Code::Char(c) if c.is_ascii_digit() && form.field().is_number() => {
            form.digit(c.to_digit(10).unwrap_or(0));
        }
        Code::Backspace if form.field().is_number() => form.erase(),
        Code::Char('q' | 'r') => return true,
        Code::Enter if form.check().is_ok() => {
            app.settings = form.settings.clone();
            follow_settings(app, effects);
            return true;
        }
        _ => {}
    }
    false
}

fn paste(app: &mut App, text: &str, effects: &mut Vec<Effect>) {
    if matches!(app.overlay, Some(Overlay::Prompt(_) | Overlay::Help(_))) {
        for c in text.chars().filter(|c| !c.is_control()).take(1000) {
            on_overlay_key(app, Key::char(c), effects);
        }
    }
}

fn act(app: &mut App, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::Help => app.overlay = Some(Overlay::Help(Help::default())),
        Action::Quit => effects.push(Effect::Quit),
        Action::Back => back(app),
        Action::Cancel => match &app.running {
            Some(running) => running.job.progress.cancel(),
            None => effects.push(Effect::Quit),
        },
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Mouse => {
            app.mouse = !app.mouse;
            effects.push(Effect::CaptureMouse(app.mouse));
            let word = if app.mouse { "on" } else { "off: the terminal selects text" };
            app.notice = Some(format!("mouse {word}"));
        }
        Action::Go(screen) => app.screen = screen,
        Action::NextScreen => app.screen = neighbour_screen(app.screen, 1),
        Action::PreviousScreen => app.screen = neighbour_screen(app.screen, -1),
        Action::Step(rows) => step(app, rows),
        Action::HalfPage(halves) => step(app, halves * (height(app) / 2).max(1) as isize),
        Action::Page(pages) => step(app, pages * height(app).max(1) as isize),
        Action::First => step(app, isize::MIN / 2),
        Action::Last => step(app, isize::MAX / 2),
        Action::Enter => {
            app.screen = match app.screen {
                Screen::Docs => Screen::Near,
                Screen::Near | Screen::Tables => Screen::Tables,
            };
        }
        Action::Sideways(rows) => {
            let height = app.near_layout().list;
            app.near.cursor.step(rows, app.near.neighbours.len(), height);
        }
        Action::Find => prompt(app, Purpose::Find, String::new()),
        Action::Filter => prompt(app, Purpose::Filter, app.docs.filter_text.clone()),
        Action::FindNext(step) => match app.screen {
            Screen::Near => next_difference(app, step),
            _ => find(app, step),
        },
        Action::Sort => {
            app.docs.order = next(Order::ALL, app.docs.order);
            app.docs.reversed = false;
            rearrange(app);
        }
        Action::Reverse => {
            app.docs.reversed = !app.docs.reversed;
            rearrange(app);
        }
        Action::Bits => app.docs.bits = next(BitsView::ALL, app.docs.bits),
        Action::Scroll(rows) => scroll(app, rows),
        Action::Follow => follow(app),
        Action::DiffView => {
            app.near.view = next(DiffView::ALL, app.near.view);
            app.near.text_top = 0;
        }
        Action::Probe(step) => {
            let n_steps = app.tables.window.as_ref().map_or(0, |window| window.steps.len());
            app.tables.probes = app.tables.probes.saturating_add_signed(step).min(n_steps);
        }
        Action::NextHit => match app.tables.next_hit() {
            Some(table) => select_table(app, table),
            None => app.notice = Some("no table catches this pair: every key holds a differing bit".to_owned()),
        },
        Action::Recipe => app.overlay = Some(Overlay::Recipe(Box::new(RecipeForm::new(&app.settings)))),
        Action::K(step) => change_k(app, step, effects),
        Action::Problems => app.overlay = Some(Overlay::Problems(Cursor::default())),
        Action::Copy => {
            if let Some(document) = app.query() {
                let id = app.analysis.corpus.id(document).to_owned();
                app.notice = Some(format!("copied: {}", visible(&id)));
                effects.push(Effect::Copy(id));
            }
        }
    }
}

fn back(app: &mut App) {
    match app.screen {
        Screen::Docs if !app.docs.filter.is_empty() => {
            app.docs.filter = Filter::default();
            app.docs.filter_text.clear();
            rearrange(app);
        }
        Screen::Docs => app.notice = Some("q leaves".to_owned()),
        Screen::Near => app.screen = Screen::Docs,
        Screen::Tables => app.screen = Screen::Near,
    }
}

fn prompt(app: &mut App, purpose: Purpose, text: String) {
    app.overlay = Some(Overlay::Prompt(Prompt { purpose, line: text.into(), problem: None }));
}

fn rearrange(app: &mut App) {
    let height = app.docs_layout().list;
    app.docs.arrange(&app.analysis, height);
}

fn find(app: &mut App, step: isize) {
    if app.docs.find.is_empty() {
        app.notice = Some("nothing to find yet; / asks for a part of an id".to_owned());
        return;
    }
    let height = app.docs_layout().list;
    match app.docs.next_match(&app.analysis, step) {
        Some(row) => app.docs.cursor.select(row, app.docs.len(), height),
        None => app.notice = Some(format!("no id holds {:?}", app.docs.find)),
    }
}

/// Rows that a page moves by.
fn height(app: &App) -> usize {
    match app.screen {
        Screen::Docs => app.docs_layout().list,
        Screen::Near => app.near_layout().list,
        Screen::Tables => app.tables_layout().grid,
    }
}

fn step(app: &mut App, rows: isize) {
    let height = height(app);
    match app.screen {
        Screen::Docs => app.docs.cursor.step(rows, app.docs.len(), height),
        Screen::Near => app.near.cursor.step(rows, app.near.neighbours.len(), height),
        Screen::Tables => {
            let last = app.layout().tables().len().saturating_sub(1);
            select_table(app, app.tables.table.selected.saturating_add_signed(rows).min(last));
        }
    }
}

/// Selects a table; the grid is filled column by column and scrolls by whole columns of tables.
fn select_table(app: &mut App, table: usize) {
    let n_tables = app.layout().tables().len();
    let grid = app.tables_layout();
    app.tables.table.select(table, n_tables, grid.grid * grid.columns);
}

fn scroll(app: &mut App, rows: isize) {
    match app.screen {
        Screen::Near => {
            let last = app.text_rows().len().saturating_sub(app.near_layout().text);
            app.near.text_top = app.near.text_top.saturating_add_signed(rows).min(last);
        }
        _ => {
            let lines = app.open_document().and_then(|open| open.lines.as_ref()).map_or(0, Vec::len);
            // Lines wrap when drawn, so that the last one may fill a screen of its own.
            app.docs.preview_top = app.docs.preview_top.saturating_add_signed(rows).min(lines.saturating_sub(1));
        }
    }
}

fn next_difference(app: &mut App, step: isize) {
    let rows: Vec<bool> = app.text_rows().iter().map(|row| row.changed).collect();
    let starts = |row: &usize| rows[*row] && (*row == 0 || !rows[row - 1]);
    let here = app.near.text_top;
    let found = if step > 0 {
        (here + 1..rows.len()).find(starts)
    } else {
        (0..here.min(rows.len())).rev().find(starts)
    };
    match found {
        Some(row) => app.near.text_top = row,
        None => app.notice = Some("no further difference".to_owned()),
    }
}

fn follow(app: &mut App) {
    let Some(neighbour) = app.near.selected() else { return };
    let height = app.docs_layout().list;
    app.docs.select(neighbour.document, height);
    if app.docs.selected() != Some(neighbour.document) {
        app.docs.filter = Filter::default();
        app.docs.filter_text.clear();
        app.docs.arrange(&app.analysis, height);
        app.docs.select(neighbour.document, height);
    }
}

fn change_k(app: &mut App, step: i32, effects: &mut Vec<Effect>) {
    let mut settings = app.settings.clone();
    settings.k = settings.k.saturating_add_signed(step);
    if settings.k == app.settings.k {
        return;
    }
    match settings.check() {
        Ok(()) => {
            app.settings = settings;
            follow_settings(app, effects);
        }
        Err(error) => app.notice = Some(error.to_string()),
    }
}

fn on_mouse(app: &mut App, mouse: Mouse) {
    if app.overlay.is_some() {
        return;
    }
    match mouse.action {
        MouseAction::WheelUp => step(app, -3),
        MouseAction::WheelDown => step(app, 3),
        MouseAction::Click => click(app, mouse),
    }
}

fn click(app: &mut App, mouse: Mouse) {
    if mouse.row == 0 {
        // " simscope " stands before the tabs; each takes ten cells.
        let tab = (mouse.column as usize).checked_sub(10).map(|column| column / 10);
        if let Some(screen) = tab.and_then(|tab| Screen::ALL.get(tab)) {
            app.screen = *screen;
        }
        return;
    }
    let first_row = if app.size.shape() == Shape::Wide { 4 } else { 3 };
    let Some(row) = (mouse.row as usize).checked_sub(first_row) else { return };
    if row >= height(app) {
        return;
    }
    match app.screen {
        Screen::Docs => {
            let row = app.docs.cursor.top + row;
            if row < app.docs.len() {
                app.docs.cursor.selected = row;
            }
        }
        Screen::Near => {
            let row = app.near.cursor.top + row;
            if row < app.near.neighbours.len() {
                app.near.cursor.selected = row;
            }
        }
        Screen::Tables => {}
    }
}

fn neighbour_screen(screen: Screen, step: isize) -> Screen {
    let all = Screen::ALL;
    all[(screen as isize + step).rem_euclid(all.len() as isize) as usize]
}

fn next<T: Copy + PartialEq>(all: &[T], present: T) -> T {
    let here = all.iter().position(|value| *value == present).unwrap_or(0);
    all[(here + 1) % all.len()]
}

/// Brings what follows from the selection up to date, and asks for what must be read.
fn derive(app: &mut App, effects: &mut Vec<Effect>) {
    inspect(app, effects);
    list_neighbours(app);
    explain(app);
    compare(app, effects);
}

fn inspect(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(document) = app.query() else {
        app.inspecting = None;
        return;
    };
    let known = app.inspecting.map(|(document, version, _)| (document, version));
    // While the corpus is read a document's votes do not change with every snapshot.
    let version = if app.analysis.is_complete() { app.version } else { 0 };
    if known == Some((document, version)) {
        return;
    }
    if known.map(|(document, _)| document) != Some(document) {
        app.docs.preview_top = 0;
    }
    let number = app.number();
    app.inspecting = Some((document, version, number));
    effects.push(Effect::Inspect { number, analysis: Arc::clone(&app.analysis), document });
}

fn list_neighbours(app: &mut App) {
    if app.screen == Screen::Docs && app.size.shape() < Shape::Wide {
        return;
    }
    let wanted = (app.query(), app.version, app.settings.k);
    if app.listed == Some(wanted) {
        return;
    }
    app.listed = Some(wanted);
    let height = app.near_layout().list;
    app.near.list(&app.analysis, wanted.0, wanted.2, height);
}

fn explain(app: &mut App) {
    if app.screen != Screen::Tables {
        return;
    }
    let pair = app.near.query.map(|query| (query, app.near.selected().map(|neighbour| neighbour.document)));
    if app.explained != Some((pair, app.version)) {
        app.explained = Some((pair, app.version));
        app.tables.pair = pair;
        app.tables.explanation = pair.and_then(|(query, other)| {
            let (a, b) = (app.analysis.fingerprint(query)?, app.analysis.fingerprint(other?)?);
            let shelf = app.analysis.shelf.as_ref()?;
            Some(PairExplanation::new(a, b, shelf.layout()))
        });
        // Start where there is something to see.
        let first_hit = app.tables.explanation.as_ref().and_then(|explanation| explanation.hits().next());
        select_table(app, first_hit.unwrap_or(0));
    }
    let Some(query) = app.near.query else {
        app.tables.window = None;
        return;
    };
    let table = app.tables.table.selected;
    let height = app.tables_layout().window / app.table_lines();
    let wanted = (query, table, height, app.version);
    if app.windowed == Some(wanted) {
        return;
    }
    app.windowed = Some(wanted);
    let shelf = app.analysis.shelf.as_ref().zip(app.analysis.fingerprint(query));
    app.tables.window = shelf.map(|(shelf, fingerprint)| TableWindow::around(shelf, table, fingerprint, height));
    app.tables.probes = app.tables.window.as_ref().map_or(0, |window| window.steps.len());
}

fn compare(app: &mut App, effects: &mut Vec<Effect>) {
    if app.screen != Screen::Near {
        return;
    }
    let Some((left, neighbour)) = app.near.pair() else {
        app.comparing = None;
        app.near.comparison = None;
        return;
    };
    let right = neighbour.document;
    let version = app.version;
    let known = app.comparing.map(|(left, right, version, _)| (left, right, version));
    if known == Some((left, right, version)) {
        return;
    }
    if known.map(|(left, right, _)| (left, right)) != Some((left, right)) {
        app.near.text_top = 0;
        app.near.comparison = None;
    }
    let number = app.number();
    app.comparing = Some((left, right, version, number));
    effects.push(Effect::Compare { number, analysis: Arc::clone(&app.analysis), left, right });
}
