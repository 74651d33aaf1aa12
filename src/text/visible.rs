//! Escaping of hostile text: every document text passes here before it reaches a screen.
//!
//! A document may contain escape sequences, bidirectional overrides, zero-width characters and tabs. [`visible`]
//! spells out each of them (`^[`, `<U+202E>`) so that no document text can move the cursor, or hide or reorder
//! the text beside it. Costs one pass; clean text is borrowed.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// How a character is drawn.
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
        // C1 controls, then every character that Unicode calls default ignorable (soft hyphen, joiners that join
        // nothing, bidi marks, embeddings, overrides, isolates, fillers, tags, rare variation selectors), except
        // the joiners and the two selectors that scripts and emoji need.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        // Noncharacters, which an HTML or XML parser may reject.
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Drawn::Code,
        _ => Drawn::AsIs,
    }
}

/// Whether a character is always shown unchanged and cannot affect a terminal.
pub fn is_plain(c: char) -> bool {
    matches!(drawn(c), Drawn::AsIs)
}

/// Whether a character is never seen: it is spelled out, or it shapes the characters beside it.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(drawn(c), Drawn::Code)
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The most marks shown on one character; more would cover its neighbours.
const MOST_MARKS: usize = 6;

/// The character before the current one: it decides whether a mark or a joiner has something to act on.
#[derive(Default)]
struct Previous {
    last: Option<char>,
    n_marks: usize,
}

impl Previous {
    /// Decides how the next character is drawn.
    fn drawn(&mut self, c: char) -> Drawn {
        let drawn = match drawn(c) {
            Drawn::AsIs if is_zero_width(c) => {
                self.n_marks += 1;
                // Joiners and selectors change the shape of some scripts and emoji; on plain Latin letters they
                // only make two equal-looking texts unequal.
                let shapes =
                    self.last.is_some_and(|last| !last.is_ascii_alphabetic() && last != ' ');
                match c {
                    _ if self.n_marks > MOST_MARKS => Drawn::Code,
                    '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' if !shapes => Drawn::Code,
                    _ => {
                        if c == '\u{200d}' {
                            self.last = Some(c);
                        }
                        return Drawn::AsIs;
                    }
                }
            }
            drawn => drawn,
        };
        // A joiner continues an emoji, so the count continues.
        if self.last != Some('\u{200d}') && !matches!(drawn, Drawn::Code) {
            self.n_marks = 0;
        }
        self.last = Some(c);
        drawn
    }
}

/// Whether a character takes no cell.
fn is_zero_width(c: char) -> bool {
    !c.is_ascii() && c.width() == Some(0)
}

/// The text on one line, with every control, bidirectional and invisible character spelled out.
///
/// Each tab or line end becomes one space; ESC becomes `^[`, U+202E becomes `<U+202E>`. Joiners and emoji
/// selectors are kept where a script or an emoji needs them. After one character at most six combining marks are
/// kept; the others are counted: `<+994 marks>`.
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut before = Previous::default();
    if text.chars().all(|c| matches!(before.drawn(c), Drawn::AsIs)) {
        return Cow::Borrowed(text);
    }
    let mut before = Previous::default();
    let mut shown = String::with_capacity(text.len() + 8);
    let mut n_left_out = 0;
    for c in text.chars() {
        let drawn = before.drawn(c);
        if matches!(drawn, Drawn::Code) && is_zero_width(c) && before.n_marks > MOST_MARKS {
            n_left_out += 1;
            continue;
        }
        if n_left_out > 0 {
            shown.push_str(&format!("<+{n_left_out} marks>"));
            n_left_out = 0;
        }
        match drawn {
            Drawn::AsIs => shown.push(c),
            Drawn::Space => shown.push(' '),
            Drawn::Caret(letter) => shown.extend(['^', letter]),
            Drawn::Code => shown.push_str(&format!("<U+{:04X}>", c as u32)),
        }
    }
    if n_left_out > 0 {
        shown.push_str(&format!("<+{n_left_out} marks>"));
    }
    Cow::Owned(shown)
}

/// The lines of a text, each [`visible`], with tabs as four spaces; `\r\n` ends a line like `\n`.
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
        assert_eq!(visible("a\u{ffff}b\u{fdd0}"), "a<U+FFFF>b<U+FDD0>");
    }

    #[test]
    fn a_storm_of_marks_is_cut_and_counted() {
        let storm = format!("a{}b", "\u{301}".repeat(1000));
        assert_eq!(visible(&storm), format!("a{}<+994 marks>b", "\u{301}".repeat(6)));
        let chain = "👩\u{200d}".repeat(50);
        assert!(visible(&chain).contains("marks>"), "{}", visible(&chain));
    }

    #[test]
    fn what_joins_nothing_is_spelled_out() {
        assert_eq!(visible("b\u{200c}c\u{200d}d"), "b<U+200C>c<U+200D>d");
        assert_eq!(visible("a\u{fe0f}\u{e0100}"), "a<U+FE0F><U+E0100>");
    }

    #[test]
    fn ordinary_text_of_any_script_is_untouched() {
        for text in [
            "plain",
            "漢字",
            "می\u{200c}خواهم",
            "👩\u{200d}🚀",
            "e\u{301}",
            "1\u{fe0f}\u{20e3}",
            "क\u{94d}\u{200d}ष",
            "👨\u{200d}👩\u{200d}👧\u{200d}👦",
        ] {
            assert!(matches!(visible(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
