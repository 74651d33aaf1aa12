//! The positions where a text may be cut without splitting a word, a letter or an accent.

use unicode_segmentation::UnicodeSegmentation;

use crate::kernel::words;

/// Bytes between two questions whether to stop.
const PORTION: usize = 1 << 20;

/// Cuts a text into portions, of [`PORTION`] bytes where it has ASCII words in a row, at the blank between
/// two of them.
pub(super) fn portions(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut around = text.as_bytes().get(PORTION..).unwrap_or_default().windows(3);
        let cut = around.position(|around| {
            around.is_ascii() && !around[0].is_ascii_whitespace() && around[1].is_ascii_whitespace()
        });
        let (portion, after) = match cut {
            Some(at) => text.split_at(PORTION + at + 1),
            None => (text, ""),
        };
        rest = cut.map(|_| after);
        Some(portion)
    })
}

/// A stretch of text between white space.
pub(super) enum TextStretch<'a> {
    /// ASCII, perhaps the whole text.
    Ascii(&'a str),
    /// A word, more or less, that is not.
    Other(&'a str),
}

/// Takes a text apart at ASCII white space, where no word, no letter and no accent reaches across, into
/// what is ASCII and what is not. (A mark may cling to the space before it: then the space goes along.)
pub(super) fn for_each_run<'a>(text: &'a str, mut each: impl FnMut(TextStretch<'a>)) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = ascii_length(rest.as_bytes());
        if ascii == rest.len() {
            return each(TextStretch::Ascii(rest));
        }
        let last_blank = rest.as_bytes()[..ascii].iter().rposition(u8::is_ascii_whitespace);
        let before = last_blank.map_or("", |at| rest[..at].trim_ascii_end());
        // White space of other scripts holds on to the blank behind it, and so to the mark behind that.
        let ends = rest[ascii..].match_indices(|c: char| c.is_ascii_whitespace());
        let mut ends = ends.map(|(at, _)| ascii + at);
        let end = ends.find(|&at| !rest[..at].ends_with(char::is_whitespace)).unwrap_or(rest.len());
        if !before.is_empty() {
            each(TextStretch::Ascii(before));
        }
        each(TextStretch::Other(&rest[before.len()..end]));
        rest = &rest[end..];
    }
}

/// Bytes before the first that is not ASCII.
fn ascii_length(text: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let blocks = text.chunks(BLOCK).take_while(|block| block.is_ascii()).count();
    let rest = text.get(blocks * BLOCK..).unwrap_or_default();
    text.len().min(blocks * BLOCK) + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Calls `word` with every UAX #29 word of `text`, in order: what `unicode_words` yields, faster.
pub fn for_each_word(text: &str, mut word: impl FnMut(&str)) {
    for_each_run(text, |run| match run {
        TextStretch::Ascii(run) => words::for_each(run.as_bytes(), |place| word(&run[place])),
        TextStretch::Other(run) => run.unicode_words().for_each(&mut word),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_join_to_the_text_and_cut_no_word() {
        let text = "tide  \u{1a55}pool \u{6f22}\u{5b57} it's 3.14 ".repeat(PORTION / 12);
        assert_eq!(portions(&text).collect::<String>(), text);
        assert!(portions(&text).count() > 2);
        let words: Vec<&str> = portions(&text).flat_map(str::unicode_words).collect();
        assert!(text.unicode_words().eq(words));
        assert_eq!(portions("").collect::<Vec<_>>(), [""]);
        assert_eq!(portions(&"x".repeat(3 * PORTION)).count(), 1);
    }
}
