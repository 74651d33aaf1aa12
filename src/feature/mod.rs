//! Tokens to weighted features.
//!
//! ```text
//! the | tide | the | tide   --words:2-->   "the tide" x2, "tide the" x1   --tf-->   2.0, 1.0
//! ```
//!
//! A feature is a shingle and its weight. This folder does not hash features: document frequencies are stored
//! under keys that the caller provides.

pub mod extract;
pub mod frequency;
pub mod weight;

pub use extract::{Shingling, ShortTexts};
pub use frequency::{DocumentFrequencies, FrequencyCounter};
pub use weight::{DocumentShare, FixedWeight, FrequencyCut, Weighting};
