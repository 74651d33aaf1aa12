//! Some documents between two passes: read, cut and hashed, not yet weighed.
//!
//! What [`Features`](super::Features) keeps of one document, kept of many in the order that document
//! frequencies are counted in: 12 bytes a feature, 8 more above 64 bits, and 8 for each that occurs more
//! than once.

use super::{Fingerprinter, Scratch, Sketch, count::Repeat, weighing::Counted};
use crate::feature::{DocumentFrequencies, Parted};

/// The features of some documents, counted but not yet weighed.
#[derive(Debug, Default)]
pub struct Portion {
    /// The low words of the distinct hashes of each document.
    pub(super) keys: Parted,
    /// The high words, document by document; none up to 64 bits.
    pub(super) high: Box<[u64]>,
    pub(super) documents: Box<[Extent]>,
    /// Those of each document, numbered within it.
    pub(super) repeats: Box<[Repeat]>,
}

/// A feature of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurring {
    /// What document frequencies are counted by.
    pub key: u64,
    /// How often the document holds it, at least 1.
    pub count: u32,
    /// Documents that hold it.
    pub n_documents: u32,
}

/// How much of each there is of one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    tokens: u32,
    features: u32,
    repeats: u32,
}

/// A portion in the making; its buffers serve again.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) keys: Vec<u64>,
    pub(super) high: Vec<u64>,
    pub(super) documents: Vec<Extent>,
    pub(super) repeats: Vec<Repeat>,
}

impl Gathered {
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.high.clear();
        self.documents.clear();
        self.repeats.clear();
    }

    pub(super) fn end_document(&mut self, n_tokens: u32, n_features: usize, repeats: &[Repeat]) {
        self.repeats.extend_from_slice(repeats);
        let (features, repeats) = (n_features as u32, repeats.len() as u32);
        self.documents.push(Extent { tokens: n_tokens, features, repeats });
    }

    pub(super) fn portion_unless(&self, stop: &dyn Fn() -> bool) -> Option<Portion> {
        Some(Portion {
            keys: Parted::new(self.documents.len() as u32, &self.keys, stop)?,
            high: self.high.as_slice().into(),
            documents: self.documents.as_slice().into(),
            repeats: self.repeats.as_slice().into(),
        })
    }
}

impl Portion {
    /// What document frequencies are counted by: a key a feature.
    pub fn keys(&self) -> &Parted {
        &self.keys
    }

    /// Documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The features of each document in turn, until `stop` says so: it is asked every few milliseconds.
    /// `table` is the one that its keys were counted for.
    pub fn features<'a>(
        &'a self,
        table: &'a DocumentFrequencies,
        stop: &'a dyn Fn() -> bool,
    ) -> impl Iterator<Item = Vec<Occurring>> + 'a {
        let mut read = self.keys.read();
        let mut repeats = &*self.repeats;
        let (mut keys, mut frequencies) = (Vec::new(), Vec::new());
        let features = self.documents.iter().map_while(move |document| {
            let n = document.features as usize;
            read.take(n, table, &mut keys, &mut frequencies, stop)?;
            let once = keys.iter().zip(&frequencies);
            let once = once.map(|(&key, &n_documents)| Occurring { key, count: 1, n_documents });
            let mut features: Vec<Occurring> = once.collect();
            let own;
            (own, repeats) = repeats.split_at(document.repeats as usize);
            for repeat in own {
                features[repeat.number as usize].count = repeat.count;
            }
            Some(features)
        });
        features.fuse()
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.keys.bytes()
            + size_of_val(&*self.high)
            + size_of_val(&*self.documents)
            + size_of_val(&*self.repeats)
    }
}

impl Fingerprinter {
    /// The first half for many documents: their features, or `None` if stopped.
    pub fn portion_unless<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Option<Portion> {
        scratch.gathered.clear();
        for text in texts {
            self.count(text, scratch, stop)?;
            let Scratch { tokens, gathered, .. } = scratch;
            let n_tokens = tokens.len() as u32;
            if self.hash.is_wide() {
                let (hashes, repeats) = scratch.wide.counted();
                gathered.keys.extend(hashes.iter().map(|&hash| hash as u64));
                gathered.high.extend(hashes.iter().map(|&hash| (hash >> 64) as u64));
                gathered.end_document(n_tokens, hashes.len(), repeats);
            } else {
                let (hashes, repeats) = scratch.narrow.counted();
                gathered.keys.extend_from_slice(hashes);
                gathered.end_document(n_tokens, hashes.len(), repeats);
            }
        }
        scratch.gathered.portion_unless(stop)
    }

    /// The second half for many documents, in their order, until `stop` says so: it is asked every few
    /// milliseconds. The portion comes from a fingerprinter of the same recipe, and this one's table is the
    /// one that its keys were counted for.
    ///
    /// # Panics
    /// Without document frequencies: nothing waits for them then.
    pub fn sketch_portion<'a>(
        &'a self,
        portion: &'a Portion,
        scratch: &'a mut Scratch,
        stop: &'a dyn Fn() -> bool,
    ) -> impl Iterator<Item = Sketch> + 'a {
        let (recipe, weighing) = (&self.recipe, &mut scratch.weighing);
        let table = self.table().expect("a portion waits for document frequencies");
        let mut read = portion.keys.read();
        let (mut high, mut repeats) = (&*portion.high, &*portion.repeats);
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        let sketches = portion.documents.iter().map_while(move |document| {
            let (n_tokens, n_features) = (document.tokens, document.features as usize);
            read.take(n_features, table, &mut narrow, &mut weighing.frequencies, stop)?;
            let own;
            (own, repeats) = repeats.split_at(document.repeats as usize);
            if self.hash.is_wide() {
                let own_high;
                (own_high, high) = high.split_at(n_features);
                let join = |(&low, &high): (&u64, &u64)| u128::from(high) << 64 | u128::from(low);
                wide.clear();
                wide.extend(narrow.iter().zip(own_high).map(join));
                let counted = Counted { n_tokens, hashes: &wide, repeats: own };
                weighing.sketch_found(recipe, table, counted, stop)
            } else {
                let counted = Counted { n_tokens, hashes: &narrow, repeats: own };
                weighing.sketch_found(recipe, table, counted, stop)
            }
        });
        sketches.fuse()
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, sync::Arc};

    use super::*;
    use crate::{feature::FrequencyCounter, text::StopWords};

    fn fingerprinter(line: &str) -> Fingerprinter {
        Fingerprinter::new(&line.parse().unwrap(), StopWords::none(), None).unwrap()
    }

    /// Many documents at once and one at a time, with repeats, without features, and with one feature in
    /// more documents than a byte counts.
    #[test]
    fn a_portion_weighs_like_its_documents_one_by_one() {
        let text = |n: usize| match n % 50 {
            7 => String::new(),
            n => "the tide and the tide and ".repeat(n % 4) + &format!("pool {} is é", n * n),
        };
        let texts: Vec<String> = (0..600).map(text).collect();
        for line in ["words:3 tf-idf", "words:1 tf-idf bits=17", "chars:3 tf-idf bits=90"] {
            let counting = fingerprinter(line);
            let mut scratch = Scratch::default();
            let portions = texts.chunks(150).map(|texts| {
                let texts = texts.iter().map(String::as_str);
                counting.portion_unless(texts, &mut scratch, &|| false).unwrap()
            });
            let portions: Vec<Portion> = portions.collect();
            let keys: Vec<_> = portions.iter().map(Portion::keys).collect();
            let (counted, kept) = keys.split_at(1);
            let mut counter = FrequencyCounter::new();
            counter.count(counted, &|| false);
            let table = Arc::new(counter.finish(kept, &|| false));
            let weighing = counting.with_frequencies(Arc::clone(&table));
            let mut texts = texts.iter();
            for portion in &portions {
                let features = portion.features(&table, &|| false);
                let mut own = Scratch::default();
                let sketches = weighing.sketch_portion(portion, &mut own, &|| false);
                for (sketch, found) in sketches.zip(features) {
                    let text = texts.next().unwrap();
                    assert_eq!(sketch, weighing.sketch(text, &mut scratch), "{line}: {text}");
                    assert_eq!(
                        sketch.fingerprint,
                        weighing.ballot(text).fingerprint(weighing.recipe())
                    );
                    let alone = weighing.features_unless(text, &mut scratch, &|| false).unwrap();
                    assert_eq!(sketch, weighing.sketch_features(&alone, &mut scratch));
                    let occurring =
                        |(key, count)| Occurring { key, count, n_documents: table.of(key) };
                    assert!(found.into_iter().eq(alone.counted().map(occurring)));
                }
            }
            assert!(texts.next().is_none());
        }
    }

    /// Whether it is parted or weighed: every time it is asked it may stop, and stays so.
    #[test]
    fn a_long_document_stops_when_told_to() {
        const N_PARTS: usize = 4;
        let words: Vec<String> = (0..200_000).map(|n| format!("w{n}")).collect();
        let text = format!("{} w1 w2", words.join(" "));
        let counting = fingerprinter("words:1 tf-idf");
        let mut scratch = Scratch::default();
        let asked = Cell::new(0);
        let stop_at = |most: usize| {
            asked.set(0);
            let asked = &asked;
            move || asked.replace(asked.get() + 1) + 1 >= most
        };
        counting.features_unless(&text, &mut scratch, &stop_at(usize::MAX)).unwrap();
        let n_before = asked.get();
        let cut = |scratch: &mut Scratch, most| {
            counting.portion_unless([&*text].into_iter(), scratch, &stop_at(most))
        };
        let portion = cut(&mut scratch, usize::MAX).unwrap();
        assert_eq!(asked.get(), n_before + N_PARTS);
        for most in n_before + 1..=n_before + N_PARTS {
            assert!(cut(&mut scratch, most).is_none());
            assert_eq!(asked.get(), most);
        }
        let table = FrequencyCounter::new().finish(&[portion.keys()], &|| false);
        let weighing = counting.clone().with_frequencies(Arc::new(table));
        let never = stop_at(usize::MAX);
        assert_eq!(weighing.sketch_portion(&portion, &mut scratch, &never).count(), 1);
        let n_asked = asked.get();
        assert!(n_asked >= 2 * N_PARTS, "read, then weighed and voted in one go: {n_asked}");
        for most in 1..=n_asked {
            let stop = stop_at(most);
            let mut sketches = weighing.sketch_portion(&portion, &mut scratch, &stop);
            assert_eq!((sketches.next(), sketches.next()), (None, None));
            assert_eq!(asked.get(), most);
        }
    }
}
