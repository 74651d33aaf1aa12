//! A recipe at work: text in, fingerprint out.
//!
//! Costs one pass over the text, then a hash, a look into a small table and a vote a shingle. The same
//! work with every name kept, for explanations, is [`Fingerprinter::ballot`]; a test holds the two
//! together. Where all documents must be seen before one can be weighed, [`Features`] keeps what the
//! first pass found, a [`Portion`](super::Portion) that of many documents, so that the second need not
//! start from the text.

use std::sync::Arc;

use super::{
    ballot::{Ballot, Voter},
    count::Counts,
    features::{Either, Features, Hashes},
    fingerprint::{Bits, Fingerprint},
    hash::FeatureHash,
    portion::Gathered,
    recipe::{Recipe, RecipeError},
    sketch::Sketch,
    votes::Votes,
    weighing::{Counted, Weighing},
};
use crate::{
    feature::{DocumentFrequencies, Extractor, FixedWeight},
    kernel::Slices,
    text::{StopWords, Tokens},
};

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) tokens: Tokens,
    /// Features of a fingerprint up to 64 bits.
    pub(super) narrow: Counts<u64>,
    /// Those of a wider one.
    pub(super) wide: Counts<u128>,
    pub(super) weighing: Weighing,
    pub(super) gathered: Gathered,
}

/// A recipe with its stop words and document frequencies, ready to fingerprint.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    pub(super) recipe: Recipe,
    extractor: Extractor,
    pub(super) hash: FeatureHash,
    frequencies: Option<Arc<DocumentFrequencies>>,
}

impl Fingerprinter {
    /// Prepares a recipe. `stop_words` are the words its choice names; `frequencies` count only under
    /// tf-idf, and without them every feature there is as rare as can be.
    ///
    /// # Errors
    /// [`RecipeError`] if the recipe contradicts itself.
    pub fn new(
        recipe: &Recipe,
        stop_words: StopWords,
        frequencies: Option<Arc<DocumentFrequencies>>,
    ) -> Result<Self, RecipeError> {
        recipe.check()?;
        let extractor = Extractor {
            form: recipe.form,
            case: recipe.case,
            shingling: recipe.features,
            stop_words,
        };
        let hash = FeatureHash::new(recipe.hash, recipe.seed, recipe.bits);
        Ok(Self { recipe: recipe.clone(), extractor, hash, frequencies })
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Whether it has all it needs: under tf-idf the corpus's document frequencies.
    pub fn is_ready(&self) -> bool {
        self.frequencies.is_some() || !self.recipe.weights.needs_frequencies()
    }

    /// The document frequencies it was given.
    pub fn frequencies(&self) -> Option<&DocumentFrequencies> {
        self.frequencies.as_deref()
    }

    /// The same recipe over a frozen table of document frequencies.
    #[must_use]
    pub fn with_frequencies(mut self, frequencies: Arc<DocumentFrequencies>) -> Self {
        self.frequencies = Some(frequencies);
        self
    }

    /// The fingerprint of a text and what is kept beside it.
    pub fn sketch(&self, text: &str, scratch: &mut Scratch) -> Sketch {
        self.sketch_unless(text, scratch, &|| false).unwrap_or_else(Sketch::unreadable)
    }

    /// The same, or `None` where `stop` says so: it is asked every few milliseconds, however long the text
    /// (but that cutting it into characters is one step).
    pub fn sketch_unless(
        &self,
        text: &str,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Option<Sketch> {
        self.count(text, scratch, stop)?;
        let n_tokens = scratch.tokens.len() as u32;
        if self.hash.is_wide() {
            let (hashes, repeats) = scratch.wide.counted();
            let counted = Counted { n_tokens, hashes, repeats };
            scratch.weighing.sketch(&self.recipe, self.table(), counted, stop)
        } else {
            let (hashes, repeats) = scratch.narrow.counted();
            let counted = Counted { n_tokens, hashes, repeats };
            scratch.weighing.sketch(&self.recipe, self.table(), counted, stop)
        }
    }

    /// The first half of [`Fingerprinter::sketch_unless`]: all that needs no document frequencies.
    pub fn features_unless(
        &self,
        text: &str,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Option<Features> {
        self.count(text, scratch, stop)?;
        let n_tokens = scratch.tokens.len() as u32;
        Some(if self.hash.is_wide() {
            let (hashes, repeats) = scratch.wide.counted();
            Features { n_tokens, hashes: Hashes::Wide(hashes.into()), repeats: repeats.into() }
        } else {
            let (hashes, repeats) = scratch.narrow.counted();
            Features { n_tokens, hashes: Hashes::Narrow(hashes.into()), repeats: repeats.into() }
        })
    }

    /// The second half: `features` come from a fingerprinter of the same recipe.
    pub fn sketch_features(&self, features: &Features, scratch: &mut Scratch) -> Sketch {
        let (recipe, weighing) = (&self.recipe, &mut scratch.weighing);
        let sketch = match features.counted_hashes() {
            Either::Narrow(counted) => weighing.sketch(recipe, self.table(), counted, &|| false),
            Either::Wide(counted) => weighing.sketch(recipe, self.table(), counted, &|| false),
        };
        sketch.unwrap_or_else(Sketch::unreadable)
    }

    /// The fingerprint of a text; `None` where it has no features.
    pub fn fingerprint(&self, text: &str) -> Option<Fingerprint> {
        self.sketch(text, &mut Scratch::default()).fingerprint
    }

    /// Every feature of a text with its name, hash, weight and vote.
    pub fn ballot(&self, text: &str) -> Ballot {
        let mut tokens = Tokens::new();
        self.extractor.tokenize(text, &mut tokens);
        let mut votes = Votes::new(self.recipe.bits);
        let cut = super::fingerprint::mask(self.recipe.bits);
        let counted = self.extractor.count(&tokens).into_iter();
        let voters = counted.map(|feature| {
            let hash = self.hash.hash(feature.shingle.as_bytes());
            let weight = self.weigh(hash, feature.count);
            votes.add(hash, weight);
            Voter { shingle: feature.shingle, count: feature.count, hash: hash & cut, weight }
        });
        let voters = voters.collect();
        Ballot { voters, votes, n_tokens: tokens.len() as u32 }
    }

    /// Fills `narrow` or `wide` with the features of the text; `None` if stopped.
    pub(super) fn count(
        &self,
        text: &str,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        let Scratch { tokens, narrow, wide, .. } = scratch;
        if !self.extractor.tokenize_unless(text, tokens, stop) {
            return None;
        }
        let shingles = self.extractor.shingle_slices(tokens);
        // One loop for each function, so that none is chosen inside.
        match &self.hash {
            FeatureHash::Sip13(sip) => {
                count(shingles, narrow, stop, |some, hashes| sip.hash_each(some, hashes))
            }
            FeatureHash::Sip24(sip) => count(shingles, narrow, stop, |some, hashes| {
                hashes.extend(some.iter().map(|it| sip.hash(it)));
            }),
            FeatureHash::Wide13(sip) => count(shingles, wide, stop, |some, hashes| {
                hashes.extend(some.iter().map(|it| sip.hash(it).as_u128()));
            }),
            FeatureHash::Wide24(sip) => count(shingles, wide, stop, |some, hashes| {
                hashes.extend(some.iter().map(|it| sip.hash(it).as_u128()));
            }),
        }
    }

    /// The document frequencies, where they count.
    pub(super) fn table(&self) -> Option<&DocumentFrequencies> {
        self.frequencies.as_deref().filter(|_| self.recipe.weights.needs_frequencies())
    }

    fn weigh(&self, hash: u128, count: u32) -> FixedWeight {
        let idf = self.table().map_or(1.0, |table| table.inverse(hash as u64));
        self.recipe.weights.weigh(count, idf)
    }
}

/// Shingles between two questions whether to stop.
const PORTION: usize = 1 << 17;

/// Hashes and counts shingles; `None` if stopped.
fn count<H: Bits>(
    shingles: Slices<'_>,
    counts: &mut Counts<H>,
    stop: &dyn Fn() -> bool,
    hash_each: impl Fn(Slices<'_>, &mut Vec<H>),
) -> Option<()> {
    let hashes = counts.begin();
    hashes.reserve(shingles.len());
    for some in shingles.chunks(PORTION) {
        if stop() {
            return None;
        }
        hash_each(some, hashes);
    }
    counts.count(stop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Shingling, Weighting};

    fn fingerprinter(line: &str) -> Fingerprinter {
        Fingerprinter::new(&line.parse().unwrap(), StopWords::none(), None).unwrap()
    }

    #[test]
    fn no_features_is_a_state_and_not_fingerprint_zero() {
        for text in ["", "  \n", "... !?"] {
            let sketch = fingerprinter("words:3").sketch(text, &mut Scratch::default());
            assert_eq!(
                (sketch.fingerprint, sketch.n_features, sketch.n_ties),
                (None, 0, 0),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_long_text_stops_when_told_to() {
        use std::cell::Cell;
        let text = "the tide and the pool ".repeat(200_000);
        // 5 portions of words, then 8 of shingles that are hashed and 8 that are counted: it stops among any,
        // or runs to its end.
        for (most, stops) in (1..=21).map(|most| (most, true)).chain([(100, false)]) {
            let asked = Cell::new(0);
            let stop = || asked.replace(asked.get() + 1) + 1 >= most;
            let sketch =
                fingerprinter("words:3").sketch_unless(&text, &mut Scratch::default(), &stop);
            assert_eq!(sketch.is_none(), stops);
            assert!(if stops { asked.get() == most } else { asked.get() > 21 });
        }
    }

    #[test]
    fn one_short_text_has_the_hash_of_its_only_shingle() {
        let expected = siphasher::sip::SipHasher13::new_with_keys(0, 0).hash(b"the tide");
        let found = fingerprinter("words:3").fingerprint("The TIDE!").unwrap();
        assert_eq!(found.bits(), u128::from(expected));
    }

    #[test]
    fn a_feature_heavier_than_the_rest_together_dominates() {
        let weighty = fingerprinter("words:1");
        let sketch = weighty.sketch("tide tide tide pool crab", &mut Scratch::default());
        assert!(sketch.dominated);
        assert_eq!(sketch.fingerprint, weighty.fingerprint("tide"));
        assert!(!weighty.sketch("tide pool", &mut Scratch::default()).dominated);
        assert!(weighty.sketch("tide", &mut Scratch::default()).dominated, "the only one");
    }

    #[test]
    fn the_named_ballot_agrees_with_the_fast_path() {
        let text = "The cat sat on the mat, and the cat sat on the log. Éa e\u{301}a";
        for features in [Shingling::Words(1), Shingling::Words(3), Shingling::Chars(4)] {
            for &weights in Weighting::ALL {
                for bits in [1, 17, 64, 65, 90, 128] {
                    let recipe = Recipe { features, weights, bits, ..Recipe::default() };
                    let fingerprinter =
                        Fingerprinter::new(&recipe, StopWords::none(), None).unwrap();
                    let sketch = fingerprinter.sketch(text, &mut Scratch::default());
                    let ballot = fingerprinter.ballot(text);
                    assert_eq!(ballot.fingerprint(&recipe), sketch.fingerprint, "{recipe}");
                    assert_eq!(ballot.voters.len(), sketch.n_features as usize);
                    assert_eq!(ballot.votes.ties(), u32::from(sketch.n_ties));
                }
            }
        }
    }
}
