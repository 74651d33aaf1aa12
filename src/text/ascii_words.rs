//! UAX #29 words of ASCII text, byte by byte.
//!
//! Most text is ASCII, and of the annex's rules only a handful speak of ASCII characters: letters,
//! digits and `_` stick together; `'` and `.` hold letters together or digits, `:` letters, `,` and `;`
//! digits, each only between two of its kind. About ten times as fast as the general tables; a property
//! test holds it to them.
//! Source: Unicode Standard Annex #29, rules WB5 to WB13.

/// What a byte is to the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A word on its own or with others: letters.
    Letter,
    /// Digits.
    Digit,
    /// `_`: joins, but alone is no word.
    Join,
    /// Holds two letters together.
    MidLetter,
    /// Holds two digits together.
    MidDigit,
    /// Holds either together.
    MidBoth,
    /// Ends a word.
    Other,
}

const CLASSES: [Class; 128] = {
    let mut classes = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Join,
            b':' => Class::MidLetter,
            b',' | b';' => Class::MidDigit,
            b'\'' | b'.' => Class::MidBoth,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

fn class(bytes: &[u8], at: usize) -> Class {
    match bytes.get(at) {
        Some(&byte) if byte < 128 => CLASSES[byte as usize],
        _ => Class::Other,
    }
}

/// Calls `word` with every word of `text`, in order.
///
/// # Panics
/// In debug builds, if `text` is not ASCII.
pub(super) fn for_each(text: &str, mut word: impl FnMut(&str)) {
    debug_assert!(text.is_ascii(), "only ASCII has so few rules");
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut counts = false;
        loop {
            match class(bytes, at) {
                Class::Letter | Class::Digit => counts = true,
                Class::Join => {}
                middle => {
                    let before = if at > start { class(bytes, at - 1) } else { Class::Other };
                    let after = class(bytes, at + 1);
                    let holds = match before {
                        Class::Letter => matches!(middle, Class::MidLetter | Class::MidBoth),
                        Class::Digit => matches!(middle, Class::MidDigit | Class::MidBoth),
                        _ => false,
                    };
                    if !(holds && after == before) {
                        break;
                    }
                }
            }
            at += 1;
        }
        if counts {
            word(&text[start..at]);
        }
        at += usize::from(at == start || at < bytes.len());
    }
}
