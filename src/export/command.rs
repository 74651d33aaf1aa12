//! The command line that does the same again, quoted for a POSIX shell.

use std::path::Path;

use crate::analysis::{Alike, LayoutChoice, Settings};
use crate::corpus::{FingerprintType, Input, InputFormat, LoadOptions, TextEncoding};
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
        let LoadOptions {
            format,
            text_field,
            id_field,
            title_field,
            fingerprint_field,
            hashes_field,
            records,
            no_quotes,
            encoding,
            fingerprint_type,
            delimiter,
            escape,
            has_header,
            glob,
            follow_links,
            limits,
            n_reference: _,
        } = load;
        let usual = LoadOptions::default();
        line.option("--input-format", (*format != InputFormat::AUTO).then(|| format.to_string()));
        line.option("--text-field", (*text_field != usual.text_field).then(|| text_field.clone()));
        line.option("--id-field", id_field.clone());
        line.option("--title-field", title_field.clone());
        line.option("--fingerprint-field", fingerprint_field.clone());
        line.option("--hashes-field", hashes_field.clone());
        line.option("--records", records.clone());
        line.flag("--no-quotes", *no_quotes);
        let is_utf8 = *encoding == TextEncoding::Utf8;
        line.option("--encoding", (!is_utf8).then(|| encoding.to_string()));
        let is_hex = *fingerprint_type == FingerprintType::Hex;
        line.option("--fp-type", (!is_hex).then(|| fingerprint_type.to_string()));
        let delimiter = delimiter.map(|byte| char::from(byte).to_string());
        line.option("--delimiter", delimiter.map(|it| it.replace('\t', "tab")));
        line.option("--csv-escape", escape.map(|byte| char::from(byte).to_string()));
        line.flag("--no-header", !has_header);
        line.option("--glob", glob.clone());
        let bytes = |own: u64, usual: u64| (own != usual).then(|| own.to_string());
        line.option("--max-document", bytes(limits.document, usual.limits.document));
        line.option("--max-expansion", bytes(limits.expansion, usual.limits.expansion));
        line.option("--max-spool", bytes(limits.spool, usual.limits.spool));
        line.flag("--follow-links", *follow_links);
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
    fn words_come_back_from_a_shell_as_they_were() {
        assert_eq!(quoted("a/b-c.jsonl"), "a/b-c.jsonl");
        assert_eq!(quoted("words:3 tf"), "'words:3 tf'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!((quoted(""), quoted("*.md")), ("''".into(), "'*.md'".into()));
    }
}
