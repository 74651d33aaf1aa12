//! The entries of the menu and their effects, and the texts that can be copied for the row under the cursor.

use tui_input::Input;

use crate::app::menu::{Menu, MenuChoice, MenuEntry, MenuOf, ranked};
use crate::app::view::docs::documents::find_words;
use crate::app::view::learn::lessons;
use crate::app::view::view;
use crate::app::{Action, App, Binding, Cursor, Effect, Screen, ViewId};
use crate::export::CommandLine;
use crate::facts::ExplainedNumber;
use crate::id::DocId;
use crate::number::counted;
use crate::text::visible;

/// The most characters of a copied text that are told.
const MOST_TOLD: usize = 200;
/// The characters of a longer one that are told.
const BEGINNING: usize = 40;
/// How colours are chosen.
const THEME: &str =
    "start with --theme dark, light, contrast or mono; `simscope config` shows how to keep it";
/// Words of other programs, and the names of the entries that each of them means, the best first.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("again", &["redo"]),
    ("alike near neighbours similar similarity", &["pair"]),
    ("bands evaluate", &["layouts"]),
    ("boilerplate disagreements empty health misleading quality", &["check"]),
    ("browse", &["docs"]),
    ("cancel", &["stop"]),
    ("chance distances histogram", &["tune"]),
    ("clipboard", &["copy"]),
    ("close exit", &["quit"]),
    ("clusters", &["docs"]),
    ("colors colours theme", &["theme"]),
    ("compare sweep", &["recipes"]),
    ("configuration options preferences settings", &["recipe", "theme"]),
    ("dedup deduplicate", &["write", "docs"]),
    ("delete drop remove", &["mark", "write"]),
    ("download save", &["write", "export"]),
    ("duplicates", &["docs", "pair"]),
    ("errors warnings", &["problems"]),
    ("explain reason", &["pair"]),
    ("fewer less stricter", &["lower-k"]),
    ("hide", &["filter"]),
    ("annotate label verdict", &["judge", "tune"]),
    ("keep", &["mark"]),
    ("keyboard keys", &["help"]),
    ("limit threshold tolerance", &["raise-k", "lower-k"]),
    ("looser more", &["raise-k"]),
    ("picture print screenshot", &["export"]),
    ("query search", &["find"]),
    ("revert", &["undo"]),
    ("tokens", &["recipe"]),
    ("tour tutorial", &["lessons"]),
];
/// The fewest letters of such a word that mean it.
const LEAST_OF_WORD: usize = 4;

/// The names of the entries that a word or its beginning means.
fn meant(typed: &str) -> &'static [&'static str] {
    let typed = typed.to_lowercase();
    let is_begun = |word: &str| typed.len() >= LEAST_OF_WORD && word.starts_with(&typed);
    let is_meant = |words: &str| words.split(' ').any(is_begun);
    SYNONYMS.iter().find(|(words, _)| is_meant(words)).map_or(&[], |(_, names)| *names)
}

impl Menu {
    /// A menu over the present view.
    pub(super) fn new(app: &App, of: MenuOf) -> Self {
        let (line, cursor) = (Input::default(), Cursor::default());
        let mut menu = Self { of, line, cursor, found: Vec::new() };
        menu.search(app);
        menu
    }

    /// Finds the entries that contain the typed letters in their order: first those that the letters mean or name.
    pub(super) fn search(&mut self, app: &App) {
        let typed = self.line.value().trim();
        self.cursor = Cursor::default();
        let entries = match self.of {
            MenuOf::All => entries(app, typed.is_empty()),
            MenuOf::Copies => copies(app),
            MenuOf::Keys => keys(app),
            MenuOf::Numbers => return self.found = numbers(app, typed),
        };
        let place = |entry: &MenuEntry| match self.of {
            MenuOf::All => meant(typed).iter().position(|name| *name == entry.name),
            MenuOf::Keys => entry.keys.split(' ').position(|key| key.eq_ignore_ascii_case(typed)),
            MenuOf::Copies | MenuOf::Numbers => None,
        };
        let (mut meant, others): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| place(entry).is_some());
        meant.sort_by_key(place);
        let named = |entry: MenuEntry| (format!("{} {}", entry.text, entry.name), entry);
        let found = ranked(typed, others.into_iter().map(named).collect(), |(text, _)| text);
        let mut found: Vec<MenuEntry> = found.into_iter().map(|(_, entry)| entry).collect();
        // Its name says more about an action than letters within its help.
        let is_named =
            |it: &MenuEntry| it.name == typed || it.name.split(' ').any(|it| it == typed);
        if self.of == MenuOf::Keys && !typed.is_empty() {
            found.sort_by_key(|entry| !is_named(entry));
        }
        self.found = meant.into_iter().chain(found).collect();
        if typed.is_empty() || self.of != MenuOf::All {
            return;
        }
        self.found.sort_by_key(|entry| !is_named(entry));
        let words = typed.to_owned();
        let text = format!("find {} in ids, titles and texts", visible(&words));
        let find = entry("search", text, MenuChoice::Find(words));
        self.found.push(MenuEntry { keys: "/".to_owned(), ..find });
    }
}

/// An entry without keys.
pub(super) fn entry(kind: &'static str, text: String, choice: MenuChoice) -> MenuEntry {
    MenuEntry { kind, text, name: String::new(), keys: String::new(), choice }
}

/// An entry that does what a key does.
fn of_key(binding: &Binding, text: String, choice: MenuChoice) -> MenuEntry {
    let (name, keys) = (binding.action.name().to_owned(), binding.keys[0].to_string());
    MenuEntry { name, keys, ..entry("key", text, choice) }
}

/// The keys of the view under their headings: each with all of them, the name of its action, and its word in the
/// footer.
fn keys(app: &App) -> Vec<MenuEntry> {
    let of_binding = |it: &Binding| {
        let keys: Vec<String> = it.keys.iter().map(ToString::to_string).collect();
        let (_, kind) = it.action.heading();
        let footer = it.footer.map_or("", |(_, word)| word);
        let name = format!("{} {footer} {kind}", it.action.name());
        let usual = of_key(it, it.help.to_owned(), MenuChoice::Action(it.action));
        MenuEntry { kind, keys: keys.join(" "), name, ..usual }
    };
    let mut listed: Vec<&Binding> = app.keymap.bindings(app.view()).collect();
    listed.sort_by_key(|it| it.action.heading());
    listed.into_iter().map(of_binding).collect()
}

/// The numbers of the screen whose names have the typed words, in the order of the screen.
fn numbers(app: &App, typed: &str) -> Vec<MenuEntry> {
    let is_it = |it: &ExplainedNumber| it.name.to_lowercase().contains(&typed.to_lowercase());
    let of_number = |it: ExplainedNumber| {
        let value = it.value.clone();
        let entry = entry("number", it.name.clone(), MenuChoice::Number(it));
        MenuEntry { keys: value, ..entry }
    };
    app.numbers().into_iter().filter(is_it).map(of_number).collect()
}

/// Everything: the keys of the view, views, texts to copy and lessons; once something is typed, the keys of other views,
/// of which there are many.
fn entries(app: &App, is_short: bool) -> Vec<MenuEntry> {
    let keys = app.keymap.bindings(app.view());
    let keys = keys.filter(|it| !matches!(it.action, Action::Menu | Action::Go(_)));
    let keys = keys.map(|it| of_key(it, it.help.to_owned(), MenuChoice::Action(it.action)));
    let views = ViewId::ALL.iter().filter(|id| id.is_listed()).map(|&id| {
        let screen = id.screen();
        let mut here = app.keymap.bindings(id);
        let opens =
            here.find(|it| it.action == Action::Go(screen)).map(|it| it.keys[0].to_string());
        MenuEntry {
            kind: "view",
            text: if id.is_named_as_screen() {
                screen.to_string()
            } else {
                format!("{screen}: {id}")
            },
            name: id.name().to_lowercase(),
            keys: opens.filter(|_| ViewId::FIRST.contains(&id)).unwrap_or_default(),
            choice: MenuChoice::View(id),
        }
    });
    let lessons = app.learn.lessons.all.iter().enumerate().map(|(number, lesson)| {
        let text = format!("lesson {}: {}", number + 1, lesson.title);
        entry("lesson", text, MenuChoice::Lesson(number))
    });
    let elsewhere = if is_short { Vec::new() } else { elsewhere(app) };
    keys.chain(views).chain(copies(app)).chain(elsewhere).chain(lessons).collect()
}

/// The keys that only other views have, each in the first of them, and the theme, which has no key.
fn elsewhere(app: &App) -> Vec<MenuEntry> {
    let here: Vec<Action> = app.keymap.bindings(app.view()).map(|it| it.action).collect();
    let mut found: Vec<(Action, MenuEntry)> = Vec::new();
    for &view in ViewId::ALL.iter().filter(|id| id.is_listed()) {
        for binding in app.keymap.bindings(view) {
            let action = binding.action;
            if here.contains(&action) || found.iter().any(|(known, _)| *known == action) {
                continue;
            }
            let text = format!("in {}: {}", view.full_name(), binding.help);
            found.push((action, of_key(binding, text, MenuChoice::Elsewhere(view, action))));
        }
    }
    let text = "theme and colours: chosen at the start, with --theme".to_owned();
    let theme = entry("start", text, MenuChoice::Say(THEME));
    let theme = MenuEntry { name: "theme".to_owned(), ..theme };
    found.into_iter().map(|(_, entry)| entry).chain([theme]).collect()
}

/// The beginning of a text, for a notice.
fn beginning(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    visible(&line.chars().take(BEGINNING).collect::<String>()).into_owned()
}

/// Applies an entry; an action is returned to the caller.
pub(super) fn run(app: &mut App, entry: &MenuEntry) -> Option<Action> {
    match entry.choice.clone() {
        MenuChoice::Action(action) => return Some(action),
        MenuChoice::View(view) => app.show(view),
        MenuChoice::Elsewhere(view, action) => {
            app.show(view);
            return Some(action).filter(|_| app.view() == view);
        }
        MenuChoice::Lesson(number) => {
            app.learn.lessons.cursor.selected = number;
            app.show(ViewId::Lessons);
            lessons::begin(app, 0);
        }
        MenuChoice::Copy(text) => {
            let n = counted(text.chars().count() as u64, "character");
            app.notice = Some(if text.chars().count() > MOST_TOLD || text.contains('\n') {
                format!("copied {n}, from \"{}\" on", beginning(&text))
            } else {
                format!("copied {n}: {}", visible(&text))
            });
            app.effects.push(Effect::Copy(text));
        }
        MenuChoice::Say(words) => app.notice = Some(words.to_owned()),
        MenuChoice::Number(_) => {}
        MenuChoice::Find(words) => {
            app.show(ViewId::Docs);
            if let Err(error) = find_words(app, words) {
                app.notice = Some(error.to_string());
            }
        }
    }
    None
}

/// The entries of the menu that copy: ids, fingerprints, the text, and the command that prints the same.
pub(super) fn copies(app: &App) -> Vec<MenuEntry> {
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<String>| {
        let copy = |text| entry("copy", format!("copy {name}"), MenuChoice::Copy(text));
        found.extend(text.map(copy));
    };
    let documents = view(app.view()).documents(app);
    let is_of_a_pair = app.screen.is_of_a_pair();
    let pair = match (&documents[..], app.near.pair()) {
        (&[one, other], _) => Some([one, other]),
        (_, Some((query, neighbour))) if is_of_a_pair => Some([query, neighbour.document]),
        _ => None,
    };
    let id = |document: DocId| app.analysis.corpus.id(document).to_owned();
    let bits = |document: DocId| app.analysis.fingerprint(document).map(|it| it.to_string());
    if let &[document] = &documents[..] {
        add("the id", Some(id(document)));
        add("the fingerprint", bits(document));
        add("the place", Some(app.analysis.corpus.place(document)));
        let open = app.open_document().filter(|it| it.document == document && it.hidden_bytes == 0);
        add("the text as shown", open.and_then(|it| Some(it.lines.as_ref()?.join("\n"))));
        add("the command that lists near documents", command(app, "query", &[document]));
    }
    if let Some([one, other]) = pair {
        add("both ids", Some(format!("{}\t{}", id(one), id(other))));
        let both = bits(one).zip(bits(other));
        add("both fingerprints", both.map(|(one, other)| format!("{one}\t{other}")));
        add("the command that explains the pair", command(app, "explain", &[one, other]));
    }
    match app.screen {
        Screen::Docs if app.lists_groups() => {
            add("the command that lists the groups", command(app, "groups", &[]))
        }
        Screen::Tune => add("the command that tunes k", command(app, "tune", &[])),
        _ => {}
    }
    found
}

/// A command about these documents under the present settings; `None` if an id would be read as an option.
fn command(app: &App, name: &str, documents: &[DocId]) -> Option<String> {
    let sources = &app.review.sources;
    let mut line = CommandLine::new(name, &app.settings, &sources.load);
    for &document in documents {
        let id = app.analysis.corpus.id(document);
        if id.starts_with('-') {
            return None;
        }
        match name {
            "query" => line.option("--id", Some(id.to_owned())),
            _ => line.flag(id, true),
        }
    }
    Some(line.of(&sources.inputs))
}
