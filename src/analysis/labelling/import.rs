//! Truth files, which know ids, as labels, which know texts.

use std::collections::HashMap;

use crate::{
    corpus::{Content, Corpus, Judgement, Label, TextPair},
    id::DocId,
    text::digest,
};

/// A label for each judgement whose documents are here and have texts, from this source, in the order of
/// the judgements; and how many there were besides. Of an id that several documents have, the first is
/// meant. Reads the documents that are named.
pub fn labels_of(corpus: &Corpus, truth: &[Judgement], source: &str) -> (Vec<Label>, u64) {
    let documents = documents(corpus, truth);
    let mut names = HashMap::new();
    let mut name = |id: &str| {
        let document = documents[id]?;
        *names.entry(document).or_insert_with(|| {
            corpus.read(document).ok().as_ref().and_then(Content::text).map(digest)
        })
    };
    let mut n_absent = 0;
    let mut label = |judgement: &Judgement| {
        let [one, other] = &judgement.ids;
        let (Some(left), Some(right)) = (name(one), name(other)) else {
            n_absent += 1;
            return None;
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
    (labels, n_absent)
}

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
