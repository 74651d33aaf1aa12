//! How often the intervals that are printed hold the truth: simulations, each against the level it claims.
//!
//! `cargo test --release -- --ignored --nocapture coverage` prints the shares; the manual's page about evaluation
//! lists them. A share has to be within two points of 95 %; of precision and of the share kept by k it may be more,
//! since their ends are open where nothing was judged against them. Random numbers are seeded, so that every run
//! gives the same shares.

mod labels;
mod recall;
mod shares;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Counts how often an interval held the truth.
#[derive(Default)]
struct Held {
    times: u32,
    n: u32,
    width: f64,
}

impl Held {
    fn note(&mut self, (low, high): (f64, f64), truth: f64) {
        // Sums of the same numbers in another order differ in their last digits.
        self.times += u32::from(low - 1e-9 <= truth && truth <= high + 1e-9);
        self.width += high - low;
        self.n += 1;
    }

    fn share(&self) -> f64 {
        f64::from(self.times) / f64::from(self.n)
    }

    /// Prints the share and checks that it is within two points of 95 %.
    fn is_near(&self, name: &str) {
        self.is_enough(name);
        assert!(self.share() <= 0.97, "{name}: {}", self.share());
    }

    /// Prints the share and checks that it is not more than two points below 95 %.
    fn is_enough(&self, name: &str) {
        let mean_width = self.width / f64::from(self.n);
        eprintln!(
            "{name}: {:.1} % of {} held, mean width {mean_width:.4}",
            100.0 * self.share(),
            self.n
        );
        assert!(self.share() >= 0.93, "{name}: {}", self.share());
    }
}

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}
