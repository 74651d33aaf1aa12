//! The features of two documents side by side, matched by their shingles.
//!
//! Everything that compares two ballots starts here: the shared features, the deciders of a differing bit,
//! the edits that make them match. Costs a look-up and a copy of each feature, so that an explanation
//! outlives the ballots.

use std::{collections::HashMap, sync::Arc};

use crate::{
    feature::FixedWeight,
    simhash::{Ballot, Voter},
};

/// A feature that one or both of two documents have.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// The shingle.
    pub shingle: Arc<str>,
    /// The hash, cut to the fingerprint's width.
    pub hash: u128,
    /// Its weight in each document that has it; at least one does.
    pub weights: [Option<FixedWeight>; 2],
}

impl Matched {
    /// Its weight in a document, 0 where the document lacks it.
    pub fn weight(&self, side: usize) -> FixedWeight {
        self.weights[side].unwrap_or_default()
    }
}

/// Every feature of two documents once: those of `a` in its order, then those only `b` has in its.
pub fn matched(a: &Ballot, b: &Ballot) -> Vec<Matched> {
    let feature = |voter: &Voter, weights| Matched {
        shingle: voter.shingle.as_str().into(),
        hash: voter.hash,
        weights,
    };
    let mut found: Vec<Matched> =
        a.voters.iter().map(|voter| feature(voter, [Some(voter.weight), None])).collect();
    let places: HashMap<&str, usize> =
        a.voters.iter().enumerate().map(|(at, voter)| (voter.shingle.as_str(), at)).collect();
    for voter in &b.voters {
        match places.get(voter.shingle.as_str()) {
            Some(&at) => found[at].weights[1] = Some(voter.weight),
            None => found.push(feature(voter, [None, Some(voter.weight)])),
        }
    }
    found
}
