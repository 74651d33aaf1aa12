//! Some rows of Parquet files as one Parquet file: every column of any of them with its type, and the metadata of the
//! first file.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, new_null_array};
use arrow_schema::{Field, FieldRef, Schema, SchemaRef};
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection},
    },
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::properties::WriterProperties,
};

use super::diagnostic::{ReadError, shown};
use super::source::{ByteStore, FileStamp};
use crate::progress::Progress;

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
    /// Writes the bytes that were collected since the last call.
    pub(crate) fn pass_on(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)))
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

/// The rows of a file, if it is unchanged.
fn opened(file: &KeptRows) -> Result<ParquetRecordBatchReaderBuilder<File>, ReadError> {
    let place = || shown(&file.path);
    let unreadable = |problem: String| ReadError::Unreadable { place: place(), problem };
    let (opened, now) =
        ByteStore::open(&file.path).map_err(|error| unreadable(error.to_string()))?;
    if now != file.stamp {
        return Err(ReadError::Changed { place: place() });
    }
    let builder = ParquetRecordBatchReaderBuilder::try_new(opened);
    builder.map_err(|error| unreadable(format!("damaged: {error}")))
}

/// The columns of all files, with the metadata of the first file. A column that a file lacks may be null.
fn all_columns(files: &[KeptRows]) -> Result<SchemaRef, ReadError> {
    let mut all: Option<Schema> = None;
    for file in files {
        let next = opened(file)?.schema().as_ref().clone();
        let Some(so_far) = all.take() else {
            all = Some(next);
            continue;
        };
        let both = [&so_far, &next];
        let fields = both.map(|schema| Schema::new(schema.fields().clone()));
        let merged = Schema::try_merge(fields).map_err(|error| ReadError::Unreadable {
            place: shown(&file.path),
            problem: format!("a column has another type than in the files before: {error}"),
        })?;
        let as_there = |field: &FieldRef| {
            let is_in_both = both.iter().all(|schema| schema.index_of(field.name()).is_ok());
            let is_nullable = field.is_nullable() || !is_in_both;
            Field::clone(field).with_nullable(is_nullable)
        };
        let fields: Vec<Field> = merged.fields().iter().map(as_there).collect();
        all = Some(Schema::new_with_metadata(fields, so_far.metadata().clone()));
    }
    Ok(Arc::new(all.unwrap_or_else(Schema::empty)))
}

/// Writes these rows as one file with the columns of all files; a row has null in a column that its file lacks.
///
/// # Errors
/// A file that cannot be read or has a column of another type, or an error of the output.
pub(super) fn copy(
    files: &[KeptRows],
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), super::CopyError> {
    let buffer = SharedBuffer::default();
    let schema = all_columns(files)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let writer = ArrowWriter::try_new(buffer.clone(), Arc::clone(&schema), Some(properties));
    let mut writer = writer.map_err(io::Error::other)?;
    for file in files {
        progress.check()?;
        let unreadable =
            |problem: String| ReadError::Unreadable { place: shown(&file.path), problem };
        let damaged = |error: ParquetError| unreadable(format!("damaged: {error}"));
        let builder = opened(file)?;
        let n_rows = builder.metadata().file_metadata().num_rows().max(0) as usize;
        let selection = RowSelection::from_consecutive_ranges(file.rows.iter().cloned(), n_rows);
        for batch in builder.with_row_selection(selection).build().map_err(damaged)? {
            progress.check()?;
            let batch = batch.map_err(|error| unreadable(format!("damaged: {error}")))?;
            let column = |field: &FieldRef| {
                let there = batch.column_by_name(field.name()).cloned();
                there.unwrap_or_else(|| new_null_array(field.data_type(), batch.num_rows()))
            };
            let columns = schema.fields().iter().map(column).collect();
            let whole = RecordBatch::try_new(Arc::clone(&schema), columns);
            let whole = whole.map_err(|error| unreadable(format!("damaged: {error}")))?;
            writer.write(&whole).map_err(io::Error::other)?;
            buffer.pass_on(out)?;
        }
    }
    writer.close().map_err(io::Error::other)?;
    Ok(buffer.pass_on(out)?)
}
