//! The neighbours of a document, including documents a little beyond k.

use super::Analysis;
use crate::{id::DocId, index::Neighbour};

/// More neighbours than this are counted, not listed.
const MOST_NEIGHBOURS: usize = 10_000;

/// The number of documents that are listed if none is within the usual reach.
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
    /// The largest distance listed.
    pub reach: u32,
    /// The number of neighbours that are not listed.
    pub n_hidden: usize,
    /// Whether the pinned document is listed although it is not among the other neighbours.
    pub has_pinned: bool,
}

/// Lists the neighbours of `query` by a scan, or the nearest documents if nothing is near. The document `held`,
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
    // If nothing is near, the nearest documents are listed, however far they are.
    while list.is_empty() && reach < fingerprint.width() {
        reach = (reach * 2).clamp(1, fingerprint.width());
        list = within(reach);
        list.truncate(NEAREST);
    }
    let n_hidden = list.len().saturating_sub(MOST_NEIGHBOURS);
    list.truncate(MOST_NEIGHBOURS);
    let guest = held.filter(|held| *held != query).and_then(|document| {
        let distance = fingerprint.distance(analysis.fingerprint(document)?);
        Some(Neighbour { document, distance })
    });
    let mut has_pinned = false;
    if let Some(guest) = guest
        && !list.iter().any(|neighbour| neighbour.document == guest.document)
    {
        let key = |neighbour: &Neighbour| (neighbour.distance, neighbour.document);
        list.insert(list.partition_point(|neighbour| key(neighbour) < key(&guest)), guest);
        has_pinned = true;
    }
    Neighbours { query: Some(query), list, reach, n_hidden, has_pinned }
}
