//! The Learn screen: how SimHash works, hands on.
//!
//! ```text
//! Lessons     pages with a picture and something to do, which is checked
//! Playground  two texts: features, votes and bits move with each key
//! Angle       random lines between two vectors
//! ```
//!
//! All views share two texts and a recipe of their own, so that experiments change nothing on other screens.

pub mod check;
pub mod facts;
pub mod lesson;
pub mod lessons;
pub mod playground;

pub use self::lessons::LessonsState;
pub use self::playground::Playground;
use crate::explain::{Hyperplanes, PairExplanation};
use crate::index::Layout;
use crate::simhash::Fingerprint;

/// The state of the Learn screen.
#[derive(Debug, Default)]
pub struct LearnState {
    /// The lessons.
    pub lessons: LessonsState,
    /// The two texts.
    pub playground: Playground,
    /// The damaged pair.
    pub game: GameState,
    /// The two vectors.
    pub angle: AngleState,
}

/// Lines at most: more than a wide fingerprint has bits.
pub const MOST_LINES: usize = 1024;

/// The state of the Angle view.
#[derive(Clone, Debug)]
pub struct AngleState {
    /// The cosine of the two vectors, in hundredths.
    pub hundredths: i32,
    /// Lines drawn.
    pub n_lines: usize,
    /// The seed of the lines.
    pub seed: u64,
}

impl Default for AngleState {
    fn default() -> Self {
        Self { hundredths: 80, n_lines: 0, seed: 1 }
    }
}

impl AngleState {
    /// The cosine.
    pub fn cosine(&self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// The lines so far.
    pub fn planes(&self) -> Hyperplanes {
        Hyperplanes::new(self.cosine(), self.n_lines, self.seed)
    }

    /// Turns one vector.
    pub fn turn(&mut self, by: isize) {
        self.hundredths = (self.hundredths + by as i32).clamp(-100, 100);
    }

    /// Draws more lines, or removes the last ones.
    pub fn draw(&mut self, by: isize) {
        self.n_lines = self.n_lines.saturating_add_signed(by).min(MOST_LINES);
    }
}

/// The fingerprint that is damaged.
const WHOLE: u64 = 0x33fd_d8f9_0c73_3025;
/// Its bits.
pub const GAME_WIDTH: u32 = 64;
/// The damaged bits that the blocks of the game must survive, whatever the k of a page.
pub const GAME_K: u32 = 3;

/// The pigeonhole game: damage bits until every table misses the pair.
///
/// With m blocks and keys of c blocks, d damaged bits are in at most d blocks; while d <= m - c some choice of c blocks
/// is intact, and its table still has the pair. With one damaged bit more the game can be won. Bands are blocks with
/// one table each, and need not fill the width.
#[derive(Clone, Debug)]
pub struct GameState {
    /// The tables.
    pub layout: Layout,
    /// The bit under the cursor.
    pub bit: u32,
    /// The damaged bits.
    pub damage: u128,
}

impl Default for GameState {
    fn default() -> Self {
        let layout = Layout::blocks(GAME_WIDTH, 4, 1).expect("blocks of 16 bits");
        Self { layout, bit: GAME_WIDTH - 1, damage: 0 }
    }
}

impl GameState {
    /// The fingerprint, and the same with the damaged bits flipped.
    pub fn pair(&self) -> [Fingerprint; 2] {
        [0, self.damage].map(|flips| Fingerprint::new(u128::from(WHOLE) ^ flips, GAME_WIDTH))
    }

    /// The outcome of each table for the two fingerprints.
    pub fn explanation(&self) -> PairExplanation {
        let [one, two] = self.pair();
        PairExplanation::new(one, two, &self.layout)
    }

    /// Damages the bit under the cursor, or repairs it.
    pub fn toggle(&mut self) {
        self.damage ^= 1 << self.bit;
    }

    /// Moves the cursor to the right.
    pub fn sideways(&mut self, by: isize) {
        let bit = (self.bit as usize).saturating_add_signed(by.saturating_neg());
        self.bit = (bit as u32).min(GAME_WIDTH - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::LayoutChoice;

    /// Every way to damage one bit in each of a number of blocks.
    fn is_caught_whatever(layout: &Layout, n_damaged: u32) -> bool {
        let mut game = GameState { layout: layout.clone(), ..GameState::default() };
        let n = layout.block_list().len();
        (0_u32..1 << n).filter(|choice| choice.count_ones() == n_damaged).all(|choice| {
            let chosen = (0..n).filter(|block| choice >> block & 1 == 1);
            game.damage = chosen.map(|block| 1_u128 << layout.block_list()[block].low).sum();
            game.explanation().hits().next().is_some()
        })
    }

    #[test]
    fn what_is_sure_never_loses_and_one_damage_more_can() {
        for (name, expected) in
            [("4", 3), ("5", 3), ("6", 3), ("7", 3), ("2x24", 1), ("3x18", 2), ("4x16", 3)]
        {
            let layout =
                name.parse::<LayoutChoice>().unwrap().layout(0, GAME_WIDTH, GAME_K).unwrap();
            let sure = layout.guarantee();
            assert_eq!(sure, expected, "{name}");
            assert!((0..=sure).all(|damaged| is_caught_whatever(&layout, damaged)), "{name}");
            assert!(!is_caught_whatever(&layout, sure + 1), "{name}");
        }
    }
}
