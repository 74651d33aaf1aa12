//! The numbers of the present screen, each with its formula, the values in it, and what it means.
//!
//! `?` lists the keys, Tab there the numbers. What is listed is computed by the functions that make the
//! screen's own numbers, so an explanation cannot differ from the screen. Costs microseconds to a
//! millisecond; it is made when the list is opened or the screen below it changes.

pub mod bench;
pub(super) mod corpus;
pub(super) mod groups;
pub(super) mod health;
pub(super) mod learn;
pub(super) mod marks;
pub mod number;
pub(super) mod pair;
pub(super) mod tune;
pub(super) mod votes;

pub use number::ExplainedNumber;
