//! The settings of a user that are saved with a review, so that the corpus opens with the same settings again.

use serde::{Deserialize, Serialize};

use crate::analysis::{DEFAULT_K, Settings};

/// The recipe of a review that names none: the default of the time when only other recipes were written.
pub const FIRST_DEFAULT: &str = "words:3 tf";

/// Recipe, k, filter, order and columns. The recipe is written whole, so that a review keeps its fingerprints whatever the
/// default becomes; of the others only values that differ from the default are written. Settings that another version
/// knows are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewSettings {
    /// The recipe in one line; [`FIRST_DEFAULT`] if the review was written without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// The largest distance that is near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// The filter of the list, as typed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub filter: String,
    /// The order of the list, by its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub order: String,
    /// Whether the order is reversed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
    /// The fields shown as columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

impl ReviewSettings {
    /// Whether all settings are the defaults.
    pub fn are_default(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the recipe, and k if it differs from the default.
    #[must_use]
    pub fn with(self, settings: &Settings) -> Self {
        Self {
            recipe: Some(settings.recipe.to_string()),
            k: (settings.k != DEFAULT_K).then_some(settings.k),
            ..self
        }
    }

    /// The saved settings; `given` if the saved settings are invalid.
    pub fn settings(&self, given: &Settings) -> Settings {
        let recipe = self.recipe.as_ref().and_then(|line| line.parse().ok());
        let settings = Settings {
            recipe: recipe.unwrap_or_else(|| given.recipe.clone()),
            k: self.k.unwrap_or(given.k),
            layout: given.layout,
            alike: given.alike,
        };
        if settings.check().is_ok() { settings } else { given.clone() }
    }
}
