//! Random hyperplanes in two dimensions: lines through the origin that separate two vectors or not.
//!
//! A random line separates two vectors at angle theta with probability theta / pi: this is the idea of SimHash
//! in one picture. In the plane a random hyperplane is a line of random direction. Source: Charikar (STOC
//! 2002),
//! section 3; Goemans and Williamson (1995), lemma 3.2.

use std::f64::consts::{PI, TAU};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The random lines so far, and two vectors at angle 0 and at `theta`.
#[derive(Clone, Debug)]
pub struct Hyperplanes {
    theta: f64,
    /// The direction of each line, 0 to 2 pi; the opposite direction is the same line with exchanged sides.
    lines: Vec<f64>,
    n_separating: u32,
}

impl Hyperplanes {
    /// The first `n` lines of `seed`, with vectors at this cosine. A larger `n` adds lines and keeps the first
    /// ones.
    pub fn new(cosine: f64, n: usize, seed: u64) -> Self {
        let theta = cosine.clamp(-1.0, 1.0).acos();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let lines: Vec<f64> = (0..n).map(|_| random.random::<f64>() * TAU).collect();
        let n_separating = lines.iter().filter(|&&line| parts(line, theta)).count() as u32;
        Self { theta, lines, n_separating }
    }

    /// The angle between the vectors, 0 to pi.
    pub fn theta(&self) -> f64 {
        self.theta
    }

    /// The direction of each line, 0 to 2 pi, and whether it separates the vectors.
    pub fn lines(&self) -> impl Iterator<Item = (f64, bool)> + '_ {
        self.lines.iter().map(|&line| (line, parts(line, self.theta)))
    }

    /// The side of each line on which the vector at angle 0 lies, and the side of the vector at `theta`: one
    /// bit in each of two fingerprints.
    pub fn sides(&self) -> impl Iterator<Item = [bool; 2]> + '_ {
        self.lines.iter().map(|&line| [side(0.0, line), side(self.theta, line)])
    }

    /// The number of lines.
    pub fn n(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The number of lines that separate the vectors: the Hamming distance of two fingerprints with one bit for
    /// each line.
    pub fn n_separating(&self) -> u32 {
        self.n_separating
    }
}

/// Whether a line separates the vectors at angle 0 and `theta`, so that they lie on different sides.
fn parts(line: f64, theta: f64) -> bool {
    side(0.0, line) != side(theta, line)
}

/// The side of a line on which a vector lies: the sign of the sine of the angle between them.
fn side(vector: f64, line: f64) -> bool {
    (vector - line).rem_euclid(TAU) < PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_separate_the_vectors_as_often_as_the_angle_says() {
        for cosine in [1.0, 0.95, 0.8, 0.5, 0.0, -0.5, -1.0] {
            let planes = Hyperplanes::new(cosine, 20_000, 3);
            let expected = cosine.acos() / PI;
            let found = f64::from(planes.n_separating()) / f64::from(planes.n());
            assert!((found - expected).abs() < 0.015, "{cosine}: {found} is not {expected}");
        }
    }

    #[test]
    fn more_lines_keep_those_before() {
        let (few, many) = (Hyperplanes::new(0.8, 10, 5), Hyperplanes::new(0.8, 50, 5));
        assert!(few.lines().eq(many.lines().take(10)));
    }
}
