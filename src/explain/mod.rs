//! Explanations: the features that decided a bit, the features that two documents share, the tables that find a
//! pair.
//!
//! Everything here is recomputed from fingerprints and texts; nothing is guessed or stored. A
//! [`FeatureVotes`](crate::simhash::FeatureVotes) holds all features of a text with their hashes and weights.
//!
//! - [`bit_margins`]: how clearly each bit of a document was decided.
//! - [`bit`]: the features that pushed one bit, and the smallest set that would flip it.
//! - [`overlap`]: the features of two documents side by side, their similarity, and the features that decided
//!   the bits in which they differ.
//! - [`pair`]: the tables that find a pair, the reason for equal fingerprints, and voting feature by feature.
//! - [`near_miss`]: the nearest layout that would find it.
//! - [`counterfactual`]: a few edits that would make two documents match.
//! - [`sentence`]: the effect of leaving out each sentence, and all of these for one pair.
//! - [`text_diff`]: the differences of two texts, and two texts cut down to them.
//! - [`hyperplane`]: random lines between two vectors, and an ordinary hash and MinHash for comparison.
//! - [`triage`]: documents whose distances mislead.
//! - [`figures`]: the notation of weights and features.

pub mod bit;
pub mod bit_margins;
pub mod counterfactual;
pub mod figures;
pub mod hyperplane;
pub mod near_miss;
pub mod overlap;
pub mod pair;
pub mod sentence;
pub mod text_diff;
pub mod triage;

pub use bit::BitExplanation;
pub use bit_margins::BitMargins;
pub use counterfactual::Counterfactual;
pub use hyperplane::Hyperplanes;
pub use overlap::Overlap;
pub use pair::{EqualityKind, PairExplanation, TableOutcome};
pub use sentence::TextsExplanation;
pub use text_diff::{DiffSpan, Excerpt, TextDiff};
