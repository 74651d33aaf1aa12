//! One document laid open: its text and the votes behind its bits.

use crate::{
    id::DocId,
    simhash::{Ballot, Recipe, Votes},
    text::visible::visible_lines,
};

/// The longest text laid out for the screen; what lies beyond is counted, not shown.
pub const SHOWN_BYTES: usize = 256 * 1024;

/// More features than this are not kept by name.
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
    /// Who cast them; `None` also where they are more than [`MOST_VOTERS`].
    pub ballot: Option<Ballot>,
}

impl Inspection {
    /// Lays a document open; `text` is `None` where there is only a fingerprint.
    pub fn new(
        document: DocId,
        recipe: Recipe,
        text: Option<&str>,
        ballot: Option<Ballot>,
    ) -> Self {
        let shown = text.map(clip);
        let ballot = ballot.filter(|ballot| !ballot.voters.is_empty());
        Self {
            document,
            recipe,
            lines: shown.map(|text| visible_lines(text).collect()),
            hidden_bytes: text.map_or(0, str::len) - shown.map_or(0, str::len),
            votes: ballot.as_ref().map(|ballot| ballot.votes.clone()),
            ballot: ballot.filter(|ballot| ballot.voters.len() <= MOST_VOTERS),
        }
    }
}

/// The first [`SHOWN_BYTES`] of a text, cut between characters.
pub fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN_BYTES)]
}
