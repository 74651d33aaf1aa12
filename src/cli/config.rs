//! The configuration of the explorer: one TOML file. Each of its lines may be left out.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use toml::de::{DeTable, DeValue};

use super::describe::print;
use super::value::Glyphs;
use super::{notes, suggest};
use crate::analysis::DEFAULT_K;
use crate::app::custom_keys::{Keymap, action_names, actions, presets};
use crate::app::screen::docs::MOST_COLUMNS;
use crate::corpus::{read_text_file, user_folder};
use crate::export::visible_path;
use crate::look::ThemeChoice;
use crate::simhash::Recipe;
use crate::text::visible::visible;

/// The names of the settings beside the keys.
const SETTINGS: [&str; 6] = ["theme", "glyphs", "recipe", "k", "fields", "keys"];

/// The settings that the user has named.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The colours.
    pub(super) theme: Option<ThemeChoice>,
    /// Remarks on settings that have no effect, each with its line.
    notes: Vec<Problem>,
    /// The characters.
    pub(super) glyphs: Option<Glyphs>,
    /// The recipe to begin with.
    pub(super) recipe: Option<Recipe>,
    /// The k to begin with.
    pub(super) k: Option<u32>,
    /// The fields to show as columns of Docs.
    pub(super) fields: Vec<String>,
    /// The keys of actions.
    pub(super) keymap: Keymap,
}

impl Config {
    /// The remarks, each in a line with the file and the line that it is about.
    fn told(&self, path: &Path) -> String {
        let name = path.to_string_lossy();
        let told = |(line, note): &Problem| format!("{}:{line}: note: {note}\n", visible(&name));
        self.notes.iter().map(told).collect()
    }
}

/// The setting that takes the place of one without effect; `None` if it has an effect.
fn retired(name: &str) -> Option<&'static str> {
    Some(match name {
        "theme" => "single colours have no effect; name a theme, as in theme = \"dark\"",
        "count" => "there are no counts; PgDn, ^d, G and / go far",
        "go-to" => "the digits 1 to 6 are the screens",
        "vim" => "the default keys are those of vi, and gg is the first row, too",
        "near" => "pair is the screen with the neighbours",
        "groups" => "docs is the screen with the groups",
        "next-screen" | "previous-screen" => {
            "the digits 1 to 6 are the screens; all-texts is Tab on Docs"
        }
        "scale" => "the picture of Tune has powers of ten only",
        "columns" => "texts stand side by side where there is room",
        "log" => "there is no log; ! lists what could not be read",
        "zoom" => "the picture of Tune has all distances",
        "pin" => "layouts stand side by side in their list, and are not compared pair by pair",
        "next-cosine" | "previous-cosine" => "the chances that bits flip are those at cosine 0.95",
        "forget" | "best" => {
            "Enter on Recipes begins again after another recipe, and selects the best"
        }
        "alone" | "split-left" | "split-right" => {
            "each part of a screen has its place, and there is no key to move it"
        }
        "play" | "faster" | "slower" => {
            "probe adds a line to Angle, and last as many as a fingerprint has bits"
        }
        "next-block" | "previous-block" => "left and right move to any bit",
        "weak-bit" => "next goes to the next weak bit of the view Bits",
        "take" => "type or paste the text; b on Docs shows the votes of a document",
        "width" => "no lesson asks for another width",
        "reset" => "there is no key for it; the keys that changed a picture change it back",
        "next-layout"
        | "previous-layout"
        | "walk"
        | "walk-back"
        | "pin-curve"
        | "next-cosine-of-truth"
        | "more-documents"
        | "fewer-documents" => {
            "the view of Learn is gone; its lessons show their pictures, and Layouts in Tune has the curves"
        }
        _ => return None,
    })
}

/// The path of the file: `$XDG_CONFIG_HOME/simscope/config.toml`, by default below `~/.config`; `None` where there
/// is no home.
fn place() -> Option<PathBuf> {
    Some(user_folder("XDG_CONFIG_HOME", ".config")?.join("simscope").join("config.toml"))
}

/// The configuration of the user; without a file nothing is set.
///
/// # Errors
/// If the file cannot be read or has an invalid value: the message names file and line.
pub(super) fn read() -> anyhow::Result<Config> {
    match place() {
        Some(path) if path.symlink_metadata().is_ok() => {
            let config = read_file(&path)?;
            notes::lines(&config.told(&path));
            Ok(config)
        }
        _ => Ok(Config::default()),
    }
}

fn read_file(path: &Path) -> anyhow::Result<Config> {
    // Reading a pipe could wait, and reading a device might never end.
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        bail!("{}: not an ordinary file; put the configuration there", visible_path(path));
    }
    let text = read_text_file(path).context("the configuration")?;
    parse(&text).map_err(|problems| {
        let (path, mut told) = (path.to_string_lossy(), String::new());
        for (line, problem) in problems {
            let _ = writeln!(told, "{}:{line}: {problem}", visible(&path));
        }
        anyhow!("{told}mend them, or start without: XDG_CONFIG_HOME=/none simscope")
    })
}

/// Prints the default configuration with its meaning; the exit code.
pub(super) fn print_default() -> anyhow::Result<u8> {
    print(default_text().as_bytes())
}

/// Checks a configuration, by default that of the user; the exit code, if it is valid.
pub(super) fn check(file: Option<PathBuf>) -> anyhow::Result<u8> {
    let path = file.or_else(place);
    let Some(path) = path else { bail!("there is no home folder; name the FILE to check") };
    if let Err(error) = path.metadata()
        && error.kind() == io::ErrorKind::NotFound
    {
        bail!("{}: not found; `simscope config` prints one to begin with", visible_path(&path));
    }
    let config = read_file(&path)?;
    let notes = config.told(&path);
    print(format!("{notes}{}: sound\n", visible_path(&path)).as_bytes())
}

/// The default configuration, each line with its meaning.
fn default_text() -> String {
    let place = place().map_or_else(String::new, |path| format!(" as {}", path.to_string_lossy()));
    let mut text = include_str!("../../assets/config.toml")
        .replace("{recipe}", &Recipe::default().to_string())
        .replace("{k}", &DEFAULT_K.to_string())
        .replace("{most_columns}", &MOST_COLUMNS.to_string())
        .replace("{presets}", &presets())
        .replace("{place}", &place);
    for (name, keys, help) in actions() {
        let setting = format!("{name} = {keys:?}");
        let _ = writeln!(text, "# {setting:<32} # {help}");
    }
    text
}

/// A problem and its line, from 1.
type Problem = (usize, String);

/// Reads a configuration.
fn parse(text: &str) -> Result<Config, Vec<Problem>> {
    let line = |at: Range<usize>| 1 + text[..at.start.min(text.len())].matches('\n').count();
    let table = DeTable::parse(text).map_err(|error| {
        vec![(line(error.span().unwrap_or_default()), error.message().to_owned())]
    })?;
    let (mut config, mut problems) = (Config::default(), Vec::new());
    for (name, value) in table.into_inner() {
        let at = line(name.span());
        let taken = take(&mut config, at, name.get_ref(), value.get_ref(), line);
        problems.extend(taken.err().into_iter().flatten());
    }
    problems.sort();
    config.notes.sort();
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

/// Takes a setting with its line.
fn take(
    config: &mut Config,
    at: usize,
    name: &str,
    value: &DeValue<'_>,
    line: impl Fn(Range<usize>) -> usize,
) -> Result<(), Vec<Problem>> {
    let taken = match (name, value) {
        ("theme", DeValue::Table(roles)) => {
            config.notes.extend(retired(name).map(|note| (at, note.to_owned())));
            let Some((key, base)) = roles.get_key_value("base") else { return Ok(()) };
            let refused = |problem| vec![(line(key.span()), problem)];
            return named(base.get_ref()).map(|it| config.theme = it).map_err(refused);
        }
        ("theme", value) => named(value).map(|it| config.theme = it),
        ("glyphs", value) => named(value).map(|it| config.glyphs = it),
        ("recipe", value) => named(value).map(|it| config.recipe = it),
        ("k", value) => small_number(value).map(|it| config.k = Some(it)),
        ("fields", value) => fields(value).map(|it| config.fields = it),
        ("keys", DeValue::Table(keys)) => {
            return keymap(keys, &mut config.notes, line).map(|it| config.keymap = it);
        }
        ("keys", _) => Err("keys is a table: write [keys] and a line for each action".to_owned()),
        (other, _) => Err(unknown(other, SETTINGS.into_iter())),
    };
    taken.map_err(|problem| vec![(at, problem)])
}

/// A value of k.
fn small_number(value: &DeValue<'_>) -> Result<u32, String> {
    let number = value.as_integer();
    let number = number.and_then(|it| u32::from_str_radix(it.as_str(), it.radix()).ok());
    number.filter(|k| *k <= 128).ok_or_else(|| "k is a number from 0 to 128".to_owned())
}

/// The names of fields in a list.
fn fields(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let names = value.as_array().and_then(|list| {
        list.iter().map(|name| name.get_ref().as_str().map(str::to_owned)).collect()
    });
    names.filter(|names: &Vec<_>| names.len() <= MOST_COLUMNS).ok_or_else(|| {
        format!("fields is a list of at most {MOST_COLUMNS} names: write [\"label\", \"year\"]")
    })
}

/// The keymap of a table: a preset, and actions with their keys.
fn keymap(
    table: &DeTable<'_>,
    notes: &mut Vec<Problem>,
    line: impl Fn(Range<usize>) -> usize,
) -> Result<Keymap, Vec<Problem>> {
    let mut keymap = Keymap::default();
    let (mut actions, mut problems) = (Vec::new(), Vec::new());
    let mut last = 0;
    for (name, value) in table {
        let at = line(name.span());
        let name = &**name.get_ref();
        let Some(text) = value.get_ref().as_str() else {
            problems.push((at, format!("{} is a string, such as \"j<down>\"", visible(name))));
            continue;
        };
        if name == "preset" {
            match (Keymap::preset(text), retired(text)) {
                (Ok(preset), _) => keymap = preset,
                (Err(_), Some(note)) => notes.push((at, note.to_owned())),
                (Err(problem), None) => problems.push((at, problem)),
            }
        } else if action_names().contains(&name) {
            actions.push((name, text));
            last = last.max(at);
        } else if let Some(note) = retired(name) {
            notes.push((at, note.to_owned()));
        } else {
            problems.push((at, unknown(name, action_names().into_iter())));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    keymap.with(&actions).map_err(|problem| vec![(last, problem)])
}

/// A value by its written name.
fn named<T>(value: &DeValue<'_>) -> Result<Option<T>, String>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = value.as_str().ok_or("the value is a string: write it between quotes")?;
    text.parse().map(Some).map_err(|error: T::Err| error.to_string())
}

/// The message about an unknown name, with the nearest known name.
fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let near = suggest::nearest(name, names);
    let advice = near.map_or_else(
        || "`simscope config` prints all names".to_owned(),
        |near| format!("did you mean {near}?"),
    );
    format!("{} is unknown; {advice}", visible(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::key::Key;
    use crate::app::screen::ViewId;

    #[test]
    fn the_usual_configuration_sets_what_is_usual() {
        let config = parse(&default_text()).unwrap();
        assert_eq!((config.theme, config.k), (Some(ThemeChoice::Auto), Some(DEFAULT_K)));
        assert_eq!(config.recipe, Some(Recipe::default()));
        // Each line about an action sets its default keys.
        let lines = default_text().replace("# ", "");
        let keys = lines.split_once("The default keys:\n").unwrap().1;
        let keys: String = keys
            .lines()
            .filter_map(|line| line.split_once("\" "))
            .fold("[keys]\n".to_owned(), |text, (setting, _)| text + setting + "\"\n");
        assert!(parse(&keys).is_ok(), "{:?}\n{keys}", parse(&keys).err());
    }

    #[test]
    fn what_is_set_is_set() {
        let text = "theme = 'light'\nglyphs = 'ascii'\nrecipe = 'chars:5 binary'\nk = 0x1_2\nfields = ['label', 'year']\n[keys]\npreset = 'emacs'\nundo = 'Z'\n";
        let config = parse(text).unwrap();
        assert_eq!((config.theme, config.glyphs), (Some(ThemeChoice::Light), Some(Glyphs::Ascii)));
        assert_eq!(
            (config.recipe.unwrap().short(), config.k),
            ("chars:5 binary".to_owned(), Some(18))
        );
        assert_eq!(config.fields, ["label", "year"]);
    }

    #[test]
    fn what_has_no_effect_is_told_and_does_not_refuse_the_rest() {
        let text = "k = 4\n[theme]\nbase = 'light'\nwarn = '#ffff00'\n[keys]\nsplit-left = '{'\nundo = 'Z'\n";
        let config = parse(text).unwrap();
        assert_eq!((config.theme, config.k), (Some(ThemeChoice::Light), Some(4)));
        let lines: Vec<usize> = config.notes.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 6]);
        for (_, note) in &config.notes {
            assert!(note.contains("theme = \"dark\"") || note.contains("has its place"), "{note}");
        }
        let undo = config.keymap.lookup(ViewId::Docs, Key::char('Z'));
        assert_eq!(undo.map(|it| it.action.name()), Some("undo"));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_line() {
        for (text, line, problem) in [
            ("k = 3\nthem = 'dark'", 2, "them is unknown; did you mean theme?"),
            ("theme = 'pink'", 1, "choose one of auto, dark, light, contrast, mono"),
            ("\n\nk = 'three'", 3, "k is a number from 0 to 128"),
            ("theme = dark", 1, ""),
            ("[keys]\ndwn = 'j'", 2, "dwn is unknown; did you mean down?"),
            ("[keys]\n\ndown = 'k'", 3, "k would be down and up"),
            ("[keys]\ndown = 3", 2, "down is a string"),
            ("keys = 3", 1, "keys is a table"),
            ("k = 0xff", 1, "k is a number from 0 to 128"),
            ("[keys]\n\"\\u001b[31mx\" = 3", 2, "^[[31mx is a string"),
            ("recipe = 'words:0'", 1, ""),
            ("fields = 'label'", 1, "fields is a list of at most 6 names"),
            ("fields = ['label', 3]", 1, "fields is a list"),
            ("fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g']", 1, "fields is a list of at most 6"),
            ("[theme]\nbase = 'dim'", 2, "choose one of auto, dark"),
        ] {
            let problems = parse(text).unwrap_err();
            let [(at, message)] = &problems[..] else { panic!("{text}: {problems:?}") };
            assert!(*at == line && message.contains(problem), "{text}: {at}: {message}");
        }
        // All problems are reported at once.
        let text = "them = 'dark'\nk = 3\nglyfs = 'ascii'\n[keys]\ndwn = 'j'\nupp = 'k'\n[theme]\nbase = 'dim'";
        let lines: Vec<usize> = parse(text).unwrap_err().iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 3, 5, 6, 8]);
    }
}
