//! A row of cells, and the interface of the formats.

use std::io::{self, Write};

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Text, such as an id, with any characters.
    Text(&'a str),
    /// Several words, such as the damaged blocks of a table.
    Words(&'a [String]),
    /// A count or a distance.
    Number(u64),
    /// A fingerprint as a number with a sign, or none.
    Signed(Option<i64>),
    /// A fingerprint as a number without a sign, or none.
    Unsigned(Option<u64>),
    /// An expectation or a ratio; written with four significant digits.
    Decimal(f64),
    /// A ratio or a time, with this number of decimals.
    Fixed(f64, usize),
    /// Yes or no.
    Flag(bool),
    /// No value: null in JSON, empty in CSV and TSV.
    Missing,
}

/// Decimals of an exact cosine.
const COSINE: usize = 4;

impl Cell<'_> {
    /// An exact cosine, cut after four decimals, so that only equal features give 1.
    pub(crate) fn cosine(cosine: Option<f64>) -> Self {
        let scale = 10_f64.powi(COSINE as i32);
        cosine.map_or(Self::Missing, |cosine| Self::Fixed((cosine * scale).floor() / scale, COSINE))
    }
}

/// A format of rows.
pub(super) trait RowWriter {
    /// Writes the text above the first row.
    fn begin(&mut self, columns: &'static [&'static str], out: &mut dyn Write) -> io::Result<()>;
    /// Writes a row with one cell for each column.
    fn row(&mut self, cells: &[Cell<'_>], out: &mut dyn Write) -> io::Result<()>;
    /// Leaves the recipe out of the metadata, where there is any that is not written yet.
    fn forget_recipe(&mut self) {}
    /// Writes everything that is still held back.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}
