//! The distinct fingerprints of a corpus with a layout, in one type for 64 and 128 bits.
//!
//! Each distinct fingerprint is kept once, as an entry with its documents; entries are numbered in the order of
//! their first documents. The word size follows from the recipe's width when the index is built.
//!
//! No table is sorted: a query is a scan, and a screen shows a few rows of one table, which one pass finds. So the
//! index of another layout costs nothing. Memory: the distinct fingerprints.

use std::sync::Arc;

use super::settings::MOST_KEPT_PAIRS;
use super::{
    AnalysisError, FingerprintColumn, Job, PairsByDistance, ReachLimit, Settings, Stage, reach,
};
use crate::id::DocId;
use crate::index::{
    self, Distinct, DocumentPair, Groups, IndexWindow, Layout, LayoutError, Match, Neighbour, Pair,
    Plan, count_document_pairs,
};
use crate::number::grouped;
use crate::progress::Cancelled;
use crate::simhash::{Bits, Fingerprint};

/// The fingerprints of a corpus, collapsed, and one layout over them.
#[derive(Debug)]
pub enum FingerprintIndex {
    /// Up to 64 bits.
    Narrow(TypedIndex<u64>),
    /// Up to 128 bits.
    Wide(TypedIndex<u128>),
}

/// An index of one word size.
#[derive(Debug)]
pub struct TypedIndex<B> {
    pub(super) distinct: Arc<Distinct<B>>,
    pub(super) layout: Layout,
    /// Pairs of documents with equal fingerprints.
    pub(super) n_copy_pairs: u64,
    pub(super) width: u32,
    /// With a reference, the number of documents with a fingerprint in the first corpus and in the reference.
    pub(super) n_by_side: Option<[u64; 2]>,
}

/// A row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The fingerprint, with its blocks in their original order.
    pub fingerprint: Fingerprint,
    /// The first document with this fingerprint.
    pub document: DocId,
    /// The number of documents with this fingerprint.
    pub copies: usize,
}

/// Evaluates an expression with the typed index of either word size.
macro_rules! each {
    ($self:expr, $index:ident => $body:expr) => {
        match $self {
            Self::Narrow($index) => $body,
            Self::Wide($index) => $body,
        }
    };
}

pub(super) use each;

impl FingerprintIndex {
    /// Collapses the fingerprints of all documents. The documents from `reference` on are the reference.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled or if the layout cannot be cut.
    pub(crate) fn build(
        records: &FingerprintColumn,
        reference: Option<DocId>,
        settings: &Settings,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        Ok(if settings.recipe.bits <= u64::BITS {
            Self::Narrow(TypedIndex::build(records, reference, settings, job)?)
        } else {
            Self::Wide(TypedIndex::build(records, reference, settings, job)?)
        })
    }

    /// The same fingerprints with the layout of these settings.
    ///
    /// # Errors
    /// [`LayoutError`] if the layout cannot be cut.
    pub(crate) fn under(&self, settings: &Settings) -> Result<Self, LayoutError> {
        let layout = settings.layout(self.n_distinct())?;
        Ok(match self {
            Self::Narrow(index) => Self::Narrow(index.under(layout)),
            Self::Wide(index) => Self::Wide(index.under(layout)),
        })
    }

    /// Number of distinct fingerprints.
    pub fn n_distinct(&self) -> usize {
        each!(self, index => index.distinct.len())
    }

    /// The tables' layout.
    pub fn layout(&self) -> &Layout {
        each!(self, index => &index.layout)
    }

    /// The entry of a document; `None` for a document without a fingerprint.
    pub fn entry_of(&self, document: DocId) -> Option<u32> {
        each!(self, index => index.distinct.entry_of(document))
    }

    /// The documents of an entry, ascending.
    pub fn documents(&self, entry: u32) -> &[DocId] {
        each!(self, index => index.distinct.documents(entry))
    }

    /// The documents of an entry in the first corpus and in the reference. Without a reference all are in the
    /// first.
    pub fn documents_by_side(&self, entry: u32) -> [&[DocId]; 2] {
        each!(self, index => index.distinct.documents_by_side(entry))
    }

    /// The number of pairs of documents that a pair of entries represents.
    pub(super) fn n_document_pairs(&self, &Pair { a, b, .. }: &Pair) -> u64 {
        each!(self, index => index.distinct.n_pairs_between(a, b))
    }

    /// The number of documents with this document's fingerprint, including itself; 0 if it has no fingerprint.
    pub fn copies(&self, document: DocId) -> usize {
        self.entry_of(document).map_or(0, |entry| self.documents(entry).len())
    }

    /// Every document within `reach` bits, nearest first, then in corpus order. A scan, so always exact.
    ///
    /// One comparison for each entry: a millisecond for a million. Runs on the calling thread, because a screen
    /// must not wait for busy cores.
    pub fn neighbours(&self, fingerprint: Fingerprint, reach: u32) -> Vec<Neighbour> {
        each!(self, index => {
            let value = Bits::from_wide(fingerprint.bits());
            index.unfold(index::neighbours(index.distinct.values(), value, reach))
        })
    }

    /// The documents of [`FingerprintIndex::neighbours`] that the tables of the layout find: all documents up to
    /// the guaranteed distance.
    pub fn neighbours_by_tables(&self, fingerprint: Fingerprint, k: u32) -> Vec<Neighbour> {
        each!(self, index => {
            let (values, value) = (index.distinct.values(), Bits::from_wide(fingerprint.bits()));
            index.unfold(index::neighbours_by_tables(values, &index.layout, value, k))
        })
    }

    /// Every pair within the settings' k.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if there are more than [`MOST_KEPT_PAIRS`].
    pub(crate) fn near(
        &self,
        settings: &Settings,
        job: &Job,
    ) -> Result<PairsByDistance, AnalysisError> {
        each!(self, index => index.near(settings, settings.k, None, job))
    }

    /// Every pair within k, and beyond k up to the largest distance at which there are not too many pairs.
    ///
    /// # Errors
    /// As [`FingerprintIndex::near`].
    pub(crate) fn pairs_by_distance(
        &self,
        settings: &Settings,
        job: &Job,
    ) -> Result<PairsByDistance, AnalysisError> {
        each!(self, index => {
            job.enter(Stage::Pair, 0);
            let values = index.distinct.values();
            let (reach, limit) = reach::affordable(values, index.width, settings.k, &job.progress)?;
            index.near(settings, reach, limit, job)
        })
    }

    /// The largest distance up to `to` within which a sample estimates at most `most` pairs.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn farthest(&self, to: u32, most: u64, job: &Job) -> Result<u32, Cancelled> {
        each!(self, index => reach::farthest(index.distinct.values(), 0, to, most, &job.progress))
    }

    /// The first documents of the two entries of a pair; with a reference, one of each corpus.
    pub(super) fn first_documents(&self, Pair { distance, a, b }: Pair) -> DocumentPair {
        let [one, other] = [a, b].map(|entry| self.documents_by_side(entry));
        let across = |[a, b]: [&[DocId]; 2]| Some([*a.first()?, *b.first()?]);
        let sides = match self.n_fingerprinted_by_side() {
            None => across([one[0], other[0]]),
            Some(_) => across([one[0], other[1]]).or_else(|| across([other[0], one[1]])),
        };
        let [a, b] = sides.expect("a pair has documents, with a reference on both sides");
        DocumentPair { a, b, distance }
    }

    /// The groups of the pairs within `k`, by single linkage.
    pub fn groups(&self, near: &PairsByDistance, k: u32) -> Groups {
        each!(self, index => index::groups(&index.distinct, near.links(k)))
    }

    /// Up to `height` rows of a table around `fingerprint`. One pass over all entries, some 10 ms for a million.
    ///
    /// # Panics
    /// If the layout has no such table.
    pub fn window(&self, table: usize, fingerprint: Fingerprint, height: usize) -> IndexWindow {
        each!(self, index => {
            let (values, permutation) = (index.distinct.values(), index.layout.permutation(table));
            IndexWindow::around(values, &permutation, Bits::from_wide(fingerprint.bits()), height)
        })
    }

    /// The contents of the table row of an entry.
    pub fn row(&self, entry: u32) -> TableRow {
        each!(self, index => {
            let documents = index.distinct.documents(entry);
            let fingerprint = Fingerprint::new(index.distinct.value(entry).to_wide(), index.width);
            TableRow { fingerprint, document: documents[0], copies: documents.len() }
        })
    }
}

impl<B: Bits> TypedIndex<B> {
    pub(super) fn build(
        records: &FingerprintColumn,
        reference: Option<DocId>,
        settings: &Settings,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        job.enter(Stage::Index, 0);
        let word = |document| records.bits(document).map(B::from_wide);
        let mut distinct = Distinct::collapse_each(records.len(), word, &job.progress)?;
        if let Some(reference) = reference {
            distinct = distinct.with_reference(reference.index(), &job.progress)?;
        }
        job.progress.check()?;
        let layout = settings.layout(distinct.len())?;
        let n_copy_pairs = count_document_pairs(&distinct, &[]);
        let n_by_side = distinct.sides().map(|sides| {
            let first = |entry| distinct.documents_by_side(entry)[0].len() as u64;
            let n_first = (0..sides.n_first()).map(first).sum();
            [n_first, distinct.n_fingerprinted() as u64 - n_first]
        });
        let width = settings.recipe.bits;
        Ok(Self { distinct: Arc::new(distinct), layout, n_copy_pairs, width, n_by_side })
    }

    fn under(&self, layout: Layout) -> Self {
        Self { distinct: Arc::clone(&self.distinct), layout, ..*self }
    }

    /// The size of a sorted table in bytes: a fingerprint and the number of its entry in each row.
    pub(super) fn table_bytes(&self) -> u64 {
        (self.distinct.len() * (size_of::<B>() + size_of::<u32>())) as u64
    }

    /// The plan to find pairs within `k`.
    pub(super) fn plan(&self, k: u32) -> Plan {
        self.plan_among(self.distinct.values(), k).across(self.distinct.sides().cloned())
    }

    /// The plan to find the pairs of some of the fingerprints within `k`. A band layout finds only pairs that share a
    /// band. With any other layout all pairs are found, by the cheapest plan.
    pub(super) fn plan_among(&self, values: &[B], k: u32) -> Plan {
        if self.layout.is_bands() {
            Plan::by_tables(&self.layout, k)
        } else {
            index::choose(values, self.width, k)
        }
    }

    /// Every pair within `reach`, or within k if there are too many pairs to keep.
    fn near(
        &self,
        settings: &Settings,
        reach: u32,
        limit: Option<ReachLimit>,
        job: &Job,
    ) -> Result<PairsByDistance, AnalysisError> {
        let values = self.distinct.values();
        job.enter(Stage::Pair, values.len() as u64);
        let plan = self.plan(reach);
        let found = index::near_pairs_up_to(values, &plan, MOST_KEPT_PAIRS, &job.progress)?;
        let mut pairs = match found {
            Some(pairs) => pairs,
            // The sample estimated too few pairs beyond k.
            None if reach > settings.k => {
                return self.near(settings, settings.k, Some(ReachLimit::Pairs), job);
            }
            None => {
                let most = grouped(MOST_KEPT_PAIRS as u64);
                return Err(AnalysisError::TooMuchAlike { k: settings.k, most });
            }
        };
        let (reach, limit) = match reach::cut(&mut pairs, settings.k, reach, reach::MOST_PAIRS) {
            Some(nearer) => (nearer, Some(ReachLimit::Pairs)),
            None => (reach, limit),
        };
        Ok(PairsByDistance::new(reach, &self.distinct, pairs, limit, &job.progress)?)
    }

    fn unfold(&self, matches: Vec<Match>) -> Vec<Neighbour> {
        let mut neighbours: Vec<Neighbour> = matches
            .into_iter()
            .flat_map(|found| {
                let documents = self.distinct.documents(found.entry).iter();
                documents.map(move |&document| Neighbour { document, distance: found.distance })
            })
            .collect();
        neighbours.sort_unstable_by_key(|neighbour| (neighbour.distance, neighbour.document));
        neighbours
    }
}
