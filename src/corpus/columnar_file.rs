//! Opens Parquet and Arrow files: their columns, their batches of rows, and errors of damaged ones.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::panic;
use std::sync::{Arc, Once};

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{
            ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
            ParquetRecordBatchReaderBuilder, RowSelection,
        },
    },
    errors::ParquetError,
    file::metadata::ParquetMetaData,
};

use super::delimited::quoted_names;
use super::fields::{FieldNames, RowError};
use super::json_path::{below, starts_at};
use super::source::ColumnarFormat;
use crate::number::grouped;

/// Rows that are held at a time, if they are of usual length.
pub(super) const MOST_ROWS: usize = 512;
/// Bytes of rows that are held at a time, by the mean length of a file's rows.
pub(super) const MOST_BYTES: usize = 4 << 20;
/// The key of the recipe in the metadata.
pub(super) const RECIPE: &str = "simscope.recipe";

/// Batches of rows.
pub(super) type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// The columns of a file.
pub(super) fn schema_of(file: &File, format: ColumnarFormat) -> Result<SchemaRef, ArrowError> {
    let file = file.try_clone()?;
    Ok(match format {
        ColumnarFormat::Parquet => ParquetRecordBatchReaderBuilder::try_new(file)?.schema().clone(),
        ColumnarFormat::Arrow => FileReader::try_new(io::BufReader::new(file), None)?.schema(),
    })
}

/// All rows of a file.
pub(super) const ALL_ROWS: Range<u64> = 0..i64::MAX as u64;

/// The batches of these rows of a file, counted from 0, with the columns that make documents or all, and the number of
/// all its rows, if that is known. Nothing behind the last of these rows is unpacked. The rows of Parquet go up to the
/// damage, if there is any, also where it is in the middle of what would be a batch.
pub(super) fn open(
    file: File,
    format: ColumnarFormat,
    fields: Option<&FieldNames>,
    rows: Range<u64>,
) -> Result<(Batches<'static>, Option<u64>), ArrowError> {
    let (mut skipped, mut rest) = (rows.start as usize, (rows.end - rows.start) as usize);
    match format {
        ColumnarFormat::Parquet => {
            let builder = parquet(file.try_clone()?)?;
            let n_rows = n_rows(builder.metadata());
            let columns = fields.map(|fields| wanted(builder.schema(), fields));
            let batches = read(builder, columns.as_deref(), skipped, rest)?;
            let one_by_one = move |read_rows: usize| {
                let builder = parquet(file)?.with_batch_size(1);
                read(builder, columns.as_deref(), skipped + read_rows, rest - read_rows)
            };
            let batches = UpToDamage { batches, n_rows: 0, one_by_one: Some(Box::new(one_by_one)) };
            Ok((Box::new(batches), Some(n_rows)))
        }
        ColumnarFormat::Arrow => {
            let schema = schema_of(&file, format)?;
            let columns = fields.map(|fields| wanted(&schema, fields));
            let reader = FileReader::try_new(io::BufReader::new(file), columns)?;
            let batches = reader.map(move |batch| {
                let batch = batch?;
                let start = skipped.min(batch.num_rows());
                let length = rest.min(batch.num_rows() - start);
                (skipped, rest) = (skipped - start, rest - length);
                Ok(batch.slice(start, length))
            });
            Ok((Box::new(batches), None))
        }
    }
}

/// A reader of some rows, with these columns or all.
fn read(
    builder: ParquetRecordBatchReaderBuilder<File>,
    columns: Option<&[usize]>,
    skipped: usize,
    length: usize,
) -> Result<ParquetRecordBatchReader, ParquetError> {
    let mask = columns.map_or_else(ProjectionMask::all, |columns| {
        ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied())
    });
    builder.with_projection(mask).with_offset(skipped).with_limit(length).build()
}

/// Opens the reader anew, which gives the rows behind so many of them one by one.
type OneByOne = Box<dyn FnOnce(usize) -> Result<ParquetRecordBatchReader, ParquetError> + Send>;

/// Batches of Parquet. Rows from the first batch that cannot be read on come one by one, up to the first row that
/// cannot be read.
struct UpToDamage {
    batches: ParquetRecordBatchReader,
    /// The number of rows so far.
    n_rows: usize,
    one_by_one: Option<OneByOne>,
}

impl Iterator for UpToDamage {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut batch = guarded(|| self.batches.next().transpose());
        if let Some(one_by_one) = self.one_by_one.take_if(|_| batch.is_err()) {
            batch = guarded(|| {
                self.batches = one_by_one(self.n_rows)?;
                self.batches.next().transpose()
            });
        }
        self.n_rows +=
            batch.as_ref().ok().and_then(Option::as_ref).map_or(0, RecordBatch::num_rows);
        batch.transpose()
    }
}

/// The batches of these rows of a Parquet file, with all columns.
pub(super) fn open_selection(
    file: File,
    rows: &[Range<usize>],
) -> Result<Batches<'static>, ArrowError> {
    let builder = parquet(file)?;
    let n_rows = n_rows(builder.metadata()) as usize;
    let selection = RowSelection::from_consecutive_ranges(rows.iter().cloned(), n_rows);
    Ok(Box::new(builder.with_row_selection(selection).build()?))
}

/// The columns of a Parquet file, and their types in its batches.
pub(super) fn columns_of_parquet(file: &File) -> Result<[SchemaRef; 2], ArrowError> {
    let stored = schema_of(file, ColumnarFormat::Parquet)?;
    Ok([stored, Arc::clone(parquet(file.try_clone()?)?.schema())])
}

fn n_rows(metadata: &ParquetMetaData) -> u64 {
    metadata.file_metadata().num_rows().max(0) as u64
}

/// A reader of Parquet that keeps a string once for all rows of its page, and holds as many rows at a time as have
/// [`MOST_BYTES`] on average.
fn parquet(file: File) -> Result<ParquetRecordBatchReaderBuilder<File>, ParquetError> {
    let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?;
    let as_views = |field: &FieldRef| {
        let of = |kind: &DataType| match kind {
            DataType::Utf8 | DataType::LargeUtf8 => Some(DataType::Utf8View),
            DataType::Binary | DataType::LargeBinary => Some(DataType::BinaryView),
            _ => None,
        };
        let view = match field.data_type() {
            DataType::Dictionary(_, values) => of(values),
            kind => of(kind),
        };
        view.map_or_else(
            || Arc::clone(field),
            |view| Arc::new(Field::clone(field).with_data_type(view)),
        )
    };
    let fields: Vec<FieldRef> = metadata.schema().fields().iter().map(as_views).collect();
    let schema = Schema::new_with_metadata(fields, metadata.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    let viewed = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options);
    let groups = metadata.metadata().row_groups().iter();
    let bytes = groups.map(|group| group.total_byte_size().max(0) as u64);
    let row = bytes.fold(0, u64::saturating_add) / n_rows(metadata.metadata()).max(1);
    let n = (MOST_BYTES as u64 / row.max(1)).clamp(1, MOST_ROWS as u64) as usize;
    let metadata = viewed.unwrap_or(metadata);
    Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata).with_batch_size(n))
}

/// The columns that make documents.
fn wanted(schema: &Schema, fields: &FieldNames) -> Vec<usize> {
    let columns = schema.fields().iter().enumerate();
    columns.filter(|(_, field)| fields.has(field.name())).map(|(at, _)| at).collect()
}

/// Whether the columns can make documents: rows need not be tried one by one.
///
/// # Errors
/// The column that is missing, and those there are.
pub(super) fn check_columns(schema: &Schema, fields: &FieldNames) -> Result<(), RowError> {
    let find = |name: &str| at_path(schema.fields(), name);
    let (name, flag) = fields.content();
    let is_there = |path: &str| schema.fields().iter().any(|it| starts_at(path, it.name()));
    if fields.takes_text() && fields.has_parts() && fields.parts().any(is_there) {
        return Ok(());
    }
    let column =
        find(name).or_else(|| find(&fields.fingerprint).filter(|_| fields.hashes.is_none()));
    let Some(column) = column else {
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let problem = format!("no column \"{name}\" among {}", quoted_names(&names));
        let or = if fields.takes_text() {
            ", or one of fingerprints with `fingerprint-field`"
        } else {
            ""
        };
        return Err(RowError::new(problem, format!("name it with {flag}{or}")));
    };
    let is_list =
        matches!(column.data_type(), DataType::List(item) if !is_nested(item.data_type()));
    if fields.hashes.is_none() && is_nested(column.data_type()) && !is_list {
        let problem = format!("column \"{}\" holds lists or records, not text", column.name());
        return Err(RowError::new(problem, format!("name another with {flag}")));
    }
    Ok(())
}

/// The field of this name, or the field inside records that it is the path of.
fn at_path<'a>(fields: &'a Fields, path: &str) -> Option<&'a FieldRef> {
    let inside = |field: &'a FieldRef| match field.data_type() {
        DataType::Struct(fields) => at_path(fields, below(path, field.name())?.strip_prefix('.')?),
        _ => None,
    };
    let exact = fields.iter().find(|field| field.name() == path);
    exact.or_else(|| fields.iter().find_map(inside))
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
    let was_guarded = IS_GUARDED.replace(true);
    let outcome = panic::catch_unwind(panic::AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    outcome.unwrap_or_else(|_| {
        Err(ArrowError::ParseError("its lengths or offsets contradict each other".to_owned()))
    })
}

pub(super) fn broken(error: ArrowError) -> RowError {
    let remedy = "give the file whole; it may have been cut off, or never completed";
    RowError::new(damaged(error).to_string(), remedy)
}

/// An error behind so many rows that were read.
pub(super) fn damaged_after(n_rows: u64, error: impl Into<ArrowError>) -> io::Error {
    match n_rows {
        0 => damaged(error),
        n => damage(error, &format!("damaged after row {}", grouped(n))),
    }
}

pub(super) fn damaged(error: impl Into<ArrowError>) -> io::Error {
    damage(error, "damaged")
}

fn damage(error: impl Into<ArrowError>, place: &str) -> io::Error {
    let error: ArrowError = error.into();
    let error = match error {
        ArrowError::IoError(_, limit) if limit.kind() == io::ErrorKind::QuotaExceeded => {
            return limit;
        }
        other => other,
    };
    let message = error.to_string();
    if let Some((_, codec)) = message.split_once("Disabled feature at compile time: ") {
        return io::Error::other(format!(
            "packed with {codec}, which simscope does not read; pack it with zstd, snappy, gzip or lz4"
        ));
    }
    // "Parquet argument error: Parquet error: .." says it twice.
    let message = message.rsplit("error: ").next().unwrap_or(&message).to_owned();
    io::Error::other(format!("{place}: {message}"))
}
