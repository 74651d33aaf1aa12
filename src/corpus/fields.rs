//! The names of the fields that matter in a row, by the options of reading, and the reason why a row gives no document.

use super::diagnostic::Diagnostic;
use super::json_path::starts_at;
use super::options::LoadOptions;

/// Fields that may hold a title unless the user names one, in order of preference.
const TITLES: [&str; 4] = ["title", "headline", "name", "subject"];

/// The separator of the parts of a text.
pub(super) const BETWEEN: &str = "\n\n";

impl LoadOptions {
    /// The field that holds the text.
    pub(super) fn text(&self) -> &str {
        self.text_field.as_deref().unwrap_or("text")
    }

    /// The field that holds the id.
    pub(super) fn id(&self) -> &str {
        self.id_field.as_deref().unwrap_or("id")
    }

    /// The field that holds a fingerprint.
    pub(super) fn fingerprint(&self) -> &str {
        self.fingerprint_field.as_deref().unwrap_or("fingerprint")
    }

    /// The field that a document is made of, and the option that names it.
    pub(super) fn content(&self) -> (&str, &'static str) {
        match &self.hashes_field {
            Some(hashes) => (hashes, "`hashes-field`"),
            None if self.fingerprint_field.is_some() => (self.fingerprint(), "`fingerprint-field`"),
            None => (self.text(), "`text-field`"),
        }
    }

    /// Whether a field of this name makes an object a row: it is what a document is made of, or leads there.
    pub(super) fn holds_content(&self, name: &str) -> bool {
        let mut paths = self.content().0.split(',').chain([self.content().0, self.fingerprint()]);
        paths.any(|path| starts_at(path.trim(), name))
    }

    /// Whether the text of a row is made of several values, unless a field has the whole name.
    pub(super) fn has_parts(&self) -> bool {
        self.text().contains(',') || self.text().contains("[]")
    }

    /// The names or paths of the values that the text is made of, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.text().split(',').map(str::trim)
    }

    /// Whether a document is made of its text, where it has one.
    pub(super) fn takes_text(&self) -> bool {
        self.hashes_field.is_none() && self.fingerprint_field.is_none()
    }

    /// Whether a column of this name is a part of documents, or a field inside it is.
    #[cfg(feature = "formats")]
    pub(super) fn has(&self, column: &str) -> bool {
        let named = [self.text(), self.id(), self.fingerprint()].into_iter();
        let named = named.chain(self.parts());
        let mut named = named.chain(self.hashes_field.as_deref()).chain(self.titles());
        named.any(|name| starts_at(name, column))
    }

    /// The fields that may hold the title, in order of preference.
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        let usual = if self.title_field.is_some() { &[][..] } else { &TITLES[..] };
        self.title_field.as_deref().into_iter().chain(usual.iter().copied())
    }
}

/// The first few names, in quotes.
pub(super) fn quoted_names(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 8;
    let quoted = names.iter().take(SHOWN).map(|name| {
        let name = name.as_ref();
        let short: String = name.chars().take(40).collect();
        let dots = if short.len() < name.len() { "…" } else { "" };
        format!("\"{short}{dots}\"")
    });
    let more = names.len().saturating_sub(SHOWN);
    let quoted = quoted.collect::<Vec<_>>().join(", ");
    if more == 0 { quoted } else { format!("{quoted} and {more} more") }
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

    /// The message about the record at this place.
    pub(super) fn at(&self, place: &str) -> Diagnostic {
        Diagnostic::new(place, &self.problem, &self.remedy)
    }
}
