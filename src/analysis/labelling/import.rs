//! Truth files, which know ids, as labels, which know texts.

use std::collections::HashMap;

use crate::{
    corpus::{Corpus, Judgement, Label, TextPair},
    id::DocId,
    text::{Digest, digest},
};

/// The labels that the judgements of a truth file give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedLabels {
    /// A label for each judgement of which both texts are here, in the order of the judgements.
    pub labels: Vec<Label>,
    /// Judgements that name a document that is not here, or no text.
    pub n_absent: u64,
    /// Judgements of a document that can no longer be read as it was.
    pub n_unread: u64,
}

/// The labels that judgements make, from this source. Of an id that several documents have, the first is
/// meant. Reads the documents that are named.
pub fn labels_of(corpus: &Corpus, truth: &[Judgement], source: &str) -> ImportedLabels {
    let documents = documents(corpus, truth);
    let mut names = HashMap::new();
    // The name of its text, none if it has none; an error if it cannot be read.
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

/// The corpus has noted why.
#[derive(Clone, Copy)]
struct Unreadable;

/// The first document with each id that is named, if there is one. Goes through the ids once.
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
