//! Rows as Parquet, or as an Arrow stream.
//!
//! Cells are collected column by column and written in batches. A column has the type that its name has, whatever
//! its values are, so that the files of several runs can be read as one table: int64 for counts, float64 for shares
//! and times. The metadata is that of the schema and of the file.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::format::{self, Cells, Format, RECIPE, RowWriter};
use crate::corpus::{FingerprintType, SharedBuffer};
use crate::facts::{Cell, Kind};

/// Rows in a batch.
const BATCH: usize = 1 << 14;
/// Rows in a row group of Parquet.
const ROW_GROUP: usize = 1 << 20;

/// Writes rows column by column.
pub(super) struct ColumnarWriter {
    format: Format,
    metadata: BTreeMap<String, String>,
    names: Vec<String>,
    columns: Vec<Column>,
    n_rows: usize,
    writer: Option<BatchWriter>,
    /// The bytes of the writer that are not yet passed on.
    buffer: SharedBuffer,
}

enum BatchWriter {
    Parquet(Box<ArrowWriter<SharedBuffer>>),
    Arrow(Box<StreamWriter<SharedBuffer>>),
}

impl ColumnarWriter {
    pub(super) fn new(
        format: Format,
        columns: &[format::Column],
        written: FingerprintType,
        metadata: &[(&str, &str)],
    ) -> Self {
        let entries = metadata.iter().filter(|(_, value)| !value.is_empty());
        Self {
            format,
            metadata: entries.map(|(key, value)| ((*key).into(), (*value).into())).collect(),
            names: columns.iter().map(|(name, _)| name.to_string()).collect(),
            columns: columns.iter().map(|(_, kind)| Column::of(*kind, written)).collect(),
            n_rows: 0,
            writer: None,
            buffer: SharedBuffer::default(),
        }
    }

    /// Writes the collected rows, and passes on the bytes of the writer.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let arrays: Vec<ArrayRef> = self.columns.iter_mut().map(Column::take).collect();
        let fields = self.names.iter().zip(&arrays);
        let fields: Vec<Field> = fields
            .map(|(name, array)| Field::new(name.as_str(), array.data_type().clone(), true))
            .collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, self.metadata.clone()));
        if self.writer.is_none() {
            self.writer = Some(self.open(&schema)?);
        }
        if self.n_rows > 0 {
            let batch = RecordBatch::try_new(schema, arrays).map_err(failed)?;
            match &mut self.writer {
                Some(BatchWriter::Parquet(writer)) => {
                    writer.write(&batch).map_err(failed)?;
                }
                Some(BatchWriter::Arrow(writer)) => writer.write(&batch).map_err(failed)?,
                None => {}
            }
        }
        self.n_rows = 0;
        self.buffer.pass_on(out).map(drop)
    }

    fn open(&self, schema: &Arc<Schema>) -> io::Result<BatchWriter> {
        Ok(if self.format == Format::Parquet {
            let entries = self.metadata.iter();
            let entries = entries.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                // Fingerprints rarely repeat, so that a dictionary would make them larger.
                .set_column_dictionary_enabled("fingerprint".into(), false)
                .set_max_row_group_row_count(Some(ROW_GROUP))
                .set_key_value_metadata(Some(entries.collect()))
                .build();
            let buffer = self.buffer.clone();
            let writer = ArrowWriter::try_new(buffer, Arc::clone(schema), Some(properties));
            BatchWriter::Parquet(Box::new(writer.map_err(failed)?))
        } else {
            let writer = StreamWriter::try_new(self.buffer.clone(), schema).map_err(failed)?;
            BatchWriter::Arrow(Box::new(writer))
        })
    }
}

fn failed(error: impl Into<ArrowError>) -> io::Error {
    let error: ArrowError = error.into();
    io::Error::other(error.to_string())
}

impl RowWriter for ColumnarWriter {
    fn row(&mut self, cells: Cells<'_, '_>, out: &mut dyn Write) -> io::Result<()> {
        for ((name, column), cell) in self.names.iter().zip(&mut self.columns).zip(cells) {
            column.push(cell).map_err(|kind| {
                io::Error::other(format!(
                    "column \"{name}\" has {kind}, which its type does not hold; write jsonl instead"
                ))
            })?;
        }
        self.n_rows += 1;
        if self.n_rows == BATCH { self.flush(out) } else { Ok(()) }
    }

    fn forget_recipe(&mut self) {
        self.metadata.remove(RECIPE);
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.flush(out)?;
        match self.writer.take() {
            Some(BatchWriter::Parquet(writer)) => {
                writer.close().map_err(failed)?;
            }
            Some(BatchWriter::Arrow(mut writer)) => writer.finish().map_err(failed)?,
            None => {}
        }
        self.buffer.pass_on(out).map(drop)
    }
}

/// The values of a column.
#[derive(Debug)]
enum Column {
    Text(Vec<Option<String>>),
    Count(Vec<Option<i64>>),
    /// Counts that need all 64 bits, such as a fingerprint.
    Large(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
}

impl Column {
    /// An empty column for values of a kind; fingerprints are written as `written`.
    fn of(kind: Kind, written: FingerprintType) -> Self {
        match (kind, written) {
            (Kind::Text, _) | (Kind::Fingerprint, FingerprintType::Hex) => Self::Text(Vec::new()),
            (Kind::Fingerprint, FingerprintType::Uint64) => Self::Large(Vec::new()),
            (Kind::Count, _) | (Kind::Fingerprint, FingerprintType::Int64) => {
                Self::Count(Vec::new())
            }
            (Kind::Number, _) => Self::Number(Vec::new()),
            (Kind::Flag, _) => Self::Flag(Vec::new()),
        }
    }

    /// Adds a value.
    ///
    /// # Errors
    /// If a count needs all 64 bits.
    fn push(&mut self, cell: Cell<'_>) -> Result<(), &'static str> {
        match (self, cell) {
            (Self::Text(values), Cell::Text(text)) => values.push(Some(text.into_owned())),
            (Self::Text(values), Cell::Words(words)) => values.push(Some(words.join(" "))),
            // Such as a diameter, which may be a bound.
            (Self::Text(values), Cell::Count(number)) => values.push(Some(number.to_string())),
            (Self::Count(values), Cell::Count(number)) => {
                let number = i64::try_from(number).map_err(|_| "a number above 2^63 - 1")?;
                values.push(Some(number));
            }
            (Self::Count(values), Cell::Integer(number)) => values.push(Some(number)),
            (Self::Large(values), Cell::Count(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Number(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Fixed(number, places)) => {
                let scale = 10_f64.powi(places as i32);
                values.push(Some((number * scale).round() / scale));
            }
            (Self::Flag(values), Cell::Flag(flag)) => values.push(Some(flag)),
            (Self::Text(values), _) => values.push(None),
            (Self::Count(values), _) => values.push(None),
            (Self::Large(values), _) => values.push(None),
            (Self::Number(values), _) => values.push(None),
            (Self::Flag(values), _) => values.push(None),
        }
        Ok(())
    }

    /// The values as an array.
    fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(StringArray::from(mem::take(values))),
            Self::Count(values) => Arc::new(Int64Array::from(mem::take(values))),
            Self::Large(values) => Arc::new(UInt64Array::from(mem::take(values))),
            Self::Number(values) => Arc::new(Float64Array::from(mem::take(values))),
            Self::Flag(values) => Arc::new(BooleanArray::from(mem::take(values))),
        }
    }
}
