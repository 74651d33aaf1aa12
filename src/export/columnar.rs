//! Rows as Parquet, or as an Arrow stream.
//!
//! Cells are collected column by column and written in batches. A column has the type of its first value in the
//! first batch: int64 for counts, float64 for shares and times. The metadata is that of the schema and of the
//! file.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    mem,
    sync::Arc,
};

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{metadata::KeyValue, properties::WriterProperties},
};

use super::row::{Cell, RowWriter};
use crate::corpus::SharedBuffer;

/// Rows in a batch.
const BATCH: usize = 1 << 14;
/// Rows in a row group of Parquet.
const ROW_GROUP: usize = 1 << 20;
/// Columns that hold words, even if their first rows have no value.
const OF_WORDS: [&str; 9] =
    ["id", "a", "b", "fingerprint", "file", "kept", "kept_file", "title", "note"];
/// Columns that hold integers, even if there is no row.
const OF_COUNTS: [&str; 3] = ["fp_a", "fp_b", "distance"];

/// Writes rows column by column.
pub(super) struct ColumnarWriter {
    format: ColumnarFormat,
    metadata: BTreeMap<String, String>,
    names: &'static [&'static str],
    columns: Vec<Column>,
    n_rows: usize,
    writer: Option<BatchWriter>,
    /// The bytes of the writer that are not yet passed on.
    buffer: SharedBuffer,
}

/// The format that rows are written in.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColumnarFormat {
    Parquet,
    Arrow,
}

/// The values of a column.
#[derive(Debug)]
enum Column {
    /// This number of rows so far, all without a value.
    Unknown(usize),
    Text(Vec<Option<String>>),
    Count(Vec<Option<i64>>),
    /// Counts that need all 64 bits, such as a fingerprint.
    Large(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
}

enum BatchWriter {
    Parquet(Box<ArrowWriter<SharedBuffer>>),
    Arrow(Box<StreamWriter<SharedBuffer>>),
}

impl ColumnarWriter {
    pub(super) fn new(format: ColumnarFormat, metadata: &[(&str, &str)]) -> Self {
        let entries = metadata.iter().filter(|(_, value)| !value.is_empty());
        Self {
            format,
            metadata: entries.map(|(key, value)| ((*key).into(), (*value).into())).collect(),
            names: &[],
            columns: Vec::new(),
            n_rows: 0,
            writer: None,
            buffer: SharedBuffer::default(),
        }
    }

    /// Writes the collected rows, and passes on the bytes of the writer.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.names.iter().zip(&mut self.columns);
        let arrays: Vec<ArrayRef> = columns.map(|(name, column)| column.take(name)).collect();
        let fields = self.names.iter().zip(&arrays);
        let fields: Vec<Field> = fields
            .map(|(name, array)| Field::new(*name, array.data_type().clone(), true))
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
        self.buffer.pass_on(out)
    }

    fn open(&self, schema: &Arc<Schema>) -> io::Result<BatchWriter> {
        Ok(match self.format {
            ColumnarFormat::Parquet => {
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
            }
            ColumnarFormat::Arrow => {
                let writer = StreamWriter::try_new(self.buffer.clone(), schema).map_err(failed)?;
                BatchWriter::Arrow(Box::new(writer))
            }
        })
    }
}

fn failed(error: impl Into<ArrowError>) -> io::Error {
    let error: ArrowError = error.into();
    io::Error::other(error.to_string())
}

impl RowWriter for ColumnarWriter {
    fn begin(&mut self, columns: &'static [&'static str], _: &mut dyn Write) -> io::Result<()> {
        self.names = columns;
        self.columns = columns.iter().map(|_| Column::Unknown(0)).collect();
        Ok(())
    }

    fn row(&mut self, cells: &[Cell<'_>], out: &mut dyn Write) -> io::Result<()> {
        for ((name, column), cell) in self.names.iter().zip(&mut self.columns).zip(cells) {
            column.push(*cell).map_err(|kind| {
                io::Error::other(format!(
                    "column \"{name}\" has {kind} after values of another kind; write jsonl instead"
                ))
            })?;
        }
        self.n_rows += 1;
        if self.n_rows == BATCH { self.flush(out) } else { Ok(()) }
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
        self.buffer.pass_on(out)
    }
}

impl Column {
    /// Adds a value; the error names its kind if the column has values of another kind.
    fn push(&mut self, cell: Cell<'_>) -> Result<(), &'static str> {
        if let Self::Unknown(n) = self {
            let n = *n;
            *self = match cell {
                Cell::Missing => Self::Unknown(n + 1),
                Cell::Text(_) | Cell::Words(_) => Self::Text(vec![None; n]),
                Cell::Number(number) if i64::try_from(number).is_err() => {
                    Self::Large(vec![None; n])
                }
                Cell::Number(_) | Cell::Signed(_) | Cell::MissingNumber => {
                    Self::Count(vec![None; n])
                }
                Cell::Decimal(_) | Cell::Fixed(..) => Self::Number(vec![None; n]),
                Cell::Flag(_) => Self::Flag(vec![None; n]),
            };
            if cell == Cell::Missing {
                return Ok(());
            }
        }
        self.widen(cell);
        match (self, cell) {
            (Self::Text(values), Cell::Text(text)) => values.push(Some(text.to_owned())),
            (Self::Text(values), Cell::Words(words)) => values.push(Some(words.join(" "))),
            (Self::Count(values), Cell::Number(number)) => values.push(Some(number as i64)),
            (Self::Count(values), Cell::Signed(number)) => values.push(Some(number)),
            (Self::Large(values), Cell::Number(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Number(number)) => values.push(Some(number as f64)),
            (Self::Number(values), Cell::Decimal(number)) => values.push(Some(number)),
            (Self::Number(values), Cell::Fixed(number, places)) => {
                let scale = 10_f64.powi(places as i32);
                values.push(Some((number * scale).round() / scale));
            }
            (Self::Flag(values), Cell::Flag(flag)) => values.push(Some(flag)),
            (Self::Text(values), Cell::Missing) => values.push(None),
            (Self::Count(values), Cell::Missing | Cell::MissingNumber) => values.push(None),
            (Self::Large(values), Cell::Missing | Cell::MissingNumber) => values.push(None),
            (Self::Number(values), Cell::Missing | Cell::MissingNumber) => values.push(None),
            (Self::Flag(values), Cell::Missing) => values.push(None),
            (_, Cell::Text(_) | Cell::Words(_)) => return Err("words"),
            (_, Cell::Flag(_)) => return Err("a truth value"),
            _ => return Err("a number"),
        }
        Ok(())
    }

    /// Changes the column to the wider type of number, if possible.
    fn widen(&mut self, cell: Cell<'_>) {
        let Self::Count(values) = self else { return };
        match cell {
            Cell::Number(number) if i64::try_from(number).is_err() => {
                let wide = values.iter().map(|it| it.map(|it| it as u64));
                *self = Self::Large(wide.collect());
            }
            Cell::Decimal(_) | Cell::Fixed(..) => {
                let wide = values.iter().map(|it| it.map(|it| it as f64));
                *self = Self::Number(wide.collect());
            }
            _ => {}
        }
    }

    /// The values as an array; the column keeps its type.
    fn take(&mut self, name: &str) -> ArrayRef {
        if let Self::Unknown(n) = self {
            let n = *n;
            *self = if OF_WORDS.contains(&name) {
                Self::Text(vec![None; n])
            } else if OF_COUNTS.contains(&name) {
                Self::Count(vec![None; n])
            } else {
                Self::Number(vec![None; n])
            };
        }
        match self {
            Self::Unknown(n) => arrow_array::new_null_array(&DataType::Utf8, *n),
            Self::Text(values) => Arc::new(StringArray::from(mem::take(values))),
            Self::Count(values) => Arc::new(Int64Array::from(mem::take(values))),
            Self::Large(values) => Arc::new(UInt64Array::from(mem::take(values))),
            Self::Number(values) => Arc::new(Float64Array::from(mem::take(values))),
            Self::Flag(values) => Arc::new(BooleanArray::from(mem::take(values))),
        }
    }
}
