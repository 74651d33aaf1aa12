//! The stop words of a recipe: none, the bundled list, or those of a file.
//!
//! A recipe owns its stop words, so that it cannot be used with other ones. The line of a recipe names a
//! file by its path and by a digest of its words, because two files of one name may differ. The core reads
//! no file: the caller reads it and hands the words to [`StopWordFile::read`].

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use super::recipe::RecipeError;
use crate::text::StopWords;

/// The words that a recipe leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StopWordChoice {
    /// None.
    #[default]
    None,
    /// The bundled English list.
    English,
    /// The words of a file, one a line.
    File(StopWordFile),
}

impl StopWordChoice {
    /// The words behind `stop=` in a recipe line.
    pub(super) fn parse(text: &str) -> Self {
        let is_digest =
            |hex: &str| hex.len() == 16 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (path, digest) = match text.rsplit_once('#') {
            Some((path, hex)) if is_digest(hex) => (path, u64::from_str_radix(hex, 16).ok()),
            _ => (text, None),
        };
        match Self::from(unescape(path).as_str()) {
            Self::File(file) => Self::File(StopWordFile { digest, ..file }),
            choice => choice,
        }
    }

    /// The words.
    ///
    /// # Errors
    /// [`RecipeError::StopWordsNotRead`] if they are in a file that was not read.
    pub fn words(&self) -> Result<StopWords, RecipeError> {
        match self {
            Self::None => Ok(StopWords::none()),
            Self::English => Ok(StopWords::english()),
            Self::File(file) => {
                let words = file.words.clone();
                words.ok_or_else(|| RecipeError::StopWordsNotRead(file.path.clone()))
            }
        }
    }
}

impl fmt::Display for StopWordChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::English => f.write_str("english"),
            Self::File(StopWordFile { path, digest, .. }) => {
                f.write_str(&escape(path))?;
                digest.map_or(Ok(()), |digest| write!(f, "#{digest:016x}"))
            }
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

/// A file of stop words: its path, the digest of its words, and the words once they were read.
///
/// Two are equal if they have the same path and digest.
#[derive(Clone, Debug)]
pub struct StopWordFile {
    path: String,
    digest: Option<u64>,
    words: Option<StopWords>,
}

impl StopWordFile {
    /// A file that was not read. The `digest` that its words must have is known where a recipe names it:
    /// [`StopWords::digest`], written as 16 hexadecimal digits behind a `#`.
    pub fn new(path: impl Into<String>, digest: Option<u64>) -> Self {
        Self { path: path.into(), digest, words: None }
    }

    /// The path of the list.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Takes the words that were read from it. From now on the recipe names them by their digest.
    ///
    /// # Errors
    /// [`OtherWords`] if the recipe names other words; then nothing changes.
    pub fn read(&mut self, words: StopWords) -> Result<(), OtherWords> {
        let found = words.digest();
        if let Some(wanted) = self.digest.filter(|wanted| *wanted != found) {
            return Err(OtherWords { found, wanted });
        }
        (self.digest, self.words) = (Some(found), Some(words));
        Ok(())
    }
}

impl PartialEq for StopWordFile {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, self.digest) == (&other.path, other.digest)
    }
}

impl Eq for StopWordFile {}

impl Hash for StopWordFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.path, self.digest).hash(state);
    }
}

/// A file holds other stop words than the recipe names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "other words than the recipe names ({found:016x}, not {wanted:016x}); find that list, or leave \
     #{wanted:016x} out of the line"
)]
pub struct OtherWords {
    /// The digest of the words in the file.
    pub found: u64,
    /// The digest that the recipe names.
    pub wanted: u64,
}

/// White space, `%` and `#` as `%XX`, so that a path stays one word of the line, apart from its digest.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_before_its_words_are_used() {
        let mut recipe: super::super::Recipe = "stop=list.txt".parse().unwrap();
        assert_eq!(
            recipe.stop.words().unwrap_err(),
            RecipeError::StopWordsNotRead("list.txt".into())
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
        let refusal = OtherWords { found: found.digest(), wanted };
        assert_eq!(file.read(found), Err(refusal));
        assert_eq!((file.words.is_none(), &file), (true, &before));
    }
}
