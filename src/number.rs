//! Numbers formatted for people.

/// Digits in groups of three: 10788 is `10,788`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 pair`, `34 pairs`: a grouped number with its noun.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A share in percent, with its sign: `66.7 %`. It is 0 or 100 only if none or all are meant.
pub fn percent(number: u64, of: u64) -> String {
    let share = number as f64 * 100.0 / of.max(1) as f64;
    match share {
        _ if 0 < number && share < 0.05 => "<0.1 %".to_owned(),
        _ if number < of => format!("{:.1} %", share.min(99.9)),
        _ => format!("{share:.1} %"),
    }
}

/// The number with four significant digits, in a form that JSON and CSV accept: `0.0023`, `1142`, `2.371e-15`.
pub fn rounded(number: f64) -> String {
    let magnitude = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 };
    if !(-4..=15).contains(&magnitude) {
        let text = format!("{number:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(digits));
    }
    trimmed(&format!("{number:.*}", (3 - magnitude).max(0) as usize)).to_owned()
}

/// An expected number of pairs in a sentence: `less than 0.01`, `0.06`, `12`, `1,142`.
pub fn expected(number: f64) -> String {
    expected_short(number).replace('<', "less than ")
}

/// An expected number of pairs in a table, with enough digits to see whether it is less than one: `<0.01`, `0.06`, `12`.
pub fn expected_short(number: f64) -> String {
    match number {
        ..0.01 => "<0.01".to_owned(),
        ..10.0 => format!("{number:.2}"),
        _ => grouped(number.round() as u64),
    }
}

/// A decimal without zeros at its end.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_count() {
        let table = [
            (0.0, "0"),
            (1.0, "1"),
            (0.000_123_456, "0.0001235"),
            (2.371_47e-15, "2.371e-15"),
            (2e-15, "2e-15"),
            (0.5, "0.5"),
            (1142.4, "1142"),
            (58_182_078.4, "58182078"),
            (1.5e300, "1.5e300"),
        ];
        for (number, text) in table {
            assert_eq!(rounded(number), text);
        }
    }

    #[test]
    fn only_all_are_100_percent() {
        let table = [
            (0, 9, "0.0 %"),
            (2, 3, "66.7 %"),
            (99_999, 100_000, "99.9 %"),
            (1, 100_000, "<0.1 %"),
            (1, 1000, "0.1 %"),
            (7, 7, "100.0 %"),
        ];
        for (number, of, text) in table {
            assert_eq!(percent(number, of), text);
        }
    }

    #[test]
    fn digits_stand_in_threes() {
        let table = [(0, "0"), (999, "999"), (1000, "1,000"), (58_182_078, "58,182,078")];
        for (number, text) in table {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((counted(1, "pair"), counted(2, "pair")), ("1 pair".into(), "2 pairs".into()));
    }
}
