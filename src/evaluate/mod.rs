//! Evaluation: the similarity that a distance implies, and the pairs that chance alone would give.
//!
//! A fingerprint of f bits asks f random yes-no questions; two texts at angle theta answer each
//! differently with probability theta / pi. Everything here follows from that: distances are binomial,
//! an estimated cosine has an interval, and unrelated texts agree by luck at a known rate.
//!
//! - [`angle`]: cosine to distance and back, and how safely a bit was decided.
//! - [`interval`]: Jeffreys intervals of a proportion, and of the cosine behind a distance.
//! - [`clustered`]: the same of a share whose observations come in clusters.
//! - [`null`]: near pairs that chance alone makes, by coins or fitted to a corpus, and the k it allows.
//! - [`distances`]: how many pairs lie at each distance, counted or sampled.
//! - [`edit`]: the distance that one changed word moves a text.
//! - [`bands`]: m bands of K bits: the S-curve and the candidates to expect.
//! - [`sample`]: which pairs a person should judge; [`labels`]: the verdicts, counted by distance;
//!   [`precision`](mod@precision): the precision of each k by these; [`recommend`](mod@recommend): the k to
//!   choose, if any.
//! - [`bags`] and [`vectors`]: texts as counted features and as unit vectors, for exact cosines;
//!   [`mod@cosine`]: the cosine from integers, and when it reaches tau.
//! - [`truth`]: every pair with a cosine of at least tau, exactly.
//! - [`confusion`] and [`recall`]: how a search compares with it; recall from the true pairs of some texts;
//!   [`curve`]: the same at every k, and the k that serves both best.
//!
//! Read: Charikar (STOC 2002) for theta / pi; Brown, Cai and `DasGupta`, "Interval estimation for a
//! binomial proportion" (2001) for the intervals; Leskovec, Rajaraman and Ullman, "Mining of massive
//! datasets", chapter 3, for the S-curve.

pub mod angle;
pub mod bags;
pub mod bands;
pub mod clustered;
pub mod confusion;
pub mod cosine;
pub mod curve;
pub mod distances;
mod draws;
pub mod edit;
pub mod interval;
pub mod labels;
pub mod null;
pub mod precision;
pub mod recall;
pub mod recommend;
pub mod sample;
pub mod truth;
pub mod vectors;
