//! A value of a row, and the kinds of values.

use std::borrow::Cow;

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Text, such as an id, with any characters.
    Text(Cow<'a, str>),
    /// Several words, such as the damaged blocks of a table.
    Words(Vec<String>),
    /// A count or a distance.
    Count(u64),
    /// A number with a sign, such as a fingerprint in a column of 64-bit integers.
    Integer(i64),
    /// An expectation or a ratio; written with four significant digits.
    Number(f64),
    /// A ratio or a time, with this number of decimals.
    Fixed(f64, usize),
    /// Yes or no.
    Flag(bool),
    /// No value: null in JSON, empty in CSV and TSV.
    Missing,
}

impl Cell<'_> {
    /// The same value, which borrows nothing.
    pub(crate) fn into_owned(self) -> Cell<'static> {
        match self {
            Self::Text(text) => Cell::Text(text.into_owned().into()),
            Self::Words(words) => Cell::Words(words),
            Self::Count(number) => Cell::Count(number),
            Self::Integer(number) => Cell::Integer(number),
            Self::Number(number) => Cell::Number(number),
            Self::Fixed(number, places) => Cell::Fixed(number, places),
            Self::Flag(flag) => Cell::Flag(flag),
            Self::Missing => Cell::Missing,
        }
    }
}

/// The kind of the values of a column, which decides its type in Parquet and Arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Count,
    Number,
    Flag,
    /// Written as the user asked: hexadecimal digits, or a number of 64 bits with or without a sign.
    Fingerprint,
}
