//! The Learn screen: how SimHash works, hands on.
//!
//! ```text
//! Lessons     pages with a picture and something to do, which is checked
//! Hashes      two texts under a usual hash, MinHash and SimHash
//! Playground  two texts: features, votes and bits move with each key
//! Step        one feature after another, forwards and back
//! Tables      a pair against every table: damage bits and see which keys stay intact
//! Angle       random lines between two vectors, and the curve of a layout
//! Bench       bands or a distance: their curves, and the pairs of the corpus that they find
//! Wear        the selected document with some of its words changed, many times over
//! ```
//!
//! All views share two texts and a recipe of their own, so that experiments change nothing on other screens.

pub mod angle;
pub mod bench;
pub mod check;
pub mod facts;
pub mod game;
pub(crate) mod hashes;
pub mod lesson;
pub mod lessons;
pub mod place;
pub mod playground;
pub mod step;
pub mod typed;
pub mod wear;

pub use self::{
    angle::AngleState, bench::BenchState, game::GameState, lessons::LessonsState,
    playground::Playground, step::StepState, wear::WearState,
};
/// The speed of automatic steps, as ticks between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace(pub usize);

impl Default for Pace {
    fn default() -> Self {
        Self(4)
    }
}

impl Pace {
    /// Twice as fast, or half as fast: from eight steps a second to one in four seconds.
    pub fn change(&mut self, by: isize) {
        self.0 = if by > 0 { self.0 / 2 } else { self.0 * 2 }.clamp(1, 32);
    }
}

/// The state of the Learn screen.
#[derive(Debug, Default)]
pub struct LearnState {
    /// The lessons.
    pub lessons: LessonsState,
    /// The two texts.
    pub playground: Playground,
    /// The count of their features.
    pub step: StepState,
    /// The damaged pair.
    pub game: GameState,
    /// The two vectors.
    pub angle: AngleState,
    /// The curves and the pairs.
    pub bench: BenchState,
    /// The speed of automatic steps.
    pub pace: Pace,
    /// A place that waits for the corpus.
    pub pending: Option<place::LearnPlace>,
    /// The Wear view.
    pub wear: WearState,
}
