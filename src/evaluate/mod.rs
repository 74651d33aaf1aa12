//! How good is it: what a distance says of a similarity, and what chance alone would give.
//!
//! A fingerprint of f bits asks f random yes-no questions; two texts at angle theta answer each
//! differently with probability theta / pi. Everything here follows from that: distances are binomial,
//! an estimated cosine has an interval, and unrelated texts agree by luck at a known rate.
//!
//! - [`angle`]: cosine to distance and back, and how safely a bit was decided.
//! - [`interval`]: Jeffreys intervals of a proportion, and of the cosine behind a distance.
//! - [`null`]: near pairs that chance alone makes, and the k it allows.
//! - [`edit`]: how far one changed word moves a text.
//! - [`bands`]: m bands of K bits: the S-curve and the candidates to expect.
//!
//! Read: Charikar (STOC 2002) for theta / pi; Brown, Cai and `DasGupta`, "Interval estimation for a
//! binomial proportion" (2001) for the intervals; Leskovec, Rajaraman and Ullman, "Mining of massive
//! datasets", chapter 3, for the S-curve.

pub mod angle;
pub mod bands;
pub mod edit;
pub mod interval;
pub mod null;
