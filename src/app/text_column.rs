//! A column of text that is filled word by word and row by row.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::text::{Piece, visible};

/// A run of text on one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRun {
    /// The text.
    pub text: String,
    /// The texts that have it.
    pub kind: RunKind,
}

/// The texts that have a run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Both.
    Shared,
    /// None: it is the name of a field.
    Field,
    /// One or both: no differences are marked.
    Plain,
    /// Only one text: the left, 0, or the right, 1.
    OnlyIn(usize),
    /// The bracket around words that only one text has.
    Bracket(usize),
}

/// The cells of a text on the screen if each grapheme is drawn by itself. The width of the whole text may be less,
/// because some Arabic letters make a ligature of one cell. Terminals give the sound marks of narrow katakana a cell of
/// their own.
pub fn cells(text: &str) -> usize {
    let marks = text.chars().filter(|it| matches!(it, '\u{ff9e}' | '\u{ff9f}')).count();
    text.graphemes(true).map(UnicodeWidthStr::width).sum::<usize>() + marks
}

impl TextRun {
    /// Whether only one side has it.
    pub(super) fn is_changed(&self) -> bool {
        matches!(self.kind, RunKind::OnlyIn(_) | RunKind::Bracket(_))
    }
}

/// A piece of text without control characters, and its width.
pub(super) struct Word {
    text: String,
    width: usize,
    pub(super) spaced: bool,
    pub(super) line_breaks: u8,
    /// The name of the field that it begins.
    pub(super) field: Option<Box<str>>,
}

impl Word {
    fn of(piece: &Piece) -> Self {
        let field = piece.field.clone();
        let text = visible(&piece.text).into_owned();
        Self { field, ..Self::new(text, piece.spaced, piece.line_breaks) }
    }

    /// Shared pieces as words: a mark stays with the word before it, a wide character is a word of its own.
    pub(super) fn joined<'a>(
        pieces: impl Iterator<Item = (&'a Piece, &'a Piece)>,
    ) -> Vec<(Self, Self)> {
        let mut words: Vec<(Self, Self)> = Vec::new();
        for (a, b) in pieces {
            let (a, b) = (Self::of(a), Self::of(b));
            let is_wide =
                a.text.chars().next().is_some_and(|c| c.is_alphanumeric() && c.width() == Some(2));
            match words.last_mut() {
                Some(last) if !a.spaced && !b.spaced && !is_wide => {
                    last.0.append(&a);
                    last.1.append(&b);
                }
                _ => words.push((a, b)),
            }
        }
        words
    }

    fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.width += other.width;
    }

    fn new(text: String, spaced: bool, line_breaks: u8) -> Self {
        Self { width: cells(&text), text, spaced, line_breaks, field: None }
    }
}

/// A column being filled row by row.
pub(super) struct Column {
    width: usize,
    pub(super) used: usize,
    pub(super) rows: Vec<Vec<TextRun>>,
}

impl Column {
    pub(super) fn new(width: usize) -> Self {
        Self { width, used: 0, rows: vec![Vec::new()] }
    }

    pub(super) fn fits(&self, word: &Word) -> bool {
        let gap = usize::from(word.spaced && self.used > 0);
        // A word longer than a row is cut where it stands, because a line break before it would not help.
        self.used + gap + word.width <= self.width || self.used == 0
    }

    pub(super) fn break_row(&mut self) {
        if self.used > 0 {
            self.rows.push(Vec::new());
            self.used = 0;
        }
    }

    /// Puts the name of the field that a word begins, if it begins one, on a row of its own.
    pub(super) fn begin(&mut self, word: &Word) {
        if let Some(name) = &word.field {
            self.break_row();
            self.put(&Word::new(visible(name).into_owned(), false, 0), RunKind::Field);
            self.break_row();
        }
    }

    /// Puts a word at the end of the row, and cuts it if a row is too short for it.
    pub(super) fn put(&mut self, word: &Word, kind: RunKind) {
        if word.spaced && self.used > 0 {
            self.append(" ", 1, kind);
        }
        if self.used + word.width <= self.width {
            self.append(&word.text, word.width, kind);
            return;
        }
        for grapheme in word.text.graphemes(true) {
            let cells = cells(grapheme);
            if self.used + cells > self.width {
                self.break_row();
            }
            self.append(grapheme, cells, kind);
        }
    }

    /// Puts the words of some pieces, each on a row of its own where its text breaks the row.
    pub(super) fn put_all<'a>(&mut self, pieces: impl Iterator<Item = &'a Piece>, kind: RunKind) {
        for (word, _) in Word::joined(pieces.map(|piece| (piece, piece))) {
            self.begin(&word);
            if word.line_breaks > 0 || !self.fits(&word) {
                self.break_row();
            }
            self.put(&word, kind);
        }
    }

    /// Puts the words that only one side has, between brackets that stay with the first and the last of them.
    pub(super) fn put_bracketed(
        &mut self,
        pieces: &[Piece],
        side: usize,
        [open, close]: [&str; 2],
    ) {
        let (words, brackets) = (RunKind::OnlyIn(side), RunKind::Bracket(side));
        for (at, piece) in pieces.iter().enumerate() {
            let (is_first, is_last) = (at == 0, at + 1 == pieces.len());
            let word = Word::of(piece);
            self.begin(&word);
            let opening = if is_first { open.len() } else { 0 };
            let closing = if is_last { close.len() } else { 0 };
            let whole = Word {
                width: word.width + opening + closing,
                text: String::new(),
                field: None,
                ..word
            };
            if !is_first && word.line_breaks > 0 || !self.fits(&whole) {
                self.break_row();
            }
            // The space before a difference belongs to the shared text.
            if word.spaced && self.used > 0 {
                self.append(" ", 1, if is_first { RunKind::Shared } else { words });
            }
            if is_first {
                self.put(&Word::new(open.to_owned(), false, 0), brackets);
            }
            self.put(&Word { spaced: false, ..word }, words);
            if is_last {
                self.put(&Word::new(close.to_owned(), false, 0), brackets);
            }
        }
    }

    fn append(&mut self, text: &str, cells: usize, kind: RunKind) {
        self.used += cells;
        let row = self.rows.last_mut().expect("a column has a row");
        match row.last_mut() {
            Some(run) if run.kind == kind => run.text.push_str(text),
            _ => row.push(TextRun { text: text.to_owned(), kind }),
        }
    }
}
