//! A recipe at work: text in, fingerprint out.
//!
//! Costs one pass over the text, then a hash, a look into a small table and a vote a shingle. The same
//! work with every name kept, for explanations, is [`Fingerprinter::ballot`]; a test holds the two
//! together. Where all documents must be seen before one can be weighed, [`Features`] keeps what the
//! first pass found, so that the second need not start from the text.

use std::{borrow::Cow, sync::Arc};

use super::{
    count::{Counts, Repeat},
    fingerprint::{Bits, Fingerprint},
    hash::FeatureHash,
    poll::Poll,
    recipe::{Recipe, RecipeError},
    votes::Votes,
};
use crate::{
    feature::{DocumentFrequencies, Extractor, FixedWeight},
    text::{StopWords, Tokens},
};

/// What is kept of every document: its fingerprint and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// `None` where the text has no features: a state of its own, not a fingerprint.
    pub fingerprint: Option<Fingerprint>,
    /// Tokens after stop words.
    pub n_tokens: u32,
    /// Distinct features.
    pub n_features: u32,
    /// Bits whose votes balance exactly.
    pub n_ties: u8,
    /// One feature outweighs all the others together: the fingerprint is that feature's hash.
    pub dominated: bool,
    /// The document was there once but could not be read for this sketch.
    pub unreadable: bool,
}

impl Sketch {
    /// A sketch that knows the fingerprint and nothing else, as read from a file of fingerprints.
    pub fn carried(fingerprint: Option<Fingerprint>) -> Self {
        Self {
            fingerprint,
            n_tokens: 0,
            n_features: 0,
            n_ties: 0,
            dominated: false,
            unreadable: false,
        }
    }

    /// The sketch of a document that could not be read: nothing is known of it.
    pub fn unreadable() -> Self {
        Self { unreadable: true, ..Self::carried(None) }
    }
}

/// A feature with its name, for explanations.
#[derive(Clone, Debug, PartialEq)]
pub struct Voter {
    /// The shingle.
    pub shingle: String,
    /// Occurrences in the document.
    pub count: u32,
    /// The hash, cut to the fingerprint's width.
    pub hash: u128,
    /// What its vote counts.
    pub weight: FixedWeight,
}

/// Everything behind one document's fingerprint.
#[derive(Clone, Debug, PartialEq)]
pub struct Ballot {
    /// The features in order of first occurrence.
    pub voters: Vec<Voter>,
    /// Their votes.
    pub votes: Votes,
    /// Tokens after stop words.
    pub n_tokens: u32,
}

/// The distinct features of one document, counted but not yet weighed. Costs 8 bytes a feature up to 64
/// bits, else 16, and 8 for each that occurs more than once.
#[derive(Clone, Debug)]
pub struct Features {
    n_tokens: u32,
    hashes: Hashes,
    repeats: Box<[Repeat]>,
}

#[derive(Clone, Debug)]
enum Hashes {
    Narrow(Box<[u64]>),
    Wide(Box<[u128]>),
}

impl Features {
    /// What document frequencies are counted by: a key a feature.
    pub fn keys(&self) -> Cow<'_, [u64]> {
        match &self.hashes {
            Hashes::Narrow(hashes) => Cow::Borrowed(hashes),
            Hashes::Wide(hashes) => hashes.iter().map(|&hash| hash as u64).collect(),
        }
    }

    /// Bytes they take.
    pub fn bytes(&self) -> usize {
        let hashes = match &self.hashes {
            Hashes::Narrow(hashes) => size_of_val(&**hashes),
            Hashes::Wide(hashes) => size_of_val(&**hashes),
        };
        size_of::<Self>() + hashes + size_of_val(&*self.repeats)
    }
}

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Tokens,
    /// Features of a fingerprint up to 64 bits.
    narrow: Counts<u64>,
    /// Those of a wider one.
    wide: Counts<u128>,
    weighing: Weighing,
}

/// The buffers of the last step.
#[derive(Debug, Default)]
struct Weighing {
    poll: Option<Poll>,
    /// In how many documents each feature stands.
    frequencies: Vec<u32>,
}

/// A recipe with its stop words and document frequencies, ready to fingerprint.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    recipe: Recipe,
    extractor: Extractor,
    hash: FeatureHash,
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

    /// The same recipe over a frozen table of document frequencies.
    #[must_use]
    pub fn with_frequencies(mut self, frequencies: Arc<DocumentFrequencies>) -> Self {
        self.frequencies = Some(frequencies);
        self
    }

    /// The fingerprint of a text and what is kept beside it.
    pub fn sketch(&self, text: &str, scratch: &mut Scratch) -> Sketch {
        self.count(text, scratch);
        let n_tokens = scratch.tokens.len() as u32;
        if self.hash.is_wide() {
            let (hashes, repeats) = scratch.wide.finish();
            self.weigh_all(n_tokens, hashes, repeats, &mut scratch.weighing)
        } else {
            let (hashes, repeats) = scratch.narrow.finish();
            self.weigh_all(n_tokens, hashes, repeats, &mut scratch.weighing)
        }
    }

    /// The first half of [`Fingerprinter::sketch`]: all that can be done without document frequencies.
    pub fn features(&self, text: &str, scratch: &mut Scratch) -> Features {
        self.count(text, scratch);
        let n_tokens = scratch.tokens.len() as u32;
        if self.hash.is_wide() {
            let (hashes, repeats) = scratch.wide.finish();
            Features { n_tokens, hashes: Hashes::Wide(hashes.into()), repeats: repeats.into() }
        } else {
            let (hashes, repeats) = scratch.narrow.finish();
            Features { n_tokens, hashes: Hashes::Narrow(hashes.into()), repeats: repeats.into() }
        }
    }

    /// The second half: `features` come from a fingerprinter of the same recipe.
    pub fn sketch_features(&self, features: &Features, scratch: &mut Scratch) -> Sketch {
        let Features { n_tokens, hashes, repeats } = features;
        match hashes {
            Hashes::Narrow(hashes) => {
                self.weigh_all(*n_tokens, hashes, repeats, &mut scratch.weighing)
            }
            Hashes::Wide(hashes) => {
                self.weigh_all(*n_tokens, hashes, repeats, &mut scratch.weighing)
            }
        }
    }

    /// Lets every distinct hash vote with its weight.
    fn weigh_all<H: Bits>(
        &self,
        n_tokens: u32,
        hashes: &[H],
        repeats: &[Repeat],
        Weighing { poll, frequencies }: &mut Weighing,
    ) -> Sketch {
        if hashes.is_empty() {
            return Sketch { n_tokens, ..Sketch::carried(None) };
        }
        let poll = poll.get_or_insert_with(|| Poll::new(self.recipe.bits));
        poll.clear();
        let heaviest = match self.table() {
            None => self.vote(hashes, repeats, poll),
            Some(table) => {
                frequencies.clear();
                table.of_all(hashes.iter().map(|hash| hash.to_wide() as u64), frequencies);
                vote_tf_idf(hashes, repeats, frequencies, table, poll)
            }
        };
        let (fingerprint, n_ties) = poll.close(self.recipe.tie);
        Sketch {
            fingerprint: Some(fingerprint),
            n_tokens,
            n_features: hashes.len() as u32,
            n_ties: n_ties as u8,
            dominated: hashes.len() > 1 && heaviest.0 > poll.total() - heaviest.0,
            unreadable: false,
        }
    }

    /// Votes by counts alone, of which 1 is nearly every one; returns the heaviest weight.
    fn vote<H: Bits>(&self, hashes: &[H], repeats: &[Repeat], poll: &mut Poll) -> FixedWeight {
        // Under every weighting a feature that occurs once weighs 1.
        poll.add_ones(hashes);
        let mut heaviest = FixedWeight(FixedWeight::ONE);
        for repeat in repeats {
            let weight = self.recipe.weights.weigh(repeat.count, 1.0);
            poll.add(hashes[repeat.number as usize], FixedWeight(weight.0 - FixedWeight::ONE));
            heaviest = heaviest.max(weight);
        }
        heaviest
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

    /// Fills `narrow` or `wide` with the features of the text.
    fn count(&self, text: &str, scratch: &mut Scratch) {
        let Scratch { tokens, narrow, wide, .. } = scratch;
        self.extractor.tokenize(text, tokens);
        let shingles = self.extractor.shingle_bytes(tokens);
        // One loop for each function, so that none is chosen inside.
        match &self.hash {
            FeatureHash::Sip13(sip) => count(shingles, narrow, |bytes| sip.hash(bytes)),
            FeatureHash::Sip24(sip) => count(shingles, narrow, |bytes| sip.hash(bytes)),
            FeatureHash::Wide13(sip) => count(shingles, wide, |bytes| sip.hash(bytes).as_u128()),
            FeatureHash::Wide24(sip) => count(shingles, wide, |bytes| sip.hash(bytes).as_u128()),
        }
    }

    /// The document frequencies, where they count.
    fn table(&self) -> Option<&DocumentFrequencies> {
        self.frequencies.as_deref().filter(|_| self.recipe.weights.needs_frequencies())
    }

    fn weigh(&self, hash: u128, count: u32) -> FixedWeight {
        let idf = self.table().map_or(1.0, |table| table.inverse(hash as u64));
        self.recipe.weights.weigh(count, idf)
    }
}

fn count<'a, H: Bits>(
    shingles: impl ExactSizeIterator<Item = &'a [u8]>,
    counts: &mut Counts<H>,
    hash: impl Fn(&[u8]) -> H,
) {
    counts.begin(shingles.len());
    shingles.for_each(|shingle| counts.add(hash(shingle)));
}

/// Votes by counts and document frequencies; returns the heaviest weight.
fn vote_tf_idf<H: Bits>(
    hashes: &[H],
    mut repeats: &[Repeat],
    frequencies: &[u32],
    table: &DocumentFrequencies,
    poll: &mut Poll,
) -> FixedWeight {
    let mut heaviest = FixedWeight::default();
    for (number, (&hash, &df)) in hashes.iter().zip(frequencies).enumerate() {
        let count = match repeats {
            [repeat, rest @ ..] if repeat.number as usize == number => {
                repeats = rest;
                repeat.count
            }
            _ => 1,
        };
        let weight = table.weight(df, count);
        poll.add(hash, weight);
        heaviest = heaviest.max(weight);
    }
    heaviest
}

impl Ballot {
    /// The fingerprint; `None` where there are no voters.
    pub fn fingerprint(&self, recipe: &Recipe) -> Option<Fingerprint> {
        (!self.voters.is_empty()).then(|| self.votes.fingerprint(recipe.tie))
    }
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
