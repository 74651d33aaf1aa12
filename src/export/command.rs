//! The command line that does the same again, quoted for a POSIX shell.

use std::path::Path;

use serde_json::Value;

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
        let [load, usual] = [load, &LoadOptions::default()].map(serde_json::to_value);
        // Names and values of options are always JSON.
        line.reading("--", load.unwrap_or_default(), &usual.unwrap_or_default());
        line
    }

    /// Adds the options of reading that are not as usual: their names are those of the fields.
    fn reading(&mut self, prefix: &str, load: Value, usual: &Value) {
        let Value::Object(fields) = load else { return };
        for (field, value) in fields {
            let name = format!("{prefix}{field}");
            match value {
                // The reference is among the inputs.
                value if value == usual[&field] || field == "n-reference" => {}
                Value::Object(_) => self.reading("--max-", value, &usual[&field]),
                Value::String(text) => self.option(&name, Some(text)),
                Value::Number(byte) if prefix == "--" => {
                    let character = char::from(byte.as_u64().unwrap_or(0) as u8).to_string();
                    self.option(&name, Some(character.replace('\t', "tab")));
                }
                Value::Number(number) => self.option(&name, Some(number.to_string())),
                _ => self.flag(&name, true),
            }
        }
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
    use crate::corpus::{FingerprintType, InputFormat, InputLimits, TextEncoding};

    #[test]
    fn each_option_of_reading_has_its_words() {
        let name = |name: &str| Some(name.to_owned());
        let load = LoadOptions {
            input_format: InputFormat::JSONL,
            text_field: name("body"),
            id_field: name("key"),
            title_field: name("head"),
            fingerprint_field: name("print"),
            hashes_field: name("hashes"),
            records: name("rows"),
            no_quotes: true,
            encoding: TextEncoding::Auto,
            fp_type: FingerprintType::Uint64,
            delimiter: Some(b'\t'),
            csv_escape: Some(b'\\'),
            no_header: true,
            glob: name("*.md"),
            follow_links: true,
            limits: InputLimits { document: 1, expansion: 2, spool: 3 },
            n_reference: 1,
        };
        let command = CommandLine::new("pairs", &Settings::default(), &load).of(&[]);
        let expected = "--csv-escape '\\' --delimiter tab --encoding auto --fingerprint-field print --follow-links \
                        --fp-type uint64 --glob '*.md' --hashes-field hashes --id-field key --input-format jsonl \
                        --max-document 1 --max-expansion 2 --max-spool 3 --no-header --no-quotes --records rows \
                        --text-field body --title-field head";
        assert!(command.ends_with(expected), "{command}");
        let usual = CommandLine::new("pairs", &Settings::default(), &LoadOptions::default());
        assert!(usual.of(&[]).ends_with(" -k 3"));
    }

    #[test]
    fn words_come_back_from_a_shell_as_they_were() {
        assert_eq!(quoted("a/b-c.jsonl"), "a/b-c.jsonl");
        assert_eq!(quoted("words:3 tf"), "'words:3 tf'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!((quoted(""), quoted("*.md")), ("''".into(), "'*.md'".into()));
    }
}
