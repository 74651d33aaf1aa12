//! Parquet and Arrow files: each row becomes a line of JSON, and is read as such a line from there on.
//!
//! Rows stream, some at a time. A row is found again by its number, which is the number of its line: nothing is
//! copied to the temporary file, unless the rows come from a pipe. Dates, decimals and nested values are written
//! as arrow-json writes them; bytes become hex, so that a fingerprint of 8 bytes is read as any other.
//!
//! A value that many rows share is not copied for each: strings of Parquet are read as views, and some rows at a
//! time become lines, until these are large.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{Array, StructArray};
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::{ArrowError, Field};

use super::arrow_stream::open_stream;
use super::columnar_file::{
    ALL_ROWS, Batches, MOST_BYTES, MOST_ROWS, RECIPE, broken, check_columns, damaged,
    damaged_after, guarded, open, schema_of,
};
use super::columnar_json::ValueEncoders;
use super::fields::{FieldNames, RowError};
use super::options::{InputLimits, TOO_FAR_REMEDY};
use super::page_claims::claims;
use super::source::{ColumnarFormat, Columns};
use crate::progress::Progress;

/// Rows that are passed over one by one on the way to another; beyond that the file is opened anew.
const NEAR: u64 = 4 * MOST_ROWS as u64;

/// The rows of a file as lines of JSON.
pub(super) struct RowLines<'p> {
    batches: Batches<'p>,
    /// Rows that are not lines yet, from this one on.
    rest: Option<(StructArray, usize)>,
    encoding: EncoderOptions,
    lines: Vec<u8>,
    at: usize,
    /// The number of rows up to the last one that is a line.
    n_rows: u64,
    /// The progress of reading, with the bytes that a row stands for.
    told: Option<(&'p Progress, f64)>,
    /// The recipe that the metadata names.
    pub(super) recipe: Option<String>,
    /// The row before which the rows end, if they do not go up to the end of the file.
    pub(super) end: u64,
}

impl RowLines<'static> {
    /// These rows of a file, counted from 0.
    fn from(
        file: File,
        format: ColumnarFormat,
        fields: &FieldNames,
        columns: Columns,
        rows: Range<u64>,
    ) -> io::Result<Self> {
        let wanted = (columns == Columns::OfDocuments).then_some(fields);
        let n_rows = rows.start;
        let (batches, _) = guarded(|| open(file, format, wanted, rows)).map_err(damaged)?;
        Ok(Self { n_rows, ..Self::new(batches, fields) })
    }
}

impl<'p> RowLines<'p> {
    fn new(batches: Batches<'p>, fields: &FieldNames) -> Self {
        let encoders = Arc::new(ValueEncoders(fields.clone()));
        let encoding =
            EncoderOptions::default().with_explicit_nulls(true).with_encoder_factory(encoders);
        let (lines, at, end) = (Vec::new(), 0, ALL_ROWS.end);
        Self { batches, rest: None, encoding, lines, at, n_rows: 0, told: None, recipe: None, end }
    }

    /// The rows of an Arrow stream, with all columns.
    ///
    /// # Errors
    /// The reason why it has none.
    pub(super) fn of_stream(
        input: impl Read + Send + 'p,
        fields: &FieldNames,
        limits: InputLimits,
    ) -> Result<Self, RowError> {
        let (schema, batches) = guarded(|| open_stream(input, limits)).map_err(broken)?;
        check_columns(&schema, fields)?;
        let recipe = schema.metadata().get(RECIPE).cloned();
        Ok(Self { recipe, ..Self::new(batches, fields) })
    }

    /// The rows of a file of `length` bytes, with the columns that make documents. Those of a Parquet file end before
    /// the first row group whose size is not known, with an error.
    ///
    /// # Errors
    /// The reason why the file has none.
    pub(super) fn of_documents(
        file: io::Result<File>,
        format: ColumnarFormat,
        fields: &FieldNames,
        told: (&'p Progress, u64),
        limits: InputLimits,
    ) -> Result<Self, RowError> {
        let file = file.map_err(|error| broken(error.into()))?;
        let schema = guarded(|| schema_of(&file, format)).map_err(broken)?;
        check_columns(&schema, fields)?;
        let claims = guarded(|| claims(&file, format, fields)).map_err(broken)?;
        if claims.bytes > limits.most_unpacked(told.1) {
            return Err(RowError::new(limits.too_far(), TOO_FAR_REMEDY));
        }
        let recipe = schema.metadata().get(RECIPE).cloned();
        let (end, damage) = claims.damage.unzip();
        let end = end.unwrap_or(ALL_ROWS.end);
        let opened = guarded(|| open(file, format, Some(fields), 0..end));
        let (batches, n_rows) = opened.map_err(broken)?;
        let batches = Box::new(batches.chain(damage.map(Err)));
        let (progress, length) = told;
        let told =
            n_rows.filter(|&n_rows| n_rows > 0).map(|n| (progress, length as f64 / n as f64));
        Ok(RowLines { told, recipe, end, ..RowLines::new(batches, fields) })
    }

    fn fill(&mut self) -> io::Result<bool> {
        self.lines.clear();
        self.at = 0;
        while self.lines.is_empty() {
            let at_row = |error| damaged_after(self.n_rows, error);
            let (rows, first) = match self.rest.take() {
                Some(rest) => rest,
                None => match guarded(|| self.batches.next().transpose()).map_err(at_row)? {
                    Some(batch) => (StructArray::from(batch), 0),
                    None => return Ok(false),
                },
            };
            let end = guarded(|| encode(&rows, first, &self.encoding, &mut self.lines));
            let end = end.map_err(at_row)?;
            self.n_rows += (end - first) as u64;
            if let Some((progress, bytes)) = self.told {
                progress.add((bytes * (end - first) as f64) as u64);
            }
            self.rest = (end < rows.len()).then_some((rows, end));
        }
        Ok(true)
    }

    /// The next row, without its line end; `None` at the end.
    fn row(&mut self) -> io::Result<Option<&[u8]>> {
        if self.at == self.lines.len() && !self.fill()? {
            return Ok(None);
        }
        let rest = &self.lines[self.at..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += (end + 1).min(rest.len());
        Ok(Some(&rest[..end]))
    }
}

/// Writes rows from `first` on as lines, until these are large; the row after them.
fn encode(
    rows: &StructArray,
    first: usize,
    options: &EncoderOptions,
    lines: &mut Vec<u8>,
) -> Result<usize, ArrowError> {
    let field = Arc::new(Field::new("", rows.data_type().clone(), false));
    let mut encoder = make_encoder(&field, rows, options)?;
    for row in first..rows.len() {
        encoder.encode(row, lines);
        lines.push(b'\n');
        if lines.len() >= MOST_BYTES {
            return Ok(row + 1);
        }
    }
    Ok(rows.len())
}

impl Read for RowLines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.lines.len() && !self.fill()? {
            return Ok(0);
        }
        let count = (&self.lines[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// A file whose rows are read again by their numbers.
pub(super) struct RowFile {
    file: File,
    format: ColumnarFormat,
    fields: Arc<FieldNames>,
    /// The columns of `lines`.
    columns: Columns,
    /// The lines from row `next` on.
    lines: Option<RowLines<'static>>,
    next: u64,
    /// The row before which reading ends: the sizes of those behind it are not known.
    end: u64,
}

impl RowFile {
    pub(super) fn new(
        file: File,
        format: ColumnarFormat,
        fields: Arc<FieldNames>,
        end: u64,
    ) -> Self {
        Self { file, format, fields, columns: Columns::OfDocuments, lines: None, next: 0, end }
    }

    /// Fills `line` with the row of this number, counted from 1, with at least these columns; whether there is one.
    pub(super) fn row(
        &mut self,
        number: u64,
        columns: Columns,
        line: &mut Vec<u8>,
    ) -> io::Result<bool> {
        // A series that needs all columns once needs them again.
        if columns == Columns::All && self.columns != columns {
            (self.columns, self.lines) = (columns, None);
        }
        if self.lines.is_none() || number < self.next || number - self.next > NEAR {
            let file = self.file.try_clone()?;
            let rows = number - 1..self.end.max(number - 1);
            self.lines = Some(RowLines::from(file, self.format, &self.fields, self.columns, rows)?);
            self.next = number;
        }
        // A reader that failed is not used again.
        let mut lines = self.lines.take().expect("just opened");
        while self.next < number {
            lines.row()?;
            self.next += 1;
        }
        self.next += 1;
        line.clear();
        let has_row = lines.row()?.map(|row| line.extend_from_slice(row)).is_some();
        self.lines = Some(lines);
        Ok(has_row)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Seek as _;

    use arrow_array::{RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::corpus::LoadOptions;

    /// A Parquet file with these texts, two in a row group.
    fn parquet(texts: &[&str]) -> File {
        let texts: arrow_array::ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        let properties = parquet::file::properties::WriterProperties::builder();
        let properties = properties.set_max_row_group_row_count(Some(2)).build();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file.rewind().unwrap();
        file
    }

    fn row_file(file: File, end: u64) -> RowFile {
        let fields = Arc::new(FieldNames::new(&LoadOptions::default()));
        RowFile::new(file, ColumnarFormat::Parquet, fields, end)
    }

    #[test]
    fn rows_are_read_again_up_to_the_damage() {
        let mut rows = row_file(parquet(&["a", "b", "c", "d"]), 2);
        let mut line = Vec::new();
        for (number, is_there) in [(2, true), (3, false), (4, false), (1, true), (2, true)] {
            let there = rows.row(number, Columns::OfDocuments, &mut line).unwrap();
            assert_eq!(there, is_there, "{number}");
        }
        assert_eq!(line, b"{\"text\":\"b\"}");
    }

    #[test]
    fn an_error_leaves_no_reader_behind() {
        use std::io::{SeekFrom, Write as _};
        let mut file = parquet(&["a", "b", "c", "d"]);
        let metadata = parquet::file::metadata::ParquetMetaDataReader::new();
        let metadata = metadata.parse_and_finish(&file).unwrap();
        let (start, _) = metadata.row_group(1).column(0).byte_range();
        file.seek(SeekFrom::Start(start)).unwrap();
        file.write_all(&[0xff; 3]).unwrap();
        let mut rows = row_file(file, ALL_ROWS.end);
        let mut line = Vec::new();
        for _ in 0..2 {
            assert!(rows.row(3, Columns::OfDocuments, &mut line).is_err());
            assert!(rows.row(4, Columns::OfDocuments, &mut line).is_err());
            assert!(rows.row(2, Columns::OfDocuments, &mut line).unwrap());
        }
        assert_eq!(line, b"{\"text\":\"b\"}");
    }
}
