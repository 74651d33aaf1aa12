//! Converts a truth file to labels. A truth file names documents by id; a label names texts by digest.

use std::collections::HashMap;

use crate::{
    corpus::{Corpus, Judgement, Label, TextPair},
    id::DocId,
    text::{Digest, digest},
};

/// The labels from the judgements of a truth file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedLabels {
    /// A label for each judgement whose texts are both in the corpus, in the order of the judgements.
    pub labels: Vec<Label>,
    /// Judgements that name a document that is not in the corpus, or that has no text.
    pub n_absent: u64,
    /// Judgements of a document that could not be read again.
    pub n_unread: u64,
}

/// Converts judgements to labels from this source. If several documents have an id, the first one is used. Reads
/// the named documents.
pub fn labels_of(corpus: &Corpus, truth: &[Judgement], source: &str) -> ImportedLabels {
    let documents = documents(corpus, truth);
    let mut names = HashMap::new();
    // The digest of the text with this id; `None` if the corpus has no such document or text.
    let mut name = |id: &str| -> Result<Option<Digest>, Unreadable> {
        let Some(document) = documents[id] else { return Ok(None) };
        *names.entry(document).or_insert_with(|| {
            let content = corpus.read(document).map_err(|_| Unreadable)?;
            Ok(content.text().map(digest))
        })
    };
    let (mut n_absent, mut n_unread) = (0, 0);
    let mut label = |judgement: &Judgement| {
        let [one, other] = &judgement.ids;
        let (left, right) = match (name(one), name(other)) {
            (Ok(Some(left)), Ok(Some(right))) => (left, right),
            (Err(Unreadable), _) | (_, Err(Unreadable)) => {
                n_unread += 1;
                return None;
            }
            _ => {
                n_absent += 1;
                return None;
            }
        };
        let (one, other) = if left <= right { (one, other) } else { (other, one) };
        Some(Label {
            pair: TextPair::new(left, right),
            verdict: judgement.verdict,
            ids: [one.clone(), other.clone()],
            source: source.to_owned(),
            is_repeat: false,
        })
    };
    let labels = truth.iter().filter_map(&mut label).collect();
    ImportedLabels { labels, n_absent, n_unread }
}

/// A document could not be read again. The corpus keeps the reason.
#[derive(Clone, Copy)]
struct Unreadable;

/// The first document with each named id, if the corpus has one. Goes through the ids once.
pub(in crate::analysis) fn documents<'a>(
    corpus: &Corpus,
    truth: &'a [Judgement],
) -> HashMap<&'a str, Option<DocId>> {
    let named = truth.iter().flat_map(|it| &it.ids);
    let mut documents: HashMap<&str, Option<DocId>> = named.map(|id| (id.as_str(), None)).collect();
    for document in (0..corpus.len()).map(DocId::from) {
        if let Some(found @ None) = documents.get_mut(corpus.id(document)) {
            *found = Some(document);
        }
    }
    documents
}
