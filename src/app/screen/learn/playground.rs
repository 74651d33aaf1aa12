//! The Playground: two short texts under a recipe of their own, counted again at each key.

use tui_input::Input;

use crate::choice::cycled;
use crate::explain::Overlap;
use crate::explain::overlap::align;
use crate::feature::{Shingling, Weighting};
use crate::simhash::{FeatureVotes, Fingerprint, Fingerprinter, Recipe};

/// The most characters of a text: counting their features takes well under the time of a frame.
pub const MOST_CHARACTERS: usize = 2000;

/// Shingles to choose from in place.
const SHINGLES: [Shingling; 7] = [
    Shingling::Words(1),
    Shingling::Words(2),
    Shingling::Words(3),
    Shingling::Chars(3),
    Shingling::Chars(4),
    Shingling::Chars(5),
    Shingling::Chars(8),
];
/// Weights to choose from; tf-idf needs a corpus.
const WEIGHTS: [Weighting; 3] = [Weighting::Binary, Weighting::Tf, Weighting::LogTf];

/// Two texts, and their features and votes.
#[derive(Clone, Debug)]
pub struct Playground {
    /// The texts as typed.
    pub texts: [Input; 2],
    /// The index of the text that has the keys.
    pub focus: usize,
    /// Whether keys are typed into it.
    pub editing: bool,
    /// The recipe here.
    pub recipe: Recipe,
    /// The features of each text and their votes.
    pub feature_votes: [FeatureVotes; 2],
}

impl Default for Playground {
    fn default() -> Self {
        Self::new("the tide came in over the sand", "the tide came in over the rocks", recipe())
    }
}

/// The recipe to begin with: single words are easiest to follow.
fn recipe() -> Recipe {
    Recipe { features: Shingling::Words(1), ..Recipe::default() }
}

impl Playground {
    /// These two texts under a recipe, which must be valid and not need a corpus.
    pub fn new(left: &str, right: &str, recipe: Recipe) -> Self {
        let feature_votes = [count(&recipe, left), count(&recipe, right)];
        let texts = [left.into(), right.into()];
        Self { texts, focus: 0, editing: false, recipe, feature_votes }
    }

    /// Counts both texts again.
    pub fn recount(&mut self) {
        self.feature_votes = [0, 1].map(|side| count(&self.recipe, self.texts[side].value()));
    }

    /// The next shingles to choose from.
    pub fn next_shingles(&mut self) {
        self.recipe.features = cycled(&SHINGLES, self.recipe.features, 1);
        self.recount();
    }

    /// The next weights to choose from.
    pub fn next_weights(&mut self) {
        self.recipe.weights = cycled(&WEIGHTS, self.recipe.weights, 1);
        self.recount();
    }

    /// The fingerprint of a text; `None` if it has no features.
    pub fn fingerprint(&self, side: usize) -> Option<Fingerprint> {
        self.feature_votes[side].fingerprint(&self.recipe)
    }

    /// The distance of the two; `None` if one has no fingerprint.
    pub fn distance(&self) -> Option<u32> {
        Some(self.fingerprint(0)?.distance(self.fingerprint(1)?))
    }

    /// The shared features, and the features of only one text. Costs one lookup for each feature.
    pub fn overlap(&self) -> Overlap {
        let [left, right] = &self.feature_votes;
        Overlap::new(&align(left, right))
    }
}

/// The features of a text and their votes.
fn count(recipe: &Recipe, text: &str) -> FeatureVotes {
    let fingerprinter = Fingerprinter::new(recipe);
    fingerprinter.expect("a recipe without stop words and document frequencies").feature_votes(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::bit_margins::is_dominated;

    #[test]
    fn the_seeds_words_make_equal_fingerprints_where_one_rules() {
        let mut play = Playground::new("apple banana banana", "banana banana cherry", recipe());
        let is_dominated = |play: &Playground| is_dominated(&play.feature_votes[0].weights());
        assert_eq!((play.distance(), is_dominated(&play)), (Some(0), true));
        play.next_shingles();
        assert_eq!(play.recipe.features, Shingling::Words(2));
        assert_eq!(play.feature_votes[0].features.len(), 2);
        assert!(!is_dominated(&play));
    }

    #[test]
    fn the_cosine_is_that_of_the_weighed_features() {
        let play = Playground::new("a b c", "a b d", recipe());
        assert!((play.overlap().cosine.unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(Playground::new("", "a", recipe()).overlap().cosine, None);
        assert_eq!(Playground::new("", "a", recipe()).distance(), None);
    }
}
