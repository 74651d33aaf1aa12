//! A document's tokens, laid end to end so that every run of N of them is one slice.
//!
//! Words are joined by single spaces, characters by nothing. A shingle of N tokens is then a slice of
//! one buffer and costs no allocation; the buffer is reused from document to document.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::{Case, NormalForm, StopWords, ascii_words, common_words, normalize};

/// Tokens of one text: a buffer and where each token begins in it.
#[derive(Debug, Default)]
pub struct Tokens {
    /// UTF-8 up to `filled`; beyond lies what earlier texts left.
    buffer: Vec<u8>,
    filled: usize,
    /// Where each token begins, and behind the last where the next would.
    starts: Vec<u32>,
    /// Bytes between two tokens: 1 for words, 0 for characters.
    gap: u32,
}

impl Tokens {
    /// No tokens yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the UAX #29 words of `text` in this normal form and case, leaving out stop words.
    pub fn take_words(&mut self, text: &str, form: NormalForm, case: Case, stop_words: &StopWords) {
        self.begin(1);
        // Compatibility makes white space of what was none: only then is it known where to cut.
        let text = match form {
            NormalForm::Nfkc => normalize(text, form, Case::Keep),
            _ => Cow::Borrowed(text),
        };
        for_each_run(&text, |run| match run {
            Run::Ascii(run) => {
                let from = self.filled;
                self.make_room(run.len());
                ascii_words::for_each(run.as_bytes(), |place| {
                    if stop_words.is_empty() || !stop_words.contains(&run[place.clone()]) {
                        self.push(run.as_bytes(), place);
                    }
                });
                // Every form of ASCII is ASCII.
                if case == Case::Lower {
                    self.buffer[from..self.filled].make_ascii_lowercase();
                }
            }
            Run::Other(run) => {
                let (n_words, filled) = (self.starts.len(), self.filled);
                if !self.take_common_words(run, case, stop_words) {
                    self.starts.truncate(n_words);
                    self.filled = filled;
                    self.take_any_words(run, form, case, stop_words);
                }
            }
        });
        self.starts.push(self.filled as u32);
    }

    /// Takes words that need neither normal form nor the general tables; `false` if there are others, and
    /// what was taken counts for nothing.
    fn take_common_words(&mut self, text: &str, case: Case, stop_words: &StopWords) -> bool {
        let from = self.filled;
        // No character grows threefold in lower case.
        self.make_room(3 * text.len());
        let simple = common_words::for_each(text, |place, has_capital| {
            if !stop_words.is_empty() && stop_words.contains(&text[place.clone()]) {
            } else if has_capital && case == Case::Lower {
                let lower = text[place].to_lowercase();
                self.push(lower.as_bytes(), 0..lower.len());
            } else {
                self.push(text.as_bytes(), place);
            }
        });
        if case == Case::Lower {
            self.buffer[from..self.filled].make_ascii_lowercase();
        }
        simple
    }

    /// Takes words the general way.
    fn take_any_words(&mut self, text: &str, form: NormalForm, case: Case, stop_words: &StopWords) {
        let text = normalize(text, form, case);
        self.make_room(2 * text.len());
        for (start, word) in text.unicode_word_indices() {
            if !stop_words.contains(word) {
                self.push(text.as_bytes(), start..start + word.len());
            }
        }
    }

    /// Takes the grapheme clusters of `text` in this normal form and case: runs of white space count as
    /// one space, none at the ends.
    pub fn take_characters(&mut self, text: &str, form: NormalForm, case: Case) {
        self.begin(0);
        let text = normalize(text, form, case);
        let mut collapsed = String::with_capacity(text.len());
        for word in text.split_whitespace() {
            if !collapsed.is_empty() {
                collapsed.push(' ');
            }
            collapsed.push_str(word);
        }
        self.make_room(collapsed.len());
        for (start, grapheme) in collapsed.grapheme_indices(true) {
            self.push(collapsed.as_bytes(), start..start + grapheme.len());
        }
        self.starts.push(self.filled as u32);
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether the text had no token at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.shingles(1)
    }

    /// Every run of `n` consecutive tokens; if there are fewer, one run of all; if none, nothing.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn shingles(&self, n: usize) -> impl Iterator<Item = &str> {
        let text = |bytes| std::str::from_utf8(bytes).expect("tokens are whole characters");
        self.shingle_bytes(n).map(text)
    }

    /// The same as bytes, for hashing.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn shingle_bytes(&self, n: usize) -> impl ExactSizeIterator<Item = &[u8]> {
        assert!(n > 0, "a shingle has at least one token");
        // Without tokens there is one start at most, and nothing to pair it with.
        let ends = self.starts.get(n.min(self.len()).max(1)..).unwrap_or_default();
        self.starts
            .iter()
            .zip(ends)
            .map(|(&start, &end)| &self.buffer[start as usize..(end - self.gap) as usize])
    }

    fn begin(&mut self, gap: u32) {
        self.starts.clear();
        (self.filled, self.gap) = (0, gap);
    }

    /// Makes room for tokens of that many bytes, gaps included.
    fn make_room(&mut self, bytes: usize) {
        let wanted = self.filled + bytes + 1 + SHORT;
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted.next_power_of_two(), 0);
        }
    }

    /// Adds the token at `place` of `text`; room is made.
    #[inline]
    fn push(&mut self, text: &[u8], place: std::ops::Range<usize>) {
        let (start, length) = (self.filled, place.len());
        match text.get(place.start..place.start + SHORT) {
            // A copy of fixed length is two instructions; what is too much is written over.
            Some(more) if length <= SHORT => {
                self.buffer[start..start + SHORT].copy_from_slice(more);
            }
            _ => self.buffer[start..start + length].copy_from_slice(&text[place]),
        }
        let end = start + length;
        self.buffer[end] = b' ';
        self.starts.push(start as u32);
        self.filled = end + self.gap as usize;
    }
}

/// Tokens up to this many bytes, nearly all there are, are copied at once.
const SHORT: usize = 16;

/// A stretch of text between white space.
enum Run<'a> {
    /// ASCII, perhaps the whole text.
    Ascii(&'a str),
    /// A word, more or less, that is not.
    Other(&'a str),
}

/// Takes a text apart at ASCII white space, where no word, no letter and no accent reaches across, into
/// what is ASCII and what is not. (A mark may cling to the space before it: then the space goes along.)
fn for_each_run<'a>(text: &'a str, mut each: impl FnMut(Run<'a>)) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = ascii_length(rest.as_bytes());
        if ascii == rest.len() {
            return each(Run::Ascii(rest));
        }
        let last_blank = rest.as_bytes()[..ascii].iter().rposition(u8::is_ascii_whitespace);
        let before = last_blank.map_or("", |at| rest[..at].trim_ascii_end());
        // White space of other scripts holds on to the blank behind it, and so to the mark behind that.
        let ends = rest[ascii..].match_indices(|c: char| c.is_ascii_whitespace());
        let mut ends = ends.map(|(at, _)| ascii + at);
        let end = ends.find(|&at| !rest[..at].ends_with(char::is_whitespace)).unwrap_or(rest.len());
        if !before.is_empty() {
            each(Run::Ascii(before));
        }
        each(Run::Other(&rest[before.len()..end]));
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
        Run::Ascii(run) => ascii_words::for_each(run.as_bytes(), |place| word(&run[place])),
        Run::Other(run) => run.unicode_words().for_each(&mut word),
    });
}

/// A piece of text as a reader sees it: a word or a mark, and the white space before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The word, number, ideograph or punctuation mark.
    pub text: String,
    /// Whether white space stands before it.
    pub spaced: bool,
    /// Line ends before it: 0 or 1, or 2 where a blank line stands.
    pub line_breaks: u8,
}

/// Cuts a text into words and marks at the word boundaries of UAX #29, white space kept aside.
///
/// For comparing and laying out texts; fingerprints use [`Tokens`].
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut spaced, mut line_breaks) = (false, 0u8);
    for segment in text.split_word_bounds() {
        if segment.chars().all(char::is_whitespace) {
            spaced = true;
            line_breaks = (line_breaks + segment.matches('\n').count().min(2) as u8).min(2);
        } else {
            pieces.push(Piece { text: segment.to_owned(), spaced, line_breaks });
            (spaced, line_breaks) = (false, 0);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Tokens {
        let mut tokens = Tokens::new();
        tokens.take_words(text, NormalForm::None, Case::Keep, &StopWords::none());
        tokens
    }

    #[test]
    fn shingles_are_runs_of_words_joined_by_one_space() {
        let tokens = words("the cat,  sat\non the mat.");
        let shingles: Vec<&str> = tokens.shingles(3).collect();
        assert_eq!(shingles, ["the cat sat", "cat sat on", "sat on the", "on the mat"]);
    }

    #[test]
    fn a_short_text_is_one_shingle_and_an_empty_one_none() {
        assert_eq!(words("Hello").shingles(3).collect::<Vec<_>>(), ["Hello"]);
        assert_eq!(words(" ... ").shingles(3).count(), 0);
    }

    #[test]
    fn pieces_keep_marks_apart_and_white_space_in_mind() {
        let found: Vec<(String, bool, u8)> = pieces("It's here,\n\nnow. 漢字")
            .into_iter()
            .map(|piece| (piece.text, piece.spaced, piece.line_breaks))
            .collect();
        let expected = [
            ("It's", false, 0),
            ("here", true, 0),
            (",", false, 0),
            ("now", true, 2),
            (".", false, 0),
            ("漢", true, 0),
            ("字", false, 0),
        ];
        assert_eq!(found, expected.map(|(text, spaced, breaks)| (text.to_owned(), spaced, breaks)));
    }

    #[test]
    fn characters_are_grapheme_clusters_with_white_space_collapsed() {
        let mut tokens = Tokens::new();
        tokens.take_characters("  e\u{301} \t\n b ", NormalForm::None, Case::Keep);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["e\u{301}", " ", "b"]);
        assert_eq!(tokens.shingles(2).collect::<Vec<_>>(), ["e\u{301} ", " b"]);
    }
}
