//! Why: what two fingerprints share, which tables bring them together, what their texts say apart.
//!
//! Everything here is recomputed from fingerprints and texts; nothing is guessed or stored.

pub mod pair;
pub mod text_diff;

pub use pair::{PairExplanation, TableOutcome};
pub use text_diff::{DiffSpan, TextDiff};
