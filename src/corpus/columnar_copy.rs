//! Some rows of Parquet files as one Parquet file: every column with its type, and the metadata of the first file.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Writes these rows as one file; files whose columns differ from those of the first are refused.
///
/// # Errors
/// A file that cannot be read or has other columns, or an error of the output.
pub(super) fn copy(
    files: &[KeptRows],
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), super::CopyError> {
    let buffer = SharedBuffer::default();
    let mut writer: Option<ArrowWriter<SharedBuffer>> = None;
    for KeptRows { path, stamp, rows } in files {
        progress.check()?;
        let unreadable = |problem: String| ReadError::Unreadable { place: shown(path), problem };
        let damaged = |error: ParquetError| unreadable(format!("damaged: {error}"));
        let (file, now) = ByteStore::open(path).map_err(|error| unreadable(error.to_string()))?;
        if now != *stamp {
            return Err(ReadError::Changed { place: shown(path) }.into());
        }
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
        let n_rows = builder.metadata().file_metadata().num_rows().max(0) as usize;
        let selection = RowSelection::from_consecutive_ranges(rows.iter().cloned(), n_rows);
        let schema = Arc::clone(builder.schema());
        if writer.is_none() {
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .build();
            let opened = ArrowWriter::try_new(buffer.clone(), schema, Some(properties));
            writer = Some(opened.map_err(io::Error::other)?);
        }
        let Some(writer) = &mut writer else { continue };
        for batch in builder.with_row_selection(selection).build().map_err(damaged)? {
            progress.check()?;
            let batch = batch.map_err(|error| unreadable(format!("damaged: {error}")))?;
            writer.write(&batch).map_err(|error| {
                unreadable(format!("its columns are not those of the first file: {error}"))
            })?;
            buffer.pass_on(out)?;
        }
    }
    if let Some(writer) = writer {
        writer.close().map_err(io::Error::other)?;
    }
    Ok(buffer.pass_on(out)?)
}
