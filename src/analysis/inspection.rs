//! The inspection of one document: its text, the votes behind its bits, and the reasons why its distances
//! may mislead.
//!
//! Also here: the rows of a sorted table around one document, and the steps of the binary search for it. The table itself is
//! never built.
//!
//! And the neighbours of a document, including documents a little beyond k.

use std::ops::Range;
use std::sync::Arc;

use super::{Analysis, FingerprintIndex, TableRow};
use crate::explain::BitMargins;
use crate::explain::bit_margins::alone;
use crate::explain::triage::{Finding, TriageFacts, findings};
use crate::id::DocId;
use crate::index::{IndexWindow, Neighbour, SearchStep};
use crate::simhash::{FeatureVotes, Fingerprint, Fingerprinter, Recipe, Votes};
use crate::text::visible::visible_lines;

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
    /// The names of the fields that the text is made of, if there are several, and the line with which each begins.
    pub names: Vec<(usize, String)>,
    /// Whether all words of a line are left out of the features.
    pub ignored: Vec<bool>,
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
        let facts = feature_votes.as_ref().map(|it| TriageFacts::of(it, &recipe, None));
        let n_tokens = feature_votes.as_ref().map_or(0, |it| it.n_tokens);
        let feature_votes = feature_votes.filter(|it| !it.features.is_empty());
        let margins = feature_votes.as_ref().map(|it| BitMargins::new(it, recipe.tie));
        let votes = feature_votes.as_ref().map(|it| it.votes.clone());
        let feature_votes = feature_votes.filter(|it| it.features.len() <= most_voters);
        Self {
            document,
            lines: shown.map(|text| visible_lines(text).collect()),
            names: Vec::new(),
            ignored: Vec::new(),
            hidden_bytes: text.map_or(0, str::len) - shown.map_or(0, str::len),
            votes,
            alone: feature_votes.as_ref().map_or_else(Vec::new, |it| alone(it, recipe.tie)),
            feature_votes,
            margins,
            facts,
            n_tokens,
            recipe,
        }
    }

    /// The inspection with the names of the texts that the text is made of, with a blank line between them.
    #[must_use]
    pub fn with_names(mut self, parts: &[(String, String)]) -> Self {
        let n_lines = self.lines.as_ref().map_or(0, Vec::len);
        let mut line = 0;
        for (name, text) in parts {
            let name: String = visible_lines(name).collect();
            self.names.extend((line < n_lines).then_some((line, name)));
            line += visible_lines(text).count() + 1;
        }
        self
    }

    /// The inspection with the lines that are left out of the features.
    #[must_use]
    pub(super) fn with_ignored(mut self, fingerprinter: &Fingerprinter) -> Self {
        self.ignored = fingerprinter.ignored_lines(self.lines.as_deref().unwrap_or_default());
        self
    }

    /// The reasons why its distances may mislead; `common` is the share of `||w||^2` that common features have, if
    /// it is known.
    pub fn findings(&self, common: Option<f64>) -> Vec<Finding> {
        let judge = |facts| findings(&TriageFacts { common, ..facts });
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

/// The rows of a sorted table on the screen.
#[derive(Clone, Debug)]
pub struct TableWindow {
    /// The index from which the rows were made. After a change of k it may differ from the present index.
    pub index: Arc<FingerprintIndex>,
    /// The number of the table.
    pub table: usize,
    /// The position of the first row in the table.
    pub first: usize,
    /// The rows.
    pub rows: Vec<TableRow>,
    /// The positions of all rows of the table with the query's key.
    pub matching: Range<usize>,
    /// The position of the query's own row.
    pub query: Option<usize>,
    /// Every comparison of the search for the window.
    pub steps: Vec<SearchStep>,
    /// The number of rows of the table.
    pub n_rows: usize,
}

impl TableWindow {
    /// Finds `fingerprint` in a table and returns `height` rows around it. One pass over all fingerprints.
    pub fn around(
        index: &Arc<FingerprintIndex>,
        table: usize,
        fingerprint: Fingerprint,
        height: usize,
    ) -> Self {
        let found = index.window(table, fingerprint, height);
        let rows = found.entries.iter().map(|&entry| index.row(entry)).collect();
        let steps = found.steps();
        let IndexWindow { n_rows, matching, query, first, .. } = found;
        Self { index: Arc::clone(index), table, first, rows, matching, query, steps, n_rows }
    }
}

/// More neighbours than this are counted, not listed.
const MOST_NEIGHBOURS: usize = 10_000;

/// The number of documents that are listed at least, however far they are.
const NEAREST: usize = 20;

/// The largest distance of the list. It is larger than k, because documents just beyond k are instructive.
pub fn reach(k: u32, width: u32) -> u32 {
    (k + k.clamp(3, 6)).min(width)
}

/// The listed neighbours of a document.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// The document.
    pub query: Option<DocId>,
    /// Its neighbours within reach, nearest first, then in corpus order.
    pub list: Vec<Neighbour>,
    /// The distance up to which documents are listed; of a larger one than [`reach`] only the nearest.
    pub reach: u32,
    /// The number of neighbours that are not listed.
    pub n_hidden: usize,
    /// The document that is listed only because it was asked for, not by its bits.
    pub guest: Option<DocId>,
}

/// Lists the neighbours of `query` by a scan, and the nearest other documents if they are few. The document `held`,
/// which the user pinned, is listed at any distance. With a reference, only documents of the other corpus are
/// listed.
pub fn neighbours(analysis: &Analysis, query: DocId, held: Option<DocId>) -> Neighbours {
    let mut reach = reach(analysis.settings.k, analysis.settings.recipe.bits);
    let known = analysis.index.as_ref().zip(analysis.fingerprint(query));
    let Some((index, fingerprint)) = known else {
        return Neighbours { query: Some(query), reach, ..Neighbours::default() };
    };
    let within = |reach| {
        let mut found = index.neighbours(fingerprint, reach);
        let corpus = &analysis.corpus;
        found.retain(|neighbour| match corpus.reference() {
            None => neighbour.document != query,
            Some(_) => corpus.is_reference(neighbour.document) != corpus.is_reference(query),
        });
        found
    };
    let mut list = within(reach);
    // Where few are near, the nearest of the others tell how near the next ones are. The steps are small, since the
    // number within a distance grows fast with it.
    while list.len() < NEAREST && reach < fingerprint.width() {
        reach = (reach + reach / 2 + 1).min(fingerprint.width());
        list = within(reach);
        list.truncate(NEAREST);
    }
    let n_hidden = list.len().saturating_sub(MOST_NEIGHBOURS);
    list.truncate(MOST_NEIGHBOURS);
    let guest = held.filter(|held| *held != query).and_then(|document| {
        let distance = fingerprint.distance(analysis.fingerprint(document)?);
        Some(Neighbour { document, distance })
    });
    let guest = guest.filter(|guest| list.iter().all(|it| it.document != guest.document));
    if let Some(guest) = guest {
        let key = |neighbour: &Neighbour| (neighbour.distance, neighbour.document);
        list.insert(list.partition_point(|neighbour| key(neighbour) < key(&guest)), guest);
    }
    let guest = guest.map(|guest| guest.document);
    Neighbours { query: Some(query), list, reach, n_hidden, guest }
}
