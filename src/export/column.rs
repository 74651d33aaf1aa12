//! A column of Parquet or Arrow: the type that goes with its name, and its values.

use std::{mem, sync::Arc};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, UInt64Array};

use super::row::Cell;
use crate::corpus::FingerprintType;

/// Columns of words.
const OF_WORDS: &[&str] = &[
    "a",
    "at",
    "b",
    "basis",
    "bridge",
    "change",
    "damaged",
    "diameter",
    "feature",
    "file",
    "flag",
    "id",
    "id1",
    "id2",
    "kept",
    "kept_file",
    "key",
    "kind",
    "label",
    "layout",
    "masks",
    "measure",
    "method",
    "note",
    "reason",
    "recall_method",
    "recipe",
    "representative",
    "sentence",
    "source",
    "standing",
    "title",
];
/// Columns of truth values.
const OF_FLAGS: &[&str] = &["guaranteed", "hit", "settled"];
/// Columns of shares, times and expectations.
const OF_SHARES: &[&str] = &[
    "at_k_by_chance",
    "bound",
    "bytes",
    "chance",
    "chance_pairs",
    "comparisons",
    "core_hours",
    "cosine",
    "effective_bits",
    "expected",
    "f1",
    "flips",
    "high",
    "index_seconds",
    "low",
    "margin",
    "pairs_by_chance",
    "precision",
    "precision_high",
    "precision_low",
    "predicted",
    "push",
    "recall",
    "recall_distinct",
    "recall_distinct_high",
    "recall_distinct_low",
    "recall_high",
    "recall_low",
    "rows",
    "rows_a_key",
    "seconds",
    "skew",
    "sum",
    "target",
    "tau",
    "value",
    "verify_seconds",
    "votes",
    "window_recall",
    "window_recall_high",
    "window_recall_low",
    "within",
    "within_high",
    "within_low",
];

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
    /// An empty column of the type that its name has among these names; fingerprints are written as `written`.
    pub(super) fn of(name: &str, names: &[&str], written: FingerprintType) -> Self {
        match name {
            "fingerprint" => match written {
                FingerprintType::Hex => Self::Text(Vec::new()),
                FingerprintType::Uint64 => Self::Large(Vec::new()),
                FingerprintType::Int64 => Self::Count(Vec::new()),
            },
            // Whether a document is it, or, in a summary of groups, which one is.
            "representative" if !names.contains(&"bridge") => Self::Flag(Vec::new()),
            _ if OF_WORDS.contains(&name) => Self::Text(Vec::new()),
            _ if OF_FLAGS.contains(&name) => Self::Flag(Vec::new()),
            _ if OF_SHARES.contains(&name) => Self::Number(Vec::new()),
            _ => Self::Count(Vec::new()),
        }
    }

    /// Adds a value; the error names its kind if the column has another one.
    pub(super) fn push(&mut self, cell: Cell<'_>) -> Result<(), &'static str> {
        match (self, cell) {
            (Self::Text(values), Cell::Text(text)) => values.push(Some(text.to_owned())),
            (Self::Text(values), Cell::Words(words)) => values.push(Some(words.join(" "))),
            // Such as a diameter, which may be a bound.
            (Self::Text(values), Cell::Number(number)) => values.push(Some(number.to_string())),
            (Self::Count(values), Cell::Number(number)) => {
                let number = i64::try_from(number).map_err(|_| "a number above 2^63 - 1")?;
                values.push(Some(number));
            }
            (Self::Count(values), Cell::Signed(number)) => values.push(number),
            (Self::Large(values), Cell::Unsigned(number)) => values.push(number),
            (Self::Number(values), Cell::Number(number)) => values.push(Some(number as f64)),
            (Self::Number(values), Cell::Decimal(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Fixed(number, places)) => {
                let scale = 10_f64.powi(places as i32);
                values.push(Some((number * scale).round() / scale));
            }
            (Self::Flag(values), Cell::Flag(flag)) => values.push(Some(flag)),
            (Self::Text(values), Cell::Missing) => values.push(None),
            (Self::Count(values), Cell::Missing) => values.push(None),
            (Self::Large(values), Cell::Missing) => values.push(None),
            (Self::Number(values), Cell::Missing) => values.push(None),
            (Self::Flag(values), Cell::Missing) => values.push(None),
            (_, Cell::Text(_) | Cell::Words(_)) => return Err("words"),
            (_, Cell::Flag(_)) => return Err("a truth value"),
            _ => return Err("a number"),
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
