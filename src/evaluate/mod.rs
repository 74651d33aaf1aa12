//! Evaluation: the similarity that a distance implies, and the pairs that chance alone would give.
//!
//! A fingerprint of f bits answers f random yes-no questions about a text. Two texts at angle theta give
//! different answers to each question with probability theta / pi. All modules use this: distances are
//! binomial, an estimated cosine has an interval, and unrelated texts agree by chance at a known rate.
//!
//! - [`angle`]: cosine to distance and back, and the chance that a bit flips; m bands of K bits: the S-curve and
//!   the candidates to expect; the distance that one changed word moves a text.
//! - [`interval`]: Jeffreys intervals of a proportion, and of the cosine behind a distance.
//! - [`distances`]: the number of pairs at each distance, counted or sampled; near pairs by chance alone, from
//!   independent bits or fitted to a corpus, and the k that this allows.
//! - [`sample`]: the pairs that a person should judge; [`labels`]: the verdicts, counted by distance;
//!   [`precision`](mod@precision): the precision of each k by these labels; [`recommend`](mod@recommend): the
//!   recommended k, if there is one.
//! - [`vectors`]: texts as unit vectors, for exact cosines; [`mod@cosine`]: texts as counted features, the cosine
//!   from integers, and the test whether it reaches tau.
//! - [`truth`]: all pairs with a cosine of at least tau, exactly.
//! - [`confusion`]: compares a search with the truth, also at every k, and the k with the best F1; [`recall`]:
//!   recall from the true pairs of some texts, and the interval of a share whose observations come in clusters.
//!
//! Read: Charikar (STOC 2002) for theta / pi; Brown, Cai and `DasGupta`, "Interval estimation for a
//! binomial proportion" (2001) for the intervals; Leskovec, Rajaraman and Ullman, "Mining of massive
//! datasets", chapter 3, for the S-curve.

pub mod angle;
pub mod confusion;
pub mod cosine;
pub mod distances;
pub mod interval;
pub mod labels;
pub mod precision;
pub mod recall;
pub mod recommend;
pub mod sample;
pub mod truth;
pub mod vectors;
