//! Some documents between two passes: read, cut and hashed, not yet weighed.
//!
//! The features of many documents go where they are counted, and only those that stand in several come
//! back, since all others weigh the same: how many of all have a 1 at each bit is kept beside them. 10 bytes a
//! feature, 8 more above 64 bits, 8 for each that occurs more than once, and for a document 12 and 1 to 4 a bit.

use super::{
    Bits, Fingerprinter, Scratch, Sketch, count::Repeat, ones, poll::Poll, weighing::Told,
};
use crate::feature::{DocumentFrequencies, Listed, OfDocument, Parted, Regroup, Wanted};

/// Repeats that are looked for one by one.
const FEW: usize = 32;

/// The features of some documents, counted but not yet weighed.
#[derive(Debug, Default)]
pub struct Portion {
    features: Parted,
    documents: Box<[Extent]>,
    /// How many features of each document have a 1 at each bit.
    ones: Box<[u8]>,
}

/// A feature of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
struct Extent {
    n_tokens: u32,
    n_features: u32,
}

/// A portion in the making; its buffers serve again.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    keys: Vec<u64>,
    high: Vec<u64>,
    n_tokens: Vec<u32>,
    lengths: Vec<u32>,
    /// Which of all, and how often.
    repeats: Vec<(u32, u32)>,
    ones: Vec<u8>,
}

impl Gathered {
    fn clear(&mut self) {
        let Self { keys, high, n_tokens, lengths, repeats, ones } = self;
        keys.clear();
        high.clear();
        n_tokens.clear();
        lengths.clear();
        repeats.clear();
        ones.clear();
    }

    /// Appends a document; `ones` has counted its features.
    fn add<H: Bits>(&mut self, n_tokens: u32, hashes: &[H], repeats: &[Repeat], ones: &Poll) {
        let (first, n_features) = (self.keys.len() as u32, hashes.len() as u32);
        self.repeats.extend(repeats.iter().map(|repeat| (first + repeat.number, repeat.count)));
        self.n_tokens.push(n_tokens);
        self.lengths.push(n_features);
        self.keys.extend(hashes.iter().map(|hash| hash.to_wide() as u64));
        if H::CAPACITY > u64::BITS {
            self.high.extend(hashes.iter().map(|hash| (hash.to_wide() >> 64) as u64));
        }
        ones::push(&mut self.ones, n_features, ones.ones());
    }

    fn portion_unless(&self, stop: &dyn Fn() -> bool) -> Option<Portion> {
        let Self { keys, high, n_tokens, lengths, repeats, ones } = self;
        let extents = n_tokens.iter().zip(lengths);
        let extent = |(&n_tokens, &n_features): (&u32, &u32)| Extent { n_tokens, n_features };
        Some(Portion {
            features: Parted::new(Listed { lengths, keys, high, repeats }, stop)?,
            documents: extents.map(extent).collect(),
            ones: ones.as_slice().into(),
        })
    }
}

impl Portion {
    /// What document frequencies are counted by: a key a feature.
    pub fn keys(&self) -> &Parted {
        &self.features
    }

    /// Documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The features of each document in turn, in no order, until `stop` says so: it is asked every few
    /// milliseconds. `table` is the one that its keys were counted for.
    pub fn features<'a>(
        &'a self,
        table: &'a DocumentFrequencies,
        stop: &'a dyn Fn() -> bool,
    ) -> impl Iterator<Item = Vec<Occurring>> + 'a {
        let mut regroup = Regroup::new(&self.features, table, Wanted::All);
        let mut own = OfDocument::default();
        let features = self.documents.iter().map_while(move |document| {
            regroup.take(document.n_features as usize, &mut own, stop)?;
            let OfDocument { keys, frequencies, repeats, .. } = &own;
            let once = keys.iter().zip(frequencies);
            let once = once.map(|(&key, &n_documents)| Occurring { key, count: 1, n_documents });
            let mut features: Vec<Occurring> = once.collect();
            // Among many repeats a key is sooner found in order.
            let is_sorted = repeats.len() > FEW;
            if is_sorted {
                features.sort_unstable_by_key(|feature| feature.key);
            }
            for repeat in repeats {
                let before = |feature: &Occurring| is_sorted && feature.key < repeat.key;
                let from = features.partition_point(before);
                // Two wide hashes may have one key.
                let own =
                    |feature: &&mut Occurring| feature.key == repeat.key && feature.count == 1;
                if let Some(feature) = features[from..].iter_mut().find(own) {
                    feature.count = repeat.count;
                }
            }
            Some(features)
        });
        features.fuse()
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.features.bytes() + size_of_val(&*self.documents) + size_of_val(&*self.ones)
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
        let width = self.recipe.bits;
        for text in texts {
            self.count(text, scratch, stop)?;
            let Scratch { tokens, narrow, wide, weighing, gathered } = scratch;
            let n_tokens = tokens.len() as u32;
            if self.hash.is_wide() {
                let (hashes, repeats) = wide.counted();
                let ones = weighing.count_ones(width, hashes, stop)?;
                gathered.add(n_tokens, hashes, repeats, ones);
            } else {
                let (hashes, repeats) = narrow.counted();
                let ones = weighing.count_ones(width, hashes, stop)?;
                gathered.add(n_tokens, hashes, repeats, ones);
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
        let mut regroup = Regroup::new(&portion.features, table, Wanted::Shared);
        let (mut own, mut ones, mut wide) = (OfDocument::default(), &*portion.ones, Vec::new());
        let sketches = portion.documents.iter().map_while(move |document| {
            let &Extent { n_tokens, n_features } = document;
            regroup.take(n_features as usize, &mut own, stop)?;
            let OfDocument { keys, high, frequencies, repeats } = &own;
            let ones = &ones::take(&mut ones, n_features, recipe.bits);
            if self.hash.is_wide() {
                let join = |(&low, &high): (&u64, &u64)| u128::from(high) << 64 | u128::from(low);
                wide.clear();
                wide.extend(keys.iter().zip(high).map(join));
                let shared = &wide;
                let told = Told { n_tokens, n_features, ones, shared, frequencies, repeats };
                weighing.sketch_told(recipe, table, told, stop)
            } else {
                let shared = keys;
                let told = Told { n_tokens, n_features, ones, shared, frequencies, repeats };
                weighing.sketch_told(recipe, table, told, stop)
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

    /// Many documents at once and one at a time, with repeats, without features, with one feature in
    /// more documents than a byte counts, and one with more features than a part has room for.
    #[test]
    fn a_portion_weighs_like_its_documents_one_by_one() {
        let text = |n: usize| match n % 50 {
            7 => String::new(),
            n => "the tide and the tide and ".repeat(n % 4) + &format!("pool {} is é", n * n),
        };
        let mut texts: Vec<String> = (0..600).map(text).collect();
        let words = (0..60_000).map(|n| format!("w{n} v{} ", n * 7));
        texts.insert(310, words.collect::<String>() + "the tide w59999 w7 v7");
        // More repeats than are looked for one by one.
        let words = (0..300).map(|n| format!("w{} ", n % 200));
        texts.insert(77, words.collect::<String>());
        let lines = ["words:3 tf-idf", "words:1 tf-idf bits=17", "words:1 tf-idf bits=90"];
        for line in lines.into_iter().chain(["chars:3 tf-idf bits=128"]) {
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
                    let mut expected: Vec<_> = alone.counted().map(occurring).collect();
                    expected.sort_unstable();
                    let mut found = found;
                    found.sort_unstable();
                    assert_eq!(found, expected);
                }
            }
            assert!(texts.next().is_none());
        }
    }

    #[test]
    fn more_documents_than_a_part_has_room_for() {
        let texts: Vec<String> =
            (0..2100).map(|n| format!("tide {} {} tide", n % 1000, n / 2)).collect();
        let counting = fingerprinter("words:1 tf-idf");
        let mut scratch = Scratch::default();
        let all = texts.iter().map(String::as_str);
        let portion = counting.portion_unless(all, &mut scratch, &|| false).unwrap();
        let table = FrequencyCounter::new().finish(&[portion.keys()], &|| false);
        let weighing = counting.with_frequencies(Arc::new(table));
        let mut own = Scratch::default();
        let sketches = weighing.sketch_portion(&portion, &mut own, &|| false);
        let alone = texts.iter().map(|text| weighing.sketch(text, &mut scratch));
        assert!(sketches.eq(alone));
    }

    #[test]
    fn what_the_table_has_not_counted_is_as_rare_as_can_be() {
        let counting = fingerprinter("words:1 tf-idf");
        let mut scratch = Scratch::default();
        let mut portion =
            |text| counting.portion_unless(std::iter::once(text), &mut scratch, &|| false).unwrap();
        let (counted, other) = (portion("the tide and the pool"), portion("the crab and a crab"));
        let table = FrequencyCounter::new().finish(&[counted.keys()], &|| false);
        let weighing = counting.clone().with_frequencies(Arc::new(table));
        let sketch = weighing.sketch("the crab and a crab", &mut scratch);
        let found = weighing.sketch_portion(&other, &mut scratch, &|| false).next();
        assert_eq!(found, Some(sketch));
    }

    /// Two wide hashes with one low word.
    #[test]
    fn features_of_one_key_keep_their_counts() {
        let hashes: [u128; 3] = [5, 1 << 64 | 5, 2 << 64 | 5];
        let repeats = [(0, 3), (2, 4)].map(|(number, count)| Repeat { number, count });
        let mut gathered = Gathered::default();
        gathered.add(3, &hashes, &repeats, &Poll::new(128));
        let portion = gathered.portion_unless(&|| false).unwrap();
        let table = FrequencyCounter::new().finish(&[portion.keys()], &|| false);
        let features = portion.features(&table, &|| false).next().unwrap();
        let mut counts: Vec<u32> = features.iter().map(|feature| feature.count).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 3, 4]);
    }

    #[test]
    fn a_table_that_was_stopped_still_weighs() {
        let counting = fingerprinter("words:1 tf-idf");
        let mut scratch = Scratch::default();
        let words: Vec<String> = (0..5000).map(|n| format!("w{n}")).collect();
        let words = words.join(" ");
        let texts = [&*words, "w1 w2 w2", &words];
        let cut = |scratch: &mut Scratch| {
            counting.portion_unless(texts.into_iter(), scratch, &|| false).unwrap()
        };
        for n_before in [0, 8, 500, 1500] {
            let (early, late) = (cut(&mut scratch), cut(&mut scratch));
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= n_before;
            let mut counter = FrequencyCounter::new();
            counter.count(&[early.keys()], &stop);
            let table = counter.finish(&[late.keys()], &stop);
            let weighing = counting.clone().with_frequencies(Arc::new(table));
            let table = weighing.frequencies().unwrap();
            for portion in [early, late] {
                assert_eq!(portion.features(table, &|| false).count(), texts.len());
                assert_eq!(weighing.sketch_portion(&portion, &mut scratch, &|| false).count(), 3);
            }
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
        let n_cut = n_before + 2 * N_PARTS;
        assert_eq!(asked.get(), n_cut, "ones are counted, then it is parted");
        for most in n_before + 1..=n_cut {
            assert!(cut(&mut scratch, most).is_none());
            assert_eq!(asked.get(), most);
        }
        // Another like it, so that all features come back.
        let other = cut(&mut scratch, usize::MAX).unwrap();
        let table = FrequencyCounter::new().finish(&[portion.keys(), other.keys()], &|| false);
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
