//! The names of the fields that matter in a row, and the reason why a row gives no document.

use super::json_path::starts_at;
use super::options::{FingerprintType, LoadOptions};

/// Fields that may hold a title unless the user names one, in order of preference.
const TITLES: [&str; 4] = ["title", "headline", "name", "subject"];

/// The separator of the parts of a text.
pub(super) const BETWEEN: &str = "\n\n";

/// The names that matter in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each follows from an option of its own")]
pub(super) struct FieldNames {
    pub(super) text: String,
    pub(super) id: String,
    pub(super) fingerprint: String,
    /// The field that holds hashed features, if the user named it: then it is read instead of the text.
    pub(super) hashes: Option<String>,
    /// The field that holds the title, if the user named it.
    pub(super) title: Option<String>,
    /// The field of an object that holds the list of rows, if the user named it.
    pub(super) records: Option<String>,
    /// Whether quoted lines of a mail are left out.
    pub(super) no_quotes: bool,
    /// Whether the user named the id field, so that its absence is reported.
    pub(super) id_asked: bool,
    /// Whether the user named the fingerprint field, so that it is read instead of the text.
    pub(super) fingerprint_asked: bool,
    /// The notation of fingerprints in strings.
    pub(super) fingerprint_type: FingerprintType,
    /// The byte before a quote that is a part of a cell.
    pub(super) escape: Option<u8>,
    /// Whether the first row of a table names the columns.
    pub(super) has_header: bool,
}

impl FieldNames {
    pub(super) fn new(options: &LoadOptions) -> Self {
        let or = |name: &Option<String>, default: &str| {
            name.clone().unwrap_or_else(|| default.to_owned())
        };
        Self {
            text: options.text_field.clone(),
            id: or(&options.id_field, "id"),
            fingerprint: or(&options.fingerprint_field, "fingerprint"),
            hashes: options.hashes_field.clone(),
            title: options.title_field.clone(),
            records: options.records.clone(),
            no_quotes: options.no_quotes,
            id_asked: options.id_field.is_some(),
            fingerprint_asked: options.fingerprint_field.is_some(),
            fingerprint_type: options.fingerprint_type,
            escape: options.escape,
            has_header: options.has_header,
        }
    }

    /// The field that a document is made of, and the option that names it.
    pub(super) fn content(&self) -> (&str, &'static str) {
        match &self.hashes {
            Some(hashes) => (hashes, "`hashes-field`"),
            None if self.fingerprint_asked => (&self.fingerprint, "`fingerprint-field`"),
            None => (&self.text, "`text-field`"),
        }
    }

    /// Whether a field of this name makes an object a row: it is what a document is made of, or leads there.
    pub(super) fn holds_content(&self, name: &str) -> bool {
        let mut paths = self.content().0.split(',').chain([self.content().0, &self.fingerprint]);
        paths.any(|path| starts_at(path.trim(), name))
    }

    /// Whether the text of a row is made of several values, unless a field has the whole name.
    pub(super) fn has_parts(&self) -> bool {
        self.text.contains(',') || self.text.contains("[]")
    }

    /// The names or paths of the values that the text is made of, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.text.split(',').map(str::trim)
    }

    /// Whether a document is made of its text, where it has one.
    pub(super) fn takes_text(&self) -> bool {
        self.hashes.is_none() && !self.fingerprint_asked
    }

    /// Whether a column of this name is a part of documents, or a field inside it is.
    #[cfg(feature = "formats")]
    pub(super) fn has(&self, column: &str) -> bool {
        let named = [&self.text, &self.id, &self.fingerprint].map(String::as_str).into_iter();
        let named = named.chain(self.parts());
        let mut named = named.chain(self.hashes.as_deref()).chain(self.titles());
        named.any(|name| starts_at(name, column))
    }

    /// The fields that may hold the title, in order of preference.
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        let usual = if self.title.is_some() { &[][..] } else { &TITLES[..] };
        self.title.as_deref().into_iter().chain(usual.iter().copied())
    }
}

/// Problem and remedy of a record; the caller knows its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowError {
    pub(super) problem: String,
    pub(super) remedy: String,
}

impl RowError {
    pub(super) fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { problem: problem.into(), remedy: remedy.into() }
    }
}
