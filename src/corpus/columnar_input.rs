//! Passes the rows of a Parquet file, an Arrow file or an Arrow stream to the reader of JSON lines.

use std::sync::Arc;

use super::batch_builder::LoadStop;
use super::columnar::RowLines;
use super::decode::{BoundedReader, ByteCounter, PeekedReader};
use super::fields::RowError;
use super::json_items::JsonForm;
use super::load::Loader;
use super::origin::{Origin, WatchedReader};
use super::sniff::DetectedFormat;
use super::source::{ByteStore, ColumnarFormat};

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
        self.count_columnar();
        self.recipe_inside = lines.recipe.take();
        let (path, end) = (path.clone(), lines.end);
        let store = ByteStore::Rows { path, stamp: *stamp, format, end };
        let inner = BoundedReader::new(lines, Arc::new(stamp.length().into()), limits);
        let watched = WatchedReader { inner, progress: self.builder.progress, counts: false };
        self.records(origin, store, DetectedFormat::Json(JsonForm::Lines), 0, watched)
    }

    fn count_columnar(&mut self) {
        let summary = self.builder.corpus.summary_mut();
        summary.files += 1;
        summary.columnar += 1;
    }

    /// Reads the rows of an Arrow stream, each as a line of JSON.
    pub(super) fn arrow_stream(
        &mut self,
        origin: &Origin,
        reader: PeekedReader<'_>,
    ) -> Result<(), LoadStop> {
        let n = Arc::default();
        let counted = ByteCounter { inner: reader, n: Arc::clone(&n) };
        match RowLines::of_stream(counted, &self.fields, self.options.limits) {
            Ok(mut lines) => {
                self.count_columnar();
                self.recipe_inside = lines.recipe.take();
                let progress = self.builder.progress;
                let inner = BoundedReader::new(lines, n, self.options.limits);
                let watched = WatchedReader { inner, progress, counts: false };
                self.spooled(origin, DetectedFormat::Json(JsonForm::Lines), watched)
            }
            Err(row_error) => {
                self.report_row(origin, &row_error);
                Ok(())
            }
        }
    }
}
