//! The searchable fingerprints behind one face, whether they fill 64 bits or 128.
//!
//! Equal fingerprints stand here once, as an entry with its documents; entries are numbered by first
//! document. The word size is chosen when the shelf is built, from the recipe's width.

use std::ops::Range;

use rayon::prelude::*;

use super::{AnalysisError, Job, Near, Neighbour, Settings, Stage};
use crate::{
    id::DocId,
    index::{
        Distinct, DocumentPair, HammingIndex, Layout, Match, Pair, Step, naive, near_pairs, pair,
        plan,
    },
    simhash::{Bits, Fingerprint},
};

/// The fingerprints of a corpus, collapsed and sorted into tables.
#[derive(Debug)]
pub enum Shelf {
    /// Up to 64 bits.
    Narrow(Shelved<u64>),
    /// Up to 128 bits.
    Wide(Shelved<u128>),
}

/// A shelf of one word size.
#[derive(Debug)]
pub struct Shelved<B> {
    distinct: Distinct<B>,
    index: HammingIndex<B>,
    width: u32,
}

/// A row of a sorted table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The fingerprint, its blocks in their own order.
    pub fingerprint: Fingerprint,
    /// The first document with it.
    pub document: DocId,
    /// How many documents have it.
    pub copies: usize,
}

macro_rules! each {
    ($self:expr, $shelf:ident => $body:expr) => {
        match $self {
            Self::Narrow($shelf) => $body,
            Self::Wide($shelf) => $body,
        }
    };
}

impl Shelf {
    /// Collapses the fingerprints, one a document, and sorts them into the tables the settings ask for.
    ///
    /// # Errors
    /// [`AnalysisError`] if told to stop or if the layout cannot be cut.
    pub(crate) fn build(
        fingerprints: &[Option<Fingerprint>],
        settings: &Settings,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        Ok(if settings.recipe.bits <= u64::BITS {
            Self::Narrow(Shelved::build(fingerprints, settings, job)?)
        } else {
            Self::Wide(Shelved::build(fingerprints, settings, job)?)
        })
    }

    /// Number of distinct fingerprints.
    pub fn n_distinct(&self) -> usize {
        each!(self, shelf => shelf.distinct.len())
    }

    /// The tables' layout.
    pub fn layout(&self) -> &Layout {
        each!(self, shelf => shelf.index.layout())
    }

    /// The entry a document's fingerprint is; `None` for a document without one.
    pub fn entry_of(&self, document: DocId) -> Option<u32> {
        each!(self, shelf => shelf.distinct.entry_of(document))
    }

    /// The documents of an entry, ascending.
    pub fn documents(&self, entry: u32) -> &[DocId] {
        each!(self, shelf => shelf.distinct.documents(entry))
    }

    /// How many documents share a document's fingerprint, itself counted; 0 where it has none.
    pub fn copies(&self, document: DocId) -> usize {
        self.entry_of(document).map_or(0, |entry| self.documents(entry).len())
    }

    /// Every document within `reach` bits, nearest first, then in corpus order: a scan, always exact.
    ///
    /// Costs one comparison an entry.
    pub fn neighbours(&self, fingerprint: Fingerprint, reach: u32) -> Vec<Neighbour> {
        each!(self, shelf => shelf.unfold(shelf.scan(fingerprint, reach)))
    }

    /// What the tables find within `k`: exact up to the layout's guarantee. In the order of
    /// [`Shelf::neighbours`].
    pub fn query(&self, fingerprint: Fingerprint, k: u32) -> Vec<Neighbour> {
        each!(self, shelf => {
            let matches = shelf.index.query(Bits::from_wide(fingerprint.bits()), k);
            shelf.unfold(matches)
        })
    }

    /// Every pair within the settings' k, with counts and groups.
    ///
    /// # Errors
    /// [`AnalysisError`] if told to stop or if the layout cannot be cut.
    pub(crate) fn near(&self, settings: &Settings, job: &Job) -> Result<Near, AnalysisError> {
        each!(self, shelf => shelf.near(settings, job))
    }

    /// Pairs of documents that `pairs` and the copies stand for, in the contract's order, one by one.
    pub fn document_pairs<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> Box<dyn Iterator<Item = DocumentPair> + 'a> {
        each!(self, shelf => Box::new(pair::document_pairs(&shelf.distinct, pairs)))
    }

    /// The rows of a table that share the key of `fingerprint`.
    pub fn window(&self, table: usize, fingerprint: Fingerprint) -> Range<usize> {
        each!(self, shelf => {
            let table = shelf.index.table(table);
            table.window(table.permutation().apply(Bits::from_wide(fingerprint.bits())))
        })
    }

    /// The row of a table that holds `fingerprint` itself.
    pub fn row_of(&self, table: usize, fingerprint: Fingerprint) -> Option<usize> {
        each!(self, shelf => {
            let table = shelf.index.table(table);
            let permuted = table.permutation().apply(Bits::from_wide(fingerprint.bits()));
            table.permuted().binary_search(&permuted).ok()
        })
    }

    /// Comparison by comparison, the search for [`Shelf::window`].
    pub fn search_steps(&self, table: usize, fingerprint: Fingerprint) -> Vec<Step> {
        each!(self, shelf => {
            let table = shelf.index.table(table);
            table.search_steps(table.permutation().apply(Bits::from_wide(fingerprint.bits())))
        })
    }

    /// Rows of a table, in its order.
    pub fn rows(&self, table: usize, rows: Range<usize>) -> Vec<TableRow> {
        each!(self, shelf => rows.map(|row| shelf.row(table, row)).collect())
    }
}

impl<B: Bits> Shelved<B> {
    fn build(
        fingerprints: &[Option<Fingerprint>],
        settings: &Settings,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let words: Vec<Option<B>> = fingerprints
            .iter()
            .map(|fingerprint| fingerprint.map(|fingerprint| B::from_wide(fingerprint.bits())))
            .collect();
        let distinct = Distinct::collapse(&words);
        drop(words);
        let layout = settings.layout(distinct.len())?;
        job.enter(Stage::Index, (layout.tables().len() * distinct.len()) as u64);
        let index = HammingIndex::build(distinct.values(), layout, &job.progress)?;
        Ok(Self { distinct, index, width: settings.recipe.bits })
    }

    fn near(&self, settings: &Settings, job: &Job) -> Result<Near, AnalysisError> {
        let values = self.distinct.values();
        let layout = self.index.layout();
        job.enter(Stage::Pair, values.len() as u64);
        let pairs = if layout.is_bands() {
            // Bands answer for what shares a band, and are judged by what they miss.
            crate::index::all_pairs(values, layout, settings.k, &job.progress)?
        } else {
            let plan = plan::choose(values, self.width, settings.k);
            near_pairs(values, &plan, &job.progress)?
        };
        Ok(Near::new(settings.k, &self.distinct, pairs))
    }

    /// A parallel [`naive::query`]: one core does a million in a millisecond, more share them.
    fn scan(&self, fingerprint: Fingerprint, reach: u32) -> Vec<Match> {
        const PART: usize = 1 << 16;
        let value = B::from_wide(fingerprint.bits());
        let parts = self.distinct.values().par_chunks(PART).enumerate();
        let mut found: Vec<Match> = parts
            .flat_map_iter(|(part, values)| {
                let first = (part * PART) as u32;
                let matches = naive::query(values, value, reach).into_iter();
                matches.map(move |found| Match { entry: first + found.entry, ..found })
            })
            .collect();
        found.sort_unstable_by_key(|found| (found.distance, found.entry));
        found
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

    fn row(&self, table: usize, row: usize) -> TableRow {
        let (_, entry) = self.index.table(table).row(row);
        let documents = self.distinct.documents(entry);
        TableRow {
            fingerprint: Fingerprint::new(self.distinct.value(entry).to_wide(), self.width),
            document: documents[0],
            copies: documents.len(),
        }
    }
}
