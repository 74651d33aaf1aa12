//! The configuration of the explorer: one TOML file, every line of which may be left out.

use std::{
    fmt::Write as _,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use toml::de::{DeTable, DeValue};

use super::{args::ConfigAction, stdout, suggest, value::Glyphs};
use crate::{
    analysis::DEFAULT_K,
    app::custom_keys::{Keymap, PRESETS, action_names, usual as usual_keys},
    corpus::{read_text_file, user_folder},
    look::ThemeChoice,
    simhash::Recipe,
    text::visible::visible,
};

/// The names of the settings beside the keys.
const SETTINGS: [&str; 5] = ["theme", "glyphs", "recipe", "k", "keys"];

/// The settings that the user has named.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The colours.
    pub(super) theme: Option<ThemeChoice>,
    /// The characters.
    pub(super) glyphs: Option<Glyphs>,
    /// The recipe to begin with.
    pub(super) recipe: Option<Recipe>,
    /// The k to begin with.
    pub(super) k: Option<u32>,
    /// The keys of actions.
    pub(super) keymap: Keymap,
}

/// The path of the file: `$XDG_CONFIG_HOME/simscope/config.toml`, by default below `~/.config`; `None` where there
/// is no home.
fn place() -> Option<PathBuf> {
    Some(user_folder("XDG_CONFIG_HOME", ".config")?.join("simscope").join("config.toml"))
}

/// The configuration of the user; nothing set where there is no file.
///
/// # Errors
/// If the file cannot be read, or says something that cannot be: with its name and line.
pub(super) fn read() -> anyhow::Result<Config> {
    match place() {
        Some(path) if path.symlink_metadata().is_ok() => read_file(&path),
        _ => Ok(Config::default()),
    }
}

fn read_file(path: &Path) -> anyhow::Result<Config> {
    // A pipe would be waited for, and a device read for ever.
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        bail!(
            "{}: no ordinary file; put the configuration there",
            visible(&path.to_string_lossy())
        );
    }
    let text = read_text_file(path).context("the configuration")?;
    parse(&text).map_err(|(line, problem)| {
        let name = path.to_string_lossy();
        anyhow!("{}:{line}: {problem}", visible(&name))
    })
}

/// `simscope config` prints the usual configuration with its meaning, `simscope config check` reads one; the exit code.
pub(super) fn run(action: Option<ConfigAction>) -> anyhow::Result<u8> {
    match action {
        None => stdout::print(usual().as_bytes()),
        Some(ConfigAction::Check { file }) => check(file.as_deref()),
    }
}

/// The exit code, if the file is sound.
fn check(file: Option<&Path>) -> anyhow::Result<u8> {
    let path = file.map(Path::to_owned).or_else(place);
    let Some(path) = path else { bail!("there is no home folder; name the FILE to check") };
    if let Err(error) = path.metadata()
        && error.kind() == io::ErrorKind::NotFound
    {
        bail!(
            "{}: not found; `simscope config` prints one to begin with",
            visible(&path.to_string_lossy())
        );
    }
    read_file(&path)?;
    stdout::print(format!("{}: sound\n", visible(&path.to_string_lossy())).as_bytes())
}

/// The usual configuration, every line with its meaning.
fn usual() -> String {
    let place = place().map_or_else(String::new, |path| format!(" as {}", path.to_string_lossy()));
    let mut text = format!(
        "# The configuration of the explorer. Save it{place}\n\
         # and change what you like; every line may be left out. Options of the command line come first.\n\n\
         # Colours for: auto, dark, light, contrast, mono. auto asks COLORFGBG, else dark.\ntheme = \"auto\"\n\n\
         # Characters: unicode, ascii. Left out, terminal and locale decide.\n# glyphs = \"unicode\"\n\n\
         # The recipe and the k to begin with. Commands take them from their options alone.\n\
         recipe = \"{}\"\nk = {DEFAULT_K}\n\n[keys]\n\
         # The preset whose keys the lines below change: {}.\npreset = \"default\"\n\n\
         # An action and its keys, written as --keys takes them. The usual ones:\n",
        Recipe::default(),
        PRESETS.join(", "),
    );
    for name in action_names() {
        let Some(row) = usual_keys(name) else { continue };
        let keys: String = row.keys.iter().map(|key| key.written()).collect();
        let setting = format!("{name} = {}", quoted(&keys));
        let _ = writeln!(text, "# {setting:<32} # {}", row.help);
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
fn parse(text: &str) -> Result<Config, Problem> {
    let line = |at: Range<usize>| 1 + text[..at.start.min(text.len())].matches('\n').count();
    let table = DeTable::parse(text)
        .map_err(|error| (line(error.span().unwrap_or_default()), error.message().to_owned()))?;
    let mut config = Config::default();
    for (name, value) in table.into_inner() {
        let at = line(name.span());
        let problem = |problem: String| (at, problem);
        match &**name.get_ref() {
            "theme" => config.theme = Some(named(value.get_ref()).map_err(problem)?),
            "glyphs" => config.glyphs = Some(named(value.get_ref()).map_err(problem)?),
            "recipe" => config.recipe = Some(named(value.get_ref()).map_err(problem)?),
            "k" => {
                let number = value.get_ref().as_integer().map(|it| it.as_str().replace('_', ""));
                let k = number.and_then(|it| it.parse().ok()).filter(|k| *k <= 128);
                let refused = || problem("k is a number from 0 to 128".to_owned());
                config.k = Some(k.ok_or_else(refused)?);
            }
            "keys" => {
                let DeValue::Table(keys) = value.get_ref() else {
                    return Err(problem(
                        "keys is a table: write [keys] and a line for each action".to_owned(),
                    ));
                };
                config.keymap = keymap(keys, line)?;
            }
            other => return Err(problem(unknown(other, SETTINGS.into_iter()))),
        }
    }
    Ok(config)
}

/// The keymap of a table: a preset, and actions with their keys.
fn keymap(table: &DeTable<'_>, line: impl Fn(Range<usize>) -> usize) -> Result<Keymap, Problem> {
    let mut keymap = Keymap::default();
    let mut actions = Vec::new();
    let mut last = 0;
    for (name, value) in table {
        let at = line(name.span());
        let DeValue::String(text) = value.get_ref() else {
            return Err((at, format!("{} is a string, such as \"j<down>\"", name.get_ref())));
        };
        let name = name.get_ref().to_string();
        if name == "preset" {
            keymap = Keymap::preset(text).map_err(|problem| (at, problem))?;
        } else if action_names().contains(&&*name) {
            actions.push((name, text.to_string()));
            last = last.max(at);
        } else {
            return Err((at, unknown(&name, action_names().into_iter())));
        }
    }
    keymap.with(&actions).map_err(|problem| (last, problem))
}

/// A value by its written name.
fn named<T: std::str::FromStr<Err: std::fmt::Display>>(value: &DeValue<'_>) -> Result<T, String> {
    let text = value.as_str().ok_or("the value is a string: write it between quotes")?;
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// The message about a name that means nothing, with the nearest that does.
fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let near = suggest::nearest(name, names);
    let advice = near.map_or_else(
        || "`simscope config` prints all there are".to_owned(),
        |near| format!("did you mean {near}?"),
    );
    format!("{} is unknown; {advice}", visible(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_configuration_sets_what_is_usual() {
        let config = parse(&usual()).unwrap();
        assert_eq!((config.theme, config.k), (Some(ThemeChoice::Auto), Some(DEFAULT_K)));
        assert_eq!(config.recipe, Some(Recipe::default()));
        // Each line about an action sets its usual keys.
        let lines = usual().replace("# ", "");
        let keys = lines.split_once("The usual ones:\n").unwrap().1;
        let keys: String = keys
            .lines()
            .filter_map(|line| line.split_once("\" "))
            .fold("[keys]\n".to_owned(), |text, (setting, _)| text + setting + "\"\n");
        assert!(parse(&keys).is_ok(), "{:?}\n{keys}", parse(&keys).err());
    }

    #[test]
    fn what_is_set_is_set() {
        let text = "theme = 'light'\nglyphs = 'ascii'\nrecipe = 'chars:5 binary'\nk = 1_2\n[keys]\npreset = 'emacs'\nundo = 'Z'\n";
        let config = parse(text).unwrap();
        assert_eq!((config.theme, config.glyphs), (Some(ThemeChoice::Light), Some(Glyphs::Ascii)));
        assert_eq!(
            (config.recipe.unwrap().short(), config.k),
            ("chars:5 binary".to_owned(), Some(12))
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
            ("recipe = 'words:0'", 1, ""),
        ] {
            let (at, told) = parse(text).unwrap_err();
            assert!(at == line && told.contains(problem), "{text}: {at}: {told}");
        }
    }
}
