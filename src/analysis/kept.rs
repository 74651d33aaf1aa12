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

    /// The features of each document in turn; none where it has no text.
    pub(super) fn features<'a>(
        &'a self,
        table: &'a DocumentFrequencies,
    ) -> impl Iterator<Item = Option<Vec<Occurring>>> + 'a {
        let mut done = self.done.iter().map(|(place, _)| *place).peekable();
        let mut features = self.portion.features(table);
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
        let mut done = self.done.into_iter().peekable();
        let mut weighed = fingerprinter.sketch_portion(&self.portion, scratch);
        let next = |place: usize| match done.next_if(|(at, _)| *at == place) {
            Some((_, made)) => made,
            None if job.progress.is_cancelled() => Ok(Sketch::unreadable()),
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
