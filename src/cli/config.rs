//! The configuration of the explorer: one TOML file. Each of its lines may be left out.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use toml::de::{DeTable, DeValue};

use super::{describe::print, suggest, value::Glyphs};
use crate::{
    analysis::DEFAULT_K,
    app::{
        custom_keys::{Keymap, PRESETS, action_help, action_names, default_binding},
        screen::docs::MOST_COLUMNS,
    },
    corpus::{read_text_file, user_folder},
    look::{ColourRole, OwnColour, Rgb, ThemeChoice, contrast},
    simhash::Recipe,
    text::visible::visible,
};

/// The names of the settings beside the keys.
const SETTINGS: [&str; 6] = ["theme", "glyphs", "recipe", "k", "fields", "keys"];

/// The settings that the user has named.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The colours.
    pub(super) theme: Option<ThemeChoice>,
    /// The user's own colours in place of some of them, in the order of the roles.
    pub(super) own: Vec<OwnColour>,
    /// Remarks on the user's own colours, each with its line.
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
        Some(path) if path.symlink_metadata().is_ok() => read_file(&path),
        _ => Ok(Config::default()),
    }
}

fn read_file(path: &Path) -> anyhow::Result<Config> {
    // Reading a pipe could wait, and reading a device might never end.
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        bail!(
            "{}: not an ordinary file; put the configuration there",
            visible(&path.to_string_lossy())
        );
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
        bail!(
            "{}: not found; `simscope config` prints one to begin with",
            visible(&path.to_string_lossy())
        );
    }
    let config = read_file(&path)?;
    let path = path.to_string_lossy();
    let name = visible(&path);
    let notes = config.notes.iter().map(|(line, note)| format!("{name}:{line}: note: {note}\n"));
    let notes: String = notes.collect();
    print(format!("{notes}{name}: sound\n").as_bytes())
}

/// The default configuration, each line with its meaning.
fn default_text() -> String {
    let place = place().map_or_else(String::new, |path| format!(" as {}", path.to_string_lossy()));
    let mut text = format!(
        "# The configuration of the explorer. Save it{place}\n\
         # and change what you like; every line may be left out. Options of the command line come first.\n\n\
         # Colours for: auto, dark, light, contrast, mono. auto takes the ground that COLORFGBG or the terminal names.\n\
         theme = \"auto\"\n\n\
         # To change single colours, replace the line above by a table at the end, with the roles that you change.\n\
         # [theme]\n# base = \"auto\"\n# block-a = \"#56b4e9\"\n\
         # Its roles: {}.\n\n\
         # Characters: unicode, ascii. If left out, terminal and locale decide.\n# glyphs = \"unicode\"\n\n\
         # The recipe and the k to begin with. They do not affect commands, which have options for them.\n\
         recipe = \"{}\"\nk = {DEFAULT_K}\n\n\
         # Fields of the rows to show as columns of Docs, at most {MOST_COLUMNS}, such as [\"label\", \"year\"].\n\
         fields = []\n\n[keys]\n\
         # The preset whose keys the lines below change: {}.\npreset = \"default\"\n\n\
         # An action and its keys, written as --keys takes them. The default keys:\n",
        ColourRole::ALL.iter().map(|role| role.name()).collect::<Vec<_>>().join(", "),
        Recipe::default(),
        PRESETS.join(", "),
    );
    for name in action_names() {
        let Some(row) = default_binding(name) else { continue };
        let keys: String = row.keys.iter().map(|key| key.written()).collect();
        let setting = format!("{name} = {}", quoted(&keys));
        let _ = writeln!(text, "# {setting:<32} # {}", action_help(name));
    }
    text
}

/// A string as TOML writes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
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
    let problem = |problem: String| vec![(at, problem)];
    match name {
        "theme" => match value {
            DeValue::Table(roles) => {
                take_theme(config, roles, line).map_err(|problem| vec![problem])?;
            }
            value => config.theme = Some(named(value).map_err(problem)?),
        },
        "glyphs" => config.glyphs = Some(named(value).map_err(problem)?),
        "recipe" => config.recipe = Some(named(value).map_err(problem)?),
        "k" => {
            let number = value.as_integer();
            let number = number.map(|it| u32::from_str_radix(it.as_str(), it.radix()));
            let k = number.and_then(Result::ok).filter(|k| *k <= 128);
            let refused = || problem("k is a number from 0 to 128".to_owned());
            config.k = Some(k.ok_or_else(refused)?);
        }
        "fields" => config.fields = fields(value).map_err(problem)?,
        "keys" => {
            let DeValue::Table(keys) = value else {
                return Err(problem(
                    "keys is a table: write [keys] and a line for each action".to_owned(),
                ));
            };
            config.keymap = keymap(keys, line)?;
        }
        other => return Err(problem(unknown(other, SETTINGS.into_iter()))),
    }
    Ok(())
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

/// Takes a table of colours: the theme that they change, and a colour for each role that is named.
fn take_theme(
    config: &mut Config,
    table: &DeTable<'_>,
    line: impl Fn(Range<usize>) -> usize,
) -> Result<(), Problem> {
    let mut lines = BTreeMap::new();
    for (name, value) in table {
        let at = line(name.span());
        let name: &str = name.get_ref();
        if name == "base" {
            config.theme = Some(named(value.get_ref()).map_err(|problem| (at, problem))?);
            continue;
        }
        let Some(place) = ColourRole::ALL.iter().position(|role| role.name() == name) else {
            let names = ColourRole::ALL.iter().map(|role| role.name()).chain(["base"]);
            return Err((at, unknown(name, names)));
        };
        let colour = value.get_ref().as_str().and_then(colour);
        let refused = || (at, format!("{name} is a colour: write it as \"#56b4e9\""));
        lines.insert(place, (at, colour.ok_or_else(refused)?));
    }
    let given: BTreeMap<&str, Rgb> = lines
        .iter()
        .map(|(place, (_, colour))| (ColourRole::ALL[*place].name(), *colour))
        .collect();
    let is_light = config.theme == Some(ThemeChoice::Light);
    let (ground, ground_name) = if is_light { ([255; 3], "white") } else { ([0; 3], "black") };
    for (&place, &(at, colour)) in &lines {
        let role = ColourRole::ALL[place];
        config.own.push((role, colour));
        let own = role.ground().map(ColourRole::name);
        let (ground, on) = match own.map(|name| (given.get(name), name)) {
            Some((Some(ground), name)) => (*ground, name),
            // The default background was chosen for the default colour.
            Some((None, name)) if role != ColourRole::Differs => {
                return Err((at, format!("{role} is written on {name}: set both")));
            }
            _ => (ground, ground_name),
        };
        let words = ColourRole::ALL.iter().find(|words| words.ground() == Some(role));
        if let Some(words) = words.filter(|words| !given.contains_key(words.name())) {
            return Err((at, format!("{role} is the ground of {words}: name both")));
        }
        let found = contrast(colour, ground);
        if let Some(least) = role.least_contrast().filter(|least| found < *least) {
            let note = format!("{role} has a contrast of {found:.1} to {on}; {least} can be read");
            config.notes.push((at, note));
        }
    }
    Ok(())
}

/// A colour as it is written: `#` and six hexadecimal digits.
fn colour(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|it| it.len() == 6 && !it.starts_with('+'))?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    Some([16, 8, 0].map(|shift| (number >> shift) as u8))
}

/// The keymap of a table: a preset, and actions with their keys.
fn keymap(
    table: &DeTable<'_>,
    line: impl Fn(Range<usize>) -> usize,
) -> Result<Keymap, Vec<Problem>> {
    let mut keymap = Keymap::default();
    let (mut actions, mut problems) = (Vec::new(), Vec::new());
    let mut last = 0;
    for (name, value) in table {
        let at = line(name.span());
        let DeValue::String(text) = value.get_ref() else {
            let name = visible(name.get_ref());
            problems.push((at, format!("{name} is a string, such as \"j<down>\"")));
            continue;
        };
        let name = name.get_ref().to_string();
        if name == "preset" {
            match Keymap::preset(text) {
                Ok(preset) => keymap = preset,
                Err(problem) => problems.push((at, problem)),
            }
        } else if action_names().contains(&&*name) {
            actions.push((name, text.to_string()));
            last = last.max(at);
        } else {
            problems.push((at, unknown(&name, action_names().into_iter())));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    keymap.with(&actions).map_err(|problem| vec![(last, problem)])
}

/// A value by its written name.
fn named<T: std::str::FromStr<Err: std::fmt::Display>>(value: &DeValue<'_>) -> Result<T, String> {
    let text = value.as_str().ok_or("the value is a string: write it between quotes")?;
    text.parse().map_err(|error: T::Err| error.to_string())
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
    fn colours_of_ones_own_have_roles_and_pale_ones_are_noted() {
        let text = "[theme]\nbase = 'light'\nwarn = '#ffff00'\nblock-a = '#0A629C'\n\
                    left = '#ffffff'\nleft-ground = '#eeeeee'\npale-b = '#808080'\n";
        let config = parse(text).unwrap();
        assert_eq!(config.theme, Some(ThemeChoice::Light));
        assert_eq!(config.own[0], (ColourRole::BlockA, [0x0a, 0x62, 0x9c]));
        assert_eq!(config.own.len(), 5);
        let notes: Vec<String> =
            config.notes.iter().map(|(line, note)| format!("{line}: {note}")).collect();
        assert_eq!(
            notes,
            [
                "5: left has a contrast of 1.2 to left-ground; 4.5 can be read",
                "3: warn has a contrast of 1.1 to white; 4.5 can be read",
            ]
        );
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
            ("[theme]\n\nblok-a = '#56b4e9'", 3, "blok-a is unknown; did you mean block-a?"),
            ("[theme]\nbase = 'dim'", 2, "choose one of auto, dark"),
            ("[theme]\nmuted = 'grey'", 2, "muted is a colour: write it as \"#56b4e9\""),
            ("[theme]\nmuted = '#56b4e'", 2, "muted is a colour"),
            (
                "[theme]\nwarn = '#ffffff'\nleft = '#ffffff'",
                3,
                "left is written on left-ground: set both",
            ),
            ("[theme]\nleft-ground = '#ffffff'", 2, "left-ground is the ground of left: name both"),
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
