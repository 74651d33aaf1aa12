//! The text of figures: short in a column, whole on a page.

use super::Room;
use crate::evaluate::distances::{CountMethod, Estimate};
use crate::evaluate::labels::Share;
use crate::number::{expected_short, grouped, rounded};

/// No value.
pub(crate) fn dash(room: Room) -> String {
    if room == Room::Page { "–" } else { "-" }.to_owned()
}

/// A number with all digits, if they fit in 11 cells.
pub(crate) fn many(number: u64) -> String {
    if number < 1_000_000_000 { grouped(number) } else { short(number) }
}

/// An expected number, with enough digits to see whether it is less than one.
pub(crate) fn expectation(number: f64) -> String {
    if number < 1e7 { expected_short(number) } else { short(number.round() as u64) }
}

/// `950`, `12.1k`, `3.45G`: three significant digits.
pub(crate) fn short(number: u64) -> String {
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
pub(crate) fn share_in_cells(of: u64, share: Share) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    if share.low == share.high {
        let rounded = (share.low * 100.0).round() / 100.0;
        // A share just below 1 is not shown as 1, nor a share just above 0 as 0.
        let shown = match rounded {
            1.0 if share.low < 1.0 => 0.99,
            0.0 if share.low > 0.0 => 0.01,
            rounded => rounded,
        };
        return decimals(shown, 2);
    }
    let low = (share.low * 100.0).floor() / 100.0;
    let high = (share.high * 100.0).ceil() / 100.0;
    format!("{}-{}", decimals(low, 2), decimals(high, 2))
}

/// A number with the digits that matter: `0.0023`, `12.5`, `1,142`.
pub(crate) fn digits(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        ..1e-4 => format!("{number:.1e}"),
        ..0.1 => format!("{number:.4}"),
        ..10.0 => format!("{number:.3}"),
        ..1000.0 => format!("{number:.1}"),
        _ if number < 0.0 => format!("-{}", grouped(-number.round() as u64)),
        _ => grouped(number.round() as u64),
    }
}

/// A share without the digit before the point; 1 only if it is 1.
pub(crate) fn decimals(share: f64, digits: usize) -> String {
    if share >= 1.0 {
        return format!("{:.*}", digits.saturating_sub(1), 1.0);
    }
    let most = 1.0 - 0.1_f64.powi(digits as i32);
    format!("{:.digits$}", share.min(most)).trim_start_matches('0').to_owned()
}

/// A number, or what is known of it: the ends of its interval in a column, both on a page.
pub(crate) fn estimate(estimate: Option<Estimate>, room: Room) -> String {
    let Some(Estimate { pairs, low, high, method }) = estimate else {
        return if room == Room::Page { "unknown" } else { ".." }.to_owned();
    };
    match (method, room) {
        (CountMethod::Exact, Room::Cells) => many(pairs),
        (CountMethod::Exact, Room::Page) => grouped(pairs),
        (CountMethod::Sampled | CountMethod::Judged, Room::Cells) => {
            format!("{}-{}", short(low), short(high))
        }
        (CountMethod::Sampled | CountMethod::Judged, Room::Page) => {
            format!("{} ({} to {})", grouped(pairs), grouped(low), grouped(high))
        }
    }
}

/// An expected number of pairs: on a page without decimals where it is large, a bound where it is almost 0.
pub(crate) fn by_chance(pairs: f64, room: Room) -> String {
    match pairs {
        _ if room == Room::Cells => expectation(pairs),
        1000.0.. => grouped(pairs.round() as u64),
        0.0 => "0".to_owned(),
        ..1e-4 => "<0.0001".to_owned(),
        _ => rounded(pairs),
    }
}

/// A share of pairs with its interval, the ends rounded outwards; `of` is the number of pairs.
pub(crate) fn share(of: u64, share: Share, room: Room) -> String {
    match (room, of) {
        (Room::Cells, _) => share_in_cells(of, share),
        (Room::Page, 0) => "no pairs".to_owned(),
        (Room::Page, _) => {
            let (low, high) = ((share.low * 1e3).floor() / 1e3, (share.high * 1e3).ceil() / 1e3);
            let value =
                share.value.map_or_else(|| "unknown".to_owned(), |value| format!("{value:.3}"));
            if share.low == share.high {
                return value;
            }
            format!("{value} ({low:.3} to {high:.3})")
        }
    }
}

/// A share in percent, rounded down, so that only equal texts have 100 %.
pub(crate) fn share_of(shared: f64) -> String {
    format!("{:.0} %", (shared * 100.0).floor())
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
        let of = |low, high| share_in_cells(9, Share { value: None, low, high });
        assert_eq!(of(0.9199, 0.98001), ".91-.99");
        assert_eq!(of(0.0, 1.0), ".00-1.0");
        assert_eq!(
            [0.404, 0.999, 1.0, 0.001, 0.0].map(|share| of(share, share)),
            [".40", ".99", "1.0", ".01", ".00"]
        );
        assert_eq!(share_in_cells(0, Share { value: None, low: 0.0, high: 1.0 }), "-");
    }

    #[test]
    fn digits_that_matter() {
        let table = [
            (0.0, "0"),
            (0.000_012, "1.2e-5"),
            (0.0123, "0.0123"),
            (0.989_2, "0.989"),
            (57.25, "57.2"),
            (1142.3, "1,142"),
            (-0.5, "-0.500"),
            (-1500.0, "-1,500"),
        ];
        for (number, text) in table {
            assert_eq!(digits(number), text);
        }
    }

    #[test]
    fn numbers_are_never_said_surer_than_they_are() {
        let sampled = Estimate { pairs: 1234, low: 1200, high: 1270, method: CountMethod::Sampled };
        assert_eq!(estimate(Some(sampled), Room::Page), "1,234 (1,200 to 1,270)");
        assert_eq!(estimate(Some(Estimate::exact(12)), Room::Page), "12");
        let known = Share { value: Some(0.95), low: 0.91239, high: 0.98711 };
        assert_eq!(share(3, known, Room::Page), "0.950 (0.912 to 0.988)");
        assert_eq!(share(0, known, Room::Page), "no pairs");
        assert_eq!(
            (
                by_chance(1e-9, Room::Page),
                by_chance(0.12345, Room::Page),
                by_chance(12345.6, Room::Page)
            ),
            ("<0.0001".into(), "0.1235".into(), "12,346".into())
        );
    }
}
