//! The features of two documents side by side, matched by their shingles.
//!
//! Everything that compares two ballots starts here: what is shared, who decided a differing bit, what
//! would have to change. Costs a look-up a feature.

use std::collections::HashMap;

use crate::{
    feature::FixedWeight,
    simhash::{Ballot, Voter},
};

/// A feature that one or both of two documents have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matched<'a> {
    /// The feature in each document that has it; at least one does.
    pub sides: [Option<&'a Voter>; 2],
}

impl<'a> Matched<'a> {
    /// The feature in either document.
    ///
    /// # Panics
    /// If neither has it, as [`matched`] makes none.
    pub fn voter(&self) -> &'a Voter {
        self.sides[0].or(self.sides[1]).expect("one of the two has it")
    }

    /// Its weight in a document, 0 where it is not.
    pub fn weight(&self, side: usize) -> FixedWeight {
        self.sides[side].map_or_else(FixedWeight::default, |voter| voter.weight)
    }
}

/// Every feature of two documents once: those of `a` in its order, then those only `b` has in its.
pub fn matched<'a>(a: &'a Ballot, b: &'a Ballot) -> Vec<Matched<'a>> {
    let mut found: Vec<Matched<'a>> =
        a.voters.iter().map(|voter| Matched { sides: [Some(voter), None] }).collect();
    let places: HashMap<&str, usize> =
        a.voters.iter().enumerate().map(|(at, voter)| (voter.shingle.as_str(), at)).collect();
    for voter in &b.voters {
        match places.get(voter.shingle.as_str()) {
            Some(&at) => found[at].sides[1] = Some(voter),
            None => found.push(Matched { sides: [None, Some(voter)] }),
        }
    }
    found
}
