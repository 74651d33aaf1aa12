//! The changes that reading one file made to a corpus: the counts after it minus the counts before it, and the
//! recipe of its fingerprints.

use std::path::PathBuf;

use super::{FileCounts, KeptFile, KeptRecipe};
use crate::corpus::{batch_builder::BatchBuilder, source::FileStamp};

/// The counts at the start of a file.
pub(in crate::corpus) struct FileStart {
    n_documents: u32,
    n_diagnostics: usize,
    n_remarks: usize,
    counts: FileCounts,
}

impl FileStart {
    pub(in crate::corpus) fn now(builder: &mut BatchBuilder<'_>) -> Self {
        builder.recipe_origin = None;
        Self::counted(builder)
    }

    fn counted(builder: &BatchBuilder<'_>) -> Self {
        let (corpus, summary) = (&builder.corpus, builder.corpus.summary());
        Self {
            n_documents: builder.n_documents() as u32,
            n_diagnostics: corpus.diagnostics.len(),
            n_remarks: corpus.remarks.len(),
            counts: FileCounts {
                files: summary.files,
                binary: summary.binary,
                unlisted: summary.unlisted,
                hidden: summary.hidden,
                links: summary.links,
                special: summary.special,
                unmatched: summary.unmatched,
                text_bytes: summary.text_bytes + builder.waiting_bytes() as u64,
            },
        }
    }

    /// The file that was read since then.
    pub(in crate::corpus) fn finish(
        self,
        builder: &BatchBuilder<'_>,
        path: PathBuf,
        stamp: FileStamp,
    ) -> KeptFile {
        let now = Self::counted(builder);
        KeptFile {
            path,
            stamp,
            documents: self.n_documents..now.n_documents,
            counts: now.counts.since(self.counts),
            recipe: builder.recipe_origin.as_ref().map(KeptRecipe::of),
            diagnostics: builder.corpus.diagnostics[self.n_diagnostics..].to_vec(),
            remarks: builder.corpus.remarks[self.n_remarks..].to_vec(),
        }
    }
}
