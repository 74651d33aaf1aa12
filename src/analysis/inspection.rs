//! The inspection of one document: its text, the votes behind its bits, and the reasons why its distances
//! may mislead.

use crate::{
    explain::{
        BitMargins,
        bit_margins::alone,
        triage::{Finding, FlagLimits, TriageFacts, findings},
    },
    id::DocId,
    simhash::{FeatureVotes, Recipe, Votes},
    text::visible::visible_lines,
};

/// The most bytes of a text that a screen shows; the rest is counted.
const SHOWN_BYTES: usize = 256 * 1024;

/// The most features of a document that a screen keeps.
pub const MOST_FEATURES: usize = 20_000;

/// The details of one document, read again for the screen.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The document.
    pub document: DocId,
    /// The recipe under which its votes were counted.
    pub recipe: Recipe,
    /// Its lines, sanitised; `None` if the corpus holds only its fingerprint.
    pub lines: Option<Vec<String>>,
    /// Bytes of text not shown.
    pub hidden_bytes: usize,
    /// The votes on each bit; `None` without text or without features.
    pub votes: Option<Votes>,
    /// The features with their votes; `None` without features or with too many to keep.
    pub feature_votes: Option<FeatureVotes>,
    /// The margin of each bit; `None` without votes.
    pub margins: Option<BitMargins>,
    /// The features that decide bits alone, each with these bits; empty without feature votes.
    pub alone: Vec<(usize, u128)>,
    /// The figures that decide its flags, without those that need the whole corpus; `None` if its features were not
    /// counted.
    pub facts: Option<TriageFacts>,
    /// Tokens after stop words.
    pub n_tokens: u32,
}

impl Inspection {
    /// Inspects a document; `text` is `None` if there is only a fingerprint, or if no line is shown. The features
    /// are kept if there are at most `most_voters`.
    pub fn new(
        document: DocId,
        recipe: Recipe,
        text: Option<&str>,
        feature_votes: Option<FeatureVotes>,
        most_voters: usize,
    ) -> Self {
        let shown = text.map(clip);
        let facts = feature_votes
            .as_ref()
            .map(|feature_votes| TriageFacts::of(feature_votes, &recipe, None));
        let n_tokens = feature_votes.as_ref().map_or(0, |feature_votes| feature_votes.n_tokens);
        let feature_votes =
            feature_votes.filter(|feature_votes| !feature_votes.features.is_empty());
        let margins =
            feature_votes.as_ref().map(|feature_votes| BitMargins::new(feature_votes, recipe.tie));
        let votes = feature_votes.as_ref().map(|feature_votes| feature_votes.votes.clone());
        let feature_votes =
            feature_votes.filter(|feature_votes| feature_votes.features.len() <= most_voters);
        Self {
            document,
            lines: shown.map(|text| visible_lines(text).collect()),
            hidden_bytes: text.map_or(0, str::len) - shown.map_or(0, str::len),
            votes,
            alone: feature_votes
                .as_ref()
                .map_or_else(Vec::new, |feature_votes| alone(feature_votes, recipe.tie)),
            feature_votes,
            margins,
            facts,
            n_tokens,
            recipe,
        }
    }

    /// The reasons why its distances may mislead; `common` is the share of `||w||^2` that common features have, if
    /// it is known.
    pub fn findings(&self, common: Option<f64>) -> Vec<Finding> {
        let judge = |facts| findings(&TriageFacts { common, ..facts }, &FlagLimits::default());
        self.facts.map_or_else(Vec::new, judge)
    }

    /// `||w||`: the root of the sum of squared weights; 0 without votes.
    pub fn norm(&self) -> f64 {
        self.votes.as_ref().map_or(0.0, Votes::norm)
    }
}

/// The first 256 KiB of a text, cut between characters.
pub fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN_BYTES)]
}
