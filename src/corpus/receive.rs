//! Passes an unpacked input to the reader of its format: directly if its records can be read again in place,
//! otherwise through the temporary file.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "formats")]
use super::archive::ArchiveKind;
use super::batch_builder::LoadStop;
#[cfg(feature = "formats")]
use super::charset::to_utf8;
use super::content::{Content, ContentFlags};
use super::decode::{DecodedInput, read_whole};
use super::diagnostic::{Diagnostic, PAGE_REMEDY, TOO_LARGE_REMEDY};
use super::document::Record;
use super::fields::RowError;
use super::find::SkipReason;
use super::formats::{DetectedFormat, RecordKind};
use super::load::{InputReading, Loader};
use super::options::InputFormat;
use super::row_format::RowFormat;
use super::sniff::{FormatHints, decide, extension, holds_rows, is_page};
use super::source::{ByteStore, Origin, WatchedReader};
use super::spool::{Spool, SpoolingReader};
use super::{delimited, records};

impl Loader<'_> {
    /// Chooses the format of an unpacked input, and reads it.
    pub(super) fn decoded(
        &mut self,
        origin: &Origin,
        decoded: DecodedInput<'_>,
    ) -> Result<(), LoadStop> {
        self.has_mark = decoded.start > 0;
        #[cfg(feature = "formats")]
        if self.options.input_format == InputFormat::AUTO
            && let Some(kind) = ArchiveKind::of(decoded.reader.head())
        {
            return self.archive(kind, origin, decoded);
        }
        if let Some(format) = RowFormat::of(decoded.reader.head()) {
            return format.read(self, origin, decoded.reader, decoded.plain);
        }
        if self.options.input_format == InputFormat::AUTO
            && let Some(row_error) = RowFormat::is_not_there(&origin.name, decoded.reader.head())
        {
            return Err(row_error.into());
        }
        let has_rows = holds_rows(self.options.input_format, &origin.name);
        #[cfg(feature = "formats")]
        let decoded = self.converted(origin, decoded, has_rows);
        let is_unconverted = decoded.is_unconverted();
        // A stray NUL in a file of rows damages one row, not the file.
        if decoded.is_binary() && !has_rows {
            return self.binary(origin);
        }
        let is_stream = origin.store.is_none() && !origin.is_member;
        let is_all = decoded.plain && origin.length == Some(decoded.reader.head().len() as u64);
        let format = decide(&FormatHints {
            name: &origin.name,
            head: decoded.reader.head(),
            head_is_all: decoded.reader.head_is_all(),
            is_stream,
            is_small_in_folder: !origin.is_given && is_all,
            options: &self.options,
        })?;
        self.builder.corpus.summary_mut().files += 1;
        if self.options.input_format == InputFormat::AUTO
            && [DetectedFormat::Text, RecordKind::LINES.into()].contains(&format)
        {
            self.remark_on_text(origin, decoded.reader.head());
        }
        let DecodedInput { reader, start, plain, .. } = decoded;
        let watched =
            WatchedReader { inner: reader, progress: self.builder.progress, counts: false };
        match &origin.store {
            Some(store) if format == DetectedFormat::Text && is_unconverted => {
                self.whole(origin, store.clone(), watched)
            }
            Some(store) if plain => self.records(origin, store.clone(), format, start, watched),
            _ => self.spooled(origin, format, watched),
        }
    }

    /// Remarks on what is read as text and may hold more than that.
    fn remark_on_text(&mut self, origin: &Origin, head: &[u8]) {
        if is_page(&origin.name, head) {
            let problem = "an HTML page, read with its markup";
            self.builder.corpus.remark(Diagnostic::new(&origin.file, problem, PAGE_REMEDY));
        } else if extension(&origin.name) == "json" {
            let (name, flag) = self.options.content();
            let problem = format!("no rows of JSON with a field \"{name}\", read as text");
            let remedy = format!("name the field with {flag} if it holds rows");
            self.builder.corpus.remark(Diagnostic::new(&origin.file, &problem, &remedy));
        }
    }

    /// The input as UTF-8.
    #[cfg(feature = "formats")]
    fn converted<'i>(
        &mut self,
        origin: &Origin,
        decoded: DecodedInput<'i>,
        has_rows: bool,
    ) -> DecodedInput<'i> {
        let store = origin.store.as_ref().filter(|_| decoded.plain);
        let progress = self.builder.progress;
        let stored = || match store? {
            ByteStore::File { path, .. } => {
                let inner = ByteStore::open(path).ok()?.0;
                Some(WatchedReader { inner, progress, counts: false })
            }
            _ => None,
        };
        let (decoded, found) = to_utf8(decoded, self.options.encoding, has_rows, stored);
        if let Some(found) = found {
            let remedy = "name another character set with `encoding` if that is wrong";
            self.builder.corpus.remark(Diagnostic::new(&origin.file, &found.problem(), remedy));
        }
        decoded
    }

    /// Counts a binary file, or refuses it if the user named it.
    fn binary(&mut self, origin: &Origin) -> Result<(), LoadStop> {
        if origin.is_given {
            let remedy = "`simscope help formats` lists what can be read";
            return Err(RowError::new("binary, not text", remedy).into());
        }
        self.skip(SkipReason::Binary, &origin.file);
        Ok(())
    }

    /// Reads a file that is one document and can be read again as a whole.
    fn whole(
        &mut self,
        origin: &Origin,
        store: ByteStore,
        reader: impl Read + Send,
    ) -> Result<(), LoadStop> {
        let length = origin.length.unwrap_or(0);
        let limits = self.options.limits;
        if length > limits.document {
            return Err(RowError::new(limits.too_large(), TOO_LARGE_REMEDY).into());
        }
        let read = read_whole(reader, limits)?;
        self.text(origin, (store, RecordKind::Whole), 0..length, read)
    }

    /// Takes an input that is one document, as read from these bytes of its store.
    fn text(
        &mut self,
        origin: &Origin,
        (store, kind): (ByteStore, RecordKind),
        bytes: Range<u64>,
        (text, lossy): (String, bool),
    ) -> Result<(), LoadStop> {
        let content = Content::Text(text.into());
        let flags = content.flags().with(ContentFlags::LOSSY, lossy);
        let length = (bytes.end - bytes.start) as usize;
        let record = Record { offset: bytes.start, length, number: 0, flags, id: None };
        let mut reading = InputReading::new(self, origin, store);
        let source = reading.source(kind);
        reading.push(&source, &record, content)
    }

    /// Reads an input through the temporary file, because its records cannot be read again in place.
    pub(super) fn spooled(
        &mut self,
        origin: &Origin,
        format: DetectedFormat,
        reader: impl Read + Send,
    ) -> Result<(), LoadStop> {
        let spool = match &self.spool {
            Some(spool) => Arc::clone(spool),
            None => Arc::clone(self.spool.insert(Arc::new(Spool::create()?))),
        };
        let store = ByteStore::Spool {
            spool: Arc::clone(&spool),
            origin: origin.file.clone().into(),
            parquet: self.parquet.take(),
        };
        let start = self.spooled;
        let mut reader = SpoolingReader::new(reader, spool, start, self.options.limits);
        let outcome = if format == DetectedFormat::Text {
            let read = read_whole(&mut reader, self.options.limits).map_err(LoadStop::from);
            let bytes = start..reader.length;
            read.and_then(|read| self.text(origin, (store, RecordKind::LINES), bytes, read))
        } else {
            self.records(origin, store, format, start, &mut reader)
        };
        self.spooled = reader.length;
        outcome
    }

    pub(super) fn records(
        &mut self,
        origin: &Origin,
        store: ByteStore,
        format: DetectedFormat,
        start: u64,
        reader: impl Read + Send,
    ) -> Result<(), LoadStop> {
        let mut reading = InputReading::new(self, origin, store);
        match format {
            DetectedFormat::Records(kind) => records::read(reader, start, kind, &mut reading),
            DetectedFormat::Rows(delimiter) => {
                delimited::read(reader, start, delimiter, &mut reading)
            }
            DetectedFormat::Text => records::read(reader, start, RecordKind::LINES, &mut reading),
        }
    }

    pub(super) fn report_row(&mut self, origin: &Origin, row_error: &RowError) {
        self.builder.corpus.note(row_error.at(&origin.file));
    }
}
