//! The keymap in use: the default, or one in which the user has changed the keys of actions.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::keymap::KEYMAP;
use super::{Action, Binding, Key, Keys, ViewId};

/// Every binding in use.
#[derive(Clone, Copy, Debug)]
pub struct Keymap(&'static [Binding]);

impl Default for Keymap {
    fn default() -> Self {
        Self(KEYMAP)
    }
}

/// An action by its name, and its keys as `--keys` takes them.
type Row = (&'static str, &'static str);

/// The keys of Emacs, beside the default ones.
const EMACS: &[Row] = &[
    ("down", "<down><c-n>"),
    ("up", "<up><c-p>"),
    ("right", "<right><c-f>l"),
    ("left", "<left><c-b>h"),
    ("page-down", "<pgdn><c-v>"),
    ("page-up", "<pgup><a-v>"),
    ("find", "/<c-s>"),
    ("undo", "u<c-_>"),
    ("back", "<esc><c-g>"),
    ("menu", ":<a-x>"),
];

/// The presets: the name of each, and the keys in which it differs from the default ones.
const PRESETS: [(&str, &[Row]); 2] = [("default", &[]), ("emacs", EMACS)];

/// The names of the presets.
pub fn presets() -> String {
    PRESETS.map(|(name, _)| name).join(", ")
}

/// The names of all actions, in the order of the keymap.
pub fn action_names() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    KEYMAP.iter().map(|binding| binding.action.name()).filter(|name| seen.insert(*name)).collect()
}

/// The number of views that have a binding.
fn n_views(row: &Binding) -> usize {
    ViewId::ALL.iter().filter(|it| row.views.contains(**it)).count()
}

/// The bindings of an action.
fn rows_of(name: &str) -> impl Iterator<Item = &'static Binding> {
    KEYMAP.iter().filter(move |row| row.action.name() == name)
}

/// The binding of an action with its default keys, in most views. Some views have other keys for the action.
fn default_binding(name: &str) -> Option<&'static Binding> {
    rows_of(name).max_by_key(|row| (n_views(row), Reverse(row.keys.len())))
}

/// The helps of an action that are told where no view is shown.
const MOST_HELPS: usize = 3;

/// The effects of an action, those in most views first: it may do something else in another view.
fn action_help(name: &str) -> String {
    let mut rows: Vec<&Binding> = rows_of(name).collect();
    rows.sort_by_key(|row| Reverse(n_views(row)));
    let mut seen = BTreeSet::new();
    let helps = rows.into_iter().map(|row| row.help);
    let mut helps: Vec<&str> = helps.filter(|help| seen.insert(*help)).collect();
    let others = if helps.len() > MOST_HELPS { "; or what other views say" } else { "" };
    helps.truncate(MOST_HELPS);
    helps.join("; or ") + others
}

/// Every action: its name, its default keys as `--keys` takes them, and its effects.
pub fn actions() -> impl Iterator<Item = (&'static str, String, String)> {
    action_names().into_iter().filter_map(|name| {
        let keys = default_binding(name)?.keys.iter().map(|key| key.written()).collect();
        Some((name, keys, action_help(name)))
    })
}

impl Keymap {
    /// The keymap of a preset.
    ///
    /// # Errors
    /// If no preset has this name.
    pub fn preset(name: &str) -> Result<Self, String> {
        let preset = PRESETS.iter().find(|(it, _)| *it == name);
        let unknown = || format!("{name:?} is not a preset; choose one of {}", presets());
        Self::default().with(preset.ok_or_else(unknown)?.1)
    }

    /// This keymap with other keys for some actions, each given by its name and its keys as `--keys` takes them. Keys
    /// that only some views have for an action stay. The keymap lives as long as the program.
    ///
    /// # Errors
    /// If there is no such action or key, an action is left without keys, or a key would do two things in one
    /// view.
    pub fn with(self, actions: &[(&str, &str)]) -> Result<Self, String> {
        let mut rows = self.0.to_vec();
        for &(name, keys) in actions {
            let keys: Keys = keys.parse().map_err(|error| format!("{name}: {error}"))?;
            if keys.0.is_empty() {
                return Err(format!("{name}: an action needs a key"));
            }
            let keys: &'static [Key] = keys.0.leak();
            let Some(usual) = default_binding(name) else {
                return Err(format!(
                    "{name:?} is not an action; `simscope config` lists the actions"
                ));
            };
            let is_it = |row: &Binding| row.action == usual.action && row.keys == usual.keys;
            for (row, _) in rows.iter_mut().zip(KEYMAP).filter(|(_, row)| is_it(row)) {
                row.keys = keys;
                // A label such as j/k would name the default keys.
                row.footer = row.footer.map(|(_, word)| (&*keys[0].to_string().leak(), word));
            }
        }
        let keymap = Self(rows.leak());
        keymap.check()?;
        Ok(keymap)
    }

    /// Refuses a key that does two things in one view.
    fn check(self) -> Result<(), String> {
        for &view in ViewId::ALL {
            for binding in self.bindings(view) {
                let clash = |key: &Key| {
                    let other = self.lookup(view, *key)?;
                    Some((*key, other.action)).filter(|(_, action)| *action != binding.action)
                };
                if let Some((key, action)) = binding.keys.iter().find_map(clash) {
                    let (one, two) = (action.name(), binding.action.name());
                    return Err(format!(
                        "{key} would be {one} and {two} in {view}; give one of them other keys"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The bindings of a view, in keymap order.
    pub fn bindings(self, view: ViewId) -> impl Iterator<Item = &'static Binding> {
        self.0.iter().filter(move |binding| binding.views.contains(view))
    }

    /// The first key of an action in a view.
    pub fn first_key(self, view: ViewId, action: Action) -> Option<Key> {
        self.bindings(view).find(|binding| binding.action == action).map(|it| it.keys[0])
    }

    /// The binding of a key in a view.
    pub fn lookup(self, view: ViewId, key: Key) -> Option<&'static Binding> {
        self.bindings(view).find(|binding| binding.keys.contains(&key))
    }

    /// The first key of an action in a view, as help shows it; or the action's name if the view has no key for it.
    pub fn key_of(self, view: ViewId, action: Action) -> String {
        let key = self.first_key(view, action);
        key.map_or_else(|| action.name().to_owned(), |key| key.to_string())
    }

    /// The message about a key without an action in a view, in at most `cells` cells: it names a view in which the key
    /// has an action, if there is one and there is room, and the key that lists the keys.
    pub(super) fn unbound(self, view: ViewId, key: Key, cells: usize) -> String {
        let elsewhere = |id: ViewId| Some((id, self.lookup(id, key)?));
        // Views of the same screen come first.
        let mut nearest: Vec<_> = ViewId::ALL.iter().filter_map(|&id| elsewhere(id)).collect();
        nearest.sort_by_key(|(id, _)| id.screen() != view.screen());
        let nearest = nearest.first().map_or_else(String::new, |(id, binding)| {
            let help = binding.help.split([':', ';', ',', '(']).next().unwrap_or_default();
            format!("; in {}: {}", id.full_name(), help.trim_end())
        });
        let lists = format!("; {} lists the keys", self.key_of(view, Action::Help));
        let ends = [format!("{nearest}{lists}"), nearest, lists];
        let texts = ends.map(|end| format!("{key} does nothing here{end}"));
        let shortest = format!("{key} does nothing here");
        texts.into_iter().find(|text| text.len() <= cells).unwrap_or(shortest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::key::KeyCode;

    fn with(rows: &[(&str, &str)]) -> Result<Keymap, String> {
        Keymap::default().with(rows)
    }

    #[test]
    fn an_action_has_the_keys_that_it_is_given_in_every_view() {
        let keymap = with(&[("down", "<f9><down>")]).unwrap();
        let action = |key| keymap.lookup(ViewId::Docs, key).map(|it| it.action.name());
        let new = Key::plain(KeyCode::F(9));
        assert_eq!((action(new), action(Key::char('j'))), (Some("down"), None));
        let footer =
            keymap.bindings(ViewId::Docs).find_map(|it| it.footer.filter(|it| it.1 == "choose"));
        assert_eq!(footer.unwrap().0, "F9");
    }

    #[test]
    fn a_preset_can_be_changed_and_keys_of_one_view_stay() {
        let keymap = Keymap::preset("emacs").unwrap().with(&[("undo", "Z")]).unwrap();
        let action = |view, key| keymap.lookup(view, key).map(|it| it.action.name());
        assert_eq!(action(ViewId::Docs, Key::char('Z')), Some("undo"));
        assert_eq!(action(ViewId::Docs, Key::char('u')), None);
        assert_eq!(action(ViewId::Docs, Key::ctrl('n')), Some("down"));
        let keymap = with(&[("raise-k", "K")]).unwrap_err();
        assert!(keymap.contains("K would be"), "{keymap}");
        // An answer is taken back by z on Judging, whatever takes it back on Tune.
        let keymap = with(&[("take-back", "}")]).unwrap();
        let action = |view, key| keymap.lookup(view, key).map(|it| it.action.name());
        assert_eq!(action(ViewId::Judging, Key::char('z')), Some("take-back"));
        assert_eq!(action(ViewId::Tune, Key::char('}')), Some("take-back"));
        assert_eq!(action(ViewId::Tune, Key::plain(KeyCode::Backspace)), None);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = |rows: &[_]| with(rows).unwrap_err();
        assert!(error(&[("jump", "x")]).contains("\"jump\" is not an action"));
        assert!(
            error(&[("down", "k")]).contains("k would be down and up"),
            "{}",
            error(&[("down", "k")])
        );
        assert!(error(&[("down", "<bogus>")]).contains("names no key"));
        assert!(error(&[("down", "")]).contains("needs a key"));
        assert!(Keymap::preset("wordstar").unwrap_err().contains("default, emacs"));
    }

    #[test]
    fn presets_are_sound_and_names_tell_actions_apart() {
        // A page has two rows for scrolling down: one key for both is no contradiction.
        for (name, _) in PRESETS {
            Keymap::preset(name).unwrap();
        }
        for one in KEYMAP {
            for other in KEYMAP {
                let same = one.action.name() == other.action.name();
                assert_eq!(same, one.action == other.action, "{:?} {:?}", one.action, other.action);
            }
        }
    }
}
