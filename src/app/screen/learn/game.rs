//! The pigeonhole game: damage bits until every table misses the pair.
//!
//! With m blocks and keys of c blocks, d damaged bits are in at most d blocks; while d <= m - c some choice of c blocks
//! is intact, and its table still has the pair. With one damaged bit more the game can be won. Three blocks lose to
//! three bits; bands are blocks with one table each, and need not fill the width.

use crate::explain::PairExplanation;
use crate::index::{Cut, Layout, LayoutKind};
use crate::simhash::Fingerprint;

/// Layouts to choose from by their names in lessons: fewer blocks than three bits need, enough of them, and bands.
pub const LAYOUTS: [(&str, LayoutKind); 8] = [
    ("3", LayoutKind::Blocks { blocks: 3, key: 1 }),
    ("4", LayoutKind::Blocks { blocks: 4, key: 1 }),
    ("5", LayoutKind::Blocks { blocks: 5, key: 2 }),
    ("6", LayoutKind::Blocks { blocks: 6, key: 3 }),
    ("7", LayoutKind::Blocks { blocks: 7, key: 4 }),
    ("2x24", LayoutKind::Bands { bands: 2, bits: 24 }),
    ("3x18", LayoutKind::Bands { bands: 3, bits: 18 }),
    ("4x16", LayoutKind::Bands { bands: 4, bits: 16 }),
];

/// The state of the game.
#[derive(Clone, Debug)]
pub struct GameState {
    /// The division of the width, and the key blocks.
    pub kind: LayoutKind,
    /// The bit under the cursor, counted from the left.
    pub column: u32,
    /// The damaged bits.
    pub damage: u128,
    /// The fingerprint that is damaged.
    pub fingerprint: Fingerprint,
}

impl Default for GameState {
    fn default() -> Self {
        let fingerprint = Fingerprint::new(0x33fd_d8f9_0c73_3025, 64);
        let (_, kind) = LAYOUTS[1];
        Self { kind, column: 0, damage: 0, fingerprint }
    }
}

impl GameState {
    /// The layout.
    ///
    /// # Panics
    /// Never: all blocks and bands of [`LAYOUTS`] fit.
    pub fn layout(&self) -> Layout {
        let width = self.fingerprint.width();
        let layout = match self.kind {
            LayoutKind::Bands { bands, bits } => Layout::bands(width, bands, bits),
            LayoutKind::Blocks { blocks, key }
            | LayoutKind::TwoLevel { outer: blocks, outer_key: key, .. } => {
                Layout::blocks(width, blocks, key, Cut::Even)
            }
        };
        layout.expect("as many blocks or bands as there are bits for")
    }

    /// The fingerprint with the damaged bits flipped.
    pub fn twin(&self) -> Fingerprint {
        Fingerprint::new(self.fingerprint.bits() ^ self.damage, self.fingerprint.width())
    }

    /// The outcome of each table for the two fingerprints.
    pub fn explanation(&self) -> PairExplanation {
        PairExplanation::new(self.fingerprint, self.twin(), &self.layout())
    }

    /// The bit under the cursor.
    pub fn bit(&self) -> u32 {
        let width = self.fingerprint.width();
        width - 1 - self.column.min(width - 1)
    }

    /// Damages the bit under the cursor, or repairs it.
    pub fn toggle(&mut self) {
        self.damage ^= 1 << self.bit();
    }

    /// Moves the cursor.
    pub fn sideways(&mut self, by: isize) {
        let last = self.fingerprint.width() - 1;
        let column = (self.column as usize).saturating_add_signed(by);
        self.column = (column as u32).min(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to damage one bit in each of a number of blocks.
    fn is_caught_whatever(kind: LayoutKind, n_damaged: u32) -> bool {
        let mut game = GameState { kind, ..GameState::default() };
        let layout = game.layout();
        let n = layout.block_list().len();
        (0_u32..1 << n).filter(|choice| choice.count_ones() == n_damaged).all(|choice| {
            let chosen = (0..n).filter(|block| choice >> block & 1 == 1);
            game.damage = chosen.map(|block| 1_u128 << layout.block_list()[block].low).sum();
            game.explanation().hits().next().is_some()
        })
    }

    #[test]
    fn what_is_sure_never_loses_and_one_damage_more_can() {
        for (_, kind) in LAYOUTS {
            let layout = GameState { kind, ..GameState::default() }.layout();
            let sure = layout.guarantee();
            let expected = match kind {
                LayoutKind::Bands { bands, .. } => bands - 1,
                LayoutKind::Blocks { blocks: 3, .. } => 2,
                _ => 3,
            };
            assert_eq!(sure, expected, "{kind:?}");
            assert!((0..=sure).all(|damaged| is_caught_whatever(kind, damaged)), "{kind:?}");
            assert!(!is_caught_whatever(kind, sure + 1), "{kind:?}");
        }
    }
}
