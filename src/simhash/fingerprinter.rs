//! A recipe at work: text in, fingerprint out.
//!
//! Costs one pass over the text, a hash and `width` additions a distinct shingle, and a sort of the
//! document's hashes. The same work with every name kept, for explanations, is [`Fingerprinter::ballot`];
//! a test holds the two together.

use std::sync::Arc;

use super::{
    fingerprint::Fingerprint,
    hash::FeatureHash,
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

/// What the features of a document weigh together.
#[derive(Default)]
struct Tally {
    n_features: u32,
    heaviest: i64,
    total: i64,
}

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Tokens,
    /// Feature hashes of a fingerprint up to 64 bits, sorted.
    narrow: Vec<u64>,
    /// Those of a wider one.
    wide: Vec<u128>,
    votes: Option<Votes>,
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

    /// The document's distinct feature keys, sorted: what document frequencies are counted by.
    pub fn keys<'a>(
        &self,
        text: &str,
        scratch: &'a mut Scratch,
    ) -> impl Iterator<Item = u64> + use<'a> {
        self.take_hashes(text, scratch);
        scratch.narrow.dedup();
        scratch.wide.dedup();
        scratch.narrow.iter().copied().chain(scratch.wide.iter().map(|&hash| hash as u64))
    }

    /// The fingerprint of a text and what is kept beside it.
    pub fn sketch(&self, text: &str, scratch: &mut Scratch) -> Sketch {
        self.take_hashes(text, scratch);
        let votes = scratch.votes.get_or_insert_with(|| Votes::new(self.recipe.bits));
        votes.clear();
        let tally = if self.hash.is_wide() {
            self.vote(&scratch.wide, votes)
        } else {
            self.vote(&scratch.narrow, votes)
        };
        let Tally { n_features, heaviest, total } = tally;
        Sketch {
            fingerprint: (n_features > 0).then(|| votes.fingerprint(self.recipe.tie)),
            n_tokens: scratch.tokens.len() as u32,
            n_features,
            n_ties: if n_features > 0 { votes.ties() as u8 } else { 0 },
            dominated: n_features > 1 && heaviest > total - heaviest,
            unreadable: false,
        }
    }

    /// Every distinct hash votes, as heavy as its run is long.
    fn vote<H: Copy + PartialEq + Into<u128>>(&self, sorted: &[H], votes: &mut Votes) -> Tally {
        let mut tally = Tally::default();
        for run in sorted.chunk_by(|a, b| a == b) {
            let hash = run[0].into();
            let weight = self.weigh(hash, run.len() as u32);
            votes.add(hash, weight);
            tally.n_features += 1;
            tally.heaviest = tally.heaviest.max(weight.0);
            tally.total += weight.0;
        }
        tally
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

    /// Fills `narrow` or `wide` with the hashes of the text's shingles, sorted; the other is left empty.
    fn take_hashes(&self, text: &str, scratch: &mut Scratch) {
        self.extractor.tokenize(text, &mut scratch.tokens);
        scratch.narrow.clear();
        scratch.wide.clear();
        let hashes = self
            .extractor
            .shingles(&scratch.tokens)
            .map(|shingle| self.hash.hash(shingle.as_bytes()));
        if self.hash.is_wide() {
            scratch.wide.extend(hashes);
            scratch.wide.sort_unstable();
        } else {
            scratch.narrow.extend(hashes.map(|hash| hash as u64));
            scratch.narrow.sort_unstable();
        }
    }

    fn weigh(&self, hash: u128, count: u32) -> FixedWeight {
        let idf = match &self.frequencies {
            Some(frequencies) if self.recipe.weights.needs_frequencies() => {
                frequencies.inverse(hash as u64)
            }
            _ => 1.0,
        };
        self.recipe.weights.weigh(count, idf)
    }
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
