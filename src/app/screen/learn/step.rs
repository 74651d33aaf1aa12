//! Step: the votes of one text, feature by feature.

use std::sync::Arc;

use crate::{
    analysis::inspection::Inspection,
    explain::VoteTally,
    simhash::{FeatureVotes, Recipe},
};

use super::Playground;

/// The state of the Step view.
#[derive(Clone, Debug, Default)]
pub struct StepState {
    /// Features that have voted.
    pub cast: usize,
    /// The bit looked at, counted from the left of the screen.
    pub column: u32,
    /// Whether features vote automatically.
    pub playing: bool,
    /// A document of the corpus in place of the Playground's first text.
    pub document: Option<Arc<Inspection>>,
}

impl StepState {
    /// The feature votes that are counted, and under which recipe.
    pub fn subject<'a>(&'a self, playground: &'a Playground) -> (&'a FeatureVotes, &'a Recipe) {
        match self
            .document
            .as_ref()
            .and_then(|document| Some((document.feature_votes.as_ref()?, document)))
        {
            Some((feature_votes, document)) => (feature_votes, &document.recipe),
            None => (&playground.feature_votes[0], &playground.recipe),
        }
    }

    /// The number of features that vote.
    pub fn len(&self, playground: &Playground) -> usize {
        self.subject(playground).0.features.len()
    }

    /// Whether there are no features.
    pub fn is_empty(&self, playground: &Playground) -> bool {
        self.len(playground) == 0
    }

    /// Lets more features vote, or takes votes back.
    pub fn step(&mut self, by: isize, playground: &Playground) {
        let last = self.len(playground);
        self.cast = self.cast.saturating_add_signed(by).min(last);
        self.playing &= self.cast < last;
    }

    /// The present totals.
    pub fn tally(&self, playground: &Playground) -> VoteTally {
        let (feature_votes, recipe) = self.subject(playground);
        VoteTally::after(feature_votes, self.cast, recipe.tie)
    }

    /// The totals before the last feature voted.
    pub fn tally_before(&self, playground: &Playground) -> VoteTally {
        let (feature_votes, recipe) = self.subject(playground);
        VoteTally::after(feature_votes, self.cast.saturating_sub(1), recipe.tie)
    }

    /// The bit looked at.
    pub fn bit(&self, playground: &Playground) -> u32 {
        let width = self.subject(playground).1.bits;
        width - 1 - self.column.min(width - 1)
    }

    /// Looks at another bit.
    pub fn sideways(&mut self, by: isize, playground: &Playground) {
        let width = self.subject(playground).1.bits;
        let column = self.column.min(width - 1) as usize;
        self.column = column.saturating_add_signed(by).min(width as usize - 1) as u32;
    }
}
