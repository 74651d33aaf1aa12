//! The pigeonhole game: damage bits until every table misses the pair.
//!
//! With m blocks of which c lead, d damaged bits spoil at most d blocks; while d <= m - c some choice of c
//! blocks is whole, and its table still catches the pair. One damage more and the game can be won.

use crate::{
    explain::PairExplanation,
    index::{Cut, Layout},
    simhash::Fingerprint,
};

/// Blocks to choose from.
pub const BLOCKS: std::ops::RangeInclusive<u32> = 4..=7;
/// The distance the tables guarantee.
pub const K: u32 = 3;

/// What the game remembers.
#[derive(Clone, Debug)]
pub struct GameState {
    /// Blocks of the layout.
    pub blocks: u32,
    /// The bit under the cursor, counted from the left.
    pub column: u32,
    /// The damaged bits.
    pub damage: u128,
    /// The fingerprint that is damaged.
    pub fingerprint: Fingerprint,
    /// The table whose walk is shown.
    pub table: usize,
    /// How far the walk is: permute, sort, probe, verify.
    pub phase: usize,
}

/// The stations of the walk.
pub const PHASES: [&str; 4] = ["permute", "sort", "probe", "verify"];

impl Default for GameState {
    fn default() -> Self {
        let fingerprint = Fingerprint::new(0x33fd_d8f9_0c73_3025, 64);
        Self { blocks: *BLOCKS.start(), column: 0, damage: 0, fingerprint, table: 0, phase: 0 }
    }
}

impl GameState {
    /// The layout: as many blocks lead as guarantee [`K`]. A fingerprint too narrow for the blocks gets
    /// fewer, and lower distances.
    ///
    /// # Panics
    /// Never: there are more blocks than k, and no more than bits.
    pub fn layout(&self) -> Layout {
        let width = self.fingerprint.width();
        let blocks = self.blocks.min(width);
        let k = K.min(blocks.saturating_sub(1));
        Layout::for_distance(width, blocks, k, Cut::Even).expect("more blocks than k, and bits")
    }

    /// The damaged twin.
    pub fn twin(&self) -> Fingerprint {
        Fingerprint::new(self.fingerprint.bits() ^ self.damage, self.fingerprint.width())
    }

    /// What each table makes of the two.
    pub fn explanation(&self) -> PairExplanation {
        PairExplanation::new(self.fingerprint, self.twin(), &self.layout())
    }

    /// The bit under the cursor.
    pub fn bit(&self) -> u32 {
        let width = self.fingerprint.width();
        width - 1 - self.column.min(width - 1)
    }

    /// Damages the bit under the cursor, or mends it.
    pub fn toggle(&mut self) {
        self.damage ^= 1 << self.bit();
    }

    /// Moves the cursor.
    pub fn sideways(&mut self, by: isize) {
        let last = self.fingerprint.width() - 1;
        let column = (self.column as usize).saturating_add_signed(by);
        self.column = (column as u32).min(last);
    }

    /// The next number of blocks; the damage stays.
    pub fn next_blocks(&mut self) {
        self.blocks = if self.blocks == *BLOCKS.end() { *BLOCKS.start() } else { self.blocks + 1 };
        self.table = 0;
    }

    /// Takes a pair to play with: its differing bits are the damage.
    pub fn take(&mut self, one: Fingerprint, other: Fingerprint) {
        *self = Self {
            blocks: self.blocks,
            fingerprint: one,
            damage: one.bits() ^ other.bits(),
            ..Self::default()
        };
    }

    /// Selects another table.
    pub fn step(&mut self, by: isize) {
        let last = self.layout().tables().len() - 1;
        self.table = self.table.saturating_add_signed(by).min(last);
    }

    /// Moves along the walk.
    pub fn walk(&mut self, by: isize) {
        self.phase = self.phase.saturating_add_signed(by).min(PHASES.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_damages_never_win_and_four_can() {
        for blocks in BLOCKS {
            let mut game = GameState { blocks, ..GameState::default() };
            let layout = game.layout();
            let first = |block: usize| 1_u128 << layout.block_list()[block].low;
            for a in 0..blocks as usize {
                for b in 0..a {
                    for c in 0..b {
                        game.damage = first(a) | first(b) | first(c);
                        assert!(game.explanation().hits().next().is_some());
                    }
                }
            }
            game.damage = (0..4).map(first).sum();
            assert_eq!(game.explanation().hits().count(), 0, "{blocks} blocks");
        }
    }

    #[test]
    fn narrow_fingerprints_are_no_trouble() {
        let mut game = GameState::default();
        for width in [1, 2, 3, 8, 128] {
            game.take(Fingerprint::new(1, width), Fingerprint::new(0, width));
            game.sideways(500);
            game.toggle();
            game.next_blocks();
            game.step(99);
            assert_eq!(game.explanation().tables.len(), game.layout().tables().len());
        }
    }
}
