//! The numbers of the present screen, each with its formula, the values in it, and its meaning.
//!
//! `?` lists the keys, Tab there the numbers. The functions that compute the numbers of the screen also compute the
//! listed ones, so an explanation cannot differ from the screen. The list costs microseconds to a millisecond; it is
//! made when it is opened or the screen below it changes.

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
