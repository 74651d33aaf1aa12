//! Collects the documents of the readers in a chunk and passes full chunks to the sink.
//!
//! The first batch is small, so that a screen fills at once; later ones double up to [`MOST_DOCUMENTS`]. A
//! batch also goes out when its text is large or when its first document has waited for [`LONGEST_WAIT`]: with the
//! next document, or before if its records come from a pipe that is silent.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::id::DocId;
use crate::progress::{Cancelled, Progress};

use super::content::Content;
use super::document::{Chunk, Record};
use super::fields::RowError;
use super::source::Source;
use super::{Batch, Corpus};

/// Documents in the first batch.
const FIRST_DOCUMENTS: usize = 128;
/// Documents in the largest batch.
const MOST_DOCUMENTS: usize = 4096;
/// Bytes of text (or of ids) after which a batch goes out.
const MOST_BYTES: usize = 2 << 20;
/// A document waits at most this long for its batch to become full.
pub(super) const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// The reason why reading stops.
#[derive(Debug)]
pub(super) enum LoadStop {
    /// The user cancelled.
    Cancelled,
    /// There are as many documents as a [`DocId`] can number.
    Full,
    /// This input failed; the next one may be readable.
    Io(io::Error),
    /// This input gives no document, for this reason.
    Refused(RowError),
}

impl From<RowError> for LoadStop {
    fn from(row_error: RowError) -> Self {
        Self::Refused(row_error)
    }
}

impl From<io::Error> for LoadStop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Cancelled> for LoadStop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Gathers documents into chunks and hands them out.
pub(super) struct BatchBuilder<'a> {
    pub(super) corpus: Corpus,
    pub(super) progress: &'a Progress,
    sink: &'a mut dyn FnMut(Batch),
    chunk: Chunk,
    contents: Vec<Content>,
    /// Bytes of text in `contents`.
    bytes: usize,
    /// Documents at which the batch goes out.
    target: usize,
    /// The time when the first document of the batch came.
    since: Option<Instant>,
}

impl<'a> BatchBuilder<'a> {
    pub(super) fn new(progress: &'a Progress, sink: &'a mut dyn FnMut(Batch)) -> Self {
        Self {
            corpus: Corpus::default(),
            progress,
            sink,
            chunk: Chunk::default(),
            contents: Vec::new(),
            bytes: 0,
            target: FIRST_DOCUMENTS,
            since: None,
        }
    }

    /// The documents so far.
    pub(super) fn n_documents(&self) -> usize {
        self.corpus.len() + self.contents.len()
    }

    /// Adds the documents of an index.
    pub(super) fn take(&mut self, kept: &Corpus) -> Result<(), LoadStop> {
        if self.n_documents() + kept.len() > u32::MAX as usize {
            return Err(LoadStop::Full);
        }
        self.flush();
        let first = DocId::from(self.corpus.len());
        self.corpus.take(kept);
        (self.sink)(Batch { corpus: self.corpus.clone(), first, contents: Vec::new() });
        Ok(())
    }

    /// Adds a document; may call the sink.
    pub(super) fn push(
        &mut self,
        source: &Arc<Source>,
        name: &str,
        record: &Record<'_>,
        content: Content,
    ) -> Result<(), LoadStop> {
        if self.n_documents() >= u32::MAX as usize {
            return Err(LoadStop::Full);
        }
        self.chunk.push(source, name, record);
        self.bytes += content.bytes();
        self.contents.push(content);
        let since = *self.since.get_or_insert_with(Instant::now);
        if self.contents.len() >= self.target
            || self.bytes >= MOST_BYTES
            || self.chunk.id_bytes() >= MOST_BYTES
            || since.elapsed() >= LONGEST_WAIT
        {
            self.flush();
        }
        Ok(())
    }

    /// Declares that all later documents belong to the reference.
    pub(super) fn begin_reference(&mut self) {
        self.flush();
        self.corpus.begin_reference();
    }

    /// Hands out the collected documents, if there are any.
    pub(super) fn flush(&mut self) {
        if self.contents.is_empty() {
            return;
        }
        self.target = (self.target * 2).min(MOST_DOCUMENTS);
        self.bytes = 0;
        self.since = None;
        let first = DocId::from(self.corpus.len());
        let contents = std::mem::take(&mut self.contents);
        self.corpus.append(std::mem::take(&mut self.chunk), &contents);
        (self.sink)(Batch { corpus: self.corpus.clone(), first, contents });
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::thread;

    use super::*;
    use crate::corpus::content::ContentFlags;

    #[test]
    fn a_document_that_has_waited_goes_out_with_the_next_one() {
        let (progress, sizes) = (Progress::new(), RefCell::new(Vec::new()));
        let mut sink = |batch: Batch| sizes.borrow_mut().push(batch.contents.len());
        let mut builder = BatchBuilder::new(&progress, &mut sink);
        let source = Source::of_lines("slow", b"");
        let mut push = || {
            let record =
                Record { offset: 0, length: 0, number: 1, flags: ContentFlags::NONE, id: None };
            builder.push(&source, "slow", &record, Content::Text("a word".into())).unwrap();
        };
        push();
        assert!(sizes.borrow().is_empty());
        thread::sleep(LONGEST_WAIT);
        push();
        assert_eq!(*sizes.borrow(), [2]);
        // A screen shows what comes slowly as it comes.
        assert!(LONGEST_WAIT <= Duration::from_millis(100));
    }
}
