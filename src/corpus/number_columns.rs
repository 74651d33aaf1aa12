//! Columns of integers in Parquet files and Arrow streams, such as fingerprints without their documents.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::arrow_stream::{Batches, open_stream};
use super::diagnostic::{CorpusError, Diagnostic, shown};
use super::fields::{RowError, quoted_names};
use super::options::{Input, InputLimits};
use super::table_file::{broken, damaged, guarded};

/// Reads two columns of an Arrow stream, standard input or a file, and calls `take` with the two numbers of each row as
/// 64 bits. Rows in which one number is null are skipped.
///
/// # Errors
/// [`CorpusError::File`] if a column is missing or holds another type, or if the data are damaged, cut off, or followed
/// by others.
pub fn read_number_stream(
    input: &Input,
    names: [&str; 2],
    limits: InputLimits,
    take: &mut dyn FnMut(u64, u64),
) -> Result<(), CorpusError> {
    let (place, input): (_, Box<dyn Read + Send>) = match input {
        Input::Path(path) => {
            let file = File::open(path).map_err(|error| CorpusError::of_file(path, &error))?;
            (shown(path), Box::new(file))
        }
        _ => ("standard input".to_owned(), Box::new(io::stdin())),
    };
    let read = || {
        let (schema, batches) = guarded(|| open_stream(input, false, limits)).map_err(broken)?;
        let remedy = "name the columns with `fingerprint-field` and `table-field`";
        read(&schema, batches, (names, remedy), take)
    };
    read().map_err(|error| CorpusError::File(error.at(&place)))
}

/// Reads two columns, as [`read_number_stream`], of all Parquet files in a folder as Spark writes it: files
/// whose name begins with `_` or a full stop are skipped.
///
/// # Errors
/// [`CorpusError::File`] as [`read_number_stream`], or if the folder cannot be read or has no Parquet file.
pub fn read_number_folder(
    folder: &Path,
    names: [&str; 2],
    take: &mut dyn FnMut(u64, u64),
) -> Result<(), CorpusError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in folder.read_dir().map_err(|error| CorpusError::of_file(folder, &error))? {
        let entry = entry.map_err(|error| CorpusError::of_file(folder, &error))?;
        let name = entry.file_name();
        let is_note =
            name.as_encoded_bytes().starts_with(b"_") || name.as_encoded_bytes().starts_with(b".");
        if !is_note && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    if files.is_empty() {
        let remedy = "name a folder of Parquet files";
        return Err(CorpusError::File(Diagnostic::new(&shown(folder), "no files in it", remedy)));
    }
    files.sort();
    for path in files {
        let file = File::open(&path).map_err(|error| CorpusError::of_file(&path, &error))?;
        let of_file = |take: &mut dyn FnMut(u64, u64)| {
            let opened = guarded(|| {
                let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
                let schema = Arc::clone(builder.schema());
                Ok::<_, ArrowError>((schema, Box::new(builder.build()?) as Batches<'_>))
            });
            let (schema, batches) = opened.map_err(broken)?;
            let remedy = "name the folder of the fingerprints and, with `pairs`, that of the pairs";
            read(&schema, batches, (names, remedy), take)
        };
        of_file(take).map_err(|error| CorpusError::File(error.at(&shown(&path))))?;
    }
    Ok(())
}

fn read(
    schema: &Schema,
    mut batches: Batches<'_>,
    (names, remedy): ([&str; 2], &str),
    take: &mut dyn FnMut(u64, u64),
) -> Result<(), RowError> {
    let column = |name: &str| {
        schema.index_of(name).map_err(|_| {
            let names: Vec<_> = schema.fields().iter().map(|it| it.name().as_str()).collect();
            let problem = format!("no column \"{name}\" among {}", quoted_names(&names));
            RowError::new(problem, remedy)
        })
    };
    let [first, second] = [column(names[0])?, column(names[1])?];
    let cut = |error| {
        let damage = damaged(error);
        // A limit names its own way out.
        let is_limit = damage.kind() == io::ErrorKind::QuotaExceeded;
        RowError::new(damage.to_string(), if is_limit { "" } else { "give it whole" })
    };
    while let Some(batch) = guarded(|| batches.next().transpose()).map_err(cut)? {
        let numbers = |column: usize| {
            whole_numbers(batch.column(column)).ok_or_else(|| {
                let name = schema.field(column).name();
                let problem = format!("column \"{name}\" does not hold whole numbers");
                RowError::new(problem, "write it as int64, whose bits are the fingerprint")
            })
        };
        for (one, other) in numbers(first)?.zip(numbers(second)?) {
            if let (Some(one), Some(other)) = (one, other) {
                take(one, other);
            }
        }
    }
    Ok(())
}

/// The values of a column of integers, as their 64 bits.
fn whole_numbers(array: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<u64>> + '_>> {
    use arrow_schema::DataType;
    Some(match array.data_type() {
        DataType::Int64 => {
            Box::new(array.as_primitive::<Int64Type>().iter().map(|it| it.map(|it| it as u64)))
        }
        DataType::UInt64 => Box::new(array.as_primitive::<UInt64Type>().iter()),
        DataType::Int32 => {
            Box::new(array.as_primitive::<Int32Type>().iter().map(|it| it.map(|it| it as u64)))
        }
        _ => return None,
    })
}
