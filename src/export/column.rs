//! A column of Parquet or Arrow: the type that goes with its kind, and its values.

use std::{mem, sync::Arc};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, UInt64Array};

use crate::{
    corpus::FingerprintType,
    facts::{Cell, Kind},
};

/// The values of a column.
#[derive(Debug)]
pub(super) enum Column {
    Text(Vec<Option<String>>),
    Count(Vec<Option<i64>>),
    /// Counts that need all 64 bits, such as a fingerprint.
    Large(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
}

impl Column {
    /// An empty column for values of a kind; fingerprints are written as `written`.
    pub(super) fn of(kind: Kind, written: FingerprintType) -> Self {
        match (kind, written) {
            (Kind::Text, _) | (Kind::Fingerprint, FingerprintType::Hex) => Self::Text(Vec::new()),
            (Kind::Fingerprint, FingerprintType::Uint64) => Self::Large(Vec::new()),
            (Kind::Count, _) | (Kind::Fingerprint, FingerprintType::Int64) => {
                Self::Count(Vec::new())
            }
            (Kind::Number, _) => Self::Number(Vec::new()),
            (Kind::Flag, _) => Self::Flag(Vec::new()),
        }
    }

    /// Adds a value.
    ///
    /// # Errors
    /// If a count needs all 64 bits.
    pub(super) fn push(&mut self, cell: Cell<'_>) -> Result<(), &'static str> {
        match (self, cell) {
            (Self::Text(values), Cell::Text(text)) => values.push(Some(text.into_owned())),
            (Self::Text(values), Cell::Words(words)) => values.push(Some(words.join(" "))),
            // Such as a diameter, which may be a bound.
            (Self::Text(values), Cell::Count(number)) => values.push(Some(number.to_string())),
            (Self::Count(values), Cell::Count(number)) => {
                let number = i64::try_from(number).map_err(|_| "a number above 2^63 - 1")?;
                values.push(Some(number));
            }
            (Self::Count(values), Cell::Integer(number)) => values.push(Some(number)),
            (Self::Large(values), Cell::Count(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Number(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Fixed(number, places)) => {
                let scale = 10_f64.powi(places as i32);
                values.push(Some((number * scale).round() / scale));
            }
            (Self::Flag(values), Cell::Flag(flag)) => values.push(Some(flag)),
            (Self::Text(values), _) => values.push(None),
            (Self::Count(values), _) => values.push(None),
            (Self::Large(values), _) => values.push(None),
            (Self::Number(values), _) => values.push(None),
            (Self::Flag(values), _) => values.push(None),
        }
        Ok(())
    }

    /// The values as an array.
    pub(super) fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(StringArray::from(mem::take(values))),
            Self::Count(values) => Arc::new(Int64Array::from(mem::take(values))),
            Self::Large(values) => Arc::new(UInt64Array::from(mem::take(values))),
            Self::Number(values) => Arc::new(Float64Array::from(mem::take(values))),
            Self::Flag(values) => Arc::new(BooleanArray::from(mem::take(values))),
        }
    }
}
