//! The figures in the columns of Tune.

use crate::{
    evaluate::labels::Share,
    number::{expected_short, grouped},
};

/// A column of a list of Tune: its name, its width in cells, and its text for a row.
pub(super) type Figure<R> = (&'static str, usize, fn(&R) -> String);

/// A number with all digits, if they fit in 11 cells.
pub(super) fn many(number: u64) -> String {
    if number < 1_000_000_000 { grouped(number) } else { short(number) }
}

/// An expected number, with enough digits to see whether it is less than one.
pub(super) fn expectation(number: f64) -> String {
    if number < 1e7 { expected_short(number) } else { short(number.round() as u64) }
}

/// `950`, `12.1k`, `3.45G`: three significant digits.
pub(super) fn short(number: u64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let number = number as f64;
    match units.into_iter().find(|(unit, _)| number >= 0.9995 * unit) {
        None => format!("{number}"),
        Some((unit, letter)) => {
            let scaled = number / unit;
            let digits = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
            format!("{scaled:.digits$}{letter}")
        }
    }
}

/// The ends of an interval, rounded outwards; the share itself if it is exact.
pub(super) fn share(of: u64, share: Share) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    if share.low == share.high {
        let rounded = (share.low * 100.0).round() / 100.0;
        // A share just below 1 is not shown as 1, nor a share just above 0 as 0.
        return ratio(match rounded {
            1.0 if share.low < 1.0 => 0.99,
            0.0 if share.low > 0.0 => 0.01,
            rounded => rounded,
        });
    }
    let low = (share.low * 100.0).floor() / 100.0;
    let high = (share.high * 100.0).ceil() / 100.0;
    format!("{}-{}", ratio(low), ratio(high))
}

/// `.97`, `1.0`: a share in three cells.
pub(super) fn ratio(share: f64) -> String {
    match share {
        1.0.. => "1.0".to_owned(),
        _ => format!("{share:.2}").trim_start_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_number_shows_whether_it_is_less_than_one() {
        let shown = [1e-12, 0.5, 1142.3, 1.21e7].map(expectation);
        assert_eq!(shown, ["<0.01", "0.50", "1,142", "12.1M"]);
    }

    #[test]
    fn ends_are_never_rounded_inwards() {
        let of = |low, high| share(9, Share { value: None, low, high });
        assert_eq!(of(0.9199, 0.98001), ".91-.99");
        assert_eq!(of(0.0, 1.0), ".00-1.0");
        assert_eq!(
            [0.404, 0.999, 1.0, 0.001, 0.0].map(|share| of(share, share)),
            [".40", ".99", "1.0", ".01", ".00"]
        );
        assert_eq!(share(0, Share { value: None, low: 0.0, high: 1.0 }), "-");
    }
}
