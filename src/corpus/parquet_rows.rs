//! Rows of Parquet: each becomes a line of JSON, and is read as such a line from there on, through the temporary file.
//!
//! Dates and times are written as ISO 8601 has them, times with a zone in UTC; bytes are hex, so that a fingerprint of 8
//! bytes is read as any other. Programs that do not mark their strings as such store them as bytes: a column of texts is
//! read as these.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::record::reader::RowIter;
use parquet::schema::types::{ColumnDescriptor, Type};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::batch_builder::LoadStop;
use super::decode::PeekedReader;
use super::diagnostic::Diagnostic;
use super::fields::{RowError, quoted_names};
use super::load::Loader;
use super::options::{InputLimits, LoadOptions, TOO_FAR_REMEDY};
use super::pieces::Pieces;
use super::source::{ByteStore, Origin};
use super::table_file::{
    BytesForm, MOST_BYTES, MOST_ROWS, RECIPE, broken, check_columns, damaged_after, guarded,
};
use crate::progress::Progress;

/// The days from the first of the common era to 1970.
const DAYS_TO_1970: i32 = 719_163;

/// The rows of a file.
struct ParquetRows<'p> {
    rows: RowIter<'static>,
    options: Arc<LoadOptions>,
    /// Columns of times, in UTC or in nanoseconds, which the values do not tell.
    times: Vec<Time>,
    n_rows: u64,
    has_ended: bool,
    /// The progress of reading, with the stored bytes that a row stands for.
    told: (&'p Progress, f64),
}

/// A column of times.
#[derive(Clone, Copy, Default)]
struct Time {
    is_utc: bool,
    is_in_nanoseconds: bool,
}

/// An opened file.
struct Opened {
    rows: RowIter<'static>,
    times: Vec<Time>,
    n_rows: u64,
    recipe: Option<String>,
    /// The columns that are not read.
    left_out: Vec<String>,
}

/// Opens a file that takes so many stored bytes. Where a copy is made of the file itself, columns of bytes, such as images,
/// and of lists of floats, such as embeddings, are read only if they are named: as JSON they would be many times as large
/// as the texts.
fn open(
    file: File,
    (n_stored, is_plain): (u64, bool),
    options: &LoadOptions,
    limits: InputLimits,
) -> Result<Opened, RowError> {
    let reader = guarded(|| SerializedFileReader::new(file)).map_err(broken)?;
    let metadata = reader.metadata();
    let about = metadata.file_metadata();
    let all = about.schema().get_fields();
    let names: Vec<&str> = all.iter().map(|it| it.name()).collect();
    check_columns(&names, options)?;
    let below = |is: fn(&ColumnDescriptor) -> bool| -> HashSet<&str> {
        let leaves = about.schema_descr().columns().iter();
        leaves.filter(|it| is(it)).map(|it| root(it)).collect()
    };
    let (large, unknown) = (below(is_large), below(is_unknown));
    let is_left_out = |name: &str| {
        unknown.contains(name) || is_plain && large.contains(name) && !options.has(name)
    };
    let read: Vec<_> = all.iter().filter(|it| !is_left_out(it.name())).cloned().collect();
    let chunks = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let chunks = chunks.filter(|it| !is_left_out(root(it.column_descr())));
    let n_unpacked = chunks.map(|it| it.uncompressed_size().max(0) as u64);
    let n_unpacked = n_unpacked.fold(0, u64::saturating_add);
    if n_unpacked > limits.most_unpacked(n_stored) {
        return Err(RowError::new(limits.too_far(), TOO_FAR_REMEDY));
    }
    let n_rows = about.num_rows().max(0) as u64;
    let n_held = MOST_BYTES as u64 / (n_unpacked / n_rows.max(1)).max(1);
    let pairs = about.key_value_metadata().into_iter().flatten();
    let recipe = pairs.filter(|it| it.key == RECIPE).find_map(|it| it.value.clone());
    let left_out = names.iter().filter(|name| is_left_out(name)).map(|it| (*it).to_owned());
    let left_out = left_out.collect();
    let times = read.iter().map(|column| time(column)).collect();
    let name = about.schema().name().to_owned();
    let rows = guarded(|| {
        let schema = Type::group_type_builder(&name).with_fields(read).build()?;
        let rows = RowIter::from_file_into(Box::new(reader)).project(Some(schema))?;
        Ok::<_, ParquetError>(rows.with_batch_size(n_held.clamp(1, MOST_ROWS as u64) as usize))
    });
    Ok(Opened { rows: rows.map_err(broken)?, times, n_rows, recipe, left_out })
}

/// The column of the file that a value is in or below.
fn root(leaf: &ColumnDescriptor) -> &str {
    leaf.path().parts().first().map_or("", String::as_str)
}

/// Whether values are bytes or floats of any number.
fn is_large(leaf: &ColumnDescriptor) -> bool {
    match leaf.physical_type() {
        Physical::BYTE_ARRAY => leaf.converted_type() == ConvertedType::NONE,
        Physical::FLOAT | Physical::DOUBLE => leaf.max_rep_level() > 0,
        _ => false,
    }
}

/// Whether the crate has no value for this type, and panics.
fn is_unknown(leaf: &ColumnDescriptor) -> bool {
    leaf.converted_type() == ConvertedType::INTERVAL
}

fn time(column: &Type) -> Time {
    let logical = column.get_basic_info().logical_type_ref();
    match logical {
        Some(LogicalType::Timestamp(it)) => {
            Time { is_utc: it.is_adjusted_to_u_t_c, is_in_nanoseconds: it.unit == TimeUnit::NANOS }
        }
        // Old files name no zone, and mean UTC.
        _ => Time::default(),
    }
}

impl Pieces for ParquetRows<'_> {
    fn fill(&mut self, lines: &mut Vec<u8>) -> io::Result<()> {
        if self.has_ended {
            return Ok(());
        }
        let row = guarded(|| self.rows.next().transpose());
        let Some(row) = row.map_err(|error| {
            self.has_ended = true;
            damaged_after(self.n_rows, error)
        })?
        else {
            return Ok(());
        };
        let (options, times) = (&*self.options, &self.times);
        let values = row.get_column_iter().zip(times).map(|((name, field), time)| {
            (name, Value { field, form: BytesForm::of(name, options), time: *time, options })
        });
        let mut json = serde_json::Serializer::new(&mut *lines);
        json.collect_map(values).map_err(|error| damaged_after(self.n_rows, error.into()))?;
        lines.push(b'\n');
        // A row may stand for less than a byte.
        let stored = |n_rows: u64| (self.told.1 * n_rows as f64) as u64;
        self.told.0.add(stored(self.n_rows + 1) - stored(self.n_rows));
        self.n_rows += 1;
        Ok(())
    }
}

/// A value, and how it is read.
#[derive(Clone, Copy)]
struct Value<'a> {
    field: &'a Field,
    form: BytesForm,
    time: Time,
    options: &'a LoadOptions,
}

impl Value<'_> {
    /// The text of a date or a time, or of bytes that are no string; `None` for one out of range.
    fn text(&self) -> Option<String> {
        let zone = if self.time.is_utc { "Z" } else { "" };
        let at = |time: DateTime<_>| format!("{:?}{zone}", time.naive_utc());
        let clock = |nanoseconds: i64| {
            let since = TimeDelta::nanoseconds(nanoseconds);
            let (time, days) = NaiveTime::MIN.overflowing_add_signed(since);
            (days == 0).then(|| format!("{time:?}"))
        };
        match self.field {
            Field::Long(n) => Some(at(DateTime::from_timestamp_nanos(*n))),
            Field::TimestampMillis(n) => DateTime::from_timestamp_millis(*n).map(at),
            Field::TimestampMicros(n) => DateTime::from_timestamp_micros(*n).map(at),
            Field::TimeMillis(n) => i64::from(*n).checked_mul(1_000_000).and_then(clock),
            Field::TimeMicros(n) => n.checked_mul(1000).and_then(clock),
            Field::Date(days) => {
                let date = NaiveDate::from_num_days_from_ce_opt(days.checked_add(DAYS_TO_1970)?);
                date.map(|date| format!("{date:?}"))
            }
            _ => None,
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.field {
            Field::Null => out.serialize_unit(),
            Field::Bool(it) => out.serialize_bool(*it),
            Field::Byte(n) => out.serialize_i8(*n),
            Field::Short(n) => out.serialize_i16(*n),
            Field::Int(n) => out.serialize_i32(*n),
            Field::Long(n) if !self.time.is_in_nanoseconds => out.serialize_i64(*n),
            Field::UByte(n) => out.serialize_u8(*n),
            Field::UShort(n) => out.serialize_u16(*n),
            Field::UInt(n) => out.serialize_u32(*n),
            Field::ULong(n) => out.serialize_u64(*n),
            Field::Float16(x) => out.serialize_f32(x.to_f32()),
            Field::Float(x) => out.serialize_f32(*x),
            Field::Double(x) => out.serialize_f64(*x),
            Field::Str(text) => out.serialize_str(text),
            Field::Bytes(bytes) => match self.form.text(bytes.data()) {
                Some(text) => out.serialize_str(&text),
                None => out.collect_seq([(); 0]),
            },
            Field::Decimal(_) => {
                // A whole number ends with its point.
                let digits = self.field.to_string().trim_end_matches('.').to_owned();
                RawValue::from_string(digits).map_err(S::Error::custom)?.serialize(out)
            }
            Field::Group(row) => out.collect_map(row.get_column_iter().map(|(name, field)| {
                (name, Value { field, form: BytesForm::of(name, self.options), ..*self })
            })),
            Field::ListInternal(list) => {
                out.collect_seq(list.elements().iter().map(|field| Value { field, ..*self }))
            }
            Field::MapInternal(map) => out.collect_map(map.entries().iter().map(|(key, field)| {
                let name = match key {
                    Field::Str(name) => name.clone(),
                    Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
                    key => key.to_string(),
                };
                (name, Value { field, ..*self })
            })),
            _ => self.text().serialize(out),
        }
    }
}

/// Reads the rows of a Parquet file.
pub(super) fn read(
    loader: &mut Loader<'_>,
    origin: &Origin,
    reader: PeekedReader<'_>,
    is_plain: bool,
) -> Result<(), LoadStop> {
    let limits = loader.options.limits;
    // Its list of columns is at its end.
    let mut place = None;
    let file = match origin.store.as_ref().filter(|_| is_plain) {
        Some(ByteStore::File { path, stamp }) => {
            place = Some((path.clone(), *stamp));
            ByteStore::open(path)?.0
        }
        _ => temporary(reader, limits.spool)?,
    };
    let length = file.metadata()?.len();
    // A packed file may unpack to no more than another.
    let n_stored = if is_plain { length } else { origin.length.unwrap_or(length) };
    let Opened { rows, times, n_rows, recipe, left_out } =
        open(file, (n_stored, place.is_some()), &loader.options, limits)?;
    if !left_out.is_empty() {
        let names = quoted_names(&left_out);
        let (problem, remedy) = match place {
            Some(_) => {
                ("columns of bytes, lists of floats or intervals are not read", "a copy has them")
            }
            None => (
                "columns of intervals are not read",
                "give the file unpacked, so that a copy has them",
            ),
        };
        let problem = format!("{problem}: {names}");
        loader.builder.corpus.remark(Diagnostic::new(&origin.file, &problem, remedy));
    }
    // What is read from a stream is told already.
    let per_row = if place.is_some() { length as f64 / n_rows.max(1) as f64 } else { 0.0 };
    let (told, options) = ((loader.builder.progress, per_row), Arc::clone(&loader.options));
    let rows = ParquetRows { rows, options, times, n_rows: 0, has_ended: false, told };
    loader.parquet = place;
    loader.table(origin, rows, Arc::new(AtomicU64::new(n_stored)), recipe)
}

/// A file that cannot be read from its beginning to its end, as a temporary file.
fn temporary(mut reader: PeekedReader<'_>, most: u64) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    let copied = io::copy(&mut reader.by_ref().take(most), &mut file)?;
    if copied == most && reader.read(&mut [0])? > 0 {
        let problem = "is larger than the temporary file may be; give it as a file of its own, or allow more with \
                       `max-spool`";
        return Err(io::Error::new(io::ErrorKind::StorageFull, problem));
    }
    Ok(file)
}
