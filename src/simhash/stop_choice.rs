//! The stop words of a recipe: none, the bundled list, or the words of a file.
//!
//! A recipe owns its stop words, so that it cannot be used with other words.

use std::fmt;

use super::{
    recipe::RecipeError,
    recipe_file::{RecipeContent, RecipeFile},
};
use crate::text::StopWords;

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
    /// [`RecipeError::StopWordsNotRead`] if the words are in a file that was not read.
    pub fn words(&self) -> Result<StopWords, RecipeError> {
        match self {
            Self::None => Ok(StopWords::none()),
            Self::English => Ok(StopWords::english()),
            Self::File(file) => {
                let words = file.content().cloned();
                words.ok_or_else(|| RecipeError::StopWordsNotRead(file.path().to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::ContentMismatch;

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
        let refusal = ContentMismatch { what: "words", found: found.digest(), wanted };
        assert_eq!(file.read(found), Err(refusal));
        assert_eq!((file.content().is_none(), &file), (true, &before));
    }
}
