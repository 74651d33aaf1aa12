//! Some rows of Parquet files as one Parquet file: every column of any of them with its type, and the metadata of the
//! first file.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_reader::{
            ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
        },
    },
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::{metadata::ParquetMetaData, properties::WriterProperties},
};

use super::arrow_stream::Batches;
use super::diagnostic::{CopyError, ReadError, shown};
use super::options::InputLimits;
use super::source::{ByteStore, FileStamp};
use super::table_file::{MOST_BYTES, MOST_ROWS, damaged, guarded};
use crate::progress::Progress;
use crate::text::visible::visible;

/// Bytes of a row group, which is held in memory until it is full.
const ROW_GROUP: usize = 64 << 20;

/// A file, and its rows to copy, in order, counted from 0.
pub(super) struct KeptRows {
    pub(super) path: PathBuf,
    pub(super) stamp: FileStamp,
    pub(super) rows: Vec<Range<usize>>,
}

impl KeptRows {
    /// Adds a row, which comes after all rows added so far.
    pub(super) fn keep(&mut self, row: usize) {
        match self.rows.last_mut() {
            Some(last) if last.end == row => last.end = row + 1,
            _ => self.rows.push(row..row + 1),
        }
    }
}

/// Collects the bytes of a writer that owns its target, so that they can be passed on to a borrowed output.
#[derive(Clone, Default)]
pub(crate) struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl SharedBuffer {
    /// Writes the bytes that were collected since the last call; their number.
    pub(crate) fn pass_on(&self, out: &mut dyn Write) -> io::Result<usize> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        out.write_all(&bytes)?;
        Ok(bytes.len())
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes these rows as one file with the columns of all files; a row has null in a column that its file lacks.
///
/// # Errors
/// A file that cannot be read, has a column of another type or unpacks to more than allowed, or an error of the output.
pub(super) fn copy(
    files: &[KeptRows],
    limits: InputLimits,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), CopyError> {
    let schema = all_columns(files)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_bytes(Some(ROW_GROUP))
        .build();
    let buffer = SharedBuffer::default();
    let writer = ArrowWriter::try_new(buffer.clone(), Arc::clone(&schema), Some(properties));
    let mut writer = writer.map_err(io::Error::other)?;
    let mut allowance = CopyAllowance::new(limits);
    for file in files {
        for batch in file.batches()? {
            progress.check()?;
            let batch = batch?;
            let column = |field: &FieldRef| {
                let there = batch.column_by_name(field.name());
                let there = there.filter(|array| *array.data_type() != DataType::Null).cloned();
                let array =
                    there.unwrap_or_else(|| new_null_array(field.data_type(), batch.num_rows()));
                (field.name().clone(), array, true)
            };
            let rows = schema.fields().iter().map(column);
            let rows = RecordBatch::try_from_iter_with_nullable(rows).map_err(io::Error::other)?;
            for piece in pieces(&rows) {
                let rows = rows.slice(piece.start, piece.len());
                writer.write(&rows).map_err(io::Error::other)?;
                allowance.take(&file.path, file.stamp, buffer.pass_on(out)?)?;
            }
        }
    }
    writer.close().map_err(io::Error::other)?;
    buffer.pass_on(out)?;
    Ok(())
}

/// The bytes that the rows of a file may have as a copy: rows share values, and the copy holds them for each row.
struct CopyAllowance<'a> {
    limits: InputLimits,
    /// The file that is being copied, and the bytes that are left.
    file: Option<(&'a Path, u64)>,
}

impl<'a> CopyAllowance<'a> {
    fn new(limits: InputLimits) -> Self {
        Self { limits, file: None }
    }

    /// Takes these bytes for rows of a file.
    fn take(&mut self, path: &'a Path, stamp: FileStamp, bytes: usize) -> Result<(), CopyError> {
        let rest = match self.file {
            Some((same, rest)) if same == path => rest,
            _ => self.limits.most_unpacked(stamp.length()),
        };
        let rest = rest.checked_sub(bytes as u64).ok_or_else(|| CopyError::TooLarge {
            place: shown(path),
            expansion: self.limits.expansion,
        })?;
        self.file = Some((path, rest));
        Ok(())
    }
}

impl KeptRows {
    fn unreadable(&self, problem: String) -> ReadError {
        ReadError::Unreadable { place: shown(&self.path), problem }
    }

    fn damaged(&self, error: io::Error) -> ReadError {
        self.unreadable(damaged(error).to_string())
    }

    /// The file, if it is unchanged.
    fn opened(&self) -> Result<File, ReadError> {
        let opened = ByteStore::open(&self.path);
        let (opened, now) = opened.map_err(|error| self.unreadable(error.to_string()))?;
        if now == self.stamp {
            Ok(opened)
        } else {
            Err(ReadError::Changed { place: shown(&self.path) })
        }
    }

    /// The columns of the file, and their types when they are read.
    fn columns(&self) -> Result<[SchemaRef; 2], ReadError> {
        let file = self.opened()?;
        guarded(|| columns_of_parquet(&file)).map_err(|error| self.damaged(error))
    }

    /// The rows, some at a time.
    fn batches(&self) -> Result<impl Iterator<Item = Result<RecordBatch, ReadError>>, ReadError> {
        let file = self.opened()?;
        let opened = guarded(|| open_selection(file, Some(&self.rows)));
        let (_, mut batches) = opened.map_err(|error| self.damaged(error))?;
        Ok(std::iter::from_fn(move || {
            let next = guarded(|| batches.next().transpose());
            next.map_err(|error| self.damaged(error)).transpose()
        }))
    }
}

/// The columns of all files, each as the first file has it that has values of it, and the metadata of the first file.
/// A column that a file lacks may be null.
fn all_columns(files: &[KeptRows]) -> Result<SchemaRef, ReadError> {
    let mut all: Vec<(Field, DataType, &KeptRows)> = Vec::new();
    let mut metadata = None;
    for (n_before, file) in files.iter().enumerate() {
        let [schema, read] = file.columns()?;
        metadata.get_or_insert_with(|| schema.metadata().clone());
        for (field, read) in schema.fields().iter().zip(read.fields()) {
            let (field, kind) = (Field::clone(field), plain(read.data_type()));
            match all.iter_mut().find(|(known, ..)| known.name() == field.name()) {
                None => {
                    let is_nullable = field.is_nullable() || n_before > 0;
                    all.push((field.with_nullable(is_nullable), kind, file));
                }
                Some(known) if known.1 == DataType::Null => {
                    *known = (field.with_nullable(true), kind, file);
                }
                Some((known, of, _)) if *of == kind || kind == DataType::Null => {
                    known.set_nullable(known.is_nullable() || field.is_nullable());
                }
                Some((known, _, first)) => {
                    let problem = format!(
                        "column \"{}\" is {}, and {} in {}, so the rows have no common file",
                        visible(field.name()),
                        named(field.data_type()),
                        named(known.data_type()),
                        shown(&first.path),
                    );
                    return Err(file.unreadable(problem));
                }
            }
        }
        for (known, ..) in &mut all {
            if schema.index_of(known.name()).is_err() {
                known.set_nullable(true);
            }
        }
    }
    let fields: Vec<Field> = all.into_iter().map(|(field, ..)| field).collect();
    Ok(Arc::new(Schema::new_with_metadata(fields, metadata.unwrap_or_default())))
}

/// A type as messages have it, without the numbers and notes of its fields.
fn named(kind: &DataType) -> String {
    visible(&plain(kind).to_string()).into_owned()
}

/// A type without the forms and metadata that do not matter to the values: strings have one form, and so have bytes.
fn plain(kind: &DataType) -> DataType {
    let of = |field: &FieldRef, name: &str| {
        Arc::new(Field::new(name, plain(field.data_type()), field.is_nullable()))
    };
    match kind {
        DataType::Utf8View | DataType::LargeUtf8 => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary => DataType::Binary,
        DataType::Dictionary(_, values) => plain(values),
        DataType::List(field) => DataType::List(of(field, "item")),
        DataType::LargeList(field) => DataType::LargeList(of(field, "item")),
        DataType::FixedSizeList(field, n) => DataType::FixedSizeList(of(field, "item"), *n),
        DataType::Map(field, is_sorted) => DataType::Map(of(field, "entries"), *is_sorted),
        DataType::Struct(fields) => {
            DataType::Struct(fields.iter().map(|field| of(field, field.name())).collect())
        }
        other => other.clone(),
    }
}

/// Rows in pieces of some megabytes of strings: a page ends with a piece at the earliest, and a string that many rows
/// share is there for each.
fn pieces(rows: &RecordBatch) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut bytes) = (Vec::new(), 0, 0);
    for row in 0..rows.num_rows() {
        bytes += rows.columns().iter().map(|array| string_bytes(array, row)).sum::<usize>();
        if bytes >= MOST_BYTES || row + 1 == rows.num_rows() {
            pieces.push(start..row + 1);
            (start, bytes) = (row + 1, 0);
        }
    }
    pieces
}

fn string_bytes(array: &ArrayRef, row: usize) -> usize {
    match array.data_type() {
        DataType::Utf8View => array.as_string_view().value(row).len(),
        DataType::BinaryView => array.as_binary_view().value(row).len(),
        _ => 0,
    }
}

/// The batches of these rows of a Parquet file, or of all, with all columns, and the types of these.
pub(super) fn open_selection(
    file: File,
    rows: Option<&[Range<usize>]>,
) -> Result<(SchemaRef, Batches<'static>), ArrowError> {
    let mut builder = parquet(file)?;
    if let Some(rows) = rows {
        let n_rows = n_rows(builder.metadata());
        let rows = RowSelection::from_consecutive_ranges(rows.iter().cloned(), n_rows as usize);
        builder = builder.with_row_selection(rows);
    }
    Ok((Arc::clone(builder.schema()), Box::new(builder.build()?)))
}

/// The columns of a Parquet file, and their types in its batches.
fn columns_of_parquet(file: &File) -> Result<[SchemaRef; 2], ArrowError> {
    let stored = ParquetRecordBatchReaderBuilder::try_new(file.try_clone()?)?;
    Ok([Arc::clone(stored.schema()), Arc::clone(parquet(file.try_clone()?)?.schema())])
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
