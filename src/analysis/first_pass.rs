//! The first of two passes: what it counts, and what it keeps for the second.
//!
//! Weights of tf-idf need the whole corpus before the first document can be weighed. The features of the
//! documents are kept meanwhile, 8 bytes a word for words:3, about as much as the text; past
//! [`MOST_KEPT`] the documents are read and hashed again instead.

use super::{
    Job,
    batch::{self, Kept},
};
use crate::{
    corpus::{Content, ReadError},
    feature::{DocumentFrequencies, FrequencyCounter},
    simhash::Fingerprinter,
};

/// Bytes of features kept: half a gigabyte, or some 60 million words.
const MOST_KEPT: usize = 512 << 20;

/// A first pass under way.
#[derive(Default)]
pub(super) struct FirstPass {
    counter: FrequencyCounter,
    /// The first documents, batch by batch.
    kept: Vec<Vec<Kept>>,
    n_bytes: usize,
}

impl FirstPass {
    /// Counts the next documents.
    pub(super) fn take(&mut self, fingerprinter: &Fingerprinter, contents: &[Content], job: &Job) {
        let kept = batch::count(fingerprinter, contents, Ok, &mut self.counter, job);
        self.keep(kept);
    }

    /// The same for documents read again, some of which may be gone.
    pub(super) fn take_reread(
        &mut self,
        fingerprinter: &Fingerprinter,
        contents: &[Result<Content, ReadError>],
        job: &Job,
    ) {
        let kept = batch::count(fingerprinter, contents, Result::as_ref, &mut self.counter, job);
        self.keep(kept);
    }

    /// The document frequencies, and what is left to do of the first documents, in order.
    pub(super) fn finish(self) -> (DocumentFrequencies, Vec<Vec<Kept>>) {
        (self.counter.finish(), self.kept)
    }

    fn keep(&mut self, kept: Vec<Kept>) {
        // Once full it stays full, so that what is kept has no gap.
        if self.n_bytes <= MOST_KEPT {
            self.n_bytes += kept.iter().map(Kept::bytes).sum::<usize>();
            self.kept.push(kept);
        }
    }
}
