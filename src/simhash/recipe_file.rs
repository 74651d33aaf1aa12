//! A file that a recipe depends on, identified by its path and a digest of its content.
//!
//! Two files of one name may differ, so the line of a recipe has both: `list.txt#87a343e94533891c`. This module
//! reads no file: the caller reads it and passes its content.
//!
//! Also here: the stop words of a recipe, which may be such a file: none, the bundled list, or the words of a file.
//!
//! A recipe owns its stop words, so that it cannot be used with other words.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use siphasher::sip::SipHasher13;

use super::RecipeError;
use crate::feature::DocumentFrequencies;
use crate::text::StopWords;

/// The content of a file that a recipe depends on.
pub trait RecipeContent {
    /// The plural name of the content: words, frequencies.
    const NAME: &'static str;

    /// 64 bits that identify the content.
    fn digest(&self) -> u64;
}

/// A file: its path, the digest of its content, and after reading its content.
///
/// Two files are equal if they have the same path and digest.
#[derive(Clone, Debug)]
pub struct RecipeFile<T> {
    path: String,
    digest: Option<u64>,
    content: Option<T>,
}

impl<T: RecipeContent> RecipeFile<T> {
    /// A file that was not read yet. `digest` is the digest that its content must have, if a recipe gives one.
    pub fn new(path: impl Into<String>, digest: Option<u64>) -> Self {
        Self { path: path.into(), digest, content: None }
    }

    /// Parses a path, and the 16 hexadecimal digits of a digest after a `#` if there are any.
    pub(super) fn parse(text: &str) -> Self {
        let is_digest =
            |hex: &str| hex.len() == 16 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (path, digest) = match text.rsplit_once('#') {
            Some((path, hex)) if is_digest(hex) => (path, u64::from_str_radix(hex, 16).ok()),
            _ => (text, None),
        };
        Self::new(unescape(path), digest)
    }

    /// The path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The content; `None` before it was read.
    pub fn content(&self) -> Option<&T> {
        self.content.as_ref()
    }

    /// Sets the content that was read. From now on the recipe identifies it by its digest.
    ///
    /// # Errors
    /// [`RecipeError`] if the recipe gives another digest; then nothing changes.
    pub fn read(&mut self, content: T) -> Result<(), RecipeError> {
        let found = content.digest();
        if let Some(wanted) = self.digest.filter(|wanted| *wanted != found) {
            let what = T::NAME;
            return Err(RecipeError(format!(
                "its {what} are not those that the recipe names (digest {found:016x}, not {wanted:016x}); use the \
                 file with those {what}, or remove #{wanted:016x} from the recipe"
            )));
        }
        (self.digest, self.content) = (Some(found), Some(content));
        Ok(())
    }
}

impl<T> PartialEq for RecipeFile<T> {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, self.digest) == (&other.path, other.digest)
    }
}

impl<T> Eq for RecipeFile<T> {}

impl<T> Hash for RecipeFile<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.path, self.digest).hash(state);
    }
}

impl<T> fmt::Display for RecipeFile<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.path))?;
        self.digest.map_or(Ok(()), |digest| write!(f, "#{digest:016x}"))
    }
}

/// Writes white space, `%` and `#` as `%XX`, so that a path is one word of the line and can be separated from its
/// digest.
fn escape(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_whitespace() || c == '%' || c == '#' {
            escaped.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()))
            .flatten();
        plain.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// The words that a recipe removes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StopWordChoice {
    /// No words.
    #[default]
    None,
    /// The bundled English list.
    English,
    /// The words of a file with one word in each line.
    File(StopWordFile),
}

impl StopWordChoice {
    /// Parses the value of `stop=` in a recipe line.
    pub(super) fn parse(text: &str) -> Self {
        let file = StopWordFile::parse(text);
        match Self::from(file.path()) {
            Self::File(_) => Self::File(file),
            choice => choice,
        }
    }

    /// The words.
    ///
    /// # Errors
    /// [`RecipeError`] if the words are in a file that was not read.
    pub fn words(&self) -> Result<StopWords, RecipeError> {
        match self {
            Self::None => Ok(StopWords::none()),
            Self::English => Ok(StopWords::english()),
            Self::File(file) => {
                let words = file.content().cloned();
                words.ok_or_else(|| RecipeError::not_read("stop words", file.path(), "words"))
            }
        }
    }
}

impl fmt::Display for StopWordChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::English => f.write_str("english"),
            Self::File(file) => file.fmt(f),
        }
    }
}

impl From<&str> for StopWordChoice {
    /// `none`, `english`, or a path; `./none` is a file of that name.
    fn from(text: &str) -> Self {
        match text {
            "none" => Self::None,
            "english" => Self::English,
            path => Self::File(StopWordFile::new(path, None)),
        }
    }
}

/// A file of stop words.
pub type StopWordFile = RecipeFile<StopWords>;

impl RecipeContent for StopWords {
    const NAME: &'static str = "words";

    fn digest(&self) -> u64 {
        StopWords::digest(self)
    }
}

/// A file of document frequencies.
pub type FrequencyFile = RecipeFile<Arc<DocumentFrequencies>>;

impl RecipeContent for Arc<DocumentFrequencies> {
    const NAME: &'static str = "frequencies";

    fn digest(&self) -> u64 {
        DocumentFrequencies::digest(self)
    }
}

/// A file with a text that recurs in others.
pub type TemplateFile = RecipeFile<Template>;

/// A text that recurs in others, and says nothing of them.
#[derive(Clone, Debug)]
pub struct Template(pub Arc<str>);

impl RecipeContent for Template {
    const NAME: &'static str = "words";

    fn digest(&self) -> u64 {
        SipHasher13::new_with_keys(0, 0).hash(self.0.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_before_its_words_are_used() {
        let mut recipe: crate::simhash::Recipe = "stop=list.txt".parse().unwrap();
        assert_eq!(
            recipe.stop.words().unwrap_err().to_string(),
            "stop words: the file \"list.txt\" was not read; give its words to the recipe first"
        );
        let StopWordChoice::File(file) = &mut recipe.stop else { panic!("a file is named") };
        let words = StopWords::from_words(["tide"]);
        let digest = words.digest();
        file.read(words).unwrap();
        assert!(recipe.stop.words().unwrap().contains("Tide"));
        assert!(recipe.to_string().ends_with(&format!("stop=list.txt#{digest:016x}")));
    }

    #[test]
    fn other_words_than_the_recipe_names_are_refused() {
        let (wanted, found) = (StopWords::from_words(["tide"]).digest(), StopWords::none());
        let mut file = StopWordFile::new("list.txt", Some(wanted));
        let before = file.clone();
        let digests = format!("(digest {:016x}, not {wanted:016x})", found.digest());
        assert!(file.read(found).unwrap_err().to_string().contains(&digests));
        assert_eq!((file.content().is_none(), &file), (true, &before));
    }
}
