//! Words, and the tones in which a screen shows them.

/// The meaning of words, from which their colour follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Ordinary words.
    #[default]
    Text,
    /// Less important words.
    Muted,
    /// Important words.
    Strong,
    /// Kept, found or right.
    Good,
    /// Missed, wrong, or waiting for a decision.
    Warn,
}

/// Words of one tone or several, in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tinted(pub Vec<(String, Tone)>);

impl From<String> for Tinted {
    fn from(words: String) -> Self {
        Self(vec![(words, Tone::Text)])
    }
}

impl From<&str> for Tinted {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl<S: Into<String>> From<(S, Tone)> for Tinted {
    fn from((words, tone): (S, Tone)) -> Self {
        Self(vec![(words.into(), tone)])
    }
}

impl<T: Into<Tinted>> From<Option<T>> for Tinted {
    fn from(words: Option<T>) -> Self {
        words.map_or_else(Self::default, Into::into)
    }
}
