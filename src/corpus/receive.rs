//! Passes an unpacked input to the reader of its format: directly if its records can be read again in place,
//! otherwise through the temporary file.

use std::io::Read;
use std::sync::Arc;

#[cfg(feature = "formats")]
use super::archive::ArchiveKind;
use super::batch_builder::{InputReading, LoadStop};
#[cfg(feature = "formats")]
use super::charset::to_utf8;
use super::decode::{DecodedInput, read_whole};
use super::diagnostic::{Diagnostic, TOO_LARGE_REMEDY};
use super::document::{Content, ContentFlags, Record};
use super::fields::RowError;
use super::find::SkipReason;
#[cfg(feature = "formats")]
use super::html::{self, is_page};
use super::load::Loader;
use super::options::InputFormat;
#[cfg(feature = "formats")]
use super::options::TextEncoding;
use super::origin::{Origin, WatchedReader};
use super::recipe_origin::RecipeOrigin;
#[cfg(feature = "columnar")]
use super::sniff::is_arrow_stream;
use super::sniff::{DetectedFormat, FormatHints, decide, holds_rows};
use super::source::{ByteStore, ColumnarFormat, RecordKind};
use super::spool::{Spool, SpoolingReader};
use super::{delimited, fingerprint_text, jsonl, lines};

impl<'a> Loader<'a> {
    /// Chooses the format of an unpacked input, and reads it.
    pub(super) fn decoded(
        &mut self,
        origin: &Origin,
        decoded: DecodedInput<'_>,
    ) -> Result<(), LoadStop> {
        #[cfg(feature = "formats")]
        if self.options.format == InputFormat::Auto
            && let Some(kind) = ArchiveKind::of(decoded.reader.head())
        {
            return self.archive(kind, origin, decoded);
        }
        if let Some(format) = ColumnarFormat::of(decoded.reader.head()) {
            #[cfg(feature = "columnar")]
            return self.columnar(origin, format, decoded.plain);
            #[cfg(not(feature = "columnar"))]
            {
                self.report_row(origin, &format.is_not_read());
                return Ok(());
            }
        }
        #[cfg(feature = "columnar")]
        if is_arrow_stream(decoded.reader.head()) {
            return self.arrow_stream(origin, decoded.reader);
        }
        if let Some(named) = ColumnarFormat::of_name(&origin.name)
            && self.options.format == InputFormat::Auto
        {
            self.report_row(origin, &named.is_not_there(decoded.reader.head()));
            return Ok(());
        }
        let has_rows = holds_rows(self.options.format, &origin.name);
        #[cfg(feature = "formats")]
        let decoded = self.converted(origin, decoded, has_rows);
        let is_unconverted = decoded.is_unconverted();
        // A stray NUL in a file of rows damages one row, not the file.
        if decoded.is_binary() && !has_rows {
            self.binary(origin);
            return Ok(());
        }
        let is_stream = origin.store.is_none() && !origin.is_member;
        let decision = decide(&FormatHints {
            asked: self.options.format,
            name: &origin.name,
            head: decoded.reader.head(),
            head_is_all: decoded.reader.head_is_all(),
            is_stream,
            delimiter: self.options.delimiter,
        });
        let format = match decision {
            Ok(format) => format,
            Err(row_error) => {
                self.report_row(origin, &row_error);
                return Ok(());
            }
        };
        self.builder.corpus.summary_mut().files += 1;
        #[cfg(feature = "formats")]
        if matches!(format, DetectedFormat::Text | DetectedFormat::Lines)
            && self.is_page(origin, &decoded)
        {
            return self.page(origin, decoded);
        }
        let DecodedInput { reader, start, plain, .. } = decoded;
        self.has_mark = start > 0;
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
        // A page that is read without its markup can name its own.
        let is_page = cfg!(feature = "html") && self.is_page(origin, &decoded);
        let encoding = match self.options.encoding {
            TextEncoding::Auto if is_page => TextEncoding::Utf8,
            asked => asked,
        };
        let (decoded, found) = to_utf8(decoded, encoding, has_rows, stored);
        if let Some(found) = found {
            let remedy = "name another character set with `encoding` if that is wrong";
            self.builder.corpus.remark(Diagnostic::new(&origin.shown, &found.problem(), remedy));
        }
        decoded
    }

    /// Whether the input is an HTML page.
    #[cfg(feature = "formats")]
    fn is_page(&self, origin: &Origin, decoded: &DecodedInput<'_>) -> bool {
        self.options.format == InputFormat::Auto && is_page(&origin.name, decoded.reader.head())
    }

    /// Reads the text of an HTML page; reads its markup, with a remark, if this build does not read HTML.
    #[cfg(feature = "formats")]
    fn page(&mut self, origin: &Origin, decoded: DecodedInput<'_>) -> Result<(), LoadStop> {
        let limit = self.options.limits.document;
        // It is UTF-8 by now if it has a mark or its character set was named, whatever it says itself.
        let named = decoded.has_mark().then_some("utf-8");
        let mut page = Vec::new();
        decoded.reader.take(limit.saturating_add(1)).read_to_end(&mut page)?;
        if page.len() as u64 > limit {
            let row_error = RowError::new(self.options.limits.too_large(), TOO_LARGE_REMEDY);
            self.report_row(origin, &row_error);
            return Ok(());
        }
        if !cfg!(feature = "html") {
            let problem =
                "an HTML page, read with its markup: this build of simscope does not read HTML";
            let remedy = "build it with `--features html`, or give the texts";
            self.builder.corpus.remark(Diagnostic::new(&origin.shown, problem, remedy));
            return self.spooled(origin, DetectedFormat::Text, page.as_slice());
        }
        match html::text(&page, named, self.builder.progress) {
            Ok(text) => {
                self.spooled(origin, DetectedFormat::Text, text.unwrap_or_default().as_slice())
            }
            Err(problem) => {
                self.report_row(origin, &RowError::new(problem, "give its text"));
                Ok(())
            }
        }
    }

    /// Adds a record of a crawl, whose id is its web address.
    #[cfg(feature = "formats")]
    pub(super) fn record(
        &mut self,
        archive: &Origin,
        address: &str,
        text: &[u8],
    ) -> Result<(), LoadStop> {
        let mut origin = Origin::member(archive, address);
        address.clone_into(&mut origin.name);
        self.spooled(&origin, DetectedFormat::Text, text)
    }

    /// Counts a binary file, or reports it if the user named it.
    fn binary(&mut self, origin: &Origin) {
        if origin.is_given {
            let remedy = "`simscope help formats` lists what can be read";
            self.report_row(origin, &RowError::new("binary, not text", remedy));
        } else {
            self.skip(SkipReason::Binary, &origin.shown);
        }
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
            let row_error = RowError::new(limits.too_large(), TOO_LARGE_REMEDY);
            self.report_row(origin, &row_error);
            return Ok(());
        }
        let (text, lossy) = read_whole(reader, limits)?;
        let content = Content::Text(text.into());
        let flags = content.flags().with(ContentFlags::LOSSY, lossy);
        let length = length as usize;
        let record = Record { offset: 0, length, number: 0, flags, id: None };
        let mut reading = self.reading(origin, store);
        let source = reading.source(RecordKind::Whole);
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
        let store =
            ByteStore::Spool { spool: Arc::clone(&spool), origin: origin.shown.clone().into() };
        let start = self.spooled.length;
        // A line that is too long is skipped, so it need not be in the temporary file.
        let is_of_lines = matches!(
            format,
            DetectedFormat::Lines | DetectedFormat::Jsonl | DetectedFormat::Fingerprints
        );
        let mut reader =
            SpoolingReader::new(reader, spool, self.spooled, self.options.limits, is_of_lines);
        let outcome = if format == DetectedFormat::Text {
            self.streamed_text(origin, store, start, &mut reader)
        } else {
            self.records(origin, store, format, start, &mut reader)
        };
        self.spooled = reader.spooled();
        outcome
    }

    /// Reads a pipe that is one document.
    fn streamed_text(
        &mut self,
        origin: &Origin,
        store: ByteStore,
        start: u64,
        reader: &mut SpoolingReader<impl Read + Send>,
    ) -> Result<(), LoadStop> {
        let (text, lossy) = read_whole(&mut *reader, self.options.limits)?;
        let content = Content::Text(text.into());
        let flags = content.flags().with(ContentFlags::LOSSY, lossy);
        let length = (reader.spooled().length - start) as usize;
        let record = Record { offset: start, length, number: 0, flags, id: None };
        let mut reading = self.reading(origin, store);
        let source = reading.source(RecordKind::Raw);
        reading.push(&source, &record, content)
    }

    pub(super) fn records(
        &mut self,
        origin: &Origin,
        store: ByteStore,
        format: DetectedFormat,
        start: u64,
        reader: impl Read + Send,
    ) -> Result<(), LoadStop> {
        let fields = Arc::clone(&self.fields);
        let is_pipe = origin.store.is_none();
        let mut reading = self.reading(origin, store);
        match format {
            DetectedFormat::Jsonl => jsonl::read(reader, start, is_pipe, &fields, &mut reading),
            DetectedFormat::Delimited(delimiter) => {
                delimited::read(reader, start, delimiter, &fields, &mut reading)
            }
            DetectedFormat::Lines | DetectedFormat::Text => {
                lines::read(reader, start, is_pipe, &mut reading)
            }
            DetectedFormat::Fingerprints => fingerprint_text::read(
                reader,
                start,
                is_pipe,
                fields.fingerprint_type,
                &mut reading,
            ),
        }
    }

    fn reading<'r>(&'r mut self, origin: &'r Origin, store: ByteStore) -> InputReading<'r, 'a> {
        let inside = self.recipe_inside.take();
        let (shown, path) = (origin.shown.clone(), origin.path.clone());
        let recipe = Some(RecipeOrigin { shown, path, inside });
        let (name, origin) = (origin.name.as_str(), origin.shown.as_str());
        InputReading {
            builder: &mut self.builder,
            store,
            name,
            origin,
            has_mark: self.has_mark,
            limits: self.options.limits,
            recipe,
        }
    }

    pub(super) fn report_row(&mut self, origin: &Origin, row_error: &RowError) {
        let diagnostic = Diagnostic::new(&origin.shown, &row_error.problem, &row_error.remedy);
        self.builder.corpus.note(diagnostic);
    }
}
