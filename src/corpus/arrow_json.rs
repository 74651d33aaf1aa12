//! Values of Arrow as JSON where arrow-json has another form for them, or none.
//!
//! Times with a zone are written in UTC, which needs no list of zones. Bytes are hex, but for a column that holds
//! text: programs that do not mark their strings as such store them as bytes. Keys of maps may be numbers.

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::as_datetime;
use arrow_array::types::{
    ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayAccessor, MapArray, PrimitiveArray};
use arrow_json::writer::{Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, TimeUnit};

use super::fields::quoted_names;
use super::options::LoadOptions;
use super::table_file::BytesForm;

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
