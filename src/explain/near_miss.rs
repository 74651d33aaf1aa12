//! The nearest layouts that would find a pair which a layout misses.
//!
//! If a pair differs in the blocks `D` of `m` blocks, it is found by every table whose key has no block of `D`.
//! So it can be found with fewer blocks in a key; with other cuts, so that the differing bits lie in fewer
//! blocks; or for certain, with enough blocks for its distance. The first two help only this pair; only the
//! last one finds every pair at the same distance. Costs a layout for each number of blocks.

use std::cmp::Reverse;

use crate::index::{Block, Layout, LayoutKind, MAX_TABLES, binomial, designs};

/// A layout that finds a pair which another layout misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The way in which it finds the pair: `shorter keys`, `other cuts` or `guarantee`.
    pub way: &'static str,
    /// The layout.
    pub layout: Layout,
    /// The number of its tables that find the pair.
    pub tables_hit: usize,
}

impl Remedy {
    fn new(way: &'static str, layout: Layout, xor: u128) -> Option<Self> {
        let tables_hit = layout.tables_hit(xor).count();
        (tables_hit > 0).then_some(Self { way, layout, tables_hit })
    }

    /// The bits of its shortest key: a probe returns one in two to this power of the rows.
    pub fn key_bits_min(&self) -> u32 {
        self.layout.tables().iter().map(|table| table.key_bits).min().unwrap_or(0)
    }
}

/// The nearest layouts that would find a pair differing in the bits of `xor`, the one with the fewest tables
/// first; none if `layout` finds it already. At most one for each way.
pub fn remedies(layout: &Layout, xor: u128) -> Vec<Remedy> {
    if layout.first_table_with_shared_key(xor).is_some() {
        return Vec::new();
    }
    let found = [shorter_keys(layout, xor), other_cuts(layout, xor), guaranteed(layout, xor)];
    let mut found: Vec<Remedy> = found.into_iter().flatten().collect();
    found.sort_by_key(|remedy| remedy.layout.tables().len());
    found
}

/// The same blocks or bands, with shorter keys.
fn shorter_keys(layout: &Layout, xor: u128) -> Option<Remedy> {
    let width = layout.width();
    let shorter: Vec<Layout> = match layout.kind() {
        LayoutKind::Blocks { blocks, key } => {
            (1..key).rev().filter_map(|key| Layout::blocks(width, blocks, key).ok()).collect()
        }
        LayoutKind::Bands { bands, bits } => {
            (1..bits).rev().filter_map(|bits| Layout::bands(width, bands, bits).ok()).collect()
        }
        LayoutKind::TwoLevel { .. } => Vec::new(),
    };
    shorter.into_iter().find_map(|layout| Remedy::new("shorter keys", layout, xor))
}

/// Blocks cut at other bits, so that enough of them are intact: as few tables as possible without a lower guarantee,
/// and among these the longest keys.
fn other_cuts(layout: &Layout, xor: u128) -> Option<Remedy> {
    let width = layout.width();
    let guarantee = layout.guarantee();
    let fits = |blocks: u32| {
        let cut = Block::cut(width, blocks);
        let damaged = cut.iter().filter(|block| block.mask() & xor != 0).count() as u32;
        let least = damaged.max(guarantee);
        // All numbers between these two need more tables.
        [least, blocks - 1].into_iter().filter(move |spared| (least..blocks).contains(spared)).map(
            move |spared| {
                let mut widths = Block::widths(width, blocks);
                widths.sort_unstable();
                let key_bits: u32 = widths[..(blocks - spared) as usize].iter().sum();
                (binomial(blocks, spared), Reverse(key_bits), blocks, spared)
            },
        )
    };
    let (tables, _, blocks, spared) = (1..=width).flat_map(fits).min()?;
    if tables > u128::from(MAX_TABLES) {
        return None;
    }
    let layout = Layout::blocks(width, blocks, blocks - spared).ok()?;
    Remedy::new("other cuts", layout, xor)
}

/// The fewest tables that catch every pair at this distance.
fn guaranteed(layout: &Layout, xor: u128) -> Option<Remedy> {
    let design = designs(layout.width(), xor.count_ones(), 0.0).into_iter().next()?;
    Remedy::new("guarantee", design.layout().ok()?, xor)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_found_pair_needs_no_remedy() {
        let layout = Layout::for_distance(64, 4, 3).unwrap();
        assert!(remedies(&layout, 0b111).is_empty());
    }

    #[test]
    fn four_damaged_blocks_of_four_are_caught_by_five_tables_for_certain() {
        // A bit in each of four blocks of 16; blocks of five are cut at 51, 38, 25 and 12.
        let layout = Layout::for_distance(64, 4, 3).unwrap();
        let xor = 1 | 1 << 20 | 1 << 40 | 1 << 60;
        let found = remedies(&layout, xor);
        let named: Vec<_> = found
            .iter()
            .map(|remedy| (remedy.way, remedy.layout.name(), remedy.tables_hit))
            .collect();
        // A key needs at least one block.
        assert_eq!(named, [("other cuts", "5c1k4".into(), 1), ("guarantee", "5c1k4".into(), 1)]);
        assert_eq!(found[0].key_bits_min(), 12);
    }

    #[test]
    fn shorter_keys_find_pairs_that_longer_ones_miss() {
        let layout = Layout::for_distance(64, 6, 3).unwrap();
        let xor = 1 | 1 << 15 | 1 << 25 | 1 << 40;
        let shorter = shorter_keys(&layout, xor).unwrap();
        assert_eq!((shorter.layout.name().as_str(), shorter.tables_hit), ("6c2k4", 1));
        let bands = Layout::bands(64, 2, 32).unwrap();
        let narrower = shorter_keys(&bands, 1 << 8 | 1 << 40).unwrap();
        // The upper band reaches down to bit 37, the lower from 36 to 10.
        assert_eq!(narrower.layout.name(), "2x27");
    }

    /// All layouts of one level over 24 bits, each with the number of its blocks that are not in a key.
    static ALL: LazyLock<Vec<(u32, Layout)>> = LazyLock::new(|| {
        let all = (1..=24u32).flat_map(|m| (1..=m).map(move |key| (m, key)));
        let layout = |(m, key)| Some((m - key, Layout::blocks(24, m, key).ok()?));
        all.filter_map(layout).collect()
    });

    proptest! {
        /// Compared with every layout of one level: no layout with fewer tables and an equal guarantee finds
        /// the pair.
        #[test]
        fn no_layout_of_fewer_tables_catches_the_pair(
            bits in prop::collection::vec(0..24u32, 1..12), blocks in 3..6u32, k in 0..3u32,
        ) {
            let layout = Layout::for_distance(24, blocks, k).unwrap();
            let xor = bits.iter().fold(0, |xor, bit| xor | 1u128 << bit);
            let fewest = ALL
                .iter()
                .filter(|(spare, _)| *spare >= k)
                .map(|(_, layout)| layout)
                .filter(|layout| layout.tables_hit(xor).next().is_some())
                .map(|layout| layout.tables().len())
                .min();
            let found = remedies(&layout, xor);
            if layout.first_table_with_shared_key(xor).is_none() {
                let other = found.iter().find(|remedy| remedy.way == "other cuts");
                prop_assert_eq!(other.map(|remedy| remedy.layout.tables().len()), fewest);
            }
            for remedy in found {
                prop_assert!(remedy.tables_hit > 0);
                prop_assert!(remedy.way != "guarantee" || remedy.layout.guarantees(xor.count_ones()));
            }
        }
    }
}
