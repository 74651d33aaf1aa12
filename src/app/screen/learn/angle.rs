//! Angle: two vectors, and random lines that separate them or do not.

use crate::explain::Hyperplanes;

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
    /// Whether lines are added automatically.
    pub playing: bool,
}

impl Default for AngleState {
    fn default() -> Self {
        Self { hundredths: 80, n_lines: 0, seed: 1, playing: false }
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
        self.playing &= self.n_lines < MOST_LINES;
    }
}
