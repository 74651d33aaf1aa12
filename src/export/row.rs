//! A row of cells, and what a format does with it.

use std::io::{self, Write};

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Text, such as an id: whatever the corpus says.
    Text(&'a str),
    /// Several words, such as the damaged blocks of a table.
    Words(&'a [String]),
    /// A count or a distance.
    Number(u64),
    /// A number with a sign, such as a fingerprint as other programs write it.
    Signed(i64),
    /// An expectation or a ratio; written with four digits that count.
    Decimal(f64),
    /// A ratio or a time, with as many decimals as are shown.
    Fixed(f64, usize),
    /// Yes or no.
    Flag(bool),
    /// No value: null in JSON, empty in CSV and TSV.
    Missing,
    /// The same in a column of whole numbers: Parquet and Arrow have to know the type before the first number comes.
    MissingNumber,
}

/// Decimals of an exact cosine.
const COSINE: usize = 4;

impl Cell<'_> {
    /// An exact cosine, cut after four decimals, so that only equal features show 1.
    pub(crate) fn cosine(cosine: Option<f64>) -> Self {
        let scale = 10_f64.powi(COSINE as i32);
        cosine.map_or(Self::Missing, |cosine| Self::Fixed((cosine * scale).floor() / scale, COSINE))
    }
}

/// A format of rows.
pub(super) trait RowWriter {
    /// Writes what stands above the first row.
    fn begin(&mut self, columns: &'static [&'static str], out: &mut dyn Write) -> io::Result<()>;
    /// Writes a row of as many cells as there are columns.
    fn row(&mut self, cells: &[Cell<'_>], out: &mut dyn Write) -> io::Result<()>;
    /// Writes what is still held back.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}
