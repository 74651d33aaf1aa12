//! Explanations: the features that decided a bit, the features that two documents share, the tables that
//! bring them together.
//!
//! Everything here is recomputed from fingerprints and texts; nothing is guessed or stored. A
//! [`FeatureVotes`](crate::simhash::FeatureVotes) is a text taken apart: every feature with its hash and
//! weight.
//!
//! - [`bit_margins`]: how firmly each bit of a document was decided.  - [`bit`]: the features that pushed one
//!   bit, and the fewest that would flip it.
//! - [`aligned_feature`]: the features of two documents side by side.  - [`overlap`]: how alike they are by
//!   their features.  - [`contributors`]: the features that decided the bits in which they differ.
//! - [`pair`]: which tables catch a pair.  - [`near_miss`]: the nearest layout that would.
//! - [`counterfactual`]: the cheapest edits that would make them match.  - [`sentence`]: what leaving out
//!   each sentence would do.  - [`texts`]: all of these for one pair.  - [`text_diff`]: what the texts say
//!   apart.  - [`excerpt`]: the same, cut down to the places where they differ.
//! - [`tally`]: voting, feature by feature.  - [`hyperplane`]: lines between two vectors.
//! - [`perturbation`]: the distances that a text moves when its words change.
//! - [`triage`]: documents whose distances mislead.  - [`health`]: the corpus's bits as a whole.
//! - [`figures`]: how all of these write a weight or a feature.

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
