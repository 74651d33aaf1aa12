//! Passes the rows of a Parquet file, an Arrow file or an Arrow stream to the reader of JSON lines.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use super::batch_builder::LoadStop;
use super::columnar::RowLines;
use super::decode::{BoundedReader, ByteCounter, PeekedReader};
use super::fields::RowError;
use super::load::Loader;
use super::origin::{Origin, WatchedReader};
use super::sniff::DetectedFormat;
use super::source::{ByteStore, ColumnarFormat};

/// The end mark of a stream: a message without a length.
const STREAM_END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

impl Loader<'_> {
    /// Reads the rows of a Parquet or Arrow file, each as a line of JSON.
    pub(super) fn columnar(
        &mut self,
        origin: &Origin,
        format: ColumnarFormat,
        is_plain: bool,
    ) -> Result<(), LoadStop> {
        let store = origin.store.as_ref().filter(|_| is_plain);
        let Some(ByteStore::File { path, stamp }) = store else {
            let problem = format!("{} in a pipe or a packed file", format.name());
            self.report_row(origin, &RowError::new(problem, "give it as a file of its own"));
            return Ok(());
        };
        let open = || ByteStore::open(path).map(|(file, _)| file);
        let (counted, limits) = ((self.builder.progress, stamp.length()), self.options.limits);
        let lines = RowLines::of_documents(open(), format, &self.fields, counted, limits);
        let mut lines = match lines {
            Ok(lines) => lines,
            Err(row_error) => {
                self.report_row(origin, &row_error);
                return Ok(());
            }
        };
        self.builder.corpus.summary_mut().files += 1;
        self.recipe_inside = lines.recipe.take();
        let store = ByteStore::Rows { path: path.clone(), stamp: *stamp, format };
        let inner = BoundedReader::new(lines, Arc::new(stamp.length().into()), limits);
        let watched = WatchedReader { inner, progress: self.builder.progress, counts: false };
        self.records(origin, store, DetectedFormat::Jsonl, 0, watched)
    }

    /// Reads the rows of an Arrow stream, each as a line of JSON.
    pub(super) fn arrow_stream(
        &mut self,
        origin: &Origin,
        reader: PeekedReader<'_>,
    ) -> Result<(), LoadStop> {
        let (n, last) = (Arc::default(), LastBytes::default());
        let reader = last.of(reader);
        let counted = ByteCounter { inner: reader, n: Arc::clone(&n) };
        match RowLines::of_stream(counted, &self.fields) {
            Ok(mut lines) => {
                self.builder.corpus.summary_mut().files += 1;
                self.recipe_inside = lines.recipe.take();
                let progress = self.builder.progress;
                let inner = BoundedReader::new(lines, n, self.options.limits);
                let watched = WatchedReader { inner, progress, counts: false };
                self.spooled(origin, DetectedFormat::Jsonl, watched)?;
                if !last.are(STREAM_END) {
                    let problem = "ends without its end mark, so it may have been cut off";
                    self.report_row(origin, &RowError::new(problem, "give the stream whole"));
                }
                Ok(())
            }
            Err(row_error) => {
                self.report_row(origin, &row_error);
                Ok(())
            }
        }
    }
}

/// The last eight bytes that were read of an input.
#[derive(Clone, Default)]
struct LastBytes(Arc<Mutex<[u8; 8]>>);

impl LastBytes {
    /// The input, whose last bytes are kept here.
    fn of<R: Read>(&self, inner: R) -> impl Read {
        struct Kept<R>(R, LastBytes);
        impl<R: Read> Read for Kept<R> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = self.0.read(buffer)?;
                let mut last = self.1.0.lock().unwrap_or_else(PoisonError::into_inner);
                let tail = [&last[..], &buffer[count.saturating_sub(8)..count]].concat();
                last.copy_from_slice(&tail[tail.len() - 8..]);
                Ok(count)
            }
        }
        Kept(inner, self.clone())
    }

    /// Whether the last bytes are these.
    fn are(&self, bytes: [u8; 8]) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) == bytes
    }
}
