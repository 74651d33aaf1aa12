//! The contents of a crowded bucket: the documents whose fingerprints begin with the same bits, and their common
//! features.
//!
//! Manku, Jain and Das Sarma (figure 2) found hot prefixes: leading bits that many fingerprints share. Theirs came
//! from empty pages, error pages and the log-in pages of one bulletin board. At most 200 documents of a
//! bucket are read.

use std::collections::HashMap;

use super::Analysis;
use crate::{
    corpus::Corpus,
    explain::{figures::quoted, health::prefix},
    id::DocId,
    number::{counted, grouped},
    simhash::Fingerprint,
    text::visible::visible,
};

/// The most documents of a bucket that are read, evenly spread.
const MOST_READ: usize = 200;
/// The most features, and the most documents, that are named.
const NAMED: usize = 3;

/// The contents of a bucket that holds too many fingerprints.
#[derive(Clone, Debug, PartialEq)]
pub struct HotPrefix {
    /// The leading bits.
    pub bucket: usize,
    /// Its documents, in order.
    pub documents: Vec<DocId>,
    /// The number of documents with the commonest fingerprint of the bucket.
    pub n_alike: usize,
    /// The number of documents that were read for their features.
    pub n_read: usize,
    /// The number of documents that could not be read for their features.
    pub n_unread: usize,
    /// The features that most of the read documents have, each with the number of these documents.
    pub shared: Vec<(String, usize)>,
}

impl HotPrefix {
    /// The contents of the bucket in words, with the first ids of its documents.
    pub fn sentence(&self, corpus: &Corpus) -> String {
        let mut text = counted(self.documents.len() as u64, "document");
        if self.n_alike > 1 {
            text += &format!(", {} with one fingerprint", grouped(self.n_alike as u64));
        }
        if !self.shared.is_empty() {
            let shared: Vec<String> = self
                .shared
                .iter()
                .map(|(shingle, n)| format!("{} in {n}", quoted(shingle)))
                .collect();
            text += &format!("; of {} read: {}", self.n_read, shared.join(", "));
        }
        if self.n_unread > 0 {
            text += &format!("; {} could not be read again", grouped(self.n_unread as u64));
        }
        let first = self.documents.iter().take(NAMED);
        let ids: Vec<_> = first.map(|&document| visible(corpus.id(document))).collect();
        format!("{text}; such as {}", ids.join(", "))
    }
}

impl Analysis {
    /// The contents of a bucket of leading bits. One pass over the fingerprints; reads at most 200
    /// documents.
    pub(super) fn hot_prefix(&self, bucket: usize) -> HotPrefix {
        let width = self.settings.recipe.bits;
        let mut alike: HashMap<u128, usize> = HashMap::new();
        let mut documents = Vec::new();
        for (document, fingerprint) in self.records.fingerprints().enumerate() {
            let Some(bits) = fingerprint.map(Fingerprint::bits) else { continue };
            if prefix(bits, width) == bucket {
                documents.push(DocId::from(document));
                *alike.entry(bits).or_default() += 1;
            }
        }
        let step = documents.len().div_ceil(MOST_READ).max(1);
        let mut shared: HashMap<String, usize> = HashMap::new();
        let (mut n_read, mut n_unread) = (0, 0);
        for &document in documents.iter().step_by(step) {
            match self.open(document) {
                Ok((_, Some(feature_votes))) => {
                    n_read += 1;
                    for feature in feature_votes.features {
                        *shared.entry(feature.shingle).or_default() += 1;
                    }
                }
                Ok((_, None)) => {}
                Err(_) => n_unread += 1,
            }
        }
        let mut shared: Vec<(String, usize)> =
            shared.into_iter().filter(|(_, count)| *count > 1).collect();
        shared.sort_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(&y.0)));
        shared.truncate(NAMED);
        let n_alike = alike.into_values().max().unwrap_or(0);
        HotPrefix { bucket, documents, n_alike, n_read, n_unread, shared }
    }
}
