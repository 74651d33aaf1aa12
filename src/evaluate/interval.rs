//! Intervals: of a proportion in a sample, and of the cosine for a distance.
//!
//! Jeffreys' interval: quantiles of Beta(y + 1/2, n - y + 1/2). Its lower end is 0 if y = 0, its upper end 1 if
//! y = n.
//! Source: Brown, Cai and `DasGupta`, "Interval estimation for a binomial proportion" (2001), section 4.3.

use std::f64::consts::PI;

use statrs::distribution::{Beta, ContinuousCDF, Gamma};

/// The confidence level of intervals unless stated otherwise.
pub const LEVEL: f64 = 0.95;

/// Lower and upper end of the two-sided Jeffreys interval for `successes` in `trials`.
///
/// # Panics
/// If there are more successes than trials, or if `level` does not lie between 0 and 1.
pub fn jeffreys(successes: u32, trials: u32, level: f64) -> (f64, f64) {
    assert!(successes <= trials, "successes are among the trials");
    assert!(level > 0.0 && level < 1.0, "a level lies between 0 and 1");
    jeffreys_of(successes.into(), trials.into(), level)
}

/// [`jeffreys`] for an effective sample, which need not be a whole number.
pub(super) fn jeffreys_of(successes: f64, trials: f64, level: f64) -> (f64, f64) {
    let tail = (1.0 - level) / 2.0;
    let low = if successes <= 0.0 { 0.0 } else { quantile(successes, trials, tail) };
    let high = if successes >= trials { 1.0 } else { quantile(successes, trials, 1.0 - tail) };
    (low, high)
}

fn quantile(y: f64, n: f64, share: f64) -> f64 {
    Beta::new(y + 0.5, n - y + 0.5).expect("both shapes are positive").inverse_cdf(share)
}

/// [`jeffreys`] at 95 % for samples of any size. Above a hundred thousand trials quantiles of Beta no longer
/// converge, so their limits are used: Gamma for few successes or failures, otherwise Wilson's interval, which
/// then differs by less than a hundredth of its width. Takes some microseconds.
///
/// # Panics
/// If there are more successes than trials.
pub fn of_sample(successes: u32, trials: u32) -> (f64, f64) {
    assert!(successes <= trials, "successes are among the trials");
    let (failures, n) = (trials - successes, f64::from(trials));
    if trials <= 100_000 {
        jeffreys(successes, trials, LEVEL)
    } else if successes < FEW {
        let (low, high) = of_few(successes);
        (low / n, high / n)
    } else if failures < FEW {
        let (low, high) = of_few(failures);
        (1.0 - high / n, 1.0 - low / n)
    } else {
        let z = 1.959_964;
        let (p, shrunk) = (f64::from(successes) / n, 1.0 + z * z / n);
        let middle = (p + z * z / (2.0 * n)) / shrunk;
        let half = z / shrunk * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        (middle - half, middle + half)
    }
}

/// From this number of successes on, a normal distribution replaces Gamma.
const FEW: u32 = 400;

/// The interval of a Poisson mean for a number of events: quantiles of Gamma(y + 1/2, 1).
fn of_few(events: u32) -> (f64, f64) {
    let shape = f64::from(events) + 0.5;
    let gamma = Gamma::new(shape, 1.0).expect("the shape is positive");
    let quantile = |share: f64| {
        let (mut low, mut high) = (0.0, shape + 10.0 * shape.sqrt() + 10.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if gamma.cdf(middle) < share { low = middle } else { high = middle }
        }
        high
    };
    let tail = (1.0 - LEVEL) / 2.0;
    (if events == 0 { 0.0 } else { quantile(tail) }, quantile(1.0 - tail))
}

/// Lower and upper end of the cosine for a distance, at 95 %.
///
/// # Panics
/// If the distance exceeds the width.
pub fn cosine(distance: u32, width: u32) -> (f64, f64) {
    let (low, high) = jeffreys(distance, width, LEVEL);
    ((PI * high).cos(), (PI * low).cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: (f64, f64), expected: (f64, f64), digits: i32) {
        let tolerance = 0.51 * 10f64.powi(-digits);
        let far = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
        assert!(far < tolerance, "{found:?} is not {expected:?}");
    }

    #[test]
    fn golden_jeffreys_intervals() {
        close(jeffreys(18, 20, LEVEL), (0.7161, 0.9786), 4);
        close(jeffreys(10, 10, LEVEL), (0.783, 1.0), 3);
        close(jeffreys(0, 30, LEVEL), (0.0, 0.080), 3);
        // The one-sided bound at 95 % is the lower end at 90 %.
        close((jeffreys(18, 20, 0.9).0, jeffreys(20, 20, 0.9).0), (0.750, 0.910), 3);
    }

    #[test]
    fn large_samples_have_the_limits_of_the_same_interval() {
        // Halves of quantiles of chi-square with 1 and 21 degrees of freedom.
        for (events, expected) in [(0, (0.0, 2.512)), (10, (5.141, 17.739))] {
            let (low, high) = of_sample(events, 1 << 24);
            close((low * 16_777_216.0, high * 16_777_216.0), expected, 3);
            let mirrored = of_sample((1 << 24) - events, 1 << 24);
            close((1.0 - mirrored.1, 1.0 - mirrored.0), (low, high), 9);
        }
        // At the change of method both hardly differ.
        for (successes, trials) in [(60, 100_000), (2000, 100_000), (50_000, 100_000)] {
            let (one, other) =
                (jeffreys(successes, trials, LEVEL), of_sample(successes, trials + 1));
            let width = one.1 - one.0;
            let far = (one.0 - other.0).abs().max((one.1 - other.1).abs());
            assert!(far < 0.01 * width, "{successes}: {one:?} {other:?}");
        }
    }

    #[test]
    fn golden_intervals_of_small_samples() {
        // successes, trials, both ends, the one-sided lower bound
        let table = [
            (10, 10, (0.783, 1.0), 0.829),
            (20, 20, (0.883, 1.0), 0.910),
            (18, 20, (0.716, 0.979), 0.750),
            (27, 30, (0.757, 0.971), 0.783),
            (45, 50, (0.795, 0.961), 0.814),
            (75, 100, (0.659, 0.827), 0.674),
        ];
        for (successes, trials, both, lower) in table {
            close(jeffreys(successes, trials, LEVEL), both, 3);
            let (found, _) = jeffreys(successes, trials, 2.0 * LEVEL - 1.0);
            close((found, found), (lower, lower), 3);
        }
    }

    #[test]
    fn a_distance_says_little_about_the_cosine() {
        let table = [
            (0, (0.993, 1.0)),
            (3, (0.930, 0.999)),
            (6, (0.839, 0.992)),
            (10, (0.686, 0.966)),
            (32, (-0.369, 0.369)),
        ];
        for (distance, expected) in table {
            close(cosine(distance, 64), expected, 3);
        }
    }
}
