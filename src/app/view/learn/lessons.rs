//! The Lessons view, and the open lesson: its pages one after another, each with a check of the task.

use super::super::contract::{ListOfView, View};
use super::picture;
use crate::analysis::LayoutChoice;
use crate::app::keymap::Action;
use crate::app::layout::Size;
use crate::app::page::{
    ANY, BESIDE_FROM, Block, Column, List, Page, Part, Place, Tinted, Tone, is_beside,
};
use crate::app::screen::ViewId;
use crate::app::screen::learn::check::{Check, number_of};
use crate::app::screen::learn::facts::{fact, holds, with_facts};
use crate::app::screen::learn::lesson::{Lesson, LessonPage};
use crate::app::screen::learn::lessons::LearnPlace;
use crate::app::screen::learn::{AngleState, GAME_K, GAME_WIDTH, GameState, Playground};
use crate::app::{App, Effect, Screen};
use crate::present::lines::rows;
use crate::present::page::Section;

/// How a lesson goes, where a large screen has room to say it.
const HOW: [&str; 5] = [
    "A lesson is some pages, each with a picture and most with a task.",
    "Press a and type the answer to a task, or do what it says: the page tells at once whether it is right.",
    "Some tasks are done on the screens 1 to 4; the key 6 comes back to the page.",
    "Esc leaves a lesson, and Enter goes on where you stopped.",
    "A lesson that is done stays marked, also in the next session.",
];

/// The Lessons view.
pub(in crate::app) struct LessonsView;

impl View for LessonsView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        if let Some(picture) = app.lesson_picture() {
            return picture::act(app, picture, action);
        }
        match action {
            Action::Enter => open(app),
            Action::Back => return false,
            _ => return super::act(app, action),
        }
        true
    }

    /// A picture has no list.
    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        if app.lesson_picture().is_some() {
            return None;
        }
        let height = app.page_rows();
        let lessons = &mut app.learn.lessons;
        Some(ListOfView { cursor: &mut lessons.cursor, len: lessons.all.len(), height })
    }

    fn step(&self, app: &mut App, rows: isize) {
        if let Some(list) = self.list(app) {
            list.step(rows);
            app.page.top = 0;
        }
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        if let Some(picture) = app.lesson_picture() {
            return picture::page(app, picture, size);
        }
        let lessons = &app.learn.lessons;
        let len = lessons.all.len();
        let state = move |at: usize| match (lessons.is_done(at), lessons.active == Some(at)) {
            (true, _) => ("done", Tone::Good),
            (false, true) => ("open", Tone::Strong),
            (false, false) => ("", Tone::Text),
        };
        let columns = vec![
            Column::number("", 4, 0, |at: usize| (at + 1).to_string()),
            Column::words("  lesson", None, move |at: usize| {
                format!("  {}", lessons.all[at].title)
            }),
            Column::words("", 6, state),
        ];
        let n_done = lessons.n_finished();
        let is_open = lessons.active == Some(lessons.cursor.selected) && !lessons.has_passed();
        let what = if is_open { "resumes" } else { "begins" };
        let list = Part::new("lessons", 4..=len + 1, List::new(columns, len, lessons.cursor))
            .remarked(format!("{n_done} of {len} done; Enter {what} the lesson"))
            .at(Place::Wide, 0);
        let title = format!("lesson {}", lessons.cursor.selected + 1);
        let text = Part::new(title, 2..=ANY, Block::Sections).at(Place::Right, 1);
        let how: Vec<Tinted> = HOW.iter().map(|it| (*it, Tone::Muted).into()).collect();
        let how = Part::text("how a lesson goes", how, 3, Place::Wide, size);
        Page { parts: vec![list, text, how] }
    }

    /// The beginning of the selected lesson. Its tasks would give the answers of earlier ones away.
    fn sections(&self, app: &App) -> Vec<Section> {
        let lessons = &app.learn.lessons;
        let Some(lesson) = lessons.all.get(lessons.cursor.selected) else { return Vec::new() };
        let mut section = Section::new(lesson.title.clone());
        for paragraph in lesson.pages.iter().take(1).flat_map(|page| &page.paragraphs) {
            section.say(paragraph.clone());
            section.say("");
        }
        vec![section]
    }
}

impl App {
    /// Opens Learn at a place.
    ///
    /// # Errors
    /// If there is no such lesson or page, with the reason.
    pub fn open_learn(&mut self, place: &LearnPlace) -> Result<(), String> {
        self.show(ViewId::Lessons);
        let Some(name) = &place.lesson else { return Ok(()) };
        let all = &self.learn.lessons.all;
        // As the list numbers them, from 1 on.
        let is_it =
            |(at, lesson): (usize, &Lesson)| lesson.name == *name || name.parse() == Ok(at + 1);
        let Some(number) = all.iter().enumerate().position(is_it) else {
            let names: Vec<_> = all.iter().map(|lesson| &*lesson.name).collect();
            let (names, n) = (names.join(", "), all.len());
            return Err(format!("no lesson {name:?}; the lessons are {names}, or 1 to {n}"));
        };
        let (page, n_pages) = (place.page.unwrap_or(1), all[number].pages.len());
        if !(1..=n_pages).contains(&page) {
            return Err(format!("the lesson has pages 1 to {n_pages}, not {page}"));
        }
        self.learn.lessons.cursor.selected = number;
        begin(self, page - 1);
        Ok(())
    }
}

/// Resumes the selected lesson; begins it if it is done or another lesson is open.
fn open(app: &mut App) {
    let lessons = &mut app.learn.lessons;
    if lessons.active != Some(lessons.cursor.selected) || lessons.has_passed() {
        return begin(app, 0);
    }
    (lessons.is_open, lessons.shows_text, app.page.top) = (true, true, 0);
    if let Some(view) = lessons.open_page().map(|page| page.picture.view()) {
        app.show(view);
    }
}

/// Begins the selected lesson at a page; the pages before it count as done.
pub(in crate::app) fn begin(app: &mut App, page: usize) {
    let lessons = &mut app.learn.lessons;
    (lessons.active, lessons.is_open) = (Some(lessons.cursor.selected), true);
    lessons.n_done = page;
    turn_to(app, page);
    set_up(app);
}

/// Sets every picture to the beginning of the open page.
fn set_up(app: &mut App) {
    let learn = &mut app.learn;
    let Some(setup) = learn.lessons.open_page().map(|page| &page.setup) else { return };
    let [one, two] = &setup.texts;
    learn.playground = Playground::new(one, two, setup.recipe.clone());
    learn.game = GameState { damage: setup.flips, ..GameState::default() };
    let given = Some(setup.layout).filter(|it| *it != LayoutChoice::Auto);
    if let Some(layout) = given.and_then(|it| it.layout(0, GAME_WIDTH, GAME_K).ok()) {
        learn.game.layout = layout;
    }
    learn.angle = AngleState { seed: learn.angle.seed + 1, ..AngleState::default() };
}

/// Shows the list; the open lesson can be resumed.
pub(super) fn to_list(app: &mut App) {
    (app.learn.lessons.is_open, app.page.top) = (false, 0);
    app.show(ViewId::Lessons);
}

/// Shows a page of the open lesson, with its text first.
fn turn_to(app: &mut App, page: usize) {
    let lessons = &mut app.learn.lessons;
    (lessons.page, lessons.answer, lessons.shows_text) = (page, None, true);
    (lessons.remark, lessons.has_acted, lessons.n_wrong) = (None, false, 0);
    app.page.top = 0;
    let Some(page) = lessons.open_page() else { return };
    let (view, begins_anew) = (page.picture.view(), page.begins_anew);
    if begins_anew {
        set_up(app);
    }
    app.show(view);
}

/// Goes on in the open lesson: down its text, to the picture, to the next page or the next lesson. A page with a task
/// must be done before the next page.
pub(super) fn go_on(app: &mut App) {
    let (is_beside, shown) = (is_beside(app.size), app.view());
    let lessons = &mut app.learn.lessons;
    let Some(page) = lessons.open_page() else { return to_list(app) };
    let (view, has_task) = (page.picture.view(), !page.task.is_empty());
    let shows_text = is_beside || lessons.shows_text;
    if shows_text && app.page.n_below() > 0 {
        return app.page.scroll(app.page.height.saturating_sub(1).max(1) as isize);
    }
    if !is_beside && lessons.shows_text && has_task {
        lessons.shows_text = false;
        return app.show(view);
    }
    if !lessons.is_page_done() && has_task {
        // Shows the task, with the picture or the text that it is about.
        if !is_beside {
            (lessons.shows_text, app.page.top) = (true, 0);
        } else if shown == view {
            let task = lessons.open_page().map_or_else(String::new, |page| page.task.clone());
            app.say(format!("not done yet: {}", with_facts(app, &task)));
        }
        return app.show(view);
    }
    lessons.n_done = lessons.n_done.max(lessons.page + 1);
    let next = lessons.page + 1;
    if lessons.active().is_some_and(|lesson| next < lesson.pages.len()) {
        return turn_to(app, next);
    }
    match lessons.next() {
        Some(next) => {
            lessons.cursor.selected = next;
            begin(app, 0);
        }
        None => to_list(app),
    }
}

/// Shows the picture instead of the text, if an action changes the picture; notes that something was done.
pub(in crate::app) fn make_visible(app: &mut App, action: Action) {
    let changes = matches!(action, Action::Probe(_) | Action::Sideways(_) | Action::Step(_))
        || matches!(action, Action::First | Action::Last | Action::Edit)
        || matches!(action, Action::Shingles | Action::Weights);
    let is_elsewhere = app.screen != Screen::Learn;
    let lessons = &mut app.learn.lessons;
    lessons.has_acted |= changes || is_elsewhere && !matches!(action, Action::Go(_));
    if !is_elsewhere {
        lessons.shows_text &= !changes && !matches!(action, Action::View(_));
    }
}

/// Shows the page before, which stays done.
pub(super) fn back(app: &mut App) {
    match app.learn.lessons.page.checked_sub(1) {
        Some(page) if app.learn.lessons.is_open => turn_to(app, page),
        _ => app.say("this is the first page; Esc goes back to the list"),
    }
}

/// Takes an answer, and shows why it is wrong, if it is.
pub(in crate::app) fn answer(app: &mut App, typed: &str) {
    let lessons = &mut app.learn.lessons;
    (lessons.answer, lessons.has_acted) = (Some(typed.to_owned()), true);
    let Some(page) = app.learn.lessons.open_page() else { return };
    if is_right(app, page, typed) {
        if !page.checks.iter().all(|check| holds(app, check)) {
            let rest = "that is right, but another part of the task is not done yet";
            app.say(mistake(app).unwrap_or_else(|| rest.to_owned()));
        }
        return;
    }
    let percent = format!("{typed} %");
    let is_share = number_of(typed).is_some_and(|it| it > 1.0) && is_right(app, page, &percent);
    let bit = first_wrong_bit(app, page, typed);
    app.learn.lessons.n_wrong += 1;
    if is_share {
        return app.say(format!("type the percent sign, too: {percent}"));
    }
    let reason = bit.or_else(|| mistake(app)).unwrap_or_else(|| "look again".to_owned());
    app.say(format!("{typed} is not right: {reason}"));
}

/// Whether a text is the answer that a page asks for.
fn is_right(app: &App, page: &LessonPage, typed: &str) -> bool {
    let known = |name: &str| fact(app, name);
    let mut checks = page.checks.iter().filter(|check| check.is_of_the_answer());
    checks.all(|check| check.holds(&known, Some(typed)))
}

/// The first wrong bit of an answer, if bits were asked for and the right number was typed.
fn first_wrong_bit(app: &App, page: &LessonPage, typed: &str) -> Option<String> {
    // A mistake that the lesson knows has its own reason.
    if page.wrong.iter().any(|wrong| wrong.bits().is_some() && holds(app, wrong)) {
        return None;
    }
    let bits = page.checks.iter().find_map(Check::bits)?;
    let typed: String = typed.split_whitespace().collect();
    if typed.len() != bits.len() || typed.chars().any(|bit| !matches!(bit, '0' | '1')) {
        return None;
    }
    let at = typed.bytes().zip(bits.bytes()).position(|(one, other)| one != other)?;
    Some(format!("bit {} is the first one that is wrong; add up its column", bits.len() - 1 - at))
}

/// The reason why the open page is not done, if one of its listed mistakes was made; from the second wrong answer on
/// with the way to the right one.
fn mistake(app: &App) -> Option<String> {
    let lessons = &app.learn.lessons;
    let page = lessons.open_page().filter(|_| !lessons.is_page_done())?;
    let made = page.wrong.iter().find(|wrong| holds(app, wrong)).map(|wrong| &*wrong.reason);
    let formula = Some(&*page.formula).filter(|it| lessons.n_wrong > 1 && !it.is_empty());
    let words = match (made, formula) {
        (Some(made), Some(formula)) => {
            let end = if made.ends_with(['.', '?']) { "" } else { "." };
            let (first, rest) = formula.split_at(formula.chars().next().map_or(0, char::len_utf8));
            format!("{made}{end} {}{rest}", first.to_uppercase())
        }
        (made, formula) => made.or(formula)?.to_owned(),
    };
    Some(with_facts(app, &words))
}

/// Notes that a page is done, on any screen; with the last page the lesson is done, too. On Learn the page itself shows
/// the words about it.
pub(in crate::app) fn check(app: &mut App) {
    keep_or_take_back(app);
    if is_done_now(app) {
        let lessons = &mut app.learn.lessons;
        lessons.n_done = lessons.page + 1;
        let right = lessons.open_page().map_or_else(String::new, |page| page.right.clone());
        let is_elsewhere = app.screen != Screen::Learn;
        let right = with_facts(app, &right);
        app.learn.lessons.remark = Some(right.clone());
        let mut remark = if is_elsewhere { right } else { String::new() };
        if app.learn.lessons.has_passed() {
            remark += &pass(app);
        } else if is_elsewhere {
            remark += " 6 and Enter go on.";
        }
        app.notice = Some(remark.trim_start().to_owned()).filter(|remark| !remark.is_empty());
    }
}

/// Scrolls the page, once it is laid out, to the praise at its end.
pub(in crate::app) fn show_praise(app: &mut App) {
    let lessons = &mut app.learn.lessons;
    let shows = app.screen == Screen::Learn && lessons.remark.is_some();
    let praised = shows.then_some(lessons.page);
    if std::mem::replace(&mut lessons.praised, praised) != praised && shows {
        app.page.scroll(isize::MAX);
    }
}

/// A page whose task is to reach a state is done only while the state holds, and its words are about the present state.
/// A page that was answered, or turned, stays done.
fn keep_or_take_back(app: &mut App) {
    let lessons = &app.learn.lessons;
    let Some(page) = lessons.open_page().filter(|page| !page.asks()) else { return };
    let is_latest = lessons.remark.is_some() && lessons.n_done == lessons.page + 1;
    if !is_latest {
        return;
    }
    let (is_kept, right) = (page.checks.iter().all(|check| holds(app, check)), page.right.clone());
    app.learn.lessons.remark = is_kept.then(|| with_facts(app, &right));
    app.learn.lessons.n_done -= usize::from(!is_kept);
}

/// Whether the open page has just been done.
fn is_done_now(app: &App) -> bool {
    let lessons = &app.learn.lessons;
    let open = lessons.open_page().filter(|_| !lessons.is_page_done());
    open.is_some_and(|page| {
        !page.checks.is_empty() && page.checks.iter().all(|check| holds(app, check))
    })
}

/// Marks the lesson as finished; returns the sentence about the next step.
fn pass(app: &mut App) -> String {
    let on_learn = app.screen == Screen::Learn;
    let lessons = &mut app.learn.lessons;
    let Some(name) = lessons.active().map(|lesson| lesson.name.clone()) else {
        return String::new();
    };
    if lessons.done.insert(name) {
        app.effects.push(Effect::Remember(lessons.done.iter().cloned().collect()));
    }
    let so_far = format!(" {} of {} lessons done", lessons.n_finished(), lessons.all.len());
    // A text that is shown instead of its picture leads to the picture first, and says so.
    let names_the_way = !on_learn || is_beside(app.size) || !lessons.shows_text;
    match lessons.next() {
        None => so_far,
        Some(next) => {
            lessons.cursor.selected = next;
            if !names_the_way {
                return so_far;
            }
            let here = if on_learn { "Enter goes" } else { "6 and Enter go" };
            format!("{so_far}; {here} on to lesson {}", next + 1)
        }
    }
}

/// Rows of a task below which its picture begins, at most.
const TASK_ROWS: usize = 3;

/// The open page: its words beside the picture, or above it. Where there is no room for both, the words are the task
/// alone once the picture is used.
pub(in crate::app) fn page<'a>(app: &'a App, view: &dyn View, size: Size) -> Page<'a> {
    let lessons = &app.learn.lessons;
    let (number, lesson) = (lessons.active.map_or(0, |it| it + 1), lessons.active());
    let place = format!("{}/{}", lessons.page + 1, lesson.map_or(0, |it| it.pages.len()));
    let sections = |title: &str, rows| Part::new(title, rows, Block::Sections);
    if is_beside(size) {
        let width = (Place::Wide.cells(size) as u16).min(BESIDE_FROM - 1);
        let mut page = view.page(app, Size { width, ..size });
        page.parts.iter_mut().for_each(|part| part.place = Place::Wide);
        let title = format!("lesson {number}");
        page.parts.push(sections(&title, 1..=ANY).remarked(place).at(Place::Right, 0));
        return page;
    }
    let cells = Place::Across.cells(size).saturating_sub(2);
    let (n, is_low) = (rows(&words(app), cells).len(), size.is_below(80, 24));
    let (part, n) = if lessons.shows_text {
        // A third of the screen is the picture's.
        let picture = if is_low { 0 } else { usize::from(size.height).div_ceil(3) + 1 };
        let n = n.min(size.body().saturating_sub(picture));
        let title = lesson.map_or_else(String::new, |it| format!("{number} {}", it.title));
        (sections(&title, n..=n).remarked(place), n)
    } else {
        let n = n.min(if is_low { TASK_ROWS - 1 } else { TASK_ROWS });
        (sections("", n..=n), n)
    };
    let height = usize::from(size.height).saturating_sub(n) as u16;
    let mut page = view.page(app, Size { height, ..size });
    if lessons.shows_text && is_low {
        // The picture has the rows that the text leaves, if they are enough.
        page.parts.iter_mut().for_each(|part| part.rank += 1);
    }
    if n > 0 {
        page.parts.insert(0, part);
    }
    page
}

/// The open page with the present values of facts: its text, its task, and whether the task is done; where they have no
/// room beside the picture that is used, the task alone.
pub(in crate::app) fn words(app: &App) -> Vec<Section> {
    let lessons = &app.learn.lessons;
    let Some(page) = lessons.open_page() else { return Vec::new() };
    let remark = || lessons.remark.clone().unwrap_or_else(|| with_facts(app, &page.right));
    let is_beside = is_beside(app.size);
    if !is_beside && !lessons.shows_text {
        let asked = if lessons.is_page_done() {
            format!("{} {}", remark(), lessons.way_on())
        } else {
            with_facts(app, &page.task)
        };
        return vec![Section::new(asked.trim())];
    }
    let paragraph = |words: String| {
        let mut section = Section::default();
        section.say(words);
        section
    };
    let mut said: Vec<_> =
        page.paragraphs.iter().map(|words| paragraph(with_facts(app, words))).collect();
    if !page.task.is_empty() {
        said.push(Section::new(with_facts(app, &page.task)));
    }
    if lessons.is_page_done() {
        let remark = remark();
        if !remark.is_empty() {
            said.push(paragraph(format!("Right. {remark}")));
        }
        // Where the picture is not beside the text, Enter goes to it first.
        let is_instead = !is_beside && !page.task.is_empty();
        let shows = || "Enter shows the whole picture.".to_owned();
        said.push(Section::new(if is_instead { shows() } else { lessons.way_on() }));
    } else if page.task.is_empty() {
        said.push(Section::new("Enter goes on."));
    } else if let Some(reason) = mistake(app).filter(|_| lessons.has_acted) {
        let end = if reason.ends_with(['.', '?']) { "" } else { "." };
        said.push(paragraph(format!("Not yet: {reason}{end}")));
    }
    said
}
