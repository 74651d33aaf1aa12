//! A number of a screen, explained.

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
}

/// A number with the digits that matter: `0.0023`, `12.5`, `1,142`.
pub(super) fn digits(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        ..1e-4 => format!("{number:.1e}"),
        ..0.1 => format!("{number:.4}"),
        ..10.0 => format!("{number:.3}"),
        ..1000.0 => format!("{number:.1}"),
        _ if number < 0.0 => format!("-{}", crate::number::grouped(-number.round() as u64)),
        _ => crate::number::grouped(number.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_matter() {
        let table = [
            (0.0, "0"),
            (0.000_012, "1.2e-5"),
            (0.0123, "0.0123"),
            (0.989_2, "0.989"),
            (57.25, "57.2"),
            (1142.3, "1,142"),
            (-0.5, "-0.500"),
            (-1500.0, "-1,500"),
        ];
        for (number, text) in table {
            assert_eq!(digits(number), text);
        }
    }
}
