//! Numbers as people read them.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        let table = [(0, "0"), (999, "999"), (1000, "1,000"), (58_182_078, "58,182,078")];
        for (number, text) in table {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((counted(1, "pair"), counted(2, "pair")), ("1 pair".into(), "2 pairs".into()));
    }
}
