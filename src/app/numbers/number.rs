//! A number of a screen, explained.

/// A number, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it is called on the screen.
    pub name: String,
    /// It, as the screen shows it.
    pub value: String,
    /// How it comes about, with the present values in it.
    pub formula: String,
    /// What it means, in a sentence.
    pub meaning: &'static str,
}

impl Number {
    pub(super) fn new(
        name: impl Into<String>,
        value: impl Into<String>,
        formula: impl Into<String>,
        meaning: &'static str,
    ) -> Self {
        Self { name: name.into(), value: value.into(), formula: formula.into(), meaning }
    }
}
