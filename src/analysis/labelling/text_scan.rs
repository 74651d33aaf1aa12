//! One pass over the corpus that finds equal texts and the texts that labels name.
//!
//! Documents with equal fingerprints can have different texts. Equal texts need no judgement. Labels name texts by
//! digest, so the documents with these digests must be found. Memory: during the pass 32 bytes for each document
//! that shares its fingerprint; afterwards 4 bytes for each document of an entry with several texts, and the named
//! texts.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::{
    analysis::{AnalysisError, FingerprintIndex, Job, Stage, batch, equal_texts::EqualTexts},
    corpus::{Content, Corpus},
    id::DocId,
    text::{Digest, digest},
};

/// The results of one pass over the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct TextScan {
    /// The documents with equal fingerprints, divided by equal texts.
    pub(super) equal: EqualTexts,
    /// For each wanted text, the first document of each entry with this text.
    pub(super) named: HashMap<Digest, Vec<DocId>>,
}

impl TextScan {
    /// Reads every document that shares its fingerprint, or all documents if `names` is not empty.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub(super) fn read(
        corpus: &Corpus,
        index: &FingerprintIndex,
        names: &HashSet<Digest>,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        job.enter(Stage::Compare, corpus.len() as u64);
        let entry_with_copies = |document| {
            index.entry_of(document).map(|entry| (entry, index.documents(entry).len() > 1))
        };
        let mut copies: Vec<(u32, Option<Digest>, DocId)> = Vec::new();
        let mut named: HashMap<Digest, Vec<DocId>> = HashMap::new();
        batch::reread(corpus, 0, job, &mut |first, contents| {
            let name = |(at, content): (usize, &Result<Content, _>)| {
                let document = DocId::from(first.index() + at);
                let (entry, has_copies) = entry_with_copies(document)?;
                let wanted = has_copies || !names.is_empty();
                if !wanted || job.progress.is_cancelled() {
                    return None;
                }
                // Unreadable and fingerprint-only documents match no other text.
                let text = content.as_ref().ok().and_then(Content::text);
                Some((entry, has_copies, text.map(digest), document))
            };
            let found: Vec<_> = contents.par_iter().enumerate().filter_map(name).collect();
            for (entry, has_copies, name, document) in found {
                if has_copies {
                    copies.push((entry, name, document));
                }
                if let Some(name) = name.filter(|name| names.contains(name)) {
                    let documents = named.entry(name).or_default();
                    if documents.iter().all(|&other| index.entry_of(other) != Some(entry)) {
                        documents.push(document);
                    }
                }
            }
        })?;
        Ok(Self { equal: EqualTexts::new(copies, &job.progress)?, named })
    }

    /// Records that this document has the text with this digest.
    pub(super) fn name(&mut self, index: &FingerprintIndex, name: Digest, document: DocId) {
        let documents = self.named.entry(name).or_default();
        if documents.iter().all(|&other| index.entry_of(other) != index.entry_of(document)) {
            documents.push(document);
        }
    }

    /// The documents with the text and the fingerprint of `document`, including itself, ascending.
    pub(super) fn copies<'a>(
        &'a self,
        index: &'a FingerprintIndex,
        document: DocId,
    ) -> &'a [DocId] {
        self.equal.with_the_text_of(index, document)
    }
}
