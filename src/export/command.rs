//! The command line that does the same again, quoted for a POSIX shell.

use std::path::Path;

use crate::analysis::{Alike, LayoutChoice, Settings};
use crate::corpus::{Input, LoadOptions};
use crate::text::visible;

/// A command line in the making.
pub(crate) struct CommandLine {
    words: Vec<String>,
    /// The last so many inputs are the reference.
    n_reference: usize,
}

impl CommandLine {
    /// The command with its recipe, k and layout, and how its inputs are read.
    pub(crate) fn new(command: &str, settings: &Settings, load: &LoadOptions) -> Self {
        let words = vec!["simscope".to_owned(), command.to_owned()];
        let mut line = Self { words, n_reference: load.n_reference };
        line.option("--recipe", Some(settings.recipe.to_string()));
        line.option("-k", Some(settings.k.to_string()));
        let (alike, usual) = (settings.alike, Alike::default());
        line.option("--alike", (alike.by != usual.by).then(|| alike.by.to_string()));
        line.option("--tau", (alike.tau != usual.tau).then(|| alike.tau.to_string()));
        line.option("--truth-features", alike.features.map(|features| features.to_string()));
        match settings.layout {
            LayoutChoice::Auto => {}
            LayoutChoice::Blocks(blocks) => line.option("--blocks", Some(blocks.to_string())),
            LayoutChoice::TwoLevel { outer, inner } => {
                line.option("--blocks", Some(format!("{outer}/{inner}")));
            }
            LayoutChoice::Bands { bands, bits } => {
                line.option("--bands", Some(format!("{bands}x{bits}")));
            }
        }
        let usual = reading(&LoadOptions::default());
        let given = reading(load).into_iter().zip(usual).filter(|(own, usual)| own != usual);
        line.words.extend(given.flat_map(|(own, _)| own));
        line
    }

    /// Adds an option that has a value.
    pub(crate) fn option(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            self.words.extend([name.to_owned(), value]);
        }
    }

    /// Adds an option without a value, if it is set.
    pub(crate) fn flag(&mut self, name: &str, is_set: bool) {
        self.words.extend(is_set.then(|| name.to_owned()));
    }

    /// Adds the inputs, and joins all; control characters are shown as escapes.
    pub(crate) fn of(mut self, inputs: &[Input]) -> String {
        let is_option = |path: &Path| path.to_string_lossy().starts_with('-');
        let (ours, reference) = inputs.split_at(inputs.len().saturating_sub(self.n_reference));
        let word = |input: &Input| match input {
            Input::Path(path) if is_option(path) => Some(format!("./{}", path.to_string_lossy())),
            Input::Path(path) => Some(path.to_string_lossy().into_owned()),
            Input::Stdin => Some("-".to_owned()),
            Input::Bundled { .. } => None,
        };
        for input in reference {
            self.option("--reference", word(input));
        }
        self.words.extend(ours.iter().filter_map(word));
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        visible(&words.join(" ")).into_owned()
    }
}

/// The words of each option of reading, none for one that is not set.
fn reading(load: &LoadOptions) -> [Vec<String>; 18] {
    let flag = |name: &str, is_set: bool| Vec::from_iter(is_set.then(|| name.to_owned()));
    let option = |name: &str, value: Option<String>| {
        value.map_or_else(Vec::new, |value| vec![name.to_owned(), value])
    };
    let byte = |byte: Option<u8>| byte.map(|byte| char::from(byte).to_string());
    [
        option("--input-format", Some(load.format.to_string())),
        option("--text-field", Some(load.text_field.clone())),
        option("--id-field", load.id_field.clone()),
        option("--title-field", load.title_field.clone()),
        option("--fingerprint-field", load.fingerprint_field.clone()),
        option("--hashes-field", load.hashes_field.clone()),
        option("--records", load.records.clone()),
        flag("--no-quotes", load.no_quotes),
        option("--encoding", Some(load.encoding.to_string())),
        option("--fp-type", Some(load.fingerprint_type.to_string())),
        option("--delimiter", byte(load.delimiter).map(|it| it.replace('\t', "tab"))),
        option("--csv-escape", byte(load.escape)),
        flag("--no-header", !load.has_header),
        option("--glob", load.glob.clone()),
        option("--max-document", Some(load.limits.document.to_string())),
        option("--max-expansion", Some(load.limits.expansion.to_string())),
        option("--max-spool", Some(load.limits.spool.to_string())),
        flag("--follow-links", load.follow_links),
    ]
}

/// A word as a POSIX shell reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_of_reading_has_its_words() {
        let fields = serde_json::to_value(LoadOptions::default()).unwrap();
        let n_fields = fields.as_object().unwrap().len();
        // The limits are three options, and the reference is among the inputs.
        assert_eq!(reading(&LoadOptions::default()).len(), n_fields + 2 - 1);
    }

    #[test]
    fn words_come_back_from_a_shell_as_they_were() {
        assert_eq!(quoted("a/b-c.jsonl"), "a/b-c.jsonl");
        assert_eq!(quoted("words:3 tf"), "'words:3 tf'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!((quoted(""), quoted("*.md")), ("''".into(), "'*.md'".into()));
    }
}
