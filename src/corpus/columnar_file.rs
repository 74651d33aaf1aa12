//! Opens Parquet files: their columns, their batches of rows, and errors of damaged ones.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::panic;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use parquet::{
    arrow::ProjectionMask,
    arrow::arrow_reader::{
        ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
        ParquetRecordBatchReaderBuilder, RowSelection,
    },
    errors::ParquetError,
    file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData},
};

use super::delimited::quoted_names;
use super::fields::{FieldNames, RowError};
use super::json_path::{below, starts_at};
use crate::number::grouped;

/// Rows that are held at a time, if they are of usual length.
pub(super) const MOST_ROWS: usize = 512;
/// Bytes of rows that are held at a time, by the mean length of a file's rows.
pub(super) const MOST_BYTES: usize = 4 << 20;
/// The key of the recipe in the metadata.
pub(super) const RECIPE: &str = "simscope.recipe";

/// Batches of rows.
pub(super) type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// The rows of a Parquet file.
pub(super) struct ParquetRows {
    pub(super) schema: SchemaRef,
    /// The rows up to the damage, if there is any, also where it is in the middle of what would be a batch.
    pub(super) batches: Batches<'static>,
    pub(super) n_rows: u64,
    /// The bytes to which the columns that are read unpack, as the file says.
    pub(super) n_unpacked: u64,
    /// The columns that are not read.
    pub(super) left_out: Vec<String>,
}

/// Opens a Parquet file. Columns of bytes, such as images, and of lists of floats, such as embeddings, are read only if
/// they are named: as JSON they would be many times as large as the texts.
pub(super) fn open(file: File, is_named: impl Fn(&str) -> bool) -> Result<ParquetRows, ArrowError> {
    let schema = schema_of(&file)?;
    let fields = schema.fields().iter().enumerate();
    let (read, left_out): (Vec<_>, Vec<_>) =
        fields.partition(|(_, it)| is_named(it.name()) || !is_large(it.data_type()));
    let read: Vec<usize> = read.into_iter().map(|(at, _)| at).collect();
    let left_out = left_out.into_iter().map(|(_, field)| field.name().clone()).collect();
    let builder = parquet(file.try_clone()?)?;
    let n_rows = n_rows(builder.metadata());
    let columns = builder.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
    let names = read.iter().map(|at| schema.field(*at).name().as_str());
    let names: HashSet<&str> = names.collect();
    let is_read = |it: &&ColumnChunkMetaData| {
        it.column_path().parts().first().is_some_and(|name| names.contains(name.as_str()))
    };
    let n_unpacked = columns.filter(is_read).map(|it| it.uncompressed_size().max(0) as u64);
    let n_unpacked = n_unpacked.fold(0, u64::saturating_add);
    let mask = ProjectionMask::roots(builder.parquet_schema(), read);
    let batches = builder.with_projection(mask.clone()).build()?;
    let one_by_one = move |n_before: usize| {
        parquet(file)?.with_projection(mask).with_batch_size(1).with_offset(n_before).build()
    };
    let batches = UpToDamage { batches, n_rows: 0, one_by_one: Some(Box::new(one_by_one)) };
    Ok(ParquetRows { schema, batches: Box::new(batches), n_rows, n_unpacked, left_out })
}

/// Whether values of this type are bytes or floats of any number.
fn is_large(kind: &DataType) -> bool {
    match kind {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            item.data_type().is_floating() || is_large(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().any(|it| is_large(it.data_type())),
        _ => false,
    }
}

/// The columns of a Parquet file.
fn schema_of(file: &File) -> Result<SchemaRef, ArrowError> {
    Ok(Arc::clone(ParquetRecordBatchReaderBuilder::try_new(file.try_clone()?)?.schema()))
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
    let stored = schema_of(file)?;
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

/// Does work that a damaged file may make panic: the readers check less than files can have wrong. Such a panic is an
/// error of the file.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    let outcome = panic::catch_unwind(panic::AssertUnwindSafe(work));
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
