//! The Learn screen: how SimHash works, hands on.
//!
//! ```text
//! Lessons     pages with a picture and something to do, which is checked
//! Playground  two texts: features, votes and bits move with each key
//! Angle       random lines between two vectors, and the curve of a layout
//! ```
//!
//! All views share two texts and a recipe of their own, so that experiments change nothing on other screens.

pub mod check;
pub mod facts;
pub mod game;
pub mod lesson;
pub mod lessons;
pub mod playground;
pub mod typed;

pub use self::game::GameState;
pub use self::lessons::LessonsState;
pub use self::playground::Playground;
use crate::app::query;
use crate::app::resource::Resource;
use crate::explain::Hyperplanes;

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
    /// The distances of the last edited document, which may not be the selected one until its answer comes.
    pub worn: Resource<query::WearQuery>,
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
