//! Arrow files and streams: each row becomes a line of JSON, and is read as such a line from there on, through the
//! temporary file.
//!
//! Rows stream, some at a time. Dates, decimals and nested values are written as arrow-json writes them; bytes become
//! hex, so that a fingerprint of 8 bytes is read as any other. A value that many rows share is not copied for each.

use std::io;
use std::sync::Arc;

use arrow_array::{Array, StructArray};
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::{ArrowError, Field};

use super::arrow_json::{ValueEncoders, without_json};
use super::arrow_stream::{Batches, open_stream};
use super::batch_builder::LoadStop;
use super::decode::{ByteCounter, PeekedReader};
use super::diagnostic::Diagnostic;
use super::load::Loader;
use super::options::LoadOptions;
use super::origin::Origin;
use super::pieces::Pieces;
use super::table_file::{MOST_BYTES, RECIPE, broken, check_columns, damaged_after, guarded};

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
