//! The positions where a text may be cut without splitting a word, a letter or an accent.

use unicode_segmentation::UnicodeSegmentation;

use crate::kernel::words;

/// Bytes processed between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 20;

/// Cuts a text into portions of about [`CHECK_INTERVAL`] bytes. A cut is always at white space between two ASCII
/// characters, so a portion without any is longer.
pub(super) fn portions(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut around = text.as_bytes().get(CHECK_INTERVAL..).unwrap_or_default().windows(3);
        let cut = around.position(|around| {
            around.is_ascii() && !around[0].is_ascii_whitespace() && around[1].is_ascii_whitespace()
        });
        let (portion, after) = match cut {
            Some(at) => text.split_at(CHECK_INTERVAL + at + 1),
            None => (text, ""),
        };
        rest = cut.map(|_| after);
        Some(portion)
    })
}

/// A part of a text that ends at white space.
pub(super) enum TextRun<'a> {
    /// ASCII text, possibly the whole text.
    Ascii(&'a str),
    /// Text with characters outside ASCII, usually one word.
    Other(&'a str),
}

/// Cuts a text at ASCII white space into ASCII text and other text. No word, letter or accent extends across such
/// a cut. (A combining mark may belong to the space before it; then that space is in the same part as the mark.)
pub(super) fn for_each_run<'a>(text: &'a str, mut each: impl FnMut(TextRun<'a>)) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = ascii_length(rest.as_bytes());
        if ascii == rest.len() {
            return each(TextRun::Ascii(rest));
        }
        let last_blank = rest.as_bytes()[..ascii].iter().rposition(u8::is_ascii_whitespace);
        let before = last_blank.map_or("", |at| rest[..at].trim_ascii_end());
        // Non-ASCII white space before the blank would join it to a combining mark after it, so the cut comes
        // later.
        let ends = rest[ascii..].match_indices(|c: char| c.is_ascii_whitespace());
        let mut ends = ends.map(|(at, _)| ascii + at);
        let end = ends.find(|&at| !rest[..at].ends_with(char::is_whitespace)).unwrap_or(rest.len());
        if !before.is_empty() {
            each(TextRun::Ascii(before));
        }
        each(TextRun::Other(&rest[before.len()..end]));
        rest = &rest[end..];
    }
}

/// The number of bytes before the first byte that is not ASCII.
fn ascii_length(text: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let blocks = text.chunks(BLOCK).take_while(|block| block.is_ascii()).count();
    let rest = text.get(blocks * BLOCK..).unwrap_or_default();
    text.len().min(blocks * BLOCK) + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Calls `word` with every UAX #29 word of `text`, in order: the same words as `unicode_words`, but faster.
pub fn for_each_word(text: &str, mut word: impl FnMut(&str)) {
    for_each_run(text, |run| match run {
        TextRun::Ascii(run) => words::for_each(run.as_bytes(), |place| word(&run[place])),
        TextRun::Other(run) => run.unicode_words().for_each(&mut word),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_join_to_the_text_and_cut_no_word() {
        let text = "tide  \u{1a55}pool \u{6f22}\u{5b57} it's 3.14 ".repeat(CHECK_INTERVAL / 12);
        assert_eq!(portions(&text).collect::<String>(), text);
        assert!(portions(&text).count() > 2);
        let words: Vec<&str> = portions(&text).flat_map(str::unicode_words).collect();
        assert!(text.unicode_words().eq(words));
        assert_eq!(portions("").collect::<Vec<_>>(), [""]);
        assert_eq!(portions(&"x".repeat(3 * CHECK_INTERVAL)).count(), 1);
    }
}
