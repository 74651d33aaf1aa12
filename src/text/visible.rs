//! Hostile text made harmless and visible: the one border between a document and a screen.
//!
//! A document may hold escape sequences, bidirectional overrides, zero-width characters and tabs.
//! [`visible`] spells each out (`^[`, `<U+202E>`) so that nothing a document says can move the cursor,
//! hide or reorder what stands beside it. Costs one pass; clean text is borrowed.

use std::borrow::Cow;

/// How a character is drawn: as itself, or spelled out.
enum Drawn {
    AsIs,
    Space,
    Caret(char),
    Code,
}

fn drawn(c: char) -> Drawn {
    match c {
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Drawn::Space,
        '\0'..='\u{1f}' => Drawn::Caret(char::from(c as u8 + b'@')),
        '\u{7f}' => Drawn::Caret('?'),
        // C1 controls; soft hyphen; Arabic letter mark; Mongolian separator; zero-width and bidi marks;
        // embeddings, overrides, isolates; invisible operators; byte order mark; fillers; tags.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}' => Drawn::Code,
        _ => Drawn::AsIs,
    }
}

/// The text on one line with every control, bidirectional and invisible character spelled out.
///
/// Tabs and line ends become one space each; ESC becomes `^[`, U+202E becomes `<U+202E>`. The joiners
/// U+200C and U+200D stay: Persian, Indic scripts and emoji need them.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| matches!(drawn(c), Drawn::AsIs)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match drawn(c) {
            Drawn::AsIs => shown.push(c),
            Drawn::Space => shown.push(' '),
            Drawn::Caret(letter) => shown.extend(['^', letter]),
            Drawn::Code => shown.push_str(&format!("<U+{:04X}>", c as u32)),
        }
    }
    Cow::Owned(shown)
}

/// The lines of a text, each [`visible`], tabs as four spaces; `\r\n` ends a line like `\n`.
pub fn visible_lines(text: &str) -> impl Iterator<Item = String> {
    text.split('\n').map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        visible(&line.replace('\t', "    ")).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_harm_a_screen_is_spelled_out() {
        assert_eq!(visible("a\u{1b}[2Jb\u{7f}"), "a^[[2Jb^?");
        assert_eq!(visible("invoice-\u{202e}fdp"), "invoice-<U+202E>fdp");
        assert_eq!(visible("a\u{200b}b\tc\nd"), "a<U+200B>b c d");
        assert_eq!(visible("\u{9b}31m"), "<U+009B>31m");
    }

    #[test]
    fn ordinary_text_of_any_script_is_untouched() {
        for text in ["plain", "漢字", "می\u{200c}خواهم", "👩\u{200d}🚀", "e\u{301}"] {
            assert!(matches!(visible(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
