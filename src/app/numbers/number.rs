//! A number of a screen, explained.

use crate::facts::{Fact, Room};

/// A number, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedNumber {
    /// Its name on the screen.
    pub name: String,
    /// Its value, as the screen shows it.
    pub value: String,
    /// The formula, with the present values in it.
    pub formula: String,
    /// The meaning, in a sentence.
    pub meaning: &'static str,
}

impl ExplainedNumber {
    pub(super) fn new(
        name: impl Into<String>,
        value: impl Into<String>,
        formula: impl Into<String>,
        meaning: &'static str,
    ) -> Self {
        Self { name: name.into(), value: value.into(), formula: formula.into(), meaning }
    }

    /// The facts of a row that have a formula.
    pub(in crate::app) fn of<R>(facts: &[Fact<R>], row: &R) -> Vec<Self> {
        let explained = facts.iter().filter_map(|fact| {
            let value = fact.value(row, Room::Cells);
            Some(Self::new(fact.title, value, fact.formula(row)?, fact.meaning))
        });
        explained.collect()
    }
}
