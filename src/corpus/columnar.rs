//! Parquet and Arrow: each row becomes a line of JSON, and is read as such a line from there on, through the temporary
//! file.
//!
//! Rows stream, some at a time. Dates, decimals and nested values are written as arrow-json writes them; bytes become
//! hex, so that a fingerprint of 8 bytes is read as any other.
//!
//! A value that many rows share is not copied for each: strings of Parquet are read as views, and some rows at a
//! time become lines, until these are large.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use arrow_array::{Array, StructArray};
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::{ArrowError, Field};

use super::arrow_stream::open_stream;
use super::batch_builder::LoadStop;
use super::columnar_file::{
    Batches, MOST_BYTES, RECIPE, broken, check_columns, damaged_after, guarded, open,
};
use super::columnar_json::{ValueEncoders, without_json};
use super::decode::{BoundedReader, ByteCounter, PeekedReader};
use super::delimited::quoted_names;
use super::diagnostic::Diagnostic;
use super::fields::{FieldNames, RowError};
use super::json_items::JsonForm;
use super::load::Loader;
use super::options::TOO_FAR_REMEDY;
use super::origin::{Origin, WatchedReader};
use super::sniff::DetectedFormat;
use super::source::{ByteStore, ColumnarFormat};
use crate::progress::Progress;

/// The rows of a file as lines of JSON.
struct RowLines<'p> {
    batches: Batches<'p>,
    /// Rows that are not lines yet, from this one on.
    rest: Option<(StructArray, usize)>,
    encoding: EncoderOptions,
    lines: Vec<u8>,
    at: usize,
    /// The number of rows up to the last one that is a line.
    n_rows: u64,
    /// The progress of reading, with the stored bytes that a row stands for.
    told: (&'p Progress, f64),
}

impl<'p> RowLines<'p> {
    fn new(batches: Batches<'p>, fields: &FieldNames, told: (&'p Progress, f64)) -> Self {
        let encoders = Arc::new(ValueEncoders(fields.clone()));
        let encoding =
            EncoderOptions::default().with_explicit_nulls(true).with_encoder_factory(encoders);
        Self { batches, rest: None, encoding, lines: Vec::new(), at: 0, n_rows: 0, told }
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
            self.told.0.add((self.told.1 * (end - first) as f64) as u64);
            self.rest = (end < rows.len()).then_some((rows, end));
        }
        Ok(true)
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

impl Loader<'_> {
    /// Reads the rows of a Parquet or Arrow file, or of an Arrow stream.
    pub(super) fn columnar(
        &mut self,
        origin: &Origin,
        format: ColumnarFormat,
        reader: PeekedReader<'_>,
        is_plain: bool,
    ) -> Result<(), LoadStop> {
        let limits = self.options.limits;
        let n_stored: Arc<AtomicU64> = Arc::default();
        // The bytes of a stream count when they are read.
        let mut row_bytes = 0.0;
        let mut left_out = Vec::new();
        let opened = match format {
            ColumnarFormat::Parquet => {
                // Its list of columns is at its end.
                let file = match origin.store.as_ref().filter(|_| is_plain) {
                    Some(ByteStore::File { path, stamp }) => {
                        self.parquet = Some((path.clone(), *stamp));
                        ByteStore::open(path)?.0
                    }
                    _ => temporary(reader, limits.spool)?,
                };
                let length = file.metadata()?.len();
                n_stored.store(length, Relaxed);
                let opened = guarded(|| open(file, |name| self.fields.has(name)));
                opened.map_err(broken).and_then(|parquet| {
                    row_bytes = length as f64 / parquet.n_rows.max(1) as f64;
                    if parquet.n_unpacked > limits.most_unpacked(length) {
                        return Err(RowError::new(limits.too_far(), TOO_FAR_REMEDY));
                    }
                    left_out = parquet.left_out;
                    Ok((parquet.schema, parquet.batches))
                })
            }
            ColumnarFormat::Arrow | ColumnarFormat::ArrowStream => {
                let counted = ByteCounter { inner: reader, n: Arc::clone(&n_stored) };
                let is_file = format == ColumnarFormat::Arrow;
                guarded(|| open_stream(counted, is_file, limits)).map_err(broken)
            }
        };
        let checked = opened.and_then(|(schema, batches)| {
            check_columns(&schema, &self.fields).map(|()| (schema, batches))
        });
        let (schema, batches) = match checked {
            Ok(opened) => opened,
            Err(row_error) => {
                self.parquet = None;
                self.report_row(origin, &row_error);
                return Ok(());
            }
        };
        if let Some(problem) = without_json(&schema) {
            let remedy = "give the rows as Parquet to keep them in a copy";
            self.builder.corpus.remark(Diagnostic::new(&origin.file, &problem, remedy));
        }
        if !left_out.is_empty() {
            let names: Vec<&str> = left_out.iter().map(String::as_str).collect();
            let problem =
                format!("bytes and lists of floats are no fields here: {}", quoted_names(&names));
            let remedy = "a copy as Parquet has them";
            self.builder.corpus.remark(Diagnostic::new(&origin.file, &problem, remedy));
        }
        let summary = self.builder.corpus.summary_mut();
        summary.files += 1;
        summary.columnar += 1;
        self.recipe_inside = schema.metadata().get(RECIPE).cloned();
        let progress = self.builder.progress;
        let lines = RowLines::new(batches, &self.fields, (progress, row_bytes));
        let inner = BoundedReader::new(lines, n_stored, limits);
        let watched = WatchedReader { inner, progress, counts: false };
        self.spooled(origin, DetectedFormat::Json(JsonForm::Lines), watched)
    }
}

/// A file that cannot be read from its beginning to its end, as a temporary file.
fn temporary(mut reader: PeekedReader<'_>, most: u64) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    let copied = io::copy(&mut reader.by_ref().take(most), &mut file)?;
    if copied == most && reader.read(&mut [0])? > 0 {
        let problem = "is larger than the temporary file may be; give it as a file of its own, or allow more with `max-spool`";
        return Err(io::Error::new(io::ErrorKind::StorageFull, problem));
    }
    Ok(file)
}
