//! Explanations: the features that decided a bit, the features that two documents share, the tables that find a
//! pair.
//!
//! Everything here is recomputed from fingerprints and texts; nothing is guessed or stored. A
//! [`FeatureVotes`](crate::simhash::FeatureVotes) holds all features of a text with their hashes and weights.
//!
//! - [`bit_margins`]: how clearly each bit of a document was decided.
//! - [`bit`]: the features that pushed one bit, and the smallest set that would flip it.
//! - [`aligned_feature`]: the features of two documents side by side.
//! - [`overlap`]: the similarity of two documents by their features.
//! - [`contributors`]: the features that decided the bits in which two documents differ.
//! - [`pair`]: the tables that find a pair.
//! - [`near_miss`]: the nearest layout that would find it.
//! - [`counterfactual`]: a few edits that would make two documents match.
//! - [`sentence`]: the effect of leaving out each sentence.
//! - [`texts`]: all of these for one pair.
//! - [`text_diff`]: the differences of two texts.
//! - [`excerpt`]: two texts cut down to their differences.
//! - [`equality`]: the reason for equal fingerprints.
//! - [`tally`]: voting, feature by feature.
//! - [`hyperplane`]: random lines between two vectors.
//! - [`minhash`]: an ordinary hash, MinHash and SimHash for comparison.
//! - [`seeds`]: a pair under many hash functions.
//! - [`perturbation`]: the distances that a text moves when its words change.
//! - [`triage`]: documents whose distances mislead.
//! - [`health`]: the bits of a whole corpus.
//! - [`figures`]: the notation of weights and features.

pub mod aligned_feature;
pub mod bit;
pub mod bit_margins;
pub mod contributors;
pub mod counterfactual;
pub mod equality;
pub mod excerpt;
pub mod figures;
pub mod health;
pub mod hyperplane;
pub mod minhash;
pub mod near_miss;
pub mod overlap;
pub mod pair;
pub mod perturbation;
pub mod seeds;
pub mod sentence;
pub mod tally;
pub mod text_diff;
pub mod texts;
pub mod triage;

pub use bit::BitExplanation;
pub use bit_margins::BitMargins;
pub use counterfactual::Counterfactual;
pub use equality::EqualityKind;
pub use excerpt::Excerpt;
pub use health::Health;
pub use hyperplane::Hyperplanes;
pub use overlap::Overlap;
pub use pair::{PairExplanation, TableOutcome};
pub use perturbation::{PerturbationPlan, PerturbationRow, perturb};
pub use tally::VoteTally;
pub use text_diff::{DiffSpan, TextDiff};
pub use texts::TextsExplanation;
