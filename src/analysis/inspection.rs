//! The inspection of one document: its text, the votes behind its bits, and the reasons why its distances
//! may mislead.

use crate::{
    explain::{
        Standing,
        standing::alone,
        triage::{Facts, Finding, Limits, findings},
    },
    id::DocId,
    simhash::{Ballot, Recipe, Votes},
    text::visible::visible_lines,
};

/// The longest text laid out for the screen, in bytes; the rest is counted, not shown.
pub const SHOWN_BYTES: usize = 256 * 1024;

/// A document with more features does not keep them by name on the screen.
pub const MOST_VOTERS: usize = 20_000;

/// A document read again for the screen.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The document.
    pub document: DocId,
    /// The recipe its votes were counted under.
    pub recipe: Recipe,
    /// Its lines, sanitised; `None` where the corpus carries only its fingerprint.
    pub lines: Option<Vec<String>>,
    /// Bytes of text not shown.
    pub hidden_bytes: usize,
    /// The votes on each bit; `None` without text or without features.
    pub votes: Option<Votes>,
    /// The features that cast them; `None` also where they are too many to keep.
    pub ballot: Option<Ballot>,
    /// The margin of each bit; `None` without votes.
    pub standing: Option<Standing>,
    /// The features that hold bits all by themselves, with the bits; empty without a ballot.
    pub alone: Vec<(usize, u128)>,
    /// The figures its flags are decided by, as far as one document alone shows them; `None` where its
    /// features were not counted.
    pub facts: Option<Facts>,
    /// Tokens after stop words.
    pub n_tokens: u32,
}

impl Inspection {
    /// Lays a document open; `text` is `None` where there is only a fingerprint, or no line is shown. The
    /// features are kept by name where they are at most `most_voters`.
    pub fn new(
        document: DocId,
        recipe: Recipe,
        text: Option<&str>,
        ballot: Option<Ballot>,
        most_voters: usize,
    ) -> Self {
        let shown = text.map(clip);
        let facts = ballot.as_ref().map(|ballot| Facts::of(ballot, &recipe, None));
        let n_tokens = ballot.as_ref().map_or(0, |ballot| ballot.n_tokens);
        let ballot = ballot.filter(|ballot| !ballot.voters.is_empty());
        let standing = ballot.as_ref().map(|ballot| Standing::new(ballot, recipe.tie));
        let votes = ballot.as_ref().map(|ballot| ballot.votes.clone());
        let ballot = ballot.filter(|ballot| ballot.voters.len() <= most_voters);
        Self {
            document,
            lines: shown.map(|text| visible_lines(text).collect()),
            hidden_bytes: text.map_or(0, str::len) - shown.map_or(0, str::len),
            votes,
            alone: ballot.as_ref().map_or_else(Vec::new, |ballot| alone(ballot, recipe.tie)),
            ballot,
            standing,
            facts,
            n_tokens,
            recipe,
        }
    }

    /// The reasons why its distances may mislead; `common` is the share of `||w||^2` that common features
    /// have, where it is known.
    pub fn findings(&self, common: Option<f64>) -> Vec<Finding> {
        let judge = |facts| findings(&Facts { common, ..facts }, &Limits::default());
        self.facts.map_or_else(Vec::new, judge)
    }

    /// `||w||`: the root of the sum of squared weights; 0 without votes.
    pub fn norm(&self) -> f64 {
        self.votes.as_ref().map_or(0.0, Votes::norm)
    }
}

/// The first [`SHOWN_BYTES`] of a text, cut between characters.
pub fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN_BYTES)]
}
