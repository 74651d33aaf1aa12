//! Files of rows column by column, Parquet and Arrow: what their readers have in common.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::{io, panic};

use super::batch_builder::LoadStop;
use super::decode::BoundedReader;
use super::fields::{RowError, quoted_names};
use super::formats::{DetectedFormat, RecordKind};
use super::json_items::JsonForm;
use super::json_path::starts_at;
use super::load::Loader;
use super::options::LoadOptions;
use super::pieces::{PieceReader, Pieces};
use super::source::{Origin, WatchedReader};
use crate::number::grouped;

/// Rows that are held at a time, if they are of usual length.
pub(super) const MOST_ROWS: usize = 512;
/// Bytes of rows that are held at a time, by the mean length of a file's rows.
pub(super) const MOST_BYTES: usize = 4 << 20;
/// The key of the recipe in the metadata.
pub(super) const RECIPE: &str = "simscope.recipe";

impl Loader<'_> {
    /// Reads rows that become lines of JSON, each of which ends with `\n`, from so many stored bytes.
    pub(super) fn table(
        &mut self,
        origin: &Origin,
        rows: impl Pieces + Send,
        n_stored: Arc<AtomicU64>,
        recipe: Option<String>,
    ) -> Result<(), LoadStop> {
        let summary = self.builder.corpus.summary_mut();
        summary.files += 1;
        summary.columnar += 1;
        self.recipe_inside = recipe;
        let inner = BoundedReader::new(PieceReader::new(rows), n_stored, self.options.limits);
        let watched = WatchedReader { inner, progress: self.builder.progress, counts: false };
        self.spooled(origin, DetectedFormat::Records(RecordKind::Json(JsonForm::Lines)), watched)
    }
}

/// Whether columns of these names can make documents: rows need not be tried one by one.
///
/// # Errors
/// The column that is missing, and those there are.
pub(super) fn check_columns(names: &[&str], options: &LoadOptions) -> Result<(), RowError> {
    let is_there = |path: &str| names.iter().any(|name| starts_at(path, name));
    let (name, flag) = options.content();
    let is_of_parts = options.takes_text() && options.parts().any(is_there);
    if is_there(name)
        || is_of_parts
        || options.hashes_field.is_none() && is_there(options.fingerprint())
    {
        return Ok(());
    }
    let problem = format!("no column \"{name}\" among {}", quoted_names(names));
    let or =
        if options.takes_text() { ", or one of fingerprints with `fingerprint-field`" } else { "" };
    Err(RowError::new(problem, format!("name it with {flag}{or}")))
}

/// Does work that a damaged file may make panic: the readers check less than files can have wrong. Such a panic is an
/// error of the file.
pub(super) fn guarded<T, E: Error>(work: impl FnOnce() -> Result<T, E>) -> io::Result<T> {
    match panic::catch_unwind(panic::AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|error| reason(&error)),
        Err(_) => Err(io::Error::other("its lengths or offsets contradict each other")),
    }
}

/// The reason of an error; one that the system or a limit gave is told as it is.
fn reason(error: &dyn Error) -> io::Error {
    let message = error.to_string();
    if let Some(limit) = error.source().and_then(|it| it.downcast_ref::<io::Error>())
        && limit.kind() == io::ErrorKind::QuotaExceeded
    {
        return io::Error::new(limit.kind(), limit.to_string());
    }
    if let Some((_, codec)) = message.split_once("Disabled feature at compile time: ") {
        let problem = format!(
            "packed with {codec}, which simscope does not read; pack it with zstd, snappy, gzip or lz4"
        );
        return io::Error::new(io::ErrorKind::Unsupported, problem);
    }
    // "Parquet argument error: Parquet error: .." says it twice.
    io::Error::other(message.rsplit("error: ").next().unwrap_or(&message).to_owned())
}

pub(super) fn broken(error: io::Error) -> RowError {
    let remedy = "give the file whole; it may have been cut off, or never completed";
    RowError::new(damaged(error).to_string(), remedy)
}

/// An error behind so many rows that were read.
pub(super) fn damaged_after(n_rows: u64, error: io::Error) -> io::Error {
    match n_rows {
        0 => damaged(error),
        n => at(&format!("damaged after row {}", grouped(n)), error),
    }
}

pub(super) fn damaged(error: io::Error) -> io::Error {
    at("damaged", error)
}

fn at(place: &str, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::QuotaExceeded | io::ErrorKind::Unsupported => error,
        _ => io::Error::other(format!("{place}: {error}")),
    }
}

/// The form of bytes in a column of texts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BytesForm {
    /// Text, or hex where they are none.
    TextOrHex,
    Text,
    Hex,
}

impl BytesForm {
    /// The form in a column of this name, or in a field of records.
    pub(super) fn of(column: &str, options: &LoadOptions) -> Self {
        let is = |name: &str| name == column || name.rsplit('.').next() == Some(column);
        match column {
            _ if is(options.fingerprint()) || options.hashes_field.as_deref().is_some_and(is) => {
                Self::Hex
            }
            _ if is(options.text()) || options.parts().any(is) => Self::Text,
            _ if is(options.id()) || options.titles().any(is) => Self::TextOrHex,
            _ => Self::Hex,
        }
    }

    /// The bytes as text or hex; `None` if they are no text in a column of texts, for a value that is no string, so that
    /// the row is reported.
    pub(super) fn text(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match (self, str::from_utf8(bytes)) {
            (Self::TextOrHex | Self::Text, Ok(text)) => Some(text.into()),
            (Self::Text, Err(_)) => None,
            (Self::TextOrHex | Self::Hex, _) => {
                let mut hex = String::with_capacity(2 * bytes.len());
                for byte in bytes {
                    let _ = write!(hex, "{byte:02x}");
                }
                Some(hex.into())
            }
        }
    }
}
