//! What the first of two passes over a corpus leaves for the second, some documents at a time.

use rayon::prelude::*;

use super::{
    Job,
    batch::{Problem, one},
};
use crate::{
    corpus::{Content, ReadError},
    feature::DocumentFrequencies,
    simhash::{Fingerprinter, Occurring, Portion, Scratch, Sketch},
};

/// Bytes of text whose features are counted together: some 50,000 words, so that those of a shard of the
/// table are more than a few, and all are near while they are weighed.
const PORTION_BYTES: usize = 256 << 10;

/// What the first of two passes leaves of some documents for the second.
pub(super) struct Kept {
    /// The features of those that have text, still to be weighed.
    pub(super) portion: Portion,
    /// The others, by their place: they carry a fingerprint, or cannot have one.
    done: Vec<(usize, Result<Sketch, Problem>)>,
}

impl Kept {
    /// Documents.
    pub(super) fn len(&self) -> usize {
        self.portion.len() + self.done.len()
    }

    /// Bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.portion.bytes() + size_of_val(&*self.done)
    }

    /// The features of each document in turn, in no order; none where it has no text, and none after a stop.
    pub(super) fn features<'a>(
        &'a self,
        table: &'a DocumentFrequencies,
        stop: &'a dyn Fn() -> bool,
    ) -> impl Iterator<Item = Option<Vec<Occurring>>> + 'a {
        let mut done = self.done.iter().map(|(place, _)| *place).peekable();
        let mut features = self.portion.features(table, stop);
        (0..self.len()).map(move |place| match done.next_if_eq(&place) {
            Some(_) => None,
            None => features.next(),
        })
    }

    /// Weighs the features. After a stop the answer is incomplete.
    pub(super) fn sketch(
        self,
        fingerprinter: &Fingerprinter,
        scratch: &mut Scratch,
        job: &Job,
    ) -> Vec<Result<Sketch, Problem>> {
        let n = self.len();
        let stop = || job.progress.is_cancelled();
        let mut done = self.done.into_iter().peekable();
        let mut weighed = fingerprinter.sketch_portion(&self.portion, scratch, &stop);
        let next = |place: usize| match done.next_if(|(at, _)| *at == place) {
            Some((_, made)) => made,
            None => Ok(weighed.next().unwrap_or_else(Sketch::unreadable)),
        };
        (0..n).map(next).collect()
    }
}

/// Cuts documents into features on all cores, some documents at a time; `read` says what each says or why
/// it does not. After a stop the answer is incomplete: look before using it.
pub(super) fn cut<'a, T: Sync>(
    fingerprinter: &Fingerprinter,
    documents: &'a [T],
    read: impl Fn(&'a T) -> Result<&'a Content, &'a ReadError> + Sync,
    job: &Job,
) -> Vec<Kept> {
    let stop = || job.progress.is_cancelled();
    let text = |document| read(document).ok().and_then(Content::text);
    let portions: Vec<&'a [T]> = portions(documents, |it| text(it).map_or(0, str::len)).collect();
    portions
        .into_par_iter()
        .map_init(Scratch::default, |scratch, documents| {
            let texts = documents.iter().filter_map(text);
            let portion = fingerprinter.portion_unless(texts, scratch, &stop);
            let mut done = Vec::new();
            for (place, document) in documents.iter().enumerate() {
                match read(document) {
                    Ok(Content::Text(_)) => {}
                    Ok(content) => done.push((place, one(fingerprinter, content, scratch, job))),
                    Err(error) => done.push((place, Err(Problem::Read(error.clone())))),
                }
            }
            Kept { portion: portion.unwrap_or_default(), done }
        })
        .collect()
}

/// Documents in a row, [`PORTION_BYTES`] of text or somewhat more.
fn portions<'a, T>(
    documents: &'a [T],
    bytes: impl Fn(&'a T) -> usize,
) -> impl Iterator<Item = &'a [T]> {
    let mut rest = documents;
    std::iter::from_fn(move || {
        let mut n_bytes = 0;
        let portion = rest.iter().take_while(|document| {
            let goes_on = n_bytes < PORTION_BYTES;
            n_bytes += bytes(document);
            goes_on
        });
        let n = portion.count();
        let portion;
        (portion, rest) = rest.split_at(n);
        (!portion.is_empty()).then_some(portion)
    })
}

#[cfg(test)]
mod tests {
    use std::{slice, sync::Arc};

    use super::*;
    use crate::{analysis::batch::sketch_reread, feature::FrequencyCounter, text::StopWords};

    type Document = Result<Content, ReadError>;

    /// Texts of several portions, some of them empty, among documents that need no weighing.
    fn documents() -> Vec<Document> {
        let text = |n: usize| {
            let words = (0..n).map(|word| format!("the tide {} ", word * word % 1_000));
            Ok(Content::Text(words.collect::<String>().into()))
        };
        let carried = |hex: &str| Ok(Content::Fingerprint(Some(hex.to_owned())));
        let gone = |n| Err(ReadError::Vanished { place: format!("pool.jsonl:{n}") });
        // A text of 25,000 ends its portion.
        vec![
            text(3),
            carried("00000000000000ff"),
            gone(1),
            text(25_000),
            carried("no hex"),
            Ok(Content::Fingerprint(None)),
            text(0),
            text(25_000),
            gone(2),
            gone(3),
            text(9),
            text(9_000),
        ]
    }

    fn told(made: Result<Sketch, Problem>) -> Result<Sketch, String> {
        made.map_err(|problem| match problem {
            Problem::Read(error) => error.to_string(),
            Problem::Fingerprint(problem) => problem,
        })
    }

    #[test]
    fn documents_of_all_kinds_keep_their_places() {
        let recipe = "words:2 tf-idf".parse().unwrap();
        let counting = Fingerprinter::new(&recipe, StopWords::none(), None).unwrap();
        let (job, mut scratch) = (Job::new(), Scratch::default());
        let forward = documents();
        let backward: Vec<Document> = forward.iter().rev().cloned().collect();
        for (turn, documents) in (0..forward.len()).flat_map(|n| [(n, &forward), (n, &backward)]) {
            let mut documents = documents.clone();
            documents.rotate_left(turn);
            let kept = cut(&counting, &documents, Result::as_ref, &job);
            assert!(kept.len() > 1);
            let keys: Vec<_> = kept.iter().map(|kept| kept.portion.keys()).collect();
            let table = Arc::new(FrequencyCounter::new().finish(&keys, &|| false));
            let weighing = counting.clone().with_frequencies(Arc::clone(&table));
            let sorted = |features: Option<Vec<Occurring>>| {
                features.map(|mut features| {
                    features.sort_unstable();
                    features
                })
            };
            let features: Vec<Option<Vec<Occurring>>> =
                kept.iter().flat_map(|kept| kept.features(&table, &|| false)).map(sorted).collect();
            let sketch = |kept: Kept| kept.sketch(&weighing, &mut scratch, &job);
            let made: Vec<_> = kept.into_iter().flat_map(sketch).map(told).collect();
            assert_eq!((made.len(), features.len()), (documents.len(), documents.len()));
            for ((document, made), found) in documents.iter().zip(made).zip(features) {
                let alone = sketch_reread(&weighing, slice::from_ref(document), &job);
                assert_eq!([made], *alone.into_iter().map(told).collect::<Vec<_>>());
                let text = document.as_ref().ok().and_then(Content::text);
                let expected = text.map(|text| {
                    let features = weighing.features_unless(text, &mut scratch, &|| false).unwrap();
                    let occurring =
                        |(key, count)| Occurring { key, count, n_documents: table.of(key) };
                    let mut features: Vec<_> = features.counted().map(occurring).collect();
                    features.sort_unstable();
                    features
                });
                assert_eq!(found, expected);
            }
        }
    }
}
