//! The recipes of the fingerprints that a corpus carries, and what its rows may say of their own.

use std::fmt::Display;
use std::sync::Arc;

use super::Corpus;
use super::recipe_origin::{CarriedRecipe, RecipeOrigin};

impl Corpus {
    /// The recipes of the fingerprints in the corpus, each once, with the first file that has it.
    pub fn carried_recipes(&self) -> &[CarriedRecipe] {
        &self.carried_recipes
    }

    /// Whether some fingerprints in the corpus are of an unknown recipe.
    pub fn has_unknown_recipe(&self) -> bool {
        self.has_unknown_recipe
    }

    /// The recipe that rows about the corpus may name, if this one was used for its texts; `None` if some
    /// fingerprints are of an unknown one.
    pub fn recipe_to_record(&self, used: &dyn Display) -> Option<String> {
        (!self.has_unknown_recipe).then(|| used.to_string())
    }

    /// Whether no fingerprint of the corpus is of a known recipe.
    pub fn is_of_unknown_recipe(&self) -> bool {
        let summary = self.summary();
        let n_given = summary.fingerprints + summary.hashed;
        self.has_unknown_recipe && self.carried_recipes.is_empty() && n_given == summary.documents
    }

    /// Notes the recipe of an input with fingerprints.
    pub(super) fn note_recipe(&mut self, origin: RecipeOrigin) {
        Arc::make_mut(&mut self.recipe_origins).push(origin.clone());
        match origin.find() {
            Some(found) => {
                if self.carried_recipes.iter().all(|known| known.line != found.line) {
                    Arc::make_mut(&mut self.carried_recipes).push(found);
                }
            }
            None => self.has_unknown_recipe = true,
        }
    }
}
