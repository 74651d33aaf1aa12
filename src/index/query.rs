//! All tables at once: the neighbours of one fingerprint.
//!
//! A query looks up its key in every table and verifies what it finds there. Random fingerprints put
//! `n / 2^key_bits` rows into a window, so a query costs a few binary searches and a handful of
//! comparisons; a skewed corpus can make windows larger, never the answer wrong. Memory: a word and
//! 4 bytes a table and entry.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3.1.

use rayon::prelude::*;

use super::{layout::Layout, table::Table};
use crate::{
    kernel::hamming,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// A neighbour: an entry and its distance from the query. Ordered by distance, then entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// Differing bits.
    pub distance: u32,
    /// The neighbour's entry.
    pub entry: u32,
}

/// What a query has to verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// Rows in the window of each table.
    pub per_table: Vec<usize>,
    /// Different entries among them.
    pub distinct: usize,
}

impl Candidates {
    /// Comparisons a query makes: the rows of all windows.
    pub fn total(&self) -> usize {
        self.per_table.iter().sum()
    }
}

/// Every table of a layout over the same fingerprints.
#[derive(Clone, Debug)]
pub struct HammingIndex<B> {
    layout: Layout,
    values: Vec<B>,
    tables: Vec<Table<B>>,
}

impl<B: Bits> HammingIndex<B> {
    /// Builds all tables; entry numbers are positions in `values`.
    ///
    /// `progress` counts tables times entries.
    ///
    /// # Errors
    /// [`Cancelled`] if told to stop.
    ///
    /// # Panics
    /// If there are 2^32 values or more, or if the layout is wider than the word.
    pub fn build(values: &[B], layout: Layout, progress: &Progress) -> Result<Self, Cancelled> {
        assert!(layout.width() <= B::CAPACITY, "the layout's bits fit the word");
        progress.begin(layout.tables().len() as u64 * values.len() as u64);
        let build = |number| Table::build(values, layout.permutation(number), progress);
        let tables =
            (0..layout.tables().len()).into_par_iter().map(build).collect::<Result<_, _>>()?;
        Ok(Self { layout, values: values.to_vec(), tables })
    }

    /// The layout it was built with.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The tables, numbered as in the layout.
    pub fn tables(&self) -> &[Table<B>] {
        &self.tables
    }

    /// Table `number`.
    ///
    /// # Panics
    /// If there is no such table.
    pub fn table(&self, number: usize) -> &Table<B> {
        &self.tables[number]
    }

    /// The fingerprints, one an entry.
    pub fn values(&self) -> &[B] {
        &self.values
    }

    /// The entries within `k` bits of `value`, each once, nearest first, then by entry.
    ///
    /// An entry equal to `value` is one of them, at distance 0. Exact as long as the layout
    /// guarantees `k`; beyond that, every answer is right but entries that share no key are missing.
    pub fn query(&self, value: B, k: u32) -> Vec<Match> {
        let mut matches = Vec::new();
        for (number, table) in self.tables.iter().enumerate() {
            let permuted = table.permutation().apply(value);
            let window = table.window(permuted);
            let entries = &table.entries()[window.clone()];
            hamming::near(permuted, &table.permuted()[window], k, |place, distance| {
                if self.is_first_meeting(value, entries[place], number) {
                    matches.push(Match { distance, entry: entries[place] });
                }
            });
        }
        matches.sort_unstable();
        matches
    }

    /// What a query for `value` looks at, whatever k: how many rows, how many different entries.
    pub fn candidates(&self, value: B) -> Candidates {
        let mut distinct = 0;
        let per_table = self.tables.iter().enumerate().map(|(number, table)| {
            let window = table.window(table.permutation().apply(value));
            let entries = &table.entries()[window];
            let is_first = |&&entry: &&u32| self.is_first_meeting(value, entry, number);
            distinct += entries.iter().filter(is_first).count();
            entries.len()
        });
        Candidates { per_table: per_table.collect(), distinct }
    }

    /// Whether no table before `number` brings `value` and `entry` together: each entry is reported
    /// by its first table alone, so there is nothing to remember and nothing to merge.
    fn is_first_meeting(&self, value: B, entry: u32, number: usize) -> bool {
        let xor = value.xor(self.values[entry as usize]).to_wide();
        self.layout.first_table_hit(xor) == Some(number)
    }
}
