//! Some rows of Parquet files as one Parquet file: every column of any of them with its type, and the metadata and the
//! packing of the first file.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{LogicalType, Repetition};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::diagnostic::{CopyError, ReadError, ReadFault, shown};
use super::options::{InputLimits, TOO_FAR_REMEDY};
use super::source::{ByteStore, FileStamp};
use super::table_file::{MOST_ROWS, damaged, guarded};
use crate::progress::Progress;
use crate::text::visible::visible;

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
/// A file that cannot be read, has a column of another type or grows beyond what is allowed, or an error of the output.
pub(super) fn copy(
    files: &[KeptRows],
    limits: InputLimits,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), CopyError> {
    let (schema, properties) = all_columns(files)?;
    let buffer = SharedBuffer::default();
    let writer = SerializedFileWriter::new(buffer.clone(), schema, Arc::new(properties));
    let mut writer = writer.map_err(io::Error::other)?;
    let leaves = writer.schema_descr().columns().to_vec();
    for file in files {
        let reader = file.opened()?;
        let damaged = |error| file.unreadable(damaged(error).to_string());
        let there = reader.metadata().file_metadata().schema_descr();
        let mut first_row = 0;
        // Rows share values, and the copy holds them for each row.
        let mut allowed = limits.most_unpacked(file.stamp.length);
        for at in 0..reader.num_row_groups() {
            progress.check()?;
            let group = guarded(|| reader.get_row_group(at)).map_err(damaged)?;
            let n_rows = group.metadata().num_rows().max(0) as usize;
            let rows = within(&file.rows, first_row..first_row + n_rows);
            first_row += n_rows;
            if rows.is_empty() {
                continue;
            }
            let mut to = writer.next_row_group().map_err(io::Error::other)?;
            for leaf in &leaves {
                let from = there.columns().iter().position(|it| it.path() == leaf.path());
                let from = from.filter(|at| has_values(there.get_column_root(*at)));
                let column = to.next_column().map_err(io::Error::other)?;
                let mut column = column.ok_or_else(|| io::Error::other("a column is missing"))?;
                let more =
                    from.map_or(0, |at| leaf.max_def_level() - there.column(at).max_def_level());
                let copied = guarded(|| {
                    let from = from.map(|at| group.get_column_reader(at)).transpose()?;
                    copy_column(from, more, &mut column, &rows)
                });
                copied.map_err(damaged)?;
                column.close().map_err(io::Error::other)?;
                let written = buffer.pass_on(out)? as u64;
                allowed = allowed.checked_sub(written).ok_or_else(|| {
                    io::Error::other(format!(
                        "{}: its rows would be a copy of more than {} times its size; {TOO_FAR_REMEDY}",
                        shown(&file.path),
                        limits.expansion,
                    ))
                })?;
            }
            to.close().map_err(io::Error::other)?;
        }
    }
    writer.close().map_err(io::Error::other)?;
    buffer.pass_on(out)?;
    Ok(())
}

/// The parts of these ranges in a range, counted from its start.
fn within(ranges: &[Range<usize>], part: Range<usize>) -> Vec<Range<usize>> {
    let cut = |it: &Range<usize>| it.start.max(part.start)..it.end.min(part.end);
    let inside = ranges.iter().map(cut).filter(|it| !it.is_empty());
    inside.map(|it| it.start - part.start..it.end - part.start).collect()
}

/// Copies some rows of a column, whose values may be null at so many levels more in the copy; without a column, nulls.
fn copy_column(
    from: Option<ColumnReader>,
    more: i16,
    to: &mut SerializedColumnWriter<'_>,
    rows: &[Range<usize>],
) -> Result<(), ParquetError> {
    let n = rows.iter().map(Range::len).sum();
    let nulls = vec![0; n];
    macro_rules! of_any_type {
        ($($type:ty, $reader:ident, $writer:ident;)+) => {
            match (from, to.untyped()) {
                $((Some(ColumnReader::$reader(from)), ColumnWriter::$writer(to)) => {
                    copy_values::<$type>(from, more, to, rows)
                })+
                $((None, ColumnWriter::$writer(to)) => {
                    to.write_batch(&[], Some(&nulls), Some(&nulls)).map(|_| ())
                })+
                _ => Err(ParquetError::General("a column has another type".to_owned())),
            }
        };
    }
    of_any_type! {
        BoolType, BoolColumnReader, BoolColumnWriter;
        Int32Type, Int32ColumnReader, Int32ColumnWriter;
        Int64Type, Int64ColumnReader, Int64ColumnWriter;
        Int96Type, Int96ColumnReader, Int96ColumnWriter;
        FloatType, FloatColumnReader, FloatColumnWriter;
        DoubleType, DoubleColumnReader, DoubleColumnWriter;
        ByteArrayType, ByteArrayColumnReader, ByteArrayColumnWriter;
        FixedLenByteArrayType, FixedLenByteArrayColumnReader, FixedLenByteArrayColumnWriter;
    }
}

fn copy_values<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    more: i16,
    to: &mut ColumnWriterImpl<'_, T>,
    rows: &[Range<usize>],
) -> Result<(), ParquetError> {
    let mut row = 0;
    for range in rows {
        from.skip_records(range.start - row)?;
        row = range.start;
        while row < range.end {
            let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
            let most = MOST_ROWS.min(range.end - row);
            let (n, _, n_levels) =
                from.read_records(most, Some(&mut levels), Some(&mut repeats), &mut values)?;
            if n == 0 {
                return Err(ParquetError::EOF("a column has fewer rows than its file".to_owned()));
            }
            // A column without nulls has no levels, which it may have in the copy.
            if more > 0 {
                levels.resize(n_levels, 0);
                levels = levels.into_iter().map(|level| level + more).collect();
            }
            let given = |levels| Some(levels).filter(|it: &&[i16]| !it.is_empty());
            to.write_batch(&values, given(&levels), given(&repeats))?;
            row += n;
        }
    }
    Ok(())
}

impl KeptRows {
    fn unreadable(&self, problem: String) -> ReadError {
        ReadError { place: shown(&self.path), fault: ReadFault::Unreadable(problem) }
    }

    /// The file, if it is unchanged.
    fn opened(&self) -> Result<SerializedFileReader<File>, ReadError> {
        let opened = ByteStore::open(&self.path);
        let (opened, now) = opened.map_err(|error| self.unreadable(error.to_string()))?;
        if now != self.stamp {
            return Err(ReadError { place: shown(&self.path), fault: ReadFault::Changed });
        }
        let reader = guarded(|| SerializedFileReader::new(opened));
        reader.map_err(|error| self.unreadable(damaged(error).to_string()))
    }
}

/// The columns of all files, each as the first file has it that has values of it, and how the copy is written: as the
/// first file. A column that a file lacks may be null.
fn all_columns(files: &[KeptRows]) -> Result<(TypePtr, WriterProperties), CopyError> {
    let mut all: Vec<(TypePtr, &KeptRows)> = Vec::new();
    let mut properties = WriterProperties::builder();
    for (n_before, file) in files.iter().enumerate() {
        let reader = file.opened()?;
        let about = reader.metadata().file_metadata();
        if n_before == 0 {
            properties = properties.set_key_value_metadata(about.key_value_metadata().cloned());
            let group = reader.metadata().row_groups().first();
            for chunk in group.into_iter().flat_map(RowGroupMetaData::columns) {
                let (path, packing) = (chunk.column_path().clone(), chunk.compression());
                properties = properties.set_column_compression(path, packing);
            }
        }
        let columns = about.schema().get_fields();
        for column in columns {
            match all.iter_mut().find(|(known, _)| known.name() == column.name()) {
                None if n_before == 0 => all.push((Arc::clone(column), file)),
                None => all.push((optional(column)?, file)),
                Some((known, _)) if known == column => {}
                Some((_, _)) if !has_values(column) => {}
                Some((known, first)) if !has_values(known) => {
                    (*known, *first) = (optional(column)?, file);
                }
                Some((known, first)) => {
                    let either = optional(known)?;
                    if either != optional(column)? {
                        let problem = format!(
                            "column \"{}\" has another type than in {}, so the rows have no common file",
                            visible(column.name()),
                            shown(&first.path),
                        );
                        return Err(file.unreadable(problem).into());
                    }
                    *known = either;
                }
            }
        }
        for (known, _) in &mut all {
            let there = columns.iter().find(|it| it.name() == known.name());
            if there.is_none_or(|it| !has_values(it)) && has_values(known) {
                *known = optional(known)?;
            }
        }
    }
    let all = all.into_iter().map(|(column, _)| column).collect();
    let schema = Type::group_type_builder("schema").with_fields(all).build();
    Ok((Arc::new(schema.map_err(io::Error::other)?), properties.build()))
}

/// Whether a column may have values: programs give a type of its own to one that has none.
fn has_values(column: &Type) -> bool {
    column.get_basic_info().logical_type_ref() != Some(&LogicalType::Unknown)
}

/// The same column, which may be null.
fn optional(column: &Type) -> io::Result<TypePtr> {
    let about = column.get_basic_info();
    if about.repetition() == Repetition::REPEATED {
        return Ok(Arc::new(column.clone()));
    }
    let id = about.has_id().then(|| about.id());
    let (kind, logical) = (about.converted_type(), about.logical_type_ref().cloned());
    let built = match column {
        Type::PrimitiveType { physical_type, type_length, scale, precision, .. } => {
            Type::primitive_type_builder(about.name(), *physical_type)
                .with_repetition(Repetition::OPTIONAL)
                .with_converted_type(kind)
                .with_logical_type(logical)
                .with_length(*type_length)
                .with_precision(*precision)
                .with_scale(*scale)
                .with_id(id)
                .build()
        }
        Type::GroupType { fields, .. } => Type::group_type_builder(about.name())
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(kind)
            .with_logical_type(logical)
            .with_fields(fields.clone())
            .with_id(id)
            .build(),
    };
    Ok(Arc::new(built.map_err(io::Error::other)?))
}
