//! A layout: the cut of the width into blocks, and the blocks that lead each table.
//!
//! A layout is a list of tables and a table is a mask: two fingerprints share a key of the table if they agree on
//! all bits of the mask. Every construction of the literature is one of these lists, so building, querying,
//! counting and drawing need one type. A layout knows its guarantee: the largest distance at which some table
//! finds every pair.
//!
//! There are at most [`MAX_TABLES`] tables, of about 100 bytes each; they contain no fingerprints.
//!
//! Source: Manku, Jain and Das Sarma, "Detecting near-duplicates for web crawling" (2007), section 3.

use std::collections::BTreeSet;
use std::fmt;

use super::block::combinations;
use super::{Block, Permutation, TableLayout, binomial};
use crate::simhash::fingerprint::MAX_WIDTH;

/// The reason why a layout is impossible, which names the setting to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LayoutError(String);

/// The most tables a layout may have: each is a sorted copy of all fingerprints.
pub const MAX_TABLES: u32 = 5000;

/// The construction of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayoutKind {
    /// The key of each table is `key` of `blocks` blocks.
    Blocks {
        /// The number of blocks of the width.
        blocks: u32,
        /// The number of blocks in each key.
        key: u32,
    },
    /// The key of each table is `outer_key` of `outer` blocks, and `inner_key` of the `inner` blocks that the
    /// other bits are cut into.
    TwoLevel {
        /// The number of blocks of the width.
        outer: u32,
        /// The number of outer blocks in each key.
        outer_key: u32,
        /// The number of blocks of the remaining bits.
        inner: u32,
        /// The number of inner blocks in each key.
        inner_key: u32,
    },
    /// `bands` disjoint keys of `bits` bits: LSH banding.
    Bands {
        /// The number of bands.
        bands: u32,
        /// The number of bits in a band.
        bits: u32,
    },
}

/// Blocks, tables and their guarantee. A layout is immutable and always valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    width: u32,
    blocks: Vec<Block>,
    tables: Vec<TableLayout>,
    kind: LayoutKind,
    guarantee: u32,
}

impl Layout {
    /// A table for each choice of `key` of `blocks` blocks, in lexicographic order: ABC, ABD, ..
    ///
    /// Guarantees `blocks - key`: that many differing bits change at most that many blocks, and `key` blocks are
    /// unchanged.
    ///
    /// # Errors
    /// If the width is not 1 to 128; if there is no key, or it has more blocks than there are; if there are more
    /// blocks than bits, or more than [`MAX_TABLES`] tables.
    pub fn blocks(width: u32, blocks: u32, key: u32) -> Result<Self, LayoutError> {
        check_width(width)?;
        check_choice(width, blocks, key)?;
        check_tables(binomial(blocks, key))?;
        let list = Block::cut(width, blocks);
        let masks = combinations(list.len(), key as usize).map(|choice| union(&list, &choice));
        let tables = masks.map(|mask| TableLayout::new(&list, mask)).collect();
        let kind = LayoutKind::Blocks { blocks, key };
        Ok(Self { width, blocks: list, tables, kind, guarantee: blocks - key })
    }

    /// The layout of `blocks` blocks that guarantees `distance`: its keys have `blocks - distance` blocks.
    ///
    /// # Errors
    /// The errors of [`Layout::blocks`]; and if `blocks <= distance`, which leaves no block for a key.
    pub fn for_distance(width: u32, blocks: u32, distance: u32) -> Result<Self, LayoutError> {
        check_width(width)?;
        if distance >= width {
            let largest = width - 1;
            return refuse(format!(
                "any two {width}-bit fingerprints are within distance {distance}; use `k` {largest} or less"
            ));
        }
        if blocks <= distance {
            let s = if blocks == 1 { "" } else { "s" };
            let needed = distance + 1;
            return refuse(format!(
                "{blocks} block{s} cannot guarantee distance {distance}; use at least {needed} blocks \
                 (`blocks` {needed}) or a smaller `k`"
            ));
        }
        Self::blocks(width, blocks, blocks - distance)
    }

    /// Tables that lead with `outer_key` of `outer` blocks, then with `inner_key` of the `inner`
    /// blocks that the remaining bits, taken together from the top down, are cut into.
    ///
    /// Guarantees the smaller of `outer - outer_key` and `inner - inner_key`: that many differing bits leave an
    /// outer key unchanged, are all in the rest, and leave an inner key unchanged there. With 64 bits, 4 choose 1
    /// twice, these are Manku's 16 tables of 28 key bits. Choices that make the same key make one table.
    ///
    /// [`Layout::block_list`] is then the coarsest cut in which every key is a union of blocks.
    ///
    /// # Errors
    /// The errors of [`Layout::blocks`], at either level; and if an outer key leaves no bits.
    pub fn two_level(
        width: u32,
        outer: u32,
        outer_key: u32,
        inner: u32,
        inner_key: u32,
    ) -> Result<Self, LayoutError> {
        check_width(width)?;
        check_choice(width, outer, outer_key)?;
        let outer_blocks = Block::cut(width, outer);
        if outer_key == outer {
            return refuse(format!(
                "an outer key of all {outer} blocks leaves nothing to cut; use fewer outer key blocks"
            ));
        }
        // The key may have all wide blocks: then the narrowest rest must still be wide enough for the inner cut.
        let mut widths = Block::widths(width, outer);
        widths.sort_unstable();
        let narrowest_rest = widths[..(outer - outer_key) as usize].iter().sum();
        check_choice(narrowest_rest, inner, inner_key)?;
        let n_tables = binomial(outer, outer_key).saturating_mul(binomial(inner, inner_key));
        check_tables(n_tables)?;

        let mut borders: BTreeSet<u32> = outer_blocks.iter().map(|block| block.low).collect();
        let mut masks: Vec<u128> = Vec::new();
        for choice in combinations(outer as usize, outer_key as usize) {
            let lead = union(&outer_blocks, &choice);
            let pieces = cut_rest(width, lead, inner);
            borders.extend(pieces.iter().map(|piece| piece.trailing_zeros()));
            for inner_choice in combinations(inner as usize, inner_key as usize) {
                let mask = inner_choice.iter().fold(lead, |mask, &piece| mask | pieces[piece]);
                if !masks.contains(&mask) {
                    masks.push(mask);
                }
            }
        }
        let blocks = between(width, &borders);
        let tables = masks.into_iter().map(|mask| TableLayout::new(&blocks, mask)).collect();
        let kind = LayoutKind::TwoLevel { outer, outer_key, inner, inner_key };
        let guarantee = (outer - outer_key).min(inner - inner_key);
        Ok(Self { width, blocks, tables, kind, guarantee })
    }

    /// `bands` disjoint keys of `bits` bits each, from the top down; the remaining low bits are in no band and
    /// form a last block.
    ///
    /// This is LSH banding, which is judged by its recall at distances far beyond its guarantee. The guarantee is
    /// `bands - 1`, because that many differing bits leave a band unchanged.
    ///
    /// # Errors
    /// If the width is not 1 to 128; if there is no band, or bands have no bits; if the bands need more bits than
    /// `width`.
    pub fn bands(width: u32, bands: u32, bits: u32) -> Result<Self, LayoutError> {
        check_width(width)?;
        if bands == 0 || bits == 0 {
            return refuse(format!(
                "{bands}x{bits} has no band to compare; use at least 1x1 (`bands`)"
            ));
        }
        let needed = u64::from(bands) * u64::from(bits);
        if needed > u64::from(width) {
            return refuse(format!(
                "{bands} bands of {bits} bits need {needed} bits and a fingerprint has {width}; widen it \
                 with `bits` or use smaller `bands`"
            ));
        }
        let band = |i| Block { low: width - (i + 1) * bits, width: bits };
        let mut blocks: Vec<Block> = (0..bands).map(band).collect();
        let spare = width - bands * bits;
        let masks: Vec<u128> = blocks.iter().map(|band| band.mask()).collect();
        if spare > 0 {
            blocks.push(Block { low: 0, width: spare });
        }
        let tables = masks.into_iter().map(|mask| TableLayout::new(&blocks, mask)).collect();
        let kind = LayoutKind::Bands { bands, bits };
        Ok(Self { width, blocks, tables, kind, guarantee: bands - 1 })
    }

    /// The width of its fingerprints in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The blocks from the top down: every bit is in one block, and every key is a union of blocks.
    pub fn block_list(&self) -> &[Block] {
        &self.blocks
    }

    /// The tables, numbered from 0.
    pub fn tables(&self) -> &[TableLayout] {
        &self.tables
    }

    /// The distance up to which every pair shares a key.
    ///
    /// For two levels it is the distance that is proven; fortunate blocks may guarantee more.
    pub fn guarantee(&self) -> u32 {
        self.guarantee
    }

    /// Whether every pair up to `distance` shares a key.
    pub fn guarantees(&self, distance: u32) -> bool {
        self.guarantee >= distance
    }

    /// The construction.
    pub fn kind(&self) -> LayoutKind {
        self.kind
    }

    /// Whether it is an LSH banding, which is judged by recall and not by its guarantee.
    pub fn is_bands(&self) -> bool {
        matches!(self.kind, LayoutKind::Bands { .. })
    }

    /// The short name in rows and on screens: `6c3k3` (blocks, key blocks, guarantee), `4c1/4c1k3` for two
    /// levels, `3x18` for bands. It does not include the width.
    pub fn name(&self) -> String {
        self.to_string()
    }

    /// A phrase about the construction: `3 of 6 blocks as key`, `3 bands of 18 bits`.
    pub fn describe(&self) -> String {
        match self.kind {
            LayoutKind::Blocks { blocks, key } => format!("{key} of {blocks} blocks as key"),
            LayoutKind::TwoLevel { outer, outer_key, inner, inner_key } => {
                format!("{outer_key} of {outer} blocks, then {inner_key} of {inner} lead")
            }
            LayoutKind::Bands { bands, bits } => format!("{bands} bands of {bits} bits"),
        }
    }

    /// The order of the bits of a fingerprint in table `table`.
    ///
    /// # Panics
    /// If there is no such table.
    pub fn permutation(&self, table: usize) -> Permutation {
        Permutation::new(self, table)
    }

    /// The tables that find a pair differing in the bits of `xor`: their key is unchanged.
    pub fn tables_hit(&self, xor: u128) -> impl Iterator<Item = usize> + '_ {
        let untouched = move |(_, table): &(usize, &TableLayout)| table.mask & xor == 0;
        self.tables.iter().enumerate().filter(untouched).map(|(number, _)| number)
    }

    /// The first table that finds a pair differing in the bits of `xor`.
    pub fn first_table_with_shared_key(&self, xor: u128) -> Option<usize> {
        self.tables.iter().position(|table| table.mask & xor == 0)
    }

    /// The blocks in which at least one bit of `xor` is set, from the top down.
    pub fn differing_blocks(&self, xor: u128) -> Vec<usize> {
        (0..self.blocks.len()).filter(|&block| self.blocks[block].mask() & xor != 0).collect()
    }

    /// The number of bits of `xor` that are set in each block, from the top down.
    pub fn differing_bits_per_block(&self, xor: u128) -> Vec<u32> {
        self.blocks.iter().map(|block| (block.mask() & xor).count_ones()).collect()
    }

    /// The expected number of tables in which two random fingerprints share a key: the sum of 2^-key_bits.
    pub fn expected_shared_tables(&self) -> f64 {
        self.tables.iter().map(|table| (-f64::from(table.key_bits)).exp2()).sum()
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guarantee = self.guarantee;
        f.pad(&match self.kind {
            LayoutKind::Blocks { blocks, key } => format!("{blocks}c{key}k{guarantee}"),
            LayoutKind::TwoLevel { outer, outer_key, inner, inner_key } => {
                format!("{outer}c{outer_key}/{inner}c{inner_key}k{guarantee}")
            }
            LayoutKind::Bands { bands, bits } => format!("{bands}x{bits}"),
        })
    }
}

fn refuse<T>(why: String) -> Result<T, LayoutError> {
    Err(LayoutError(why))
}

fn check_width(width: u32) -> Result<(), LayoutError> {
    if (1..=MAX_WIDTH).contains(&width) {
        return Ok(());
    }
    refuse(format!("a fingerprint has 1 to 128 bits, not {width}; set the width with `bits`"))
}

fn check_choice(width: u32, blocks: u32, key: u32) -> Result<(), LayoutError> {
    refuse(match (blocks, key) {
        (0, _) => "a layout needs at least one block; use `blocks` 1 or more".to_owned(),
        _ if key == 0 || key > blocks => format!(
            "a key needs 1 to {blocks} of {blocks} blocks, not {key}; use more blocks (`blocks`)"
        ),
        _ if blocks > width => format!(
            "{width} bits cannot be cut into {blocks} blocks; use at most {width} (`blocks`)"
        ),
        _ => return Ok(()),
    })
}

fn check_tables(tables: u128) -> Result<(), LayoutError> {
    if tables <= u128::from(MAX_TABLES) {
        return Ok(());
    }
    refuse(format!(
        "this layout has {tables} tables and {MAX_TABLES} is the limit; use fewer blocks (`blocks`)"
    ))
}

/// All bits of the chosen blocks.
fn union(blocks: &[Block], choice: &[usize]) -> u128 {
    choice.iter().fold(0, |mask, &block| mask | blocks[block].mask())
}

/// Cuts the bits outside `lead`, joined from the top down, into `inner` pieces (masks).
fn cut_rest(width: u32, lead: u128, inner: u32) -> Vec<u128> {
    let mut rest = (0..width).rev().filter(|&bit| lead >> bit & 1 == 0);
    let rest_width = width - lead.count_ones();
    let piece =
        |width: u32| rest.by_ref().take(width as usize).fold(0, |mask, bit| mask | 1 << bit);
    Block::widths(rest_width, inner).into_iter().map(piece).collect()
}

/// The blocks between ascending borders, from the top down; the first border is 0.
fn between(width: u32, borders: &BTreeSet<u32>) -> Vec<Block> {
    let mut top = width;
    let block = |&low: &u32| {
        let block = Block { low, width: top - low };
        top = low;
        block
    };
    borders.iter().rev().map(block).collect()
}

#[cfg(test)]
mod tests;
