//! The palette: everything that can be done from here by name, found by some letters of it.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use tui_input::Input;

use super::{
    App, Effect,
    change::{change_k, change_recipe, refuse},
    copies::copyables,
    cursor::Cursor,
    keymap::Action,
    screen::{Screen, ViewId},
    view::{docs::documents::find_words, go::select_document, learn::lessons},
};
use crate::{
    analysis::{Settings, sweep::SweepGrid},
    id::DocId,
    number::counted,
    simhash::Recipe,
    text::visible,
};

/// Documents whose ids are looked through at each letter: of more, only the search by words is offered.
const MOST_DOCUMENTS: usize = 100_000;
/// Documents that are offered.
const DOCUMENTS_OFFERED: usize = 20;
/// The largest k that is offered.
const MOST_K: u32 = 20;

/// An entry of the palette.
#[derive(Clone, Debug)]
pub struct PaletteEntry {
    /// Its kind, such as `view`.
    pub kind: &'static str,
    /// The text that is searched.
    pub text: String,
    /// The keys that do the same; empty where none do.
    pub keys: String,
    choice: Choice,
}

/// What an entry does.
#[derive(Clone, Debug)]
enum Choice {
    Action(Action),
    View(ViewId),
    K(u32),
    Recipe(Box<Recipe>),
    Lesson(usize),
    Document(DocId),
    Find(String),
    Copy(String),
}

/// The open palette.
#[derive(Clone, Debug)]
pub struct Palette {
    /// The letters that are typed.
    pub line: Input,
    /// Selection among the entries found.
    pub cursor: Cursor,
    /// The entries found, the best first.
    pub found: Vec<PaletteEntry>,
}

impl Palette {
    /// The palette over the present view, so much typed already.
    pub(super) fn new(app: &App, typed: &str) -> Self {
        let mut palette = Self { line: typed.into(), cursor: Cursor::default(), found: Vec::new() };
        palette.search(app);
        palette
    }

    /// Finds the entries that have the typed letters in their order.
    pub(super) fn search(&mut self, app: &App) {
        let typed = self.line.value().trim();
        self.cursor = Cursor::default();
        self.found = ranked(typed, entries(app), |entry| &entry.text);
        if typed.is_empty() {
            return;
        }
        self.found.extend(documents(app, typed));
        let words = typed.to_owned();
        self.found.push(PaletteEntry {
            kind: "search",
            text: format!("find {} in ids, titles and texts", visible(&words)),
            keys: "/".to_owned(),
            choice: Choice::Find(words),
        });
    }
}

/// The rows in which the letters of a pattern stand in their order, the best match first: consecutive letters and
/// beginnings of words count most. All rows as they are where the pattern is empty. Costs a look at each row.
pub(super) fn ranked<R>(pattern: &str, rows: Vec<R>, text: impl Fn(&R) -> &str) -> Vec<R> {
    let pattern = Pattern::parse(pattern, CaseMatching::Ignore, Normalization::Smart);
    if pattern.atoms.is_empty() {
        return rows;
    }
    let (mut matcher, mut buffer) = (Matcher::new(Config::DEFAULT), Vec::new());
    let mut score = |row: &R| pattern.score(Utf32Str::new(text(row), &mut buffer), &mut matcher);
    let mut scored: Vec<(u32, R)> =
        rows.into_iter().filter_map(|row| Some((score(&row)?, row))).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, row)| row).collect()
}

/// Everything but documents: the keys of the view, views, lessons, k, recipes.
fn entries(app: &App) -> Vec<PaletteEntry> {
    let entry =
        |kind, text: String, choice| PaletteEntry { kind, text, keys: String::new(), choice };
    let keys = app
        .keymap
        .bindings(app.view())
        .filter(|binding| !matches!(binding.action, Action::Palette | Action::Go(_)))
        .map(|binding| PaletteEntry {
            kind: "key",
            text: binding.help.to_owned(),
            keys: binding.keys[0].to_string(),
            choice: Choice::Action(binding.action),
        });
    let views = ViewId::ALL.iter().filter(|&&id| id != ViewId::Judging).map(|&id| {
        let screen = id.screen();
        let mut here = app.keymap.bindings(id);
        let opens =
            here.find(|it| it.action == Action::Go(screen)).map(|it| it.keys[0].to_string());
        let name = if ViewId::of(screen).count() > 1 {
            format!("{screen}: {id}")
        } else {
            screen.to_string()
        };
        PaletteEntry {
            kind: "view",
            text: name,
            keys: opens.filter(|_| ViewId::FIRST.contains(&id)).unwrap_or_default(),
            choice: Choice::View(id),
        }
    });
    let lessons = app.learn.lessons.all.iter().enumerate().map(|(number, lesson)| {
        let text = format!("lesson {}: {}", number + 1, lesson.title);
        entry("lesson", text, Choice::Lesson(number))
    });
    let ks = (0..=MOST_K).map(|k| entry("k", format!("k = {k}"), Choice::K(k)));
    let grid = SweepGrid::default();
    let recipes = grid.features.iter().flat_map(|&features| {
        grid.weights.iter().map(move |&weights| Recipe { features, weights, ..Recipe::default() })
    });
    let recipes = recipes.map(|recipe| {
        let recipe = Recipe { bits: app.settings.recipe.bits, ..recipe };
        entry("recipe", format!("recipe {}", recipe.short()), Choice::Recipe(Box::new(recipe)))
    });
    let copies = copyables(app).into_iter();
    let copies = copies.map(|it| entry("copy", format!("copy {}", it.name), Choice::Copy(it.text)));
    keys.chain(copies).chain(views).chain(lessons).chain(ks).chain(recipes).collect()
}

/// The documents whose ids have the letters, the best first.
fn documents(app: &App, typed: &str) -> Vec<PaletteEntry> {
    let corpus = &app.analysis.corpus;
    if app.analysis.len() > MOST_DOCUMENTS {
        return Vec::new();
    }
    let ids = (0..app.analysis.len()).map(DocId::from).map(|it| (it, corpus.id(it))).collect();
    let found = ranked(typed, ids, |(_, id): &(DocId, &str)| id).into_iter();
    let entry = |(document, id): (DocId, &str)| PaletteEntry {
        kind: "document",
        text: visible(id).into_owned(),
        keys: String::new(),
        choice: Choice::Document(document),
    };
    found.take(DOCUMENTS_OFFERED).map(entry).collect()
}

/// Does what an entry says; an action is left to the caller.
pub(super) fn run(
    app: &mut App,
    entry: &PaletteEntry,
    effects: &mut Vec<Effect>,
) -> Option<Action> {
    match entry.choice.clone() {
        Choice::Action(action) => return Some(action),
        Choice::View(view) => {
            app.go(view.screen());
            // A screen that is closed says why.
            if app.screen == view.screen() {
                app.show(view);
            }
        }
        Choice::K(k) => {
            let step = i64::from(k) - i64::from(app.settings.k);
            change_k(app, step as i32, effects);
        }
        Choice::Recipe(recipe) => {
            let settings = Settings { recipe: *recipe, ..app.settings.clone() };
            match refuse(app, &settings) {
                Some(why) => app.notice = Some(why),
                None => change_recipe(app, settings, effects),
            }
        }
        Choice::Lesson(number) => {
            app.learn.lessons.cursor.selected = number;
            app.show(ViewId::Lessons);
            lessons::begin(app);
        }
        Choice::Document(document) => {
            app.go(Screen::Docs);
            select_document(app, document);
        }
        Choice::Copy(text) => {
            let n = counted(text.chars().count() as u64, "character");
            app.notice = Some(format!("copied {n}: {}", visible(&text).replace('\n', " ")));
            effects.push(Effect::Copy(text));
        }
        Choice::Find(words) => {
            app.show(ViewId::Documents);
            if let Err(error) = find_words(app, words) {
                app.notice = Some(error.to_string());
            }
        }
    }
    None
}
