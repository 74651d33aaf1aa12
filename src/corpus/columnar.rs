//! Parquet and Arrow files: each row becomes a line of JSON, and is read as such a line from there on.
//!
//! Rows stream, some at a time. A row is found again by its number, which is the number of its line: nothing is
//! copied to the temporary file, unless the rows come from a pipe. Dates, decimals and nested values are written
//! as arrow-json writes them; bytes become hex, so that a fingerprint of 8 bytes is read as any other.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::panic;
use std::path::Path;
use std::sync::Once;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_json::writer::{LineDelimited, WriterBuilder};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use parquet::{
    arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder},
    file::metadata::RowGroupMetaData,
};

use super::delimited::quoted_names;
use super::fields::{FieldNames, RowError};
use super::source::ColumnarFormat;
use crate::progress::Progress;

/// Rows that are held at a time, if they are of usual length.
const MOST_ROWS: usize = 512;
/// Bytes of rows that are held at a time, by the mean length of a file's rows.
const MOST_BYTES: usize = 4 << 20;
/// Rows that are passed over one by one on the way to another; beyond that the file is opened anew.
const NEAR: u64 = 4 * MOST_ROWS as u64;

/// Batches of rows.
pub(super) type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// The rows of a file as lines of JSON.
pub(super) struct RowLines<'p> {
    batches: Batches<'p>,
    lines: Vec<u8>,
    at: usize,
    /// The progress of reading, with the bytes that a row stands for.
    told: Option<(&'p Progress, f64)>,
}

impl RowLines<'static> {
    /// The rows of a file from row `skipped` on, with all columns.
    fn from(file: File, format: ColumnarFormat, skipped: u64) -> io::Result<Self> {
        let (batches, _) = guarded(|| open(file, format, None, skipped)).map_err(damaged)?;
        Ok(Self::new(batches))
    }
}

impl<'p> RowLines<'p> {
    fn new(batches: Batches<'p>) -> Self {
        Self { batches, lines: Vec::new(), at: 0, told: None }
    }

    /// The rows of an Arrow stream, with all columns.
    ///
    /// # Errors
    /// The reason why it has none.
    pub(super) fn of_stream(
        input: impl Read + Send + 'p,
        fields: &FieldNames,
    ) -> Result<Self, RowError> {
        let stream = guarded(|| StreamReader::try_new(input, None)).map_err(broken)?;
        check_columns(&stream.schema(), fields)?;
        Ok(Self::new(Box::new(stream)))
    }

    /// The rows of a file of `length` bytes, with the columns that make documents.
    ///
    /// # Errors
    /// The reason why the file has none.
    pub(super) fn of_documents(
        file: io::Result<File>,
        format: ColumnarFormat,
        fields: &FieldNames,
        told: (&'p Progress, u64),
    ) -> Result<Self, RowError> {
        let file = file.map_err(|error| broken(error.into()))?;
        let schema = guarded(|| schema_of(&file, format)).map_err(broken)?;
        check_columns(&schema, fields)?;
        let (batches, n_rows) = guarded(|| open(file, format, Some(fields), 0)).map_err(broken)?;
        let (progress, length) = told;
        let told =
            n_rows.filter(|&n_rows| n_rows > 0).map(|n| (progress, length as f64 / n as f64));
        Ok(RowLines { told, ..RowLines::new(batches) })
    }

    fn fill(&mut self) -> io::Result<bool> {
        self.lines.clear();
        self.at = 0;
        while self.lines.is_empty() {
            let Some(batch) = guarded(|| self.batches.next().transpose()).map_err(damaged)? else {
                return Ok(false);
            };
            if let Some((progress, bytes)) = self.told {
                progress.add((bytes * batch.num_rows() as f64) as u64);
            }
            let lines = std::mem::take(&mut self.lines);
            let builder = WriterBuilder::new().with_explicit_nulls(true);
            let mut writer = builder.build::<_, LineDelimited>(lines);
            guarded(|| writer.write(&batch)).map_err(damaged)?;
            self.lines = writer.into_inner();
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
    /// The lines from row `next` on.
    lines: Option<RowLines<'static>>,
    next: u64,
}

impl RowFile {
    pub(super) fn new(file: File, format: ColumnarFormat) -> Self {
        Self { file, format, lines: None, next: 0 }
    }

    /// Fills `line` with the row of this number, counted from 1; whether there is one.
    pub(super) fn row(&mut self, number: u64, line: &mut Vec<u8>) -> io::Result<bool> {
        if self.lines.is_none() || number < self.next || number - self.next > NEAR {
            self.lines = Some(RowLines::from(self.file.try_clone()?, self.format, number - 1)?);
            self.next = number;
        }
        let lines = self.lines.as_mut().expect("just opened");
        while self.next < number {
            lines.row()?;
            self.next += 1;
        }
        self.next += 1;
        line.clear();
        Ok(lines.row()?.map(|row| line.extend_from_slice(row)).is_some())
    }
}

/// The recipe in the metadata of a Parquet or Arrow file, as `simscope.recipe`; `None` where there is none.
pub fn recipe_inside(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let mut head = [0; 8];
    file.read_exact(&mut head).ok()?;
    let format = ColumnarFormat::of(&head)?;
    let schema = guarded(|| schema_of(&file, format)).ok()?;
    schema.metadata().get("simscope.recipe").cloned()
}

/// The columns of a file.
pub(super) fn schema_of(file: &File, format: ColumnarFormat) -> Result<SchemaRef, ArrowError> {
    let file = file.try_clone()?;
    Ok(match format {
        ColumnarFormat::Parquet => ParquetRecordBatchReaderBuilder::try_new(file)?.schema().clone(),
        ColumnarFormat::Arrow => FileReader::try_new(io::BufReader::new(file), None)?.schema(),
    })
}

/// The batches of a file from row `skipped` on, with the columns that make documents or all, and its number of rows,
/// if that is known.
pub(super) fn open(
    file: File,
    format: ColumnarFormat,
    fields: Option<&FieldNames>,
    skipped: u64,
) -> Result<(Batches<'static>, Option<u64>), ArrowError> {
    match format {
        ColumnarFormat::Parquet => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
            let metadata = builder.metadata().file_metadata();
            let n_rows = metadata.num_rows().max(0) as u64;
            let groups = builder.metadata().row_groups().iter();
            let row = groups.map(RowGroupMetaData::total_byte_size).sum::<i64>().max(0) as u64
                / n_rows.max(1);
            let n = (MOST_BYTES as u64 / row.max(1)).clamp(1, MOST_ROWS as u64) as usize;
            let mask = fields.map_or_else(ProjectionMask::all, |fields| {
                let columns = wanted(builder.schema(), fields);
                ProjectionMask::roots(builder.parquet_schema(), columns)
            });
            let builder = builder.with_projection(mask).with_batch_size(n);
            let reader = builder.with_offset(skipped as usize).build()?;
            Ok((Box::new(reader), Some(n_rows)))
        }
        ColumnarFormat::Arrow => {
            let schema = schema_of(&file, format)?;
            let columns = fields.map(|fields| wanted(&schema, fields));
            let reader = FileReader::try_new(io::BufReader::new(file), columns)?;
            let mut rest = skipped as usize;
            let batches = reader.map(move |batch| {
                let batch = batch?;
                let here = rest.min(batch.num_rows());
                rest -= here;
                Ok(batch.slice(here, batch.num_rows() - here))
            });
            Ok((Box::new(batches), None))
        }
    }
}

/// The columns that make documents.
fn wanted(schema: &Schema, fields: &FieldNames) -> Vec<usize> {
    let has = |name: &str| {
        name == fields.text
            || name == fields.id
            || name == fields.fingerprint
            || fields.hashes.as_deref() == Some(name)
            || fields.titles().any(|title| title == name)
    };
    let columns = schema.fields().iter().enumerate();
    columns.filter(|(_, field)| has(field.name())).map(|(at, _)| at).collect()
}

/// Whether the columns can make documents: rows need not be tried one by one.
///
/// # Errors
/// The column that is missing, and those there are.
fn check_columns(schema: &Schema, fields: &FieldNames) -> Result<(), RowError> {
    let find = |name: &str| schema.fields().iter().find(|field| field.name() == name);
    let (name, flag) = fields.content();
    let column =
        find(name).or_else(|| find(&fields.fingerprint).filter(|_| fields.hashes.is_none()));
    let Some(column) = column else {
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let problem = format!("no column \"{name}\" among {}", quoted_names(&names));
        return Err(RowError::new(problem, format!("name it with {flag}")));
    };
    if fields.hashes.is_none() && is_nested(column.data_type()) {
        let problem = format!("column \"{}\" holds lists or records, not text", column.name());
        return Err(RowError::new(problem, format!("name another with {flag}")));
    }
    Ok(())
}

fn is_nested(of: &DataType) -> bool {
    match of {
        DataType::Dictionary(_, values) => is_nested(values),
        other => other.is_nested(),
    }
}

/// Does work that a damaged file may make panic: the readers check less than files can have wrong. Such a panic is
/// an error of the file, and nothing is printed.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    thread_local!(static IS_GUARDED: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                usual(info);
            }
        }));
    });
    IS_GUARDED.set(true);
    let outcome = panic::catch_unwind(panic::AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    outcome.unwrap_or_else(|_| {
        Err(ArrowError::ParseError("its lengths or offsets contradict each other".to_owned()))
    })
}

pub(super) fn broken(error: ArrowError) -> RowError {
    let remedy = "give the file whole; it may have been cut off, or never completed";
    RowError::new(damaged(error).to_string(), remedy)
}

fn damaged(error: impl Into<ArrowError>) -> io::Error {
    let error: ArrowError = error.into();
    let message = error.to_string();
    // "Parquet argument error: Parquet error: .." says it twice.
    let message = message.rsplit("error: ").next().unwrap_or(&message).to_owned();
    io::Error::other(format!("damaged: {message}"))
}
