//! Arrow files and streams: each row becomes a line of JSON, and is read as such a line from there on, through the
//! temporary file.
//!
//! Rows stream, some at a time. Dates, decimals and nested values are written as arrow-json writes them, if it has a
//! form for them. Times with a zone are written in UTC, which needs no list of zones. Bytes are hex, so that a
//! fingerprint of 8 bytes is read as any other, but for a column that holds text: programs that do not mark their
//! strings as such store them as bytes. Keys of maps may be numbers. A value that many rows share is not copied for
//! each.

use std::io;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::as_datetime;
use arrow_array::types::{
    ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayAccessor, MapArray, PrimitiveArray, StructArray};
use arrow_json::writer::{Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, TimeUnit};

use super::arrow_stream::{Batches, open_stream};
use super::batch_builder::LoadStop;
use super::decode::{ByteCounter, PeekedReader};
use super::diagnostic::Diagnostic;
use super::fields::quoted_names;
use super::load::Loader;
use super::options::LoadOptions;
use super::pieces::Pieces;
use super::source::Origin;
use super::table_file::{
    BytesForm, MOST_BYTES, RECIPE, broken, check_columns, damaged_after, guarded,
};

/// The rows of a file or a stream.
struct ArrowRows<'p> {
    batches: Batches<'p>,
    /// Rows that are not lines yet, from this one on.
    rest: Option<(StructArray, usize)>,
    encoding: EncoderOptions,
    /// The number of rows up to the last one that is a line.
    n_rows: u64,
}

impl<'p> ArrowRows<'p> {
    fn new(batches: Batches<'p>, options: &LoadOptions) -> Self {
        let encoders = Arc::new(ValueEncoders(options.clone()));
        let encoding =
            EncoderOptions::default().with_explicit_nulls(true).with_encoder_factory(encoders);
        Self { batches, rest: None, encoding, n_rows: 0 }
    }
}

impl Pieces for ArrowRows<'_> {
    fn fill(&mut self, lines: &mut Vec<u8>) -> io::Result<()> {
        while lines.is_empty() {
            let at_row = |error| damaged_after(self.n_rows, error);
            let (rows, first) = match self.rest.take() {
                Some(rest) => rest,
                None => match guarded(|| self.batches.next().transpose()).map_err(at_row)? {
                    Some(batch) => (StructArray::from(batch), 0),
                    None => return Ok(()),
                },
            };
            let end = guarded(|| encode(&rows, first, &self.encoding, lines));
            let end = end.map_err(at_row)?;
            self.n_rows += (end - first) as u64;
            self.rest = (end < rows.len()).then_some((rows, end));
        }
        Ok(())
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

/// Reads the rows of an Arrow file or stream.
pub(super) fn read(
    loader: &mut Loader<'_>,
    origin: &Origin,
    reader: PeekedReader<'_>,
    _: bool,
) -> Result<(), LoadStop> {
    let is_file = reader.head().starts_with(b"ARROW1");
    let n_stored = Arc::default();
    let counted = ByteCounter { inner: reader, n: Arc::clone(&n_stored) };
    let opened = guarded(|| open_stream(counted, is_file, loader.options.limits));
    let opened = opened.map_err(broken).and_then(|(schema, batches)| {
        let names: Vec<&str> = schema.fields().iter().map(|it| it.name().as_str()).collect();
        check_columns(&names, &loader.options)?;
        Ok((schema, batches))
    });
    let (schema, batches) = opened?;
    if let Some(problem) = without_json(&schema) {
        let remedy = "give the rows as Parquet to keep them in a copy";
        loader.builder.corpus.remark(Diagnostic::new(&origin.file, &problem, remedy));
    }
    let lines = ArrowRows::new(batches, &loader.options);
    loader.table(origin, lines, n_stored, schema.metadata().get(RECIPE).cloned())
}

/// Makes the encoders for columns of these names.
#[derive(Debug)]
pub(super) struct ValueEncoders(pub(super) LoadOptions);

impl EncoderFactory for ValueEncoders {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        array: &'a dyn Array,
        options: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        let bytes = BytesForm::of(field.name(), &self.0);
        let encoder: Box<dyn Encoder + 'a> = match (array.data_type(), bytes) {
            (DataType::Timestamp(unit, Some(_)), _) => match unit {
                TimeUnit::Second => utc::<TimestampSecondType>(array),
                TimeUnit::Millisecond => utc::<TimestampMillisecondType>(array),
                TimeUnit::Microsecond => utc::<TimestampMicrosecondType>(array),
                TimeUnit::Nanosecond => utc::<TimestampNanosecondType>(array),
            },
            (DataType::Map(..), _) if array.as_map().keys().data_type().is_primitive() => {
                let array = array.as_map();
                let keys = make_encoder(field, array.keys(), options)?;
                let values = make_encoder(field, array.values(), options)?;
                Box::new(MapOfNumbers { array, keys, values })
            }
            (DataType::Binary, form) => {
                Box::new(TextBytes { array: array.as_binary::<i32>(), form })
            }
            (DataType::LargeBinary, form) => {
                Box::new(TextBytes { array: array.as_binary::<i64>(), form })
            }
            (DataType::BinaryView, form) => {
                Box::new(TextBytes { array: array.as_binary_view(), form })
            }
            (kind, _) if !has_json(kind) => Box::new(Unknown),
            _ => return Ok(None),
        };
        Ok(Some(NullableEncoder::new(encoder, array.nulls().cloned())))
    }
}

/// Whether JSON has a form for values of this type, those that it consists of set aside.
fn has_json(kind: &DataType) -> bool {
    match kind {
        DataType::Union(..) => false,
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(entry) => {
                !entry.iter().next().is_some_and(|key| key.data_type().is_nested())
            }
            _ => true,
        },
        _ => true,
    }
}

/// The remark about the columns that JSON has no form for, if there are any.
pub(super) fn without_json(schema: &Schema) -> Option<String> {
    let fields = schema.fields().iter().filter(|field| !has_json(field.data_type()));
    let names: Vec<&str> = fields.map(|field| field.name().as_str()).collect();
    let problem = format!("JSON has no form for {}, so null is read there", quoted_names(&names));
    (!names.is_empty()).then_some(problem)
}

/// Times with a zone, in UTC.
struct UtcTimes<'a, T: ArrowTimestampType>(&'a PrimitiveArray<T>);

fn utc<'a, T: ArrowTimestampType>(array: &'a dyn Array) -> Box<dyn Encoder + 'a> {
    Box::new(UtcTimes(array.as_primitive::<T>()))
}

impl<T: ArrowTimestampType> Encoder for UtcTimes<'_, T> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        match as_datetime::<T>(self.0.value(row)) {
            Some(time) => out.extend_from_slice(format!("\"{time:?}Z\"").as_bytes()),
            // Out of the range of years.
            None => out.extend_from_slice(b"null"),
        }
    }
}

/// Maps whose keys are numbers or times, which JSON has in quotes.
struct MapOfNumbers<'a> {
    array: &'a MapArray,
    keys: NullableEncoder<'a>,
    values: NullableEncoder<'a>,
}

impl Encoder for MapOfNumbers<'_> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        let ends = self.array.value_offsets();
        let entries = ends[row] as usize..ends[row + 1] as usize;
        out.push(b'{');
        for entry in entries.clone() {
            if entry > entries.start {
                out.push(b',');
            }
            let key = out.len();
            self.keys.encode(entry, out);
            if out.get(key) != Some(&b'"') {
                out.insert(key, b'"');
                out.push(b'"');
            }
            out.push(b':');
            if self.values.is_null(entry) {
                out.extend_from_slice(b"null");
            } else {
                self.values.encode(entry, out);
            }
        }
        out.push(b'}');
    }
}

/// Values that JSON has no form for.
struct Unknown;

impl Encoder for Unknown {
    fn encode(&mut self, _: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(b"null");
    }
}

/// Strings that are stored as bytes.
struct TextBytes<A> {
    array: A,
    form: BytesForm,
}

impl<'a, A: ArrayAccessor<Item = &'a [u8]>> Encoder for TextBytes<A> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        // Writing into memory does not fail.
        let _ = match self.form.text(self.array.value(row)) {
            Some(text) => serde_json::to_writer(out, &*text),
            None => serde_json::to_writer(out, &[(); 0]),
        };
    }
}
